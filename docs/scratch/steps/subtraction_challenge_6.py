"""What step 6 of Subtraction Challenge begins with."""

from pathlib import Path

from edukit.scratch.author import starter

project = starter(Path(__file__).parents[1] / "subtraction_challenge.py", step=6)
