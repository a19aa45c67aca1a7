"""Rows of a validation, and the published numbers as shipped."""

import tomllib
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

GATED = ("follows", "calibrated")


class Number(NamedTuple):
    """What was published."""

    text: str
    published: float
    tolerance: float
    unit: str
    status: str  # follows, calibrated, does-not-follow, hardware


class Result(NamedTuple):
    """What we get, and how or why it differs."""

    value: float
    reason: str


@dataclass(frozen=True)
class Row:
    """A published number beside ours."""

    id: str
    text: str
    published: float
    ours: float
    unit: str
    tolerance: float
    status: str
    passed: bool  # within the tolerance, gated or not
    reason: str

    @property
    def gated(self) -> bool:
        """Whether the validation as a whole hangs on it."""
        return self.status in GATED


@dataclass(frozen=True)
class Validation:
    """All rows of one publication."""

    name: str
    rows: tuple[Row, ...]

    @property
    def passed(self) -> bool:
        """Whether every gated row passes."""
        return all(row.passed for row in self.rows if row.gated)

    def as_dict(self) -> dict[str, list[dict[str, Any]]]:
        """The rows as JSON shows them."""
        return {"rows": [asdict(row) for row in self.rows]}


@cache
def published() -> dict[str, dict[str, Number]]:
    """The published numbers, by publication and id."""
    text = resources.files("proxops.validation").joinpath("numbers.toml").read_text("utf-8")
    return {
        name: {key: Number(**number) for key, number in numbers.items()}
        for name, numbers in tomllib.loads(text).items()
    }
