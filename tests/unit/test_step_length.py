"""Steps of closed contacts and holds are as long as the interface and the ledger bear."""

import cmath

import numpy as np
import pytest
from tests.laws.touching import Balance, Pair, body, contact, hold

from proxops.core.jit import kernel
from proxops.plant import contact_array, hold_array
from proxops.plant.step_length import (
    ALL_OF_IT,
    MAX_PACE,
    PACE,
    lengthened,
    longest_step,
    longest_step_without_balance,
)

SPRINGS = {
    "stiffness": np.array([4e3, 6e3, 5e3]),
    "rotational_stiffness": np.array([800.0, 500.0, 650.0]),
}
ENERGY_CLOSES, MOMENTUM_CLOSES = 1e-6, 1e-9  # as results.ledger judges


@pytest.mark.parametrize("angle", np.linspace(0.5, 1.0, 7) * np.pi)
def test_runge_kutta_integrates_an_interface_whose_stiffness_is_off_by_1e_5(angle):
    """ln R(z) = z (1 - z⁴/120 + z⁵/144 ...) for every motion that does not grow; s² is stiffness
    over mass."""
    errors = []
    for pace in (MAX_PACE, 0.5 * MAX_PACE):
        z = pace * cmath.exp(1j * angle)
        R = 1.0 + z + z**2 / 2.0 + z**3 / 6.0 + z**4 / 24.0
        errors.append(abs((cmath.log(R) / z) ** 2 - 1.0))
    assert errors[0] < 1.2e-5  # 1e-5 and a term of z more, at most a fifth
    assert 14.0 < errors[0] / errors[1] < 20.0  # fourth order: 16, and that term


def swinging(spin: float, w: float, drift: float = 0.0) -> Pair:
    """Two held bodies that rotate together and swing against each other [rad/s], and drift."""
    v, together = np.array([0.01, drift, 0.0]), np.array([0.0, 0.0, spin])
    chaser = body(200.0, [50.0, 60.0, 70.0], v_H=v, w=together + w * np.array([0.3, -0.5, 0.8]))
    target = body(300.0, [120.0, 90.0, 100.0], v_H=v, w=together)
    return Pair(chaser, target, holds=(hold(**SPRINGS),))


@pytest.mark.parametrize("drift", [0.0, 30.0])
@pytest.mark.parametrize("spin", [0.0, 0.02, 0.1, 0.5])
@pytest.mark.parametrize("w", [0.004, 0.1, 0.5])
def test_the_ledger_closes_whatever_share_of_the_energy_swings(spin, w, drift):
    """At MAX_PACE throughout, the swing would leave 4e-6 of the energy and, from 0.01 rad on, more
    than 1e-9 of the angular momentum."""
    pair = swinging(spin, w, drift)
    balance = Balance(pair)
    pair.go(2.0, 0.1)
    momentum, angular, energy = balance.residuals()
    assert momentum < MOMENTUM_CLOSES
    assert angular < MOMENTUM_CLOSES
    assert energy < ENERGY_CLOSES


def test_a_faint_swing_takes_the_longest_steps_and_one_of_all_energy_those_of_pace():
    faint, strong = swinging(0.5, 1e-4), swinging(0.0, 0.1)
    for pair, paces in ((faint, MAX_PACE / PACE), (strong, 1.0)):
        pair.step(0.01)
        assert longest(pair) == pytest.approx(
            paces * pair.plant.holds[0, hold_array.LONGEST_STEP], rel=1e-12
        )


def test_where_no_balance_is_drawn_steps_are_as_long_as_the_interface_bears():
    """Whatever swings, at MAX_PACE: the stiffness is off by 1e-5, see the first test."""
    for pair in (swinging(0.5, 1e-4), swinging(0.0, 0.1)):
        pair.step(0.01)
        bears = MAX_PACE / PACE * pair.plant.holds[0, hold_array.LONGEST_STEP]
        assert float(_without_balance(pair.plant, pair.y)) == pytest.approx(bears, rel=1e-12)


def test_whatever_share_swings_the_ledger_misses_as_much():
    """C |z|⁴ E of the energy is missed: as much of S as at PACE with half of it, until steps are as
    long as the interface bears."""
    shares = np.geomspace(1.001 * ALL_OF_IT * (PACE / MAX_PACE) ** 4, 0.999 * ALL_OF_IT, 7)
    for share in shares:
        assert (PACE * lengthened.py_func(share)) ** 4 * share == pytest.approx(
            ALL_OF_IT * PACE**4, rel=1e-12
        )
    assert lengthened.py_func(0.0) == pytest.approx(MAX_PACE / PACE, rel=1e-12)
    assert lengthened.py_func(1.0) == 1.0


@kernel
def _longest(plant, y):
    return longest_step(plant, y)


@kernel
def _without_balance(plant, y):
    return longest_step_without_balance(plant, y)


def longest(pair: Pair) -> float:
    """The step that the state bears now [s]."""
    return float(_longest(pair.plant, pair.y))


def test_the_share_is_that_of_the_swing_in_all_energy():
    """Two bodies of inertia J, held at their centres: u of both and w against each other about one
    axis.  The swing has ½ (J/2) w² whatever its phase, both have ½ J ((u + w)² + u²)."""
    J, w, u = 100.0, 0.02, 0.1
    pair = Pair(
        body(1e3, np.full(3, J), w=np.array([u + w, 0.0, 0.0])),
        body(1e3, np.full(3, J), w=np.array([u, 0.0, 0.0])),
        holds=(hold(rotational_stiffness=np.full(3, 2e3)),),
    )
    expected = 0.5 * (J / 2.0) * w**2 / (0.5 * J * ((u + w) ** 2 + u**2))
    for _ in range(8):
        pair.step(0.05)
        # work between the two changes S by a swing at most, 1e-2 of it
        assert pair.hold_memory()[hold_array.SHARE] == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize(("spin", "is_all"), [(0.0, True), (1.0, False)])
def test_an_impact_of_bodies_that_do_not_rotate_swings_with_all_energy(spin, is_all):
    w = np.array([spin, 0.0, 0.0])
    chaser = body(100.0, np.full(3, 1e3), v_H=np.array([0.01, 0.0, 0.0]), w=w)
    target = body(150.0, np.full(3, 1e3), w=w)
    pair = Pair(chaser, target, (contact([1e-9, 0.0, 0.0], stiffness=1e5),))
    pair.step(1e-4)
    share = pair.contact_memory()[contact_array.SHARE]
    assert (share > ALL_OF_IT) == is_all
