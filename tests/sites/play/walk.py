"""A bird that never rests and goes right with a key."""

from pathlib import Path

from edukit.scratch.author import Costume, Project, Words, change, forever, set_to, wait

BIRD = Path(__file__).with_name("bird.svg")
SKY = '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360"/>'

project = Project("walk", Words("Walk", zh_CN="散步"), backdrops=[Costume("sky", SKY)])
steps = project.variable(Words("steps", zh_CN="步数"), show_at=(5, 5))
beats = project.variable(Words("beats", zh_CN="拍数"))
bird = project.sprite(Words("Bird", zh_CN="小鸟"), costumes=[Costume("bird", BIRD)])
bird.when_flag(set_to(steps, 0), set_to(beats, 0), forever(change(beats, by=1), wait(0.1)))
bird.when_key("right arrow", change(steps, by=1))
