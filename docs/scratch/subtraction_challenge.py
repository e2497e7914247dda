"""Subtraction Challenge: Owl sets twelve problems on three levels; each right answer hangs a lantern.

The page next to this file shows the scripts and offers the project in both languages; the site's build
makes them from here, and from ``build`` what each step of the page begins with. By hand,
``python subtraction_challenge.py`` writes all the ``.sb3`` files.
"""

from pathlib import Path

from edukit.scratch.author import (
    Costume,
    Done,
    Piece,
    Project,
    Variable,
    Words,
    answer,
    ask,
    change,
    create_clone,
    either,
    equals,
    go_to,
    hide,
    if_,
    join,
    math,
    pick_random,
    reads_any_digits,
    repeat,
    repeat_until,
    save_all,
    say,
    set_to,
    show,
    switch_backdrop,
    switch_costume,
)

PICTURES = Path(__file__).parent / "pictures"
STEPS = 6
PROBLEMS = 12
LIVES = 3


def build(steps_done: int = STEPS) -> Project:
    """Return the project when so many steps of the page are done."""
    done = Done(steps_done)
    project = Project(
        "subtraction-challenge" if done == STEPS else f"subtraction-challenge-step-{done + 1}",
        Words("Subtraction Challenge", zh_CN="减法挑战"),
        backdrops=[
            Costume(Words("night", zh_CN="夜晚"), PICTURES / "night.svg"),
            Costume(Words("party", zh_CN="庆祝"), PICTURES / "party.svg"),
            Costume(Words("dawn", zh_CN="天亮"), PICTURES / "dawn.svg"),
        ],
    )
    owl = project.sprite(
        Words("Owl", zh_CN="猫头鹰"),
        costumes=[
            Costume(Words("calm", zh_CN="平静"), PICTURES / "owl-calm.svg"),
            Costume(Words("happy", zh_CN="高兴"), PICTURES / "owl-happy.svg"),
            Costume(Words("thinking", zh_CN="思考"), PICTURES / "owl-thinking.svg"),
        ],
        at=(-140, -58),
    )
    lantern = project.sprite(
        Words("Lantern", zh_CN="灯笼"),
        costumes=[Costume(Words("lantern", zh_CN="灯笼"), PICTURES / "lantern.svg", center=(18, 0))],
        at=(0, 130),
        visible=False,
    )
    # The boxes are there from the start: a child finds them, and need not type their names.
    first = project.variable(Words("first number", zh_CN="被减数"))
    second = project.variable(Words("second number", zh_CN="减数"))
    problem = project.variable(Words("problem", zh_CN="算式"), "")
    score = project.variable(Words("score", zh_CN="得分"), show_at=(6, 104) if done >= 2 else None)
    number = project.variable(Words("question number", zh_CN="题号"))

    # -- what a wrong and a right answer do, in every step -------------------------------------------

    right = [
        *done.since(2, change(score, by=1)),
        switch_costume("happy"),
        # Owl makes the clone: a message would reach the clones as well, and each would make another.
        *done.since(2, create_clone(lantern)),
        say(Words("Yes, well done!", zh_CN="对了，真棒！"), seconds=1.5),
    ]
    wrong = [
        switch_costume("thinking"),
        say(
            join(
                Words("Not quite: ", zh_CN="正确答案是："),
                join(problem, " = ", first - second),
            ),
            seconds=3,
        ),
    ]
    if done >= 5:
        lives = project.variable(Words("lives", zh_CN="生命"), LIVES, show_at=(372, 104))
        wrong = [change(lives, by=-1), *wrong]
    given: Piece | Variable = answer()
    if done >= 3:
        make_a_problem = owl.block(Words("make a problem for level [level]", zh_CN="出一道第 [关] 关的题"))
    if done >= 4:
        read_the_answer, given = reads_any_digits(project, owl)
    check = if_(equals(given, first - second), *right, otherwise=wrong)

    # -- one round: a problem, a question, a check ---------------------------------------------------

    easy = [
        set_to(first, pick_random(3, 10)),
        # Never larger than the first, so no answer is below zero.
        set_to(second, pick_random(1, first)),
    ]
    write_problem = set_to(problem, join(first, " - ", second))
    question = join(problem, " = ?")
    if done < 3:
        one_round = [*easy, write_problem, switch_costume("calm"), ask(question), check]
    else:
        level = project.variable(Words("level", zh_CN="关卡"), 1, show_at=(372, 132))
        tens = project.variable(Words("tens", zh_CN="十位"))
        ones = project.variable(Words("ones", zh_CN="个位"))
        make_a_problem.define(
            if_(
                equals(make_a_problem["level"], 1),
                *easy,
                otherwise=[
                    set_to(tens, pick_random(2, 9)),
                    set_to(ones, pick_random(1, 8)),
                    set_to(first, tens * 10 + ones),
                    if_(
                        equals(make_a_problem["level"], 2),
                        # No more ones than above: nothing to borrow.
                        set_to(second, pick_random(1, tens - 1) * 10 + pick_random(0, ones)),
                        otherwise=[
                            # More ones than above: one ten has to be borrowed.
                            set_to(second, pick_random(1, tens - 1) * 10 + pick_random(ones + 1, 9)),
                        ],
                    ),
                ],
            ),
            write_problem,
        )
        ask_it = [switch_costume("calm"), ask(question)]
        if done >= 4:
            ask_for_a_number = owl.block(
                Words("ask [question] until it is a number", zh_CN="问 [问题] 直到回答是一个数")
            )
            # A number times 1 stays what it is; letters times 1 make 0, which is not what was typed.
            ask_for_a_number.define(
                switch_costume("calm"),
                ask(ask_for_a_number["question"]),
                read_the_answer(),
                repeat_until(
                    equals(given * 1, given),
                    switch_costume("thinking"),
                    ask(
                        join(
                            Words("Please type a number, like 7. ", zh_CN="请输入一个数，比如 7。"),
                            ask_for_a_number["question"],
                        )
                    ),
                    read_the_answer(),
                ),
            )
            ask_it = [ask_for_a_number(question)]
        check_the_answer = owl.block(Words("check the answer", zh_CN="检查回答"))
        check_the_answer.define(check)
        one_round = [
            set_to(level, math("ceiling", number / (PROBLEMS // 3))),
            make_a_problem(level),
            *ask_it,
            check_the_answer(),
        ]

    # -- the whole game -------------------------------------------------------------------------------

    next_round = [change(number, by=1), *one_round]
    if done == 0:
        game = []
    elif done == 1:
        game = one_round
    elif done < 5:
        game = [repeat(PROBLEMS, *next_round)]
    else:
        game = [
            set_to(lives, LIVES),
            repeat_until(either(equals(number, PROBLEMS), equals(lives, 0)), *next_round),
        ]
    if done >= 6:
        best = project.variable(Words("best score", zh_CN="最高分"), show_at=(6, 132))
        tell_the_end = owl.block(Words("show the end", zh_CN="显示结尾"))
        tell_the_end.define(
            if_(
                equals(lives, 0),
                switch_backdrop("dawn"),
                switch_costume("thinking"),
                say(Words("No lives left: the sun is up.", zh_CN="生命用完，天亮了。"), seconds=2),
                otherwise=[
                    switch_backdrop("party"),
                    switch_costume("happy"),
                    say(Words("You made it through the night!", zh_CN="你闯过了整个夜晚！"), seconds=2),
                ],
            ),
            if_(
                score > best,
                set_to(best, score),
                say(Words("A new best score!", zh_CN="新的最高分！"), seconds=2),
            ),
            say(
                join(
                    Words("Lanterns lit: ", zh_CN="点亮的灯笼："),
                    score,
                    Words(". Click the green flag to play again.", zh_CN=" 盏。点绿旗再玩一次吧。"),
                )
            ),
        )
        game.append(tell_the_end())

    owl.when_flag(
        switch_backdrop("night"),
        switch_costume("calm"),
        *done.since(2, set_to(score, 0), set_to(number, 0)),
        say(Words("Hello! I am Owl. Let us subtract!", zh_CN="你好！我是猫头鹰。来做减法吧！"), seconds=2),
        *game,
    )
    lantern.when_flag(hide())
    if done >= 2:
        lantern.when_cloned(
            go_to(score * 38 - 247, 143),
            show(),
        )
    return project


project = build()

if __name__ == "__main__":
    for path in save_all(build, STEPS):
        print(path)
