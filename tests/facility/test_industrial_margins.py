"""Which limit of a six-axis robot ends a trajectory, when, and what the flange carries."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from proxops.core.description import RigidInertia, point_inertia
from proxops.core.errors import InputError
from proxops.facility.robot_cell.industrial import margins as of
from proxops.facility.robot_cell.industrial.jacobian import jacobian
from proxops.facility.robot_cell.industrial.kr120 import KR120
from proxops.facility.robot_cell.industrial.robot import (
    ACCELERATION,
    FLANGE_ON_MOCK_UP,
    GRAVITY,
    SPEED,
    Placement,
    build,
)
from proxops.facility.robot_cell.industrial.track import between, follow, follow_track, track_of
from tests.facility.industrial_cases import (
    ABOUT_COM,
    COM,
    LOAD,
    PLAIN,
    TILTED,
    apart,
    pose_of,
)

HOME = np.radians([10.0, -80.0, 100.0, 20.0, 40.0, 30.0])
LEVEL = np.radians([0.0, -90.0, 90.0, 0.0, 0.0, 0.0])  # forearm and flange straight ahead
MASS, AHEAD, ASIDE = 100.0, 0.5, 0.2
INERTIA = np.diag([3.0, 4.0, 5.0])
FOREARM = math.hypot(1.0, 0.041)


def carrying(mass, com, about_com=INERTIA):
    com = np.array(com)
    load = RigidInertia(mass, com, about_com + point_inertia(mass, com))
    return build(KR120, Placement(load=load))


def moved(robot, t, joints, h=1e-5):
    """The track of joints that move as a function of time gives; twists and their rates from its
    differences."""

    def twist(at):
        J = np.empty((6, 6))
        jacobian(robot, joints(at), J)
        return J @ (joints(at + h) - joints(at - h)) / (2.0 * h)

    poses = np.array([pose_of(robot, joints(at)) for at in t])
    twists = np.array([twist(at) for at in t])
    rates = np.array([(twist(at + h) - twist(at - h)) / (2.0 * h) for at in t])
    return track_of(t, poses, twists, rates)


def one_axis(axis, motion, start=HOME):
    """Joints of which one moves by a function of time."""

    def joints(t):
        q = start.copy()
        q[axis] += motion(t)
        return q

    return joints


AMPLITUDE = np.array([0.4, 0.2, 0.3, 0.5, 0.3, 0.6])


def swinging(t):
    """All joints to and fro."""
    return HOME + AMPLITUDE * math.sin(1.3 * t)


STRETCHED = 1.15 + FOREARM - KR120.near_reach
BEND = math.acos((STRETCHED**2 - 1.15**2 - FOREARM**2) / (2.0 * 1.15 * FOREARM))


@pytest.mark.parametrize(
    ("axis", "motion", "name", "when"),
    [
        (5, lambda t: 1.5 * t, "axis 6 position", math.radians(320.0) / 1.5),
        (0, lambda t: -1.0 * t, "axis 1 position", math.radians(195.0)),
        (0, lambda t: 0.5 * t * t, "axis 1 speed", math.radians(136.0)),
        (0, lambda t: -20.0 / 6.0 * t**3, "axis 1 acceleration", KR120.acceleration[0] / 20.0),
        (4, lambda t: -0.5 * t, "wrist singularity", math.radians(35.0) / 0.5),
        (
            2,
            lambda t: -0.7 * t,
            "reach, arm stretched",
            (math.radians(100.0) - (BEND - math.atan2(0.041, 1.0))) / 0.7,
        ),
    ],
)
def test_the_first_limit_is_named_with_its_time(axis, motion, name, when):
    """Between samples of h = 20 ms poses are wrong by h⁴/384 of fourth derivatives, 1e-9; rates are
    taken as linear, wrong by h²/8 of their curvature: 1e-4 s at a jerk of 20 rad/s³."""
    t = np.arange(0.0, when + 0.2, 0.02)
    done = follow(PLAIN, moved(PLAIN, t, one_axis(axis, motion)), HOME)
    assert done.violation is not None
    assert done.violation.limit.name == name
    tolerance = 2e-4 if "acceleration" in name else 1e-6
    assert done.violation.t == pytest.approx(when, abs=tolerance)
    assert done.violation.limit.margin == pytest.approx(0.0, abs=1e-3)
    assert done.violation.limit.value == pytest.approx(done.violation.limit.bound, rel=1e-4)
    before = done.t < when - 1e-3
    assert (done.margins[before] > 0.0).all()


def test_joints_and_their_rates_along_a_track_are_those_it_was_made_of():
    """Twists and rates come from differences: rounding over h and over h², 1e-10 and 1e-6."""
    t = np.linspace(0.0, 3.0, 61)
    done = follow(TILTED, moved(TILTED, t, swinging), HOME)
    amplitude, w = AMPLITUDE, 1.3
    sine, cosine = np.sin(w * t)[:, None], np.cos(w * t)[:, None]
    np.testing.assert_allclose(done.joints, HOME + amplitude * sine, atol=1e-12)
    np.testing.assert_allclose(done.speeds, w * amplitude * cosine, atol=1e-8)
    np.testing.assert_allclose(done.accelerations, -w * w * amplitude * sine, atol=2e-5)
    used = np.abs(done.speeds) / TILTED.joints[:, SPEED]
    np.testing.assert_allclose(done.margins[:, of.SPEED : of.SPEED + 6], 1.0 - used, atol=1e-15)
    used = np.abs(done.accelerations) / TILTED.joints[:, ACCELERATION]
    np.testing.assert_allclose(
        done.margins[:, of.ACCELERATION : of.ACCELERATION + 6], 1.0 - used, atol=1e-15
    )
    assert done.worst.margin == done.margins.min()
    assert done.margins[done.t == done.worst_t].min() == done.worst.margin


def test_rates_that_are_not_given_are_differences_of_the_twists():
    t = np.arange(0.0, 1.0, 0.01)
    given = moved(TILTED, t, one_axis(1, lambda at: 0.3 * math.sin(2.0 * at)))
    np.testing.assert_allclose(
        track_of(given.t, given.poses, given.twists).rates, given.rates, atol=1e-3
    )


def still(rate=(0.0,) * 6, twist=(0.0,) * 6, joints=LEVEL, robot=PLAIN):
    """A pose, with a twist and a rate of it that last for no time."""
    return track_of(
        np.array([0.0, 1e-6, 2e-6]),
        np.tile(pose_of(robot, joints), (3, 1)),
        np.tile(twist, (3, 1)),
        np.tile(rate, (3, 1)),
    )


@pytest.mark.parametrize(
    ("rate", "twist", "expected"),
    [
        # The flange looks ahead: x_K down, y_K along y, so weight turns the load about y_K.
        ((0,) * 6, (0,) * 6, MASS * GRAVITY * AHEAD),
        ((-2.0, 0, 0, 0, 0, 0), (0,) * 6, MASS * (GRAVITY + 2.0) * AHEAD),
        (
            (0, 0, 0, 0, 3.0, 0),
            (0,) * 6,
            MASS * GRAVITY * AHEAD - (MASS * (AHEAD**2) + INERTIA[1, 1]) * 3.0,
        ),
    ],
)
def test_the_moment_on_the_flange_is_weight_and_inertia_times_lever(rate, twist, expected):
    robot = carrying(MASS, (0.0, 0.0, AHEAD))
    done = follow(robot, still(rate, twist), LEVEL)
    assert done.measures[0, of.MOMENT] == pytest.approx(expected, rel=1e-12)
    assert done.margins[0, of.MOMENT] == pytest.approx(1.0 - expected / KR120.moment, rel=1e-12)


def test_a_load_off_its_axis_pulls_outward_when_it_turns():
    """m ω² e along x_K at a lever of d ahead, besides the weight, which is along x_K too."""
    robot = carrying(MASS, (ASIDE, 0.0, AHEAD))
    done = follow(robot, still(twist=(0, 0, 0, 0, 0, 1.5)), LEVEL)
    expected = MASS * (GRAVITY + 1.5**2 * ASIDE) * AHEAD
    assert done.measures[0, of.MOMENT] == pytest.approx(expected, rel=1e-12)


def test_in_any_motion_the_moment_is_the_loads_loss_of_angular_momentum_plus_weight():
    """In lab axes, all from poses: -d/dt (R I Rᵀ w) - (p_com - p_K) × m (p̈_com - g).  Differences
    of h = 1e-4 are wrong by h² of fourth derivatives and round by 1e-16/h²: 1e-8 of 1e2 N m, some
    hundred times over for the rates of the track."""

    def placed(t):
        pose = pose_of(TILTED, swinging(t))
        return Rotation.from_quat(pose[3:], scalar_first=True), pose[:3]

    def spin(t):
        turned = (placed(t + h)[0] * placed(t - h)[0].inv()).as_rotvec() / (2.0 * h)
        R = placed(t)[0].as_matrix()
        return R @ ABOUT_COM @ R.T @ turned

    def centre(t):
        R, p = placed(t)
        return p + R.apply(COM)

    h, t = 1e-4, np.linspace(0.0, 2.0, 9)
    done = follow(TILTED, moved(TILTED, t, swinging), HOME)
    for at, found in zip(t, done.measures[:, of.MOMENT], strict=True):
        R, p = placed(at)
        X_MK = TILTED.poses[FLANGE_ON_MOCK_UP]
        lever = centre(at) - (p + R.apply(X_MK[:3]))
        a = (centre(at + h) - 2.0 * centre(at) + centre(at - h)) / h**2
        push = LOAD.mass * (np.array([0.0, 0.0, -GRAVITY]) - a)
        moment = np.cross(lever, push) - (spin(at + h) - spin(at - h)) / (2.0 * h)
        assert found == pytest.approx(np.linalg.norm(moment), abs=1e-4)


def test_between_samples_pose_and_twist_are_of_fourth_order():
    """Halving the time between samples divides what is wrong in the middle by 16, or 15 to 17 with
    what the next order leaves."""

    def wrong(h):
        t = 0.4 + h * np.arange(3)
        track = moved(TILTED, t, swinging)
        (q, p), (v, w), _ = between(track, 1, 0.5)
        pose = pose_of(TILTED, swinging(0.4 + 0.5 * h))
        truth = moved(TILTED, np.array([0.0, 0.1, 0.2]) + 0.4 + 0.5 * h, swinging).twists[0]
        return apart(np.array([*p, *q]), pose), np.abs(np.array([*v, *w]) - truth).max()

    coarse, fine = wrong(0.1), wrong(0.05)
    assert 14.5 < coarse[0] / fine[0] < 17.5
    assert 14.5 < coarse[1] / fine[1] < 17.5


def test_a_load_lifted_to_the_level_is_too_much_at_a_known_angle():
    """m g d cos q₅ reaches the limit; turning slowly at 0.05 rad/s, pulled along the lever only."""
    robot = carrying(MASS, (0.0, 0.0, AHEAD))
    level = math.acos(KR120.moment / (MASS * GRAVITY * AHEAD))
    start = LEVEL + np.array([0.0, 0.0, 0.0, 0.0, level + 0.03, 0.0])
    t = np.arange(0.0, 1.0, 0.1)
    done = follow(robot, moved(robot, t, one_axis(4, lambda at: -0.05 * at, start)), start)
    assert done.violation is not None
    assert done.violation.limit.name == "flange moment"
    assert done.violation.t == pytest.approx(0.6, abs=1e-6)


@pytest.mark.parametrize(
    ("robot", "name", "value"),
    [
        (carrying(130.0, (0.0, 0.0, 0.1)), "payload", 130.0),
        (carrying(50.0, (0.0, 0.0, 0.1), 80.0 * np.eye(3)), "load inertia", 80.0),
    ],
)
def test_a_load_that_is_too_heavy_is_named_at_once(robot, name, value):
    done = follow(robot, still(joints=HOME), HOME)
    assert done.violation is not None
    assert done.violation.limit.name == name
    assert done.violation.limit.value == pytest.approx(value, rel=1e-12)
    assert done.violation.t == 0.0


def test_a_track_that_leaves_the_reach_ends_there_with_what_is_missing():
    """Straight ahead at 0.5 m/s from 1.35 m of the wrist's centre: out of reach 0.35 + √(longest² -
    height²) ahead."""
    t = np.arange(0.0, 4.0, 0.05)
    bent = LEVEL + np.array([0.0, 0.0, 0.0, 0.0, 0.5, 0.0])
    poses = np.tile(pose_of(PLAIN, bent), (len(t), 1))
    poses[:, 0] += 0.5 * t
    along = np.zeros((len(t), 6))
    along[:, 0], along[:, 2] = 0.5 * -math.sin(0.5), 0.5 * math.cos(0.5)  # x_L in axes of K
    done = follow(PLAIN, track_of(t, poses, along, 0.0 * along), bent)
    height = 1.15 - 0.041
    last = (math.sqrt((1.15 + FOREARM) ** 2 - height**2) - 1.0) / 0.5
    assert done.t[-1] == pytest.approx(math.ceil(last / 0.05) * 0.05)
    ahead = 1.0 + 0.5 * done.t[-1]
    missing = math.hypot(ahead, height) - (1.15 + FOREARM)
    assert done.measures[-1, of.OUTER] == pytest.approx(-missing, abs=1e-12)
    assert done.violation is not None
    assert done.violation.t < last


def test_one_signature_for_every_robot_and_track():
    follow(TILTED, still(joints=HOME, robot=TILTED), HOME)
    follow(PLAIN, still(joints=HOME), HOME)
    assert len(follow_track.signatures) == 1


@pytest.mark.parametrize(
    ("t", "width", "text"),
    [
        ([0.0, 1.0], 6, "three or more times"),
        ([0.0, 2.0, 1.0], 6, "each later than the one before"),
        ([0.0, 1.0, 2.0], 5, r"twists have shape \(3, 5\); \(3, 6\) is needed"),
    ],
)
def test_a_track_that_is_none_is_refused(t, width, text):
    with pytest.raises(InputError, match=text):
        track_of(np.array(t), np.ones((len(t), 7)), np.zeros((len(t), width)))
