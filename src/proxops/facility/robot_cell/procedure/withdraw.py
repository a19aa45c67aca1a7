"""The chaser's mock-up drawn back from the target's, so that the way opens before all else."""

from collections.abc import Iterator

import numpy as np

from proxops.facility.common.rows import CHASER, TARGET
from proxops.facility.robot_cell.industrial.forward import FLANGE, FRAMES, link_frames, mock_up_pose
from proxops.facility.robot_cell.industrial.inverse import REACHED, joints_for
from proxops.facility.robot_cell.industrial.robot import AXES, POSE_WIDTH, P, Robot
from proxops.facility.robot_cell.procedure.drive import Site

DISTANCES = (0.1, 0.15, 0.2, 0.3, 0.4, 0.5)  # [m]
STEP = 0.05  # between two looks for joints on the same branch [m]


def drawn_back(site: Site, q: np.ndarray) -> Iterator[np.ndarray]:
    """Postures (12,) [rad] in which the chaser's mock-up is further and further away from the
    target's, along the line between both flanges, as far as its robot reaches."""
    cell = site.cell
    here, there = (
        _flange(robot, q[which * AXES : (which + 1) * AXES])
        for which, robot in ((CHASER, cell.chaser_robot), (TARGET, cell.target_robot))
    )
    along = (here - there) / np.linalg.norm(here - there)
    start = np.empty(POSE_WIDTH)
    near = np.ascontiguousarray(q[AXES:])
    mock_up_pose(cell.chaser_robot, near, start)
    for distance in np.arange(STEP, DISTANCES[-1] + 0.5 * STEP, STEP):
        pose = start.copy()
        pose[P : P + 3] += distance * along
        solution = joints_for(cell.chaser_robot, pose, near, False)
        if solution.status != REACHED:
            return
        near = np.array(solution.joints)
        if np.isclose(distance, DISTANCES).any():
            yield np.concatenate([q[:AXES], near])


def _flange(robot: Robot, q: np.ndarray) -> np.ndarray:
    """Centre of a robot's flange in L [m]."""
    frames = np.empty((FRAMES, POSE_WIDTH))
    link_frames(robot, np.ascontiguousarray(q), frames)
    return frames[FLANGE, P : P + 3]
