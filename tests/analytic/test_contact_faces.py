"""Faces end at their edges, and balls roll on them."""

import numpy as np
import pytest
from tests.laws.touching import Pair, body, closings, contact, hold, openings

from proxops.plant import layout
from proxops.plant.contact_array import BEHIND, OPEN, STUCK

STIFFNESS = 1e5
HEAVY = np.full(3, 1e7)  # [kg m2]: nothing turns
HALF = (0.3, 0.2)  # [m]


def plate(p, v, pads_on_chaser=True, **changes):
    """A point of one body and a plate of the other: its normal is -x, its first edge along y."""
    given = contact(
        [0.0, 0.0, 0.0], half=HALF, stiffness=STIFFNESS, pads_on_chaser=pads_on_chaser, **changes
    )
    point = body(100.0, HEAVY, p_H=np.array(p), v_H=np.array(v))
    other = body(500.0, HEAVY)
    return Pair(*((point, other) if pads_on_chaser else (other, point)), (given,))


@pytest.mark.parametrize("pads_on_chaser", [True, False])
@pytest.mark.parametrize(("axis", "half"), [(1, HALF[0]), (2, HALF[1])])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_pad_that_slides_off_the_edge_lets_go_there(pads_on_chaser, axis, half, side):
    v = np.zeros(3)
    v[axis] = side * 0.5
    press = 20.0
    pair = plate([press / STIFFNESS, 0.0, 0.0], v, pads_on_chaser)
    point, other = ("chaser", "target") if pads_on_chaser else ("target", "chaser")
    for which, push in ((point, press), (other, -press)):
        pair.push([push, 0.0, 0.0], on_target=which == "target")
    pair.go(half / 0.5 - 0.01, 0.01)
    assert openings(pair) == []
    assert pair.mode() == STUCK  # without friction it has nothing to slide with
    pair.go(0.05, 0.01)
    assert openings(pair) == pytest.approx([half / 0.5], abs=2e-9)
    before = pair.v_TC()
    # now nothing carries the push any more
    pair.go(0.1, 0.01)
    gained = 0.1 * press * (1.0 / 100.0 + 1.0 / 500.0)
    change = (pair.v_TC() - before) * (1.0 if pads_on_chaser else -1.0)
    # HEAVY turns by some 1e-8 rad under the push off its middle, and the push with it
    assert change == pytest.approx([gained, 0.0, 0.0], abs=1e-8)


def test_energy_left_in_the_springs_at_the_edge_is_counted_as_lost():
    pair = plate(
        [1e-3, 0.29, 0.0],
        [0.0, 0.3, 0.0],
        mu_static=0.5,
        mu_kinetic=0.5,
        grip_stiffness=2e4,
        grip_damping=0.0,
    )
    before = pair.carried().energy
    pair.push([100.0, 0.0, 0.0])
    pair.push([-100.0, 0.0, 0.0], on_target=True)
    pair.go(0.1, 0.001)
    assert len(openings(pair)) == 1
    assert pair.ledger[layout.CONTACT_FRICTION_WORK] < -0.1
    # nothing touches, so the springs have given what the pad, 1 mm deep at the start, held then
    held = 0.5 * STIFFNESS * 1e-3**2
    assert pair.ledger[layout.CONTACT_SPRING_WORK] == pytest.approx(held, abs=1e-9)
    assert pair.carried().energy - before == pytest.approx(
        pair.ledger[layout.TIDE_WORK :].sum(), abs=1e-9
    )


@pytest.mark.parametrize("pads_on_chaser", [True, False])
def test_what_comes_in_under_the_edge_is_not_kicked_out(pads_on_chaser):
    v = [0.0, -0.5, 0.1]
    pair = plate([0.05, 0.4, 0.0], v, pads_on_chaser)
    start = pair.v_TC()
    pair.go(0.6, 0.01)
    assert pair.mode() == BEHIND
    pair.go(1.4, 0.01)  # and out on the other side
    assert np.array_equal(pair.v_TC(), start)
    assert pair.events == []


def test_once_out_again_it_may_touch_from_the_front():
    pair = plate([0.01, 0.31, 0.0], [-0.05, -0.2, 0.0])
    pair.go(0.3, 0.01)  # under the edge at 0.05 s, out through the face at 0.2 s
    assert pair.mode() == OPEN
    assert pair.events == []
    pair.chaser[layout.V] = 0.05
    pair.go(0.3, 0.01)
    assert closings(pair) == pytest.approx([0.3 + 0.005 / 0.05], abs=1e-8)
    assert len(openings(pair)) == 1


def test_a_pad_that_comes_down_at_the_very_edge_touches():
    pair = plate([-0.01, HALF[0] - 1e-6, 0.0], [0.1, 0.0, 0.0])
    pair.go(0.2, 0.01)
    assert closings(pair) == pytest.approx([0.1], abs=1e-8)
    assert pair.v_TC()[0] == pytest.approx(-0.1, rel=1e-5)


def test_a_ball_rolls_without_slipping_and_without_resistance():
    """A solid ball pushed through its middle: slip stays zero with f r²/I = (F - f)/m, so f = 2/7 F
    for a target that does not move, and it rolls over many radii."""
    r, m, rest = 0.1, 10.0, 1e5
    press, push = 50.0, 5.0
    inertia = 0.4 * m * r * r
    reduced = m * rest / (m + rest)
    given = contact(
        [0.0, 0.0, 0.0], radius=r, stiffness=STIFFNESS, damping=500.0, mu_static=0.3,
        mu_kinetic=0.3, grip_stiffness=1e6, grip_damping=3e3, pads_on_chaser=False,
    )  # fmt: skip
    start = np.array([press / STIFFNESS - r, 0.0, 0.0])
    # a hold's force acts at a point of the target, along axes of the chaser: the ball is the target
    through_middle = hold(pull=-np.array([press, push, 0.0]))
    pair = Pair(
        body(rest, HEAVY), body(m, np.full(3, inertia), p_H=start), (given,), (through_middle,)
    )
    friction = push / (1.0 + reduced * r * r / inertia)
    acceleration = (push - friction) / reduced
    assert acceleration == pytest.approx(5.0 / 7.0 * push / m, rel=1e-3)
    t = 4.0
    pair.go(t, 0.01)
    way = 0.5 * acceleration * t * t
    assert way > 25.0 * r
    # drawn before it rolls, the spring is f/k = 1.4 µm long; (w h)²/6 = 1e-6 of the way goes astray
    assert -pair.p_TC()[1] == pytest.approx(way, abs=1e-5)
    assert -pair.target[layout.W + 2] == pytest.approx(acceleration * t / r, rel=1e-5)
    assert pair.mode() == STUCK
    assert abs(pair.ledger[layout.CONTACT_FRICTION_WORK]) == 0.0
    kept = 0.5 * m * (acceleration * t) ** 2 * (1.0 + 0.4)
    assert pair.ledger[layout.HOLD_WORK] == pytest.approx(kept, rel=1e-4)


def test_a_ball_set_down_sliding_rolls_after_two_sevenths_of_its_speed_are_gone():
    r, m, v0, mu, press = 0.1, 10.0, 0.7, 0.2, 50.0
    inertia = 0.4 * m * r * r
    given = contact(
        [0.0, 0.0, 0.0], radius=r, stiffness=STIFFNESS, damping=500.0, mu_static=mu,
        mu_kinetic=mu, grip_stiffness=1e5, grip_damping=1e3, pads_on_chaser=False,
    )  # fmt: skip
    start = np.array([press / STIFFNESS - r, 0.0, 0.0])
    pair = Pair(
        body(1e9, np.full(3, 1e12)),
        body(m, np.full(3, inertia), p_H=start, v_H=np.array([0.0, v0, 0.0])),
        (given,),
        (hold(pull=np.array([-press, 0.0, 0.0])),),
    )
    works = layout.CONTACT_DAMPER_WORK, layout.CONTACT_FRICTION_WORK
    booked = pair.ledger[list(works)].sum()  # for what is compressed at the start
    pair.go(1.0, 0.01)
    sliding_s = 2.0 / 7.0 * v0 / (mu * press / m)
    assert sliding_s < 0.5
    # the spring's own energy, μN²/2k, decides by how much it rolls on: 1e-4 of the ball's
    assert -pair.v_TC()[1] == pytest.approx(5.0 / 7.0 * v0, rel=2e-3)
    assert -pair.target[layout.W + 2] == pytest.approx(5.0 / 7.0 * v0 / r, rel=2e-3)
    lost = 0.5 * m * v0**2 * 2.0 / 7.0
    gone = pair.ledger[list(works)].sum() - booked
    assert gone == pytest.approx(-lost, rel=1e-2)


def test_glued_pads_know_no_edge():
    pair = plate([0.01, HALF[0] + 0.1, 0.0], [0.0, 0.0, 0.0], bilateral=True)
    pair.go(0.01, 0.001)
    assert pair.mode() == STUCK
    assert pair.v_TC()[0] < -0.01  # it does push
