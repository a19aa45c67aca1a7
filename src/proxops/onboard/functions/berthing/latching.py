"""Latches: commanded where their switches say that they can close, and again where they missed."""

from proxops.core.jit import part
from proxops.onboard.functions.berthing.memory import LATCHED


@part
def close_latches(wanted, retry, memory, inputs, holds):
    """Closes the holds of a leg; whether all are closed.  One that has not closed in time is
    opened, and commanded again."""
    t, done = inputs.t[0], True
    again = t >= memory[LATCHED] + retry
    for i in range(holds.shape[0]):
        if wanted[i] == 0.0 or inputs.latches_closed[i] == 1.0:
            continue
        done = False
        if holds[i] == 0.0 and inputs.latches_ready[i] == 1.0:
            holds[i] = 1.0
            memory[LATCHED] = t
        elif again:
            holds[i] = 0.0
    return done


@part
def any_closed(inputs):
    """Whether any hold is closed: from then on the arm is not what keeps the target."""
    closed = False
    for i in range(inputs.latches_closed.shape[0]):
        closed = closed or inputs.latches_closed[i] == 1.0
    return closed


@part
def open_latches(wanted, inputs, holds):
    """Opens the holds of a leg; whether all are open."""
    done = True
    for i in range(holds.shape[0]):
        if wanted[i] == 1.0:
            holds[i] = 0.0
            done = done and inputs.latches_closed[i] == 0.0
    return done
