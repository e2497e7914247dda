"""Write made-up sites: ``python benchmarks/site.py make rich 200 FOLDER``."""

import argparse
import sys
from pathlib import Path

# The folder of this file, which is searched first, holds a module of the name of one of Python's own.
sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks import made_up  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("command", choices=["make"])
    parser.add_argument("kind", choices=made_up.KINDS)
    parser.add_argument("count", type=int, help="pages, eleven indexes included")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    messages = made_up.write_sphinx(options.folder, options.kind, options.count)
    print(f"{options.count} pages, {messages} messages")


if __name__ == "__main__":
    main()
