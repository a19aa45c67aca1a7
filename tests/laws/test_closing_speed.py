"""The speed that bounds how fast two spacecraft near each other bounds it, and not by much more
where one motion is alone."""

import numpy as np
import pytest

from proxops.assembly.describe import describe
from proxops.core.frame import Frame, quaternion_of, rotation_of
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.tree import Tree
from proxops.plant import layout
from proxops.plant.build import build
from proxops.plant.clearance import clearance, closing_speed, target_seen
from proxops.plant.mobility import stance
from proxops.plant.outline import outline
from proxops.scenario.load import load
from tests.laws.written import written

CHASER, TARGET, _ = describe(load("envisat-capture"))
PLANT = build(CHASER, TARGET, None)
OUTLINE = outline(CHASER, TARGET, PLANT)
PARTS = layout.slices(PLANT)
JOINTS = len(PLANT.chaser_topology)
MODES = len(PLANT.target_modes) - 1
SOON = 1e-4  # [s]
# Distances are found to 1e-8 m or so, and speeds change by some m/s² meanwhile
LOOSE = 4e-8 / SOON + 10.0 * SOON


def random_state(rng: np.random.Generator) -> np.ndarray:
    """Both within some metres, turning, all joints and modes moving."""
    y = np.zeros(PARTS.size)
    for part, size in ((PARTS.chaser, 1.0), (PARTS.target, 4.0)):
        hub = y[part]
        hub[layout.P : layout.P + 3] = size * rng.normal(size=3)
        q = rng.normal(size=4)
        hub[layout.Q : layout.Q + 4] = q / np.linalg.norm(q)
        hub[layout.V : layout.V + 6] = rng.normal(size=6) * rng.choice([0.0, 0.3, 1.0])
    joints = y[PARTS.chaser][layout.JOINTS :]
    joints[:JOINTS] = rng.uniform(-1.0, 1.0, JOINTS) * 0.05
    joints[JOINTS : 2 * JOINTS] = rng.normal(size=JOINTS) * rng.choice([0.0, 1.0])
    modes = y[PARTS.target][layout.JOINTS :]
    modes[:MODES] = rng.normal(size=MODES)
    modes[MODES:] = rng.normal(size=MODES) * rng.choice([0.0, 5.0])
    return y


def moved(y: np.ndarray, h: float) -> np.ndarray:
    """The state a little later, all rates being kept."""
    later = y.copy()
    for part in (PARTS.chaser, PARTS.target):
        hub, start = later[part], y[part]
        hub[layout.P : layout.P + 3] += h * start[layout.V : layout.V + 3]
        w = start[layout.W : layout.W + 3]
        angle = float(np.linalg.norm(w)) * h
        axis = w * h / angle if angle > 0.0 else np.zeros(3)
        turn = rotation_of(np.array([np.cos(0.5 * angle), *(np.sin(0.5 * angle) * axis)]))
        hub[layout.Q : layout.Q + 4] = quaternion_of(
            rotation_of(start[layout.Q : layout.Q + 4]) @ turn
        )
    for part, count in ((PARTS.chaser, JOINTS), (PARTS.target, MODES)):
        more = later[part][layout.JOINTS :]
        more[:count] += h * more[count : 2 * count]
    return later


def apart(y: np.ndarray) -> float:
    """Their clearance [m]."""
    chaser, target = y[PARTS.chaser], y[PARTS.target]
    q = chaser[layout.JOINTS : layout.JOINTS + JOINTS]
    stands = stance(Tree(PLANT.chaser, PLANT.chaser_topology), q)
    scratch = np.zeros((len(PLANT.chaser), at.SCRATCH_WIDTH))
    scratch[:, at.R : at.R + 9] = stands.R.reshape(-1, 9)
    scratch[:, at.P : at.P + 3] = stands.p
    etas = (np.zeros(0), target[layout.JOINTS : layout.JOINTS + MODES])
    X_CT = written(target_seen)(chaser, target)
    return float(written(clearance)(OUTLINE, X_CT, etas, scratch))


def bound(y: np.ndarray) -> float:
    return float(written(closing_speed)(PLANT, OUTLINE, y))


@pytest.mark.parametrize("seed", range(30))
def test_no_distance_shrinks_faster_than_the_bound(seed: int) -> None:
    y = random_state(np.random.default_rng(seed))
    assert nearing(y) <= bound(y) + LOOSE


def still(p_OT: tuple[float, ...]) -> np.ndarray:
    """Both at rest with the same axes, the target there."""
    y = np.zeros(PARTS.size)
    for part in (PARTS.chaser, PARTS.target):
        y[part][layout.Q] = 1.0
    y[PARTS.target][layout.P : layout.P + 3] = p_OT
    return y


def nearing(y: np.ndarray) -> float:
    """How fast their clearance shrinks [m/s]."""
    return (apart(y) - apart(moved(y, SOON))) / SOON


def test_a_straight_approach_has_the_speed_of_the_bound() -> None:
    y = still((8.0, 0.0, 0.0))
    y[PARTS.target][layout.V] = -0.7
    assert nearing(y) == pytest.approx(0.7, abs=LOOSE)
    assert bound(y) == pytest.approx(0.7, rel=1e-12)


def test_the_tip_of_an_array_sweeps_nearly_as_fast_as_the_bound() -> None:
    """The array ends 18.4 m from the target's centre; it comes down onto the chaser."""
    y = still((-17.0, 5.0, 0.0))
    y[PARTS.target][layout.W + 2] = -0.2
    assert 0.7 * bound(y) < nearing(y) <= bound(y) + LOOSE


@pytest.mark.parametrize("joint", range(6))  # the last of the arm turns about its own axis
@pytest.mark.parametrize("rate", [-1.0, 1.0])
def test_a_joint_alone_is_bounded_either_way(joint: int, rate: float) -> None:
    y = still((8.0, 0.5, 0.3))
    y[PARTS.chaser][layout.JOINTS : layout.JOINTS + 7] = (0.3, -0.6, 0.4, 0.9, 0.2, -0.5, 0.1)
    y[PARTS.chaser][layout.JOINTS + JOINTS + joint] = rate
    assert abs(nearing(y)) <= bound(y) + LOOSE
    assert bound(y) <= 1.3


@pytest.mark.parametrize("mode", range(MODES))
def test_a_mode_alone_is_bounded(mode: int) -> None:
    y = still((-17.0, 5.0, 2.0))
    y[PARTS.target][layout.JOINTS + MODES + mode] = -5.0
    assert abs(nearing(y)) <= bound(y) + LOOSE


def test_a_common_motion_brings_nothing_nearer() -> None:
    """Both fly and turn as one rigid body: v = V + ω × p."""
    rng = np.random.default_rng(1)
    y, V, w = random_state(rng), rng.normal(size=3), rng.normal(size=3)
    y[PARTS.chaser][layout.JOINTS + JOINTS :] = 0.0
    y[PARTS.target][layout.JOINTS + MODES :] = 0.0
    for part in (PARTS.chaser, PARTS.target):
        hub = y[part]
        X = Frame(rotation_of(hub[layout.Q : layout.Q + 4]), hub[layout.P : layout.P + 3].copy())
        hub[layout.V : layout.V + 3] = V + np.cross(w, X.p)
        hub[layout.W : layout.W + 3] = X.R.T @ w
    assert bound(y) == pytest.approx(0.0, abs=1e-12)
