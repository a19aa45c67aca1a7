"""Appendages on both spacecraft: momentum stays, energy is explained, with arms, in orbit."""

import numpy as np
import pytest

from proxops import plant
from proxops.core.description import CraftDescription, RigidInertia
from proxops.physics.flexible.appendage import from_modal_data
from proxops.physics.flexible.modes import modal_power
from proxops.plant import layout, model
from proxops.plant.build import start_state
from proxops.plant.workspace import workspace
from tests.laws.plants import Bench, eccentric_orbit, tallies
from tests.laws.test_plant_ledger import changes

STEP = 2e-3  # [s]
# RK4 on the fastest mode, 12 rad/s with a hundredth of the energy: (ω h)⁴ ω T/100 ≈ 1e-8 of its
# energy; momentum, to which it gives nothing on the whole, is far better kept.
MOMENTUM_KEPT = 1e-10
ENERGY_KEPT = 2e-7
FEW_STEPS = 1e-12, 1e-9  # momentum, energy; 3e-10 of it by the fastest mode


def test_undamped_and_free_momentum_and_energy_stay():
    bench = Bench(11, zeta=0.0)
    momentum, angular, energy = changes(bench, 5.0, STEP)
    assert max(momentum, angular) < MOMENTUM_KEPT
    assert energy < ENERGY_KEPT
    works = bench.ledger()[layout.TIDE_WORK :]
    assert works[layout.SPRING_WORK - layout.TIDE_WORK] != 0.0
    assert np.count_nonzero(works) == 1


def test_a_few_steps_close_it_already():
    """With dampers, motors, thrust and tide: so few that each law can be broken in turn."""
    bench = Bench(14, zeta=0.02, orbit=eccentric_orbit())
    bench.drive[1:9, model.DRIVE_MOTOR] = np.linspace(-0.1, 0.15, 8)
    bench.drive[0, model.DRIVE_FORCE : model.DRIVE_FORCE + 3] = [1.0, -2.0, 0.5]
    momentum, angular, energy = changes(bench, 10 * STEP, STEP)
    assert max(momentum, angular) < FEW_STEPS[0]
    assert energy < FEW_STEPS[1]


def swinging(S, rates, omega=2.0, zeta=0.0):
    """A plant whose target has a panel with modes of participations S [√kg], and its state."""
    still = np.zeros(3), np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3)
    panel = from_modal_data(
        "panel",
        RigidInertia(100.0, np.zeros(3), np.eye(3) * 50.0),
        [(omega, zeta, each, np.zeros(3)) for each in S],
        (np.zeros(len(S)), rates),
    )
    plain = CraftDescription(800.0, 500.0 * np.eye(3), *still)
    swings = CraftDescription(800.0, 500.0 * np.eye(3), *still, (), (panel,))
    built = plant.build(plain, swings, None)
    return built, start_state(built, plain, swings)


def test_what_swings_alone_counts_its_momentum_by_magnitude():
    """Both modes carry momentum, and the hub what they carry together: the whole is at rest."""
    S, rates = np.array([[3.0, -4.0, 0.0], [-3.0, 4.0, 0.1]]), np.array([0.2, 0.19])
    built, y = swinging(S, rates)
    target = tallies(built, workspace(built), y)[1]
    together = np.linalg.norm(rates @ S)
    each = np.linalg.norm(S, axis=1) @ rates
    assert target.sum_momentum == pytest.approx(each + together, rel=1e-12)


def test_the_power_of_a_damper_is_twice_ratio_and_frequency_times_the_square_of_the_rate():
    rates = np.array([0.2, -0.3])
    built, _ = swinging(np.eye(2, 3), rates, omega=2.0, zeta=0.05)
    springs, dampers = modal_power(built.target_modes, np.array([0.1, 0.0]), rates)
    assert springs == pytest.approx(-(2.0**2) * 0.1 * 0.2)
    assert dampers == pytest.approx(-2.0 * 0.05 * 2.0 * (0.2**2 + 0.3**2))


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
