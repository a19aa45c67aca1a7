"""The guard in the cell: missions that it lets through, missions that it ends, and how."""

from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.spatial.transform import Rotation

from proxops.assembly.cell import build_cell
from proxops.assembly.describe import describe
from proxops.assembly.facility import Lab, load_facility, without_contact
from proxops.core.description import RigidInertia, point_inertia
from proxops.core.frame import Frame, joint_motion, rotation_of
from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.table import Given
from proxops.facility.common.rows import CHASER, TARGET
from proxops.facility.robot_cell import guarded as cell_guard
from proxops.facility.robot_cell.guarded import flange_bears
from proxops.facility.robot_cell.industrial.inverse import REACHED, TOO_FAR, Solution
from proxops.facility.robot_cell.industrial.kr120 import KR120
from proxops.facility.robot_cell.industrial.robot import Placement
from proxops.facility.robot_cell.industrial.robot import build as build_robot
from proxops.rehearsal import on_facility
from proxops.results.fidelity import compare
from proxops.scenario.load import load
from proxops.scenario.schema.facility import Guard

RECORDED = 1e-3  # [s]
GRAVITY = np.array([0.0, 0.0, -9.80665])
STOPPED, RUNNING, BRAKING = 0.0, 1.0, 2.0
DT = 1e-4  # of differences [s]
CYCLE, LAG = 0.004, 0.02 + 2.0 / (2.0 * np.pi * 10.0)  # of commands, and of servos behind them [s]


def mission(seconds, **changes):
    """`touch` for so long, every step recorded."""
    held = [{"t_s": seconds, "q_deg": [0.0, -60.0, 0.0, 100.0, 0.0, -40.0, 0.0]}]
    return load("touch").replace(
        {
            "time.duration_s": seconds,
            "time.record_rate_hz": 1.0 / RECORDED,
            "time.phases.touch.until_s": seconds,
            "obsw.joints.main.waypoints": held,
        }
        | changes
    )


def guarded(**limits):
    """`oos-sim` with other limits."""
    facility = load_facility("oos-sim").facility
    guard = facility.guard.model_copy(update=limits)
    return Lab("oos-sim", facility.model_copy(update={"guard": guard}))


def rehearsed(scenario, lab, representation="absolute"):
    return on_facility(scenario, lab, representation).run()


@cache
def undisturbed():
    """The mission through contact, as the facility is shipped."""
    return rehearsed(mission(2.4), guarded())


def guard_texts(run):
    return [event.detail for event in run.events if event.name == "guard"]


def joints(run):
    """Joints of both robots (n, 12) [rad]."""
    return np.hstack([run[f"lab.robots.{name}.q"][1] for name in ("target", "chaser")])


def meeting_points(run):
    """Where both mock-ups have the place at which they touch (2, n, 3) [m]."""
    places = {"T": [-2.9, 0.0, 0.0], "C": [2.1, 0.0, 0.0]}
    return np.array(
        [
            [
                p + rotation_of(q) @ place
                for p, q in zip(run[f"lab.p_L{name}l"][1], run[f"lab.q_L{name}l"][1], strict=True)
            ]
            for name, place in places.items()
        ]
    )


def check_stop(run, why):
    """It ended in a stop for that reason, and all axes moved within their limits."""
    assert run.outcome == "stopped"
    assert guard_texts(run) == [run.events[-1].detail.split(": ", 1)[1]]
    assert why in guard_texts(run)[0]
    modes = run["lab.guard.mode"][1]
    assert list(modes[np.r_[True, np.diff(modes) != 0.0]]) in (
        [RUNNING, BRAKING, STOPPED],
        [BRAKING, STOPPED],
    )
    q = joints(run)
    lower, upper, speed = (np.tile(x, 2) for x in (KR120.lower, KR120.upper, KR120.speed))
    assert (q >= lower).all()
    assert (q <= upper).all()
    assert (np.abs(np.diff(q, axis=0)) / RECORDED <= speed).all()
    assert np.abs(q[-1] - q[-2]).max() / RECORDED < 2e-4  # they stand


def test_what_is_within_all_limits_goes_through_bit_by_bit():
    run = undisturbed()
    wide = guarded(
        measured_force_N=1e6, measured_torque_N_m=1e6, clearance_m=0.0, p_min_m=None, p_max_m=None
    )
    assert guard_texts(run) == []
    assert (run["lab.guard.mode"][1] == RUNNING).all()
    assert [event.name for event in run.events if event.name == "touch-down"]
    assert np.array_equal(run.rows, rehearsed(mission(2.4), wide).rows)


def test_a_force_over_its_limit_stops_both_robots_on_their_common_path_while_they_touch():
    """The paths are those of the run that goes on.  What is left is the third order of the way,
    (h s)³ q⃛/6, here micrometres; a robot that ran on while the other stops would be 5 mm away."""
    usual = undisturbed()
    force = np.linalg.norm(usual["lab.measured_wrench"][1][:, :3], axis=1)
    limit = 0.5 * force.max()
    run = rehearsed(mission(2.4), guarded(measured_force_N=limit))
    check_stop(run, f"measured force of the contact {limit:.1f}"[:-2])
    modes = run["lab.guard.mode"][1]
    begins = np.flatnonzero(modes == BRAKING)[0]
    assert (
        np.linalg.norm(run["lab.measured_wrench"][1][begins - 5 : begins, :3], axis=1).max()
        > 0.98 * limit
    )

    ours, theirs = (
        meeting_points(run)[:, begins:],
        meeting_points(usual)[:, begins - 100 : begins + 400],
    )
    assert np.linalg.norm(ours[:, -1] - ours[:, 0], axis=1).min() > 4e-3
    apart = [
        np.linalg.norm(theirs - here[:, np.newaxis], axis=2).max(axis=0).min()
        for here in ours.transpose(1, 0, 2)[::10]
    ]
    assert max(apart) < 1e-4  # half a row of the run that goes on, at 0.1 m/s, is in it


def weight_on_joints(mounted, q, X_LC):
    """Torques that hold an arm in the lab [N m], from moments of weights about axes."""
    X, frames = X_LC @ Frame(mounted.R_CA, mounted.p_CA), []
    for joint, angle in zip(mounted.arm.joints, q, strict=True):
        X = X @ Frame(joint.R_PJ, joint.p_PJ) @ joint_motion(joint.prismatic, angle)
        frames.append(X)
    torques = []
    for first, about in enumerate(frames):
        moment = np.zeros(3)
        for joint, X in zip(mounted.arm.joints[first:], frames[first:], strict=True):
            com = X.p + X.R @ joint.link.com
            moment += np.cross(com - about.p, joint.link.mass * GRAVITY)
        torques.append(-about.R[:, 2] @ moment)
    return np.array(torques)


def test_the_arm_bears_its_weight_and_gives_way_while_the_robots_stop():
    scenario = mission(2.4)
    run = rehearsed(scenario, guarded(measured_force_N=3.0))
    modes = run["lab.guard.mode"][1]
    begins = np.flatnonzero(modes == BRAKING)[0]
    chaser, _, _ = describe(scenario)
    q, qd = (run[f"chaser.arms.main.{name}"][1] for name in ("q", "qd"))
    tau, p, quat = (run[name][1] for name in ("lab.arms.main.tau_q", "lab.p_LCl", "lab.q_LCl"))
    damped = []
    for row in range(begins, len(modes), 20):
        X_LC = Frame(rotation_of(quat[row]), p[row])
        more = tau[row] - weight_on_joints(chaser.arms[0], q[row], X_LC)
        # friction and rounding have no part in it: what is left is -D q̇, of one D for each joint
        damped.append(-more / qd[row])
    moving = np.abs(qd[begins::20]) > 1e-4
    for joint, values in enumerate(np.array(damped).T):
        seen = values[moving[:, joint]]
        assert (seen > 0.0).all()
        assert np.ptp(seen) < 1e-3 * seen.max() if len(seen) else True
    force = np.linalg.norm(run["lab.measured_wrench"][1][:, :3], axis=1)
    assert force[-1] < 0.5 * force.max()


def test_an_absolute_motion_ends_before_a_robot_is_stretched_and_says_at_which_limit():
    fast = {
        "chaser.v_HC_m_s": [0.0, 0.0, -0.21816615649929116],
        "chaser.w_NC_C_deg_s": [0.0, -2.5, 0.0],
        "target.w_NT_T_deg_s": [0.0, -2.5, 0.0],
    }
    run = rehearsed(mission(20.0, **fast), guarded())
    check_stop(run, "axis 3 of the target's robot")
    forearm, bent = np.hypot(KR120.d4, KR120.a3), np.arctan2(KR120.a3, KR120.d4)
    bend = run["lab.robots.target.q"][1][:, 2] - bent
    square = KR120.a2**2 + forearm**2 + 2.0 * KR120.a2 * forearm * np.cos(bend)
    left = KR120.a2 + forearm - np.sqrt(square)
    assert (left > 0.0).all()
    assert left[-1] < 0.02  # [m]


def test_a_cell_has_both_corners_or_none():
    corner = {"p_min_m": (0.0, 0.0, 0.0)}
    with pytest.raises(ValidationError, match="is missing: a cell has both corners or none"):
        Guard(**corner)
    with pytest.raises(ValidationError, match="must be beyond p_min_m in x, y and z"):
        Guard(p_max_m=(1.0, 0.0, 1.0), **corner)


def test_a_speed_override_ends_a_motion_that_is_faster():
    run = rehearsed(mission(0.6), guarded(speed_override=0.005))
    check_stop(run, "speed of axis 1 of the target's robot")


def test_an_emergency_stop_is_heard_in_the_next_cycle_and_both_robots_run_down_one_clock():
    """Every axis goes on for the time by which it lags and for that of the clock, from the last
    command on; speeds change by less than 10 % in that time.  Robots that just stood would
    take 38 % less."""
    run = rehearsed(mission(0.6), guarded(emergency_stop_at_s=0.05))
    check_stop(run, "emergency stop")
    assert [event.t_s for event in run.events if event.name == "guard"] == [pytest.approx(0.052)]
    braking = np.flatnonzero(run["lab.guard.mode"][1] == BRAKING)
    N, i = len(braking) * RECORDED / CYCLE, np.arange(1.0, len(braking) * RECORDED / CYCLE)
    clock = np.sum((N - i) * (N + 1.0 - i) * (N + 2.0 + 2.0 * i) / (N * (N + 1.0) * (N + 2.0)))
    q = joints(run)
    here = braking[0]
    speed = (q[here] - q[here - 10]) / (10.0 * RECORDED)
    fast = np.abs(speed) > 5e-3
    assert min(fast[:6].sum(), fast[6:].sum()) >= 3  # of either robot
    lasted = (q[-1] - q[here])[fast] / speed[fast]
    assert lasted == pytest.approx(np.full(fast.sum(), LAG + CYCLE * (clock - 1.0)), rel=0.1)


def test_a_mission_that_is_over_before_the_robots_stand_is_stopped_all_the_same():
    run = rehearsed(mission(0.1), guarded(emergency_stop_at_s=0.05))
    assert run["lab.guard.mode"][1][-1] == BRAKING
    assert run.rows[-1, 0] == 0.1
    assert run.outcome == "stopped"


def test_less_acceleration_makes_a_longer_stop():
    long, short = (
        rehearsed(mission(3.0), guarded(measured_force_N=9.0, acceleration_override=share))
        for share in (0.05, 1.0)
    )
    check_stop(long, "measured force")
    lasted = [(run["lab.guard.mode"][1] == BRAKING).sum() for run in (long, short)]
    # times of jerk-limited stops go with its square root: 4.5
    assert 3.0 < lasted[0] / lasted[1] < 6.0


def test_an_emergency_stop_takes_all_that_drives_have_whatever_the_override_of_acceleration():
    """Twice the robots' own limits: as short with a twentieth of them allowed as with all, and
    shorter than any other stop."""
    lasted = [
        (rehearsed(mission(1.0), guarded(**limits))["lab.guard.mode"][1] == BRAKING).sum()
        for limits in (
            {"emergency_stop_at_s": 0.05, "acceleration_override": 0.05},
            {"emergency_stop_at_s": 0.05},
            {"speed_override": 0.005},  # what is too fast from the start stops within usual limits
        )
    ]
    assert lasted[0] == lasted[1] < lasted[2]


@pytest.mark.parametrize("share", [1.0, 0.25])
def test_the_override_of_acceleration_lowers_all_limits_but_those_of_an_emergency_stop(share):
    lab = guarded(acceleration_override=share)
    for axis, own in zip(
        build_cell(mission(0.6), lab.facility, "relative").guarded.axes,
        2 * list(zip(KR120.acceleration, KR120.jerk, strict=True)),
        strict=True,
    ):
        assert (axis.acceleration, axis.jerk) == pytest.approx(share * np.array(own), rel=1e-12)
        hard = axis.hard_acceleration, axis.hard_jerk
        assert hard == pytest.approx(2.0 * np.array(own), rel=1e-12)


def test_what_comes_too_close_is_stopped_before_and_named():
    run = rehearsed(mission(2.4), guarded(arm_clearance_m=0.16))
    check_stop(run, "main.wrist_roll and hand of the target's robot")
    assert not run["lab.measured_wrench"][1].any()


def test_a_mock_up_stops_before_the_wall():
    """It is a ball of 0.2 m about the flange, which the arm's root is on, and keeps 0.05 m."""
    lab = guarded(p_max_m=(4.8, 0.95, 4.5))
    robots = lab.facility.robots
    away = robots.chaser.model_copy(update={"p_LB_m": (-3.2, 0.6, 0.0)})  # inside the walls
    robots = robots.model_copy(update={"chaser": away})
    run = rehearsed(mission(2.4), Lab("narrow", lab.facility.model_copy(update={"robots": robots})))
    check_stop(run, "the wall at +y")
    p, q = run["lab.p_LCl"][1], run["lab.q_LCl"][1]
    side = np.array([here[1] + rotation_of(turn)[1, 0] for here, turn in zip(p, q, strict=True)])
    assert 0.94 < side.max() + 0.25 < 0.95


def test_a_mock_up_that_is_too_heavy_is_not_moved():
    """To a permille: what its motion adds."""
    lab = guarded()
    robots = lab.facility.robots
    heavy = robots.target.mock_up.model_copy(update={"mass_kg": 121.0})
    target = robots.target.model_copy(update={"mock_up": heavy})
    facility = lab.facility.model_copy(
        update={"robots": robots.model_copy(update={"target": target})}
    )
    run = rehearsed(mission(0.6), Lab("heavy", facility))
    check_stop(run, "flange force of the target's robot 118")
    found = float(guard_texts(run)[0].split("robot ")[1].split(" N")[0])
    assert found == pytest.approx(121.0 * 9.80665, rel=1e-3)


def test_a_flange_bears_what_changes_the_momentum_of_its_load_and_the_contact():
    """Against differences of momentum and of angular momentum about a fixed point; their error,
    DT² of the fourth derivative, is below 1e-6 of the forces."""
    rng = np.random.default_rng(4)
    mass, com, K = 30.0, rng.normal(0.0, 0.2, 3), rng.normal(0.0, 0.3, 3)
    I = np.diag([1.0, 2.0, 2.5])
    load = RigidInertia(mass, com, I + point_inertia(mass, com))
    X_KM = np.array([*-K, 1.0, 0.0, 0.0, 0.0])
    robot = build_robot(KR120, Placement(X_KM=X_KM, load=load))
    R_LM = Rotation.from_quat(rng.normal(size=4))
    p, v, a, w, alpha, f, t = rng.normal(0.0, 1.0, (7, 3))

    def momenta(s):
        R = (R_LM * Rotation.from_rotvec(w * s + 0.5 * alpha * s * s)).as_matrix()
        rate = R @ (w + alpha * s)
        at_com = p + v * s + 0.5 * a * s * s + R @ com
        moving = mass * (v + a * s + np.cross(rate, R @ com))
        fixed = p + R_LM.apply(K)
        return moving, np.cross(at_com - fixed, moving) + R @ I @ R.T @ rate

    (p_1, h_1), (p_0, h_0) = momenta(DT), momenta(-DT)
    weight, lever = mass * GRAVITY, R_LM.apply(com - K)
    force = weight + R_LM.apply(f) - (p_1 - p_0) / (2.0 * DT)
    moment = np.cross(lever, weight) + R_LM.apply(t - np.cross(K, f)) - (h_1 - h_0) / (2.0 * DT)
    motion = np.concatenate([p, R_LM.as_quat(scalar_first=True), v, w])
    found = flange_bears.py_func(robot, motion, np.concatenate([a, alpha]), (tuple(f), tuple(t)))
    assert found == pytest.approx((np.linalg.norm(force), np.linalg.norm(moment)), rel=1e-6)


@pytest.mark.parametrize("which", [TARGET, CHASER])
def test_the_guard_is_told_which_robot_falls_short_and_by_how_much(monkeypatch, which):
    """Inverse kinematics has tests of its own: here one of two poses is out of reach."""
    answers = [Solution((0.1,) * 6, 0, REACHED, -1, 0.0)] * 2
    answers[which] = Solution((0.2,) * 6, 0, TOO_FAR, -1, 0.3)
    monkeypatch.setattr(cell_guard, "nearest", lambda *_: answers.pop(0))
    given = Given(np.zeros(12), np.zeros(6), np.zeros(of.CUES))
    robots = SimpleNamespace(target_robot=None, chaser_robot=None)
    cell_guard.reach_for.py_func(robots, given, np.ones((2, 13)))
    assert (given.cues[of.SHORT], given.cues[of.SHORT_ROBOT]) == (0.3, which)
    assert given.q[6 * which] == 0.2


def test_a_stopped_rehearsal_is_compared_up_to_where_the_guard_stops_it():
    run = rehearsed(mission(0.6), guarded(emergency_stop_at_s=0.3))
    assert run.rows[-1, 0] > 0.4
    usual = undisturbed()
    rows = compare(usual, run)[:-1]
    assert all(row.at_s < 0.3 and row.largest == 0.0 for row in rows)
    assert len(rows) >= 6


def test_a_dry_run_makes_the_same_motion_until_the_touch_and_then_touches_nothing():
    usual, dry = undisturbed(), rehearsed(without_contact(mission(2.4)), guarded())
    assert {event.name for event in dry.events} == {"phase"}
    before = int(1.5 / RECORDED)
    for name in ("lab.robots.chaser.q", "lab.robots.target.q", "lab.arms.main.tau_q"):
        assert np.array_equal(usual[name][1][:before], dry[name][1][:before])
    assert not dry["lab.measured_wrench"][1].any()
