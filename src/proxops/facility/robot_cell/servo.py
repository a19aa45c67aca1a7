"""The axes of a robot: they follow commands late, and like a damped spring.

    q̈ = Ω² (c(t - τ) - q) - 2 Z Ω q̇

Between two commands, one cycle apart, c runs along a straight line, which it has done with when
the later one is τ old.  Nothing that the robots carry moves them.
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part
from proxops.facility.robot_cell.industrial.robot import AXES

ROBOTS = 2
JOINTS = ROBOTS * AXES
ALIKE = 1e-6  # angle below which its cosine is one, to 5e-13


class Servo(NamedTuple):
    """How all axes follow."""

    corner: float  # Ω [rad/s]; zero: without lag
    damping: float  # Z [-]
    delay: int  # τ [steps], at least a cycle
    cycle: int  # between commands [steps]


class Axes(NamedTuple):
    """Where the axes are, and what is on its way to them."""

    q: np.ndarray  # (12,) [rad]
    qd: np.ndarray
    commands: np.ndarray  # one row a cycle, written in turn


def moving(servo: Servo, q: np.ndarray, qd: np.ndarray, step: float) -> Axes:
    """Axes whose commands have long moved with speeds qd [rad/s] and are at q now: they are behind,
    by delay and lag."""
    rows = (servo.delay + servo.cycle - 1) // servo.cycle + 2
    ago = np.arange(rows, 0, -1)  # cycles; the row of a cycle is its number, counted round
    commands = np.empty((rows, JOINTS))
    commands[(-ago) % rows] = q - np.outer(ago * servo.cycle * step, qd)
    lag = 2.0 * servo.damping / servo.corner if servo.corner > 0.0 else 0.0
    axes = Axes(q - (servo.delay * step + lag) * qd, qd.copy(), commands)
    axes.commands[0] = q
    return axes


@helper
def take_command(servo, axes, step, joints):
    """Stores the command of a step that begins a cycle."""
    row = (step // servo.cycle) % axes.commands.shape[0]
    for axis in range(JOINTS):
        axes.commands[row, axis] = joints[axis]


@helper
def wanted(servo, axes, axis, step):
    """The command that reaches an axis as a step begins [rad], and how fast it moves
    [rad per step]."""
    age = step - servo.delay  # when it was the present one
    cycle = age // servo.cycle
    since = age - cycle * servo.cycle
    rows = axes.commands.shape[0]  # those not yet written hold the start
    here = axes.commands[cycle % rows, axis]
    slope = (axes.commands[(cycle + 1) % rows, axis] - here) / servo.cycle
    return here + since * slope, slope


@helper
def _decay(servo, h):
    """(a, cos, sin/√, fade) of ë + 2 Z Ω ė + Ω² e = 0 over a time h [s], a = Z Ω: alike for all
    axes."""
    a = servo.damping * servo.corner
    square = servo.corner**2 - a**2
    root = math.sqrt(abs(square))
    if root * h < ALIKE:  # critically damped, as far as h can tell
        c, s = 1.0, h
    elif square > 0.0:
        c, s = math.cos(root * h), math.sin(root * h) / root
    else:
        c, s = math.cosh(root * h), math.sinh(root * h) / root
    return a, c, s, math.exp(-a * h)


@helper
def _settle(servo, decay, e, v):
    """(e, ė) as they have decayed from (e, v)."""
    a, c, s, faded = decay
    return faded * (e * c + (v + a * e) * s), faded * (v * c - (a * v + servo.corner**2 * e) * s)


@part
def follow(servo, axes, step, h):
    """Moves all axes from a step to the next, h [s] later."""
    decay = _decay(servo, h)
    for axis in range(JOINTS):
        command, per_step = wanted(servo, axes, axis, step)
        slope = per_step / h
        if servo.corner == 0.0:
            axes.q[axis] = command + per_step
            axes.qd[axis] = slope
            continue
        # Exact for a ramp: the error e = q - c + 2 Z/Ω slope obeys the homogeneous equation.
        lag = 2.0 * servo.damping / servo.corner * slope
        e, v = axes.q[axis] - command + lag, axes.qd[axis] - slope
        e, v = _settle(servo, decay, e, v)
        axes.q[axis] = command + per_step - lag + e
        axes.qd[axis] = slope + v
