"""The start of a mission as a row that can be drawn, before any run."""

from collections.abc import Iterator

import numpy as np

from proxops.assembly.describe import describe
from proxops.assembly.start_poses import start_of
from proxops.results.run import Signal
from proxops.scenario.load import Scenario


def start_row(scenario: Scenario) -> tuple[tuple[Signal, ...], np.ndarray]:
    """The signals that a scene needs, and their values (1 + widths,) at the start."""
    signals, row = [], [np.zeros(1)]
    for name, unit, frame, value in _values(scenario):
        signals.append(Signal(name, unit, frame, value.shape))
        row.append(value.ravel())
    return tuple(signals), np.concatenate(row)


def _values(scenario: Scenario) -> Iterator[tuple[str, str, str, np.ndarray]]:
    """Name, unit, frame and value of each signal."""
    chaser, target, _ = describe(scenario, as_drawn=True)
    start = start_of(*describe(scenario))
    yield "chaser.p_HC", "m", "H", start.X_HC.p
    yield "target.p_HT", "m", "H", start.X_HT.p
    yield "target.p_HTcm", "m", "H", np.zeros(3)  # where the reference orbit goes through
    yield "relative.p_CT", "m", "C", start.X_CT.p
    for craft, letter, given in (("chaser", "C", chaser), ("target", "T", target)):
        yield f"{craft}.q_N{letter}", "", "", given.q_N
        yield f"{craft}.w_N{letter}_{letter}", "rad/s", letter, given.w
        for each in given.appendages:
            yield f"{craft}.appendages.{each.name}.q_f", each.unit, "", each.q_f
    for mounted in chaser.arms:
        yield f"chaser.arms.{mounted.name}.q", "rad", "", mounted.q
    yield "obsw.phase", "", "", np.zeros(())
    if scenario.mission.robot is not None:  # the mock-up begins where the target is
        yield "lab.p_LTl", "m", "L", start.X_HT.p
        yield "lab.q_LTl", "", "", target.q_N
