"""Tone Quiz: a bird hums the tone of a word from the song, and the child says which tone it is.

The page next to this file shows the scripts and offers the project in both languages; the site's build
makes them from here, and from ``build`` what each step of the page begins with. By hand,
``python tone_quiz.py`` writes all the ``.sb3`` files.
"""

import functools
import io
import math
import struct
import wave
from pathlib import Path

from edukit.scratch.author import (
    Costume,
    Done,
    Piece,
    Project,
    Sound,
    Variable,
    Words,
    add_item,
    answer,
    ask,
    change,
    delete_all,
    delete_item,
    either,
    equals,
    if_,
    item,
    join,
    list_length,
    pick_random,
    play_sound,
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

# -- the sounds --------------------------------------------------------------------------------------------

RATE = 11025
SECONDS = 0.7
# How high the voice is in the course of a tone, on the five levels that teachers draw on the board.
TONES = {1: (5, 5), 2: (3, 5), 3: (2, 1, 1, 4), 4: (5, 1)}
LOWEST, HIGHEST = 165, 330  # Hz, at levels 1 and 5
# An "a": the harmonics of the voice are loud near these frequencies (Hz, loudness).
FORMANTS = ((800, 1.0), (1200, 0.7), (2800, 0.2))
# Whole numbers from here on, so that every machine makes the same bytes.
SINE = [round(2000 * math.sin(2 * math.pi * step / 4096)) for step in range(4096)]


def pitch(tone: int, share: float) -> float:
    """Return the pitch in Hz when a share of a tone has gone by."""
    levels = TONES[tone]
    way = share * (len(levels) - 1)
    before = min(int(way), len(levels) - 2)
    level = levels[before] + (levels[before + 1] - levels[before]) * (way - before)
    return LOWEST * math.exp(math.log(HIGHEST / LOWEST) * (level - 1) / 4)


def loudness(frequency: float) -> int:
    """Return how loud an "a" is at a frequency, of 100."""
    near = sum(loud / (1 + ((frequency - center) / 150) ** 2) for center, loud in FORMANTS)
    return round(100 * min(1, 0.15 + near))


@functools.cache
def hum(tone: int) -> bytes:
    """Return a WAV file with an "a" that is hummed in a tone."""
    count = int(RATE * SECONDS)
    phase, samples = 0, []
    for number in range(count):
        if number % 64 == 0:
            frequency = pitch(tone, number / count)
            step = round(frequency * 4096 * 256 / RATE)
            harmonics = [(n, loudness(n * frequency)) for n in range(1, int(4500 / frequency))]
            total = sum(loud for _, loud in harmonics)
        phase += step
        value = sum(loud * SINE[(n * phase >> 8) % 4096] for n, loud in harmonics)
        # In and out softly, or the loudspeaker clicks.
        fade = min(400, number, (count - number) // 2)
        samples.append(value * 10 * fade // (400 * total))
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(struct.pack(f"<{count}h", *samples))
    return content.getvalue()


# -- the words: of the song page "A Garden of Words", two of each tone -----------------------------------

WORDS = [
    (Words("花 hua (flower)", zh_CN="花（花朵）"), "huā", 1),
    (Words("书 shu (book)", zh_CN="书（书本）"), "shū", 1),
    (Words("园 yuan (garden)", zh_CN="园（花园）"), "yuán", 2),
    (Words("芽 ya (sprout)", zh_CN="芽（发芽）"), "yá", 2),
    (Words("雨 yu (rain)", zh_CN="雨（雨点）"), "yǔ", 3),
    (Words("雪 xue (snow)", zh_CN="雪（大雪）"), "xuě", 3),
    (Words("字 zi (character)", zh_CN="字（汉字）"), "zì", 4),
    (Words("画 hua (picture)", zh_CN="画（图画）"), "huà", 4),
]


def build(steps_done: int = STEPS) -> Project:
    """Return the project when so many steps of the page are done."""
    done = Done(steps_done)
    project = Project(
        "tone-quiz" if done == STEPS else f"tone-quiz-step-{done + 1}",
        Words("Tone Quiz", zh_CN="声调小考官"),
        backdrops=[Costume(Words("garden", zh_CN="花园"), PICTURES / "garden.svg")],
    )
    bird = project.sprite(
        Words("Bird", zh_CN="小鸟"),
        costumes=[
            Costume(Words("calm", zh_CN="平静"), PICTURES / "bird-calm.svg"),
            Costume(Words("happy", zh_CN="高兴"), PICTURES / "bird-happy.svg"),
            Costume(Words("thinking", zh_CN="思考"), PICTURES / "bird-thinking.svg"),
        ],
        at=(-150, -85),
        sounds=[Sound(Words(f"tone {tone}", zh_CN=f"声调 {tone}"), hum(tone)) for tone in TONES],
    )
    project.sprite(
        Words("Tone board", zh_CN="声调板"),
        costumes=[Costume(Words("board", zh_CN="板"), PICTURES / "tones.svg")],
        at=(-20, 95),
    )
    # The boxes are there from the start: a child finds them, and need not type their names.
    word = project.variable(Words("word", zh_CN="字"), "")
    reading = project.variable(Words("reading", zh_CN="读音"), "")
    tone = project.variable(Words("tone", zh_CN="声调"))
    number = project.variable(Words("number", zh_CN="序号"))
    score = project.variable(Words("score", zh_CN="得分"), show_at=(380, 236) if done >= 4 else None)
    words = project.list(Words("words", zh_CN="字表"))
    readings = project.list(Words("readings", zh_CN="读音表"))
    tones = project.list(Words("tones", zh_CN="声调表"))

    def hum_it(which: Piece | Variable) -> Piece:
        return play_sound(join(Words("tone ", zh_CN="声调 "), which), wait=True)

    def tone_name(which: Piece | Variable) -> Piece:
        return join(Words("tone ", zh_CN="第 "), which, Words(".", zh_CN=" 声。"))

    # -- step 1: hear all four -------------------------------------------------------------------------

    listen = [
        set_to(tone, 0),
        repeat(
            4, change(tone, by=1), say(join(Words("This is ", zh_CN="这是"), tone_name(tone))), hum_it(tone)
        ),
    ]

    # -- steps 2 and 3: a word, a question, a check ----------------------------------------------------

    first_word, first_reading, first_tone = WORDS[0]
    choose = [set_to(word, first_word), set_to(reading, first_reading), set_to(tone, first_tone)]
    if done >= 3:
        choose = [
            set_to(number, pick_random(1, list_length(words))),
            set_to(word, item(words, number)),
            set_to(reading, item(readings, number)),
            set_to(tone, item(tones, number)),
        ]
    question = join(word, Words(": which tone? 1, 2, 3 or 4", zh_CN="是第几声？1、2、3 还是 4"))
    ask_it = [switch_costume("calm"), say(word), hum_it(tone), ask(question)]
    given: Piece | Variable = answer()
    if done >= 5:
        read_the_answer, given = reads_any_digits(project, bird)
        good = equals(given, 1)
        for which in (2, 3, 4):
            good = either(good, equals(given, which))
        ask_it += [
            read_the_answer(),
            repeat_until(
                good,
                switch_costume("thinking"),
                say(
                    Words("Listen again, and type 1, 2, 3 or 4.", zh_CN="再听一遍，然后输入 1、2、3 或 4。")
                ),
                hum_it(tone),
                ask(question),
                read_the_answer(),
            ),
        ]
    it_is = join(reading, Words(" is ", zh_CN=" 是"), tone_name(tone))
    check = if_(
        equals(given, tone),
        *done.since(4, change(score, by=1)),
        switch_costume("happy"),
        say(join(Words("Yes, ", zh_CN="对了，"), it_is), seconds=2),
        otherwise=[
            switch_costume("thinking"),
            say(join(Words("Listen: ", zh_CN="听一听："), it_is)),
            hum_it(tone),
        ],
    )

    # -- the whole game --------------------------------------------------------------------------------

    hello = [
        switch_costume("calm"),
        say(Words("I hum, you name the tone!", zh_CN="我来哼，你说是第几声！"), seconds=2),
    ]
    write_the_lists = [
        *(delete_all(one) for one in (words, readings, tones)),
        *(
            piece
            for text, marked, heard in WORDS
            for piece in (add_item(words, text), add_item(readings, marked), add_item(tones, heard))
        ),
    ]
    strike_it_out = [delete_item(one, number) for one in (words, readings, tones)]
    if done < 4:
        bird.when_flag(
            *hello,
            *done.since(3, *write_the_lists),
            *done.since(1, *listen),
            *done.since(2, *choose, *ask_it, check),
        )
    elif done == 4:
        bird.when_flag(
            *hello,
            *write_the_lists,
            *listen,
            set_to(score, 0),
            repeat(len(WORDS), *choose, *strike_it_out, *ask_it, check),
        )
    else:
        write = bird.block(Words("write the lists", zh_CN="写好列表"))
        hear = bird.block(Words("hum all four tones", zh_CN="哼四个声调"))
        choose_a_word = bird.block(Words("choose a word", zh_CN="选一个字"))
        ask_for_the_tone = bird.block(Words("ask for the tone", zh_CN="问第几声"))
        check_the_answer = bird.block(Words("check the answer", zh_CN="检查回答"))
        bird.when_flag(
            *hello,
            write(),
            hear(),
            set_to(score, 0),
            repeat(len(WORDS), choose_a_word(), ask_for_the_tone(), check_the_answer()),
            switch_costume("happy"),
            say(
                join(
                    Words("Tones that you heard: ", zh_CN="听对的声调："),
                    score,
                    Words(f" of {len(WORDS)}", zh_CN=f" 个，一共 {len(WORDS)} 个"),
                )
            ),
        )
        write.define(*write_the_lists)
        hear.define(*listen)
        choose_a_word.define(*choose, *strike_it_out)
        ask_for_the_tone.define(*ask_it)
        check_the_answer.define(check)
    return project


project = build()

if __name__ == "__main__":
    for path in save_all(build, STEPS):
        print(path)
