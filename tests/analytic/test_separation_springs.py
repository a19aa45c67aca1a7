"""Two bodies that preloaded pads push apart when a latch lets go: speeds and rates as predicted."""

import math

import numpy as np
import pytest
from tests.laws.test_contact_newton import matrix
from tests.laws.touching import Pair, body, contact, hold

from proxops.core.frame import Frame
from proxops.physics.contact.separation import FreeBody, separation
from proxops.plant import hold_array, layout

AXIS = np.array([-1.0, 0.0, 0.0])  # from the target's face to the chaser
MIDDLE = np.array([0.7, 0.0, 0.0])  # of the springs and the latch, in C [m]
MASSES = 200.0, 300.0
INERTIAS = np.diag([50.0, 60.0, 70.0]), np.diag([120.0, 90.0, 100.0])


def latched(pads, stroke, stiffness, rest=3.0):
    """Chaser and target with springs between them, compressed by about the stroke [m] while a
    damped latch at the face holds them, left alone until they rest."""
    firm = 20.0 * len(pads) * stiffness
    slow = 2.0 * math.sqrt(firm * 120.0)  # m₁ m₂/(m₁ + m₂) = 120 kg: critical
    latch = hold(
        p_TB=np.array([-0.5, 0.0, 0.0]),
        port=Frame(np.eye(3), MIDDLE),
        commanded=True,
        stiffness=np.full(3, firm),
        rotational_stiffness=np.full(3, firm),
        damping=np.full(3, slow),
        rotational_damping=np.full(3, slow),
    )
    springs = contact(
        [MIDDLE + pad for pad in pads],
        centre=np.array([-0.5 - stroke, 0.0, 0.0]),
        stiffness=stiffness,
    )
    chaser = body(MASSES[0], INERTIAS[0], p_H=np.array([-1.2, 0.0, 0.0]))
    pair = Pair(chaser, body(MASSES[1], INERTIAS[1]), contacts=(springs,), holds=(latch,))
    pair.hold_memory()[hold_array.COMMAND] = 1.0
    pair.go(rest, rest / 50)
    assert np.abs(pair.v_TC()).max() < 1e-9 * stroke * math.sqrt(stiffness / 120.0)
    return pair


def pads_T(pair, pads):
    """Where the springs' ends on the chaser are, in T [m]."""
    here = [pair.p_TC() + matrix(pair.chaser) @ (MIDDLE + pad) for pad in pads]
    return np.array(here) @ matrix(pair.target)


def predicted(pair, pads, stiffness, stroke):
    """Of all springs as one in the middle of their ends; T axes."""
    ends = pads_T(pair, pads)
    overlaps = ends[:, 0] + 0.5 + stroke
    R_TC = matrix(pair.target).T @ matrix(pair.chaser)
    return separation(
        FreeBody(MASSES[0], R_TC @ INERTIAS[0] @ R_TC.T, matrix(pair.target).T @ pair.p_TC()),
        FreeBody(MASSES[1], INERTIAS[1], np.zeros(3)),
        ends.mean(axis=0),
        AXIS,
        0.5 * stiffness * float(overlaps @ overlaps),
    )


def let_go(pair, duration):
    pair.hold_memory()[hold_array.COMMAND] = 0.0
    pair.go(duration, duration / 20)
    assert not any(pair.mode(row) for row in range(len(pair.plant.contacts)))


def found(pair):
    """Velocities and rates of the two, as `separation` has them, N axes."""
    return [
        value
        for craft in (pair.chaser, pair.target)
        for value in (craft[layout.V :][:3], matrix(craft) @ craft[layout.W :][:3])
    ]


RING = [np.array([0.0, y, z]) for y, z in ((0.3, 0.0), (-0.3, 0.0), (0.0, 0.3), (0.0, -0.3))]


def test_springs_about_the_line_of_both_centres_part_them_as_their_energy_says():
    """v = √(2E (1/m₁ + 1/m₂)), for a stroke of 20 mm as for any."""
    stroke, stiffness = 0.02, 2e3
    pair = latched(RING, stroke, stiffness, rest=20.0)
    after = predicted(pair, RING, stiffness, stroke)
    deep = pads_T(pair, RING)[0, 0] + 0.5 + stroke
    energy = 4 * 0.5 * stiffness * deep**2
    let_go(pair, 2.0)
    speed = -pair.v_TC()[0]
    assert speed == pytest.approx(math.sqrt(2.0 * energy * (1 / 200.0 + 1 / 300.0)), rel=1e-6)
    assert speed == pytest.approx(after.v_second[0] - after.v_first[0], rel=1e-6)
    assert 0.1 < speed < 0.3
    for w in found(pair)[1::2]:
        assert np.abs(w).max() < 1e-12


def test_a_push_gives_its_energy_to_both_and_their_momenta_cancel():
    """Of any bodies, any push: all of E is in their motion, momentum and angular momentum are
    none."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        bodies = []
        for _ in range(2):
            shape = rng.normal(size=(3, 3))
            inertia = shape @ shape.T + np.trace(shape @ shape.T) * np.eye(3)
            bodies.append(FreeBody(rng.uniform(10, 500), inertia, rng.uniform(-2, 2, 3)))
        n = rng.normal(size=3)
        made = separation(*bodies, rng.uniform(-1, 1, 3), n / np.linalg.norm(n), 3.0)
        energy, momentum, angular = 0.0, np.zeros(3), np.zeros(3)
        for each, v, w in zip(bodies, made[::2], made[1::2], strict=True):
            energy += 0.5 * each.mass * v @ v + 0.5 * w @ each.inertia @ w
            momentum += each.mass * v
            angular += each.inertia @ w + each.mass * np.cross(each.com, v)
        assert energy == pytest.approx(3.0, rel=1e-12)
        assert np.abs(momentum).max() < 1e-12
        assert np.abs(angular).max() < 1e-12


OFFSET = [np.array([0.0, 0.35, -0.2])]


def test_a_spring_beside_the_line_of_the_centres_rotates_both_as_predicted():
    """The stroke of 0.1 µm is short against its levers: it changes them by less than 1e-6."""
    stroke, stiffness = 1e-7, 1e6
    pair = latched(OFFSET, stroke, stiffness)
    after = predicted(pair, OFFSET, stiffness, stroke)
    let_go(pair, 0.2)
    for is_now, meant in zip(found(pair), after, strict=True):
        assert is_now == pytest.approx(meant, abs=1e-6 * np.linalg.norm(meant))
        assert np.linalg.norm(meant) > 0.0


def test_with_a_longer_stroke_the_prediction_is_off_by_its_share_of_the_lever():
    errors = []
    for stroke in (4e-3, 2e-3):
        pair = latched(OFFSET, stroke, 1e4)
        meant = predicted(pair, OFFSET, 1e4, stroke).w_first
        let_go(pair, 2.0)
        errors.append(np.linalg.norm(found(pair)[1] - meant) / np.linalg.norm(meant))
    assert errors[0] < 4e-3 / 0.35
    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.2)
