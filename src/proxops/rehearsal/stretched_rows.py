"""What is recorded of a dry run in stretched time, and what is demanded of it."""

import math

import numpy as np

from proxops.assembly.cell import Made
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.guard import table as of
from proxops.facility.common.rows import CHASER, PAIR, TARGET
from proxops.facility.robot_cell.industrial.forward import mock_up_pose
from proxops.facility.robot_cell.industrial.robot import AXES, LOWER, POSE_WIDTH, UPPER
from proxops.facility.robot_cell.procedure.drive import least_along, site_of
from proxops.feasibility.case import CRAFTS
from proxops.feasibility.command_rows import between
from proxops.results.run import Requirement, Run


def stretched_rows(made: Made, orbit: Run, speed: float, joints: np.ndarray) -> np.ndarray:
    """Rows of the orbit in stretched time, with mock-ups, guard and axes; `joints` (n, 12) are
    those of the axes, one row a command period, from the start on."""
    period = float(made.cell.guard.settings[of.PERIOD])
    ticks = period * np.arange(len(joints))
    t = orbit.rows[:, 0] / speed
    t = t[t <= ticks[-1] + 1e-9]
    q = between(ticks, joints, t)
    poses = np.empty((PAIR, len(t), POSE_WIDTH))
    for which, robot in ((TARGET, made.cell.target_robot), (CHASER, made.cell.chaser_robot)):
        for row in range(len(t)):
            mock_up_pose(robot, q[row, which * AXES :][:AXES], poses[which, row])
    log = made.state.memory.log
    stops = log[1, of.CYCLE] * period if log[0, of.USED] else math.inf
    mode = np.where(t < stops, of.RUNNING, of.BRAKING).astype(float)
    nothing = np.zeros((len(t), WRENCH))
    models = orbit.rows[: len(t), 1:]
    rows = np.hstack([t[:, np.newaxis], models, *poses, nothing, mode[:, np.newaxis], q])
    rows.flags.writeable = False
    return rows


def demands_of(
    made: Made, joints: np.ndarray, arm: np.ndarray, through: bool
) -> tuple[Requirement, ...]:
    """What a dry run shows: all of it let through, clearance, and room for every axis."""
    least = least_along(site_of(made.cell, q=joints[0]), arm, joints)
    items = [
        _at_least("guard lets it through", 1.0 if through else 0.0, 1.0, "1"),
        _at_least("clearance beyond what is to be kept", 1e3 * least.slack, 0.0, "mm"),
    ]
    for which, robot in enumerate((made.cell.target_robot, made.cell.chaser_robot)):
        q, limits = joints[:, which * AXES :][:, :AXES], robot.joints
        left = np.minimum(q - limits[:, LOWER], limits[:, UPPER] - q).min(axis=0)
        axis = int(np.argmin(left))
        name = f"axis {axis + 1} of the {CRAFTS[which]}'s robot from the end of its range"
        items.append(_at_least(name, math.degrees(left[axis]), 0.0, "deg"))
    return tuple(items)


def _at_least(name: str, value: float, limit: float, unit: str) -> Requirement:
    status = "passed" if value >= limit else "failed"
    return Requirement(name, float(value), ">=", limit, unit, float(value - limit), status)
