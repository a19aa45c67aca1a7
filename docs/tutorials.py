"""Tutorials as what they are made of: prose, files, code, commands, and what these print.

A fenced block of a tutorial (`docs/tutorials/*.md`) is
    ```python                  code, run in order in one namespace
    ```python title="x.py"     the same, and the file x.py
    ```toml title="x.toml"     the file x.toml
    ```sh                      commands
    ```text                    lines that the block before it prints, among others
Run as a script, it writes the notebooks: `python docs/tutorials.py`.
"""

import json
import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "tutorials"
AS_NOTEBOOKS = ("own-controller", "worst-case")
_FENCE = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```\n", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """A piece of a tutorial; prose has the kind `prose`."""

    kind: str
    text: str
    title: str | None = None


def blocks(page: str) -> list[Block]:
    """The pieces of a page, in order."""
    found, end = [], 0
    for fence in _FENCE.finditer(page):
        found += [Block("prose", page[end : fence.start()].strip("\n"))]
        found += [Block(fence[1], fence[3], fence[2])]
        end = fence.end()
    found += [Block("prose", page[end:].strip("\n"))]
    return [each for each in found if each.text]


def notebook(page: str) -> str:
    """A tutorial as a notebook without outputs, the text of an .ipynb file."""
    cells = []
    for number, block in enumerate(blocks(page)):
        code = code_of(block)
        if code is not None:
            more = {"cell_type": "code", "execution_count": None, "outputs": []}
        elif block.kind in ("prose", "sh"):
            code = block.text if block.kind == "prose" else f"```sh\n{block.text}```"
            code = re.sub(r"This page is also a notebook, .*?\)\.", "", code)
            more = {"cell_type": "markdown"}
        else:
            continue  # what a cell prints, it prints
        source = code.rstrip("\n").splitlines(keepends=True)
        cells.append({"id": f"cell-{number}", "metadata": {}, "source": source} | more)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    made = {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(made, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def code_of(block: Block) -> str | None:
    """What a cell of code says; None if a block is none."""
    if block.kind == "python":
        return block.text
    if block.title is None:
        return None
    write = f'Path("{block.title}").write_text("""\\\n{block.text}""", "utf-8")'
    return f"from pathlib import Path\n\n{write}\n"


def main() -> None:
    """Writes the notebooks."""
    for name in AS_NOTEBOOKS:
        page = (FOLDER / f"{name}.md").read_text("utf-8")
        (FOLDER / f"{name}.ipynb").write_text(notebook(page), "utf-8")


if __name__ == "__main__":
    main()
