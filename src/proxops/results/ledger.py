"""How well the sources explain momentum, angular momentum and energy of a run."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from proxops.results.rows import blocks_of
from proxops.results.run import Ledger, Run

MOMENTUM_CLOSED = 1e-9  # of the largest Σ m|v|, at their lever arms, and of all impulses
ENERGY_CLOSED = 1e-6  # of the largest kinetic energy plus absolute work
# Every step rounds where a force acts by 1e-16 of its distance from the origin, a displacement that
# no work knows of.  In 1e7 steps that adds up to 1e-12 |p||f| at most as a random walk: the energy
# balance is not judged more sharply, ENERGY_CLOSED of this share of |p||f|.
UNSEEN = 1e-6
SOURCES_OF_WORK = (
    "tide",
    "applied",
    "motors",
    "friction",
    "stops",
    "springs",
    "dampers",
    "contact_springs",
    "contact_dampers",
    "contact_friction",
    "holds",
)
OPTIONAL_SOURCES = ("gear_springs", "gear_losses", "switch")


def judged(run: Run) -> bool:
    """Whether its rows say anything about its ledger: changes are from the first one on."""
    return len(run.rows) > 1


def audit(run: Run) -> Ledger:
    """How well the sources explain momentum, angular momentum and energy, at every row; not closed
    where there are too few of them to judge."""
    if not judged(run):
        return Ledger(0.0, 0.0, 0.0, False)
    worst, scales = np.zeros(3), np.zeros(3)
    start = _part(run, run.rows[:1])
    for piece in _pieces(run):
        missing, largest = _unexplained(piece, start)
        worst = np.maximum(worst, [each.max() for each in missing])
        scales = np.maximum(scales, largest)
    momentum, angular, energy = map(_relative, worst.tolist(), scales.tolist())
    closed = momentum <= MOMENTUM_CLOSED and angular <= MOMENTUM_CLOSED and energy <= ENERGY_CLOSED
    return Ledger(momentum, angular, energy, bool(closed))


def residuals(run: Run) -> tuple[np.ndarray, ...]:
    """What the sources leave unexplained of momentum, angular momentum and energy at every row (n,)
    [-]: |change - sum of sources| over the largest sum of magnitudes.

    Magnitudes are those of what moves and of all that acted, at their distances from the origin:
    forces that cancel, and bodies that fly through the origin, leave the rounding of their size.
    """
    missing, scales = _unexplained(run, _part(run, run.rows[:1]))
    return tuple(map(_relative, missing, scales))


def _pieces(run: Run) -> Iterator[Run]:
    """The run in parts, each beginning with the last row of the one before."""
    last = None
    for block in blocks_of(run.rows):
        yield _part(run, block if last is None else np.concatenate([last, block]))
        last = block[-1:]


def _part(run: Run, rows: np.ndarray) -> Run:
    return replace(run, rows=rows)


def _unexplained(run: Run, start: Run) -> tuple[tuple[np.ndarray, ...], tuple[float, ...]]:
    """|change from the start - sum of sources| of momentum, angular momentum and energy, at every
    row, and the largest sum of magnitudes of each."""
    momentum, of_momentum = _vector(run, start, "momentum", "impulse")
    angular, of_angular = _vector(run, start, "angular_momentum", "angular_impulse")
    energy = run["ledger.kinetic_energy"][1]
    works = np.array([run[f"ledger.work_{source}"][1] for source in _sources(run)])
    missing = np.abs(energy - start["ledger.kinetic_energy"][1][0] - works.sum(axis=0))
    scale = float((energy + np.abs(works).sum(axis=0)).max())
    t, acted = run["ledger.sum_angular_impulse"]
    moments = np.diff(acted) / np.diff(t)  # Σ |p||f|, mean from row to row [N m]
    of_energy = max(scale, UNSEEN * float(moments.max(initial=0.0)))
    return (momentum, angular, missing), (of_momentum, of_angular, of_energy)


def _sources(run: Run) -> tuple[str, ...]:
    """What does work in a run; gears and the phase switch only where it has them."""
    recorded = {signal.name for signal in run.signals()}
    present = [each for each in OPTIONAL_SOURCES if f"ledger.work_{each}" in recorded]
    return (*SOURCES_OF_WORK, *present)


def _vector(run: Run, start: Run, kept: str, given: str) -> tuple[np.ndarray, float]:
    """|change - sum of sources|, and the largest sum of magnitudes, of what moves and of what
    acted."""
    change = run[f"ledger.{kept}"][1] - start[f"ledger.{kept}"][1][0]
    missing = np.linalg.norm(change - run[f"ledger.{given}"][1], axis=1)
    scale = run[f"ledger.sum_{kept}"][1] + run[f"ledger.sum_{given}"][1]
    return missing, float(scale.max())


def _relative(missing: Any, scale: float) -> Any:
    return missing / scale if scale > 0.0 else missing


class Balance(NamedTuple):
    """One balance of a ledger."""

    name: str
    residual: float
    limit: float

    @property
    def closed(self) -> bool:
        """Whether its residual is within its limit."""
        return self.residual <= self.limit


def balances(ledger: Ledger) -> tuple[Balance, ...]:
    """The balances of a ledger with the residual that each may leave."""
    return (
        Balance("momentum", ledger.momentum_residual, MOMENTUM_CLOSED),
        Balance("angular momentum", ledger.angular_momentum_residual, MOMENTUM_CLOSED),
        Balance("energy", ledger.energy_residual, ENERGY_CLOSED),
    )
