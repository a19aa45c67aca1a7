"""Which thrusters do as they are commanded, from the impulses that they report.

Between two reports, T apart, a thruster was commanded to burn for C.  The impulse that it gave says
for how long it did, D = J/F with its believed thrust F:

    missing += C - D    while D < C/2,            none where it gave more
    excess  += D - C    while D - C > (T - C)/2,  none where it gave less

What is missing beyond 50 ms and its shortest pulse, for which a valve may have to rest before it
opens, is stuck closed and not commanded any more.  One with such an excess is stuck open: neither
is it, and its isolation valve is closed.  A thruster that is a tenth weak is neither.

Reports are compared with what was commanded up to the time of the report.  While commands are
carried out late they say nothing.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.core.jit import part
from proxops.core.select import select
from proxops.core.spatial.vector import norm
from proxops.onboard.functions.allocation.demand import FORCE
from proxops.physics.multibody.tree import load3

PATIENCE = 0.05  # with a thruster that does not do as it is commanded, beyond its pulse [s]
ENOUGH = 0.5  # share of the burn, or of the pause, that it must have done

ROUNDING = 1e-9  # of sums of burns [s]

# Verdicts
WORKS, STUCK_CLOSED, STUCK_OPEN = 0.0, 1.0, 2.0

# Entries of MonitorState.notes
REPORT_COUNT = 0  # count of the latest report that was looked at
REPORT_T = 1  # when it was made [s]; negative: there is none to compare with
FINDINGS = 2  # so far
FINDING = 3  # the latest: number from 1 on, negative where it is stuck open; time; limit [s]
NOTES = 6


class MonitorState(NamedTuple):
    """What changes."""

    commanded: np.ndarray  # burn time up to each of the latest cycles, in turn (rows, n) [s]
    cycles: np.ndarray  # number of the cycle of each row, -1 for none
    total: np.ndarray  # burn time commanded so far (n,) [s]
    then: np.ndarray  # that at the latest report (n,) [s]
    impulse: np.ndarray  # in the report (n,) [N s]
    missing: np.ndarray  # (n,) [s]
    excess: np.ndarray  # (n,) [s]
    verdict: np.ndarray  # WORKS, STUCK_CLOSED or STUCK_OPEN (n,)
    notes: np.ndarray


def start(count: int, delay: float, period: float) -> MonitorState:
    """Of so many thrusters, whose reports arrive with a delay, cycles a period apart [s]."""
    rows = int(np.ceil(delay / period)) + 2
    total, then, impulse, missing, excess = np.zeros((5, count))
    notes = np.zeros(NOTES)
    notes[REPORT_T] = -1.0
    return MonitorState(
        np.zeros((rows, count)),
        np.full(rows, -1.0),
        total,
        then,
        impulse,
        missing,
        excess,
        np.full(count, WORKS),
        notes,
    )


@part
def note_cycle(state, t, period):
    """Notes what was commanded up to the cycle that begins at the time t [s]."""
    cycle = int(t / period + 0.5)
    row = cycle % state.cycles.shape[0]
    state.cycles[row] = cycle
    for i in range(state.total.shape[0]):
        state.commanded[row, i] = state.total[i]


@part
def note_valves(state, valves, period):
    """Adds the burns of a cycle."""
    for i in range(valves.shape[0]):
        state.total[i] += period * valves[i]


@part
def watch(state, wrenches, shortest, inputs, period):
    """Looks at a new report.  wrenches (n, 6) are believed, at full thrust; `shortest` is the pulse
    of each thruster, `period` that of cycles [s]."""
    notes, t = state.notes, inputs.telemetry_t[0]
    if inputs.telemetry_count[0] == notes[REPORT_COUNT]:
        return
    notes[REPORT_COUNT] = inputs.telemetry_count[0]
    cycle = int(t / period + 0.5)
    row = cycle % state.cycles.shape[0]
    counts = inputs.telemetry_lateness[0] == 0.0 and state.cycles[row] == cycle
    since = t - notes[REPORT_T]
    for i in range(state.total.shape[0]):
        asked = state.commanded[row, i] - state.then[i]
        thrust = norm(load3(wrenches, i, FORCE))
        burnt = (inputs.telemetry_impulse[i] - state.impulse[i]) / thrust
        if counts and notes[REPORT_T] >= 0.0:
            add_up(state, i, since, asked, burnt)
        else:
            state.missing[i], state.excess[i] = 0.0, 0.0
        state.then[i], state.impulse[i] = state.commanded[row, i], inputs.telemetry_impulse[i]
    notes[REPORT_T] = t if counts else -1.0
    give_up(state, shortest)


@part
def add_up(state, i, since, asked, burnt):
    """Adds up what a thruster that was commanded to burn so long did in the time between two
    reports, all in [s]; rounding of sums is no burn."""
    missing = select(burnt < ENOUGH * asked, state.missing[i] + asked - burnt, 0.0)
    state.missing[i] = select(asked > ROUNDING, missing, state.missing[i])
    beyond = burnt - asked > ENOUGH * (since - asked)
    excess = select(beyond, state.excess[i] + burnt - asked, 0.0)
    state.excess[i] = select(since - asked > ROUNDING, excess, state.excess[i])


@part
def give_up(state, shortest):
    """Gives up the first thruster that is beyond its limit: one a report, so that each is an event
    of its own."""
    for i in range(state.verdict.shape[0]):
        limit = PATIENCE + shortest[i]
        if state.verdict[i] != STUCK_OPEN and state.excess[i] > limit:
            note_finding(state, i, STUCK_OPEN, state.excess[i], limit)
            return
        if state.verdict[i] == WORKS and state.missing[i] > limit:
            note_finding(state, i, STUCK_CLOSED, state.missing[i], limit)
            return


@part
def note_finding(state, i, verdict, found, limit):
    """Notes what is wrong with a thruster, from a time found beyond its limit [s]."""
    state.verdict[i] = verdict
    notes = state.notes
    notes[FINDINGS] += 1.0
    notes[FINDING] = -(i + 1.0) if verdict == STUCK_OPEN else i + 1.0
    notes[FINDING + 1], notes[FINDING + 2] = found, limit


# --- Python -------------------------------------------------------------------------------------


class FindingTexts:
    """Says in words what is wrong with a thruster."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)

    def __call__(self, findings: float, details: np.ndarray) -> tuple[str, str] | None:
        number, found, limit = details
        if findings == 0.0 or number == 0.0:
            return None
        name = self._names[abs(int(number)) - 1]
        if number < 0.0:
            return "thruster-isolated", (
                f"obsw.allocation: thruster {name} has pushed for {found:.3g} s without a command, "
                f"limit {limit:.3g} s; its isolation valve is closed"
            )
        return "thruster-given-up", (
            f"obsw.allocation: thruster {name} has not pushed for {found:.3g} s of the burns "
            f"commanded, limit {limit:.3g} s; it is not used any more"
        )
