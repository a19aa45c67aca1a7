"""URDF files: the arm that comes out moves and weighs as the file says."""

import math
from xml.etree import ElementTree

import numpy as np
import pinocchio as pin
import pytest

import proxops
from proxops.assembly.build import build
from proxops.core.description import ArmDescription, RigidInertia
from proxops.core.errors import InputError
from proxops.core.frame import quaternion_of
from proxops.scenario import urdf_tree
from proxops.scenario.shipped import shipped_arms
from proxops.scenario.urdf import parse_urdf, z_onto

# Every kind of joint, tilted and reversed axes, turned inertias, fixed joints at both ends and
# in the middle.
CROOKED = """
<robot name="crooked">
  <link name="foot"/>
  <joint name="bolt" type="fixed">
    <parent link="foot"/> <child link="root"/> <origin xyz="0.1 -0.2 0.3" rpy="0.3 -0.5 1.2"/>
  </joint>
  <link name="root">
    <inertial>
      <origin xyz="0.02 0.01 -0.03" rpy="0.2 0.1 -0.4"/> <mass value="4"/>
      <inertia ixx="0.05" iyy="0.06" izz="0.07" ixy="0.004" ixz="-0.003" iyz="0.002"/>
    </inertial>
  </link>
  <joint name="tilted" type="revolute">
    <parent link="root"/> <child link="a"/> <origin xyz="0 0.1 0.2" rpy="-0.4 0.7 0.1"/>
    <axis xyz="1 2 -2"/> <limit lower="-3" upper="3" effort="50" velocity="1"/>
  </joint>
  <link name="a">
    <inertial>
      <origin xyz="0.1 -0.05 0.2" rpy="1.1 -0.3 0.6"/> <mass value="3"/>
      <inertia ixx="0.03" iyy="0.05" izz="0.04" ixy="-0.002" ixz="0.001" iyz="0.003"/>
    </inertial>
  </link>
  <joint name="slide" type="prismatic">
    <parent link="a"/> <child link="b"/> <origin xyz="0.3 0 0.1" rpy="0 1.3 0.2"/>
    <axis xyz="0.6 0 -0.8"/> <limit lower="-0.5" upper="0.5" effort="80" velocity="0.2"/>
  </joint>
  <link name="b">
    <inertial>
      <origin xyz="0 0.1 0"/> <mass value="2"/>
      <inertia ixx="0.02" iyy="0.02" izz="0.03" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="weld" type="fixed">
    <parent link="b"/> <child link="c"/> <origin xyz="0.2 0.1 0" rpy="0.5 0.4 -0.3"/>
  </joint>
  <link name="c">
    <inertial>
      <origin xyz="0.05 0 0.1" rpy="0 0 0.9"/> <mass value="1.5"/>
      <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0.001" iyz="0"/>
    </inertial>
  </link>
  <joint name="endless" type="continuous">
    <parent link="c"/> <child link="d"/> <origin xyz="0 0 0.25"/> <axis xyz="0 0 -1"/>
  </joint>
  <link name="d">
    <inertial>
      <origin xyz="0.02 0.03 0.04"/> <mass value="1"/>
      <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="default_axis" type="revolute">
    <parent link="d"/> <child link="e"/> <origin xyz="0 0.1 0.1" rpy="0 0 0.5"/>
    <limit lower="-1" upper="1.5" effort="10" velocity="2"/>
    <dynamics damping="0.3" friction="0.1"/>
    <proxops rotor_inertia="0.7" stop_stiffness="300"/>
  </joint>
  <link name="e">
    <inertial>
      <origin xyz="0 0 0.05"/> <mass value="0.5"/>
      <inertia ixx="0.002" iyy="0.002" izz="0.001" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="tip" type="fixed">
    <parent link="e"/> <child link="end_effector"/> <origin xyz="0 0.02 0.1" rpy="0.1 0.2 0.3"/>
  </joint>
  <link name="end_effector"/>
</robot>
"""
ARMS = {name: item.read_text("utf-8") for name, item in shipped_arms().items()} | {
    "crooked": CROOKED
}


def skew(a: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def turn_z(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def link_poses(arm: ArmDescription, q: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Joint frames in A, as the description defines them."""
    R, p = np.eye(3), np.zeros(3)
    poses = []
    for joint, position in zip(arm.joints, q, strict=True):
        p, R = p + R @ joint.p_PJ, R @ joint.R_PJ
        if joint.prismatic:
            p = p + R[:, 2] * position
        else:
            R = R @ turn_z(position)
        poses.append((R, p))
    return poses


def spatial(body: RigidInertia) -> np.ndarray:
    """6x6 inertia about the frame's origin, linear first."""
    mc = body.mass * skew(body.com)
    return np.block([[body.mass * np.eye(3), -mc], [mc, body.inertia]])


def mass_matrix(arm: ArmDescription, q: np.ndarray) -> np.ndarray:
    """Σ Jᵀ I J of the arm on a free base with frame A, without rotors."""
    poses = link_poses(arm, q)
    M = np.zeros((6 + len(q), 6 + len(q)))
    M[:6, :6] = spatial(arm.root)
    for i, (R, p) in enumerate(poses):
        J = np.zeros((6, 6 + len(q)))
        J[:3, :3] = J[3:, 3:6] = np.eye(3)
        J[:3, 3:6] = -skew(p)
        for k in range(i + 1):
            R_k, p_k = poses[k]
            axis = R_k[:, 2]
            if arm.joints[k].prismatic:
                J[:3, 6 + k] = axis
            else:
                J[:3, 6 + k] = np.cross(axis, p - p_k)
                J[3:, 6 + k] = axis
        J = np.block([[R.T, np.zeros((3, 3))], [np.zeros((3, 3)), R.T]]) @ J
        M += J.T @ spatial(arm.joints[i].link) @ J
    return M


def random_pose(arm: ArmDescription, rng: np.random.Generator) -> np.ndarray:
    lower = [max(joint.lower, -math.pi) for joint in arm.joints]
    upper = [min(joint.upper, math.pi) for joint in arm.joints]
    return rng.uniform(lower, upper)


@pytest.mark.parametrize("name", ARMS)
def test_end_effector_and_mass_matrix_equal_pinocchios_reading_of_the_file(name: str) -> None:
    arm = parse_urdf(ARMS[name], name)
    model = pin.buildModelFromXML(ARMS[name], pin.JointModelFreeFlyer())
    data = model.createData()
    effector = model.getFrameId("end_effector")
    rng = np.random.default_rng(7)
    for _ in range(20):
        q = random_pose(arm, rng)
        at = pin.integrate(model, pin.neutral(model), np.concatenate([np.zeros(6), q]))
        pin.framesForwardKinematics(model, data, at)
        R, p = link_poses(arm, q)[-1]
        # Ten products of rotations, each rounding a few 1e-16 of lengths up to 3 m
        close = {"rtol": 0.0, "atol": 1e-14}
        np.testing.assert_allclose(R @ arm.R_JE, data.oMf[effector].rotation, **close)
        np.testing.assert_allclose(p + R @ arm.p_JE, data.oMf[effector].translation, **close)
        M = pin.crba(model, data, at)
        M = np.triu(M) + np.triu(M, 1).T
        np.testing.assert_allclose(mass_matrix(arm, q), M, rtol=0.0, atol=1e-14 * np.abs(M).max())


def test_joints_keep_their_numbers_and_absent_ones_have_defaults() -> None:
    arm = parse_urdf(CROOKED, "crooked")
    assert [joint.name for joint in arm.joints] == ["tilted", "slide", "endless", "default_axis"]
    assert [joint.prismatic for joint in arm.joints] == [False, True, False, False]
    endless, last = arm.joints[2:]
    assert (endless.lower, endless.upper) == (-math.inf, math.inf)
    assert (endless.effort, endless.speed) == (math.inf, math.inf)
    assert (endless.viscous, endless.coulomb, endless.rotor_inertia) == (0.0, 0.0, 0.0)
    assert (endless.stop_stiffness, endless.stop_damping) == (1e4, 2.0)
    assert (last.lower, last.upper, last.effort, last.speed) == (-1.0, 1.5, 10.0, 2.0)
    assert (last.viscous, last.coulomb, last.rotor_inertia) == (0.3, 0.1, 0.7)
    assert (last.stop_stiffness, last.stop_damping) == (300.0, 2.0)


def test_an_arm_without_joints_is_a_mast() -> None:
    text = (
        '<robot name="mast"><link name="a"><inertial><mass value="2"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<link name="b"/>'
        '<joint name="j" type="fixed"><parent link="a"/><child link="b"/>'
        '<origin xyz="1 2 3"/></joint></robot>'
    )
    arm = parse_urdf(text, "mast")
    assert arm.joints == ()
    assert arm.root.mass == 2.0
    np.testing.assert_array_equal(arm.p_JE, [1.0, 2.0, 3.0])


@pytest.mark.parametrize("name", ["space-arm", "light-arm"])
def test_shipped_links_weigh_as_the_cylinders_they_draw(name: str) -> None:
    """m(3r² + l²)/12 and m r²/2; the files carry nine digits."""
    for link in ElementTree.fromstring(ARMS[name]).findall("link"):
        inertial = link.find("inertial")
        if inertial is None:
            continue
        cylinder = link.find("visual/geometry/cylinder")
        assert cylinder is not None
        assert link.find("visual/origin").attrib == inertial.find("origin").attrib
        m = float(inertial.find("mass").get("value"))
        r, length = (float(cylinder.get(key)) for key in ("radius", "length"))
        found = {key: float(value) for key, value in inertial.find("inertia").attrib.items()}
        across, along = m * (3 * r**2 + length**2) / 12, 0.5 * m * r**2
        wanted = {"ixx": across, "iyy": across, "izz": along, "ixy": 0, "ixz": 0, "iyz": 0}
        assert found == pytest.approx(wanted, rel=1e-8)


@pytest.mark.parametrize(
    ("name", "reach", "lightest", "heaviest"),
    [("space-arm", 3.0, 80.0, 120.0), ("light-arm", 1.0, 16.0, 24.0)],
)
def test_shipped_arms_have_the_size_of_their_class(
    name: str, reach: float, lightest: float, heaviest: float
) -> None:
    arm = parse_urdf(ARMS[name], name)
    assert len(arm.joints) == 7
    mass = arm.root.mass + sum(joint.link.mass for joint in arm.joints)
    assert lightest <= mass <= heaviest
    poses = link_poses(arm, np.zeros(7))
    R, p = poses[-1]
    tip = p + R @ arm.p_JE
    assert np.linalg.norm(tip - poses[1][1]) == pytest.approx(reach, abs=1e-12)


def test_a_quaternion_gives_back_its_rotation() -> None:
    rng = np.random.default_rng(3)
    turns = [np.eye(3), np.diag([1.0, -1, -1]), np.diag([-1.0, 1, -1]), np.diag([-1.0, -1, 1])]
    turns += [pin.exp3(rng.normal(size=3) * 2.0) for _ in range(50)]
    for R in turns:
        w, x, y, z = quaternion_of(R)
        assert w >= 0.0
        # The eigenvector is good to a few 1e-16 and the rotation is quadratic in it
        np.testing.assert_allclose(pin.Quaternion(w, x, y, z).matrix(), R, rtol=0.0, atol=1e-14)


@pytest.mark.parametrize("text", ["", "<robot/>", "\0", "<a/>", "<robot><link/></robot>", "é"])
def test_text_that_is_no_arm_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^odd\.urdf: "):
        parse_urdf(text, "odd.urdf")


@pytest.mark.parametrize("tilt", [0.0, 1e-9, 3.6732e-6, 1e-3, 1.0, 2.0, 3.0, np.pi])
def test_a_joint_frame_is_a_rotation_with_z_along_any_axis(tilt: float) -> None:
    """Also for what rounding leaves of an axis along -z."""
    axis = np.array([np.sin(tilt) * 0.6, np.sin(tilt) * 0.8, -np.cos(tilt)])
    R = z_onto(axis)
    assert R[:, 2] == pytest.approx(axis, abs=1e-15)
    assert pytest.approx(np.eye(3), abs=1e-15) == R.T @ R
    assert np.linalg.det(R) == pytest.approx(1.0, abs=1e-15)


def test_a_text_is_read_once_however_often_a_scenario_is_built(monkeypatch):
    scenario = proxops.load("envisat-capture")
    build(scenario)
    monkeypatch.setattr(urdf_tree, "_xml", lambda *_: pytest.fail("a text is read again"))
    build(scenario.dispersed(2))


def test_an_arm_that_is_kept_cannot_be_changed():
    arm = parse_urdf(CROOKED, "crooked")
    assert arm is parse_urdf(CROOKED, "crooked")
    for array in (arm.p_JE, arm.root.com, arm.joints[0].R_PJ, arm.joints[0].link.inertia):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
