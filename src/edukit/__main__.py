"""``python -m edukit`` is the ``edukit`` command."""

import sys

from edukit.cli import main

if __name__ == "__main__":
    sys.exit(main())
