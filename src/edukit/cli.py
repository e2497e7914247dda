"""The ``edukit`` command."""

import sys


def main() -> int:
    """Run the command line."""
    return 0


if __name__ == "__main__":
    sys.exit(main())
