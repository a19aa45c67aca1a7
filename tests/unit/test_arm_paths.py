"""Joints for a pose, paths of joints, and their time laws."""

import math
from functools import cache

import numpy as np
import pytest
from scipy.interpolate import make_interp_spline
from tests.unit.arm_cases import REACHING, gantry, planar, random_posture, shipped

from proxops import plant
from proxops.arm_paths.arm import (
    arm_of,
    away_from_stops,
    effector_jacobian,
    effector_pose,
    joint_frames,
    ranges,
)
from proxops.arm_paths.inverse_kinematics import (
    TOLERANCE,
    null_space,
    pose_error,
    rotation_vector,
    solve,
)
from proxops.arm_paths.path import Path, PathError, joint_path, straight_path
from proxops.arm_paths.singularity import best_posture, singular_values
from proxops.arm_paths.time_law import MotionLimits, joined, timed
from proxops.assembly.describe import describe
from proxops.core.errors import InputError
from proxops.core.frame import Frame, frame, rotation_of
from proxops.physics.multibody.tree import Tree
from proxops.plant.mobility import stance
from proxops.scenario.load import load

ARM = shipped()
ASIDE = np.array([-0.15, 0.1, -0.2])  # [m]
LIMITS = MotionLimits(np.full(7, 0.2), np.full(7, 0.1), np.full(7, 0.2))


def turned(X: Frame, shift: np.ndarray, r: tuple[float, float, float]) -> Frame:
    """The pose shifted, and turned by the rotation vector, both in C."""
    angle = float(np.linalg.norm(r))
    axis = np.array(r) / angle
    R = rotation_of((math.cos(angle / 2), *(math.sin(angle / 2) * axis)))
    return Frame(R @ X.R, X.p + shift)


@cache
def straight() -> Path:
    end = turned(effector_pose(ARM, REACHING), ASIDE, (0.2, -0.1, 0.3))
    return straight_path(ARM, REACHING, end)


# --- kinematics ---------------------------------------------------------------------------------


def test_the_jacobian_is_the_slope_of_the_pose() -> None:
    rng, h = np.random.default_rng(0), 1e-5
    for arm in (ARM, gantry(1.0), ARM.holding(frame((0.3, -1.0, 2.0), (0.6, 0.0, 0.8, 0.0)))):
        q = random_posture(arm, rng)
        J = effector_jacobian(arm, q[None])[0]
        for i in range(len(q)):
            there, back = (effector_pose(arm, q + h * s * np.eye(len(q))[i]) for s in (1, -1))
            slope = pose_error(back, there) / (2.0 * h)
            # central differences: h² times third derivatives of some metres
            assert J[:, i] == pytest.approx(slope, abs=1e-9)


def test_rotation_vectors_of_all_angles() -> None:
    rng = np.random.default_rng(3)
    for angle in (0.0, 1e-12, 1e-5, 0.3, 1.5, 1.6, 3.0, math.pi - 1e-6):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        R = rotation_of((math.cos(angle / 2), *(math.sin(angle / 2) * axis)))
        assert rotation_vector(R) == pytest.approx(angle * axis, abs=1e-14)


def test_frames_are_those_of_the_plant() -> None:
    """Of an arm on the hub, and of a finger on its end, joints as at the start."""
    chaser, target, _ = describe(load("envisat-capture"))
    built = plant.build(chaser, target, None)
    q = np.concatenate([each.q for each in chaser.jointed])
    here = stance(Tree(built.chaser, built.chaser_topology), q)
    for name, body in (("main", 7), ("right", 9)):
        arm = arm_of(chaser, name)
        R, p = joint_frames(arm, q[None, arm.first : arm.first + len(arm.joints)])
        assert R[0, -1] == pytest.approx(here.R[body], abs=1e-14)
        assert p[0, -1] == pytest.approx(here.p[body], abs=1e-14)


def test_an_arm_that_is_not_there_is_named_with_those_that_are() -> None:
    chaser, _, _ = describe(load("envisat-capture"))
    with pytest.raises(InputError, match="'other'; there are: main, left, right"):
        arm_of(chaser, "other")


# --- inverse kinematics -------------------------------------------------------------------------


@pytest.mark.parametrize("elbow", [1.0, -1.0])
def test_two_links_in_a_plane_have_two_postures(elbow: float) -> None:
    """cos q₂ = (r² - a² - b²)/2ab, the seed choosing the sign; E points along q₁ + q₂."""
    a, b, x, y = 0.7, 0.5, 0.6, 0.55
    q2 = elbow * math.acos((x * x + y * y - a * a - b * b) / (2.0 * a * b))
    q1 = math.atan2(y, x) - math.atan2(b * math.sin(q2), a + b * math.cos(q2))
    half = 0.5 * (q1 + q2)
    X = frame((x, y, 0.0), (math.cos(half), 0.0, 0.0, math.sin(half)))
    found = solve(planar(a, b), X, np.array([0.3, 0.5 * elbow]))
    assert found.reached
    assert found.q == pytest.approx([q1, q2], abs=1e-9)


def test_joints_of_random_poses_are_found_from_seeds_beside_them() -> None:
    rng = np.random.default_rng(1)
    for _ in range(25):
        q = random_posture(ARM, rng)
        seed = np.clip(q + rng.normal(0.0, 0.4, 7), ARM.lower, ARM.upper)
        X = effector_pose(ARM, q)
        found = solve(ARM, X, seed)
        assert found.reached
        there = effector_pose(ARM, found.q)
        assert np.linalg.norm(there.p - X.p) <= TOLERANCE
        assert np.linalg.norm(there.R - X.R) <= 2.0 * TOLERANCE
        assert np.all((found.q >= ARM.lower) & (found.q <= ARM.upper))


def test_the_posture_is_the_one_nearest_to_the_seed_and_off_the_stops() -> None:
    """No self-motion makes ½ |u - u_seed|² + ¼ Σ x⁴ smaller."""
    rng, (middle, half) = np.random.default_rng(2), ranges(ARM)

    def cost(q: np.ndarray, seed: np.ndarray) -> float:
        x = (q - middle) / half
        return float(0.5 * np.sum(((q - seed) / half) ** 2) + 0.25 * np.sum(x**4))

    for _ in range(6):
        seed = random_posture(ARM, rng, 0.6)
        q = seed + rng.uniform(-0.2, 0.2, 7)
        X = effector_pose(ARM, q)
        found = solve(ARM, X, seed)
        assert np.all(np.abs((found.q - middle) / half) < 0.99)  # no stop has a say
        along = null_space(effector_jacobian(ARM, found.q[None])[0])[:, 0]
        ahead, behind = (beside(found.q, h * along, X) for h in (1e-3, -1e-3))
        least = cost(found.q, seed)
        # differences over 1e-3 of a slope that is zero: off by 1e-6 times third derivatives
        assert cost(ahead, seed) - cost(behind, seed) == pytest.approx(0.0, abs=2e-8)
        assert cost(ahead, seed) > least
        assert cost(behind, seed) > least


def beside(q: np.ndarray, move: np.ndarray, X: Frame) -> np.ndarray:
    """The posture with E at X that is nearest to q + move."""
    q = q + move
    for _ in range(5):
        J = effector_jacobian(ARM, q[None])[0]
        q = q + np.linalg.pinv(J) @ pose_error(effector_pose(ARM, q), X)
    return q


def test_a_pose_out_of_reach_leaves_what_is_missing() -> None:
    """Three slides with stops: E comes as near as the stops let it."""
    far = Frame(np.eye(3), np.array([0.1, -0.2, 0.75]))
    found = solve(gantry(0.5), _turned_as(gantry(0.5), far), np.zeros(3))
    assert not found.reached
    assert found.position_error == pytest.approx(0.25, abs=1e-9)
    assert found.angle_error <= 1e-9
    assert effector_pose(gantry(0.5), found.q).p == pytest.approx([0.1, -0.2, 0.5], abs=1e-9)


def _turned_as(arm, X: Frame) -> Frame:
    return Frame(effector_pose(arm, np.zeros(3)).R, X.p)


def test_joints_stay_within_their_stops() -> None:
    arm = gantry(0.5)
    X = Frame(effector_pose(arm, np.zeros(3)).R, np.array([0.5, 0.5, -0.5]))
    found = solve(arm, X, np.array([2.0, -3.0, 0.0]))
    assert found.reached
    assert np.abs(found.q).max() <= 0.5


# --- paths --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "shift"),
    [
        (None, 0.6 * ASIDE),
        (None, np.array([0.15, 0.08, -0.16])),  # stretches the arm: takes more nodes
        (frame((0.0, 0.3, 1.5), (0.8, 0.0, 0.6, 0.0)), 0.6 * ASIDE),
    ],
)
def test_a_straight_path_is_straight_and_turns_evenly(
    held: Frame | None, shift: np.ndarray
) -> None:
    arm = ARM if held is None else ARM.holding(held)
    X, r = effector_pose(arm, REACHING), np.array([0.1, -0.05, 0.1])
    path = straight_path(arm, REACHING, turned(X, shift, tuple(r)))
    shares = np.random.default_rng(0).uniform(0.0, 1.0, 200)
    for s, q in zip(shares, path.at(shares), strict=True):
        error = pose_error(effector_pose(arm, q), turned(X, s * shift, tuple(s * r)))
        assert np.abs(error).max() <= 1e-9
    assert path.at(np.zeros(1))[0] == pytest.approx(REACHING, abs=1e-14)


def test_along_a_straight_path_joints_keep_off_their_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    """More than with the smallest joint rates; where E hardly moves, joints hardly do."""
    near = REACHING.copy()
    near[[0, 2]] = 2.6, -0.3
    X = effector_pose(ARM, near)

    def end(shift: np.ndarray) -> np.ndarray:
        return straight_path(ARM, near, Frame(X.R, X.p + shift)).at(np.ones(1))[0]

    def cost(q: np.ndarray) -> float:
        return float(np.sum(np.abs(away_from_stops(ARM, q)) ** (4.0 / 3.0)))

    assert np.abs(end(1e-3 * ASIDE) - near).max() < 2e-3
    kept_off = cost(end(0.5 * ASIDE))
    monkeypatch.setattr("proxops.arm_paths.path._STOPS", 0.0)
    assert kept_off < 0.97 * cost(end(0.5 * ASIDE))


def test_a_straight_path_that_needs_more_than_a_joint_has_is_rejected() -> None:
    X = effector_pose(ARM, REACHING)
    with pytest.raises(PathError, match=r"stretched out at \d+ % of the straight path"):
        straight_path(ARM, REACHING, Frame(X.R, X.p + np.array([1.0, 0.0, 0.0])))
    arm = gantry(0.5)
    with pytest.raises(
        PathError, match=r"ends joint1 at 0\.6000 m, beyond its stops -0\.5000 to 0\.5000 m"
    ):
        joint_path(arm, np.zeros(3), np.array([0.0, 0.6, 0.0]))


# --- time laws ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("speed", "acceleration", "jerk"), [(0.1, 9.0, 9.0), (9.0, 0.05, 9.0), (9.0, 9.0, 0.02)]
)
def test_a_joint_path_takes_what_its_tightest_limit_asks(
    speed: float, acceleration: float, jerk: float
) -> None:
    """Of the quintic, speed is 15/8 D/T at most, acceleration 10/√3 D/T², jerk 60 D/T³."""
    D, step = 0.8, 1e-3
    limits = MotionLimits(np.full(7, speed), np.full(7, acceleration), np.full(7, jerk))
    moved = np.array([0.1, -0.2, 0.0, -D, 0.3, 0.0, -0.5])
    table = timed(joint_path(ARM, REACHING, REACHING + moved), limits, step)
    least = max(
        1.875 * D / speed,
        math.sqrt(10.0 / math.sqrt(3.0) * D / acceleration),
        (60.0 * D / jerk) ** (1.0 / 3.0),
    )
    assert least - 1e-9 <= table.duration <= least + step
    assert table.q[-1] == pytest.approx(REACHING + moved, abs=1e-14)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_winding_path_takes_what_its_tightest_limit_asks(order: int) -> None:
    """q = sin 9s / 9 swings in between: its derivatives by τ, from the closed form."""
    s = np.linspace(0.0, 1.0, 201)
    path = Path(planar(1.0, 1.0), make_interp_spline(s, np.stack([np.sin(9 * s) / 9] * 2, 1), k=7))
    tau = np.linspace(0.0, 1.0, 200001)
    u = 9.0 * tau**3 * (10.0 - 15.0 * tau + 6.0 * tau**2)
    u1, u2 = 270.0 * tau**2 * (1 - tau) ** 2, 540.0 * tau * (1 - tau) * (1 - 2 * tau)
    u3 = 540.0 - 3240.0 * tau * (1 - tau)
    slopes = (
        np.cos(u) * u1,
        np.cos(u) * u2 - np.sin(u) * u1**2,
        np.cos(u) * (u3 - u1**3) - 3.0 * np.sin(u) * u1 * u2,
    )
    largest = np.abs(slopes[order - 1]).max() / 9.0
    bounds = [np.full(2, 1e9) for _ in range(3)]
    bounds[order - 1] = np.full(2, 0.5)
    limits, least = MotionLimits(*bounds), (largest / 0.5) ** (1.0 / order)
    enough = least * (1.0 + 1e-7)
    assert timed(path, limits, enough, enough).duration == enough
    with pytest.raises(PathError, match="too short"):
        timed(path, limits, enough, least * (1.0 - 1e-7))


def test_all_limits_are_kept_at_every_row_and_one_is_used_up() -> None:
    path, step = straight(), 0.01
    for limits in (
        MotionLimits(np.full(7, 0.05), np.full(7, 0.1), np.full(7, 0.2)),
        MotionLimits(np.full(7, 0.5), np.full(7, 0.01), np.full(7, 0.2)),
        MotionLimits(np.full(7, 0.5), np.full(7, 0.5), np.full(7, 0.01)),
        MotionLimits(np.full(7, 0.5), np.full(7, 0.5), np.full(7, 0.5), effector_speed=0.02),
        MotionLimits(np.full(7, 0.5), np.full(7, 0.5), np.full(7, 0.5), effector_rate=0.02),
    ):
        table = timed(path, limits, step)
        h, q = table.step, table.q
        # third derivative by differences of the fourth order: off by h⁴ q⁽⁷⁾, here below 1e-7
        jerk = (
            -q[6:] / 8 + q[5:-1] - 13 / 8 * q[4:-2] + 13 / 8 * q[2:-4] - q[1:-5] + q[:-6] / 8
        ) / h**3
        V = np.einsum("mij,mj->mi", effector_jacobian(ARM, q), table.qd)
        used = np.array(
            [
                (np.abs(table.qd) / limits.speed).max(),
                (np.abs(table.qdd) / limits.acceleration).max(),
                (np.abs(jerk) / limits.jerk).max(),
                np.linalg.norm(V[:, :3], axis=1).max() / limits.effector_speed,
                np.linalg.norm(V[:, 3:], axis=1).max() / limits.effector_rate,
            ]
        )
        assert used[[0, 1, 3, 4]].max() <= 1.0 + 1e-9
        assert used[2] <= 1.0 + 1e-6
        # rounded up to a step of some thousand; jerk is largest at the ends, beside the differences
        assert used.max() >= 0.98
        assert np.abs(table.qd[[0, -1]]).max() <= 1e-15
        assert np.abs(table.qdd[[0, -1]]).max() <= 1e-12


def test_rates_and_accelerations_are_those_of_the_positions() -> None:
    table = timed(straight(), LIMITS, 0.02)
    q, h = table.q, table.step
    qd = (q[:-4] - 8.0 * q[1:-3] + 8.0 * q[3:-1] - q[4:]) / (12.0 * h)
    qdd = (-q[:-4] + 16.0 * q[1:-3] - 30.0 * q[2:-2] + 16.0 * q[3:-1] - q[4:]) / (12.0 * h * h)
    # h⁴ times fifth and sixth derivatives, of some 10 and 100 /T⁵
    assert table.qd[2:-2] == pytest.approx(qd, abs=1e-8)
    assert table.qdd[2:-2] == pytest.approx(qdd, abs=1e-8)


def test_cubic_interpolation_gives_back_the_path() -> None:
    """Its error falls with the fourth power of the step, and the table says how large it is."""
    path, T, errors = straight(), 12.0, []
    for step in (0.2, 0.1, 0.05):
        table = timed(path, LIMITS, step, T)
        t = np.linspace(0.0, T, 2001)
        tau = t / T
        exact = path.at(tau**3 * (10.0 - 15.0 * tau + 6.0 * tau**2))
        errors.append(np.abs(table.at(t)[0] - exact).max())
        assert errors[-1] <= 1.1 * table.interpolation_error
    assert errors[0] / errors[1] == pytest.approx(16.0, rel=0.2)
    assert errors[1] / errors[2] == pytest.approx(16.0, rel=0.2)
    assert errors[2] < 1e-9


def test_a_duration_that_is_asked_for_is_kept_or_rejected_in_numbers() -> None:
    path = joint_path(ARM, REACHING, REACHING + 0.2)
    assert timed(path, LIMITS, 0.1, 30.0).duration == pytest.approx(30.0, abs=1e-12)
    said = (
        "3 s are too short: the jerk of shoulder_yaw would be 0.4444 rad/s3, and may be 0.2 rad/s3"
    )
    with pytest.raises(PathError, match=rf"{said}; the path takes at least 3\.915 s"):
        timed(path, LIMITS, 0.1, 3.0)


def test_paths_one_after_the_other_stop_in_between() -> None:
    via = REACHING + 0.1
    there = timed(joint_path(ARM, REACHING, via), LIMITS, 0.05)
    on = timed(joint_path(ARM, via, via - 0.3), LIMITS, 0.05)
    both = joined([there, on])
    assert both.duration == pytest.approx(there.duration + on.duration, abs=1e-12)
    stop = len(there.q) - 1
    assert both.q[stop] == pytest.approx(via, abs=1e-14)
    assert np.abs(both.qd[stop]).max() <= 1e-15
    assert both.q[-1] == pytest.approx(via - 0.3, abs=1e-14)


# --- singular postures --------------------------------------------------------------------------


def test_a_stretched_arm_is_singular_and_the_best_posture_is_not() -> None:
    assert singular_values(ARM, np.zeros((1, 7)))[0, -1] <= 1e-12
    q, best = best_posture(ARM)
    rng = np.random.default_rng(9)
    others = np.array([random_posture(ARM, rng, 1.0) for _ in range(2000)])
    assert best > singular_values(ARM, others)[:, -1].max()
    assert singular_values(ARM, q[None])[0, -1] == best


def test_two_links_lose_their_reach_as_the_sine_of_the_elbow() -> None:
    """|det J| of the plane = a b |sin q₂|, as a product of the two singular values of v."""
    arm = planar(0.7, 0.5)
    for bend in (0.2, 1.0, 2.0):
        J = effector_jacobian(arm, np.array([[0.4, bend]]))[0, :2]
        assert abs(np.linalg.det(J)) == pytest.approx(0.35 * math.sin(bend), rel=1e-12)
