"""Holds: they begin without force, give back what they took, and stay within their limits."""

import math
from dataclasses import replace

import numpy as np
import pytest

from proxops.plant import hold_array, layout
from proxops.plant.holds import command_hold
from tests.laws.test_contact_newton import matrix, quaternion, reactions
from tests.laws.touching import Balance, Pair, body, closings, hold, openings

SOFT = {
    "stiffness": np.array([4e3, 6e3, 5e3]),
    "rotational_stiffness": np.array([800.0, 500.0, 650.0]),
}
DAMPED = {
    "damping": np.array([80.0, 60.0, 90.0]),
    "rotational_damping": np.array([20.0, 15.0, 25.0]),
}


def bodies(rng, spin=0.0, speed=0.0):
    """Two in any pose, the chaser turning and moving against the other."""
    chaser = body(
        200.0,
        [50.0, 60.0, 70.0],
        p_H=rng.uniform(-2, 2, 3),
        q_N=quaternion(rng),
        w=spin * rng.normal(size=3),
        v_H=speed * rng.normal(size=3),
    )
    return chaser, body(300.0, [120.0, 90.0, 100.0], q_N=quaternion(rng))


def test_a_hold_begins_without_force_and_without_energy_in_any_pose():
    rng = np.random.default_rng(1)
    for _ in range(10):
        crafts = bodies(rng)
        pair = Pair(*crafts, holds=(hold(p_TB=rng.uniform(-1, 1, 3), **SOFT),))
        felt = np.abs(np.array(reactions(pair, crafts))).max()
        assert felt < 1e-9  # 4e3 N/m × rounding of metres
        assert not pair.ledger.any()
        pair.go(1.0, 0.1)
        assert np.abs(pair.v_TC()).max() < 1e-10


def test_an_undamped_hold_gives_back_its_energy_however_far_it_turns():
    """With the springs as they are, kinetic energy that falls below a tenth comes back."""
    rng = np.random.default_rng(2)
    chaser, target = bodies(rng, spin=1.5, speed=0.2)
    pair = Pair(chaser, target, holds=(hold(p_TB=np.array([0.5, 0.2, -0.3]), **SOFT),))
    balance, least, farthest = Balance(pair), np.inf, 1.0
    first = pair.chaser[layout.Q :][:4].copy()
    for _ in range(200):
        pair.step(0.01)
        kinetic = pair.carried().energy
        # what is missing is in the springs: U = Σ k x²/2 + 2 ε·κε
        assert balance.before.energy - kinetic == pytest.approx(
            spring_energy(pair), abs=1e-5 * balance.before.energy
        )
        least = min(least, kinetic / balance.before.energy)
        farthest = min(farthest, abs(first @ pair.chaser[layout.Q :][:4]))
    momentum, angular, energy = balance.residuals()
    assert momentum < 1e-12
    assert angular < 3e-8  # swings of half a radian at |s| h = 0.1
    assert energy < 3e-6
    assert least < 0.5
    assert 2.0 * math.degrees(math.acos(farthest)) > 40.0


def spring_energy(pair):
    """Of the only hold, from poses [J]."""
    given, kept = pair.plant.holds[0], pair.hold_memory()
    R_OC, R_OT = matrix(pair.chaser), matrix(pair.target)
    point = pair.p_TC() + R_OC @ kept[hold_array.HELD_C :][:3]
    when_closed = np.concatenate([np.zeros(layout.Q), kept[hold_array.HELD_Q :][:4]])
    turned = R_OT.T @ R_OC @ matrix(when_closed).T
    x = turned.T @ (R_OT.T @ point - given[hold_array.POINT :][:3])  # in the chaser's axes
    # of a rotation by the quaternion (η, ε): ε_i² = (1 + 2 R_ii - tr R)/4
    eps2 = (1.0 + 2.0 * np.diag(turned) - np.trace(turned)) / 4.0
    straight = 0.5 * given[hold_array.STIFFNESS :][:3] @ x**2
    return straight + 2.0 * given[hold_array.ROTATIONAL_STIFFNESS :][:3] @ eps2


SLACK = {
    "stiffness": np.array([40.0, 90.0, 15.0]),
    "rotational_stiffness": np.array([20.0, 13.0, 30.0]),
}


@pytest.mark.parametrize("damping", [{}, {"damping": np.array([3.0, 8.0, 5.0])}])
def test_momentum_and_energy_stay_while_both_bodies_slide_and_rotate_far(damping):
    """0.4 m and a radian, springs that are not alike: a force at the grasp point works along the
    slide as the chaser's axes see it.  Anywhere else, or in other axes, springs would not give back
    what they took."""
    rng = np.random.default_rng(5)
    chaser, target = bodies(rng, spin=0.4, speed=0.2)
    target = replace(target, v_H=np.array([0.1, -0.2, 0.1]), w=np.array([-0.3, 0.1, 0.4]))
    pair = Pair(chaser, target, holds=(hold(p_TB=np.array([0.5, 0.8, -0.3]), **SLACK, **damping),))
    balance, slid, rotated = Balance(pair), 0.0, 0.0
    for _ in range(300):
        pair.step(0.02)
        taken = -pair.ledger[layout.HOLD_WORK]
        if not damping:
            assert taken == pytest.approx(spring_energy(pair), abs=1e-7 * balance.before.energy)
        slid = max(slid, np.linalg.norm(grasp_slide(pair)))
        rotated = max(rotated, rotation_since(pair))
    momentum, angular, energy = balance.residuals()
    assert momentum < 1e-12
    assert angular < 1e-9
    assert energy < 1e-8
    assert slid > 0.4
    assert rotated > 1.0
    if damping:  # what springs do not hold is lost, and the ledger knows how much
        assert taken > spring_energy(pair) + 0.01 * balance.before.energy


def grasp_slide(pair):
    """From the target's grasp point to the chaser's point that covered it, inertial axes [m]."""
    given, kept = pair.plant.holds[0], pair.hold_memory()
    here = pair.p_TC() + matrix(pair.chaser) @ kept[hold_array.HELD_C :][:3]
    return here - matrix(pair.target) @ given[hold_array.POINT :][:3]


def rotation_since(pair):
    """Of the chaser against the target since the hold closed [rad]."""
    when_closed = np.concatenate([np.zeros(layout.Q), pair.hold_memory()[hold_array.HELD_Q :][:4]])
    turned = matrix(pair.target).T @ matrix(pair.chaser) @ matrix(when_closed).T
    return math.acos(min(1.0, 0.5 * (np.trace(turned) - 1.0)))


def test_after_a_slide_the_force_acts_at_the_grasp_point_of_the_target():
    """A damper of 25 N s/m at 0.4 m/s pulls with 10 N along y, 2 m above the target's centre:
    20.0 N m about x, however far the chaser has slid (at its own point: 23.8 N m)."""
    crafts = body(200.0, [50.0, 60.0, 70.0]), body(300.0, [120.0, 90.0, 100.0])
    given = hold(p_TB=np.array([0.0, 0.0, 2.0]), damping=np.array([0.0, 25.0, 0.0]))
    pair = Pair(*crafts, holds=(given,))
    pair.chaser[layout.P :][:3] += [0.0, 0.0, 0.38]
    pair.chaser[layout.V :][:3] = [0.0, 0.4, 0.0]
    (f_C, m_C), (f_T, m_T) = reactions(pair, crafts)
    assert f_T == pytest.approx([0.0, 10.0, 0.0], abs=1e-12)
    assert m_T == pytest.approx([-20.0, 0.0, 0.0], abs=1e-12)
    assert f_C == pytest.approx(-f_T, abs=1e-12)
    assert m_C == pytest.approx(-m_T, abs=1e-12)


def test_a_damped_hold_comes_to_rest_as_one_body_with_momentum_kept():
    rng = np.random.default_rng(3)
    crafts = bodies(rng, spin=0.2, speed=0.1)
    pair = Pair(*crafts, holds=(hold(p_TB=np.array([0.5, 0.2, -0.3]), **(SOFT | DAMPED)),))
    balance = Balance(pair)
    pair.go(60.0, 0.1)
    momentum, angular, energy = balance.residuals()
    assert momentum < 1e-12
    assert angular < 3e-8  # swings of half a radian at |s| h = 0.1
    assert energy < 3e-6
    assert pair.ledger[layout.HOLD_WORK] < -0.1
    w_C, w_T = (matrix(each) @ each[layout.W :][:3] for each in (pair.chaser, pair.target))
    assert np.linalg.norm(w_C - w_T) < 1e-2 * np.linalg.norm(w_T)


def held_firmly():
    damping = {"damping": np.full(3, 900.0), "rotational_damping": np.full(3, 200.0)}
    crafts = body(200.0, [50.0, 60.0, 70.0]), body(300.0, [120.0, 90.0, 100.0])
    return Pair(*crafts, holds=(hold(**(SOFT | damping)),))


def pull_apart(pair, force, torque):
    for sign, on_target in ((1.0, False), (-1.0, True)):
        pair.push(sign * force, sign * torque, on_target=on_target)


@pytest.mark.parametrize("axis", range(3))
def test_a_hold_gives_way_by_force_over_stiffness_and_by_the_sine_of_the_turn(axis):
    """Static: k x = F, and κ sin θ = M."""
    unit = np.eye(3)[axis]
    pair = held_firmly()
    pull_apart(pair, 30.0 * unit, np.zeros(3))
    pair.go(20.0, 0.1)
    assert pair.p_TC() == pytest.approx(30.0 / SOFT["stiffness"] * unit, abs=1e-12)
    pair = held_firmly()
    pull_apart(pair, np.zeros(3), 400.0 * unit)
    pair.go(30.0, 0.1)
    crafts = (each[layout.Q :][:4] for each in (pair.chaser, pair.target))
    turned = [2.0 * math.atan2(q[1 + axis], q[0]) for q in crafts]
    meant = 400.0 / SOFT["rotational_stiffness"][axis]
    assert math.sin(turned[0] - turned[1]) == pytest.approx(meant, rel=1e-9)


def test_a_limit_is_never_exceeded_and_a_pull_pulls():
    limit, pull = 12.0, np.array([0.0, 0.0, 7.0])
    crafts = (
        body(200.0, [50.0, 60.0, 70.0], v_H=np.array([0.5, 0, 0])),
        body(300.0, [9.0, 9.0, 9.0]),
    )
    R_TB = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    free = Pair(*crafts, holds=(hold(pull=pull, R_TB=R_TB),))
    (f_C, _), _ = reactions(free, crafts)
    assert f_C == pytest.approx(R_TB @ pull, rel=1e-12)
    held = Pair(*crafts, holds=(hold(max_force=limit, max_torque=3.0, **SOFT),))
    held.chaser[layout.W + 1] = 1.0
    largest = np.zeros(2)
    for _ in range(50):
        held.step(0.01)
        (f_C, m_C), _ = reactions(held, crafts)
        t_C = m_C - np.cross(held.chaser[layout.P :][:3], f_C)
        largest = np.maximum(largest, [np.linalg.norm(f_C), np.linalg.norm(t_C)])
    assert largest[0] == pytest.approx(limit, rel=1e-12)
    # about the chaser's centre the limited force has its lever too
    assert largest[1] > 3.0 - 1e-9


def test_a_hold_closes_and_opens_when_it_is_told():
    pair = Pair(
        body(200.0, [50.0] * 3, v_H=np.array([0.1, 0.0, 0.0])),
        body(300.0, [90.0] * 3),
        holds=(hold(start=0.5, end=0.9, **SOFT),),
    )
    pair.go(0.49, 0.01)
    assert pair.v_TC()[0] == 0.1
    pair.go(0.51, 0.01)
    assert closings(pair) == pytest.approx([0.5], abs=1e-9)
    assert openings(pair) == pytest.approx([0.9], abs=1e-9)
    # half-way through its own sine it was let go
    omega = math.sqrt(4e3 * (1.0 / 200.0 + 1.0 / 300.0))
    assert pair.v_TC()[0] == pytest.approx(0.1 * math.cos(omega * 0.4), abs=1e-7)


def test_a_lateral_lock_leaves_the_normal_free():
    pair = Pair(
        body(200.0, [50.0] * 3, v_H=np.array([0.3, 0.05, -0.02])),
        body(300.0, [90.0] * 3),
        holds=(hold(stiffness=np.array([0.0, 1e4, 1e4]), damping=np.array([0.0, 2e3, 2e3])),),
    )
    pair.go(3.0, 0.01)
    assert pair.v_TC()[0] == pytest.approx(0.3, abs=1e-3)
    assert pair.p_TC()[0] == pytest.approx(0.9, abs=3e-3)
    assert np.abs(pair.p_TC()[1:]).max() < 2e-2


@pytest.mark.parametrize("parts", [1, 2, 5])
def test_a_commanded_hold_closes_and_opens_when_it_is_told_however_many_steps_follow(parts):
    """At the control instant itself, not at the end of the first step after it."""
    given = hold(stiffness=np.full(3, 1e4), rotational_stiffness=np.full(3, 1e3), commanded=True)
    moving = body(10.0, np.ones(3), v_H=np.array([0.3, 0.0, 0.0]), p_H=np.array([-0.1, 0.0, 0.0]))
    pair = Pair(moving, body(20.0, np.ones(3)), holds=(given,))
    h = 0.01
    for wish in (0.0, 1.0, 1.0, 0.0):
        pair.hold_memory()[hold_array.COMMAND] = wish
        pair.go(h, h / parts)
    assert pair.events == [(pytest.approx(0.01), 0, True), (pytest.approx(0.03), 0, False)]


def test_each_hold_closes_and_opens_by_its_own_command():
    rng = np.random.default_rng(8)
    holds = tuple(
        hold(name=name, p_TB=rng.uniform(-1, 1, 3), commanded=True, **SOFT) for name in "abc"
    )
    pair = Pair(*bodies(rng), holds=holds)
    for row, closed in ((1, 1.0), (2, 1.0), (1, 0.0)):
        command_hold(pair.plant, pair.y, row, closed)
        pair.step(1e-3)
    assert [(number, closed) for _, number, closed in pair.events] == [
        (1, True),
        (2, True),
        (1, False),
    ]
