"""What step 1 of Sine Painter begins with."""

from pathlib import Path

from edukit.scratch.author import starter

project = starter(Path(__file__).parents[1] / "sine_painter.py", step=1)
