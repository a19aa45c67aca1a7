"""The longest step of a closed contact is made for its fastest motion."""

import numpy as np
import pytest
from tests.laws.touching import Pair, body, contact, hold

from proxops.physics.contact.normal import HUNT_CROSSLEY
from proxops.plant import contact_array, hold_array
from proxops.plant.interface import PACE

RING = np.array([[0.5, 0.8 * np.cos(a), 0.8 * np.sin(a)] for a in np.arange(6) * np.pi / 3.0])
RUBS = {"mu_static": 0.9, "mu_kinetic": 0.9, "grip_stiffness": 4e4, "grip_damping": 200.0}
CHASER = {"mass": 1200.0, "inertia": [650.0, 950.0, 950.0]}
TARGET = {"mass": 8200.0, "inertia": [1e4, 226e3, 228e3]}
LIGHT = {"mass": 300.0, "inertia": [60.0, 80.0, 70.0]}


def fastest(pair):
    """Largest |s| of the linearised motion, by differences of the rates [1/s]."""
    moving = pair.parts.ledger.start
    start = pair.y.copy()
    J = np.zeros((moving, moving))
    for column in range(moving):
        sides = []
        for step in (1e-7, -1e-7):
            pair.y[:] = start
            pair.y[column] += step
            sides.append(pair.rates()[:moving])
        J[:, column] = (sides[0] - sides[1]) / 2e-7
    pair.y[:] = start
    return np.abs(np.linalg.eigvals(J)).max()


def ring(target=TARGET, **law):
    given = contact(RING, centre=np.array([-4.9, 0.0, 0.0]), **law)
    at = np.array([-5.4 + 1e-3, 0.0, 0.0])
    return Pair(body(**CHASER, p_H=at), body(**target), (given,))


def ring_on_target(**law):
    pads = RING * [-1.0, 1.0, 1.0] + [-4.5, 0.0, 0.0]
    given = contact(
        pads, pads_on_chaser=False, centre=np.array([0.6, 0.0, 0.0]),
        normal=np.array([1.0, 0.0, 0.0]), **law,
    )  # fmt: skip
    return Pair(body(**CHASER, p_H=np.array([-5.6 + 1e-3, 0.0, 0.0])), body(**TARGET), (given,))


def balls(direction, **law):
    """Two balls that meet along some direction, each off its body's middle."""
    n = np.array(direction) / np.linalg.norm(direction)
    given = contact(
        [1.0, 0.0, 0.0], radius=0.1, ball_radius=0.2, centre=np.array([-1.0, 0.0, 0.0]), **law
    )
    at = np.array([-2.0, 0.0, 0.0]) + (0.3 - 1e-3) * n
    return Pair(body(**LIGHT, p_H=at), body(**TARGET), (given,))


HARD = {"stiffness": 1e5, "damping": 300.0}
HUNT = {"law": HUNT_CROSSLEY, "stiffness": 3e6, "exponent": 1.5, "depth": 1e-3, "damping": 0.5}
CASES = {
    "ring": lambda: ring(**HARD),
    "ring that rubs": lambda: ring(**HARD, **RUBS),
    "ring, overdamped": lambda: ring(stiffness=1e4, damping=3000.0),
    "ring, Hunt-Crossley": lambda: ring(**HUNT),
    "ring on a light target": lambda: ring(LIGHT, **HARD),
    "ring on the target": lambda: ring_on_target(**HARD, **RUBS),
    "balls in line": lambda: balls([-1.0, 0.0, 0.0], **HARD),
    "balls askew": lambda: balls([-0.3, 1.0, 0.2], **HARD),
    "balls that rub": lambda: balls([-0.3, 1.0, 0.2], **HARD, **RUBS),
}


@pytest.mark.parametrize("case", CASES)
def test_contacts_take_steps_that_suit_their_fastest_motion(case):
    pair = CASES[case]()
    pace = fastest(pair) * pair.plant.contacts[0, contact_array.LONGEST_STEP]
    # Neither so long that the ledger would not close (error ∝ pace⁴), nor needlessly short.
    assert 0.4 * PACE < pace < 1.3 * PACE


@pytest.mark.parametrize("at", [[-1.0, 0.0, 0.0], [-1.5, 1.0, 0.5], [-3.5, 1.0, 0.5]])
def test_holds_take_steps_that_suit_their_fastest_motion(at):
    given = hold(
        p_TB=np.array([-0.6, 0.1, 0.0]), stiffness=np.array([1e4, 2e4, 1e4]),
        rotational_stiffness=np.full(3, 3e3), damping=np.full(3, 50.0),
    )  # fmt: skip
    pair = Pair(body(**LIGHT, p_H=np.array(at)), body(**LIGHT), holds=(given,))
    pace = fastest(pair) * pair.plant.holds[0, hold_array.LONGEST_STEP]
    assert 0.3 * PACE < pace < 1.3 * PACE
