"""Files with branches: the way to the tip moves, all else is part of it."""

import numpy as np
import pinocchio as pin
import pytest
from tests.unit.test_urdf import link_poses, mass_matrix, random_pose

from proxops.assembly.locked_joints import locked_joints
from proxops.core.errors import InputError
from proxops.scenario.load import load
from proxops.scenario.urdf import parse_urdf


def inertial(mass, *moments, xyz="0 0 0"):
    xx, yy, zz = moments
    return (
        f'<inertial><origin xyz="{xyz}" rpy="0.2 -0.1 0.4"/><mass value="{mass}"/>'
        f'<inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/></inertial>'
    )


def joint(name, kind, parent, child, more=""):
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="0.1 0.2 0.3" rpy="0.3 -0.2 0.7"/><axis xyz="0 0.6 0.8"/>{more}</joint>'
    )


LIMIT = '<limit lower="-1" upper="1" effort="5" velocity="1"/>'
# A camera with an inertia that nothing has, a wheel that floats, a hand with two fingers of which
# one follows the other, frames without mass in two ways.
BRANCHED = f"""
<robot name="branched">
  <link name="world"/>
  {joint("stand", "fixed", "world", "base")}
  <link name="base">{inertial(5, 0.1, 0.1, 0.1)}</link>
  {joint("loose", "floating", "base", "wheel")}
  <link name="wheel">{inertial(2, 0.01, 0.01, 0.01, xyz="0 0.1 0")}</link>
  {joint("shoulder", "continuous", "base", "upper")}
  <link name="upper">{inertial(3, 0.05, 0.06, 0.02, xyz="0 0 0.2")}</link>
  {joint("mount", "fixed", "upper", "camera")}
  <link name="camera">{inertial(0.2, 0.001, 0.001, 0.01)}</link>
  {joint("elbow", "prismatic", "upper", "lower", LIMIT)}
  <link name="lower">{inertial(2, 0.03, 0.02, 0.02, xyz="0.1 0 0")}</link>
  {joint("wrist", "revolute", "lower", "hand", LIMIT)}
  <link name="hand">{inertial(1, 0.004, 0.004, 0.005)}</link>
  {joint("squeeze", "prismatic", "hand", "left", LIMIT)}
  <link name="left">{inertial(0.3, 0.001, 0.001, 0.001)}</link>
  {joint("follow", "prismatic", "hand", "right", LIMIT + '<mimic joint="squeeze"/>')}
  <link name="right">{inertial(0.3, 0.001, 0.001, 0.001)}</link>
  {joint("point", "fixed", "hand", "tool")}
  <link name="tool">{inertial(0, 0, 0, 0)}</link>
</robot>
"""


def test_links_off_the_way_to_the_tip_are_lumped_as_pinocchio_lumps_them():
    arm = parse_urdf(BRANCHED, "branched", "tool")
    assert [each.name for each in arm.joints] == ["shoulder", "elbow", "wrist"]
    assert arm.locked == ("loose", "squeeze", "follow")
    assert arm.tip == "tool"
    whole = pin.buildModelFromXML(BRANCHED, pin.JointModelFreeFlyer())
    off = [whole.getJointId(name) for name in arm.locked]
    model = pin.buildReducedModel(whole, off, pin.neutral(whole))
    data = model.createData()
    tool = model.getFrameId("tool")
    rng = np.random.default_rng(5)
    for _ in range(20):
        q = random_pose(arm, rng)
        at = pin.integrate(model, pin.neutral(model), np.concatenate([np.zeros(6), q]))
        pin.framesForwardKinematics(model, data, at)
        R, p = link_poses(arm, q)[-1]
        # A few products of rotations, each rounding some 1e-16 of lengths of 1 m
        close = {"rtol": 0.0, "atol": 1e-14}
        np.testing.assert_allclose(R @ arm.R_JE, data.oMf[tool].rotation, **close)
        np.testing.assert_allclose(p + R @ arm.p_JE, data.oMf[tool].translation, **close)
        M = pin.crba(model, data, at)
        M = np.triu(M) + np.triu(M, 1).T
        np.testing.assert_allclose(mass_matrix(arm, q), M, rtol=0.0, atol=1e-14 * np.abs(M).max())


def test_a_tip_on_the_way_ends_the_arm_there():
    arm = parse_urdf(BRANCHED, "branched", "upper")
    assert [each.name for each in arm.joints] == ["shoulder"]
    assert arm.locked == ("loose", "elbow", "wrist", "squeeze", "follow")
    whole = arm.root.mass + sum(each.link.mass for each in arm.joints)
    assert whole == pytest.approx(5 + 2 + 3 + 0.2 + 2 + 1 + 0.3 + 0.3)


def test_a_branch_without_moving_joints_needs_no_tip():
    text = BRANCHED.replace('type="floating"', 'type="fixed"')
    for name in ("squeeze", "follow"):
        text = text.replace(f'name="{name}" type="prismatic"', f'name="{name}" type="fixed"')
    with pytest.raises(
        InputError, match=r"3 branches leave link 'hand'; they end at 'left', 'right'"
    ):
        parse_urdf(text, "branched")
    text = text.replace(
        '<parent link="hand"/><child link="right"/>', '<parent link="upper"/><child link="right"/>'
    )
    text = text.replace(
        '<parent link="hand"/><child link="left"/>', '<parent link="upper"/><child link="left"/>'
    )
    arm = parse_urdf(text, "branched")
    assert (arm.tip, arm.locked) == ("tool", ())


@pytest.mark.parametrize(
    ("tip", "said"),
    [
        (
            None,
            "2 branches leave link 'base'; they end at 'wheel', 'camera', 'left', 'right', 'tool'",
        ),
        ("tol", "tip: there is no link 'tol'; did you mean 'tool'"),
        ("right", "give tip = \"hand\", or another link before 'right': joint 'follow' follows"),
        ("wheel", "joint 'loose': type 'floating' is not supported"),
    ],
)
def test_a_way_that_cannot_be_is_refused_with_the_cure(tip, said):
    with pytest.raises(InputError) as error:
        parse_urdf(BRANCHED, "branched", tip)
    assert said in str(error.value)


def test_a_body_is_judged_with_what_is_fixed_to_it():
    assert parse_urdf(BRANCHED, "branched", "tool").joints  # its camera alone could not be
    heavy = BRANCHED.replace(inertial(0.2, 0.001, 0.001, 0.01), inertial(0.2, 0.001, 0.001, 1.0))
    with pytest.raises(InputError, match=r"link 'upper': inertia must satisfy .* fixed to it"):
        parse_urdf(heavy, "branched", "tool")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '<mujoco model="arm"><worldbody/></mujoco>',
            "is an MJCF file, which is not read: give the",
        ),
        ('<sdf version="1.9"/>', "is an SDF file, which is not read: give the URDF file"),
        ('<COLLADA xmlns="a"/>', "is a mesh, which is not an arm"),
    ],
)
def test_other_formats_are_called_by_their_names(text, said):
    with pytest.raises(InputError, match=said):
        parse_urdf(text, "arm.xml")


def test_a_tree_with_three_thousand_links_is_no_trouble():
    """Neither recursion nor a search for every link."""
    names = [f"l{i}" for i in range(3_000)]
    text = '<robot name="long"><link name="root"/>'
    for before, name in zip(["root", *names], names, strict=False):
        text += f'<link name="{name}"/><joint name="j{name}" type="fixed">'
        text += f'<parent link="{before}"/><child link="{name}"/></joint>'
    assert parse_urdf(text + "</robot>", "long").tip == names[-1]


def test_locked_joints_are_warned_of(tmp_path):
    (tmp_path / "branched.urdf").write_text(BRANCHED)
    arm = {"urdf": str(tmp_path / "branched.urdf"), "tip": "tool", "q": [0.0, 0.0, 0.0]}
    changes = {"chaser.arms": {"main": arm}, "obsw.joints": None, "requirements": None}
    plain = load("free-tumble")
    assert [*locked_joints(plain)] == []
    ((path, text),) = locked_joints(plain.replace(changes))
    assert path == ("chaser", "arms", "main", "urdf")
    assert text == (
        "3 joints off the way to link 'tool' stay at zero: 'loose', 'squeeze', 'follow'"
    )
