"""The same cases flown twice, without and with a change: what the change does to each.

Draws and noise of a pair are equal, so what differs comes from the change: far fewer cases show it
than two campaigns of different draws would take.  Whether cases that pass in one only do so by
chance is McNemar's exact test: as likely as heads are among so many throws.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from proxops.campaigns.ask import ask_in
from proxops.campaigns.sensitivity import values_of
from proxops.core.errors import InputError

_Z = NormalDist().inv_cdf(0.975)
_LEAST = 2  # pairs for a mean with its interval


@dataclass(frozen=True)
class Difference:
    """What a change does to the values of a requirement: changed less unchanged, in its unit."""

    name: str
    unit: str
    pairs: int  # with both values
    mean: float | None
    low: float | None  # bounds of the mean over endless cases, 95 % confidence
    high: float | None
    largest: float | None  # by its size
    largest_seed: int | None


@dataclass(frozen=True)
class Pairs:
    """Two campaigns of the same cases, compared."""

    count: int
    both: int  # passed with and without the change
    mended: list[int]  # seeds of those that pass with the change only
    broken: list[int]  # of those that pass without it only
    chance: float  # that as uneven a split of these comes by chance
    differences: tuple[Difference, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def compared(plain: Sequence[Mapping[str, Any]], changed: Sequence[Mapping[str, Any]]) -> Pairs:
    """Cases without and with a change; those of one seed are a pair.  InputError if such are not
    the same case, as those of another design are, and of a search."""
    others = {case["seed"]: case for case in changed}
    pairs = [(case, others[case["seed"]]) for case in plain if case["seed"] in others]
    for case, other in pairs:
        if ask_in(case) != ask_in(other):
            raise InputError(
                f"seed {case['seed']}: is another case in the other campaign; both need the same "
                "design, of the same seeds, and no search"
            )
    mended = [a["seed"] for a, b in pairs if b["passed"] and not a["passed"]]
    broken = [a["seed"] for a, b in pairs if a["passed"] and not b["passed"]]
    names = {
        item["name"]: item["unit"]
        for pair in pairs
        for case in pair
        for item in case["requirements"]
    }
    return Pairs(
        len(pairs),
        sum(a["passed"] and b["passed"] for a, b in pairs),
        mended,
        broken,
        by_chance(len(mended), len(broken)),
        tuple(_difference(name, unit, pairs) for name, unit in names.items()),
    )


def by_chance(one: int, other: int) -> float:
    """How likely a split as uneven is, if both sides are equally likely (two-sided)."""
    count, least = one + other, min(one, other)
    tail: float = sum(math.comb(count, k) for k in range(least + 1)) / 2**count
    return min(1.0, 2.0 * tail)


def _difference(
    name: str, unit: str, pairs: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]
) -> Difference:
    before, after = (values_of([pair[i] for pair in pairs], name) for i in (0, 1))
    apart = after - before
    there = np.flatnonzero(np.isfinite(apart))
    if len(there) < _LEAST:
        return Difference(name, unit, len(there), None, None, None, None, None)
    known = apart[there]
    mean, half = float(known.mean()), _Z * float(known.std(ddof=1)) / math.sqrt(len(known))
    at = int(there[np.argmax(np.abs(known))])
    largest, seed = float(apart[at]), int(pairs[at][0]["seed"])
    return Difference(name, unit, len(there), mean, mean - half, mean + half, largest, seed)
