"""Force sensors where they sit: weight, motion, contact, and what compensation leaves of them."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from proxops.core.description import RigidInertia, point_inertia
from proxops.facility.common.force_sensor import ForceSensor
from proxops.facility.common.rows import CHASER, FLANGE, TARGET, WRIST
from proxops.facility.robot_cell.industrial.robot import COM, MASS, load_row
from proxops.facility.robot_cell.sensing import (
    KNOWN,
    TRUE,
    Sensed,
    Sensing,
    measured_on_target,
    surplus,
    take_tare,
    weigh_tools,
)
from proxops.physics.multibody import tree as at

G = 9.80665  # [m/s2]
LINK = 2  # number of the arm's last link
BOTH = (FLANGE, WRIST)
M_KG, C = 12.0, np.array([0.3, -0.1, 0.2])  # of the load beyond a sensor, in B
TILT = Rotation.from_euler("y", 30.0, degrees=True)
HERE = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
NOTHING = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def row(p, R, *more):
    return np.concatenate([p, R.as_quat(scalar_first=True), *more])


def cell(body=TILT, X_BS=HERE):
    """A cell whose sensors both carry the same load on bodies turned by `body`; the link stands
    where the hub does."""
    load = load_row(RigidInertia(M_KG, C, np.diag([0.5, 0.7, 0.9]) + point_inertia(M_KG, C)))
    sensing = Sensing(
        LINK,
        np.tile(X_BS, (2, 2, 1)),
        np.tile(load, (2, 2, 1)),
        np.tile(HERE, (2, 2, 1)),
        0,
        np.zeros((2, 6)),
        1,
        0.0,
    )
    motions = np.tile(row(np.zeros(3), body, np.zeros(6)), (2, 1))
    sensed = Sensed(
        motions.copy(), *(np.zeros((2, 2, 6)) for _ in range(2)), np.zeros((2, 6)), np.zeros(6),
        np.zeros((2, 13)),
    )  # fmt: skip
    scratch = np.zeros((LINK + 2, at.SCRATCH_WIDTH))
    scratch[:, at.R : at.R + 9] = np.eye(3).ravel()
    return sensing, sensed, motions, scratch


def weighed(made, per_step=0.0):
    sensing, sensed, motions, scratch = made
    weigh_tools(sensing, sensed, motions, scratch, per_step)
    return made


def read(made, which, F=NOTHING):
    """s - s⁰ as six numbers."""
    return np.concatenate(surplus(*made, which, F))


def measured(made, which, F=NOTHING):
    """What the models are told, once bias-free samples have arrived."""
    sensing, sensed, _, scratch = made
    reading = read(made, which, F)
    measured_on_target(sensing, sensed, scratch, which, reading)
    return reading


@pytest.mark.parametrize("which", BOTH)
def test_a_tilted_tool_reads_its_weight_about_the_sensor_and_compensation_takes_it_away(which):
    """f = Rᵀ (0, 0, -m g), t = (c - p_BS) × f, in the axes of S; rounding of 100 N."""
    R_BS, p_BS = Rotation.from_euler("xz", [20.0, -50.0], degrees=True), np.array([0.05, 0.2, -0.1])
    made = weighed(cell(X_BS=row(p_BS, R_BS)))
    f = TILT.inv().apply([0.0, 0.0, -M_KG * G])
    expected = np.concatenate([R_BS.inv().apply(f), R_BS.inv().apply(np.cross(C - p_BS, f))])
    assert made[1].weights[TRUE, which] == pytest.approx(expected, abs=1e-12)
    assert not read(made, which).any()


@pytest.mark.parametrize("which", BOTH)
def test_a_tool_that_is_lifted_and_swung_reads_its_inertia_and_compensation_takes_it_away(which):
    """Upright: lifted with a it weighs m (g + a); turning with ω about z it pulls outward with
    m ω² of its distance; spun up with α it holds back."""
    a, w, alpha, h = 1.5, 0.8, 2.0, 1e-3
    made = cell(Rotation.identity())
    _, sensed, motions, scratch = made
    now = np.array([0.0, 0.0, 0.3, 0.0, 0.0, w])
    for rows in (motions, sensed.known):
        rows[:, 7:] = now
    for base in (0, LINK):  # the link moves with the hub
        scratch[base, at.V : at.V + 3], scratch[base, at.W : at.W + 3] = now[:3], now[3:]
    sensed.twists[:] = now - h * np.array([0.0, 0.0, a, 0.0, 0.0, alpha])
    weighed(made, 1.0 / h)
    x, y, _ = C
    f = M_KG * np.array([w * w * x + alpha * y, w * w * y - alpha * x, -(G + a)])
    t = np.cross(C, f) - np.array([0.0, 0.0, 0.9 * alpha])
    # speeds of 0.8, rounded, over 1e-3 s and times 12 kg
    assert sensed.weights[TRUE, which] == pytest.approx(np.concatenate([f, t]), abs=1e-11)
    assert not read(made, which).any()


def test_the_wrist_is_carried_along_by_the_hub_as_it_is_known_to_move():
    """The arm's kinematics are those on the true base: on another the link moves otherwise."""
    made = cell(Rotation.identity())
    sensing, sensed, _, scratch = made
    arm, w = np.array([0.5, 0.0, 0.0]), np.array([0.0, 0.0, 2.0])
    scratch[LINK, at.P : at.P + 3] = arm
    sensed.known[CHASER, 7:] = *(0.0, 0.1, 0.0), *w
    weighed(made)
    assert sensed.twists[KNOWN, WRIST] == pytest.approx([0.0, 1.1, 0.0, *w], abs=1e-15)
    assert not sensed.twists[TRUE, WRIST].any()
    assert sensing.tools[TRUE, WRIST, MASS] == M_KG


@pytest.mark.parametrize("which", BOTH)
def test_a_tool_believed_too_heavy_lifts_the_target_by_the_weight_of_the_error(which):
    """s - s⁰ = -δm g; the wrist's counts against the target.  A tare takes it away in the pose that
    it was taken in."""
    made = cell()
    sensing, sensed, motions, _ = made
    sensing.tools[KNOWN, which, MASS] += 0.4
    up = 0.4 * G * (1.0 if which == FLANGE else -1.0)
    force = TILT.inv().apply([0.0, 0.0, up])
    expected = np.concatenate([force, np.cross(C, force)])
    assert measured(weighed(made), which) == pytest.approx(expected, abs=1e-12)
    take_tare(sensing, ForceSensor(0.0, 1, 0, np.zeros(6), np.zeros(6)), sensed, which)
    assert measured(made, which) == pytest.approx(np.zeros(6), abs=1e-12)
    other = row(np.zeros(3), Rotation.identity(), np.zeros(6))
    motions[:], sensed.known[:] = other, other
    left = np.array([0.0, 0.0, up]) - force
    assert measured(weighed(made), which)[:3] == pytest.approx(left, abs=1e-12)


@pytest.mark.parametrize("which", BOTH)
def test_a_tool_believed_off_its_place_leaves_the_moment_of_its_weight(which):
    made = cell()
    shift = np.array([0.0, 0.02, 0.0])
    made[0].tools[KNOWN, which, COM : COM + 3] += shift
    sign = 1.0 if which == FLANGE else -1.0
    weight = TILT.inv().apply([0.0, 0.0, -M_KG * G])
    expected = np.concatenate([np.zeros(3), -sign * np.cross(shift, weight)])
    assert measured(weighed(made), which) == pytest.approx(expected, abs=1e-12)


def scattered():
    """Sensors, link and hubs anywhere, a force f at a point of the target, and that on the whole:
    about To, in T."""
    rng = np.random.default_rng(8)
    turns = Rotation.random(6, random_state=rng)
    made = cell()
    sensing, sensed, motions, scratch = made
    p = rng.normal(0.0, 1.0, (6, 3))
    motions[TARGET] = row(p[0], turns[0], np.zeros(6))
    motions[CHASER] = row(p[1], turns[1], np.zeros(6))
    sensed.known[:] = motions
    scratch[LINK, at.P : at.P + 3] = p[2]
    scratch[LINK, at.R : at.R + 9] = turns[2].as_matrix().ravel()
    sensing.frames[:, FLANGE], sensing.frames[:, WRIST] = row(p[3], turns[3]), row(p[4], turns[4])
    f, point = rng.normal(0.0, 30.0, 3), p[5]
    return weighed(made), f, point


def test_both_sensors_feel_a_contact_at_their_own_place_equal_and_opposite():
    """A force f at a point of the target is -f on the link at the same point: each about its S, in
    its axes; back at To both tell the same, so that nothing is left between them.  Rounding of
    100 N m."""
    made, f, point = scattered()
    sensing, _, motions, scratch = made
    F = tuple(f), tuple(np.cross(point, f))
    R_LT = Rotation.from_quat(motions[TARGET, 3:7], scalar_first=True)
    R_LC = Rotation.from_quat(motions[CHASER, 3:7], scalar_first=True)
    R_CB = Rotation.from_matrix(scratch[LINK, at.R : at.R + 9].reshape(3, 3))
    p_LB = motions[CHASER, :3] + R_LC.apply(scratch[LINK, at.P : at.P + 3])
    in_lab, place = R_LT.apply(f), motions[TARGET, :3] + R_LT.apply(point)
    bodies = {FLANGE: (R_LT, motions[TARGET, :3], 1.0), WRIST: (R_LC * R_CB, p_LB, -1.0)}
    for which, (R_LB, origin, sign) in bodies.items():
        X_BS = sensing.frames[TRUE, which]
        R_LS = R_LB * Rotation.from_quat(X_BS[3:], scalar_first=True)
        lever = place - origin - R_LB.apply(X_BS[:3])
        expected = [R_LS.inv().apply(sign * x) for x in (in_lab, np.cross(lever, in_lab))]
        assert read(made, which, F) == pytest.approx(np.concatenate(expected), abs=1e-12)
        assert measured(made, which, F) == pytest.approx(np.concatenate(F), abs=1e-12)


def test_a_sensor_that_is_turned_on_its_flange_turns_what_it_feels():
    """It reads f in its true axes, which are taken for the believed ones: f turned back."""
    made, f, point = scattered()
    sensing, sensed, _, _ = made
    turn, shift = Rotation.from_rotvec([0.01, -0.02, 0.03]), np.array([0.002, 0.0, -0.001])
    X = sensing.frames[KNOWN, FLANGE]
    R_TS = Rotation.from_quat(X[3:], scalar_first=True)
    sensing.frames[TRUE, FLANGE] = row(X[:3] + R_TS.apply(shift), R_TS * turn)
    sensed.weights[:] = 0.0
    there = R_TS.inv().apply(f), R_TS.inv().apply(np.cross(point - X[:3], f))
    back = [turn.inv().apply(x) for x in (there[0], there[1] - np.cross(shift, there[0]))]
    force = R_TS.apply(back[0])
    expected = np.concatenate([force, R_TS.apply(back[1]) + np.cross(X[:3], force)])
    F = tuple(f), tuple(np.cross(point, f))
    assert measured(made, FLANGE, F) == pytest.approx(expected, abs=1e-12)
