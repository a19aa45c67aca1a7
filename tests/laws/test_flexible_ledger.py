"""Appendages on both spacecraft: momentum stays, energy is explained, with arms, in orbit."""

import numpy as np
import pytest

from proxops.plant import layout, model
from tests.laws.plants import Bench, eccentric_orbit
from tests.laws.test_plant_ledger import changes

STEP = 2e-3  # [s]
# RK4 on the fastest mode, 12 rad/s with a hundredth of the energy: (ω h)⁴ ω T/100 ≈ 1e-8 of its
# energy; momentum, to which it gives nothing on the whole, is far better kept.
MOMENTUM_KEPT = 1e-10
ENERGY_KEPT = 2e-7


def test_undamped_and_free_momentum_and_energy_stay():
    bench = Bench(11, zeta=0.0)
    momentum, angular, energy = changes(bench, 5.0, STEP)
    assert max(momentum, angular) < MOMENTUM_KEPT
    assert energy < ENERGY_KEPT
    works = bench.ledger()[layout.TIDE_WORK :]
    assert works[layout.SPRING_WORK - layout.TIDE_WORK] != 0.0
    assert np.count_nonzero(works) == 1


def test_the_balance_gets_sixteen_times_better_with_half_the_step():
    """So what is left is the integrator's error, not a missing term."""
    coarse = changes(Bench(11, zeta=0.0), 4.0, 4e-2)
    fine = changes(Bench(11, zeta=0.0), 4.0, 2e-2)
    for before, after in zip(coarse, fine, strict=True):
        assert after < before / 12.0


def test_with_the_orbit_on_the_tide_explains_the_rest():
    bench = Bench(12, zeta=0.0, orbit=eccentric_orbit())
    momentum, angular, energy = changes(bench, 5.0, STEP)
    assert max(momentum, angular) < MOMENTUM_KEPT
    assert energy < ENERGY_KEPT
    assert bench.ledger()[layout.TIDE_WORK] != 0.0


def test_damped_energy_falls_by_exactly_the_work_of_the_dampers():
    bench = Bench(13, zeta=0.02)
    momentum, angular, energy = changes(bench, 5.0, STEP)
    assert max(momentum, angular) < MOMENTUM_KEPT
    assert energy < ENERGY_KEPT
    assert bench.ledger()[layout.DAMPER_WORK] < -1e-3


@pytest.mark.parametrize("orbit", [None, eccentric_orbit()], ids=["free", "orbit"])
def test_with_motors_and_thrust_as_well(orbit):
    bench = Bench(14, zeta=0.01, orbit=orbit)
    bench.drive[1:9, model.DRIVE_MOTOR] = np.linspace(-0.1, 0.15, 8)
    bench.drive[0, model.DRIVE_FORCE : model.DRIVE_FORCE + 3] = [1.0, -2.0, 0.5]
    momentum, angular, energy = changes(bench, 5.0, STEP)
    assert max(momentum, angular) < MOMENTUM_KEPT
    assert energy < ENERGY_KEPT
