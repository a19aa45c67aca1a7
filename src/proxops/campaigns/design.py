"""Which cases a campaign flies: drawn by chance, or spread over the bounds by a plan.

monte-carlo       each case draws by its seed
latin-hypercube   each number once in each of as many equal parts as there are cases
sobol             a scrambled Sobol sequence: the first 2ᵏ cases fill the bounds evenly
saltelli          rows A, B, and A with one dispersion of B: Sobol indices (campaigns/indices.py)
grid              all combinations of some levels of each number
one-at-a-time     the nominal case, then each dispersion alone at its bounds
worst-case        a search, a few cases after those before it (campaigns/search.py)

All but Monte Carlo place cases by numbers from 0 to 1, even in between: what a dispersion makes of
them is its own.  Noise differs from case to case where cases are a sample, and is the same in all
others, so that they differ by their dispersions alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import numpy as np

from proxops.campaigns.ask import Ask
from proxops.campaigns.margins import margins_of
from proxops.campaigns.search import proposed
from proxops.core.errors import InputError
from proxops.core.text import nearest
from proxops.scenario.dispersion import numbers_of
from proxops.scenario.schema import Dispersion, Mission

MONTE_CARLO = "monte-carlo"
KINDS = (
    MONTE_CARLO, "latin-hypercube", "sobol", "saltelli", "grid", "one-at-a-time", "worst-case",
)  # fmt: skip
_LARGEST = 100_000  # cases of a grid

Cases = Mapping[int, Mapping[str, Any]]


@dataclass(frozen=True)
class Design:
    """A kind of design, with what some of them take."""

    kind: str = MONTE_CARLO
    levels: int = 3  # of each number in a grid
    batch: int = 2  # cases that a search flies at once; more take more cases in all

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            known = ", ".join(KINDS)
            raise InputError(f"design {self.kind!r}: is none of {known}{nearest(self.kind, KINDS)}")
        if self.levels < 2:
            raise InputError(f"levels: must be 2 or more, found {self.levels}")
        if self.batch < 1:
            raise InputError(f"batch: must be 1 or more, found {self.batch}")

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    def numbers(self, mission: Mission, seeds: Sequence[int]) -> Sequence[int]:
        """The seeds that its cases go by: those given, or from 0 where it says how many."""
        count = self._count(mission, seeds)
        return seeds if count is None else range(count)

    def _count(self, mission: Mission, seeds: Sequence[int]) -> int | None:
        if self.kind == "saltelli":
            return len(seeds) * (2 + len(_sizes(mission)))
        if self.kind == "grid":
            count: int = self.levels ** sum(_sizes(mission).values())
            if count > _LARGEST:
                raise InputError(
                    f"a grid of {self.levels} levels in {sum(_sizes(mission).values())} numbers "
                    f"has {count} cases, at most {_LARGEST} are flown; give fewer --levels, remove "
                    "dispersions, or take --design sobol"
                )
            return count
        return len(_alone(mission)) if self.kind == "one-at-a-time" else None

    def batches(
        self, mission: Mission, seeds: Sequence[int], done: Cases
    ) -> Iterator[Sequence[Ask]]:
        """What to fly, one batch after the other; `done` has the cases of those before.  All at
        once but for a search."""
        if self.kind == "worst-case":
            yield from self._search(mission, seeds, done)
            return
        yield self._asks(mission, seeds)

    def _asks(self, mission: Mission, seeds: Sequence[int]) -> list[Ask]:
        if self.kind == MONTE_CARLO:
            return [Ask(seed) for seed in seeds]
        sizes, first = _sizes(mission), seeds[0]
        numbers = sum(sizes.values())
        if self.kind == "one-at-a-time":
            return [Ask(i, point, first) for i, point in enumerate(_alone(mission))]
        if self.kind == "grid":
            levels = np.linspace(0.0, 1.0, self.levels).tolist()
            rows: Any = product(levels, repeat=numbers)
            return [Ask(i, _point(sizes, row), first) for i, row in enumerate(rows)]
        if self.kind == "saltelli":
            return _saltelli(sizes, _sobol(2 * numbers, len(seeds), first), first)
        make = _hypercube if self.kind == "latin-hypercube" else _sobol
        rows = make(numbers, len(seeds), first)
        return [Ask(seed, _point(sizes, row), seed) for seed, row in zip(seeds, rows, strict=True)]

    def _search(
        self, mission: Mission, seeds: Sequence[int], done: Cases
    ) -> Iterator[Sequence[Ask]]:
        sizes, first = _sizes(mission), seeds[0]
        flown = np.empty((0, sum(sizes.values())))
        for at in range(0, len(seeds), self.batch):
            before = [done[seed] for seed in seeds[:at]]
            batch = seeds[at : at + self.batch]
            margins = margins_of(before, mission.requirements)
            rows = proposed(flown, margins, flown.shape[1], first, len(batch))
            flown = np.vstack((flown, rows))
            yield [
                Ask(seed, _point(sizes, row), first) for seed, row in zip(batch, rows, strict=True)
            ]


def _sizes(mission: Mission) -> dict[str, int]:
    sizes = numbers_of(mission)
    if not sizes:
        raise InputError("a design needs [dispersions]; the scenario has none")
    return sizes


def _point(sizes: Mapping[str, int], row: Sequence[float] | np.ndarray) -> dict[str, list[float]]:
    """A row of numbers, by dispersion."""
    ends = np.cumsum(list(sizes.values())).tolist()
    return {
        name: [float(each) for each in row[end - size : end]]
        for (name, size), end in zip(sizes.items(), ends, strict=True)
    }


def _hypercube(numbers: int, cases: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    parts = rng.permuted(np.tile(np.arange(cases), (numbers, 1)), axis=1).T
    return np.asarray((parts + rng.random((cases, numbers))) / cases)


def _sobol(numbers: int, cases: int, seed: int) -> np.ndarray:
    from scipy.stats import qmc

    sequence = qmc.Sobol(numbers, scramble=True, rng=np.random.default_rng(seed))
    return np.asarray(sequence.random_base2(max(0, int(cases - 1).bit_length()))[:cases])


def _saltelli(sizes: Mapping[str, int], rows: np.ndarray, first: int) -> list[Ask]:
    """Of each row A, B, and A with each dispersion of B in turn; the noise of A is that of B in
    none of these, as one more number would be."""
    asks: list[Ask] = []
    half = rows.shape[1] // 2
    for j, row in enumerate(rows):
        a, b = _point(sizes, row[:half]), _point(sizes, row[half:])
        noise = first + 2 * j
        points = [(a, noise), (b, noise + 1), *(({**a, name: b[name]}, noise) for name in sizes)]
        asks += [Ask(len(asks) + i, point, seed) for i, (point, seed) in enumerate(points)]
    return asks


def _alone(mission: Mission) -> list[dict[str, list[float]]]:
    """The nominal point, and each dispersion at its ends while the others stay as they are."""
    points: list[dict[str, list[float]]] = [{}]
    for name, size in _sizes(mission).items():
        each = mission.dispersions[name]
        points += [{name: ends} for ends in _ends(each, size)]
    return points


def _ends(each: Dispersion, size: int) -> list[list[float]]:
    """Numbers of a dispersion at its ends, one end after the other."""
    if each.choice is not None:
        return [[(i + 0.5) / len(each.choice)] for i in range(len(each.choice))]
    if each.scale is not None or each.shift is not None:
        return [
            [end if i == at else 0.5 for i in range(size)]
            for at in range(size)
            for end in (0.0, 1.0)
        ]
    around = [[quarter / 4.0, 1.0] for quarter in range(4)]
    if size == len(around[0]):  # tilts to four sides
        return around
    return [[0.5, *side] for side in around] + [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0]]
