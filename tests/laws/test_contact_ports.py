"""Holds with a port: they draw two frames together, close within their envelope only, and the
ledger closes whatever the misalignment."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from proxops.core.frame import Frame
from proxops.core.jit import kernel
from proxops.plant import hold_array, layout, switching
from proxops.plant.holds import command_hold
from proxops.plant.in_place import any_in_place
from proxops.plant.observe_interface import ANGLE, OFFSET, PER_PORT, put_interface
from proxops.plant.switching import look
from tests.laws.test_contact_newton import matrix, quaternion
from tests.laws.touching import Balance, Pair, body, hold

SOFT = {
    "stiffness": np.array([400.0, 600.0, 500.0]),
    "rotational_stiffness": np.array([80.0, 50.0, 65.0]),
}
DAMPED = {
    "damping": np.array([300.0, 320.0, 280.0]),
    "rotational_damping": np.array([120.0, 90.0, 100.0]),
}


def rotation(rng, angle=None):
    """Any, or one by that angle [rad] about any axis."""
    if angle is None:
        return Rotation.random(random_state=rng).as_matrix()
    axis = rng.normal(size=3)
    return Rotation.from_rotvec(angle * axis / np.linalg.norm(axis)).as_matrix()


def misaligned(rng, offset, angle, *, v=0.0, w=0.0, **changes):
    """Chaser and target with a commanded hold between a port of the one and a frame of the other,
    both anywhere; A is `offset` (3,) [m] from B in B axes, rotated by `angle` [rad] against it."""
    X_TB = Frame(rotation(rng), rng.uniform(-1, 1, 3))
    X_CA = Frame(rotation(rng), rng.uniform(-1, 1, 3))
    X_BA = Frame(rotation(rng, angle), np.asarray(offset, dtype=float))
    target = body(
        300.0,
        [120.0, 90.0, 100.0],
        q_N=quaternion(rng),
        w=w * rng.normal(size=3),
        v_H=v * rng.normal(size=3),
    )
    R_NT = Rotation.from_quat(np.roll(target.q_N, -1)).as_matrix()
    X_NC = Frame(R_NT, target.p_H) @ X_TB @ X_BA @ X_CA.inverse()
    chaser = body(
        200.0,
        [50.0, 60.0, 70.0],
        p_H=X_NC.p,
        q_N=np.roll(Rotation.from_matrix(X_NC.R).as_quat(), 1),
        w=w * rng.normal(size=3),
        v_H=v * rng.normal(size=3),
    )
    made = {"p_TB": X_TB.p, "R_TB": X_TB.R, "port": X_CA, "commanded": True} | changes
    pair = Pair(chaser, target, holds=(hold(**made),))
    pair.frames = X_TB, X_CA
    return pair


def frame_BA(pair):
    """A in B, from the two states."""
    X_TB, X_CA = pair.frames
    X_NT = Frame(matrix(pair.target), pair.target[layout.P :][:3])
    X_NC = Frame(matrix(pair.chaser), pair.chaser[layout.P :][:3])
    return (X_NT @ X_TB).inverse() @ X_NC @ X_CA


def angle_of(R):
    return float(np.linalg.norm(Rotation.from_matrix(R).as_rotvec()))


def command(pair, closed):
    command_hold(pair.plant, pair.y, 0, float(closed))


def attempt(pair):
    return pair.hold_memory()[hold_array.ATTEMPT :][:4]


def port_energy(pair):
    """Stored in the springs, from poses [J]."""
    given, X_BA = pair.plant.holds[0], frame_BA(pair)
    x = X_BA.R.T @ X_BA.p  # in A
    eps2 = (1.0 + 2.0 * np.diag(X_BA.R) - np.trace(X_BA.R)) / 4.0
    straight = 0.5 * given[hold_array.STIFFNESS :][:3] @ x**2
    return straight + 2.0 * given[hold_array.ROTATIONAL_STIFFNESS :][:3] @ eps2


def test_a_port_draws_its_frame_onto_the_targets_from_any_pose():
    rng = np.random.default_rng(11)
    for _ in range(3):
        pair = misaligned(rng, rng.uniform(-0.1, 0.1, 3), 0.3, **SOFT, **DAMPED)
        command(pair, True)
        pair.go(60.0, 0.05)
        X_BA = frame_BA(pair)
        assert np.linalg.norm(X_BA.p) < 1e-9  # no pull, so no offset is left
        assert angle_of(X_BA.R) < 1e-9


def test_without_damping_what_the_ledger_took_is_what_the_springs_gained_since_they_closed():
    """Closed while 0.1 m and 0.4 rad apart and in motion: there is force from the first instant.
    What is left of the balances is Runge-Kutta's and falls with h⁴: 7e-10 of the angular momentum
    at 10 ms, 5e-11 at 5 ms."""
    rng = np.random.default_rng(12)
    pair = misaligned(rng, [0.06, -0.07, 0.04], 0.4, v=0.05, w=0.1, **SOFT)
    pair.go(0.1, 0.05)
    balance = Balance(pair)
    command(pair, True)
    stored = port_energy(pair)
    assert stored > 1.0
    moved = 0.0
    for _ in range(600):
        pair.step(0.005)
        taken = -pair.ledger[layout.HOLD_WORK]
        assert taken == pytest.approx(port_energy(pair) - stored, abs=1e-7 * stored)
        moved = max(moved, abs(taken))
    assert moved > 0.1 * stored
    momentum, angular, energy = balance.residuals()
    assert momentum < 1e-12
    assert angular < 1e-10
    assert energy < 1e-8


@pytest.mark.parametrize("damping", [{}, DAMPED])
def test_the_ledger_closes_when_a_port_is_opened_while_it_is_strained(damping):
    """What its springs still hold is lost with them: it is in no body, and no work was done."""
    rng = np.random.default_rng(13)
    pair = misaligned(rng, [0.06, -0.07, 0.04], 0.4, v=0.05, w=0.1, **SOFT, **damping)
    balance = Balance(pair)
    command(pair, True)
    pair.go(0.35, 0.005)
    assert port_energy(pair) > 0.05
    command(pair, False)
    pair.step(0.01)
    done = pair.ledger[layout.HOLD_WORK]
    pair.go(1.0, 0.01)
    assert pair.ledger[layout.HOLD_WORK] == done  # an open one does nothing
    assert abs(done) > 0.01
    momentum, angular, energy = balance.residuals()
    assert momentum < 1e-12
    assert angular < 1e-10
    assert energy < 1e-8


def test_offset_angle_speed_and_rate_are_those_of_the_frames_and_of_their_change():
    """Speed and rate against differences of poses, which are right to h²."""
    rng, h = np.random.default_rng(14), 1e-4
    for _ in range(5):
        pair = misaligned(rng, rng.uniform(-0.3, 0.3, 3), 0.5, v=0.1, w=0.3, reach=1e-6)
        before = frame_BA(pair)
        pair.step(h)
        middle = frame_BA(pair)
        command(pair, True)  # which misses, and tells how far it was
        pair.step(h)
        after = frame_BA(pair)
        offset, angle, speed, rate = attempt(pair)
        assert offset == pytest.approx(np.linalg.norm(middle.p), rel=1e-12)
        assert angle == pytest.approx(angle_of(middle.R), rel=1e-12)
        assert speed == pytest.approx(np.linalg.norm(after.p - before.p) / (2 * h), rel=1e-6)
        assert rate == pytest.approx(angle_of(before.R.T @ after.R) / (2 * h), rel=1e-6)


def test_a_port_tells_its_offset_in_the_axes_of_the_targets_frame():
    pair = misaligned(np.random.default_rng(19), [0.3, -0.2, 0.1], 0.7)
    row = np.zeros(6 + PER_PORT)
    observed(pair.plant, pair.work, pair.y, row)
    assert row[6 + OFFSET :][:3] == pytest.approx([0.3, -0.2, 0.1], abs=1e-12)
    assert row[6 + ANGLE] == pytest.approx(0.7, abs=1e-12)


@kernel
def observed(plant, work, y, row):
    """What is recorded of contacts and holds."""
    look(plant, y, work.scratch)
    put_interface(plant, y, work.scratch, row, 0)


def test_a_strained_port_pulls_both_alike_and_stores_what_its_springs_say():
    """The first step after it closes at rest: the work is minus the change of what is stored, and
    the force is its gradient, k x: 24 N along the first axis."""
    given = {"stiffness": np.array([400.0, 0.0, 0.0]), "rotational_stiffness": np.full(3, 50.0)}
    pair = misaligned(np.random.default_rng(20), [0.06, 0.0, 0.0], 0.0, **given)
    command(pair, True)
    pair.step(1e-3)
    rate = pair.rates()
    R_NB = matrix(pair.target) @ pair.frames[0].R
    pull = 300.0 * (R_NB.T @ rate[pair.parts.target][layout.V :][:3])
    assert pull == pytest.approx([24.0, 0.0, 0.0], abs=1e-3)  # 2.5 µm of it are drawn in by then
    twisted = misaligned(np.random.default_rng(21), [0.0, 0.0, 0.0], 0.5, **given)
    command(twisted, True)
    stored = port_energy(twisted)
    assert stored == pytest.approx(2.0 * 50.0 * math.sin(0.25) ** 2, rel=1e-12)
    balance = Balance(twisted)
    for _ in range(10):
        twisted.step(5e-3)
    assert -twisted.ledger[layout.HOLD_WORK] == pytest.approx(
        port_energy(twisted) - stored, rel=1e-6
    )
    assert port_energy(twisted) < 0.999 * stored
    assert twisted.carried().energy - balance.before.energy > 1e-4 * stored


LIMITS = ("reach", "max_angle", "max_speed", "max_rate")


@pytest.mark.parametrize("which", range(4))
def test_a_port_closes_up_to_each_limit_and_misses_beyond_it(which):
    def tried(share):
        rng = np.random.default_rng(15)
        known = misaligned(rng, [0.03, -0.02, 0.04], 0.2, v=0.02, w=0.05, reach=1e-9)
        command(known, True)
        known.step(1e-3)
        limits = dict.fromkeys(LIMITS, math.inf) | {LIMITS[which]: share * attempt(known)[which]}
        again = np.random.default_rng(15)
        pair = misaligned(again, [0.03, -0.02, 0.04], 0.2, v=0.02, w=0.05, **limits, **SOFT)
        command(pair, True)
        pair.step(1e-3)
        assert attempt(pair) == pytest.approx(attempt(known), rel=1e-9)
        return pair.hold_memory()[hold_array.ENGAGED]

    assert tried(1.001) == hold_array.HOLDING
    assert tried(0.999) == hold_array.MISSED


def test_a_port_that_missed_closes_when_it_is_told_again_and_is_near_enough():
    """Told once it stays missed, however near it comes: it is to be opened first."""
    rng = np.random.default_rng(16)
    pair = misaligned(rng, [0.1, 0.0, 0.0], 0.0, reach=0.05, **SOFT)
    R_NB = matrix(pair.target) @ pair.frames[0].R
    pair.chaser[layout.V :][:3] = R_NB @ [-0.1, 0.0, 0.0]
    told = []
    for wish in (1, 1, 1, 1, 1, 1, 0, 1, 1):
        command(pair, wish)
        pair.step(0.1)
        told.append(pair.hold_memory()[hold_array.ENGAGED])
    assert told[:6] == [hold_array.MISSED] * 6
    assert told[6:] == [hold_array.OPEN, hold_array.HOLDING, hold_array.HOLDING]
    switches = [(t, closed) for t, _, closed in pair.events]
    assert switches == [(0.0, False), (pytest.approx(0.7), True)]


def test_what_a_port_tried_with_is_in_the_log_of_switches():
    rng = np.random.default_rng(17)
    pair = misaligned(rng, [0.0, 0.12, 0.0], 0.25, reach=0.05, **SOFT)
    command(pair, True)
    pair.step(1e-3)
    row = pair.work.switches[1]
    assert row[switching.CLOSED] == hold_array.MISSED
    assert row[switching.ATTEMPT :][:4] == pytest.approx([0.12, 0.25, 0.0, 0.0], abs=1e-12)


@kernel
def in_place(plant, work, y, joins):
    """Whether the hold that joins two shapes is at its place."""
    return any_in_place(plant, y, work.scratch, joins, 0)


@pytest.mark.parametrize(
    ("offset", "reach", "is_there"), [(0.019, 1.0, 1), (0.021, 1.0, 0), (0.019, 0.01, 0)]
)
def test_an_open_port_within_20_mm_and_its_reach_is_where_it_is_meant_to_be(
    offset, reach, is_there
):
    pair = misaligned(np.random.default_rng(22), [0.0, offset, 0.0], 0.3, reach=reach)
    assert in_place(pair.plant, pair.work, pair.y, np.zeros((1, 3), dtype=np.int64)) == is_there


def test_a_soft_and_a_hard_latch_share_their_frames():
    """The soft one draws in, the hard one then closes with next to nothing left to do."""
    rng = np.random.default_rng(18)
    X = Frame(rotation(rng), rng.uniform(-1, 1, 3))
    crafts = (
        body(200.0, [50.0, 60.0, 70.0], p_H=np.array([0.03, 0.02, -0.01])),
        body(300.0, [120.0, 90.0, 100.0]),
    )
    shared = {"p_TB": X.p, "R_TB": X.R, "port": X, "commanded": True}
    hard = {
        "stiffness": np.full(3, 1e5),
        "rotational_stiffness": np.full(3, 1e4),
        "damping": np.full(3, 6e3),
        "rotational_damping": np.full(3, 900.0),
    }
    pair = Pair(
        *crafts,
        holds=(
            hold(name="soft", reach=0.05, **shared, **SOFT, **DAMPED),
            hold(name="hard", reach=2e-3, max_speed=0.01, **shared, **hard),
        ),
    )
    command_hold(pair.plant, pair.y, 0, 1.0)
    command_hold(pair.plant, pair.y, 1, 1.0)
    pair.step(0.05)
    assert pair.hold_memory(1)[hold_array.ENGAGED] == hold_array.MISSED
    command_hold(pair.plant, pair.y, 1, 0.0)
    pair.go(20.0, 0.05)
    command_hold(pair.plant, pair.y, 1, 1.0)
    pair.step(0.05)
    assert pair.hold_memory(0)[hold_array.ENGAGED] == hold_array.HOLDING
    assert pair.hold_memory(1)[hold_array.ENGAGED] == hold_array.HOLDING
