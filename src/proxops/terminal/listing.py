"""What is shipped as text for the terminal."""

import textwrap
from collections.abc import Mapping

from rich.console import Console

WIDTH = 80  # at most


def show_lists(lists: Mapping[str, Mapping[str, str]]) -> None:
    """Prints names and titles under headings, titles wrapped beside the names."""
    console = Console(highlight=False, markup=False, width=min(Console().width, WIDTH))
    width = max(len(name) for titles in lists.values() for name in titles)
    for number, (heading, titles) in enumerate(lists.items()):
        console.print(("\n" if number else "") + heading, style="bold")
        for name, title in titles.items():
            first = f"  {name:<{width}}  "
            lines = textwrap.wrap(title, console.width - len(first))
            console.print(first + f"\n{' ' * len(first)}".join(lines), soft_wrap=True)
