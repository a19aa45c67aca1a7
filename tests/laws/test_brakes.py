"""Brakes of arms: what they hold is one body with the hub, and setting them keeps momentum."""

import numpy as np
import pytest

from proxops import plant
from proxops.plant import layout
from proxops.plant.brakes import stop_joints
from proxops.plant.model import DRIVE_BRAKE, DRIVE_MOTOR
from proxops.plant.stowed import stow
from proxops.plant.workspace import quiet_drive, workspace
from tests.laws.plants import Bench, eccentric_orbit, many_steps, wheel

JOINTS = range(8)  # two arms of four; wheels stand behind them
KINDS = [{}, {"zeta": 0.01}, {"wheels": (wheel(np.array([1.0, 2.0, -1.0]), speed=300.0),)}]


def rates(bench):
    n = len(bench.plant.chaser_topology)
    return bench.y[layout.JOINTS + n : layout.JOINTS + 2 * n]


def positions(bench):
    return bench.y[layout.JOINTS : layout.JOINTS + len(JOINTS)]


def set_brakes(bench):
    bench.drive[1 : 1 + len(JOINTS), DRIVE_BRAKE] = 1.0
    return stop_joints(bench.plant, bench.y, JOINTS)


@pytest.mark.parametrize("kinds", KINDS)
def test_joints_stop_at_once_with_momentum_kept_and_their_energy_booked(kinds):
    bench = Bench(3, **kinds)
    before, entered = bench.carried(), bench.ledger()[layout.FRICTION_WORK]
    free = rates(bench)[len(JOINTS) :].copy()
    work = set_brakes(bench)
    after = bench.carried()
    # Rounding of sums of momenta of some 1e3 N s, 1e5 N m s, and of 1e3 J
    np.testing.assert_allclose(after.momentum, before.momentum, rtol=0.0, atol=1e-11)
    np.testing.assert_allclose(after.angular, before.angular, rtol=0.0, atol=1e-9)
    assert after.energy - before.energy == pytest.approx(work, rel=1e-9)
    assert bench.ledger()[layout.FRICTION_WORK] - entered == work
    assert work < -1e-2  # they did move
    assert not rates(bench)[: len(JOINTS)].any()
    assert all(rates(bench)[len(JOINTS) :] != free)  # a wheel is not held: it keeps its momentum


@pytest.mark.parametrize("kinds", KINDS)
def test_braked_arms_stay_where_they_are_and_the_ledger_closes(kinds):
    bench = Bench(5, orbit=eccentric_orbit(), **kinds)
    set_brakes(bench)
    bench.drive[1 : 1 + len(JOINTS), DRIVE_MOTOR] = 100.0  # motors against brakes
    there, before = positions(bench).copy(), bench.carried()
    start = bench.ledger().copy()
    bench.go(5.0, 0.002)
    np.testing.assert_array_equal(positions(bench), there)
    assert not rates(bench)[: len(JOINTS)].any()
    after, sums = bench.carried(), bench.ledger() - start
    np.testing.assert_allclose(
        after.momentum - before.momentum,
        sums[layout.TIDE_IMPULSE : layout.TIDE_IMPULSE + 3],
        rtol=0.0, atol=1e-9,
    )  # fmt: skip
    assert sums[layout.MOTOR_WORK] == 0.0
    work = sums[layout.TIDE_WORK] + sums[layout.SPRING_WORK] + sums[layout.DAMPER_WORK]
    # Runge-Kutta leaves 1e-7 of the energy that the fastest mode passes on
    assert after.energy - before.energy == pytest.approx(work, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("kinds", KINDS)
def test_braked_arms_move_as_arms_that_were_built_without_joints(kinds):
    """Two ways to one rigid body: links folded into the hub in each step, or once and for all."""
    bench = Bench(7, orbit=eccentric_orbit(), **kinds)
    stowed = plant.build(stow(bench.chaser, ("left", "right")), bench.target, eccentric_orbit())
    set_brakes(bench)
    parts, others = layout.slices(bench.plant), layout.slices(stowed)
    y, n = np.zeros(others.size), len(JOINTS)
    wheels = len(bench.plant.chaser_topology) - n
    first, end = layout.JOINTS, parts.chaser.stop
    kept = [*range(first), *range(first + n, first + n + wheels)]
    kept += [*range(first + 2 * n + wheels, end)]
    y[others.chaser], y[others.target] = bench.y[kept], bench.y[parts.target]
    bench.go(20.0, 0.02)
    status = many_steps(stowed, quiet_drive(stowed), workspace(stowed), y, (0.0, 0.02), 1000)
    assert status == 0
    # 1000 steps round at 1e-16 of coordinates of 40 m
    np.testing.assert_allclose(bench.y[kept], y[others.chaser], rtol=0.0, atol=1e-10)
