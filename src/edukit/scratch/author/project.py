"""The project with its stage and sprites, and how it becomes the model of one language."""

import hashlib
import io
import wave
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .. import model
from ..checking import look_over
from ..findings import WARNING, Report
from ..opcodes import EXTENSIONS, LANGUAGES, MENU_BLOCKS, MENU_WORDS, opcodes
from ..pictures import UnsafePictureError, check_svg
from ..writing import to_bytes
from .pieces import (
    AuthorError,
    CustomBlock,
    List,
    Message,
    Piece,
    Place,
    Text,
    Variable,
    Words,
    place,
    stack,
    text_in,
)

_LITERALS = {"number": 4, "text": 10, "colour": 9}
_SPECIAL_LITERALS = {
    # The editor lets a child type only what makes sense there, and shows a dial for a direction.
    ("control_wait", "DURATION"): 5,
    ("control_repeat", "TIMES"): 6,
    ("motion_pointindirection", "DIRECTION"): 8,
    ("operator_letter_of", "LETTER"): 6,
}
_SCRIPT_GAP = 90
"""Height that a block is given on the workspace, with room for what is in it."""


class Costume:
    """A costume or a backdrop: a picture that is drawn for the project, as SVG.

    Parameters
    ----------
    name
        What blocks call it.
    picture
        The SVG text, or the path of an SVG file.
    center
        The point that stands on the sprite's position, in pixels of the picture; by default its middle.
    """

    def __init__(self, name: Text, picture: str | Path, center: tuple[float, float] | None = None) -> None:
        self.name = name
        self.file = picture if isinstance(picture, Path) else None
        try:
            # One picture whatever system it was checked out on: line ends are part of the bytes.
            text = picture.read_text("utf-8") if isinstance(picture, Path) else picture
            self.data = text.replace("\r\n", "\n").encode()
            size = check_svg(self.data)
        except OSError as error:
            raise AuthorError(f"the picture {picture} cannot be read: {error.strerror}") from None
        except (UnsafePictureError, UnicodeError) as error:
            raise AuthorError(f"the picture {text_in(name, 'en')!r} is refused: {error}") from None
        if size is None:
            raise AuthorError(f"the picture {text_in(name, 'en')!r} says no width and height")
        self.center = center or (size[0] / 2, size[1] / 2)


class Sound:
    """A sound, as a WAV file made for the project.

    Parameters
    ----------
    name
        What blocks call it.
    content
        The bytes of a WAV file, or its path.
    """

    def __init__(self, name: Text, content: bytes | Path) -> None:
        self.name = name
        self.file = content if isinstance(content, Path) else None
        try:
            self.data = content.read_bytes() if isinstance(content, Path) else content
            with wave.open(io.BytesIO(self.data)) as sound:
                self.rate, self.samples = sound.getframerate(), sound.getnframes()
        except OSError as error:
            raise AuthorError(f"the sound {self.file} cannot be read: {error.strerror}") from None
        except (wave.Error, EOFError) as error:
            raise AuthorError(f"the sound {text_in(name, 'en')!r} is no WAV file: {error}") from None


@dataclass(frozen=True, slots=True)
class _Script:
    """A script as it was written: the hat's opcode and fields, and what stands under it."""

    opcode: str
    holes: tuple[tuple[str, object], ...]
    pieces: tuple[Piece, ...]
    place: Place
    block: CustomBlock | None = None


class Target:
    """What the stage and a sprite have in common."""

    def __init__(
        self, project: "Project", name: Text, costumes: Iterable[Costume], sounds: Iterable[Sound]
    ) -> None:
        self.project = project
        self.name = name
        self.place = place()
        self.costumes = tuple(costumes)
        self.sounds = tuple(sounds)
        self.scripts: list[_Script] = []
        self.variables: list[Variable] = []
        self.lists: list[List] = []
        self.blocks: list[CustomBlock] = []
        if not self.costumes:
            raise AuthorError(f"{text_in(name, 'en')!r} needs a costume")

    def _hat(self, opcode: str, pieces: Sequence[Piece], **holes: object) -> None:
        self.scripts.append(_Script(opcode, tuple(holes.items()), stack(tuple(pieces)), place()))

    def when_flag(self, *pieces: Piece) -> None:
        """Add a script that runs when the green flag is clicked."""
        self._hat("event_whenflagclicked", pieces)

    def when_key(self, key: str, *pieces: Piece) -> None:
        """Add a script that runs when a key is pressed: a letter, ``space``, ``up arrow``, ``any``."""
        self._hat("event_whenkeypressed", pieces, KEY_OPTION=key)

    def when_received(self, message: Message, *pieces: Piece) -> None:
        """Add a script that runs when a message is broadcast."""
        if not isinstance(message, Message):
            raise AuthorError(f"a message is what project.message(...) returned, not {message!r}")
        self._hat("event_whenbroadcastreceived", pieces, BROADCAST_OPTION=message)

    def when_backdrop(self, name: str, *pieces: Piece) -> None:
        """Add a script that runs when the backdrop of a name (the English one) is put up."""
        self._hat("event_whenbackdropswitchesto", pieces, BACKDROP=name)

    def block(self, label: Words, *, warp: bool = False) -> CustomBlock:
        """Make a block of one's own.

        Parameters
        ----------
        label
            What stands on it, with ``[name]`` for a parameter that takes a text or a number and
            ``<name>`` for one that takes a condition; the same ones in the same order in Chinese.
        warp
            Whether it runs without screen refresh.
        """
        made = CustomBlock(label, self, len(self.blocks) + 1, place(), warp)
        self.blocks.append(made)
        return made


class Stage(Target):
    """The stage."""

    def when_clicked(self, *pieces: Piece) -> None:
        """Add a script that runs when the stage is clicked."""
        self._hat("event_whenstageclicked", pieces)


class Sprite(Target):
    """A sprite, made by :meth:`Project.sprite`."""

    def __init__(
        self,
        project: "Project",
        name: Text,
        costumes: Iterable[Costume],
        at: tuple[float, float],
        size: float,
        visible: bool,
        sounds: Iterable[Sound] = (),
    ) -> None:
        super().__init__(project, name, costumes, sounds)
        self.at = at
        self.size = size
        self.visible = visible

    def variable(self, name: Text, value: str | int | float = 0) -> Variable:
        """Make a variable for this sprite only."""
        made = Variable(name, value, self, self.project.next_id("variable"))
        self.variables.append(made)
        return made

    def list(self, name: Text, items: Iterable[Text | int | float] = ()) -> List:
        """Make a list for this sprite only."""
        made = List(name, tuple(items), self, self.project.next_id("list"))
        self.lists.append(made)
        return made

    def when_clicked(self, *pieces: Piece) -> None:
        """Add a script that runs when the sprite is clicked."""
        self._hat("event_whenthisspriteclicked", pieces)

    def when_cloned(self, *pieces: Piece) -> None:
        """Add a script that runs in each new clone of the sprite."""
        self._hat("control_start_as_clone", pieces)


class Project:
    """A project that is being written.

    Parameters
    ----------
    name
        Short name for files: letters, digits and hyphens.
    title
        What it is called.
    backdrops
        The pictures of the stage; the first is up when the project opens.
    sounds
        The sounds of the stage.
    """

    def __init__(
        self, name: str, title: Words, *, backdrops: Iterable[Costume], sounds: Iterable[Sound] = ()
    ) -> None:
        if not name.replace("-", "").isalnum() or not name.isascii():
            raise AuthorError(f"{name!r} names files: use letters, digits and hyphens")
        self.name = name
        self.title = title
        self.counters: dict[str, int] = {}
        self.messages: list[Message] = []
        self.sprites: list[Sprite] = []
        self.stage = Stage(self, "Stage", backdrops, sounds)

    def next_id(self, kind: str) -> str:
        """Return an id that depends on nothing but the program."""
        self.counters[kind] = self.counters.get(kind, 0) + 1
        return f"{kind}-{self.counters[kind]}"

    def variable(
        self,
        name: Text,
        value: str | int | float = 0,
        *,
        show_at: tuple[float, float] | None = None,
    ) -> Variable:
        """Make a variable for all sprites.

        Parameters
        ----------
        name
            Its name.
        value
            Its value when the project opens.
        show_at
            Where its display stands on the stage: pixels from the upper left corner. None hides it.
        """
        made = Variable(name, value, self, self.next_id("variable"), show_at)
        self.stage.variables.append(made)
        return made

    def list(
        self,
        name: Text,
        items: Iterable[Text | int | float] = (),
        *,
        show_at: tuple[float, float] | None = None,
    ) -> List:
        """Make a list for all sprites.

        Parameters
        ----------
        name
            Its name.
        items
            What is in it when the project opens.
        show_at
            Where its display stands on the stage: pixels from the upper left corner. None hides it.
        """
        made = List(name, tuple(items), self, self.next_id("list"), show_at)
        self.stage.lists.append(made)
        return made

    def message(self, name: Text) -> Message:
        """Make a message to broadcast and receive."""
        made = Message(name, self.next_id("message"))
        self.messages.append(made)
        return made

    def sprite(
        self,
        name: Text,
        *,
        costumes: Iterable[Costume],
        at: tuple[float, float] = (0, 0),
        size: float = 100,
        visible: bool = True,
        sounds: Iterable[Sound] = (),
    ) -> Sprite:
        """Make a sprite.

        Parameters
        ----------
        name
            Its name.
        costumes
            Its pictures; it wears the first when the project opens.
        at
            Where it stands: (0, 0) is the middle, (240, 180) the upper right corner.
        size
            In percent of the picture.
        visible
            Whether it is shown when the project opens.
        sounds
            Its sounds.
        """
        made = Sprite(self, name, costumes, at, size, visible, sounds)
        self.sprites.append(made)
        return made

    @property
    def targets(self) -> tuple[Target, ...]:
        """The stage and the sprites."""
        return (self.stage, *self.sprites)

    @property
    def picture_files(self) -> tuple[Path, ...]:
        """The files that costumes and sounds were read from."""
        costumes = [one.file for own in self.targets for one in own.costumes if one.file]
        return (*costumes, *(one.file for own in self.targets for one in own.sounds if one.file))

    def file_name(self, language: str) -> str:
        """Return the name of the file in a language; the English one has no suffix."""
        return f"{self.name}{'-zh-cn' if language == 'zh_CN' else ''}.sb3"

    def build(self, language: str) -> model.Project:
        """Return the project in a language.

        Raises
        ------
        AuthorError
            If something is named that is not there: a costume, a variable of another sprite, a message
            that nobody receives, a custom block without definition; or if Scratch would load the project
            and get it silently wrong.
        """
        if language not in LANGUAGES:
            raise AuthorError(f"{language!r} is none of {', '.join(LANGUAGES)}")
        built = _Builder(self, language).build()
        report = Report(Path(self.file_name(language)))
        look_over(built, report)
        for finding in report.findings:
            # What a teacher would speak about is the author's to decide: a starter is half a project.
            if finding.severity == WARNING:
                raise AuthorError(finding.text("en"))
        return built

    def to_bytes(self, language: str) -> bytes:
        """Return the content of the ``.sb3`` file in a language: the same bytes each time."""
        return to_bytes(self.build(language))

    def save(self, path: str | Path, language: str) -> None:
        """Write the ``.sb3`` file in a language."""
        Path(path).write_bytes(self.to_bytes(language))


class _Builder:
    """One pass that turns what was written into the model of one language."""

    def __init__(self, project: Project, language: str) -> None:
        self.project = project
        self.language = language
        self.count = 0
        self.target: Target = project.stage
        self.sent: dict[str, Place] = {}
        self.received: set[str] = set()

    def text(self, text: Text) -> str:
        return text_in(text, self.language)

    def build(self) -> model.Project:
        targets = tuple(
            self.build_target(target, layer) for layer, target in enumerate(self.project.targets)
        )
        self.check_names(target.name for target in targets)
        for identifier, where in self.sent.items():
            if identifier not in self.received:
                name = next(one.name for one in self.project.messages if one.id == identifier)
                raise AuthorError(
                    f"nobody receives the message {self.text(name)!r}: add when_received", where
                )
        stage = self.project.stage
        families = {
            block.opcode.partition("_")[0]
            for target in targets
            for script in target.scripts
            for block in model.walk(script.blocks)
        }
        return model.Project(
            targets=targets,
            monitors=(
                *(self.monitor(one) for one in stage.variables if one.show_at is not None),
                *(self.list_monitor(one) for one in stage.lists if one.show_at is not None),
            ),
            extensions=tuple(name for name in EXTENSIONS if name in families),
            extra=model.canonical({"meta": {"semver": "3.0.0", "agent": "edukit"}}),
        )

    def check_names(self, names: Iterable[str]) -> None:
        seen: set[str] = set()
        for name in names:
            if name in seen:
                raise AuthorError(f"two things are named {name!r}: give each its own name")
            seen.add(name)

    def build_target(self, target: Target, layer: int) -> model.Target:
        self.target = target
        stage = target is self.project.stage
        common: dict[str, object] = {"volume": 100}
        if stage:
            common |= {"tempo": 60, "videoTransparency": 50, "videoState": "on"}
            common["textToSpeechLanguage"] = None
        else:
            common["draggable"] = False
        sprite = target if isinstance(target, Sprite) else None
        self.check_names(self.text(one.name) for one in target.costumes)
        visible = [*self.project.stage.variables, *(target.variables if sprite else [])]
        self.check_names(self.text(one.name) for one in visible)
        self.check_names(one.code(self.language) for one in target.blocks)
        self.check_names(self.text(one.name) for one in target.sounds)
        lists = [*self.project.stage.lists, *(target.lists if sprite else [])]
        self.check_names(self.text(one.name) for one in lists)
        return model.Target(
            name=self.text(target.name),
            is_stage=stage,
            scripts=self.scripts(target),
            variables=tuple(
                model.Variable(one.id, self.text(one.name), one.value) for one in target.variables
            ),
            lists=tuple(
                model.List(
                    one.id,
                    self.text(one.name),
                    tuple(self.text(item) if isinstance(item, Words) else item for item in one.items),
                )
                for one in target.lists
            ),
            messages=tuple(model.Message(one.id, self.text(one.name)) for one in self.project.messages)
            if stage
            else (),
            costumes=tuple(self.costume(one) for one in target.costumes),
            sounds=tuple(self.sound(one) for one in target.sounds),
            layer=layer,
            x=sprite.at[0] if sprite else 0,
            y=sprite.at[1] if sprite else 0,
            size=sprite.size if sprite else 100,
            visible=sprite.visible if sprite else True,
            extra=model.canonical(common),
        )

    def costume(self, costume: Costume) -> model.Asset:
        return model.Asset(
            name=self.text(costume.name),
            asset_id=hashlib.md5(costume.data, usedforsecurity=False).hexdigest(),
            format="svg",
            data=costume.data,
            center=costume.center,
            extra=model.canonical({"bitmapResolution": 1}),
        )

    def sound(self, sound: Sound) -> model.Asset:
        return model.Asset(
            name=self.text(sound.name),
            asset_id=hashlib.md5(sound.data, usedforsecurity=False).hexdigest(),
            format="wav",
            data=sound.data,
            extra=model.canonical({"rate": sound.rate, "sampleCount": sound.samples}),
        )

    def list_monitor(self, one: List) -> model.Monitor:
        x, y = one.show_at or (0, 0)
        items = [self.text(item) if isinstance(item, Words) else item for item in one.items]
        rest = {"mode": "list", "value": items, "width": 110, "height": 160}
        params = (("LIST", self.text(one.name)),)
        extra = model.canonical(rest)
        return model.Monitor(one.id, "data_listcontents", params, None, visible=True, x=x, y=y, extra=extra)

    def monitor(self, variable: Variable) -> model.Monitor:
        x, y = variable.show_at or (0, 0)
        rest = {"mode": "default", "value": variable.value, "width": 0, "height": 0}
        slider = {"sliderMin": 0, "sliderMax": 100, "isDiscrete": True}
        name = self.text(variable.name)
        return model.Monitor(
            id=variable.id,
            opcode="data_variable",
            params=(("VARIABLE", name),),
            target=None,
            visible=True,
            x=x,
            y=y,
            extra=model.canonical(rest | slider),
        )

    # -- scripts ------------------------------------------------------------------------------------

    def scripts(self, target: Target) -> tuple[model.Script, ...]:
        scripts, y = [], 0
        for written in [*target.scripts, *self.definitions(target)]:
            hat = self.hat(written)
            blocks = (hat, *self.stack(written.pieces))
            scripts.append(model.Script(blocks, 0, y))
            y += _SCRIPT_GAP * sum(1 for one in model.walk(blocks) if not one.shadow)
        return tuple(scripts)

    def definitions(self, target: Target) -> list[_Script]:
        for block in target.blocks:
            if block.definition is None:
                raise AuthorError(f"the block {block.label.en!r} has no definition", block.place)
        return [
            _Script("procedures_definition", (), block.definition or (), block.place, block)
            for block in target.blocks
        ]

    def new_id(self) -> str:
        self.count += 1
        return f"b{self.count}"

    def hat(self, written: _Script) -> model.Block:
        identifier = self.new_id()
        if written.block is not None:
            prototype = self.prototype(written.block)
            hole = model.Input("custom_block", (), prototype)
            return model.Block(written.opcode, identifier, inputs=(hole,))
        fields = []
        for name, value in written.holes:
            if isinstance(value, Message):
                self.received.add(value.id)
            if name == "BACKDROP":
                value = self.costume_name(self.project.stage, str(value), written.place)
            fields.append(self.field(written.opcode, name, value, written.place))
        return model.Block(written.opcode, identifier, fields=tuple(fields))

    def prototype(self, block: CustomBlock) -> model.Block:
        identifier = self.new_id()
        parameters = block.parameters(self.language)
        inputs = []
        for index, (kind, name) in enumerate(parameters):
            boolean = kind == "boolean"
            opcode = f"argument_reporter_{'boolean' if boolean else 'string_number'}"
            field = model.Field("VALUE", name)
            reporter = model.Block(opcode, self.new_id(), fields=(field,), shadow=True)
            inputs.append(model.Input(f"argument-{index}", (), reporter))
        procedure = model.Procedure(
            code=block.code(self.language),
            argument_ids=tuple(one.name for one in inputs),
            argument_names=tuple(name for _, name in parameters),
            argument_defaults=tuple("false" if kind == "boolean" else "" for kind, _ in parameters),
            warp=block.warp,
        )
        return model.Block(
            "procedures_prototype", identifier, tuple(inputs), procedure=procedure, shadow=True
        )

    def stack(self, pieces: Iterable[Piece]) -> tuple[model.Block, ...]:
        return tuple(self.block(piece) for piece in pieces)

    def block(self, piece: Piece) -> model.Block:
        identifier = self.new_id()
        inputs, fields = [], []
        kinds = {hole.name: hole.kind for hole in opcodes()[piece.opcode].holes}
        if piece.opcode == "procedures_call":
            return self.call(piece, identifier)
        if piece.opcode.startswith("argument_reporter") and piece.block:
            self.own(piece, piece.block.owner, piece.block.label.en)
        for name, value in piece.holes:
            kind = kinds[name]
            if kind == "field":
                fields.append(self.field(piece.opcode, name, value, piece.place))
            else:
                inputs.append(self.input(piece, identifier, name, kind, value))
        return model.Block(piece.opcode, identifier, tuple(inputs), tuple(fields))

    def call(self, piece: Piece, identifier: str) -> model.Block:
        block = piece.block
        assert block is not None
        self.own(piece, block.owner, block.label.en)
        kinds = [kind for kind, _ in block.parameters("en")]
        inputs = tuple(
            self.input(piece, identifier, name, kind, value)
            for (name, value), kind in zip(piece.holes, kinds, strict=True)
        )
        procedure = model.Procedure(
            code=block.code(self.language),
            argument_ids=tuple(one.name for one in inputs),
            warp=block.warp,
        )
        return model.Block(piece.opcode, identifier, inputs, procedure=procedure)

    def own(self, piece: Piece, owner: object, name: str) -> None:
        if owner is not self.target:
            raise AuthorError(f"the block {name!r} belongs to another sprite", piece.place)

    def input(self, piece: Piece, identifier: str, name: str, kind: str, value: object) -> model.Input:
        if kind == "mouth":
            assert isinstance(value, tuple)
            return model.Input(name, self.stack(value), None)
        if kind == "menu":
            return self.menu(piece, identifier, name, value)
        if kind == "boolean":
            assert isinstance(value, Piece)
            return model.Input(name, (self.block(value),), None)
        literal = _SPECIAL_LITERALS.get((piece.opcode, name), _LITERALS[kind])
        if isinstance(value, Variable):
            field = self.variable(value, piece.place)
            inside = model.Block("data_variable", f"{identifier}.{name}", fields=(field,))
            empty = "#000000" if kind == "colour" else ""
            return model.Input(name, (inside,), model.Literal(literal, empty))
        if isinstance(value, List):
            inside = model.Block(
                "data_listcontents", f"{identifier}.{name}", fields=(self.own_list(value, piece.place),)
            )
            return model.Input(name, (inside,), model.Literal(literal, ""))
        shadow: model.Literal | model.Block
        if isinstance(value, Piece):
            shadow = model.Literal(literal, "#000000" if kind == "colour" else "")
            return model.Input(name, (self.block(value),), shadow)
        if (piece.opcode, name) == ("music_playNoteForBeats", "NOTE"):
            # A note is chosen on a piano, which is a block of its own.
            field = model.Field("NOTE", str(value))
            shadow = model.Block("note", self.new_id(), fields=(field,), shadow=True)
            return model.Input(name, (), shadow)
        text = self.text(value) if isinstance(value, Words) else str(value)
        return model.Input(name, (), model.Literal(literal, text))

    def menu(self, piece: Piece, identifier: str, name: str, value: object) -> model.Input:
        if isinstance(value, Message):
            self.sent.setdefault(value.id, piece.place)
            if value not in self.project.messages:
                raise AuthorError("this message belongs to another project", piece.place)
            return model.Input(name, (), model.Literal(11, self.text(value.name), value.id))
        menu = MENU_BLOCKS[piece.opcode, name]
        (hole,) = opcodes()[menu].holes
        inside: tuple[model.Block, ...] = ()
        if isinstance(value, Piece):
            inside = (self.block(value),)
        elif isinstance(value, Variable):
            fields = (self.variable(value, piece.place),)
            inside = (model.Block("data_variable", f"{identifier}.{name}", fields=fields),)
        chosen = self.choice(menu, hole.name, value, piece.place)
        field = model.Field(hole.name, chosen)
        shadow = model.Block(menu, self.new_id(), fields=(field,), shadow=True)
        return model.Input(name, inside, shadow)

    def choice(self, menu: str, field: str, value: object, where: Place) -> str:
        """Return what a menu of an input says in the file."""
        words = MENU_WORDS.get((menu, field), {})
        if isinstance(value, Sprite):
            if value not in self.project.sprites:
                raise AuthorError("this sprite belongs to another project", where)
            return self.text(value.name)
        if isinstance(value, str | int) and str(value) in words:
            return str(value)
        if isinstance(value, Piece | Variable) and words:
            return next(iter(words))
        if menu == "sound_sounds_menu":
            return self.sound_name(value, where)
        if menu in ("looks_costume", "looks_backdrops"):
            owner = self.target if menu == "looks_costume" else self.project.stage
            if isinstance(value, Piece | Variable):
                return self.text(owner.costumes[0].name)
            name = text_in(value, "en") if isinstance(value, Words) else value
            return self.costume_name(owner, name, where)
        if menu == "sensing_keyoptions" and isinstance(value, str) and len(value) == 1:
            return value
        raise AuthorError(f"{value!r} is no sprite and none of {', '.join(words)}", where)

    def sound_name(self, value: object, where: Place) -> str:
        sounds = self.target.sounds
        if isinstance(value, Piece | Variable) and sounds:
            return self.text(sounds[0].name)
        name = text_in(value, "en") if isinstance(value, Words) else value
        for sound in sounds:
            if text_in(sound.name, "en") == name:
                return self.text(sound.name)
        known = ", ".join(repr(text_in(sound.name, "en")) for sound in sounds) or "none"
        raise AuthorError(f"there is no sound named {name!r}, only {known}", where)

    def costume_name(self, owner: Target, name: object, where: Place) -> str:
        for costume in owner.costumes:
            if text_in(costume.name, "en") == name:
                return self.text(costume.name)
        known = ", ".join(repr(text_in(costume.name, "en")) for costume in owner.costumes)
        raise AuthorError(f"there is no picture named {name!r}, only {known}", where)

    def field(self, opcode: str, name: str, value: object, where: Place) -> model.Field:
        if isinstance(value, Variable):
            return self.variable(value, where)
        if isinstance(value, List):
            return self.own_list(value, where)
        if isinstance(value, Message):
            if value not in self.project.messages:
                raise AuthorError("this message belongs to another project", where)
            return model.Field(name, self.text(value.name), value.id)
        words = MENU_WORDS.get((opcode, name))
        if words and value not in words and not (name == "KEY_OPTION" and len(str(value)) == 1):
            raise AuthorError(f"{value!r} is none of {', '.join(words)}", where)
        text = self.text(value) if isinstance(value, Words) else str(value)
        return model.Field(name, text)

    def variable(self, variable: Variable, where: Place) -> model.Field:
        if variable.owner is not self.project and variable.owner is not self.target:
            raise AuthorError(f"the variable {self.text(variable.name)!r} belongs to another sprite", where)
        return model.Field("VARIABLE", self.text(variable.name), variable.id)

    def own_list(self, one: List, where: Place) -> model.Field:
        if one.owner is not self.project and one.owner is not self.target:
            raise AuthorError(f"the list {self.text(one.name)!r} belongs to another sprite", where)
        return model.Field("LIST", self.text(one.name), one.id)
