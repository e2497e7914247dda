"""A bird that counts, as the pages of this site show it."""

from pathlib import Path

from edukit.scratch.author import Costume, Project, Words, change, repeat, say, set_to

SKY = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360"><rect width="480" height="9"/></svg>'
)

project = Project("count", Words("Count", zh_CN="数数"), backdrops=[Costume("sky", SKY)])
number = project.variable(Words("number", zh_CN="数"))
bird = project.sprite(
    Words("Bird", zh_CN="小鸟"), costumes=[Costume("bird", Path(__file__).parent / "bird.svg")]
)
bird.when_flag(set_to(number, 0), repeat(3, change(number, by=1), say(number, seconds=1)))
bird.when_clicked(say(Words("Tweet", zh_CN="叽叽")))
project.stage.when_clicked(set_to(number, 0))
