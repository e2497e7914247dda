"""Sine Painter: a brush paints waves of several speeds, and reads at each place how high they are.

The page next to this file shows the scripts and offers the project in both languages; the site's build
makes them from here, and from ``build`` what each step of the page begins with. By hand,
``python sine_painter.py`` writes all the ``.sb3`` files.
"""

from pathlib import Path

from edukit.scratch.author import (
    Costume,
    Done,
    Piece,
    Project,
    Words,
    add_item,
    ask,
    both,
    change,
    change_pen,
    delete_all,
    equals,
    erase_all,
    go_to,
    item,
    join,
    list_length,
    math,
    not_,
    pen_down,
    pen_up,
    reads_any_digits,
    repeat,
    repeat_until,
    round_,
    save_all,
    say,
    set_pen_color,
    set_pen_size,
    set_to,
    set_y,
)

PICTURES = Path(__file__).parent / "pictures"
STEPS = 5
PLACES = 100
STRIDE = 4  # steps on the stage from one place to the next
HIGH = 25  # how far a wave goes up and down
SPEEDS = (24, 12, 6, 3)  # degrees from one place to the next: each wave half as fast as the one before


def build(steps_done: int = STEPS) -> Project:
    """Return the project when so many steps of the page are done."""
    done = Done(steps_done)
    project = Project(
        "sine-painter" if done == STEPS else f"sine-painter-step-{done + 1}",
        Words("Sine Painter", zh_CN="画波浪"),
        backdrops=[Costume(Words("paper", zh_CN="画纸"), PICTURES / "paper.svg")],
    )
    brush = project.sprite(
        Words("Brush", zh_CN="画笔"),
        costumes=[Costume(Words("brush", zh_CN="画笔"), PICTURES / "brush.svg", center=(4, 76))],
        at=(-200, 90),
    )
    # The boxes are there from the start: a child finds them, and need not type their names.
    place = project.variable(Words("place on the paper", zh_CN="位置"))
    number = project.variable(Words("number of the wave", zh_CN="第几条"))
    heights = project.variable(Words("heights", zh_CN="高低"), "")
    speeds = project.list(Words("speeds", zh_CN="快慢"))

    clean_up: list[Piece] = [
        pen_up(),
        erase_all(),
        go_to(-200, 90),
        say(Words("Watch me paint waves!", zh_CN="看我画波浪！"), seconds=2),
        set_pen_color("#c8562b"),
        set_pen_size(3),
    ]

    def paint(speed: Piece | int, height: Piece | int) -> list[Piece]:
        return [
            pen_up(),
            set_to(place, 0),
            go_to(-200, height),
            pen_down(),
            repeat(
                PLACES,
                change(place, by=1),
                go_to(place * STRIDE - 200, height + math("sin", place * speed) * HIGH),
            ),
            pen_up(),
        ]

    if done < 2:
        brush.when_flag(*clean_up, *done.since(1, *paint(SPEEDS[0], 90)))
        return project

    paint_a_wave = brush.block(
        Words("paint a wave: speed [speed] height [height]", zh_CN="画一条波浪，快慢 [快慢] 高度 [高度]")
    )
    paint_a_wave.define(*paint(paint_a_wave["speed"], paint_a_wave["height"]))
    if done == 2:
        brush.when_flag(*clean_up, paint_a_wave(SPEEDS[0], 90), paint_a_wave(SPEEDS[1], 30))
        return project

    paint_all = [
        delete_all(speeds),
        *(add_item(speeds, speed) for speed in SPEEDS),
        set_to(number, 0),
        repeat(
            list_length(speeds),
            change(number, by=1),
            paint_a_wave(item(speeds, number), 150 - number * 60),
            change_pen("color", by=25),
        ),
    ]
    if done == 3:
        brush.when_flag(*clean_up, *paint_all)
        return project

    read_a_place = brush.block(Words("read the waves at place [place]", zh_CN="读出位置 [位置] 的高低"))
    here = read_a_place["place"]
    read_a_place.define(
        set_pen_color("#23292b"),
        go_to(here * STRIDE - 200, -120),
        pen_down(),
        set_y(125),
        pen_up(),
        set_to(heights, ""),
        set_to(number, 0),
        repeat(
            list_length(speeds),
            change(number, by=1),
            set_to(heights, join(heights, " ", round_(math("sin", here * item(speeds, number)) * HIGH))),
        ),
        say(join(Words("Place ", zh_CN="位置 "), here, Words(" is", zh_CN=" 是"), heights), seconds=4),
    )
    if done == 4:
        brush.when_flag(*clean_up, *paint_all, read_a_place(20), read_a_place(21))
        return project

    read_the_answer, given = reads_any_digits(project, brush)
    ask_for_a_place = brush.block(Words("ask for a place", zh_CN="问一个位置"))
    on_the_paper = both(equals(given * 1, given), both(not_(given * 1 < 0), not_(given * 1 > PLACES)))
    ask_for_a_place.define(
        ask(Words("Which place? From 0 to 100", zh_CN="哪个位置？0 到 100")),
        read_the_answer(),
        repeat_until(
            on_the_paper,
            ask(Words("Please type a number from 0 to 100", zh_CN="请输入 0 到 100 之间的数")),
            read_the_answer(),
        ),
    )
    brush.when_flag(
        *clean_up,
        *paint_all,
        repeat(3, ask_for_a_place(), read_a_place(given)),
        say(Words("Did any two places look the same?", zh_CN="有没有两个位置一模一样？")),
    )
    return project


project = build()

if __name__ == "__main__":
    for path in save_all(build, STEPS):
        print(path)
