"""The one table of blocks: what each is called in English and Chinese, its shape and its holes.

A row is written the way the block reads. In a label a hole stands where the block has it::

    (STEPS)   a number             [MESSAGE]  text              <CONDITION>  a condition
    (TO v)    a menu that takes    [EFFECT v] a menu, a         [#COLOR]     a colour
              a reporter as well              variable, a list
    {SUBSTACK} a mouth             @greenFlag an icon

The rows are our own. Which words Scratch's editor uses in each language are facts that were looked up
in the npm package scratch-l10n 4.0.31 (BSD-3-Clause, copyright the Massachusetts Institute of
Technology), so that what a child reads here is what stands on the child's screen.
"""

# ruff: noqa: E501 (a row is a line, however wide its Chinese)

import functools
import re
from dataclasses import dataclass

LANGUAGES = ("en", "zh_CN")

HAT, STACK, CAP, REPORTER, BOOLEAN, MENU, PART = (
    "hat",
    "stack",
    "cap",
    "reporter",
    "boolean",
    "menu",
    "part",
)
"""The shapes; a menu and a part (of a definition) stand only inside other blocks."""

ICONS = {
    "greenFlag": ("green flag", "绿旗"),
    "turnRight": ("clockwise", "顺时针"),
    "turnLeft": ("anticlockwise", "逆时针"),
}


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole of a label.

    ``kind`` is one of number, text, boolean, menu (takes reporters), field (does not), colour, mouth.
    """

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Icon:
    """A picture in a label."""

    name: str


@dataclass(frozen=True, slots=True)
class Opcode:
    """A row of the table.

    ``labels`` holds, by language, the label taken apart into words, icons and holes.
    """

    name: str
    category: str
    shape: str
    labels: tuple[tuple[str | Icon | Hole, ...], ...]

    def label(self, language: str) -> tuple[str | Icon | Hole, ...]:
        """Return the label in a language."""
        return self.labels[LANGUAGES.index(language)]

    @property
    def holes(self) -> tuple[Hole, ...]:
        """The holes, in the order of the English label."""
        return tuple(part for part in self.labels[0] if isinstance(part, Hole))


# fmt: off
_ROWS = (
    # motion
    ("motion_movesteps", STACK, "move (STEPS) steps", "移动 (STEPS) 步"),
    ("motion_turnright", STACK, "turn @turnRight (DEGREES) degrees", "右转 @turnRight (DEGREES) 度"),
    ("motion_turnleft", STACK, "turn @turnLeft (DEGREES) degrees", "左转 @turnLeft (DEGREES) 度"),
    ("motion_goto", STACK, "go to (TO v)", "移到 (TO v)"),
    ("motion_gotoxy", STACK, "go to x: (X) y: (Y)", "移到 x: (X) y: (Y)"),
    ("motion_glideto", STACK, "glide (SECS) secs to (TO v)", "在 (SECS) 秒内滑行到 (TO v)"),
    ("motion_glidesecstoxy", STACK, "glide (SECS) secs to x: (X) y: (Y)", "在 (SECS) 秒内滑行到 x: (X) y: (Y)"),
    ("motion_pointindirection", STACK, "point in direction (DIRECTION)", "面向 (DIRECTION) 方向"),
    ("motion_pointtowards", STACK, "point towards (TOWARDS v)", "面向 (TOWARDS v)"),
    ("motion_changexby", STACK, "change x by (DX)", "将x坐标增加 (DX)"),
    ("motion_setx", STACK, "set x to (X)", "将x坐标设为 (X)"),
    ("motion_changeyby", STACK, "change y by (DY)", "将y坐标增加 (DY)"),
    ("motion_sety", STACK, "set y to (Y)", "将y坐标设为 (Y)"),
    ("motion_ifonedgebounce", STACK, "if on edge, bounce", "碰到边缘就反弹"),
    ("motion_setrotationstyle", STACK, "set rotation style [STYLE v]", "将旋转方式设为 [STYLE v]"),
    ("motion_xposition", REPORTER, "x position", "x 坐标"),
    ("motion_yposition", REPORTER, "y position", "y 坐标"),
    ("motion_direction", REPORTER, "direction", "方向"),
    # looks
    ("looks_sayforsecs", STACK, "say [MESSAGE] for (SECS) seconds", "说 [MESSAGE] (SECS) 秒"),
    ("looks_say", STACK, "say [MESSAGE]", "说 [MESSAGE]"),
    ("looks_thinkforsecs", STACK, "think [MESSAGE] for (SECS) seconds", "思考 [MESSAGE] (SECS) 秒"),
    ("looks_think", STACK, "think [MESSAGE]", "思考 [MESSAGE]"),
    ("looks_switchcostumeto", STACK, "switch costume to (COSTUME v)", "换成 (COSTUME v) 造型"),
    ("looks_nextcostume", STACK, "next costume", "下一个造型"),
    ("looks_switchbackdropto", STACK, "switch backdrop to (BACKDROP v)", "换成 (BACKDROP v) 背景"),
    ("looks_switchbackdroptoandwait", STACK, "switch backdrop to (BACKDROP v) and wait", "换成 (BACKDROP v) 背景并等待"),
    ("looks_nextbackdrop", STACK, "next backdrop", "下一个背景"),
    ("looks_changesizeby", STACK, "change size by (CHANGE)", "将大小增加 (CHANGE)"),
    ("looks_setsizeto", STACK, "set size to (SIZE) %", "将大小设为 (SIZE)"),
    ("looks_changeeffectby", STACK, "change [EFFECT v] effect by (CHANGE)", "将 [EFFECT v] 特效增加 (CHANGE)"),
    ("looks_seteffectto", STACK, "set [EFFECT v] effect to (VALUE)", "将 [EFFECT v] 特效设定为 (VALUE)"),
    ("looks_cleargraphiceffects", STACK, "clear graphic effects", "清除图形特效"),
    ("looks_show", STACK, "show", "显示"),
    ("looks_hide", STACK, "hide", "隐藏"),
    ("looks_gotofrontback", STACK, "go to [FRONT_BACK v] layer", "移到最 [FRONT_BACK v]"),
    ("looks_goforwardbackwardlayers", STACK, "go [FORWARD_BACKWARD v] (NUM) layers", "[FORWARD_BACKWARD v] (NUM) 层"),
    ("looks_costumenumbername", REPORTER, "costume [NUMBER_NAME v]", "造型 [NUMBER_NAME v]"),
    ("looks_backdropnumbername", REPORTER, "backdrop [NUMBER_NAME v]", "背景 [NUMBER_NAME v]"),
    ("looks_size", REPORTER, "size", "大小"),
    # sound
    ("sound_playuntildone", STACK, "play sound (SOUND_MENU v) until done", "播放声音 (SOUND_MENU v) 等待播完"),
    ("sound_play", STACK, "start sound (SOUND_MENU v)", "播放声音 (SOUND_MENU v)"),
    ("sound_stopallsounds", STACK, "stop all sounds", "停止所有声音"),
    ("sound_changeeffectby", STACK, "change [EFFECT v] effect by (VALUE)", "将 [EFFECT v] 音效增加 (VALUE)"),
    ("sound_seteffectto", STACK, "set [EFFECT v] effect to (VALUE)", "将 [EFFECT v] 音效设为 (VALUE)"),
    ("sound_cleareffects", STACK, "clear sound effects", "清除音效"),
    ("sound_changevolumeby", STACK, "change volume by (VOLUME)", "将音量增加 (VOLUME)"),
    ("sound_setvolumeto", STACK, "set volume to (VOLUME) %", "将音量设为 (VOLUME) %"),
    ("sound_volume", REPORTER, "volume", "音量"),
    # events
    ("event_whenflagclicked", HAT, "when @greenFlag clicked", "当 @greenFlag 被点击"),
    ("event_whenkeypressed", HAT, "when [KEY_OPTION v] key pressed", "当按下 [KEY_OPTION v] 键"),
    ("event_whenthisspriteclicked", HAT, "when this sprite clicked", "当角色被点击"),
    ("event_whenstageclicked", HAT, "when stage clicked", "当舞台被点击"),
    ("event_whenbackdropswitchesto", HAT, "when backdrop switches to [BACKDROP v]", "当背景换成 [BACKDROP v]"),
    ("event_whengreaterthan", HAT, "when [WHENGREATERTHANMENU v] > (VALUE)", "当 [WHENGREATERTHANMENU v] > (VALUE)"),
    ("event_whenbroadcastreceived", HAT, "when I receive [BROADCAST_OPTION v]", "当接收到 [BROADCAST_OPTION v]"),
    ("event_broadcast", STACK, "broadcast (BROADCAST_INPUT v)", "广播 (BROADCAST_INPUT v)"),
    ("event_broadcastandwait", STACK, "broadcast (BROADCAST_INPUT v) and wait", "广播 (BROADCAST_INPUT v) 并等待"),
    # control
    ("control_wait", STACK, "wait (DURATION) seconds", "等待 (DURATION) 秒"),
    ("control_repeat", STACK, "repeat (TIMES) {SUBSTACK}", "重复执行 (TIMES) 次 {SUBSTACK}"),
    ("control_forever", CAP, "forever {SUBSTACK}", "重复执行 {SUBSTACK}"),
    ("control_if", STACK, "if <CONDITION> then {SUBSTACK}", "如果 <CONDITION> 那么 {SUBSTACK}"),
    ("control_if_else", STACK, "if <CONDITION> then {SUBSTACK} else {SUBSTACK2}", "如果 <CONDITION> 那么 {SUBSTACK} 否则 {SUBSTACK2}"),
    ("control_wait_until", STACK, "wait until <CONDITION>", "等待 <CONDITION>"),
    ("control_repeat_until", STACK, "repeat until <CONDITION> {SUBSTACK}", "重复执行直到 <CONDITION> {SUBSTACK}"),
    ("control_stop", CAP, "stop [STOP_OPTION v]", "停止 [STOP_OPTION v]"),
    ("control_start_as_clone", HAT, "when I start as a clone", "当作为克隆体启动时"),
    ("control_create_clone_of", STACK, "create clone of (CLONE_OPTION v)", "克隆 (CLONE_OPTION v)"),
    ("control_delete_this_clone", CAP, "delete this clone", "删除此克隆体"),
    # sensing
    ("sensing_touchingobject", BOOLEAN, "touching (TOUCHINGOBJECTMENU v) ?", "碰到 (TOUCHINGOBJECTMENU v) ?"),
    ("sensing_touchingcolor", BOOLEAN, "touching color [#COLOR] ?", "碰到颜色 [#COLOR] ?"),
    ("sensing_coloristouchingcolor", BOOLEAN, "color [#COLOR] is touching [#COLOR2] ?", "颜色 [#COLOR] 碰到 [#COLOR2] ?"),
    ("sensing_distanceto", REPORTER, "distance to (DISTANCETOMENU v)", "到 (DISTANCETOMENU v) 的距离"),
    ("sensing_askandwait", STACK, "ask [QUESTION] and wait", "询问 [QUESTION] 并等待"),
    ("sensing_answer", REPORTER, "answer", "回答"),
    ("sensing_keypressed", BOOLEAN, "key (KEY_OPTION v) pressed?", "按下 (KEY_OPTION v) 键?"),
    ("sensing_mousedown", BOOLEAN, "mouse down?", "按下鼠标?"),
    ("sensing_mousex", REPORTER, "mouse x", "鼠标的x坐标"),
    ("sensing_mousey", REPORTER, "mouse y", "鼠标的y坐标"),
    ("sensing_setdragmode", STACK, "set drag mode [DRAG_MODE v]", "将拖动模式设为 [DRAG_MODE v]"),
    ("sensing_loudness", REPORTER, "loudness", "响度"),
    ("sensing_timer", REPORTER, "timer", "计时器"),
    ("sensing_resettimer", STACK, "reset timer", "计时器归零"),
    ("sensing_of", REPORTER, "[PROPERTY v] of (OBJECT v)", "(OBJECT v) 的 [PROPERTY v]"),
    ("sensing_current", REPORTER, "current [CURRENTMENU v]", "当前时间的 [CURRENTMENU v]"),
    ("sensing_dayssince2000", REPORTER, "days since 2000", "2000年至今的天数"),
    ("sensing_username", REPORTER, "username", "用户名"),
    # operators
    ("operator_add", REPORTER, "(NUM1) + (NUM2)", "(NUM1) + (NUM2)"),
    ("operator_subtract", REPORTER, "(NUM1) - (NUM2)", "(NUM1) - (NUM2)"),
    ("operator_multiply", REPORTER, "(NUM1) * (NUM2)", "(NUM1) * (NUM2)"),
    ("operator_divide", REPORTER, "(NUM1) / (NUM2)", "(NUM1) / (NUM2)"),
    ("operator_random", REPORTER, "pick random (FROM) to (TO)", "在 (FROM) 和 (TO) 之间取随机数"),
    ("operator_gt", BOOLEAN, "[OPERAND1] > [OPERAND2]", "[OPERAND1] > [OPERAND2]"),
    ("operator_lt", BOOLEAN, "[OPERAND1] < [OPERAND2]", "[OPERAND1] < [OPERAND2]"),
    ("operator_equals", BOOLEAN, "[OPERAND1] = [OPERAND2]", "[OPERAND1] = [OPERAND2]"),
    ("operator_and", BOOLEAN, "<OPERAND1> and <OPERAND2>", "<OPERAND1> 与 <OPERAND2>"),
    ("operator_or", BOOLEAN, "<OPERAND1> or <OPERAND2>", "<OPERAND1> 或 <OPERAND2>"),
    ("operator_not", BOOLEAN, "not <OPERAND>", "<OPERAND> 不成立"),
    ("operator_join", REPORTER, "join [STRING1] [STRING2]", "连接 [STRING1] 和 [STRING2]"),
    ("operator_letter_of", REPORTER, "letter (LETTER) of [STRING]", "[STRING] 的第 (LETTER) 个字符"),
    ("operator_length", REPORTER, "length of [STRING]", "[STRING] 的字符数"),
    ("operator_contains", BOOLEAN, "[STRING1] contains [STRING2] ?", "[STRING1] 包含 [STRING2] ?"),
    ("operator_mod", REPORTER, "(NUM1) mod (NUM2)", "(NUM1) 除以 (NUM2) 的余数"),
    ("operator_round", REPORTER, "round (NUM)", "四舍五入 (NUM)"),
    ("operator_mathop", REPORTER, "[OPERATOR v] of (NUM)", "[OPERATOR v] (NUM)"),
    # variables
    ("data_variable", REPORTER, "[VARIABLE v]", "[VARIABLE v]"),
    ("data_setvariableto", STACK, "set [VARIABLE v] to [VALUE]", "将 [VARIABLE v] 设为 [VALUE]"),
    ("data_changevariableby", STACK, "change [VARIABLE v] by (VALUE)", "将 [VARIABLE v] 增加 (VALUE)"),
    ("data_showvariable", STACK, "show variable [VARIABLE v]", "显示变量 [VARIABLE v]"),
    ("data_hidevariable", STACK, "hide variable [VARIABLE v]", "隐藏变量 [VARIABLE v]"),
    # lists
    ("data_listcontents", REPORTER, "[LIST v]", "[LIST v]"),
    ("data_addtolist", STACK, "add [ITEM] to [LIST v]", "将 [ITEM] 加入 [LIST v]"),
    ("data_deleteoflist", STACK, "delete (INDEX) of [LIST v]", "删除 [LIST v] 的第 (INDEX) 项"),
    ("data_deletealloflist", STACK, "delete all of [LIST v]", "删除 [LIST v] 的全部项目"),
    ("data_insertatlist", STACK, "insert [ITEM] at (INDEX) of [LIST v]", "在 [LIST v] 的第 (INDEX) 项前插入 [ITEM]"),
    ("data_replaceitemoflist", STACK, "replace item (INDEX) of [LIST v] with [ITEM]", "将 [LIST v] 的第 (INDEX) 项替换为 [ITEM]"),
    ("data_itemoflist", REPORTER, "item (INDEX) of [LIST v]", "[LIST v] 的第 (INDEX) 项"),
    ("data_itemnumoflist", REPORTER, "item # of [ITEM] in [LIST v]", "[LIST v] 中第一个 [ITEM] 的编号"),
    ("data_lengthoflist", REPORTER, "length of [LIST v]", "[LIST v] 的项目数"),
    ("data_listcontainsitem", BOOLEAN, "[LIST v] contains [ITEM] ?", "[LIST v] 包含 [ITEM] ?"),
    ("data_showlist", STACK, "show list [LIST v]", "显示列表 [LIST v]"),
    ("data_hidelist", STACK, "hide list [LIST v]", "隐藏列表 [LIST v]"),
    # pen
    ("pen_clear", STACK, "erase all", "全部擦除"),
    ("pen_stamp", STACK, "stamp", "图章"),
    ("pen_penDown", STACK, "pen down", "落笔"),
    ("pen_penUp", STACK, "pen up", "抬笔"),
    ("pen_setPenColorToColor", STACK, "set pen color to [#COLOR]", "将笔的颜色设为 [#COLOR]"),
    ("pen_changePenColorParamBy", STACK, "change pen (COLOR_PARAM v) by (VALUE)", "将笔的 (COLOR_PARAM v) 增加 (VALUE)"),
    ("pen_setPenColorParamTo", STACK, "set pen (COLOR_PARAM v) to (VALUE)", "将笔的 (COLOR_PARAM v) 设为 (VALUE)"),
    ("pen_changePenSizeBy", STACK, "change pen size by (SIZE)", "将笔的粗细增加 (SIZE)"),
    ("pen_setPenSizeTo", STACK, "set pen size to (SIZE)", "将笔的粗细设为 (SIZE)"),
    ("pen_changePenHueBy", STACK, "change pen color by (HUE)", "将笔的颜色增加 (HUE)"),
    ("pen_setPenHueToNumber", STACK, "set pen color to (HUE)", "将笔的颜色设为 (HUE)"),
    ("pen_changePenShadeBy", STACK, "change pen shade by (SHADE)", "将笔的亮度增加 (SHADE)"),
    ("pen_setPenShadeToNumber", STACK, "set pen shade to (SHADE)", "将笔的亮度设为 (SHADE)"),
    # music
    ("music_playDrumForBeats", STACK, "play drum (DRUM v) for (BEATS) beats", "击打 (DRUM v) (BEATS) 拍"),
    ("music_restForBeats", STACK, "rest for (BEATS) beats", "休止 (BEATS) 拍"),
    ("music_playNoteForBeats", STACK, "play note (NOTE) for (BEATS) beats", "演奏音符 (NOTE) (BEATS) 拍"),
    ("music_setInstrument", STACK, "set instrument to (INSTRUMENT v)", "将乐器设为 (INSTRUMENT v)"),
    ("music_setTempo", STACK, "set tempo to (TEMPO)", "将演奏速度设定为 (TEMPO)"),
    ("music_changeTempo", STACK, "change tempo by (TEMPO)", "将演奏速度增加 (TEMPO)"),
    ("music_getTempo", REPORTER, "tempo", "演奏速度"),
    ("music_midiPlayDrumForBeats", STACK, "play drum (DRUM) for (BEATS) beats", "击打 (DRUM) (BEATS) 拍"),
    ("music_midiSetInstrument", STACK, "set instrument to (INSTRUMENT)", "将乐器设为 (INSTRUMENT)"),
    # text to speech
    ("text2speech_speakAndWait", STACK, "speak [WORDS]", "朗读 [WORDS]"),
    ("text2speech_setVoice", STACK, "set voice to (VOICE v)", "使用 (VOICE v) 嗓音"),
    ("text2speech_setLanguage", STACK, "set language to (LANGUAGE v)", "将朗读语言设置为 (LANGUAGE v)"),
    # translate
    ("translate_getTranslate", REPORTER, "translate [WORDS] to (LANGUAGE v)", "将 [WORDS] 译为 (LANGUAGE v)"),
    ("translate_getViewerLanguage", REPORTER, "language", "访客语言"),
    # blocks that the editor no longer offers; projects from before still have them
    ("motion_scroll_right", STACK, "scroll right (DISTANCE)", "向右滚动 (DISTANCE)"),
    ("motion_scroll_up", STACK, "scroll up (DISTANCE)", "向上滚动 (DISTANCE)"),
    ("motion_align_scene", STACK, "align scene [ALIGNMENT v]", "和场景 [ALIGNMENT v] 对齐"),
    ("motion_xscroll", REPORTER, "x scroll", "x滚动位置"),
    ("motion_yscroll", REPORTER, "y scroll", "y滚动位置"),
    ("looks_hideallsprites", STACK, "hide all sprites", "隐藏所有角色"),
    ("looks_changestretchby", STACK, "change stretch by (CHANGE)", "伸缩 (CHANGE)"),
    ("looks_setstretchto", STACK, "set stretch to (CHANGE) %", "设置伸缩为 (CHANGE) %"),
    ("event_whentouchingobject", HAT, "when this sprite touches (TOUCHINGOBJECTMENU v)", "当该角色碰到 (TOUCHINGOBJECTMENU v)"),
    ("control_while", STACK, "while <CONDITION> {SUBSTACK}", "当 <CONDITION> 重复执行 {SUBSTACK}"),
    ("control_for_each", STACK, "for each [VARIABLE v] in (VALUE) {SUBSTACK}", "对于 (VALUE) 中的每个 [VARIABLE v] {SUBSTACK}"),
    ("control_all_at_once", STACK, "all at once {SUBSTACK}", "所有脚本 {SUBSTACK}"),
    ("control_get_counter", REPORTER, "counter", "计数器"),
    ("control_incr_counter", STACK, "increment counter", "计数器加一"),
    ("control_clear_counter", STACK, "clear counter", "计数器归零"),
    ("sensing_loud", BOOLEAN, "loud?", "响声？"),
    ("sensing_userid", REPORTER, "user id", "用户id"),
    # custom blocks: their words are the project's own
    ("procedures_definition", HAT, "define", "定义"),
    ("procedures_call", STACK, "", ""),
    ("procedures_prototype", PART, "", ""),
    ("argument_reporter_string_number", REPORTER, "[VALUE v]", "[VALUE v]"),
    ("argument_reporter_boolean", BOOLEAN, "[VALUE v]", "[VALUE v]"),
    # menus, which are blocks inside blocks in the file
    ("motion_goto_menu", MENU, "[TO v]", "[TO v]"),
    ("motion_glideto_menu", MENU, "[TO v]", "[TO v]"),
    ("motion_pointtowards_menu", MENU, "[TOWARDS v]", "[TOWARDS v]"),
    ("looks_costume", MENU, "[COSTUME v]", "[COSTUME v]"),
    ("looks_backdrops", MENU, "[BACKDROP v]", "[BACKDROP v]"),
    ("sound_sounds_menu", MENU, "[SOUND_MENU v]", "[SOUND_MENU v]"),
    ("event_broadcast_menu", MENU, "[BROADCAST_OPTION v]", "[BROADCAST_OPTION v]"),
    ("control_create_clone_of_menu", MENU, "[CLONE_OPTION v]", "[CLONE_OPTION v]"),
    ("sensing_touchingobjectmenu", MENU, "[TOUCHINGOBJECTMENU v]", "[TOUCHINGOBJECTMENU v]"),
    ("sensing_distancetomenu", MENU, "[DISTANCETOMENU v]", "[DISTANCETOMENU v]"),
    ("sensing_keyoptions", MENU, "[KEY_OPTION v]", "[KEY_OPTION v]"),
    ("sensing_of_object_menu", MENU, "[OBJECT v]", "[OBJECT v]"),
    ("event_touchingobjectmenu", MENU, "[TOUCHINGOBJECTMENU v]", "[TOUCHINGOBJECTMENU v]"),
    ("sound_beats_menu", MENU, "[BEATS v]", "[BEATS v]"),
    ("sound_effects_menu", MENU, "[EFFECT v]", "[EFFECT v]"),
    ("pen_menu_colorParam", MENU, "[colorParam v]", "[colorParam v]"),
    ("music_menu_DRUM", MENU, "[DRUM v]", "[DRUM v]"),
    ("music_menu_INSTRUMENT", MENU, "[INSTRUMENT v]", "[INSTRUMENT v]"),
    ("text2speech_menu_voices", MENU, "[voices v]", "[voices v]"),
    ("text2speech_menu_languages", MENU, "[languages v]", "[languages v]"),
    ("translate_menu_languages", MENU, "[languages v]", "[languages v]"),
    # the piano under a note: what stands there is a number
    ("note", MENU, "[NOTE v]", "[NOTE v]"),
)
# fmt: on

_KEYS = {
    "space": ("space", "空格"),
    "up arrow": ("up arrow", "↑"),
    "down arrow": ("down arrow", "↓"),
    "right arrow": ("right arrow", "→"),
    "left arrow": ("left arrow", "←"),
    "any": ("any", "任意"),
}
_POINTER = {"_mouse_": ("mouse-pointer", "鼠标指针")}
_PLACES = {**_POINTER, "_random_": ("random position", "随机位置")}
_BACKDROPS = {
    "next backdrop": ("next backdrop", "下一个背景"),
    "previous backdrop": ("previous backdrop", "上一个背景"),
    "random backdrop": ("random backdrop", "随机背景"),
}
_EFFECTS = {
    "COLOR": ("color", "颜色"),
    "FISHEYE": ("fisheye", "鱼眼"),
    "WHIRL": ("whirl", "漩涡"),
    "PIXELATE": ("pixelate", "像素化"),
    "MOSAIC": ("mosaic", "马赛克"),
    "BRIGHTNESS": ("brightness", "亮度"),
    "GHOST": ("ghost", "虚像"),
}
_SOUND_EFFECTS = {"PITCH": ("pitch", "音调"), "PAN": ("pan left/right", "左右平衡")}
_NUMBER_NAME = {"number": ("number", "编号"), "name": ("name", "名称")}
_MATH = {
    "abs": ("abs", "绝对值"),
    "floor": ("floor", "向下取整"),
    "ceiling": ("ceiling", "向上取整"),
    "sqrt": ("sqrt", "平方根"),
    **{name: (name, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "ln", "log")},
    "e ^": ("e ^", "e ^"),
    "10 ^": ("10 ^", "10 ^"),
}
_PROPERTIES = {
    "x position": ("x position", "x 坐标"),
    "y position": ("y position", "y 坐标"),
    "direction": ("direction", "方向"),
    "costume #": ("costume #", "造型编号"),
    "costume name": ("costume name", "造型名称"),
    "size": ("size", "大小"),
    "volume": ("volume", "音量"),
    "backdrop #": ("backdrop #", "背景编号"),
    "backdrop name": ("backdrop name", "背景名称"),
}
_CLOCK = {
    "YEAR": ("year", "年"),
    "MONTH": ("month", "月"),
    "DATE": ("date", "日"),
    "DAYOFWEEK": ("day of week", "星期"),
    "HOUR": ("hour", "时"),
    "MINUTE": ("minute", "分"),
    "SECOND": ("second", "秒"),
}
_DRUMS = dict(
    enumerate(
        (
            *(("Snare Drum", "小军鼓"), ("Bass Drum", "低音鼓"), ("Side Stick", "敲鼓边")),
            *(("Crash Cymbal", "碎音钹"), ("Open Hi-Hat", "开击踩镲"), ("Closed Hi-Hat", "闭击踩镲")),
            *(("Tambourine", "铃鼓"), ("Hand Clap", "手掌"), ("Claves", "音棒"), ("Wood Block", "木鱼")),
            *(("Cowbell", "牛铃"), ("Triangle", "三角铁"), ("Bongo", "邦戈鼓"), ("Conga", "康加鼓")),
            *(("Cabasa", "卡巴萨"), ("Guiro", "刮瓜"), ("Vibraslap", "颤音器"), ("Cuica", "锯加鼓")),
        ),
        1,
    )
)
_INSTRUMENTS = dict(
    enumerate(
        (
            *(("Piano", "钢琴"), ("Electric Piano", "电钢琴"), ("Organ", "风琴"), ("Guitar", "吉他")),
            *(("Electric Guitar", "电吉他"), ("Bass", "贝斯"), ("Pizzicato", "拨弦"), ("Cello", "大提琴")),
            *(("Trombone", "长号"), ("Clarinet", "单簧管"), ("Saxophone", "萨克斯管"), ("Flute", "长笛")),
            *(("Wooden Flute", "木长笛"), ("Bassoon", "巴松管"), ("Choir", "唱诗班")),
            *(("Vibraphone", "颤音琴"), ("Music Box", "八音盒"), ("Steel Drum", "钢鼓")),
            *(("Marimba", "马林巴琴"), ("Synth Lead", "合成主音"), ("Synth Pad", "合成柔音")),
        ),
        1,
    )
)


def _numbered(words: dict[int, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Return the menu as the editor shows it: each word behind its number."""
    return {str(n): (f"({n}) {english}", f"({n}) {chinese}") for n, (english, chinese) in words.items()}


# fmt: off
_TONGUES = {
    "am": ("Amharic", "阿姆哈拉语"), "ar": ("Arabic", "阿拉伯语"), "az": ("Azerbaijani", "阿塞拜疆语"),
    "bg": ("Bulgarian", "保加利亚语"), "ca": ("Catalan", "加泰罗尼亚语"), "ckb": ("Kurdish (Sorani)", "库尔德语（索拉尼）"),
    "cs": ("Czech", "捷克语"), "cy": ("Welsh", "威尔士语"), "da": ("Danish", "丹麦语"), "de": ("German", "德语"),
    "el": ("Greek", "希腊语"), "en": ("English", "英语"), "es": ("Spanish", "西班牙语"), "et": ("Estonian", "爱沙尼亚语"),
    "eu": ("Basque", "巴斯克语"), "fa": ("Persian", "波斯语"), "fi": ("Finnish", "芬兰语"), "fr": ("French", "法语"),
    "ga": ("Irish Gaelic", "爱尔兰语"), "gd": ("Scots Gaelic", "苏格兰盖尔语"), "gl": ("Galician", "加利西亚语"),
    "he": ("Hebrew", "希伯来语"), "hr": ("Croatian", "克罗地亚语"), "hu": ("Hungarian", "匈牙利语"),
    "id": ("Indonesian", "印尼语"), "is": ("Icelandic", "冰岛语"), "it": ("Italian", "意大利语"), "ja": ("Japanese", "日语"),
    "ko": ("Korean", "韩语"), "lt": ("Lithuanian", "立陶宛语"), "lv": ("Latvian", "拉脱维亚语"), "mi": ("Maori", "毛利语"),
    "nb": ("Norwegian", "挪威语"), "nl": ("Dutch", "荷兰语"), "pl": ("Polish", "波兰语"), "pt": ("Portuguese", "葡萄牙语"),
    "ro": ("Romanian", "罗马尼亚语"), "ru": ("Russian", "俄语"), "sk": ("Slovak", "斯洛伐克语"),
    "sl": ("Slovenian", "斯洛文尼亚语"), "sr": ("Serbian", "塞尔维亚语"), "sv": ("Swedish", "瑞典语"), "th": ("Thai", "泰语"),
    "tr": ("Turkish", "土耳其语"), "uk": ("Ukrainian", "乌克兰语"), "vi": ("Vietnamese", "越南语"),
    "zh-cn": ("Chinese (Simplified)", "中文（简体）"), "zh-tw": ("Chinese (Traditional)", "中文（繁体）"), "zu": ("Zulu", "祖鲁语"),
}
# fmt: on
_SPOKEN = {
    **{
        code: _TONGUES[code]
        for code in (
            *("ar", "zh-cn", "da", "nl", "en", "fr", "de", "is", "it", "ja", "ko", "nb", "pl", "pt"),
            *("ro", "ru", "es", "sv", "tr", "cy"),
        )
    },
    "hi": ("Hindi", "印地语"),
    "pt-br": ("Portuguese (Brazilian)", "葡萄牙语（巴西）"),
    "es-419": ("Spanish (Latin American)", "西班牙语（拉丁美洲）"),
}

MENU_WORDS: dict[tuple[str, str], dict[str, tuple[str, str]]] = {
    ("motion_setrotationstyle", "STYLE"): {
        "left-right": ("left-right", "左右翻转"),
        "don't rotate": ("don't rotate", "不可旋转"),
        "all around": ("all around", "任意旋转"),
    },
    ("motion_goto_menu", "TO"): _PLACES,
    ("motion_glideto_menu", "TO"): _PLACES,
    ("motion_pointtowards_menu", "TOWARDS"): {
        **_POINTER,
        "_random_": ("random direction", "随机方向"),
    },
    ("looks_changeeffectby", "EFFECT"): _EFFECTS,
    ("looks_seteffectto", "EFFECT"): _EFFECTS,
    ("looks_gotofrontback", "FRONT_BACK"): {"front": ("front", "前面"), "back": ("back", "后面")},
    ("looks_goforwardbackwardlayers", "FORWARD_BACKWARD"): {
        "forward": ("forward", "前移"),
        "backward": ("backward", "后移"),
    },
    ("looks_costumenumbername", "NUMBER_NAME"): _NUMBER_NAME,
    ("looks_backdropnumbername", "NUMBER_NAME"): _NUMBER_NAME,
    ("looks_backdrops", "BACKDROP"): _BACKDROPS,
    ("sound_changeeffectby", "EFFECT"): _SOUND_EFFECTS,
    ("sound_seteffectto", "EFFECT"): _SOUND_EFFECTS,
    ("event_whenkeypressed", "KEY_OPTION"): _KEYS,
    ("event_whengreaterthan", "WHENGREATERTHANMENU"): {
        "LOUDNESS": ("loudness", "响度"),
        "TIMER": ("timer", "计时器"),
    },
    ("control_stop", "STOP_OPTION"): {
        "all": ("all", "全部脚本"),
        "this script": ("this script", "这个脚本"),
        "other scripts in sprite": ("other scripts in sprite", "该角色的其他脚本"),
        "other scripts in stage": ("other scripts in sprite", "该角色的其他脚本"),
    },
    ("control_create_clone_of_menu", "CLONE_OPTION"): {"_myself_": ("myself", "自己")},
    ("sensing_touchingobjectmenu", "TOUCHINGOBJECTMENU"): {
        **_POINTER,
        "_edge_": ("edge", "舞台边缘"),
    },
    ("sensing_distancetomenu", "DISTANCETOMENU"): _POINTER,
    ("sensing_keyoptions", "KEY_OPTION"): _KEYS,
    ("sensing_setdragmode", "DRAG_MODE"): {
        "draggable": ("draggable", "可拖动"),
        "not draggable": ("not draggable", "不可拖动"),
    },
    ("sensing_of", "PROPERTY"): _PROPERTIES,
    ("sensing_of_object_menu", "OBJECT"): {"_stage_": ("Stage", "舞台")},
    ("sensing_current", "CURRENTMENU"): _CLOCK,
    ("operator_mathop", "OPERATOR"): _MATH,
    ("event_touchingobjectmenu", "TOUCHINGOBJECTMENU"): {
        **_POINTER,
        "_edge_": ("edge", "舞台边缘"),
    },
    ("sound_effects_menu", "EFFECT"): _SOUND_EFFECTS,
    ("motion_align_scene", "ALIGNMENT"): {
        "bottom-left": ("bottom-left", "左下角"),
        "bottom-right": ("bottom-right", "右下角"),
        "middle": ("middle", "中间"),
        "top-left": ("top-left", "左上角"),
        "top-right": ("top-right", "右上角"),
    },
    ("pen_menu_colorParam", "colorParam"): {
        "color": ("color", "颜色"),
        "saturation": ("saturation", "饱和度"),
        "brightness": ("brightness", "亮度"),
        "transparency": ("transparency", "透明度"),
    },
    ("music_menu_DRUM", "DRUM"): _numbered(_DRUMS),
    ("music_menu_INSTRUMENT", "INSTRUMENT"): _numbered(_INSTRUMENTS),
    ("text2speech_menu_voices", "voices"): {
        "ALTO": ("alto", "中音"),
        "TENOR": ("tenor", "男高音"),
        "SQUEAK": ("squeak", "尖细"),
        "GIANT": ("giant", "巨人"),
        "KITTEN": ("kitten", "小猫"),
    },
    ("text2speech_menu_languages", "languages"): _SPOKEN,
    ("translate_menu_languages", "languages"): _TONGUES,
}
"""Words of the menus by (opcode, field) and by the value that the file has.

A menu that is not here holds names that the project gave: sprites, costumes, variables, letters.
"""

MENU_BLOCKS = {
    ("motion_goto", "TO"): "motion_goto_menu",
    ("motion_glideto", "TO"): "motion_glideto_menu",
    ("motion_pointtowards", "TOWARDS"): "motion_pointtowards_menu",
    ("looks_switchcostumeto", "COSTUME"): "looks_costume",
    ("looks_switchbackdropto", "BACKDROP"): "looks_backdrops",
    ("looks_switchbackdroptoandwait", "BACKDROP"): "looks_backdrops",
    ("sound_playuntildone", "SOUND_MENU"): "sound_sounds_menu",
    ("sound_play", "SOUND_MENU"): "sound_sounds_menu",
    ("control_create_clone_of", "CLONE_OPTION"): "control_create_clone_of_menu",
    ("sensing_touchingobject", "TOUCHINGOBJECTMENU"): "sensing_touchingobjectmenu",
    ("sensing_distanceto", "DISTANCETOMENU"): "sensing_distancetomenu",
    ("sensing_keypressed", "KEY_OPTION"): "sensing_keyoptions",
    ("sensing_of", "OBJECT"): "sensing_of_object_menu",
    ("event_whentouchingobject", "TOUCHINGOBJECTMENU"): "event_touchingobjectmenu",
    ("pen_changePenColorParamBy", "COLOR_PARAM"): "pen_menu_colorParam",
    ("pen_setPenColorParamTo", "COLOR_PARAM"): "pen_menu_colorParam",
    ("music_playDrumForBeats", "DRUM"): "music_menu_DRUM",
    ("music_setInstrument", "INSTRUMENT"): "music_menu_INSTRUMENT",
    ("text2speech_setVoice", "VOICE"): "text2speech_menu_voices",
    ("text2speech_setLanguage", "LANGUAGE"): "text2speech_menu_languages",
    ("translate_getTranslate", "LANGUAGE"): "translate_menu_languages",
}
"""The block that is the menu of an input."""

INDEX_WORDS = {"all": ("all", "全部"), "last": ("last", "末尾"), "random": ("random", "随机")}
"""What may be typed for the number of an item of a list, and means more than its letters."""

_PIECES = re.compile(
    r"@(?P<icon>\w+)|\((?P<menu>\w+) v\)|\((?P<number>\w+)\)|\[(?P<field>\w+) v\]|\[#(?P<colour>\w+)\]"
    r"|\[(?P<text>\w+)\]|<(?P<boolean>\w+)>|\{(?P<mouth>\w+)\}"
)
EXTENSIONS = ("pen", "music", "text2speech", "translate")
"""The extensions whose blocks are in the table; others need a device or a camera."""

SERVER_EXTENSIONS = ("text2speech", "translate")
"""Those whose blocks ask a computer of Scratch's makers for what they say."""

_PREFIXES = {"event": "events", "operator": "operators", "procedures": "custom", "argument": "custom"}
_LIST_BLOCKS = frozenset(name for name, *_ in _ROWS if name.startswith("data_") and "list" in name)


def _parts(label: str) -> tuple[str | Icon | Hole, ...]:
    parts: list[str | Icon | Hole] = []
    end = 0
    for match in _PIECES.finditer(label):
        if words := label[end : match.start()].strip():
            parts.append(words)
        kind, name = match.lastgroup or "", match[match.lastgroup or 0]
        parts.append(Icon(name) if kind == "icon" else Hole(kind, name))
        end = match.end()
    if words := label[end:].strip():
        parts.append(words)
    return tuple(parts)


def _category(name: str) -> str:
    if name in _LIST_BLOCKS:
        return "list"
    prefix = name.partition("_")[0]
    return "variables" if prefix == "data" else _PREFIXES.get(prefix, prefix)


@functools.cache
def opcodes() -> dict[str, Opcode]:
    """Return the table, by opcode."""
    return {
        name: Opcode(name, _category(name), shape, tuple(_parts(label) for label in labels))
        for name, shape, *labels in _ROWS
    }


def menu_word(opcode: str, field: str, value: str, language: str) -> str:
    """Return the word of a menu entry in a language; a name that the project gave is returned as it is."""
    words = MENU_WORDS.get((opcode, field), {}).get(value)
    return words[LANGUAGES.index(language)] if words else value
