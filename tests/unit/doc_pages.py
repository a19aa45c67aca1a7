"""Pages of the documentation, taken apart: links, headings, blocks of code."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
)
_FENCED = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```\n?", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(([^()\s]+)\)")
_QUOTED = re.compile(r"`[^`\n]*`")


class Code(NamedTuple):
    """A block of code: its language as given, none if it is indented."""

    language: str
    text: str


def name_of(page: Path) -> str:
    """How tests name a page."""
    return str(page.relative_to(ROOT))


def code_of(page: Path) -> list[Code]:
    """The blocks of a page: fenced ones, then indented ones."""
    text = page.read_text("utf-8")
    fenced = [Code(*each) for each in _FENCED.findall(text)]
    lines = re.findall(r"(?:^    .*\n)+", _FENCED.sub("", text), re.MULTILINE)
    return fenced + [Code("", re.sub(r"^    ", "", each, flags=re.MULTILINE)) for each in lines]


def commands_of(page: Path) -> list[str]:
    """Lines of code that call proxops."""
    text = "\n".join(each.text for each in code_of(page)).replace("\\\n", " ")
    return re.findall(r"^proxops [a-z].*", text, re.MULTILINE)


def links_of(page: Path) -> list[str]:
    """What a page links to, places elsewhere left out."""
    prose = _QUOTED.sub("", _FENCED.sub("", page.read_text("utf-8")))
    prose = re.sub(r"^    .*", "", prose, flags=re.MULTILINE)
    return [link for link in _LINK.findall(prose) if not re.match(r"\w+:", link)]


def anchors_of(page: Path) -> set[str]:
    """What links may name in a page: its headings, as GitHub and the site spell them."""
    text = _FENCED.sub("", page.read_text("utf-8"))
    heads = re.findall(r"^#+ +(.*?) *$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
