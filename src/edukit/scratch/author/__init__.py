"""Write a project as a small Python program: sprites, and scripts as nested calls.

Every text is given once in both languages, and one program makes the file of each::

    from edukit.scratch.author import Costume, Project, Words, change, repeat, say, set_to

    project = Project("count", Words("Count", zh_CN="数数"), backdrops=[Costume("sky", SKY)])
    number = project.variable(Words("number", zh_CN="数"))
    bird = project.sprite(Words("Bird", zh_CN="小鸟"), costumes=[Costume("bird", BIRD)])
    bird.when_flag(
        set_to(number, 0),
        repeat(10, change(number, by=1), say(number, seconds=1)),
    )
    project.save("count.sb3", language="zh_CN")

What would be wrong in Scratch is an :class:`AuthorError` that names the line: a text where a number
belongs, a block after ``forever``, a variable of another project, a message that nobody receives.
"""

from .blocks import (
    answer,
    ask,
    both,
    bounce_at_edge,
    broadcast,
    change,
    change_effect,
    change_size,
    change_x,
    change_y,
    clear_effects,
    contains,
    create_clone,
    delete_this_clone,
    direction,
    either,
    equals,
    forever,
    glide,
    go_to,
    hide,
    hide_variable,
    if_,
    join,
    key_pressed,
    length,
    letter,
    math,
    mod,
    mouse_down,
    mouse_x,
    mouse_y,
    move,
    next_backdrop,
    next_costume,
    not_,
    pick_random,
    point_in,
    point_towards,
    repeat,
    repeat_until,
    reset_timer,
    round_,
    say,
    set_effect,
    set_size,
    set_to,
    set_x,
    set_y,
    show,
    show_variable,
    stop,
    switch_backdrop,
    switch_costume,
    think,
    timer,
    to_back,
    to_front,
    touching,
    turn_left,
    turn_right,
    wait,
    wait_until,
    x_position,
    y_position,
)
from .pieces import AuthorError, CustomBlock, Message, Piece, Variable, Words
from .project import Costume, Project, Sprite, Stage

__all__ = [
    "AuthorError", "Costume", "CustomBlock", "Message", "Piece", "Project", "Sprite", "Stage",
    "Variable", "Words", "answer", "ask", "both", "bounce_at_edge", "broadcast", "change",
    "change_effect", "change_size", "change_x", "change_y", "clear_effects", "contains",
    "create_clone", "delete_this_clone", "direction", "either", "equals", "forever", "glide",
    "go_to", "hide", "hide_variable", "if_", "join", "key_pressed", "length", "letter", "math",
    "mod", "mouse_down", "mouse_x", "mouse_y", "move", "next_backdrop", "next_costume", "not_",
    "pick_random", "point_in", "point_towards", "repeat", "repeat_until", "reset_timer", "round_",
    "say", "set_effect", "set_size", "set_to", "set_x", "set_y", "show", "show_variable", "stop",
    "switch_backdrop", "switch_costume", "think", "timer", "to_back", "to_front", "touching",
    "turn_left", "turn_right", "wait", "wait_until", "x_position", "y_position",
]  # fmt: skip
