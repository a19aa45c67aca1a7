"""Laws of the least distance between two spacecraft, of all their shapes."""

from dataclasses import replace

import numpy as np
import pytest

from proxops.assembly.describe import describe
from proxops.core.frame import Frame, rotation_of
from proxops.core.spatial.convex import CLOSE
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.tree import Tree
from proxops.plant import layout
from proxops.plant.build import build
from proxops.plant.clearance import Outline, clearance, target_seen
from proxops.plant.mobility import stance
from proxops.plant.outline import outline
from proxops.scenario.load import load
from tests.laws.written import written

CHASER, TARGET, _ = describe(load("envisat-capture"))
PLANT = build(CHASER, TARGET, None)
OUTLINE = outline(CHASER, TARGET, PLANT)
BUS_FRONT = 2.361629  # of Envisat, before T [m]
JOINTS = len(PLANT.chaser_topology)
HERE = Frame(np.eye(3), np.zeros(3))
FRONT = 1.0  # of the servicer's plate, before C [m]


def least(X_OC: Frame, X_OT: Frame, q: np.ndarray, shapes: Outline = OUTLINE) -> float:
    """The clearance with hubs at these poses and joints at q [m]."""
    stands = stance(Tree(PLANT.chaser, PLANT.chaser_topology), q)
    scratch = np.zeros((len(PLANT.chaser), at.SCRATCH_WIDTH))
    scratch[:, at.R : at.R + 9] = stands.R.reshape(-1, 9)
    scratch[:, at.P : at.P + 3] = stands.p
    hubs = np.zeros((2, layout.JOINTS))
    for row, X in zip(hubs, (X_OC, X_OT), strict=True):
        row[layout.P : layout.P + 3], row[layout.Q : layout.Q + 4] = X.p, X.row()[3:]
    etas = (np.zeros(len(PLANT.chaser_modes) - 1), np.zeros(len(PLANT.target_modes) - 1))
    X_CT = written(target_seen)(*hubs)
    return float(written(clearance)(shapes, X_CT, etas, scratch))


def random_pose(rng: np.random.Generator, size: float) -> Frame:
    q = rng.normal(size=4)
    return Frame(rotation_of(q / np.linalg.norm(q)), size * rng.normal(size=3))


@pytest.mark.parametrize("seed", range(6))
def test_a_common_motion_of_both_spacecraft_leaves_the_clearance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X_OC, X_OT, moved = (random_pose(rng, 5.0) for _ in range(3))
    q = rng.uniform(-1.0, 1.0, JOINTS)
    expected = least(X_OC, X_OT, q)
    assert least(moved @ X_OC, moved @ X_OT, q) == pytest.approx(expected, abs=2.0 * CLOSE)


STRETCHED = 0.16 + 0.18 + 0.2 + 0.2 + 0.19 + 0.19 + 0.09 + 0.06 + 0.07  # arm before the plate [m]


@pytest.mark.parametrize(
    ("counted", "reach"),
    [
        ([("", 0)], 0.0),
        ([("main", 0)], 0.16),
        ([("main", 7)], STRETCHED - 0.05),  # a palm, before the end effector
        ([("left", 0), ("main", 2)], STRETCHED - 0.06),
        ([("right", 1), ("", 0), ("main", 3)], STRETCHED + 0.01),
    ],
    ids=["hub", "base of the arm", "tool", "rail of a finger", "finger"],
)
def test_each_link_of_a_stretched_arm_is_where_its_lengths_put_it(
    counted: list[tuple[str, int]], reach: float
) -> None:
    there = Frame(np.eye(3), np.array([8.0, 0.0, 0.0]))
    shapes = tuple(each for each in CHASER.shapes if (each.arm, each.joint) in counted)
    table = outline(replace(CHASER, shapes=shapes), TARGET, PLANT)
    expected = there.p[0] - BUS_FRONT - FRONT - reach
    assert least(HERE, there, np.zeros(JOINTS), table) == pytest.approx(expected, abs=2.0 * CLOSE)
