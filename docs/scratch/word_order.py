"""Word Order: a robot's bag of words has lost its order, and the child puts the sentence together again.

The page next to this file shows the scripts and offers the project in both languages; the site's build
makes them from here, and from ``build`` what each step of the page begins with. By hand,
``python word_order.py`` writes all the ``.sb3`` files.
"""

from pathlib import Path

from edukit.scratch.author import (
    Costume,
    Done,
    Piece,
    Project,
    Variable,
    Words,
    add_item,
    answer,
    ask,
    broadcast,
    change,
    delete_all,
    delete_item,
    equals,
    if_,
    item,
    join,
    list_length,
    not_,
    pick_random,
    reads_any_digits,
    repeat,
    repeat_until,
    save_all,
    say,
    set_to,
    switch_costume,
)

PICTURES = Path(__file__).parent / "pictures"
STEPS = 5

DOG = Words("the dog", zh_CN="小狗")
CAT = Words("the cat", zh_CN="小猫")
CHASES = Words("chases", zh_CN="追")
SENTENCES = [
    (DOG, CHASES, CAT),
    (CAT, CHASES, DOG),
    # One meaning, cut into four words: each language lines them up in an order of its own.
    (
        Words("the fish", zh_CN="小鱼"),
        Words("watches", zh_CN="在鱼缸里"),
        Words("the cat", zh_CN="看着"),
        Words("from its bowl", zh_CN="小猫"),
    ),
]


def build(steps_done: int = STEPS) -> Project:
    """Return the project when so many steps of the page are done."""
    done = Done(steps_done)
    project = Project(
        "word-order" if done == STEPS else f"word-order-step-{done + 1}",
        Words("Word Order", zh_CN="词语排排队"),
        backdrops=[Costume(Words("room", zh_CN="房间"), PICTURES / "room.svg")],
    )
    robot = project.sprite(
        Words("Robot", zh_CN="机器人"),
        costumes=[
            Costume(Words("calm", zh_CN="平静"), PICTURES / "robot-calm.svg"),
            Costume(Words("happy", zh_CN="高兴"), PICTURES / "robot-happy.svg"),
            Costume(Words("thinking", zh_CN="思考"), PICTURES / "robot-thinking.svg"),
        ],
        at=(-60, -95),
    )
    picture = project.sprite(
        Words("Picture", zh_CN="图画"),
        costumes=[
            Costume(Words("dog chases cat", zh_CN="狗追猫"), PICTURES / "dog-chases-cat.svg"),
            Costume(Words("cat chases dog", zh_CN="猫追狗"), PICTURES / "cat-chases-dog.svg"),
            Costume(Words("fish watches cat", zh_CN="鱼看猫"), PICTURES / "fish-watches-cat.svg"),
        ],
        at=(0, 100),
    )
    # The boxes are there from the start: a child finds them, and need not type their names.
    sentence = project.list(Words("sentence", zh_CN="句子"))
    bag = project.list(Words("bag", zh_CN="词袋"), show_at=(6, 10))
    row = project.list(Words("your row", zh_CN="你排的队"), show_at=(364, 10))
    left = project.list(Words("left in the sentence", zh_CN="还没装袋的词"))
    number = project.variable(Words("number", zh_CN="序号"))
    question = project.variable(Words("question", zh_CN="问题"), "")
    score = project.variable(Words("score", zh_CN="得分"), show_at=(6, 180) if done == STEPS else None)
    puzzle = project.variable(Words("puzzle", zh_CN="第几题"))

    # -- step 1: the words of the sentence fall into the bag -------------------------------------------

    def write(words: tuple[Words, ...]) -> list[Piece]:
        return [add_item(sentence, word) for word in words]

    fill_the_bag = [
        delete_all(bag),
        delete_all(left),
        set_to(number, 0),
        repeat(list_length(sentence), change(number, by=1), add_item(left, item(sentence, number))),
        repeat(
            list_length(sentence),
            set_to(number, pick_random(1, list_length(left))),
            add_item(bag, item(left, number)),
            delete_item(left, number),
        ),
    ]

    # -- steps 2 and 3: the child takes them out again ---------------------------------------------------

    list_the_words = [
        set_to(question, Words("Which word comes next?", zh_CN="下一个是哪个词？")),
        set_to(number, 0),
        repeat(
            list_length(bag),
            change(number, by=1),
            set_to(question, join(question, "  ", number, " ", item(bag, number))),
        ),
    ]
    given: Piece | Variable = answer()
    take_a_word = [*list_the_words, ask(question)]
    if done >= 3:
        read_the_answer, given = reads_any_digits(project, robot)
        take_a_word += [
            read_the_answer(),
            # Where the bag has no word of that number, the item is empty. Letters times 1 make 0.
            repeat_until(
                not_(equals(item(bag, given * 1), "")),
                switch_costume("thinking"),
                ask(
                    join(Words("Please type one of the numbers. ", zh_CN="请输入其中一个序号。"), question)
                ),
                read_the_answer(),
            ),
            switch_costume("calm"),
        ]
    take_a_word += [add_item(row, item(bag, given * 1)), delete_item(bag, given * 1)]
    make_the_row = [delete_all(row), repeat_until(equals(list_length(bag), 0), *take_a_word)]

    # -- step 4: is it the sentence of the picture? -------------------------------------------------------

    check = if_(
        equals(row, sentence),
        *done.since(5, change(score, by=1)),
        switch_costume("happy"),
        say(join(Words("Yes: ", zh_CN="对了："), row), seconds=2),
        otherwise=[
            switch_costume("thinking"),
            say(
                join(Words("The same words in another order: ", zh_CN="词一样，顺序不同："), row), seconds=3
            ),
            say(join(Words("The picture says: ", zh_CN="图上画的是："), sentence), seconds=3),
        ],
    )

    # -- the whole game ------------------------------------------------------------------------------------

    hello = [
        switch_costume("calm"),
        say(
            Words("Oh no! My bag has mixed up all the words.", zh_CN="糟糕！我的袋子把词都弄乱了。"),
            seconds=2,
        ),
    ]
    if done < 5:
        first_sentence = [delete_all(sentence), *write(SENTENCES[0])]
        robot.when_flag(
            *hello,
            *done.since(1, *first_sentence, *fill_the_bag),
            *done.since(2, *make_the_row),
            *done.since(4, check),
        )
        return project

    new_picture = project.message(Words("new picture", zh_CN="换图画"))
    write_the_sentence = robot.block(Words("write the sentence", zh_CN="写下句子"))
    fill = robot.block(Words("fill the bag", zh_CN="装进词袋"))
    make = robot.block(Words("let the words line up", zh_CN="让词语排队"))
    check_the_row = robot.block(Words("check the row", zh_CN="检查排队"))
    robot.when_flag(
        *hello,
        set_to(score, 0),
        set_to(puzzle, 0),
        repeat(
            len(SENTENCES),
            change(puzzle, by=1),
            broadcast(new_picture),
            write_the_sentence(),
            fill(),
            make(),
            check_the_row(),
        ),
        say(
            join(
                Words("Sentences that are right: ", zh_CN="排对的句子："),
                score,
                Words(". Order is part of the meaning!", zh_CN=" 句。顺序也是意思的一部分！"),
            )
        ),
    )
    write_the_sentence.define(
        delete_all(sentence),
        *(if_(equals(puzzle, number), *write(words)) for number, words in enumerate(SENTENCES, 1)),
    )
    fill.define(*fill_the_bag)
    make.define(*make_the_row)
    check_the_row.define(check)
    # A number for a name: the first costume belongs to the first sentence, and so on.
    picture.when_received(new_picture, switch_costume(puzzle))
    return project


project = build()

if __name__ == "__main__":
    for path in save_all(build, STEPS):
        print(path)
