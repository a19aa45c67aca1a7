"""From a facility's calibration to what is true of its cell and what is known of it."""

import numpy as np

from proxops.assembly.facility import Robots
from proxops.core.description import RigidInertia
from proxops.core.errors import InputError
from proxops.core.frame import Frame, frame, rotation_of
from proxops.core.spatial.quaternion import IDENTITY, quat_exp
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.rows import CHASER, FLANGE, PAIR, TARGET, WRIST
from proxops.facility.robot_cell.calibration import IN_LAB, ON_FLANGE
from proxops.facility.robot_cell.industrial.robot import (
    COM,
    FLANGE_ON_MOCK_UP,
    LOAD_WIDTH,
    MASS,
    MOCK_UP_ON_FLANGE,
    P,
    Q,
    load_row,
)
from proxops.facility.robot_cell.sensing import KINDS, KNOWN, TRUE, Sensed, Sensing
from proxops.plant import layout
from proxops.scenario.schema.calibration import Misplacement, ToolError
from proxops.scenario.schema.facility import CarrierRobot, Facility

HERE = np.array([0.0, 0.0, 0.0, *IDENTITY])


def sensing_of(facility: Facility, robots: Robots, body: int, beyond: RigidInertia) -> Sensing:
    """What is true and what is known of a cell; `body` is the number of the arm's last link among
    those of the chaser, and `beyond` what its joint moves, in its frame."""
    given = facility.calibration
    misplaced = np.tile(HERE, (PAIR, 2, 1))
    if facility.robots is not None:
        base, carriers = facility.robots.chaser, facility.robots
        X_LB = frame(base.p_LB_m, base.q_LB)
        misplaced[CHASER, IN_LAB] = _beside(X_LB.inverse(), given.chaser_base)
        one = _on_flange(carriers.target, robots.target.poses, given.target_mock_up)
        other = _on_flange(carriers.chaser, robots.chaser.poses, given.chaser_mock_up)
        misplaced[TARGET, ON_FLANGE], misplaced[CHASER, ON_FLANGE] = one, other
    frames = np.tile(HERE, (KINDS, PAIR, 1))
    frames[KNOWN, FLANGE] = robots.target.poses[FLANGE_ON_MOCK_UP]
    moved = _product(_inverse(misplaced[TARGET, ON_FLANGE]), frames[KNOWN, FLANGE])
    frames[TRUE, FLANGE] = _product(moved, _pose(given.flange_sensor))
    frames[TRUE, WRIST] = _pose(given.wrist_sensor)
    tools = np.zeros((KINDS, PAIR, LOAD_WIDTH))
    tools[TRUE, FLANGE] = robots.target.load
    tools[TRUE, WRIST] = load_row(beyond)
    errors = given.flange_tool, given.wrist_tool
    for which, name, error in zip((FLANGE, WRIST), ("flange", "wrist"), errors, strict=True):
        R_BS = rotation_of(frames[KNOWN, which, Q:])
        tools[KNOWN, which] = _believed(f"{name}_tool", tools[TRUE, which], error, R_BS)
    return Sensing(
        body,
        frames,
        tools,
        misplaced,
        int(facility.procedure.tare_s > 0.0),
        np.zeros((PAIR, WRENCH)),
        int(facility.mapping == "measured"),
        float(facility.servo.noise_m) if facility.robots else 0.0,
    )


def sensed_at(motions: np.ndarray) -> Sensed:
    """What is known at the start: the hubs' motions in L (2, 13)."""
    return Sensed(
        motions.copy(),
        np.zeros((KINDS, PAIR, WRENCH)),
        np.zeros((KINDS, PAIR, WRENCH)),
        np.zeros((PAIR, WRENCH)),
        np.zeros(WRENCH),
        np.zeros((PAIR, layout.JOINTS)),
    )


def _pose(given: Misplacement) -> np.ndarray:
    """The true frame, seen from the believed one (7,)."""
    return np.array([*given.p_m, *quat_exp.py_func(given.turn_rad)])


def _frame(row: np.ndarray) -> Frame:
    return frame(row[P:Q], row[Q:])


def _product(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """X_AB X_BC; bit by bit the other one, if one is no displacement."""
    if np.array_equal(A, HERE) or np.array_equal(B, HERE):
        return B if np.array_equal(A, HERE) else A
    return (_frame(A) @ _frame(B)).row()


def _inverse(A: np.ndarray) -> np.ndarray:
    return A if np.array_equal(A, HERE) else _frame(A).inverse().row()


def _beside(X: Frame, given: Misplacement) -> np.ndarray:
    """X⁻¹ δ X of a misplacement δ."""
    displaced = _pose(given)
    if np.array_equal(displaced, HERE):
        return displaced
    return (X.inverse() @ _frame(displaced) @ X).row()


def _on_flange(carrier: CarrierRobot, poses: np.ndarray, given: Misplacement) -> np.ndarray:
    """D of a carrier: M is displaced, and the hub with it."""
    X_MB = frame(carrier.p_KM_m, carrier.q_KM).inverse() @ _frame(poses[MOCK_UP_ON_FLANGE])
    return _beside(X_MB, given)


def _believed(name: str, true: np.ndarray, error: ToolError, R_BS: np.ndarray) -> np.ndarray:
    """A load as it is taken to be."""
    load = true.copy()
    load[MASS] += error.mass_kg
    load[COM : COM + 3] += R_BS @ np.array(error.p_m)
    if load[MASS] < 0.0:
        raise InputError(
            f"calibration.{name}.mass_kg: the load is of {true[MASS]:g} kg, so that "
            f"{load[MASS]:g} kg would be believed; it takes {-true[MASS]:g} or more"
        )
    return load
