"""An arm with brakes on is one body with its hub: exactly what rigid joints would make of it."""

import numpy as np
import pytest

import proxops
from proxops.assembly.describe import describe
from proxops.assembly.extensions import read_extensions
from proxops.core.description import point_inertia
from proxops.core.errors import InputError
from proxops.core.frame import frame, rotation_of
from proxops.facility.robot_cell.arms import arm_frames, links_of
from proxops.plant.build import whole_hub

pin = pytest.importorskip("pinocchio")

SECONDS = 20.0
TIME = {
    "duration_s": SECONDS,
    "control_rate_hz": 1000.0,
    "record_rate_hz": 1.0,
    "phases": {"drift": {"until_s": SECONDS, "step_s": 0.001}},
}
FREE = {"time": TIME, "requirements": {}, "obsw.joints": {}}
BENT = [30.0, -60.0, 20.0, 100.0, -40.0, 35.0, 10.0]
ON = {"chaser.arms.main.brakes": "on", "chaser.arms.main.q_deg": BENT}


@pytest.fixture(scope="module")
def stowed() -> proxops.Scenario:
    return proxops.load("free-tumble").replace(FREE).replace(ON)


def lumped(scenario: proxops.Scenario) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre of mass in C and inertia about it of hub and arm, by Pinocchio."""
    chaser = scenario.mission.chaser
    arm = chaser.arms["main"]
    model = pin.buildModelFromXML(scenario.files[arm.urdf])
    data = model.createData()
    pin.forwardKinematics(model, data, np.radians(arm.q_deg))
    X_CA = pin.SE3(rotation_of(arm.q_CA), np.array(arm.p_CA_m))
    whole = pin.Inertia(chaser.mass_kg, np.zeros(3), np.array(chaser.inertia_kg_m2))
    for placement, link in zip(data.oMi, model.inertias, strict=True):
        whole += X_CA.act(placement.act(link))
    return whole.mass, whole.lever, whole.inertia


def test_hub_and_arm_are_lumped_as_pinocchio_does(stowed):
    mass, com, inertia = lumped(stowed)
    hub = whole_hub(describe(stowed)[0])
    assert hub.mass == pytest.approx(mass, rel=1e-14)
    np.testing.assert_allclose(hub.com, com, rtol=0.0, atol=1e-14)
    about = hub.inertia - point_inertia(hub.mass, hub.com)
    # Rounding of mᵢrᵢ² and of what is taken off again, of entries up to 1e3
    np.testing.assert_allclose(about, inertia, rtol=0.0, atol=1e-11)
    assert np.linalg.norm(com) > 0.05  # the arm matters


def test_it_moves_as_the_lumped_hub_without_an_arm(stowed):
    run = proxops.simulate(stowed)
    assert run.ledger.closed
    mass, com, inertia = lumped(stowed)
    chaser = stowed.mission.chaser
    R_NC = rotation_of(chaser.q_NC)
    w = R_NC @ np.radians(chaser.w_NC_C_deg_s)
    plain = stowed.replace(
        {
            "chaser.arms": {},
            "chaser.shapes": {},
            "chaser.mass_kg": mass,
            "chaser.inertia_kg_m2": inertia.tolist(),
            "chaser.p_HC_m": (np.array(chaser.p_HC_m) + R_NC @ com).tolist(),
            "chaser.v_HC_m_s": (np.array(chaser.v_HC_m_s) + np.cross(w, R_NC @ com)).tolist(),
        }
    )
    other = proxops.simulate(plain)
    for name, same in (
        ("chaser.p_HCcm", "chaser.p_HC"),
        ("chaser.q_NC", "chaser.q_NC"),
        ("chaser.w_NC_C", "chaser.w_NC_C"),
    ):
        # 20 000 steps round at 1e-16 of coordinates of 12 m
        np.testing.assert_allclose(run[name][1], other[same][1], rtol=0.0, atol=1e-11)


def test_joints_that_are_held_stiffly_come_to_it_with_their_stiffness(stowed):
    """In orbit.  What the spin pulls out is τ/kp: the attitude differs by something proportional
    to 1/kp, once the joints have settled (kd/kp = 0.7 s and less)."""
    sky = {"orbit": proxops.load("fly-around").to_dict()["mission"]["orbit"]}
    rigid = proxops.simulate(stowed.replace(sky))
    assert rigid.ledger.closed
    free = stowed.replace(sky).replace({"chaser.arms.main.brakes": "off"})
    apart = []
    for factor in (1.0, 4.0):
        kp = factor * np.array([1500.0, 1500.0, 600.0, 900.0, 250.0, 150.0, 80.0])
        kd = [1100.0, 1100.0, 300.0, 500.0, 120.0, 70.0, 35.0]
        hold = {"kp": kp.tolist(), "kd": kd, "waypoints": [{"t_s": SECONDS, "q_deg": BENT}]}
        run = proxops.simulate(free.replace({"obsw.joints.main": hold}))
        apart.append(np.abs(run["chaser.q_NC"][1][-1] - rigid["chaser.q_NC"][1][-1]).max())
    assert 1e-9 < apart[1] < 1e-4
    assert apart[0] / apart[1] == pytest.approx(4.0, rel=0.2)


def test_signals_keep_their_names_and_stand_still(stowed):
    run = proxops.simulate(stowed)
    free = proxops.simulate(stowed.replace({"chaser.arms.main.brakes": "off"}))
    assert {each.name for each in run.signals()} == {each.name for each in free.signals()}
    of = {each.name: (each.unit, each.shape) for each in free.signals()}
    assert all((each.unit, each.shape) == of[each.name] for each in run.signals())
    np.testing.assert_array_equal(run["chaser.arms.main.q"][1], np.radians([BENT] * len(run.rows)))
    for quantity in ("qd", "tau", "tau_peak"):
        assert not run[f"chaser.arms.main.{quantity}"][1].any()
    # The end effector and the shapes of the links stand where the joints have them
    np.testing.assert_allclose(
        run["relative.p_GE"][1][0], free["relative.p_GE"][1][0], rtol=0.0, atol=1e-12
    )
    np.testing.assert_allclose(
        run["relative.clearance"][1][0], free["relative.clearance"][1][0], rtol=0.0, atol=1e-9
    )


def test_no_joint_limits_the_step(stowed):
    slow = {"time.phases.drift.step_s": 0.5, "time.control_rate_hz": 2.0}
    with pytest.raises(InputError, match=r"is long for the friction of joint"):
        proxops.simulate(stowed.replace(slow | {"chaser.arms.main.brakes": "off"}))
    run = proxops.simulate(stowed.replace(slow))
    assert run.ledger.closed


def test_what_stands_on_a_stowed_arm_stands_on_its_carrier():
    """Fingers on an arm: with the arm's brakes on they move, on the hub, as on a locked arm."""
    scenario = proxops.load("envisat-capture")
    names = [name for name, arm in scenario.mission.chaser.arms.items() if arm.mounted_on]
    assert names
    document = scenario.to_dict()
    mission = document["mission"]
    mission["obsw"].pop("capture")
    mission["chaser"]["arms"]["main"]["brakes"] = "on"
    held = proxops.Scenario.from_dict(document)
    mission["chaser"]["arms"]["main"]["brakes"] = "off"
    free = proxops.Scenario.from_dict(document)
    rigid, jointed = describe(held)[0], describe(free)[0]
    assert [each.mounted_on for each in rigid.arms] == [""] * len(rigid.arms)
    for name in names:
        for ours, expected in zip(
            arm_frames(rigid.arms)[name], arm_frames(jointed.arms)[name], strict=True
        ):
            np.testing.assert_allclose(ours.R, expected.R, rtol=0.0, atol=1e-13)
            np.testing.assert_allclose(ours.p, expected.p, rtol=0.0, atol=1e-13)
    sums = [sum(link.mass for link in links_of(each.arms)) for each in (rigid, jointed)]
    assert sums[0] == pytest.approx(sums[1], rel=1e-14)


def test_shapes_of_links_stand_where_the_joints_have_them(stowed):
    rigid, jointed = describe(stowed)[0], describe(stowed, as_drawn=True)[0]
    here, there = arm_frames(rigid.arms)["main"], arm_frames(jointed.arms)["main"]
    assert len({each.joint for each in jointed.shapes}) > 3
    for ours, theirs in zip(rigid.shapes, jointed.shapes, strict=True):
        found, expected = (frame(each.shape.p, each.shape.q) for each in (ours, theirs))
        if ours.arm:
            assert ours.joint == 0
            found, expected = here[0] @ found, there[theirs.joint] @ expected
        np.testing.assert_allclose(found.R, expected.R, rtol=0.0, atol=1e-13)
        np.testing.assert_allclose(found.p, expected.p, rtol=0.0, atol=1e-13)
    np.testing.assert_allclose(here[-1].p, there[-1].p, rtol=0.0, atol=1e-13)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"obsw.joints.main": {"kp": 1.0, "kd": 1.0, "waypoints": []}}, "obsw.joints.main: arm 'm"),
        (
            {"faults.f": {"kind": "stuck-joint", "arm": "main", "joint": "shoulder_yaw",
                          "from_s": 1.0}},
            "faults.f.arm: arm 'main' has brakes",
        ),
        ({"chaser.arms.main.qd_deg_s": [1.0] * 7}, "qd_deg_s: remove it: joints with brakes on"),
    ],
)  # fmt: skip
def test_nobody_commands_an_arm_with_brakes_on(changes, text, stowed):
    with pytest.raises(InputError, match=text):
        proxops.simulate(stowed.replace(changes))


def test_no_function_commands_joints_where_all_have_brakes_on(stowed):
    class Mover:
        name = "mover"
        writes = ("joints",)

        def run(self, measurements, estimates, commands): ...

    own = stowed.extended(read_extensions([Mover])).replace({"obsw.functions.mover": {}})
    with pytest.raises(InputError, match=r"obsw\.functions\.mover: commands joints, but all arms"):
        proxops.simulate(own)


def test_a_facility_has_the_arm_with_its_joints(stowed):
    with pytest.raises(InputError, match=r"chaser\.arms\.main\.brakes: leave it out"):
        proxops.check(stowed, facility="ideal")


def test_dispersions_of_the_hub_count(stowed):
    given = {"dispersions": {"mass": {"key": "chaser.mass_kg", "scale": 0.1}}}
    case = stowed.replace(given).dispersed(3)
    assert case.mission.chaser.mass_kg != stowed.mission.chaser.mass_kg
    more = case.mission.chaser.mass_kg - stowed.mission.chaser.mass_kg
    lumps = [whole_hub(describe(each)[0]).mass for each in (case, stowed)]
    assert lumps[0] - lumps[1] == pytest.approx(more, rel=1e-10)
