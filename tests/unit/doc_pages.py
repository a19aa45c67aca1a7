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


_BLOCK = re.compile(
    r"(?P<marks>(?:^<!-- not run[^\n]*-->\n+)*)"
    r"(?:^```(?P<language>\w*)[^\n]*\n(?P<fenced>.*?)^```$|(?P<indented>(?:^    [^\n]*\n)+))",
    re.DOTALL | re.MULTILINE,
)
_MARK = re.compile(r"<!-- not run(?: \((?P<text>[^)\n]*)\))?: (?P<reason>\S.*) -->")


class Code(NamedTuple):
    """A block of code: its language as given, none if it is indented."""

    language: str
    text: str
    left_out: tuple[str, ...] = ()  # texts of the commands that tests do not run; "": of all

    def is_run(self, line: str = "") -> bool:
        """Whether tests run it, or a line of it.  What they do not has its reason in the page:
        <!-- not run: reason --> or <!-- not run (text of a command): reason --> before the block"""
        return not any(text in line for text in self.left_out)


def name_of(page: Path) -> str:
    """How tests name a page."""
    return str(page.relative_to(ROOT))


def code_of(page: Path) -> list[Code]:
    """The blocks of a page: fenced ones, then indented ones."""
    text = page.read_text("utf-8")
    fenced = [Code(*each) for each in _FENCED.findall(text)]
    lines = re.findall(r"(?:^    .*\n)+", _FENCED.sub("", text), re.MULTILINE)
    return fenced + [Code("", re.sub(r"^    ", "", each, flags=re.MULTILINE)) for each in lines]


def blocks_of(page: Path) -> list[Code]:
    """The blocks of a page in their order, with what tests leave out of them."""
    found = []
    for block in _BLOCK.finditer(page.read_text("utf-8")):
        text = block["fenced"]
        if text is None:
            text = re.sub(r"^    ", "", block["indented"], flags=re.MULTILINE)
        marks = [_MARK.fullmatch(line) for line in block["marks"].split("\n") if line]
        assert all(marks), f"{name_of(page)}: a mark without a reason: {block['marks']}"
        left_out = tuple(mark["text"] or "" for mark in marks if mark)
        found.append(Code(block["language"] or "", text, left_out))
    return found


def commands_in(code: Code) -> list[str]:
    """Lines that call proxops."""
    return re.findall(r"^proxops [a-z].*", code.text.replace("\\\n", " "), re.MULTILINE)


def commands_of(page: Path) -> list[str]:
    """Lines of code that call proxops."""
    return [line for code in code_of(page) for line in commands_in(code)]


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
