"""How wheels and thrusters share the torque on the base."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear
from tests.laws.plants import wheel

from proxops.core.description import WheelDescription
from proxops.core.jit import kernel
from proxops.onboard.functions.allocation.wheels import build, share_torque, workspace_for

X, Y, Z = np.eye(3)
PYRAMID = np.array([[1.0, 0.0, 0.7], [-1.0, 0.0, 0.7], [0.0, 1.0, 0.7], [0.0, -1.0, 0.7]])
PERIOD = 0.1


def shared(
    wheels: list[WheelDescription],
    torque: np.ndarray,
    rates: np.ndarray | None = None,
    unloading: float = np.inf,
) -> tuple[np.ndarray, np.ndarray]:
    """Torques of the motors, and what is left to thrusters."""
    model = build(wheels, unloading, PERIOD)
    asked, left = np.full(len(wheels), 7.0), np.array(torque, dtype=float)
    given = np.zeros(len(wheels)) if rates is None else np.array(rates, dtype=float)
    share_torque.py_func(model, given, workspace_for(model), left, asked)
    return asked, left


def push(wheels: list[WheelDescription], torques: np.ndarray) -> np.ndarray:
    """What motors push the hub with [N m]: the opposite of what they give their rotors."""
    return -sum((t * each.axis for t, each in zip(torques, wheels, strict=True)), np.zeros(3))


@pytest.mark.parametrize("count", range(1, 7))
def test_wheels_and_thrusters_together_give_the_torque(count: int) -> None:
    """Whatever is asked, within the wheels' limits or far beyond them."""
    rng = np.random.default_rng(count)
    wheels = [wheel(axis) for axis in rng.normal(size=(count, 3))]
    for size in (0.01, 0.1, 1.0, 100.0):
        torque = size * rng.uniform(-1.0, 1.0, 3)
        rates = rng.uniform(-700.0, 700.0, count)
        asked, left = shared(wheels, torque, rates, unloading=100.0)
        # sums of a few numbers up to the torque's size
        assert push(wheels, asked) + left == pytest.approx(torque, abs=1e-13 * (1.0 + size))
        assert np.abs(asked).max() <= 0.2


def test_without_wheels_thrusters_give_all() -> None:
    assert shared([], np.array([1.0, 2.0, 3.0]))[1].tolist() == [1.0, 2.0, 3.0]


def test_one_wheel_takes_what_is_about_its_axis() -> None:
    asked, left = shared([wheel(Y)], np.array([0.1, 0.05, -0.1]))
    assert asked == pytest.approx([-0.05])
    assert left == pytest.approx([0.1, 0.0, -0.1])


def test_wheels_all_around_take_all_with_the_least_torques() -> None:
    torque = np.array([0.1, -0.15, 0.12])
    asked, left = shared([wheel(axis) for axis in PYRAMID], torque)
    assert np.abs(left).max() < 1e-15
    axes = PYRAMID / np.linalg.norm(PYRAMID, axis=1)[:, np.newaxis]
    assert asked == pytest.approx(np.linalg.lstsq(axes.T, -torque, rcond=None)[0], abs=1e-15)


@pytest.mark.parametrize("seed", range(5))
def test_beyond_their_limits_wheels_come_as_near_as_they_can(seed: int) -> None:
    rng = np.random.default_rng(seed)
    wheels = [wheel(axis) for axis in PYRAMID]
    torque = 0.5 * rng.uniform(-1.0, 1.0, 3)
    _, left = shared(wheels, torque)
    axes = np.array([each.axis for each in wheels])
    least = lsq_linear(axes.T, -torque, bounds=(-0.2, 0.2), tol=1e-14)
    # ten passes over axes at 55 deg and more from each other
    assert np.linalg.norm(left) <= np.sqrt(2.0 * least.cost) * (1.0 + 1e-3) + 1e-6


def test_a_wheel_at_its_greatest_speed_is_left_out_one_way_only() -> None:
    most = 628.0
    for rate, torque, taken in ((most, -0.1, 0.0), (most, 0.1, -0.1), (-most, -0.1, 0.1)):
        asked, left = shared([wheel(Z)], torque * Z, np.array([rate]))
        assert asked[0] == pytest.approx(taken, abs=1e-15)
        assert left[2] == pytest.approx(torque + taken, abs=1e-15)
    # two more have the torque to spare that a fast one cannot give
    asked, left = shared([wheel(Z)] * 3, -0.3 * Z, np.array([most, 0.0, 0.0]))
    assert asked[0] == 0.0
    assert np.abs(left).max() < 1e-15


def test_no_turn_brings_a_wheel_beyond_its_speed() -> None:
    slow = 0.2 * PERIOD / 0.08 / 4.0  # a quarter of what the motor could add in a period
    asked, _ = shared([wheel(Z)], -1.0 * Z, np.array([628.0 - slow]))
    assert asked[0] * PERIOD / 0.08 == pytest.approx(slow)


def test_unloading_slows_wheels_down_and_leaves_the_hub_alone() -> None:
    """Thrusters push by -h/T_u, wheels against it:  Ω = Ω₀ exp(-t/T_u)."""
    axes = np.array([X, Y, Z, [1.0, 1.0, 1.0]])
    wheels, unloading = [wheel(axis) for axis in axes], 50.0
    rates = np.array([40.0, -30.0, 10.0, 0.0])
    h = 0.08 * sum((r * each.axis for r, each in zip(rates, wheels, strict=True)), np.zeros(3))
    asked, left = shared(wheels, np.zeros(3), rates, unloading)
    assert left == pytest.approx(-h / unloading, abs=1e-15)
    assert push(wheels, asked) == pytest.approx(h / unloading, abs=1e-15)
    lone, rate = [wheel(Z)], 40.0
    for _ in range(round(unloading / PERIOD)):
        asked, _ = shared(lone, np.zeros(3), np.array([rate]), unloading)
        rate += asked[0] / 0.08 * PERIOD
    # (1 - x)^(1/x) is e⁻¹ (1 - x/2) for x = PERIOD/T_u
    assert rate == pytest.approx(40.0 * np.exp(-1.0) * (1.0 - 0.5 * PERIOD / unloading), rel=1e-5)


def test_unloading_lets_wheels_turn_against_each_other() -> None:
    asked, left = shared([wheel(Z), wheel(-Z)], np.zeros(3), np.array([90.0, 90.0]), 10.0)
    assert np.abs(asked).max() < 1e-15
    assert np.abs(left).max() < 1e-15


@kernel
def compiled(wheels, rates, workspace, torque, asked):
    """`share_torque` as loops have it."""
    share_torque(wheels, rates, workspace, torque, asked)


@pytest.mark.parametrize("count", [0, 1, 4])
def test_loops_share_by_the_same_compiled_law_for_any_number_of_wheels(count: int) -> None:
    wheels, torque = [wheel(axis) for axis in PYRAMID[:count]], np.array([0.3, -0.1, 0.2])
    model, rates = build(wheels, 50.0, PERIOD), np.linspace(-600.0, 600.0, count)
    asked, left = np.zeros(count), torque.copy()
    compiled(model, rates, workspace_for(model), left, asked)
    expected, rest = shared(wheels, torque, rates, 50.0)
    assert asked == pytest.approx(expected, abs=1e-14)  # fused products round once less
    assert left == pytest.approx(rest, abs=1e-14)
    assert len(compiled.signatures) == 1
