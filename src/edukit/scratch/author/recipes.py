"""What several activities build in the same way."""

from .blocks import (
    answer,
    change,
    if_,
    item_number,
    join,
    length,
    letter,
    list_contains,
    repeat,
    set_to,
)
from .pieces import CustomBlock, Variable, Words
from .project import Project, Sprite


def reads_any_digits(project: Project, sprite: Sprite) -> tuple[CustomBlock, Variable]:
    """Make the block *read the answer*, which turns the wide digits of Chinese keyboards into plain ones.

    Scratch takes wide digits for letters. All else that was typed stays as it is.

    Parameters
    ----------
    project, sprite
        Where it is made.

    Returns
    -------
    block
        Put it under each ``ask``.
    number_given
        The variable with what was typed, in plain digits.
    """
    number_given = project.variable(Words("number given", zh_CN="回答的数"), "")
    wide = project.list(Words("wide digits", zh_CN="全角数字"), "０１２３４５６７８９")
    place = project.variable(Words("place", zh_CN="第几个字"))
    block = sprite.block(Words("read the answer", zh_CN="读出回答"))
    block.define(
        set_to(number_given, ""),
        set_to(place, 0),
        repeat(
            length(answer()),
            change(place, by=1),
            if_(
                list_contains(wide, letter(place, answer())),
                # The first of the list is nought: what a digit means is one less than its place.
                set_to(number_given, join(number_given, item_number(wide, letter(place, answer())) - 1)),
                otherwise=[set_to(number_given, join(number_given, letter(place, answer())))],
            ),
        ),
    )
    return block, number_given
