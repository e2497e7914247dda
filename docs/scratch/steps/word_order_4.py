"""What step 4 of Word Order begins with."""

from pathlib import Path

from edukit.scratch.author import starter

project = starter(Path(__file__).parents[1] / "word_order.py", step=4)
