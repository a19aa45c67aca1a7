"""From how far an arm can grasp."""

import numpy as np
import pytest
from tests.unit.arm_cases import random_posture

from proxops.arm_paths.arm import Arm, arm_of, effector_pose
from proxops.arm_paths.free_floating import pair_tree
from proxops.arm_paths.inverse_kinematics import pose_error, reach_from
from proxops.arm_paths.singularity import singular_values
from proxops.arm_paths.switch_radius import Grapple, SwitchRadius, switch_radius
from proxops.assembly.build import build
from proxops.core.frame import Frame, frame
from proxops.plant.mobility import centre_of_mass
from proxops.scenario.load import load

AHEAD = np.array([1.0, 0.0, 0.0])
X_TE = frame((-2.0, 0.0, 0.0), (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0))  # looks along x of T
GRAPPLE = Grapple(X_TE, np.array([0.5, 0.0, 0.0]))
MOUNT = 1.0 + 0.16 + 0.18  # [m] of the shoulder's pitch axis, ahead of the hub's origin
REACH = 1.0  # [m] from there to E


def found(share: float, rolls: int) -> tuple[Arm, SwitchRadius, np.ndarray]:
    built = build(load("envisat-capture"))
    arm = arm_of(built.chaser, "main")
    others = np.concatenate([each.q for each in built.chaser.jointed])
    tree = pair_tree(arm, built.plant, None)
    result = switch_radius(arm, tree, others, GRAPPLE, AHEAD, share=share, rolls=rolls)
    others[: len(arm.joints)] = result.postures[0]
    return arm, result, centre_of_mass(tree, others)


def test_an_arm_that_may_be_singular_grasps_as_far_as_it_reaches() -> None:
    """Stretched out, from 2.5 m before the target's centre of mass: what is required of its
    distance to singular postures takes the rest."""
    _, result, com = found(0.02, rolls=1)
    stretched = MOUNT + REACH + 2.5
    reached = result.distance + com[0]  # across, the chaser's centre of mass is 1 mm off the line
    assert stretched - 2e-3 < reached < stretched


def test_a_required_distance_to_singular_postures_is_kept_and_used_up() -> None:
    arm, result, com = found(0.5, rolls=2)
    assert result.distances == pytest.approx(result.distance, abs=2e-4)  # its wrist rolls
    q = result.postures[0]
    assert singular_values(arm, q[None])[0, -1] >= result.required
    assert result.required == pytest.approx(0.5 * result.best)
    # the target faces the chaser: E is on the line of centres, 2.5 m before the target's centre
    X = effector_pose(arm, q)
    away = 2.5 + np.array(X.p)[0]
    assert X.p[1:] == pytest.approx([0.0, 0.0], abs=1e-9)
    assert np.linalg.norm(away * AHEAD - com) == pytest.approx(result.distances[0], abs=1e-9)
    # from 5 mm farther away no posture has it
    farther, rng = Frame(X.R, X.p + 0.005 * AHEAD), np.random.default_rng(4)
    for _ in range(20):
        beyond = reach_from(arm, farther, random_posture(arm, rng)).q
        if np.linalg.norm(pose_error(effector_pose(arm, beyond), farther)) < 1e-9:
            assert singular_values(arm, beyond[None])[0, -1] < result.required
