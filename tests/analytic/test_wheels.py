"""Reaction wheels on a free hub, against what two lines on paper say."""

from dataclasses import replace

import numpy as np
import pytest
from tests.laws.plants import many_steps, wheel

from proxops import plant
from proxops.actuators.motors import apply
from proxops.actuators.motors import build as motors_of
from proxops.core.description import CraftDescription, WheelDescription
from proxops.plant import layout, model
from proxops.plant.build import start_state
from proxops.plant.workspace import quiet_drive, workspace

X, Y, Z = np.eye(3)
HUB = np.array([300.0, 300.0, 500.0])  # principal moments [kg m2]


class Free:
    """A hub with wheels and nothing else, far from everything."""

    def __init__(self, w: np.ndarray, *wheels: WheelDescription) -> None:
        still, upright = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
        craft = CraftDescription(900.0, np.diag(HUB), still, still, upright, w, wheels=wheels)
        other = replace(craft, wheels=(), w=still)
        self.plant = plant.build(craft, other, None)
        self.y = start_state(self.plant, craft, other)
        self.drive, self.work = quiet_drive(self.plant), workspace(self.plant)

    @property
    def w(self) -> np.ndarray:
        """Of the hub [rad/s]."""
        return self.y[layout.W : layout.W + 3]

    @property
    def speeds(self) -> np.ndarray:
        """Of the wheels against the hub [rad/s]."""
        wheels = len(self.plant.chaser_topology)
        return self.y[layout.JOINTS + wheels : layout.JOINTS + 2 * wheels]

    def go(self, duration: float, h: float) -> None:
        steps = round(duration / h)
        assert many_steps(self.plant, self.drive, self.work, self.y, (0.0, h), steps) == 0


@pytest.mark.parametrize("axis", [X, -Y, Z], ids=["x", "-y", "z"])
def test_a_wheel_spun_up_turns_the_hub_the_other_way(axis: np.ndarray) -> None:
    """From rest with the motor's torque τ:  I ω = -τ t,  J (ω + Ω) = τ t,  I φ = -τ t²/2."""
    spun = wheel(axis)
    free = Free(np.zeros(3), spun)
    torque, duration = 0.15, 100.0
    free.drive[1, model.DRIVE_MOTOR] = torque
    free.go(duration, 0.05)
    about = abs(axis) @ HUB
    w = -torque * duration / about
    # polynomials of the second degree, which Runge-Kutta has exactly; 2000 roundings of 1e-16
    assert free.w == pytest.approx(w * axis, abs=1e-12)
    assert free.speeds[0] == pytest.approx(torque * duration / spun.inertia - w, rel=1e-12)
    half = 0.25 * w * duration
    q = free.y[layout.Q : layout.Q + 4]
    assert q == pytest.approx([np.cos(half), *(np.sin(half) * axis)], abs=1e-9)  # (w h)⁴ of a turn
    assert np.abs(free.y[layout.P : layout.P + 3]).max() < 1e-12


@pytest.mark.parametrize("speed", [400.0, -400.0])
def test_a_spinning_wheel_makes_a_turning_hub_nutate(speed: float) -> None:
    """Hub and rotor even about z:  w_x + i w_y turns in C at  λ = H_z/I_t - w_z.

    I_t = I + J/2,   H_z = I_z w_z + J (w_z + Ω)
    """
    gyro = wheel(Z, speed=speed)
    start = np.array([0.02, 0.0, 0.01])
    free = Free(start, gyro)
    duration = 30.0
    free.go(duration, 0.02)  # in which the rotor itself turns by 8 rad
    across = HUB[0] + 0.5 * gyro.inertia
    along = HUB[2] * start[2] + gyro.inertia * (start[2] + speed)
    turned = (along / across - start[2]) * duration
    # (λ h)⁵/120 a step is far below rounding
    expected = start[0] * np.array([np.cos(turned), np.sin(turned), 0.0]) + start[2] * Z
    assert free.w == pytest.approx(expected, abs=1e-13)
    assert free.speeds[0] == pytest.approx(speed, rel=1e-13)


def test_friction_brings_wheel_and_hub_to_one_speed() -> None:
    """Ω = Ω₀ exp(-b t (1/J + 1/I)), and the momentum J Ω₀ stays."""
    speed, viscous, duration = 100.0, 1e-3, 60.0
    rubbing = wheel(Z, speed=speed, viscous=viscous)
    free = Free(np.zeros(3), rubbing)
    free.go(duration, 0.05)
    J = rubbing.inertia
    left = speed * np.exp(-viscous * duration * (1.0 / J + 1.0 / HUB[2]))
    assert free.speeds[0] == pytest.approx(left, rel=1e-12)
    assert HUB[2] * free.w[2] + J * (free.w[2] + left) == pytest.approx(J * speed, rel=1e-12)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_wheel_takes_no_more_torque_or_speed_than_it_has(sign: float) -> None:
    weak = wheel(Z, max_speed=50.0, speed=sign * 45.0)
    free, motors = Free(np.zeros(3), weak), motors_of((), (weak,))
    period, applied = 0.5, np.zeros(1)
    step = weak.max_torque * period * (1.0 / weak.inertia + 1.0 / HUB[2])
    for _ in range(20):  # twice as long as it takes to get there
        apply.py_func(motors, np.array([sign * 1.0]), free.speeds, applied)
        before = free.speeds[0]
        free.drive[1, model.DRIVE_MOTOR] = applied[0]
        free.go(period, period / 5)
        gained = sign * (free.speeds[0] - before)
        assert gained == pytest.approx(0.0 if sign * before >= weak.max_speed else step, abs=1e-12)
    assert weak.max_speed <= sign * free.speeds[0] <= weak.max_speed + step
    apply.py_func(motors, np.array([-sign * 1.0]), free.speeds, applied)
    assert applied[0] == -sign * weak.max_torque  # it still brakes
