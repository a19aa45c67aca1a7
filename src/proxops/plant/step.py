"""Advancing the plant by one step."""

import math

from proxops.core.jit import helper, kernel, part
from proxops.core.spatial.quaternion import get4, put4, quat_normalised
from proxops.core.spatial.vector import dot, get3
from proxops.physics.integrate.rk4 import rk4_of
from proxops.plant import layout
from proxops.plant.rates import System, plant_rates

OK = 0
NOT_FINITE = 1  # some state became infinite or undefined
STATUS_TEXT = {
    NOT_FINITE: "the state is no longer finite: the step is too long for the forces acting",
}

rk4_step = rk4_of(plant_rates)


@helper
def settle(y):
    """Normalises a spacecraft's attitude; whether its motion is finite.

    Any state that is not reaches the hub's motion within a step, so the hub is all to look at.
    """
    put4(y, layout.Q, quat_normalised(get4(y, layout.Q)))
    p, v, w = get3(y, layout.P), get3(y, layout.V), get3(y, layout.W)
    return math.isfinite(dot(p, p) + dot(v, v) + dot(w, w))


@part
def advance(plant, drive, work, y, t, h):
    """Advances y in place from t to t + h [s] by one Runge-Kutta step; returns a status."""
    rk4_step(System(plant, drive, work.scratch), y, work.stages, t, h)
    chaser_is_finite = settle(y[: layout.target_start(plant)])
    target_is_finite = settle(y[layout.target_start(plant) :])
    return OK if chaser_is_finite and target_is_finite else NOT_FINITE


@kernel
def step(plant, drive, work, y, t, h):
    """`advance`, callable from Python."""
    return advance(plant, drive, work, y, t, h)
