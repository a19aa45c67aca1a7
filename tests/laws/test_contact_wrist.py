"""What the wrist feels is what contacts and holds do to the arm."""

from dataclasses import replace

import numpy as np
import pytest

from proxops.core.description import MountedArm
from proxops.core.frame import Frame, rotation_of
from proxops.physics.multibody import entry
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.entry import Loads, Motion
from proxops.physics.multibody.tree import Tree, scratch_for
from proxops.plant import layout
from proxops.plant.observe import EFFECTOR, POSES_SIZE, Ports
from proxops.plant.observe_wrist import put_wrist
from proxops.plant.outline import no_outline
from tests.laws.capture_cases import pair_of
from tests.laws.plants import arm, rotation
from tests.laws.slots import CENTRE, effector, pair_of_bodies
from tests.laws.touching import Pair, contact, hold
from tests.laws.written import written

JOINTS = 3
SOFT = {  # links of kilograms stay where they are for hundredths of a second
    "stiffness": 1e4, "damping": 100.0, "mu_static": 0.5, "mu_kinetic": 0.3,
    "grip_stiffness": 8e3, "grip_damping": 50.0,
}  # fmt: skip
ROUNDING = 1e-11  # of forces of 1e3 N on links of kilograms


def grasping(arm_of_pads: str = "main") -> Pair:
    """A tumbling chaser whose arm presses on the target, rubs on it and holds it."""
    rng = np.random.default_rng(4)
    chaser, target = pair_of_bodies(1)
    root, q, qd = np.array([0.5, 0.1, 0.0]), rng.uniform(-0.3, 0.3, JOINTS), np.full(JOINTS, 0.1)
    mounted = MountedArm("main", arm(rng, JOINTS), rotation(rng), root, q, qd)
    chaser = replace(chaser, arms=(mounted,))
    chaser = replace(chaser, p_H=CENTRE - effector(Pair(chaser, target)))
    tip = np.zeros(3) if arm_of_pads else effector(Pair(chaser, target))
    pads = contact(
        tip, arm=arm_of_pads, radius=0.05, centre=CENTRE + np.array([0.04, 0.0, 0.0]),
        **SOFT,
    )  # fmt: skip
    grip = hold(
        arm=arm_of_pads, p_TB=CENTRE + 0.1, R_TB=rotation(rng), stiffness=np.full(3, 2e4),
        rotational_stiffness=np.full(3, 5e3), damping=np.full(3, 200.0),
        rotational_damping=np.full(3, 20.0),
    )  # fmt: skip
    return Pair(chaser, target, (pads,), (grip,)).go(0.01, 1e-3)


def wrist_wrench(pair: Pair, body: int, X_BE: Frame) -> np.ndarray:
    """By a wrist on that body, at E in E."""
    poses = np.zeros(POSES_SIZE)
    poses[EFFECTOR : EFFECTOR + 7] = np.concatenate(pair_of(X_BE))
    none, yes = np.array([-1]), np.array([1.0])
    ports = Ports(np.array([body]), none, poses, np.array([0]), yes, no_outline())
    wrench = np.full(6, 7.0)
    written(put_wrist)(pair.plant, ports, pair.y, pair.work.scratch, wrench)
    return wrench


def at_origin(wrench: np.ndarray, X: Frame) -> np.ndarray:
    """A wrench told at E in E, at the origin of where X_BE stands, in its axes."""
    f, t = X.R @ wrench[:3], X.R @ wrench[3:]
    return np.concatenate([f, t + np.cross(X.p, f)])


def random_frame(seed: int) -> Frame:
    rng = np.random.default_rng(seed)
    return Frame(rotation(rng), rng.uniform(-0.3, 0.3, 3))


def test_what_the_wrist_feels_moves_the_craft_as_contacts_and_holds_do() -> None:
    """The wrench alone, on the last link of a craft that touches nothing, accelerates base and
    joints as the plant says they do."""
    pair, X_BE = grasping(), random_frame(1)
    assert pair.mode() > 0.0
    wrenches = np.zeros((JOINTS + 1, 6))
    wrenches[JOINTS] = at_origin(wrist_wrench(pair, JOINTS, X_BE), X_BE)
    assert np.abs(wrenches).max() > 10.0
    chaser = pair.chaser
    q, qd = chaser[layout.JOINTS :][: 2 * JOINTS].reshape(2, JOINTS)
    R = rotation_of(chaser[layout.Q :][:4])
    w = chaser[layout.W :][:3]
    tree = Tree(pair.plant.chaser, pair.plant.chaser_topology)
    nu_rate = np.zeros(6 + JOINTS)
    motion = Motion(np.concatenate([np.zeros(3), w]), q.copy(), qd.copy())
    loads = Loads(np.zeros(JOINTS), wrenches)
    written(entry.forward_dynamics)(tree, motion, loads, nu_rate, scratch_for(tree))
    rate = pair.rates()
    scale = np.abs(nu_rate).max()
    assert R @ nu_rate[:3] == pytest.approx(rate[layout.V :][:3], abs=ROUNDING * scale)
    assert nu_rate[3:6] == pytest.approx(rate[layout.W :][:3], abs=ROUNDING * scale)
    accelerations = rate[layout.JOINTS + JOINTS :][:JOINTS]
    assert nu_rate[6:] == pytest.approx(accelerations, abs=ROUNDING * scale)


@pytest.mark.parametrize("body", [1, 2])
def test_a_wrist_feels_all_that_its_link_carries(body: int) -> None:
    """The same wrench, seen from another link farther in."""
    pair, X_BE = grasping(), random_frame(2)
    pair.rates()  # leaves where the links stand
    rows = pair.work.scratch[: JOINTS + 1]
    links = [Frame(row[at.R : at.R + 9].reshape(3, 3), row[at.P : at.P + 3].copy()) for row in rows]
    tip = at_origin(wrist_wrench(pair, JOINTS, X_BE), links[JOINTS] @ X_BE)
    inner = at_origin(wrist_wrench(pair, body, X_BE), links[body] @ X_BE)
    assert inner == pytest.approx(tip, abs=ROUNDING * np.abs(tip).max())


def test_a_wrist_feels_nothing_of_what_the_hub_touches() -> None:
    pair = grasping(arm_of_pads="")
    assert pair.mode() > 0.0
    assert not wrist_wrench(pair, JOINTS, random_frame(3)).any()
    assert wrist_wrench(pair, 0, random_frame(3)).any()
