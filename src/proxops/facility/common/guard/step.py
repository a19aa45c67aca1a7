"""One cycle of the guard: the command goes out as it is, or both robots stop."""

from collections.abc import Callable
from typing import Any

from proxops.core.jit import helper, part
from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.clearance import least_slack
from proxops.facility.common.guard.judge import ask, fine, input_violation, motion_violation
from proxops.facility.common.guard.stopping import (
    clock_at,
    cycle_of,
    furthest,
    place_at,
    shortest_stop,
    sweep,
)
from proxops.facility.common.guard.table import Violation

MAX_CHECKS = 16  # at clearances on the way of one stop: a cycle must end in time


@helper
def _clearance_violation(guard, slack, which, stopping):
    """A pair or a wall that comes too close; found and limit are distances [m]."""
    pairs = guard.pairs.shape[0]
    if which < pairs:
        least = guard.pairs[which, of.LEAST]
        reason = of.STOP_CLEARANCE if stopping else of.CLEARANCE
    else:
        least = guard.walls[which - pairs, of.LEAST]
        reason = of.STOP_WORKSPACE if stopping else of.WORKSPACE
    return Violation(reason, which, least + slack, least)


@part
def _log(memory, violation):
    """Notes why the guard acts; a full log keeps the first rows and counts what it loses."""
    memory.status[of.REASON] = violation.reason
    log = memory.log
    row = int(log[0, of.USED]) + 1
    if row >= log.shape[0]:
        log[0, of.LOST] += 1.0
        return
    log[0, of.USED] = row
    log[row, of.CYCLE] = memory.status[of.COUNT]
    log[row, of.WHY] = violation.reason
    log[row, of.WHICH] = violation.which
    log[row, of.FOUND] = violation.found
    log[row, of.LIMIT] = violation.limit


@helper
def _copy(motion, target):
    for row in range(motion.shape[0]):
        for axis in range(motion.shape[1]):
            target[row, axis] = motion[row, axis]


@helper
def _begin_stop(memory, cycles):
    """From what was sent last, within so many cycles."""
    _copy(memory.sent, memory.brake)
    memory.status[of.MODE] = of.BRAKING
    memory.status[of.CYCLES] = cycles
    memory.status[of.DONE] = 0


@part
def _go_on_stopping(guard, memory):
    """Sends the next cycle of the stop; the one after the last has neither speed nor change."""
    status, sent = memory.status, memory.sent
    status[of.DONE] += 1
    cycles = status[of.CYCLES]
    N = float(cycles)
    i = min(float(status[of.DONE]), N)
    place_at(memory.brake, clock_at(N, i), guard.settings[of.PERIOD], sent[of.Q])
    pace = cycle_of(N, i)
    for axis in range(sent.shape[1]):
        v, before = memory.brake[of.V, axis], memory.brake[of.V_BEFORE, axis]
        sent[of.V_BEFORE, axis] = sent[of.V, axis]
        sent[of.V, axis] = pace.w * v + pace.u * (v - before)
    # after a second cycle at rest no acceleration is left that a first command had to continue
    if status[of.DONE] > cycles:
        status[of.MODE] = of.STOPPED
        memory.numbers[of.SLACK] = 0.0  # the end of a stop is shown to have no less


def guard_of(frames_of: Callable[..., Any]) -> Any:
    """The cycle for robots whose frames `frames_of(cell, q, frames)` writes, see table.POSITION.

    `cell` is whatever that function needs, with the joints of the arm as they are now.
    """

    @part
    def look(guard, cell, memory, q):
        """(slack, which) of the smallest clearance at joint positions q."""
        frames_of(cell, q, memory.frames)
        return least_slack(guard, memory.frames, memory.ends)

    @part
    def path_violation(guard, cell, memory, motion, cycles, slack):
        """What comes too close on the way of a stop, or NONE.

        The slack s of clearances changes by no more than is swept.  Between two looks with s, s'
        and D swept it is at least (s + s' - D)/2: with D ≤ s + 2 margin and s' ≥ 0 no less than
        -margin.  Where what is still to be swept is less than s, no look is needed.
        """
        margin = guard.settings[of.MARGIN]
        now, end = 0.0, clock_at(float(cycles), float(cycles))
        for _ in range(MAX_CHECKS):
            if sweep(guard, motion, now, end) <= slack:
                return fine()
            then = furthest(guard, motion, now, end, slack + 2.0 * margin)
            place_at(motion, then, guard.settings[of.PERIOD], memory.trial)
            slack, which = look(guard, cell, memory, memory.trial)
            if not slack >= 0.0:
                return _clearance_violation(guard, slack, which, True)
            if then == end:
                return fine()
            now = then
        return Violation(of.UNPROVEN, 0, float(MAX_CHECKS), float(MAX_CHECKS))

    @part
    def judge(guard, cell, memory, given, starting):
        """(fault, N, slack): why the command is not to be sent, or NONE with the stop from it."""
        violation = input_violation(guard, memory, given, starting)
        if violation.reason != of.NONE:
            return violation, 0, 0.0
        ask(guard, memory, given.q)
        violation = motion_violation(guard, memory, given.cues[of.OVERRIDE], starting)
        if violation.reason != of.NONE:
            return violation, 0, 0.0
        cycles, violation = shortest_stop(guard, memory.commanded, False)
        if violation.reason != of.NONE:
            return violation, 0, 0.0
        slack, which = look(guard, cell, memory, given.q)
        if not slack >= 0.0:
            return _clearance_violation(guard, slack, which, False), 0, 0.0
        swept = 0.0
        for axis in range(given.q.shape[0]):
            change = abs(given.q[axis] - memory.sent[of.Q, axis])
            swept += guard.axes[axis, of.REACH] * change
        allowed = slack + memory.numbers[of.SLACK] + 2.0 * guard.settings[of.MARGIN]
        if not swept <= allowed:
            return Violation(of.UNPROVEN, 0, swept, allowed), 0, 0.0
        return path_violation(guard, cell, memory, memory.commanded, cycles, slack), cycles, slack

    @part
    def harden(guard, cell, memory):
        """Takes the stop of an emergency, if that is shorter and as safe."""
        cycles, violation = shortest_stop(guard, memory.sent, True)
        left = memory.status[of.CYCLES] - memory.status[of.DONE]
        if violation.reason != of.NONE or cycles >= left:
            return
        slack, _ = look(guard, cell, memory, memory.sent[of.Q])
        violation = path_violation(guard, cell, memory, memory.sent, cycles, slack)
        if violation.reason == of.NONE:
            _begin_stop(memory, cycles)

    @part
    def find_first_stop(guard, cell, memory):
        """Looks for a stop from the motion that the guard takes over; without one it does not."""
        cycles, violation = shortest_stop(guard, memory.sent, False)
        slack = 0.0
        if violation.reason == of.NONE:
            slack, which = look(guard, cell, memory, memory.sent[of.Q])
            if not slack >= 0.0:
                violation = _clearance_violation(guard, slack, which, False)
            else:
                violation = path_violation(guard, cell, memory, memory.sent, cycles, slack)
        if violation.reason != of.NONE:
            _log(memory, violation)
            memory.status[of.MODE] = of.STOPPED
            return
        memory.status[of.CYCLES] = cycles
        memory.numbers[of.SLACK] = slack

    @part
    def guard_step(guard, cell, memory, given):
        """One cycle: afterwards `memory.sent[Q]` is what both robots get [rad]; the mode.

        - STOPPED: stands; a rising `RESET` without an emergency takes the command as a first one.
        - RUNNING: sends the command as it is, if the motion it makes is inside all limits and a
          stop from there is; otherwise begins the stop that was possible after the last one.
        - BRAKING: goes on to the end, whatever comes; an emergency may only shorten it.
        """
        status = memory.status
        status[of.COUNT] += 1
        status[of.REASON] = of.NONE
        reset = 1 if given.cues[of.RESET] == 1.0 else 0
        rises = reset == 1 and status[of.RESET_CUE] == 0
        status[of.RESET_CUE] = reset
        if status[of.MODE] == of.RUNNING and status[of.CYCLES] == 0:
            find_first_stop(guard, cell, memory)
        mode = status[of.MODE]
        if mode == of.RUNNING or (mode == of.STOPPED and rises):
            starting = mode == of.STOPPED
            violation, cycles, slack = judge(guard, cell, memory, given, starting)
            if violation.reason == of.NONE:
                _copy(memory.commanded, memory.sent)
                status[of.MODE] = of.RUNNING
                status[of.CYCLES] = cycles
                memory.numbers[of.LAST_SEQUENCE] = given.cues[of.SEQUENCE]
                memory.numbers[of.SLACK] = slack
                if starting:
                    _log(memory, Violation(of.RELEASED, 0, 0.0, 0.0))
            else:
                _log(memory, violation)
                if not starting:
                    status[of.HARD] = 0
                    _begin_stop(memory, status[of.CYCLES])
        if status[of.MODE] == of.BRAKING:
            if given.cues[of.EMERGENCY] != 0.0 and status[of.HARD] == 0:
                status[of.HARD] = 1
                if mode == of.BRAKING:
                    _log(memory, Violation(of.EMERGENCY_STOP, 0, given.cues[of.EMERGENCY], 0.0))
                harden(guard, cell, memory)
            _go_on_stopping(guard, memory)
        return status[of.MODE]

    return guard_step
