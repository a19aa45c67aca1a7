"""Paths of the arm that a mission names, planned and checked as software believes it to fly."""

import math
from typing import NamedTuple

import numpy as np

from proxops import plant
from proxops.arm_paths.arm import Arm, arm_of, effector_pose
from proxops.arm_paths.checks import check
from proxops.arm_paths.free_floating import float_along, pair_tree
from proxops.arm_paths.inverse_kinematics import solve
from proxops.arm_paths.path import PathError, joint_path, straight_path
from proxops.arm_paths.scene import Scene, meant_pairs, scene_of
from proxops.arm_paths.time_law import MotionLimits, MotionTable, joined, timed
from proxops.assembly.describe import describe, describe_interface
from proxops.core.description import CraftDescription
from proxops.core.errors import InputError
from proxops.core.frame import Frame, frame
from proxops.plant.model import Plant
from proxops.plant.outline import outline
from proxops.scenario.load import Scenario
from proxops.scenario.schema import berthing as given

PATH_STEP_S = 0.5  # between rows of a path's table: joints move by a hundredth of a radian


class Hardware(NamedTuple):
    """What software believes to fly."""

    chaser: CraftDescription
    target: CraftDescription
    bodies: Plant
    arm: Arm


def hardware_of(known: Scenario, berthing: given.Berthing) -> Hardware:
    """Of a scenario, `known` being it as it is believed to be."""
    chaser, target, _ = describe(known)
    bodies = plant.build(chaser, target, None, *describe_interface(known))
    return Hardware(chaser, target, bodies, arm_of(chaser, berthing.arm))


def berthed(known: Scenario, port: str, gap: float = 0.0) -> Frame:
    """X_CT of the target at its port, or so far out along z of the port's frame A [m]."""
    hold = known.mission.holds[port]
    assert hold.port is not None  # the schema saw to it
    X_CA = frame(hold.port.p_CA_m, hold.port.q_CA)
    out = Frame(np.eye(3), np.array([0.0, 0.0, gap]))
    return X_CA @ out @ frame(hold.p_TB_m, hold.q_TB).inverse()


def _grasp(known: Scenario, berthing: given.Berthing) -> Frame:
    """X_TE of the end effector on the target that it holds."""
    grapple = known.mission.target.grapple
    return frame(grapple.p_TG_m, grapple.q_TG) @ frame(berthing.p_GE_m, berthing.q_GE)


def planned(
    known: Scenario, berthing: given.Berthing, name: str, hardware: Hardware
) -> MotionTable:
    """A path of the arm as a table, checked; InputError where the arm cannot follow it."""
    path, place = berthing.paths[name], f"obsw.berthing.paths.{name}"
    chaser, _, bodies, arm = hardware
    q = berthing.pose_si() if path.start_q_deg is None else np.radians(path.start_q_deg)
    tables = []
    for i, point in enumerate(path.points):
        try:
            table = _to(arm, known, berthing, q, point)
        except PathError as error:
            raise InputError(f"{place}.points.{i}: {error}") from None
        tables.append(table)
        q = table.q[-1]
    whole = joined(tables)
    scene = _scene(known, berthing, path, hardware)
    try:
        found = check(arm, whole, scene, min_clearance=berthing.limits.clearance_m)
    except PathError as error:
        raise InputError(f"{place}: {error}") from None
    if found.problems:
        raise InputError("\n".join(f"{place}: {each}" for each in found.problems))
    held = _grasp(known, berthing).inverse() if path.holds_target else None
    joints = np.concatenate([each.q for each in chaser.arms])
    others = np.zeros(len(bodies.chaser_topology))  # wheels stand behind the arms
    others[: len(joints)] = joints
    share = float_along(arm, pair_tree(arm, bodies, held), others, whole).effort_share
    if share > berthing.limits.torque_share:
        raise InputError(
            f"{place}: takes {share:.3g} of the torque of a motor, limits.torque_share is "
            f"{berthing.limits.torque_share:g}; let it take longer"
        )
    return whole


def _to(
    arm: Arm, known: Scenario, berthing: given.Berthing, q: np.ndarray, point: given.PathPoint
) -> MotionTable:
    """The arm's motion to a point of a path, from joints q."""
    limits = berthing.limits
    n = len(arm.joints)
    motion = MotionLimits(
        np.minimum(arm.speed, np.full(n, limits.speed_rad_s)),
        np.full(n, limits.acceleration_rad_s2),
        np.full(n, limits.jerk_rad_s3),
        effector_speed=limits.speed_m_s,
    )
    if point.q_deg is not None:
        goal = np.radians(point.q_deg)
        return timed(joint_path(arm, q, goal), motion, PATH_STEP_S, point.duration_s)
    if point.gap_m is not None:
        X_CE = berthed(known, berthing.port, point.gap_m) @ _grasp(known, berthing)
    else:
        now = effector_pose(arm, q)
        X_CE = Frame(now.R, now.p + np.array(point.offset_m))
    if point.straight:
        return timed(straight_path(arm, q, X_CE), motion, PATH_STEP_S, point.duration_s)
    found = solve(arm, X_CE, q)
    if not found.reached:
        raise PathError(
            f"the arm does not reach it: it stays {found.position_error:.4g} m and "
            f"{math.degrees(found.angle_error):.4g} deg off"
        )
    return timed(joint_path(arm, q, found.q), motion, PATH_STEP_S, point.duration_s)


def _scene(
    known: Scenario, berthing: given.Berthing, path: given.ArmPath, hardware: Hardware
) -> Scene | None:
    """What the arm must stay clear of; None where the spacecraft's shapes are not known."""
    chaser, target, bodies, arm = hardware
    if not chaser.shapes or not target.shapes:
        return None
    shapes = outline(chaser, target, bodies)
    gap = None if path.holds_target else path.target_gap_m
    return scene_of(
        arm,
        bodies,
        shapes,
        chaser,
        target,
        held=_grasp(known, berthing).inverse() if path.holds_target else None,
        standing=None if gap is None else berthed(known, berthing.port, gap),
        may_touch=meant_pairs(shapes, chaser, target),
    )
