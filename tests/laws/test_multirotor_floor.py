"""A floor carries a vehicle, brakes it, and never pulls."""

import math

import numpy as np
import pytest

from proxops.physics.integrate.rk4 import STAGE_ROWS
from proxops.physics.multirotor.body import STATE_SIZE, Body, P, Q, T, V, W
from proxops.physics.multirotor.floor import (
    FRICTION,
    SINK,
    SLIP,
    Standing,
    floor,
    foot_force,
    standing_rates,
    standing_step,
)

MASS, GRAVITY, REACH = 2.3, 9.80665, 0.14
INERTIA = np.array([0.04, 0.04, 0.075])
UNDER = floor(MASS, REACH, GRAVITY)


def standing(thrust: float = 0.0) -> tuple[Standing, np.ndarray]:
    """A vehicle whose six rotors push straight up, and its state at rest on the floor."""
    mixer = np.zeros((6, 6))
    mixer[2] = 1.0
    commands = np.full(6, thrust / 6.0)
    body = Body(MASS, INERTIA, mixer, 0.03, 0.0, GRAVITY, commands, np.ones(6), np.zeros(3))
    y = np.zeros(STATE_SIZE)
    y[P + 2], y[Q], y[T:] = -SINK, 1.0, thrust / 6.0
    return Standing(body, UNDER), y


def rates_of(given: Standing, y: np.ndarray) -> np.ndarray:
    k = np.zeros(STATE_SIZE)
    standing_rates(given, y, 0.0, k)
    return k


def test_a_vehicle_at_rest_stays_where_its_feet_have_sunk_in():
    given, y = standing()
    assert rates_of(given, y) == pytest.approx(np.zeros(STATE_SIZE), abs=1e-9)


def test_thrust_unloads_the_feet():
    given, y = standing(thrust=0.5 * MASS * GRAVITY)
    assert rates_of(given, y)[V + 2] == pytest.approx(0.5 * GRAVITY)


def test_nothing_is_felt_above_the_floor_and_nothing_pulls():
    assert foot_force(UNDER, (0.0, 0.0, 1e-6), (1.0, 1.0, -1.0)) == (0.0, 0.0, 0.0)
    # rises so fast that the damper would pull
    assert foot_force(UNDER, (0.0, 0.0, -1e-6), (1.0, 0.0, 1.0))[2] == 0.0


def test_friction_opposes_slip_and_is_coulombs_where_slip_is_fast():
    fx, fy, fz = foot_force(UNDER, (0.0, 0.0, -SINK), (3.0, -4.0, 0.0))
    assert fz == pytest.approx(MASS * GRAVITY / 4.0)
    assert math.hypot(fx, fy) == pytest.approx(FRICTION * fz, rel=(SLIP / 5.0) ** 2)
    assert (fx, fy) == pytest.approx((-0.6 * FRICTION * fz, 0.8 * FRICTION * fz), rel=1e-4)


def test_a_leaning_vehicle_is_turned_back():
    given, y = standing()
    y[Q : Q + 4] = math.cos(0.001), math.sin(0.001), 0.0, 0.0  # left side up by 2 mrad b
    turning = rates_of(given, y)[W : W + 3]
    # four feet b aside: t = -4 k b² φ
    expected = -4.0 * UNDER.stiffness * REACH**2 * 0.002 / INERTIA[0]
    assert turning == pytest.approx([expected, 0.0, 0.0], rel=1e-4, abs=1e-6)


def test_a_vehicle_that_is_dropped_comes_to_rest_on_its_feet():
    given, y = standing()
    y[P + 2], y[V], y[W + 2] = 0.05, 0.2, 0.3
    workspace = np.zeros((STAGE_ROWS, STATE_SIZE))
    for _ in range(1600):  # 2 s
        standing_step(given, y, workspace, 0.0, 1.0 / 800.0)
    assert y[P + 2] == pytest.approx(-SINK, rel=1e-6)
    assert np.abs(y[V : V + 3]).max() < 1e-6
    # stopped by friction within v²/(2 μ g), and the creep of the last SLIP
    assert 0.0 < y[P] < 0.2 * 0.1 + 0.2**2 / (2.0 * FRICTION * GRAVITY) + 0.01
