"""Advancing the plant by one step."""

import math

from proxops.core.jit import kernel, part
from proxops.core.spatial.quaternion import get4, put4, quat_normalised
from proxops.physics.integrate.rk4 import rk4_of
from proxops.plant import layout
from proxops.plant.rates import System, plant_rates

OK = 0
NOT_FINITE = 1  # some state became infinite or undefined
STATUS_TEXT = {
    NOT_FINITE: "the state is no longer finite: the step is too long for the forces acting",
}

rk4_step = rk4_of(plant_rates)


@part
def renormalise(y):
    """Takes the integrator's last rounding out of a spacecraft's attitude."""
    put4(y, layout.Q, quat_normalised(get4(y, layout.Q)))


@part
def advance(plant, drive, work, y, t, h):
    """Advances y in place from t to t + h [s] by one Runge-Kutta step; returns a status."""
    rk4_step(System(plant, drive, work), y, work.stages, t, h)
    renormalise(layout.chaser_part(plant, y))
    renormalise(layout.target_part(plant, y))
    total = 0.0
    for i in range(y.shape[0]):
        total += y[i]
    return OK if math.isfinite(total) else NOT_FINITE


@kernel
def step(plant, drive, work, y, t, h):
    """`advance`, callable from Python."""
    return advance(plant, drive, work, y, t, h)
