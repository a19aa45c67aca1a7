"""Steps of a contact that stiffens are made for the overlap that it reaches."""

import numpy as np
import pytest
from tests.laws.touching import Pair, body, contact

from proxops.physics.contact.normal import HUNT_CROSSLEY
from proxops.plant import contact_array, layout

CHASER, TARGET = 100.0, 150.0  # [kg]
REDUCED = CHASER * TARGET / (CHASER + TARGET)
HEAVY = np.full(3, 1e6)  # [kg m2]: nothing turns
NORMAL = np.array([1.0, 0.0, 0.0])


def meeting(speed: float, exponent: float, depth: float, force: float = 1000.0) -> Pair:
    """Two bodies 0.1 mm apart that meet with a speed [m/s]; `force` [N] at an overlap `depth`."""
    given = contact(
        [0.0, 0.0, 0.0],
        law=HUNT_CROSSLEY,
        stiffness=force / depth**exponent,
        exponent=exponent,
        depth=depth,
    )
    chaser = body(CHASER, HEAVY, p_H=-1e-4 * NORMAL, v_H=speed * NORMAL)
    return Pair(chaser, body(TARGET, HEAVY), (given,))


def deepest(speed: float, stiffness: float, exponent: float) -> float:
    """½ m v² = k δⁿ⁺¹/(n + 1)."""
    more = exponent + 1.0
    return float((0.5 * REDUCED * speed**2 * more / stiffness) ** (1.0 / more))


@pytest.mark.parametrize(
    ("speed", "exponent", "depth"), [(0.5, 2.5, 1e-5), (0.5, 1.5, 1e-5), (0.05, 4.0, 1e-5)]
)
def test_a_blow_deeper_than_the_named_depth_keeps_its_energy(speed, exponent, depth):
    pair = meeting(speed, exponent, depth)
    before = pair.carried().energy
    for _ in range(100):
        pair.step(1e-3)
        if len(pair.events) == 2:
            break
    assert [closed for _, _, closed in pair.events] == [True, False]
    # RK4 at |s| h = PACE: (|s| h)⁵/144 of the energy a radian, and half a turn in all
    worked = pair.ledger[layout.TIDE_WORK :].sum()
    assert abs(pair.carried().energy - before - worked) < 1e-7 * before
    assert pair.v_TC()[0] == pytest.approx(-speed, rel=1e-5)


def test_the_overlap_that_will_be_reached_is_known_from_the_touch_down_on():
    pair = meeting(0.5, 2.5, 1e-4)
    reached = deepest(0.5, pair.plant.contacts[0, contact_array.STIFFNESS], 2.5)
    assert reached > 4e-4
    pair.step(3e-4)
    assert pair.contact_memory()[contact_array.REACHED] == pytest.approx(reached, rel=1e-3)


def test_a_blow_that_stays_within_the_named_depth_takes_the_steps_made_for_it():
    """One step a call at the longest that the table has: nothing is cut but the touch-down."""
    pair = meeting(0.01, 2.5, 1e-3)
    longest = pair.plant.contacts[0, contact_array.LONGEST_STEP]
    pair.step(0.0101)
    assert len(pair.events) == 1
    before = pair.chaser[layout.V]
    pair.step(longest)
    whole = pair.chaser[layout.V] - before
    assert whole != 0.0
    assert pair.contact_memory()[contact_array.REACHED] < 1e-3
