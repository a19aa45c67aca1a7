"""Figures in README and docs come from scripts."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))


@pytest.fixture(scope="module")
def measure():
    """The script that makes figures."""
    spec = importlib.util.spec_from_file_location("measure", ROOT / "docs" / "measure.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def blocks(measure):
    return [match for page in PAGES for match in measure.BLOCK.findall(page.read_text("utf-8"))]


def test_every_block_has_its_function_and_is_filled(measure):
    found = blocks(measure)
    assert sorted(name for _, name, _, _ in found) == sorted(measure.BLOCKS)
    assert all(text.startswith("|") for _, _, text, _ in found)
    opened = sum(len(re.findall(r"<!-- docs/measure", page.read_text("utf-8"))) for page in PAGES)
    assert opened == len(found)  # none lacks its end


def test_published_numbers_are_counted_as_they_are_shipped(measure):
    (shown,) = (text for _, name, text, _ in blocks(measure) if name == "validation-counts")
    assert shown == measure.validation_counts()


def test_the_keys_of_a_berthing_are_shown_as_its_schema_has_them(measure):
    (shown,) = (text for _, name, text, _ in blocks(measure) if name == "berthing-keys")
    assert shown == measure.berthing_keys()


def test_a_page_keeps_what_stands_around_its_figures(measure, tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- docs/measure.py: one -->\nold\n<!-- end -->\nafter\n")
    monkeypatch.setattr(measure, "PAGES", (page,))
    monkeypatch.setattr(measure, "BLOCKS", {"one": lambda: "new\n"})
    measure.main([])
    text = "before\n<!-- docs/measure.py: one -->\nnew\n<!-- end -->\nafter\n"
    assert page.read_text() == text
