"""The summary of a mission as text for the terminal."""

from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from proxops.results.summary import sections

AMBER, RED = "bold yellow", "bold red"
WIDTH = 80  # at most, so that it can be pasted anywhere
_SHORT, _LABEL = 16, 34  # columns of labels, at least and at most


def show_summary(found: dict[str, Any]) -> None:
    """Prints a summary: what there is, then warnings, and last what a run would be rejected for."""
    console = Console(highlight=False, width=min(Console().width, WIDTH))
    case = "" if found["case"] is None else f", case {found['case']}"
    console.print(
        Text.assemble(Text(f"{found['name']}{case}", style="bold"), f": {found['title']}")
    )
    for section in sections(found):
        longest = max(_SHORT, *(len(label) for label, _ in section.rows))
        console.print(f"\n{section.title}", style="bold")
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column(width=min(longest, _LABEL), overflow="fold")
        table.add_column(overflow="fold")
        for label, text in section.rows:
            table.add_row(Text(label), Text(text))
        console.print(Padding(table, (0, 0, 0, 2)))
    for key, style in (("warnings", AMBER), ("problems", RED)):
        if found.get(key):
            console.print(f"\n{key}", style="bold")
        for text in found.get(key, ()):
            console.print(Text(f"  {text}", style=style))
