"""The loop: start reading here.

Every tick, at time t:

    plant ─truth─► sensors ─measurements─► on-board software ─commands─► actuators ─forces─► plant

and the plant advances to t + step.  It is written once; what differs between the orbit, a robot
that renders the target and a cell of two robots is a *world*, four compiled functions on the same
arguments (see sim.worlds):

    begin(model, state, work, lab, watch, h)             before the first tick
    show(model, state, work, lab)                        truth, as sensors are shown it
    advance(model, state, work, lab, watch, t, h)        one sub-step from t to t + h; a status
    write(model, state, work, lab, log, span)            one row

`lab` is what a world has besides model, state and workspace of the plant.

The loop is deterministic: it reads no clock, opens no file and draws no random number.
"""

from collections.abc import Callable
from typing import Any

from proxops.core.clock import NS_PER_S
from proxops.core.jit import part
from proxops.onboard.function import DONE
from proxops.plant.step import OK
from proxops.sim.collisions import watch_collisions
from proxops.sim.events import watch_stops
from proxops.sim.pace import look_at_pace
from proxops.sim.stages import brakes_are_due, control
from proxops.sim.state import BEGUN


def loop_of(
    begin: Callable[..., None],
    show: Callable[..., None],
    advance: Callable[..., int],
    write: Callable[..., None],
) -> Any:
    """The loop of a world: a part that a kernel of the world's module wraps, since Numba stores no
    function that is made here.  `touching` = (plant, y, scratch) has contacts and holds."""

    @part
    def loop(model, state, work, lab, touching, log, span):
        """Ticks until the span ends, its `ticks` are done, its `events` have happened, another pace
        is in force, brakes are to be set or released, or something is to be done in Python
        (WANTS_PYTHON)."""
        passed = span.step / NS_PER_S
        h = passed / span.substeps
        if state.clock[BEGUN] == 0:
            state.clock[BEGUN] = 1
            begin(model, state, work, lab, log.watch, h)
            watch_collisions(model, state, work, touching, 0.0, log.watch)
        for _ in range(span.ticks):
            if state.clock[0] >= span.end or log.watch.length[0] >= span.events:
                break
            if log.row_count[0] + 2 > log.rows.shape[0]:  # one now, one at the last instant
                break
            if brakes_are_due(state, span):
                break
            if model.paces.shape[0] > 0 and look_at_pace(model, state, touching, span, log.watch):
                break
            if state.clock[0] % span.control == 0:
                show(model, state, work, lab)
                status = control(model, state, touching, span, log.watch)
                if status != DONE:
                    return status
            if state.clock[0] % span.record == 0:
                write(model, state, work, lab, log, span)
            for substep in range(span.substeps):
                t = state.clock[0] / NS_PER_S + substep * h
                status = advance(model, state, work, lab, log.watch, t, h)
                if status != OK:
                    return status
            state.clock[0] += span.step
            watch_stops(model.plant, state.y, state.clock[0] / NS_PER_S, log.watch)
            watch_collisions(model, state, work, touching, passed, log.watch)
        if span.last and state.clock[0] == span.end:
            write(model, state, work, lab, log, span)  # no tick comes after the last instant
        return OK

    return loop
