"""What a capture's software believes and shall do, from the scenario as its operators know it."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from proxops import plant
from proxops.assembly.describe import describe
from proxops.assembly.kept import kept
from proxops.assembly.platform import platform_of
from proxops.assembly.sensors import describe_sensors
from proxops.core.description import CraftDescription, MountedArm, point_inertia
from proxops.core.frame import Frame, frame
from proxops.core.tuples import tuple3, tuple4
from proxops.facility.robot_cell.arms import arm_frames
from proxops.onboard.functions import navigation
from proxops.onboard.functions.capture.arm_impedance import Stiffness
from proxops.onboard.functions.capture.base_tracking import TrackingGains
from proxops.onboard.functions.capture.cycle import Capture
from proxops.onboard.functions.capture.fingers import Gripper
from proxops.onboard.functions.capture.parameters import Belief, Plan, Timing, Tolerance
from proxops.onboard.functions.navigation import MotionBelief, SensorBelief, Trust
from proxops.onboard.functions.navigation.model import NavParameters
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.tree import Tree
from proxops.plant.model import Plant
from proxops.scenario.load import Scenario
from proxops.scenario.schema import capture as given

_INERTIA = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
_AT_STOP = 1e-3  # [m]: nearer to its stop than that, a finger stands there
_LEAST_NOISE = 1e-6  # [m, rad]: no filter can believe that a sensor makes no errors
_LEAST_DRIFT = 1e-9  # [rad/√s, rad/s]: likewise of a gyro
# Ways are laid from what is known then, and followed by what is known later.
ENOUGH_TO_BEGIN = Trust(ready_G=0.005, ready_q=math.radians(0.2), ready_w=math.radians(0.2))


@kept
def capture_of(believed: Scenario, capture: given.Capture) -> Capture:
    """The capture of a scenario, as it is believed to be."""
    chaser, target, _ = describe(believed)
    bodies = plant.build(chaser, target, None)
    grapple = believed.mission.target.grapple
    X_TG = frame(grapple.p_TG_m, grapple.q_TG)
    mass, com, inertia = target_hub(bodies)
    first, arm = _joints_of(chaser, capture.arm)
    whole = float(bodies.chaser[:, at.MASS].sum())
    belief = Belief(
        chaser=Tree(bodies.chaser, bodies.chaser_topology),
        target_inertia=np.array([inertia[i, j] for i, j in _INERTIA]),
        target_com=com,
        target_share=float(mass / (mass + whole)),
        effector=pose_row(Frame(arm.arm.R_JE, arm.arm.p_JE)),
        effector_body=first + len(arm.arm.joints),
        grapple=pose_row(X_TG),
        grasp=pose_row(frame(capture.p_GE_m, capture.q_GE)),
        platform=platform_of(believed),
    )
    return Capture(belief, _plan(capture, chaser, X_TG), _gripper(capture, chaser))


@kept
def navigation_of(believed: Scenario) -> tuple[NavParameters, Tree]:
    """The navigation of a scenario, as it is believed to be, and of its chaser."""
    chaser, target, _ = describe(believed)
    bodies = plant.build(chaser, target, None)
    grapple = believed.mission.target.grapple
    X_TG = frame(grapple.p_TG_m, grapple.q_TG)
    _, com, inertia = target_hub(bodies)
    whole = float(bodies.chaser[:, at.MASS].sum())
    berthing = believed.mission.obsw.berthing
    alone = None if berthing is None else berthing.free_target
    motion = MotionBelief(
        whole,
        inertia,
        tuple3(X_TG.p),
        tuple4(X_TG.row()[3:]),
        tuple3(com),
        free_push_noise=None if alone is None else alone.process_noise_m_s_rt_s,
        free_angle_noise=None if alone is None else alone.process_noise_rad_s_rt_s,
    )
    sensors = describe_sensors(believed.mission)
    filters = navigation.build(_sensor_belief(sensors), motion, ENOUGH_TO_BEGIN)
    return filters, Tree(bodies.chaser, bodies.chaser_topology)


def target_hub(bodies: Plant) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre of mass from To and inertia about it of the target's hub."""
    hub = bodies.target[0]
    mass, com = hub[at.MASS], hub[at.COM : at.COM + 3].copy()
    return mass, com, _matrix(hub[at.INERTIA : at.INERTIA + 6]) - point_inertia(mass, com)


def _plan(capture: given.Capture, chaser: CraftDescription, X_TG: Frame) -> Plan:
    first, arm = _joints_of(chaser, capture.arm)
    reaching = replace(arm, q=capture.pose_si())
    arms = [reaching if each is arm else each for each in chaser.arms]
    X_CE = arm_frames(arms)[capture.arm][-1]
    stand = X_TG @ frame(capture.p_GE_m, capture.q_GE) @ X_CE.inverse()
    w, zeta = capture.base.bandwidth_rad_s, capture.base.damping_ratio
    timing, soft = capture.timing, capture.impedance
    joints = sum(len(mounted.arm.joints) for mounted in chaser.jointed)
    own = slice(first, first + len(arm.arm.joints))
    keep = np.zeros((2, joints))
    keep[0, own], keep[1, own] = capture.joint_hold.kp, capture.joint_hold.kd
    return Plan(
        Timing(
            timing.synchronise_s,
            timing.near_s,
            timing.reach_s,
            timing.settle_s,
            timing.timeout_s,
            timing.max_image_gap_s,
            timing.overload_time_s,
            timing.retreat_s,
            timing.max_command_latency_s,
        ),
        _tolerance(capture.synchronous),
        Tolerance(
            capture.graspable.place_m, math.inf, math.radians(capture.graspable.angle_deg), math.inf
        ),
        _tolerance(capture.corridor),
        TrackingGains(w * w, 2.0 * zeta * w, w * w, 2.0 * zeta * w),
        Stiffness(
            soft.stiffness_N_m,
            soft.damping_N_s_m,
            soft.stiffness_N_m_rad,
            soft.damping_N_m_s_rad,
        ),
        pose_row(stand),
        capture.hold_point_m,
        capture.retreat_m,
        capture.pregrasp_m,
        keep[0].copy(),
        keep[1].copy(),
        capture.detumble_gain_1_s,
        capture.handover_s,
        soft.friction_share,
        capture.max_force_N,
        capture.max_torque_N_m,
    )


def _gripper(capture: given.Capture, chaser: CraftDescription) -> Gripper:
    (left, one), (right, other) = (_joints_of(chaser, name) for name in capture.fingers)
    drive = capture.gripper
    return Gripper(
        left,
        right,
        drive.speed_m_s,
        drive.gain_N_s_m,
        drive.force_N,
        drive.open_m,
        drive.closed_m,
        drive.stands_m_s,
        drive.settle_s,
        min(one.arm.joints[0].upper, other.arm.joints[0].upper) - _AT_STOP,
    )


def _sensor_belief(sensors: dict[str, Any]) -> SensorBelief:
    camera, gyro, star = (sensors[name] for name in ("camera", "gyro", "star_tracker"))
    noise = tuple(max(each, _LEAST_NOISE) for each in star.noise)
    return SensorBelief(
        p_CK=tuple3(camera.X_CK[:3]),
        q_CK=tuple4(camera.X_CK[3:]),
        q_CS=tuple4(star.q_CS),
        gyro_noise=max(gyro.noise, _LEAST_DRIFT),
        gyro_walk=max(gyro.walk, _LEAST_DRIFT),
        bias_sigma=max(*gyro.bias_sigma, _LEAST_DRIFT),
        star_sigma=tuple3(noise),
        camera_sigma=max(camera.noise, _LEAST_NOISE),
        camera_share=camera.noise_per_range,
        camera_angle=max(camera.angle_noise, _LEAST_NOISE),
    )


def _joints_of(chaser: CraftDescription, name: str) -> tuple[int, MountedArm]:
    """Number of an arm's first joint among all, and the arm."""
    first = 0
    for mounted in chaser.arms:
        if mounted.name == name:
            return first, mounted
        first += len(mounted.arm.joints)
    raise KeyError(name)  # the schema saw to it


def _tolerance(limits: given.Tolerance) -> Tolerance:
    return Tolerance(
        limits.place_m,
        limits.speed_m_s,
        math.radians(limits.angle_deg),
        math.radians(limits.rate_deg_s),
    )


def pose_row(X: Frame) -> np.ndarray:
    """As functions on board store it, see capture.parameters."""
    p, q = np.split(X.row(), [3])
    return np.concatenate([q, p])


def _matrix(six: np.ndarray) -> np.ndarray:
    full = np.zeros((3, 3))
    for value, (i, j) in zip(six, _INERTIA, strict=True):
        full[i, j] = full[j, i] = value
    return full
