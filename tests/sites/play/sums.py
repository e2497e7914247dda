"""A bird that asks for sums and counts the right answers."""

from pathlib import Path

from edukit.scratch.author import (
    Costume,
    Project,
    Words,
    answer,
    ask,
    change,
    equals,
    if_,
    say,
    set_to,
)

BIRD = Path(__file__).with_name("bird.svg")
SKY = '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360"/>'

project = Project("sums", Words("Sums", zh_CN="加法"), backdrops=[Costume("sky", SKY)])
score = project.variable(Words("score", zh_CN="得分"), show_at=(5, 5))
bird = project.sprite(Words("Bird", zh_CN="小鸟"), costumes=[Costume("bird", BIRD)])
bird.when_flag(
    set_to(score, 0),
    ask(Words("What is 2 + 3?", zh_CN="2 + 3 等于几？")),
    if_(equals(answer(), 5), change(score, by=1), otherwise=[say(Words("No.", zh_CN="不对。"))]),
    ask(Words("What is 4 + 4?", zh_CN="4 + 4 等于几？")),
    if_(equals(answer(), 8), change(score, by=1)),
    say(Words("The end.", zh_CN="结束。")),
)
