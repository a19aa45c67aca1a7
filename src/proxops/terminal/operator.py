"""Commands that the operator of a flight types while it goes on."""

from select import select
from typing import TextIO

from proxops.facility.arena.operator import COMMANDS

HINT = f"type {', '.join(COMMANDS[:-1])} or {COMMANDS[-1]} and Enter; Ctrl-C stops and lands both"


class TypedCommands:
    """Lines of a terminal, read without waiting."""

    def __init__(self, lines: TextIO) -> None:
        self._lines = lines

    def __call__(self, _: float) -> str | None:
        """The command of the next line, if there is one; says what is possible where it is none."""
        if not select([self._lines], [], [], 0.0)[0]:
            return None
        try:
            word = self._lines.readline().strip().lower()
        except UnicodeDecodeError:
            word = "?"
        if word in COMMANDS:
            return word
        if word:
            from rich.console import Console

            Console(stderr=True).print(f"{word!r} is no command: {HINT}", markup=False)
        return None
