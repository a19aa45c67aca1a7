"""An arm on the end effector of another: fingers of a gripper."""

from dataclasses import replace

import numpy as np
import pytest
from tests.laws.plants import arm, rotation, solid

import proxops
from proxops import plant
from proxops.core.description import CraftDescription, MountedArm, RigidInertia
from proxops.core.errors import InputError

ON_HUB = "chaser.arms.main"


def craft(*arms: MountedArm) -> CraftDescription:
    still = np.zeros(3)
    return CraftDescription(
        900.0, np.diag([300.0, 400.0, 500.0]), still, still, np.array([1.0, 0, 0, 0]), still, arms
    )


def built(craft: CraftDescription) -> plant.Plant:
    return plant.build(craft, replace(craft, arms=()), None)


def test_an_arm_cut_in_two_is_the_same_tree() -> None:
    rng = np.random.default_rng(3)
    whole, root = arm(rng, 5), solid(rng, 2.0, 0.1)
    R, p = rotation(rng), rng.uniform(-0.3, 0.3, 3)
    R_JE, p_JE = rotation(rng), rng.uniform(-0.3, 0.3, 3)
    R_EA, p_EA = rotation(rng), rng.uniform(-0.3, 0.3, 3)
    R_JA, p_JA = R_JE @ R_EA, p_JE + R_JE @ p_EA
    upper = replace(whole, joints=whole.joints[:3], R_JE=R_JE, p_JE=p_JE)
    lower = replace(whole, joints=whole.joints[3:], root=root)
    q = rng.uniform(-1.0, 1.0, 5)
    halves = built(
        craft(
            MountedArm("upper", upper, R, p, q[:3], q[:3]),
            MountedArm("lower", lower, R_EA, p_EA, q[3:], q[3:], mounted_on="upper"),
        )
    )
    first, second, third, fourth, fifth = whole.joints
    third = replace(third, link=third.link.joined(root.seen_from(R_JA, p_JA)))
    fourth = replace(fourth, R_PJ=R_JA @ fourth.R_PJ, p_PJ=p_JA + R_JA @ fourth.p_PJ)
    joints = (first, second, third, fourth, fifth)
    one = built(craft(MountedArm("main", replace(whole, joints=joints), R, p, q, q)))
    assert np.array_equal(halves.chaser_topology, one.chaser_topology)
    # sums of a dozen products of numbers up to ten
    assert np.allclose(halves.chaser, one.chaser, rtol=1e-14, atol=1e-13)


def test_both_fingers_hang_on_the_last_link_and_weigh_on_it() -> None:
    rng = np.random.default_rng(4)
    main = MountedArm("main", arm(rng, 3), np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3))
    finger = replace(arm(rng, 1), root=RigidInertia(0.7, np.zeros(3), 1e-3 * np.eye(3)))
    left, right = (
        MountedArm(
            name, finger, np.eye(3), np.zeros(3), np.zeros(1), np.zeros(1), mounted_on="main"
        )
        for name in ("left", "right")
    )
    made = built(craft(main, left, right))
    last = 3
    assert made.chaser_topology[:, 0].tolist() == [0, 1, 2, last, last]
    bare = built(craft(main))
    assert made.chaser[last, 0] == pytest.approx(bare.chaser[last, 0] + 1.4)
    assert made.chaser[0, 0] == bare.chaser[0, 0]  # the hub carries the first arm's root only


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mounted_on": "mian"}, "no arm 'mian' is given before this one"),
        ({"mounted_on": "finger"}, "no arm 'finger' is given before this one"),
        ({"mounted_on": "main"}, None),
    ],
)
def test_an_arm_stands_on_one_that_comes_before(
    change: dict[str, str], message: str | None
) -> None:
    finger = {"urdf": "finger", "q": [0.0], **change}
    scenario = proxops.load("touch")
    if message is None:
        arms = scenario.replace({"chaser.arms.finger": finger}).mission.chaser.arms
        assert arms["finger"].mounted_on
        return
    with pytest.raises(InputError, match=message):
        scenario.replace({"chaser.arms.finger": finger})
