"""The tutorials run from top to bottom and print what they show; their notebooks are executed."""

import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cross.public_robots import WHY_LEFT_OUT, robots_folder

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "tutorials"
NAMES = sorted(page.stem for page in FOLDER.glob("*.md"))
# Executes the cells of code of a notebook as a kernel does, in order and in one namespace, then
# commands; all in one process, which loads what is compiled once
RUN = """\
import json, sys
from proxops.cli.main import main
cells, commands = json.load(sys.stdin)
names = {"__name__": "__main__"}
for number, cell in enumerate(cells):
    exec(compile(cell, f"<cell {number}>", "exec"), names)
for words in commands:
    sys.argv = words
    try:
        main()
    except SystemExit as end:
        assert not end.code, (words, end.code)
"""


def tutorials():
    spec = importlib.util.spec_from_file_location("tutorials", ROOT / "docs" / "tutorials.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MADE = tutorials()


def page_of(name):
    return (FOLDER / f"{name}.md").read_text("utf-8")


def cells_of(name):
    """The cells of code of the notebook; none if the tutorial has none."""
    if name not in MADE.AS_NOTEBOOKS:
        return []
    made = json.loads((FOLDER / f"{name}.ipynb").read_text("utf-8"))
    return ["".join(it["source"]) for it in made["cells"] if it["cell_type"] == "code"]


def commands_of(found):
    text = "".join(block.text for block in found if block.kind == "sh")
    return [shlex.split(line, comments=True) for line in text.splitlines()]


def fetch_robots(folder):
    """Stands for the download that the tutorial begins with."""
    robots = robots_folder()
    if robots is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(WHY_LEFT_OUT)
    share = folder / "robots" / "cmeel.prefix" / "share"
    share.mkdir(parents=True)
    (share / "example-robot-data").symlink_to(robots.resolve().parent)


@pytest.mark.parametrize("name", MADE.AS_NOTEBOOKS)
def test_a_notebook_is_made_from_its_page(name):
    assert (FOLDER / f"{name}.ipynb").read_text("utf-8") == MADE.notebook(page_of(name))
    cells = json.loads(MADE.notebook(page_of(name)))["cells"]
    assert not any(cell.get("outputs") for cell in cells)


@pytest.mark.parametrize("name", NAMES)
def test_every_block_is_of_a_kind_that_runs(name):
    page = page_of(name)
    kinds = {block.kind for block in MADE.blocks(page)}
    assert kinds <= {"prose", "python", "toml", "sh", "text"}
    assert page.count("\n```") == 2 * sum(it.kind != "prose" for it in MADE.blocks(page))
    assert all(it.title for it in MADE.blocks(page) if it.kind == "toml")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_tutorial_runs_and_prints_what_it_shows(name, tmp_path):
    found = MADE.blocks(page_of(name))
    for block in found:
        if block.title is not None:
            (tmp_path / block.title).write_text(block.text, "utf-8")
    cells, commands = cells_of(name), commands_of(found)
    assert bool(cells) == any(block.kind == "python" for block in found)
    if commands[0][:4] == ["python", "-m", "pip", "install"]:
        fetch_robots(tmp_path)
        del commands[0]
    assert {words[0] for words in commands} == {"proxops"}
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        input=json.dumps([cells, commands]),
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, (done.stdout, done.stderr)
    printed = done.stdout
    shown = [line for it in found if it.kind == "text" for line in it.text.splitlines()]
    lines = {_spaced(line) for line in printed.splitlines()}
    assert [line for line in shown if _spaced(line) not in lines] == []


def _spaced(line):
    """A line without what aligns its columns."""
    return re.sub(r"\s+", " ", line).strip()
