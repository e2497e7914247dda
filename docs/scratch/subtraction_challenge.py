"""Subtraction Challenge: Owl sets ten problems, and each right answer hangs a lantern on the rope.

The page next to this file shows the scripts and offers the project in both languages; the site's build
makes them from here. By hand, ``python subtraction_challenge.py`` writes the two ``.sb3`` files.
"""

from pathlib import Path

from edukit.scratch.author import (
    Costume,
    Project,
    Words,
    answer,
    ask,
    change,
    create_clone,
    equals,
    go_to,
    hide,
    if_,
    join,
    pick_random,
    repeat,
    repeat_until,
    say,
    set_to,
    show,
    switch_backdrop,
    switch_costume,
)

PICTURES = Path(__file__).parent / "pictures"
PROBLEMS = 10

project = Project(
    "subtraction-challenge",
    Words("Subtraction Challenge", zh_CN="减法挑战"),
    backdrops=[
        Costume(Words("night", zh_CN="夜晚"), PICTURES / "night.svg"),
        Costume(Words("party", zh_CN="庆祝"), PICTURES / "party.svg"),
    ],
)
score = project.variable(Words("score", zh_CN="得分"), show_at=(6, 104))
number = project.variable(Words("question number", zh_CN="题号"), show_at=(6, 132))
first = project.variable(Words("first number", zh_CN="被减数"))
second = project.variable(Words("second number", zh_CN="减数"))
problem = project.variable(Words("problem", zh_CN="算式"), "")

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

make_a_problem = owl.block(Words("make a new problem", zh_CN="出一道新题"))
ask_for_a_number = owl.block(
    Words("ask [question] until it is a number", zh_CN="问 [问题] 直到回答是一个数")
)
check_the_answer = owl.block(Words("check the answer", zh_CN="检查回答"))
tell_the_end = owl.block(Words("show the end", zh_CN="显示结尾"))


owl.when_flag(
    switch_backdrop("night"),
    switch_costume("calm"),
    set_to(score, 0),
    set_to(number, 0),
    say(
        Words("Hello! I am Owl. Ten problems are waiting!", zh_CN="你好！我是猫头鹰。十道题等着你！"),
        seconds=2,
    ),
    repeat(
        PROBLEMS,
        change(number, by=1),
        make_a_problem(),
        ask_for_a_number(join(problem, " = ?")),
        check_the_answer(),
    ),
    tell_the_end(),
)

# The second number is never larger than the first, so no answer is below zero.
make_a_problem.define(
    set_to(first, pick_random(3, 20)),
    set_to(second, pick_random(1, first)),
    set_to(problem, join(first, " - ", second)),
)

# A number times 1 stays what it is; letters times 1 make 0, which is not what was typed.
ask_for_a_number.define(
    switch_costume("calm"),
    ask(ask_for_a_number["question"]),
    repeat_until(
        equals(answer() * 1, answer()),
        switch_costume("thinking"),
        ask(
            join(
                Words("Please type a number, like 7. ", zh_CN="请输入一个数，比如 7。"),
                ask_for_a_number["question"],
            )
        ),
    ),
)

check_the_answer.define(
    if_(
        equals(answer(), first - second),
        change(score, by=1),
        switch_costume("happy"),
        # Owl makes the clone: a message would reach the clones as well, and each would make another.
        create_clone(lantern),
        say(Words("Yes, well done!", zh_CN="对了，真棒！"), seconds=1.5),
        otherwise=[
            switch_costume("thinking"),
            say(
                join(
                    Words("Not quite: ", zh_CN="正确答案是："),
                    join(problem, " = ", first - second),
                ),
                seconds=3,
            ),
        ],
    )
)

tell_the_end.define(
    switch_backdrop("party"),
    switch_costume("happy"),
    if_(
        equals(score, PROBLEMS),
        say(Words("All ten lanterns are lit. You are a master!", zh_CN="十盏灯笼全亮了，你是减法大师！")),
        otherwise=[
            say(
                join(
                    Words("The end! Lanterns lit: ", zh_CN="结束啦！点亮的灯笼："),
                    score,
                    Words(". Click the green flag to play again.", zh_CN=" 盏。点绿旗再玩一次吧。"),
                )
            )
        ],
    ),
)

lantern.when_flag(hide())
lantern.when_cloned(
    go_to(score * 44 - 242, 143),
    show(),
)

if __name__ == "__main__":
    for language in ("en", "zh_CN"):
        project.save(project.file_name(language), language)
        print(project.file_name(language))
