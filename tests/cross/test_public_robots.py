"""Public robots on a chaser move as Pinocchio says, which reads the same files.

A mission with the robot as its arm is built as for a run; Pinocchio locks the joints off the way to
the tip at zero.  Errors are relative to the largest component of what is compared.  Both sides
round at 1e-16; wrists of grams behind tens of kilograms make M as ill-conditioned as 1e6.
"""

import re
from os.path import isfile
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from tests.cross.chains import Craft, nu_of, relative
from tests.cross.public_robots import ARMS, WHY_LEFT_OUT, robots_folder

import proxops
from proxops.assembly.build import build
from proxops.assembly.describe import describe
from proxops.core.description import ArmDescription
from proxops.core.errors import InputError
from proxops.core.frame import quaternion_of
from proxops.physics.multibody.entry import Loads, Motion, Mount
from proxops.physics.multibody.tree import Tree
from proxops.results.warnings import foreseen
from proxops.scenario.load import Scenario
from proxops.scenario.urdf import parse_urdf
from proxops.scenario.urdf_visual import arm_shapes

FOLDER = robots_folder()
EXACT = 1e-10
STATES = 10

pytestmark = pytest.mark.skipif(FOLDER is None, reason=WHY_LEFT_OUT)


def path_of(file: str) -> Path:
    assert FOLDER is not None
    return FOLDER / file


def within_stops(arm: ArmDescription, rng: np.random.Generator) -> np.ndarray:
    lower = [max(joint.lower, -np.pi) for joint in arm.joints]
    upper = [min(joint.upper, np.pi) for joint in arm.joints]
    return rng.uniform(lower, upper)


def mission_with(file: str, tip: str | None, rng: np.random.Generator) -> Scenario:
    """free-tumble with the robot as the chaser's only arm, root frame A where C is."""
    arm = parse_urdf(path_of(file).read_text("utf-8"), file, tip)
    main = {"urdf": str(path_of(file)), "q": within_stops(arm, rng).tolist()}
    main |= {"tip": tip} if tip else {}
    changes = {"chaser.arms": {"main": main}, "obsw.joints": None, "requirements": None}
    return proxops.load("free-tumble").replace(changes)


def peer_of(file: str, scenario: Scenario, arm: ArmDescription) -> Any:
    """Pinocchio's reading of the file, its root link on the same hub."""
    whole = pin.buildModelFromUrdf(str(path_of(file)), pin.JointModelFreeFlyer())
    names = {joint.name for joint in arm.joints}
    off = [whole.getJointId(name) for name in whole.names[2:] if name not in names]
    # without need it trips over a link and a joint of one name
    model = pin.buildReducedModel(whole, off, pin.neutral(whole)) if off else whole
    assert [*model.names[2:]] == [joint.name for joint in arm.joints]
    chaser = scenario.mission.chaser
    hub = pin.Inertia(chaser.mass_kg, np.zeros(3), np.array(chaser.inertia_kg_m2))
    model.appendBodyToJoint(1, hub, pin.SE3.Identity())
    model.gravity = pin.Motion.Zero()
    return model


@pytest.mark.parametrize("file", ARMS)
def test_a_public_robot_moves_as_pinocchio_says(file: str) -> None:
    rng = np.random.default_rng([*file.encode()])
    scenario = mission_with(file, ARMS[file], rng)
    plant = build(scenario).plant
    arm = describe(scenario)[0].arms[0].arm
    craft = Craft(Tree(plant.chaser, plant.chaser_topology))
    model = peer_of(file, scenario, arm)
    data = model.createData()
    bodies = {
        each.name: i for i, each in enumerate(model.frames) if each.type == pin.FrameType.BODY
    }
    tip = bodies[arm.tip]
    mount = Mount(craft.n, np.concatenate([quaternion_of(arm.R_JE), arm.p_JE]))
    assert craft.n == len(arm.joints) > 0
    for _ in range(STATES):
        q, qd = within_stops(arm, rng), rng.uniform(-1.0, 1.0, craft.n)
        motion = Motion(rng.uniform(-0.5, 0.5, 6), q, qd)
        loads = Loads(rng.uniform(-20.0, 20.0, craft.n), np.zeros((craft.n + 1, 6)))
        nu = nu_of(motion)
        at = pin.integrate(model, pin.neutral(model), np.concatenate([np.zeros(6), q]))

        J, _ = craft.jacobian(motion, mount)
        R, p = craft.frame(craft.n)
        pin.computeJointJacobians(model, data, at)
        pin.framesForwardKinematics(model, data, at)
        assert relative(p + R @ arm.p_JE, data.oMf[tip].translation) < EXACT
        assert relative(R @ arm.R_JE, data.oMf[tip].rotation) < EXACT
        assert relative(J, pin.getFrameJacobian(model, data, tip, pin.LOCAL)) < EXACT

        upper = np.triu(pin.crba(model, data, at))
        M = upper + np.triu(upper, 1).T
        bias = pin.rnea(model, data, at, nu, 0.0 * nu)
        effort = np.concatenate([np.zeros(6), loads.tau])
        rates = pin.aba(model, data, at, nu, effort)
        # the hub weighs tonnes: the joints are compared on their own scale
        for part in (slice(0, 6), slice(6, None)):
            assert relative(craft.mass_matrix(motion)[:, part], M[:, part]) < EXACT
            assert relative(craft.bias(motion)[part], bias[part]) < EXACT
            assert relative(craft.acceleration(motion, loads)[part], rates[part]) < EXACT


def test_every_file_loads_or_says_why_not() -> None:
    """Those of robots with several limbs ask for a tip; what else is said names its element."""
    said = set()
    for path in sorted(path_of(".").rglob("*.urdf")):
        try:
            parse_urdf(path.read_text("utf-8"), path.name)
        except InputError as error:
            said |= {line.removeprefix(f"{path.name}: ")[:8] for line in str(error).splitlines()}
    assert said <= {"give tip", "joint 'j", "link 'FL", "link 'FR", "has no <"}


def test_the_mission_in_the_documentation_loads_and_is_drawn(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "tutorials" / "first-mission.md"
    (text,) = re.findall(r'```toml title="ur5.toml"\n(.*?)```', page.read_text("utf-8"), re.DOTALL)
    share = tmp_path / "robots" / "cmeel.prefix" / "share"
    share.mkdir(parents=True)
    (share / "example-robot-data").symlink_to(path_of(".").resolve().parent)
    (tmp_path / "ur5.toml").write_text(text)
    scenario = proxops.load(tmp_path / "ur5.toml")
    assert foreseen(scenario) == []
    arm = describe(scenario)[0].arms[0].arm
    shapes = arm_shapes(arm, scenario.files[scenario.mission.chaser.arms["main"].urdf], isfile)
    assert [shape.kind for _, shape, _ in shapes] == ["mesh"] * 7
    assert all(shape.mesh in scenario.files for _, shape, _ in shapes)
