"""Spacecraft from URDF files: hub, appendages, shapes, mounts; what is wrong is named."""

import re

import numpy as np
import pytest
from tests.cross.test_craft_pinocchio import HEAD, LEFT, RIGHT, SATELLITE

import proxops
from proxops.scenario.file_schema import CHANGED, file_schema


@pytest.fixture(scope="module")
def scenario(tmp_path_factory):
    file = tmp_path_factory.mktemp("satellite") / "mission.toml"
    file.write_text(HEAD + LEFT + RIGHT)
    return proxops.load(file)


def test_a_beam_points_to_the_centre_of_mass_of_its_links_and_bends_out_of_its_plane(scenario):
    """Yoke 1.5 kg at 0.2 m and array 18 kg at 1.9 m from the joint, which is turned by 0.2 rad."""
    beam = scenario.mission.target.appendages["left"]
    assert beam.mass_kg == pytest.approx(19.5)
    assert beam.length_m == pytest.approx(2.0 * (1.5 * 0.2 + 18.0 * 1.9) / 19.5)
    w, x, y, z = beam.q_TB
    along = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)]
    normal = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]
    np.testing.assert_allclose(along, [0.0, 1.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(normal, [np.sin(0.2), 0.0, np.cos(0.2)], atol=1e-12)
    assert beam.drawn_width_m == pytest.approx(1.0, rel=0.05)  # of a plate 1 m wide
    assert beam.first_frequency_hz == 0.4


def test_modal_data_get_the_body_of_their_links(scenario):
    modal = scenario.mission.target.appendages["right"]
    assert (modal.mass_kg, modal.com_m) == (18.0, pytest.approx((0.0, 1.5, 0.0)))
    np.testing.assert_allclose(modal.inertia_kg_m2, np.diag([13.5, 1.5, 15.0]), atol=1e-12)


def test_the_hub_is_drawn_by_the_visuals_of_its_links(scenario):
    shapes = scenario.mission.target.shapes
    assert {name: each.kind for name, each in shapes.items()} == {"bus": "box", "dish": "cylinder"}
    assert shapes["bus"].size_m == (1.2, 1.2, 1.6)
    assert shapes["bus"].colour == "#b28c33"
    between = np.subtract(shapes["dish"].p_TB_m, shapes["bus"].p_TB_m)
    np.testing.assert_allclose(between, [0.0, 0.0, 1.0], atol=1e-12)


def test_the_mission_is_whole_without_the_file_and_keeps_its_momentum(scenario):
    time = {"duration_s": 1.0, "phases": {"all": {"until_s": 1.0, "step_s": 0.002}}}
    run = proxops.simulate(
        scenario.replace(
            {"time.duration_s": 1.0, "time.phases": time["phases"], "requirements": {}}
        )
    )
    assert run.ledger.closed
    assert "target.appendages.left.q_f" in run
    stored = proxops.Scenario.from_dict(scenario.to_dict())
    assert stored.mission == scenario.mission
    assert "urdf" not in scenario.to_dict()["mission"]["target"]
    assert scenario.replace({"target.mass_kg": 400.0}).mission.target.mass_kg == 400.0


def test_what_the_mission_gives_itself_goes_before_the_file(tmp_path):
    (tmp_path / "mission.toml").write_text(
        HEAD.replace("[target]\n", "[target]\nmass_kg = 500.0\n")
    )
    mission = proxops.load(tmp_path / "mission.toml").mission
    assert mission.target.mass_kg == 500.0
    assert mission.target.shapes


def test_an_arm_stands_on_a_link_of_the_chasers_file(tmp_path):
    """The handle is at (-0.7, 0, 0.4), its z axis along -x of the root link."""
    text = HEAD.replace("[target", "[chaser").replace('without = ["target"]\n', "")
    text = text.replace("[chaser.grapple]", "[chaser.arms.main]").replace("q_NT", "q_NC")
    (tmp_path / "mission.toml").write_text(text.replace("w_NT_T", "w_NC_C"))
    chaser = proxops.load(tmp_path / "mission.toml").mission.chaser
    arm = chaser.arms["main"]
    assert chaser.mass_kg < 400.0  # the file's, not that of the extended mission
    assert set(chaser.shapes) == {"bus", "dish", "left_array"}
    assert arm.q_CA == pytest.approx((np.sqrt(0.5), 0.0, -np.sqrt(0.5), 0.0))
    bus = chaser.shapes["bus"].p_CB_m  # at (0, 0, 0.4)
    np.testing.assert_allclose(np.subtract(arm.p_CA_m, bus), [-0.7, 0.0, 0.0], atol=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('link = "left_yoke"', 'link = "left_joke"', "left.link: the file has no link 'left_joke'; did you mean 'left_yoke'?"),  # noqa: E501
        ('link = "left_yoke"', 'link = "bus"', "left.link: 'bus' is the root link, which is"),
        ('link = "left_yoke"', 'link = "handle"', "left.link: 'handle' has no mass, with all that"),
        ('link = "left_yoke"', 'link = "right_array"', "'right_array' and the link of appendages.left hang on each other"),  # noqa: E501
        ('link = "left_yoke"', "link = 3", "left.link: the file has no link 3"),
        ('link = "handle"', 'link = "hande"', "target.grapple.link: the file has no link 'hande'"),
        (str(SATELLITE), "none.urdf", "target.urdf: .*none.urdf: cannot be read: No such file"),
        (f'"{SATELLITE}"', "3", "target.urdf: must be a string, found 3"),
        ("first_frequency_hz = 0.4\n", "", "appendages.left.EI_N_m2: missing; give first_"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_place(old, new, told, tmp_path):
    text = HEAD + LEFT + RIGHT
    assert old in text
    (tmp_path / "mission.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(proxops.InputError, match=told if ".*" in told else re.escape(told)):
        proxops.load(tmp_path / "mission.toml")


def test_a_hub_needs_mass(tmp_path):
    (tmp_path / "bare.urdf").write_text('<robot name="bare"><link name="bus"/></robot>')
    (tmp_path / "mission.toml").write_text(HEAD.replace(str(SATELLITE), "bare.urdf"))
    with pytest.raises(proxops.InputError, match=r"target.urdf: .* link 'bus' .* has no mass"):
        proxops.load(tmp_path / "mission.toml")


def test_editors_know_the_keys():
    sections = file_schema()["$defs"]
    assert "urdf" in sections[f"Target{CHANGED}"]["properties"]
    assert "link" in sections[f"TargetBeam{CHANGED}"]["properties"]
