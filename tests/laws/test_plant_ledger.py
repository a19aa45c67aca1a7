"""The ledger closes, whatever acts: impulse and work of the sources are all that changes."""

import numpy as np
import pytest

from proxops.plant import layout, model
from tests.laws.plants import Bench, eccentric_orbit, wheel

STEP = 2e-3  # [s]
# RK4 on rates below 1 rad/s: (w h)⁴ ≈ 1e-11 of what moves over a few seconds, and rounding.
KEPT = 1e-11


def changes(bench, duration, step=STEP):
    """Changes of momentum, angular momentum, energy, each over the scale of what moves."""
    before = bench.carried()
    bench.go(duration, step)
    after = bench.carried()
    ledger = bench.ledger()
    impulse = ledger[layout.TIDE_IMPULSE :][:3] + ledger[layout.APPLIED_IMPULSE :][:3]
    angular = ledger[layout.TIDE_ANGULAR :][:3] + ledger[layout.APPLIED_ANGULAR :][:3]
    work = ledger[layout.TIDE_WORK :].sum()
    return (
        np.linalg.norm(after.momentum - before.momentum - impulse) / before.sum_momentum,
        np.linalg.norm(after.angular - before.angular - angular) / before.sum_angular,
        abs(after.energy - before.energy - work) / (before.energy + abs(work)),
    )


def test_without_forces_momentum_and_energy_stay():
    bench = Bench(1)
    assert max(changes(bench, 5.0)) < KEPT
    assert not bench.ledger().any()


def test_tide_explains_all_change_in_orbit():
    bench = Bench(2, orbit=eccentric_orbit())
    before = bench.carried()
    assert max(changes(bench, 5.0)) < KEPT
    # and it did something: far more than the residual
    moved = np.linalg.norm(bench.carried().momentum - before.momentum)
    assert moved > 1e3 * KEPT * before.sum_momentum


def test_applied_wrenches_explain_all_change():
    bench = Bench(3)
    rng = np.random.default_rng(3)
    bench.drive[:, model.DRIVE_FORCE : model.DRIVE_TORQUE + 3] = rng.uniform(
        -0.3, 0.3, (len(bench.drive), 6)
    )
    assert max(changes(bench, 5.0)) < KEPT
    assert abs(bench.ledger()[layout.APPLIED_WORK]) > 1e-4


def test_motors_do_work_but_give_no_momentum():
    bench = Bench(4)
    bench.drive[1:9, model.DRIVE_MOTOR] = np.linspace(-0.1, 0.15, 8)
    assert max(changes(bench, 5.0)) < KEPT
    assert bench.ledger()[layout.MOTOR_WORK] > 1e-3
    assert not bench.ledger()[: layout.TIDE_WORK].any()


def test_wheels_change_no_momentum_however_fast_they_are():
    axes = np.array([[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, -1.0]])
    speeds = (300.0, -200.0, 600.0, 0.0)
    wheels = tuple(
        wheel(axis, p_C=0.3 * axis, speed=speed) for axis, speed in zip(axes, speeds, strict=True)
    )
    bench = Bench(4, wheels=wheels)
    bench.drive[9:13, model.DRIVE_MOTOR] = 0.2, -0.2, 0.1, 0.2
    before = bench.y[layout.W : layout.W + 3].copy()
    assert max(changes(bench, 5.0)) < KEPT
    assert not bench.ledger()[: layout.TIDE_WORK].any()
    # gyroscopic and motor torques of some N m, for seconds, on 600 kg m2
    assert np.linalg.norm(bench.y[layout.W : layout.W + 3] - before) > 1e-3


def test_friction_only_takes_energy():
    bench = Bench(5, viscous=2.0, coulomb=0.5)
    # Coulomb friction turns over within 2 mrad/s, so its derivatives are large: energy to 1e-8
    momentum, angular, energy = changes(bench, 5.0, step=5e-4)
    assert max(momentum, angular) < KEPT
    assert energy < 1e-8
    assert bench.ledger()[layout.FRICTION_WORK] < -1e-2


def test_damped_stops_take_energy_and_keep_momentum():
    bench = Bench(6, lower=-0.31, upper=0.31)
    # The stop's force sets in with a kink, so the order drops there: energy to 1e-6
    momentum, angular, energy = changes(bench, 10.0, step=2e-4)
    assert max(momentum, angular) < KEPT
    assert energy < 1e-6
    assert bench.ledger()[layout.STOP_WORK] < -1e-4


def test_undamped_stops_give_back_what_they_take():
    bench = Bench(6, joints=1, lower=-0.31, upper=0.31, stop_damping=0.0)
    joints = bench.y[layout.JOINTS :][:2]
    inside, outside = [], []
    for _ in range(200):
        bench.go(0.05, 2e-4)
        work = bench.ledger()[layout.STOP_WORK]
        (inside if np.abs(joints).max() < 0.31 else outside).append(abs(work))
    # each bounce sets in and ends within a step, at a depth of k (q̇ h)² ≈ 1e-3 × (0.1 × 2e-4)²
    assert max(outside) > 1e-4
    assert max(inside) < 1e-4 * max(outside)


@pytest.mark.parametrize("orbit", [None, eccentric_orbit()], ids=["free", "orbit"])
def test_step_is_of_fourth_order(orbit):
    """Halving the step divides the error by 16."""
    duration, fine, coarse = 2.0, 1.25e-2, 0.1

    def end(step):
        bench = Bench(7, orbit=orbit)
        bench.go(duration, step)
        return bench.y[: layout.slices(bench.plant)[1].stop]

    exact = end(fine / 4.0)
    errors = [np.abs(end(step) - exact).max() for step in (coarse, coarse / 2.0, coarse / 4.0)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    # the reference is itself off by (1/8)⁴ of the finest error seen
    assert orders == pytest.approx([4.0, 4.0], abs=0.25)


def test_a_state_that_is_not_finite_is_reported():
    bench = Bench(8)
    bench.drive[1, model.DRIVE_MOTOR] = np.inf
    with pytest.raises(AssertionError):
        bench.go(STEP, STEP)
