"""Which part of the base's torque wheels take, and what is left to thrusters.

A wheel whose motor gives τ about its axis a pushes the hub by -τ a.  To turn the hub by T, wheels
with the momentum h against the hub shall push by T + h/T_u: the second part slows them down within
the time T_u, and thrusters hold against it.

    h = Σ J Ω a,    min |Σ τ a + T + h/T_u|²,    thrusters push by T + Σ τ a

Each τ stays within the motor's limit and within what brings its wheel to its greatest speed in one
period.  Whatever wheels do not take, for whatever reason, thrusters are left with.  Unloading takes
out momentum, not speed: wheels that turn against each other go on.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.core.description import WheelDescription
from proxops.core.jit import helper, part
from proxops.core.select import any_of
from proxops.core.spatial.vector import ZERO, add, add3, get3, put3, scale
from proxops.onboard.functions.allocation.within_bounds import (
    BOUNDS_WIDTH,
    HIGH,
    LOW,
    nearest_within_bounds,
)
from proxops.physics.multibody.tree import load3


class Wheels(NamedTuple):
    """Wheels as on-board software believes them to be."""

    axes: np.ndarray  # a, in C (n, 3)
    inverse: np.ndarray  # least torques for a sum Σ τ a (n, 3)
    normal: np.ndarray  # products of the axes with each other (n, n)
    inertia: np.ndarray  # J [kg m2] (n,)
    max_torque: np.ndarray  # [N m] (n,)
    max_speed: np.ndarray  # [rad/s] (n,)
    unloading: float  # T_u [s], inf for none
    period: float  # between two cycles [s]


class WheelWorkspace(NamedTuple):
    """What a cycle overwrites."""

    wanted: np.ndarray  # of Σ τ a [N m] (3,)
    bounds: np.ndarray  # of the motors' torques [N m] (n, 2)


def build(wheels: Sequence[WheelDescription], unloading: float, period: float) -> Wheels:
    """From the wheels' axes and limits; their order is that of their joints."""
    axes = np.array([wheel.axis for wheel in wheels], dtype=float).reshape(-1, 3)
    return Wheels(
        axes,
        np.ascontiguousarray(np.linalg.pinv(axes.T)),
        np.ascontiguousarray(axes @ axes.T),
        np.array([wheel.inertia for wheel in wheels], dtype=float),
        np.array([wheel.max_torque for wheel in wheels], dtype=float),
        np.array([wheel.max_speed for wheel in wheels], dtype=float),
        float(unloading),
        float(period),
    )


def workspace_for(wheels: Wheels) -> WheelWorkspace:
    """Of one cycle."""
    return WheelWorkspace(np.zeros(3), np.zeros((len(wheels.axes), BOUNDS_WIDTH)))


@helper
def momentum(wheels, rates):
    """h of the wheels against the hub [N m s], in C."""
    h = ZERO
    for i in range(rates.shape[0]):
        h = add(h, scale(wheels.inertia[i] * rates[i], load3(wheels.axes, i, 0)))
    return h


@part
def bound(wheels, rates, bounds):
    """Writes within what the motors' torques must stay [N m]."""
    for i in range(rates.shape[0]):
        limit, reach = wheels.max_torque[i], wheels.inertia[i] / wheels.period
        bounds[i, HIGH] = min(max(reach * (wheels.max_speed[i] - rates[i]), 0.0), limit)
        bounds[i, LOW] = -min(max(reach * (wheels.max_speed[i] + rates[i]), 0.0), limit)


@part
def share_torque(wheels, rates, workspace, torque, commands):
    """Writes the torques of the wheels' motors (n,) [N m]; takes off what they push the hub with
    from its torque (3,) in C [N m], which leaves that of the thrusters.

    Where all torques are within their bounds, they are the least that do.  Where some are not,
    they are cut there, and the other wheels take what they can.
    """
    bound(wheels, rates, workspace.bounds)
    unload = scale(1.0 / wheels.unloading, momentum(wheels, rates))
    put3(workspace.wanted, 0, scale(-1.0, add(get3(torque, 0), unload)))
    bounds, is_cut = workspace.bounds, False
    for i in range(rates.shape[0]):
        least = 0.0
        for axis in range(3):
            least += wheels.inverse[i, axis] * workspace.wanted[axis]
        commands[i] = min(max(least, bounds[i, LOW]), bounds[i, HIGH])
        is_cut = is_cut | (commands[i] != least)
    if any_of(is_cut):
        nearest_within_bounds(wheels.axes, wheels.normal, workspace.wanted, bounds, commands)
    for i in range(rates.shape[0]):
        add3(torque, 0, scale(commands[i], load3(wheels.axes, i, 0)))
