"""Rows of a validation, and the published numbers as shipped."""

import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

GATED = ("follows", "calibrated")
STATUS_NOUNS = {"follows": "that follow agree", "calibrated": "calibrated ones agree"}
BASIS_NOUNS = {
    "identity": ("identity", "identities"),
    "setting": ("setting of the mission", "settings of the mission"),
}


def of_which(bases: Iterable[str]) -> str:
    """How many numbers are no results but identities or settings, in brackets; or nothing."""
    found = Counter(bases)
    parts = [
        f"{found[basis]} {nouns[found[basis] > 1]}"
        for basis, nouns in BASIS_NOUNS.items()
        if found[basis]
    ]
    return f" ({', '.join(parts)})" if parts else ""


class Number(NamedTuple):
    """What was published."""

    text: str
    published: float
    tolerance: float
    unit: str
    status: str  # follows, calibrated, does-not-follow, hardware
    basis: str = "result"  # or identity, setting: see numbers.toml


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

    def counts(self) -> str:
        """How many of the numbers that must agree do, those that follow and those that follow after
        a calibration apart, with how many are no results."""
        numbers = published()[self.name]
        texts = []
        for status in GATED:
            rows = [row for row in self.rows if row.status == status]
            if not rows:
                continue
            bases = [numbers[row.id].basis for row in rows]
            text = f"{sum(row.passed for row in rows)} of {len(rows)} {STATUS_NOUNS[status]}"
            texts.append(text + of_which(bases))
        return "; ".join(texts)

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
