"""Motion of a multirotor: rotors that lag behind their commands, and a rigid body in moving air.

    Ṫ = (T_c - T)/τ                              thrusts [N]
    m v̇ = R H_f diag(e) T - c (v - v_air) - m g z
    J ẇ = H_t diag(e) T - w × J w

p, v in the lab L (z up), R = R_LV, w in body axes V; e are the shares of thrust that rotors keep
in a wake or with a fault.  Steady air of its own motion is part of the drag c.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import get4, put4, quat_normalised, quat_rate, quat_to_rotation
from proxops.core.spatial.vector import add, cross, get3, mul, put3, scale, sub
from proxops.physics.integrate.rk4 import rk4_of
from proxops.physics.multirotor.mixer import ROTORS

# The state of a vehicle
P = 0  # p_LV [m]
V = 3  # its velocity in L [m/s]
Q = 6  # q_LV
W = 10  # w_LV_V [rad/s]
T = 13  # thrusts [N]
STATE_SIZE = 19


class Body(NamedTuple):
    """A vehicle and what acts on it during a step."""

    mass: float  # [kg]
    inertia: np.ndarray  # principal, about V's axes (3,) [kg m2]
    mixer: np.ndarray  # H (6, 6)
    lag: float  # τ [s]
    drag: float  # c [N s/m]
    gravity: float  # [m/s2]
    commands: np.ndarray  # T_c (6,) [N]
    shares: np.ndarray  # e (6,)
    air: np.ndarray  # v_air in L (3,) [m/s]


@helper
def _sum(body, y, row):
    total = 0.0
    for i in range(ROTORS):
        total += body.mixer[row, i] * body.shares[i] * y[T + i]
    return total


@helper
def acceleration(body, y):
    """v̇ in L [m/s2]."""
    f = (_sum(body, y, 0), _sum(body, y, 1), _sum(body, y, 2))
    R = quat_to_rotation(get4(y, Q))
    push = sub(mul(R, f), scale(body.drag, sub(get3(y, V), get3(body.air, 0))))
    return add(scale(1.0 / body.mass, push), (0.0, 0.0, -body.gravity))


@part
def rates(body, y, t, k):
    """Writes dy/dt."""
    w, J = get3(y, W), body.inertia
    h = (J[0] * w[0], J[1] * w[1], J[2] * w[2])
    t_b = sub((_sum(body, y, 3), _sum(body, y, 4), _sum(body, y, 5)), cross(w, h))
    put3(k, P, get3(y, V))
    put3(k, V, acceleration(body, y))
    put4(k, Q, quat_rate(get4(y, Q), w))
    put3(k, W, (t_b[0] / J[0], t_b[1] / J[1], t_b[2] / J[2]))
    for i in range(ROTORS):
        k[T + i] = (body.commands[i] - y[T + i]) / body.lag


_rk4 = rk4_of(rates)


@part
def advance_body(body, y, workspace, h):
    """Brings a vehicle's state (19,) on by h [s], in place; `workspace` has the rows of an RK4
    step."""
    _rk4(body, y, workspace, 0.0, h)
    put4(y, Q, quat_normalised(get4(y, Q)))
