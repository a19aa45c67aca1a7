"""What a gripper of two geared clamps can hold, at rest.

    v = w₁ (Z₁/Z₂) r sin γ            speed of a pad towards the other
    F₁ = (Z₂/Z₁) M₁ / (2 r sin γ)     force of one pad; M₁ w₁ = 2 F₁ v
    F = c m a / μ                     of both pads together, for friction to carry the mass

r is the lever from a clamp's pivot to its pad, γ the angle between that lever and the direction in
which the pad closes.
"""

import math
from typing import NamedTuple


class Clamps(NamedTuple):
    """Two clamps and the gears that close them."""

    ratio: float  # Z₂/Z₁: turns of the motor per turn of a clamp
    lever: float  # r [m]
    angle: float  # γ [rad]


def pad_speed(clamps: Clamps, motor_speed: float) -> float:
    """Of one pad, towards the other [m/s]; the motor's in rad/s."""
    return motor_speed / clamps.ratio * clamps.lever * math.sin(clamps.angle)


def pad_force(clamps: Clamps, motor_torque: float) -> float:
    """Of one pad [N]; the motor's torque in N m."""
    return clamps.ratio * motor_torque / (2.0 * clamps.lever * math.sin(clamps.angle))


def motor_torque(clamps: Clamps, force: float) -> float:
    """With which both pads together press with a force [N m]."""
    return force * clamps.lever * math.sin(clamps.angle) / clamps.ratio


def required_force(mass: float, acceleration: float, safety: float, mu: float) -> float:
    """Of both pads together, for a mass that is accelerated along them [N]."""
    return safety * mass * acceleration / mu
