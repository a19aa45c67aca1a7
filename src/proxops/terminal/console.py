"""Where results are printed."""

import sys

from rich.console import Console

WIDE = 160  # columns, where no terminal has fewer: nothing cuts names that go into a file


def result_console() -> Console:
    """As wide as the terminal, or wide enough for a file."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)
