"""How far what is meant to touch is from what it touches, on a way that is to part them."""

from proxops.core.jit import kernel
from proxops.core.spatial.pose import compose, inverse
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.core.spatial.vector import ZERO
from proxops.facility.common.guard.clearance import least_slack, pair_slack
from proxops.facility.common.rows import CHASER, TARGET
from proxops.facility.robot_cell.guarded import ARM_FRAMES, Scene, frames_of, get_pose, place_arm
from proxops.facility.robot_cell.industrial.forward import FLANGE, FRAMES
from proxops.facility.robot_cell.industrial.robot import MOCK_UP_ON_FLANGE, pose_of
from proxops.plant import contact_array
from proxops.plant.contacts import Link, meeting_of


@kernel
def slacks_along(site, arm, joints, slacks):
    """Writes the clearance of every pair of shapes beyond what is to be kept (n, pairs) [m], for
    rows of joints (n, 12) of both robots and one row of those of the arm [rad]."""
    cell, memory = site.cell, site.memory
    scene = Scene(cell.target_robot, cell.chaser_robot, site.links)
    place_arm(cell.rules.mounts, cell.plant.chaser_topology, arm[0], site.links)
    for k in range(joints.shape[0]):
        frames_of(scene, joints[k], memory.frames)
        least_slack(cell.guard, memory.frames, memory.ends)  # places the shapes
        for row in range(slacks.shape[1]):
            slacks[k, row] = pair_slack(cell.guard, memory.ends, row)


@kernel
def overlaps_along(site, arm, joints, overlaps):
    """Writes how deep every pad is in its face (n, pads) [m], zero where it does not touch, for the
    same rows."""
    cell, memory = site.cell, site.memory
    contacts, frames = cell.plant.contacts, memory.frames
    scene = Scene(cell.target_robot, cell.chaser_robot, site.links)
    place_arm(cell.rules.mounts, cell.plant.chaser_topology, arm[0], site.links)
    for k in range(joints.shape[0]):
        frames_of(scene, joints[k], frames)
        X_LK = get_pose(frames[TARGET * FRAMES + FLANGE])
        X_TL = inverse(compose(X_LK, pose_of(cell.target_robot, MOCK_UP_ON_FLANGE)))
        X_LK = get_pose(frames[CHASER * FRAMES + FLANGE])
        X_LC = compose(X_LK, pose_of(cell.chaser_robot, MOCK_UP_ON_FLANGE))
        for row in range(overlaps.shape[1]):
            body = int(contacts[row, contact_array.BODY])
            X_TB = compose(X_TL, X_LC if body == 0 else get_pose(frames[ARM_FRAMES + body - 1]))
            link = Link(quat_to_rotation(X_TB[0]), X_TB[1], ZERO, ZERO)
            met = meeting_of(contacts, row, link)
            overlaps[k, row] = max(0.0, met.overlap) if met.inside >= 0.0 else 0.0
