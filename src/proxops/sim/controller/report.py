"""What is reported of a user's controller after a run."""

from dataclasses import dataclass

import numpy as np

from proxops.core.clock import NS_PER_S
from proxops.onboard.command_check import (
    BASE,
    COUNT,
    FIRST,
    JOINTS,
    MOTORS,
    NON_FINITE,
    PARTS,
    WHICH,
    WORST,
)
from proxops.results.controller_report import Finding, Pace


@dataclass
class Tally:
    """How often something happened, and what it was at first."""

    count: int = 0
    first_s: float = 0.0
    what: str = ""

    def note(self, t: float, what: str) -> None:
        """Counts it."""
        if self.count == 0:
            self.first_s, self.what = t, what
        self.count += 1


def findings_of(tally: np.ndarray, misfits: Tally, joints: tuple[str, ...]) -> tuple[Finding, ...]:
    """What was wrong with what a controller asked for, one of each kind."""
    beyond = float(tally[BASE, WORST])
    capacity = (
        f"up to {beyond:.3g} times the capacity of thrusters and wheels along it"
        if np.isfinite(beyond)
        else "the chaser has no thrusters or wheels that could make it"
    )
    texts = {
        NON_FINITE: f"{_entry(tally, NON_FINITE, joints)} is not finite; its previous commands "
        "stay",
        MOTORS: f"{_entry(tally, MOTORS, joints)}: up to {tally[MOTORS, WORST]:.3g} times the "
        "limit of its motor",
        BASE: f"force, torque: {capacity}",
    }
    kinds = {NON_FINITE: "non-finite", MOTORS: "motors", BASE: "base"}
    found = [
        Finding(kind, int(tally[row, COUNT]), float(tally[row, FIRST]), texts[row])
        for row, kind in kinds.items()
        if tally[row, COUNT] > 0.0
    ]
    if misfits.count:
        text = f"{misfits.what}; the command keeps its value"
        found.append(Finding("wrong-sized", misfits.count, misfits.first_s, text))
    return tuple(found)


def _entry(tally: np.ndarray, row: int, joints: tuple[str, ...]) -> str:
    """Name of the entry of what is asked."""
    at = int(tally[row, WHICH])
    return f"joint {joints[at - JOINTS]}" if at >= JOINTS else PARTS[at]


def pace_of(took: list[int], period: int, alone: bool) -> Pace:
    """Of cycles that took so long, where it has one in every period [ns]."""
    times = np.array(took) / NS_PER_S
    p50, p99 = np.quantile(times, [0.5, 0.99])
    overruns = float(np.mean(np.array(took) > period))
    return Pace(alone, float(p50), float(p99), float(times.max()), overruns)
