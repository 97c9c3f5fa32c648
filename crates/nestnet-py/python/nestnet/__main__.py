"""The command line: ``nestnet`` and ``python -m nestnet`` do what the program ``nestnet`` does."""

from __future__ import annotations

import sys

from ._nestnet import command_line


def main() -> int:
    """Does what ``sys.argv`` asks for, and gives the exit code."""
    return command_line(["nestnet", *sys.argv[1:]], [sys.executable, "-m", "nestnet"])


if __name__ == "__main__":
    sys.exit(main())
