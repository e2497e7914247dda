"""The blocks, as functions: each is named after what stands on it and returns the block."""

from typing import TYPE_CHECKING

from .pieces import AuthorError, List, Message, Piece, Value, Variable, make

if TYPE_CHECKING:
    from .project import Sprite

Number = Piece | Variable | int | float

# -- motion --------------------------------------------------------------------------------------------


def move(steps: Number) -> Piece:
    """Move steps in the direction that the sprite points."""
    return make("motion_movesteps", STEPS=steps)


def turn_right(degrees: Number) -> Piece:
    """Turn clockwise."""
    return make("motion_turnright", DEGREES=degrees)


def turn_left(degrees: Number) -> Piece:
    """Turn anticlockwise."""
    return make("motion_turnleft", DEGREES=degrees)


def go_to(x: "Number | Sprite | str", y: Number | None = None) -> Piece:
    """Go to a point, a sprite, ``"mouse"`` or ``"random"``."""
    if y is None:
        return make("motion_goto", TO=_somewhere(x))
    return make("motion_gotoxy", X=x, Y=y)


def glide(seconds: Number, x: "Number | Sprite | str", y: Number | None = None) -> Piece:
    """Glide to a point, a sprite, ``"mouse"`` or ``"random"``."""
    if y is None:
        return make("motion_glideto", SECS=seconds, TO=_somewhere(x))
    return make("motion_glidesecstoxy", SECS=seconds, X=x, Y=y)


def point_in(direction: Number) -> Piece:
    """Point in a direction: 90 is right, 0 is up."""
    return make("motion_pointindirection", DIRECTION=direction)


def point_towards(what: "Sprite | str") -> Piece:
    """Point towards a sprite, ``"mouse"`` or ``"random"``."""
    return make("motion_pointtowards", TOWARDS=_somewhere(what))


def change_x(by: Number) -> Piece:
    """Move to the right, or left by a negative number."""
    return make("motion_changexby", DX=by)


def set_x(x: Number) -> Piece:
    """Set the position from left (-240) to right (240)."""
    return make("motion_setx", X=x)


def change_y(by: Number) -> Piece:
    """Move up, or down by a negative number."""
    return make("motion_changeyby", DY=by)


def set_y(y: Number) -> Piece:
    """Set the position from bottom (-180) to top (180)."""
    return make("motion_sety", Y=y)


def bounce_at_edge() -> Piece:
    """Turn round at the edge of the stage."""
    return make("motion_ifonedgebounce")


def x_position() -> Piece:
    """Where the sprite is from left to right."""
    return make("motion_xposition")


def y_position() -> Piece:
    """Where the sprite is from bottom to top."""
    return make("motion_yposition")


def direction() -> Piece:
    """Where the sprite points."""
    return make("motion_direction")


# -- looks ---------------------------------------------------------------------------------------------


def say(what: Value, seconds: Number | None = None) -> Piece:
    """Say something in a bubble, for some seconds or until something else is said."""
    if seconds is None:
        return make("looks_say", MESSAGE=what)
    return make("looks_sayforsecs", MESSAGE=what, SECS=seconds)


def think(what: Value, seconds: Number | None = None) -> Piece:
    """Think something in a bubble."""
    if seconds is None:
        return make("looks_think", MESSAGE=what)
    return make("looks_thinkforsecs", MESSAGE=what, SECS=seconds)


def switch_costume(name: Value) -> Piece:
    """Put on the costume of a name (the English one), or what a reporter says."""
    return make("looks_switchcostumeto", COSTUME=name)


def next_costume() -> Piece:
    """Put on the next costume."""
    return make("looks_nextcostume")


def switch_backdrop(name: Value) -> Piece:
    """Put up the backdrop of a name (the English one), or what a reporter says."""
    return make("looks_switchbackdropto", BACKDROP=name)


def next_backdrop() -> Piece:
    """Put up the next backdrop."""
    return make("looks_nextbackdrop")


def change_size(by: Number) -> Piece:
    """Make larger, in percent of the picture."""
    return make("looks_changesizeby", CHANGE=by)


def set_size(percent: Number) -> Piece:
    """Set the size, in percent of the picture."""
    return make("looks_setsizeto", SIZE=percent)


def change_effect(effect: str, by: Number) -> Piece:
    """Change an effect: color, fisheye, whirl, pixelate, mosaic, brightness, ghost."""
    return make("looks_changeeffectby", EFFECT=effect.upper(), CHANGE=by)


def set_effect(effect: str, value: Number) -> Piece:
    """Set an effect: color, fisheye, whirl, pixelate, mosaic, brightness, ghost."""
    return make("looks_seteffectto", EFFECT=effect.upper(), VALUE=value)


def clear_effects() -> Piece:
    """Take all effects away."""
    return make("looks_cleargraphiceffects")


def show() -> Piece:
    """Show the sprite."""
    return make("looks_show")


def hide() -> Piece:
    """Hide the sprite."""
    return make("looks_hide")


def to_front() -> Piece:
    """Go in front of all other sprites."""
    return make("looks_gotofrontback", FRONT_BACK="front")


def to_back() -> Piece:
    """Go behind all other sprites."""
    return make("looks_gotofrontback", FRONT_BACK="back")


# -- events and control --------------------------------------------------------------------------------


def broadcast(message: Message, *, wait: bool = False) -> Piece:
    """Send a message to all sprites, and perhaps wait until all have done what they do then."""
    if not isinstance(message, Message):
        raise AuthorError(f"broadcast takes what project.message(...) returned, not {message!r}")
    opcode = "event_broadcastandwait" if wait else "event_broadcast"
    return make(opcode, BROADCAST_INPUT=message)


def wait(seconds: Number) -> Piece:
    """Wait some seconds."""
    return make("control_wait", DURATION=seconds)


def wait_until(condition: Piece) -> Piece:
    """Wait until something is true."""
    return make("control_wait_until", CONDITION=condition)


def repeat(times: Number, *pieces: Piece) -> Piece:
    """Do something a number of times."""
    return make("control_repeat", TIMES=times, SUBSTACK=pieces)


def repeat_until(condition: Piece, *pieces: Piece) -> Piece:
    """Do something until something is true."""
    return make("control_repeat_until", CONDITION=condition, SUBSTACK=pieces)


def forever(*pieces: Piece) -> Piece:
    """Do something for ever; nothing fits under it."""
    return make("control_forever", SUBSTACK=pieces)


def if_(condition: Piece, *pieces: Piece, otherwise: list[Piece] | None = None) -> Piece:
    """Do something if something is true, and perhaps something else otherwise."""
    if otherwise is None:
        return make("control_if", CONDITION=condition, SUBSTACK=pieces)
    return make("control_if_else", CONDITION=condition, SUBSTACK=pieces, SUBSTACK2=otherwise)


def stop(what: str = "all") -> Piece:
    """Stop ``all``, ``this script`` or ``other scripts in sprite``."""
    return make("control_stop", STOP_OPTION=what)


def create_clone(of: "Sprite | None" = None) -> Piece:
    """Make a clone of the sprite itself or of another."""
    return make("control_create_clone_of", CLONE_OPTION="_myself_" if of is None else of)


def delete_this_clone() -> Piece:
    """Delete the clone that runs this; nothing fits under it."""
    return make("control_delete_this_clone")


# -- sensing -------------------------------------------------------------------------------------------


def ask(question: Value) -> Piece:
    """Ask something and wait for an answer."""
    return make("sensing_askandwait", QUESTION=question)


def answer() -> Piece:
    """Report what was answered last."""
    return make("sensing_answer")


def touching(what: "Sprite | str") -> Piece:
    """Whether the sprite touches another, the ``"mouse"`` or the ``"edge"``."""
    thing = "_edge_" if what == "edge" else _somewhere(what)
    return make("sensing_touchingobject", TOUCHINGOBJECTMENU=thing)


def key_pressed(key: str) -> Piece:
    """Whether a key is down: a letter, ``space``, ``up arrow`` and so on."""
    return make("sensing_keypressed", KEY_OPTION=key)


def mouse_down() -> Piece:
    """Whether the mouse button is down."""
    return make("sensing_mousedown")


def mouse_x() -> Piece:
    """Where the mouse is from left to right."""
    return make("sensing_mousex")


def mouse_y() -> Piece:
    """Where the mouse is from bottom to top."""
    return make("sensing_mousey")


def timer() -> Piece:
    """Seconds since the green flag or the last reset."""
    return make("sensing_timer")


def reset_timer() -> Piece:
    """Set the timer to 0."""
    return make("sensing_resettimer")


# -- operators -----------------------------------------------------------------------------------------


def pick_random(low: Number, high: Number) -> Piece:
    """Pick a whole number between two whole numbers, both included."""
    return make("operator_random", FROM=low, TO=high)


def equals(one: Value, other: Value) -> Piece:
    """Whether two values are the same; the case of letters does not matter."""
    return make("operator_equals", OPERAND1=one, OPERAND2=other)


def both(one: Piece, other: Piece) -> Piece:
    """Whether two conditions are true."""
    return make("operator_and", OPERAND1=one, OPERAND2=other)


def either(one: Piece, other: Piece) -> Piece:
    """Whether one of two conditions is true."""
    return make("operator_or", OPERAND1=one, OPERAND2=other)


def not_(condition: Piece) -> Piece:
    """Whether a condition is not true."""
    return make("operator_not", OPERAND=condition)


def join(first: Value, second: Value, *more: Value) -> Piece:
    """Put texts and numbers together into one text."""
    rest = join(second, *more) if more else second
    return make("operator_join", STRING1=first, STRING2=rest)


def letter(number: Number, of: Value) -> Piece:
    """Report the letter of a number in a text, from 1."""
    return make("operator_letter_of", LETTER=number, STRING=of)


def length(of: Value) -> Piece:
    """How many letters a text has."""
    return make("operator_length", STRING=of)


def contains(text: Value, part: Value) -> Piece:
    """Whether a text has another in it."""
    return make("operator_contains", STRING1=text, STRING2=part)


def mod(number: Number, by: Number) -> Piece:
    """Report what is left over when a number is divided."""
    return make("operator_mod", NUM1=number, NUM2=by)


def round_(number: Number) -> Piece:
    """Report the nearest whole number."""
    return make("operator_round", NUM=number)


def math(function: str, number: Number) -> Piece:
    """Apply abs, floor, ceiling, sqrt, sin, cos, tan, asin, acos, atan, ln, log, ``e ^`` or ``10 ^``."""
    return make("operator_mathop", OPERATOR=function, NUM=number)


# -- variables -----------------------------------------------------------------------------------------


def set_to(variable: Variable, value: Value) -> Piece:
    """Set a variable."""
    return make("data_setvariableto", VARIABLE=variable, VALUE=value)


def change(variable: Variable, by: Number) -> Piece:
    """Add to a variable."""
    return make("data_changevariableby", VARIABLE=variable, VALUE=by)


def show_variable(variable: Variable) -> Piece:
    """Show a variable on the stage."""
    return make("data_showvariable", VARIABLE=variable)


def hide_variable(variable: Variable) -> Piece:
    """Take a variable off the stage."""
    return make("data_hidevariable", VARIABLE=variable)


# -- lists ---------------------------------------------------------------------------------------------

Index = Number | str


def add_item(items: List, what: Value) -> Piece:
    """Put something at the end of a list."""
    return make("data_addtolist", LIST=items, ITEM=what)


def delete_item(items: List, number: Index) -> Piece:
    """Take the item of a number out of a list: from 1, or ``"last"``, ``"random"``."""
    return make("data_deleteoflist", LIST=items, INDEX=number)


def delete_all(items: List) -> Piece:
    """Empty a list."""
    return make("data_deletealloflist", LIST=items)


def insert_item(items: List, number: Index, what: Value) -> Piece:
    """Put something before the item of a number."""
    return make("data_insertatlist", LIST=items, INDEX=number, ITEM=what)


def replace_item(items: List, number: Index, what: Value) -> Piece:
    """Put something in place of the item of a number."""
    return make("data_replaceitemoflist", LIST=items, INDEX=number, ITEM=what)


def item(items: List, number: Index) -> Piece:
    """Report the item of a number: from 1, or ``"last"``, ``"random"``."""
    return make("data_itemoflist", LIST=items, INDEX=number)


def item_number(items: List, what: Value) -> Piece:
    """Report where in a list something first is; 0 if it is not there."""
    return make("data_itemnumoflist", LIST=items, ITEM=what)


def list_length(items: List) -> Piece:
    """Report how many items a list has."""
    return make("data_lengthoflist", LIST=items)


def list_contains(items: List, what: Value) -> Piece:
    """Whether something is in a list."""
    return make("data_listcontainsitem", LIST=items, ITEM=what)


def show_list(items: List) -> Piece:
    """Show a list on the stage."""
    return make("data_showlist", LIST=items)


def hide_list(items: List) -> Piece:
    """Take a list off the stage."""
    return make("data_hidelist", LIST=items)


# -- pen -----------------------------------------------------------------------------------------------


def pen_down() -> Piece:
    """Put the pen down: from here on the sprite draws where it goes."""
    return make("pen_penDown")


def pen_up() -> Piece:
    """Lift the pen."""
    return make("pen_penUp")


def erase_all() -> Piece:
    """Wipe off all that the pens have drawn."""
    return make("pen_clear")


def stamp() -> Piece:
    """Print the sprite's costume onto the stage."""
    return make("pen_stamp")


def set_pen_color(colour: str | Piece | Variable) -> Piece:
    """Set the colour of the pen, such as ``"#3366cc"``."""
    return make("pen_setPenColorToColor", COLOR=colour)


def change_pen(what: str, by: Number) -> Piece:
    """Change the pen's color, saturation, brightness or transparency, each from 0 to 100."""
    return make("pen_changePenColorParamBy", COLOR_PARAM=what, VALUE=by)


def set_pen(what: str, to: Number) -> Piece:
    """Set the pen's color, saturation, brightness or transparency, each from 0 to 100."""
    return make("pen_setPenColorParamTo", COLOR_PARAM=what, VALUE=to)


def change_pen_size(by: Number) -> Piece:
    """Make the pen thicker."""
    return make("pen_changePenSizeBy", SIZE=by)


def set_pen_size(to: Number) -> Piece:
    """Set how thick the pen is."""
    return make("pen_setPenSizeTo", SIZE=to)


# -- sound and music -----------------------------------------------------------------------------------


def play_sound(name: Value, *, wait: bool = False) -> Piece:
    """Play the sound of a name (the English one), and perhaps wait until it has been played."""
    return make("sound_playuntildone" if wait else "sound_play", SOUND_MENU=name)


def stop_all_sounds() -> Piece:
    """Stop all sounds."""
    return make("sound_stopallsounds")


def set_volume(percent: Number) -> Piece:
    """Set how loud the sprite's sounds are."""
    return make("sound_setvolumeto", VOLUME=percent)


def play_drum(number: int | Piece, beats: Number) -> Piece:
    """Play a drum by its number in Scratch's menu, from 1 to 18."""
    return make("music_playDrumForBeats", DRUM=number, BEATS=beats)


def play_note(note: Number, beats: Number) -> Piece:
    """Play a note: 60 is the C in the middle, each further one half a tone higher."""
    return make("music_playNoteForBeats", NOTE=note, BEATS=beats)


def rest(beats: Number) -> Piece:
    """Be silent for some beats."""
    return make("music_restForBeats", BEATS=beats)


def set_instrument(number: int | Piece) -> Piece:
    """Choose an instrument by its number in Scratch's menu, from 1 to 21."""
    return make("music_setInstrument", INSTRUMENT=number)


def set_tempo(beats: Number) -> Piece:
    """Set how many beats a minute has."""
    return make("music_setTempo", TEMPO=beats)


def change_tempo(by: Number) -> Piece:
    """Play faster."""
    return make("music_changeTempo", TEMPO=by)


def tempo() -> Piece:
    """Report how many beats a minute has."""
    return make("music_getTempo")


# -- more of sensing and looks -------------------------------------------------------------------------


def touching_color(colour: str | Piece | Variable) -> Piece:
    """Whether the sprite touches a colour, such as ``"#3366cc"``."""
    return make("sensing_touchingcolor", COLOR=colour)


def distance_to(what: "Sprite | str") -> Piece:
    """Report how far it is to another sprite or the ``"mouse"``."""
    return make("sensing_distanceto", DISTANCETOMENU=_somewhere(what))


def current(what: str) -> Piece:
    """Report the year, month, date, day of week, hour, minute or second of now."""
    return make("sensing_current", CURRENTMENU=what.upper().replace(" ", ""))


def set_rotation_style(style: str) -> Piece:
    """Set how the picture turns: ``left-right``, ``don't rotate``, ``all around``."""
    return make("motion_setrotationstyle", STYLE=style)


def size() -> Piece:
    """Report the size, in percent of the picture."""
    return make("looks_size")


def costume_number() -> Piece:
    """Report which of its costumes the sprite wears, from 1."""
    return make("looks_costumenumbername", NUMBER_NAME="number")


def _somewhere(what: object) -> object:
    return {"mouse": "_mouse_", "random": "_random_"}.get(what, what) if isinstance(what, str) else what
