"""A flown campaign: its cases, and what they say together."""

import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from proxops.campaigns.indices import Index, indices_of
from proxops.campaigns.paired import Pairs, compared
from proxops.campaigns.seeds import seeds_text
from proxops.campaigns.sensitivity import Draw, Driver, draws_of, driver_of, values_of
from proxops.campaigns.worst import worst_case
from proxops.core.errors import InputError
from proxops.results.run import COLLIDES
from proxops.scenario.dispersion_text import DrawText, draw_texts

_NUMBER = re.compile(r"(?<![\w.])-?\d[\d.e+-]*(?!\w)")  # not of a name
NOT_DISPERSED = "The mission has no [dispersions]: its cases differ by their noise alone."
SAMPLES = ("monte-carlo", "latin-hypercube", "sobol")
_Z = 1.959963984540054  # of the normal distribution: 95 % lie within ± this


@dataclass(frozen=True)
class Spread:
    """The values of one requirement over all cases, in its unit."""

    name: str
    comparison: str
    limit: float
    unit: str
    worst: float | None  # None where no case has a value
    worst_seed: int | None  # of the first case that has it
    low: float | None  # 5 % of the values are below
    median: float | None
    high: float | None  # 95 % of the values are below
    failed: int  # cases, with those that did not reach it
    not_reached: int  # of these, which have no value
    met: tuple[float, float]  # bounds of the share of endless cases that meet it, 95 % confidence


@dataclass(frozen=True, repr=False, eq=False)
class Campaign:
    """Dispersed cases of a scenario; `cases` are plain tables, in the order of the seeds."""

    name: str
    cases: tuple[dict[str, Any], ...]
    asked: int  # cases; fewer are flown if it was interrupted
    at_least: float  # share of the cases that must pass
    folder: Path | None = None  # that the cases are stored in
    provenance: Mapping[str, Any] = field(default_factory=dict)  # scenario, facility, versions
    timings: Mapping[int, Mapping[str, float]] = field(default_factory=dict)  # wall_s, cpu_s
    design: Mapping[str, Any] = field(default_factory=dict)  # its kind, and what it takes

    def __repr__(self) -> str:
        return f"Campaign({self.name!r}, {self.passed_count} of {len(self.cases)} passed)"

    def _repr_html_(self) -> str:
        from proxops.report.notebook import campaign_html

        return campaign_html(self)

    @property
    def passed(self) -> bool:
        """Whether all cases were flown, and enough of them passed."""
        return not self.interrupted and self.share >= self.at_least

    @property
    def outcome(self) -> str:
        """`passed`, `failed` or `interrupted`."""
        return "interrupted" if self.interrupted else "passed" if self.passed else "failed"

    @property
    def headline(self) -> str:
        """The verdict in capital letters, with its warnings."""
        judged = bool(self.spreads) or not self.passed
        word = self.outcome.upper() if judged else "no requirements"
        return f"{word} with warnings" if self.warned_count else word

    @property
    def probability(self) -> str:
        """The share that passed, with its confidence interval, in words."""
        if self.is_search:
            failed = len(self.cases) - self.passed_count
            return f"the search found {failed or 'none'} that {'fail' if failed != 1 else 'fails'}"
        if not self.sampled:
            return f"{100 * self.share:.1f} % of the cases of a {self.kind} design"
        low, high = (100.0 * bound for bound in self.interval)
        interval = f"{low:.1f} to {high:.1f} % with 95 % confidence"
        return f"{100 * self.share:.1f} %, {interval}" if self.cases else "none was flown"

    @property
    def kind(self) -> str:
        """Of its design."""
        return str(self.design.get("kind", "monte-carlo"))

    @property
    def sampled(self) -> bool:
        """Whether its cases stand for all possible ones; those of a grid or a search do not."""
        return self.kind in SAMPLES

    @property
    def is_search(self) -> bool:
        """Whether each case was placed where those before it left least margin."""
        return self.kind == "worst-case"

    @property
    def is_dispersed(self) -> bool:
        """Whether the truth differs from case to case, and not the noise alone."""
        mission = self.provenance.get("scenario", {}).get("mission", {})
        return bool(mission.get("dispersions"))

    @property
    def interrupted(self) -> bool:
        """Whether fewer cases were flown than were asked for."""
        return len(self.cases) < self.asked

    @property
    def passed_count(self) -> int:
        """Cases that passed."""
        return sum(case["passed"] for case in self.cases)

    @property
    def warned_count(self) -> int:
        """Cases that passed with warnings."""
        return sum(case["passed"] and bool(case["warnings"]) for case in self.cases)

    @property
    def warnings(self) -> dict[str, list[int]]:
        """Seeds of the cases that warned, by warning without its numbers; what happened most often
        first."""
        found: dict[str, list[int]] = {}
        for case in self.cases:
            for text in dict.fromkeys(_NUMBER.sub("…", each) for each in case["warnings"]):
                found.setdefault(text, []).append(case["seed"])
        return dict(sorted(found.items(), key=_rank))

    @property
    def share(self) -> float:
        """Of the flown cases, the share that passed."""
        return self.passed_count / len(self.cases) if self.cases else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share lies that endless cases would have, with 95 % confidence."""
        return wilson(self.passed_count, len(self.cases))

    @property
    def causes(self) -> dict[str, list[int]]:
        """Seeds of the cases that did not pass, by cause: collisions first, then what happened most
        often."""
        found: dict[str, list[int]] = {}
        for case in self.cases:
            if not case["passed"]:
                found.setdefault(case["cause"], []).append(case["seed"])
        return dict(sorted(found.items(), key=_rank))

    @property
    def spreads(self) -> tuple[Spread, ...]:
        """What the requirements came to, in their order."""
        items: dict[str, list[dict[str, Any]]] = {}
        for case in self.cases:
            for item in case["requirements"]:
                items.setdefault(item["name"], []).append(item | {"seed": case["seed"]})
        return tuple(_spread(each, len(self.cases)) for each in items.values())

    @property
    def worst(self) -> dict[str, Any] | None:
        """The worst case: a collision first, then the most failed requirements, then the smallest
        margin relative to its limit."""
        return worst_case(self.cases)

    @property
    def draws(self) -> tuple[Draw, ...]:
        """Everything that was drawn, number by number, over the cases."""
        mission = self.provenance.get("scenario", {}).get("mission", {})
        return draws_of(self.cases, mission.get("dispersions", {}))

    @property
    def drivers(self) -> tuple[Driver, ...]:
        """Of every requirement, the draw that it depends on most, by rank correlation."""
        draws = self.draws
        return tuple(
            driver_of(each.name, values_of(self.cases, each.name), draws) for each in self.spreads
        )

    @property
    def indices(self) -> tuple[Index, ...]:
        """Sobol indices of every dispersion for each requirement; of a Saltelli design only."""
        names = [each.name for each in self.spreads]
        return indices_of(self.cases, names) if self.kind == "saltelli" else ()

    def draw_texts(self, case: Mapping[str, Any]) -> list[DrawText]:
        """What was drawn for one of its cases, in words."""
        mission = self.provenance.get("scenario", {}).get("mission", {})
        return draw_texts(case["drawn"], mission.get("dispersions", {}), case.get("point"))

    def case(self, seed: int) -> dict[str, Any]:
        """The case of that seed."""
        for case in self.cases:
            if case["seed"] == seed:
                return case
        there = seeds_text([case["seed"] for case in self.cases]) or "none"
        raise InputError(f"seed {seed}: was not flown; there are: {there}")

    def compared_with(self, changed: "Campaign") -> Pairs:
        """The same cases flown with a change, compared with these one by one."""
        return compared(self.cases, changed.cases)

    def export(self, file: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Writes the cases as a Parquet table, a row each."""
        from proxops.campaigns.table import write_table

        write_table(self, file, overwrite=overwrite)

    def report(self, file: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Writes a page to open in a browser: verdict, histograms, what drives each requirement,
        the worst case, failures by cause."""
        from proxops.report import write_campaign

        write_campaign(self, file, overwrite=overwrite)

    def summary(self) -> dict[str, Any]:
        """All of it as plain data: what `--json` prints."""
        return {
            "name": self.name,
            "passed": self.passed,
            "interrupted": self.interrupted,
            "design": dict(self.design),
            "asked": self.asked,
            "flown": len(self.cases),
            "passed_count": self.passed_count,
            "warned_count": self.warned_count,
            "share": self.share,
            "interval": list(self.interval),
            "at_least": self.at_least,
            "requirements": [asdict(spread) for spread in self.spreads],
            "drivers": [asdict(driver) for driver in self.drivers],
            "indices": [asdict(index) for index in self.indices],
            "worst": None if self.worst is None else self.worst["seed"],
            "causes": [{"cause": cause, "seeds": seeds} for cause, seeds in self.causes.items()],
            "warnings": [
                {"warning": text, "seeds": seeds} for text, seeds in self.warnings.items()
            ],
            "cases": list(self.cases),
        }


def _rank(item: tuple[str, list[int]]) -> tuple[bool, int, str]:
    """Sorts causes or warnings with their seeds: collisions, then what happened most often."""
    cause, seeds = item
    return not cause.startswith(f"{COLLIDES}:"), -len(seeds), cause


def wilson(passed: int, cases: int) -> tuple[float, float]:
    """Bounds of a share of which `passed` of `cases` were seen, with 95 % confidence [-].

        (p + z²/2n ± z √(p (1 - p)/n + z²/4n²)) / (1 + z²/n),   p = passed/n

    Wilson (1927): unlike p ± z √(p (1 - p)/n) it is of use where all cases pass.
    """
    if cases == 0:
        return 0.0, 1.0
    p, zz = passed / cases, _Z * _Z / cases
    middle = p + 0.5 * zz
    half = _Z * math.sqrt(p * (1.0 - p) / cases + 0.25 * zz / cases)
    return max(0.0, (middle - half) / (1.0 + zz)), min(1.0, (middle + half) / (1.0 + zz))


def _spread(items: Sequence[dict[str, Any]], flown: int) -> Spread:
    """Of `flown` cases; those that have no such item did not meet it."""
    first = items[0]
    # A run that blew up has the text "NaN" for a number
    valued = [item for item in items if isinstance(item["value"], int | float)]
    values = [item["value"] for item in valued]
    low, median, high = np.quantile(values, (0.05, 0.5, 0.95)).tolist() if values else [None] * 3
    worst = max if first["comparison"] == "<=" else min
    farthest = worst(valued, key=lambda item: item["value"], default=None)
    return Spread(
        first["name"],
        first["comparison"],
        first["limit"],
        first["unit"],
        None if farthest is None else farthest["value"],
        None if farthest is None else farthest["seed"],
        low,
        median,
        high,
        sum(not item["passed"] for item in items),
        sum(item["value"] is None for item in items),
        wilson(sum(bool(item["passed"]) for item in items), flown),
    )
