"""What step 4 of Tone Quiz begins with."""

from pathlib import Path

from edukit.scratch.author import starter

project = starter(Path(__file__).parents[1] / "tone_quiz.py", step=4)
