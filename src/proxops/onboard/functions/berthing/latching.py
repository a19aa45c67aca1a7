"""Latches: commanded once their switches have said for a while that they lie ready, and again where
they missed.

    e(t) = e₀ exp(-t/τ)     what a soft latch draws in is off by, as the limit of a hard one is met

A switch says no more than that the limit is met.  So a latch that closes at once closes with all of
its limit used; after a while t of readiness, with the share exp(-t/τ) of it.

What keeps a latch from being ready, the joints of the arm say, which holds the target: X_CT = X_CE
X_ET, X_ET being that of the grip as it should be.
"""

import math

from proxops.core.jit import part
from proxops.core.spatial.pose import compose, inverse
from proxops.core.spatial.quaternion import quat_log
from proxops.core.spatial.vector import norm
from proxops.onboard.functions.berthing.kinds import PORT_ANGLE, PORT_OFFSET
from proxops.onboard.functions.berthing.memory import BEGAN, LATCHED
from proxops.onboard.functions.berthing.monitor import give_up
from proxops.onboard.functions.berthing.parameters import ANGLE, AT_TARGET, OFFSET
from proxops.onboard.functions.capture.parameters import get_pose


@part
def close_latches(wanted, waits, memory, ready_since, inputs, holds):
    """Closes the holds of a leg; whether all are closed.  `waits` are for how long one must have
    been ready, and after which one that has not closed is opened and commanded again [s]."""
    t, done = inputs.t[0], True
    again = t >= memory[LATCHED] + waits[1]
    for i in range(holds.shape[0]):
        if inputs.latches_ready[i] == 0.0:
            ready_since[i] = t
        if wanted[i] == 0.0 or inputs.latches_closed[i] == 1.0:
            continue
        done = False
        ready = inputs.latches_ready[i] == 1.0 and t >= ready_since[i] + waits[0]
        if holds[i] == 0.0 and ready:
            holds[i] = 1.0
            memory[LATCHED] = t
        elif again:
            holds[i] = 0.0
    return done


@part
def watch_readiness(belief, unready, memory, wanted, inputs, X_CE):
    """Gives up once a latch of the leg has not been ready for too long [s], with that by which it
    lies farther outside of its envelope."""
    if inputs.t[0] <= memory[BEGAN] + unready:
        return
    X_TE = compose(get_pose(belief.grapple), get_pose(belief.grasp))
    X_CT = compose(X_CE, inverse(X_TE))
    for i in range(wanted.shape[0]):
        if wanted[i] == 0.0 or inputs.latches_ready[i] + inputs.latches_closed[i] > 0.0:
            continue
        row = belief.ports[i]
        if math.isinf(row[OFFSET]):
            continue
        q, p = compose(inverse(get_pose(row)), compose(X_CT, get_pose(row[AT_TARGET:])))
        offset, angle = norm(p), norm(quat_log(q))
        if angle / row[ANGLE] > offset / row[OFFSET]:
            give_up(memory, PORT_ANGLE, angle, row[ANGLE])
        else:
            give_up(memory, PORT_OFFSET, offset, row[OFFSET])


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
