"""Work and precision: CPU time that each engine needs for a tip error of 1e-5 m in 35 s.

The controller samples every HOLD_S, whatever the step; each engine takes the longest step of the
ladder that is good enough.  The reference is our own at a fine step, checked against MuJoCo's.
"""

import statistics
import time

import numpy as np

from benchmarks.engines import OURS, Entry
from benchmarks.peers.model import Chain, State, space_arm
from benchmarks.peers.tumble import DURATION_S, Engine, distance, fly
from benchmarks.timing import Effort, say, table

HOLD_S = 0.2
TIP_ERROR_M = 1e-5
LADDER = (1, 2, 4, 5, 8, 10, 20, 40, 100, 200, 400)  # steps a hold
FINE = 200  # steps a hold of the reference


class _Held:
    """An engine that moves a whole hold in a step, and counts the CPU time of just that."""

    def __init__(self, engine: Engine, steps: int) -> None:
        self._engine, self._steps = engine, steps
        self.set_state, self.joints, self.state = engine.set_state, engine.joints, engine.state
        self.cpu_s = 0.0

    def step(self, tau: np.ndarray) -> None:
        start = time.process_time()
        self._engine.run(tau, self._steps)
        self.cpu_s += time.process_time() - start


def _flight(entry: Entry, chain: Chain, steps: int) -> tuple[list[State], float]:
    held = _Held(entry.make(chain, HOLD_S / steps), steps)
    return fly(held, chain, HOLD_S), held.cpu_s


def _tip_error(chain: Chain, flight: list[State], reference: list[State]) -> float:
    return max(distance(chain, a, b) for a, b in zip(flight, reference, strict=True))


def _euler(entries: list[Entry]) -> list[Entry]:
    """MuJoCo's default integrator is what most of its users run."""
    if not any(entry.key == "mujoco" for entry in entries):
        return []
    from benchmarks.peers.mujoco_peer import MujocoPeer, euler_peer

    return [Entry("euler", "MuJoCo Euler (its default)", MujocoPeer.version, euler_peer, None)]


def work_precision(entries: list[Entry], effort: Effort) -> str:
    """Table of the step, the error and the CPU time of each engine."""
    chain = space_arm()
    by_key = {entry.key: entry for entry in entries}
    say("work and precision: reference ...")
    reference, _ = _flight(by_key[OURS], chain, FINE)
    note = "The reference is proxops at 1 ms; MuJoCo is not installed to check it."
    if "mujoco" in by_key:
        gap = _tip_error(chain, _flight(by_key["mujoco"], chain, FINE)[0], reference)
        note = f"The reference is proxops at 1 ms; MuJoCo's at 1 ms differs by {gap:.0e} m."
    entries = entries + _euler(entries)
    chosen = {entry.key: _choose(entry, chain, reference) for entry in entries}
    times: dict[str, list[float]] = {entry.key: [] for entry in entries}
    for _ in range(effort.rounds):
        for entry in entries:
            times[entry.key].append(_flight(entry, chain, chosen[entry.key][0])[1])
    cpu = {key: statistics.median(values) for key, values in times.items()}
    rows = []
    for entry in entries:
        steps, error = chosen[entry.key]
        reached = error <= TIP_ERROR_M
        ms = 1e3 * cpu[entry.key]
        rows.append(
            [
                entry.name,
                f"{1e3 * HOLD_S / steps:g}",
                f"{error:.1e}" + ("" if reached else " (not reached)"),
                f"{ms:.2f}" if reached else f"> {ms:.0f}",
                f"{'' if reached else '> '}{cpu[entry.key] / cpu[OURS]:.1f}",
            ]
        )
    head = ["engine", "longest step [ms]", "tip error [m]", "CPU time [ms]", "times proxops"]
    return f"{table(head, rows)}\n\n{note}  Flight: {DURATION_S:g} s."


def _choose(entry: Entry, chain: Chain, reference: list[State]) -> tuple[int, float]:
    """The fewest steps a hold that are good enough, with their error; else the most."""
    for steps in LADDER:
        say(f"work and precision: {entry.name}, {steps} steps a hold ...")
        error = _tip_error(chain, _flight(entry, chain, steps)[0], reference)
        if error <= TIP_ERROR_M:
            break
    return steps, error
