"""Reading scenarios: what is wrong is named with its place, what is right is kept bit by bit."""

import hashlib
import json
import os
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from tests.data.broken import MISSION, Broken, write
from tests.data.broken_appendages import APPENDAGES
from tests.data.broken_arms import ARMS
from tests.data.broken_missions import MISSIONS
from tests.data.broken_shapes import BUS, SHAPES

from proxops.assembly.build import build
from proxops.assembly.geometry import shapes_of
from proxops.core.errors import InputError
from proxops.scenario.files import shipped_arms
from proxops.scenario.load import Scenario, load, parse_set, shipped
from proxops.scenario.schema import Mission

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture
def sound(tmp_path: Path) -> Scenario:
    return load(write(tmp_path))


# --- faults -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case", [*MISSIONS, *APPENDAGES, *SHAPES, *ARMS], ids=lambda case: case.name
)
def test_broken_input_is_refused_with_its_place(case: Broken, tmp_path: Path) -> None:
    path = write(tmp_path, case)
    with pytest.raises(InputError) as caught:
        load(path)
    message = str(caught.value)
    assert str(path) in message
    for piece in case.says:
        assert piece in message
    assert len(message.splitlines()) <= 22


def test_all_faults_are_reported_at_once(tmp_path: Path) -> None:
    path = write(tmp_path)
    text = path.read_text()
    for old, new in (
        ("mass_kg = 500.0", "mass_kg = -3.0"),
        ("step_s = 0.001", "step_s = 0.003"),
        ("eccentricity = 0.05", "eccentricity = 0.5"),
        ("q_deg = [10.0, -20.0]", "q_deg = [10.0]"),
        ("kd = [10.0, 5.0]", "kd = [10.0]"),
        ('unit = "deg/s"', 'unit = "furlong"'),
    ):
        text = text.replace(old, new)
    path.write_text(text)
    arm = tmp_path / "two.urdf"
    with pytest.raises(InputError) as caught:
        load(path)
    places = [line.strip().split(": ")[0] for line in str(caught.value).splitlines()[1:]]
    assert set(places) == {
        "chaser.mass_kg",
        "time.phases.reach.step_s",
        "orbit.semi_major_axis_km",
        "chaser.arms.main.q_deg",
        "obsw.joints.main.kd",
        "requirements.calm.unit",
    }
    arm.write_text(arm.read_text().replace('value="5"', 'value="-5"').replace("0 1 0", "0 0 0"))
    with pytest.raises(InputError, match=r"link 'boom': mass(.|\n)*joint 'second': <axis>"):
        load(path)


def test_a_message_fits_on_one_screen(tmp_path: Path) -> None:
    path = write(tmp_path)
    junk = "".join(f"key_{i} = {'[' * 9}{i}{']' * 9}\n" for i in range(500))
    path.write_text(junk + path.read_text())
    with pytest.raises(InputError) as caught:
        load(path)
    lines = str(caught.value).splitlines()
    assert len(lines) == 22
    assert lines[-1].strip() == "and 480 more"
    assert max(map(len, lines)) < 310


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"title = '\xff\xfe'", "not UTF-8 text, byte 9 in line 1"),
        (b"", "time: missing"),
        (b"a = " + b"[" * 100_000, "nested too deeply"),
        (b"#" * 10_000_001, "larger than 10 MB"),
        (b"seed = " + b"9" * 5000, "not TOML"),
        (b"\x00", "not TOML"),
    ],
    ids=["bytes", "empty", "nested", "huge", "digits", "nul"],
)
def test_a_file_that_is_no_scenario_is_refused(content: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_bytes(content)
    with pytest.raises(InputError, match=re.escape(says)):
        load(path)


def test_a_name_that_is_nothing_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file 'free-tumbel'; did you mean 'free-tumble'"):
        load("free-tumbel")
    with pytest.raises(InputError, match="No such file"):
        load(tmp_path / "absent.toml")
    with pytest.raises(InputError, match="is a directory"):
        load(tmp_path)
    for odd in ("a\0b", "a\0b.toml", "x" * 5000, "x" * 5000 + ".toml", ""):
        with pytest.raises(InputError):
            load(odd)


def test_an_unreadable_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def reject(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = write(tmp_path)
    monkeypatch.setattr(os, "open", reject)  # root may read everything: file modes do not help
    with pytest.raises(InputError, match="cannot be read: Permission denied"):
        load(path)


# --- what is shipped ----------------------------------------------------------------------------


def test_every_shipped_mission_loads_and_has_requirements() -> None:
    assert set(shipped()) >= {"free-tumble", "fly-around"}
    assert set(shipped_arms()) >= {"space-arm", "light-arm"}
    for name, title in shipped().items():
        scenario = load(name)
        assert scenario.name == name
        assert scenario.mission.title == title
        # an arena judges three more: tracking, relative tracking, gap between tips
        by_arena = 0 if scenario.mission.arena is None else 3
        assert len(scenario.mission.requirements) + by_arena >= 4


def documented() -> list[str]:
    """The TOML blocks of the page on scenarios: a whole one, then pieces that may be added."""
    return re.findall(r"```toml\n(.*?)```", (DOCS / "scenario.md").read_text(), re.DOTALL)


def test_the_example_in_the_documentation_loads(tmp_path: Path) -> None:
    path = tmp_path / "example.toml"
    path.write_text(documented()[0])
    assert load(path).mission.chaser.arms["main"].urdf == "space-arm"


def test_every_piece_in_the_documentation_can_be_added_to_the_example(tmp_path: Path) -> None:
    whole, *pieces = documented()
    # a robot wants the same steps in all phases
    whole = whole.replace("step_s = 0.002", "step_s = 0.001").replace(", substeps = 2", "")
    path = tmp_path / "example.toml"
    path.write_text("\n".join([whole, *pieces]))
    columns = "t_s,fx_N,fy_N,fz_N,tx_N_m,ty_N_m,tz_N_m"
    (tmp_path / "history.csv").write_text(f"{columns}\n0,1,0,0,0,0,0\n1,0,0,0,0,0,0\n")
    (tmp_path / "antenna.stl").write_text("solid")
    scenario = load(path)
    assert set(scenario.mission.contacts) == {"ring", "tip"}
    kinds = {shape.kind for shape in scenario.mission.chaser.shapes.values()}
    assert kinds == {"box", "cylinder", "panel", "sphere", "mesh"}
    build(scenario)


def test_the_mission_with_a_public_robot_in_the_documentation_fits_the_schema() -> None:
    """Its robot is looked at in tests/cross/test_public_robots.py."""
    page = (DOCS / "tutorials" / "first-mission.md").read_text("utf-8")
    (text,) = re.findall(r"```toml .*?\n(.*?)```", page, re.DOTALL)
    assert Mission.model_validate(tomllib.loads(text)).chaser.arms["main"].tip == "tool0"


def test_a_path_to_an_arm_starts_at_the_scenario_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mission"
    folder.mkdir()
    path = write(folder)
    monkeypatch.chdir(tmp_path)
    assert 'name="two"' in load(path.relative_to(tmp_path)).files["two.urdf"]


@pytest.fixture
def drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scenario:
    """The small mission with a box and a mesh, read from elsewhere."""
    folder = tmp_path / "mission"
    folder.mkdir()
    path = write(folder)
    path.write_text(MISSION.replace("[obsw.j", f"{BUS}\n[obsw.j"))
    (folder / "dish.stl").write_text("solid")
    monkeypatch.chdir(tmp_path)
    return load(path.relative_to(tmp_path))


def test_a_mesh_keeps_its_place_and_may_be_gone_when_a_run_is_read(
    drawn: Scenario, tmp_path: Path
) -> None:
    place = tmp_path / "mission" / "dish.stl"
    assert shapes_of(drawn.mission.chaser)["dish"].mesh == str(place)
    assert set(drawn.files) == {"two.urdf", str(place)}
    assert drawn.files[str(place)] == hashlib.sha256(b"solid").hexdigest()
    place.unlink()
    (tmp_path / "mission" / "other.stl").mkdir()
    again = Scenario.from_dict(json.loads(json.dumps(drawn.to_dict())))
    assert again == drawn
    assert again.replace({"target.mass_kg": 9.0}).mission.chaser == drawn.mission.chaser
    with pytest.raises(InputError, match=r"chaser.shapes.dish.file: no file .*other.stl'"):
        drawn.replace({"chaser.shapes.dish.file": "other.stl"})


# --- changing and storing -----------------------------------------------------------------------


def test_replace_changes_only_what_it_names(sound: Scenario) -> None:
    changed = sound.replace(
        {
            "target.mass_kg": 9000,
            "chaser.p_HC_m.1": -12.5,
            "obsw.joints.main.waypoints.1.q_deg": np.array([1.0, 2.0]),
        }
    )
    before, after = sound.to_dict(), changed.to_dict()
    before["mission"]["target"]["mass_kg"] = 9000.0
    before["mission"]["chaser"]["p_HC_m"][1] = -12.5
    before["mission"]["obsw"]["joints"]["main"]["waypoints"][1]["q_deg"] = [1.0, 2.0]
    assert before == after
    assert sound.mission.target.mass_kg == 800.0


def test_replace_adds_and_takes_away_whole_tables(sound: Scenario) -> None:
    table = {"signal": "chaser.w_NC_C", "measure": "max-norm", "comparison": "<=", "unit": "deg/s"}
    changed = sound.replace(
        {
            "orbit": None,
            "requirements.slow": table,
            "requirements.slow.limit": 3.0,
            "chaser.arms": {},
            "obsw": None,
        }
    )
    assert changed.mission.orbit is None
    assert changed.mission.requirements["slow"].limit == 3.0
    assert "limit" not in table
    assert changed.files == {}


def test_shapes_are_set_like_every_other_key(drawn: Scenario) -> None:
    key, value = parse_set("chaser.shapes.bus.size_m=[3, 2.5, 2]")
    sphere = {"kind": "sphere", "radius_m": 0.4}
    changed = drawn.replace(
        {key: value, "chaser.shapes.bus.p_CB_m.2": 0.5, "target.shapes.ball": sphere}
    )
    assert shapes_of(changed.mission.chaser)["bus"].size == (3.0, 2.5, 2.0)
    assert shapes_of(changed.mission.chaser)["bus"].p == (0.1, 0.0, 0.5)
    assert list(shapes_of(changed.mission.target)) == ["ball"]
    with pytest.raises(InputError, match=r"chaser.shapes.bus.size: unknown key; did you mean"):
        drawn.replace({"chaser.shapes.bus.size": [1.0]})


def test_replace_reads_another_arm(sound: Scenario) -> None:
    changed = sound.replace(
        {"chaser.arms.main.urdf": "light-arm", "chaser.arms.main.q_deg": [0.0] * 7, "obsw": {}}
    )
    assert set(changed.files) == {"light-arm"}


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("target.mas_kg", 1.0, "target.mas_kg: unknown key; did you mean 'mass_kg'?"),
        ("targte.mass_kg", 1.0, "targte: unknown key; did you mean 'target'?"),
        ("chaser.arms.mian.urdf", "x", "chaser.arms.mian: unknown key; did you mean 'main'?"),
        ("chaser.arms.left", 3, "chaser.arms.left: unknown key; there are: main"),
        ("chaser.p_HC_m.3", 1.0, "chaser.p_HC_m.3: no such place; chaser.p_HC_m has 3"),
        ("chaser.p_HC_m.x", 1.0, "chaser.p_HC_m.x: no such place"),
        ("chaser.mass_kg.x", 1.0, "chaser.mass_kg.x: unknown key; chaser.mass_kg is a single"),
        ("chaser.mass_kg", -1.0, "chaser.mass_kg: must be greater than 0, found -1.0"),
        ("chaser.mass_kg", None, "chaser.mass_kg: missing"),
        ("", 1.0, "unknown key"),
        ("chaser..mass_kg", 1.0, "unknown key"),
        ("time.record_rate_hz", 300.0, "time.record_rate_hz: take 250 or 320 Hz"),
    ],
)
def test_replace_refuses_what_the_schema_refuses(
    sound: Scenario, key: str, value: object, says: str
) -> None:
    with pytest.raises(InputError) as caught:
        sound.replace({key: value})
    assert says in str(caught.value)


@pytest.mark.parametrize("name", ["mission", *shipped()])
def test_a_stored_scenario_comes_back_with_the_same_bits(name: str, sound: Scenario) -> None:
    scenario = sound if name == "mission" else load(name)
    text = json.dumps(scenario.to_dict(), allow_nan=False)
    again = Scenario.from_dict(json.loads(text))
    assert again == scenario
    assert json.dumps(again.to_dict()) == text
    assert list(again.mission.time.phases) == list(scenario.mission.time.phases)


def test_a_damaged_stored_scenario_is_refused(sound: Scenario) -> None:
    data = sound.to_dict()
    for damaged in ({}, data | {"mission": 3}, data | {"files": []}, data | {"name": None}):
        with pytest.raises(InputError, match="stored scenario"):
            Scenario.from_dict(damaged)
    with pytest.raises(InputError, match=r"chaser.arms.main.urdf: its text is not stored"):
        Scenario.from_dict(data | {"files": {}})


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("target.mass_kg=9000", "target.mass_kg", 9000),
        (" a.b = 1e3 ", "a.b", 1000.0),
        ("a=[1, 2.5]", "a", [1, 2.5]),
        ("a={x = 1}", "a", {"x": 1}),
        ("a=true", "a", True),
        ("orbit.attractor=moon", "orbit.attractor", "moon"),
        ('a="moon"', "a", "moon"),
        ("a=two words", "a", "two words"),
        ("a=b=c", "a", "b=c"),
        ("urdf=../arm.urdf", "urdf", "../arm.urdf"),
    ],
)
def test_a_setting_is_a_toml_value_and_a_bare_word_a_string(
    text: str, key: str, value: object
) -> None:
    assert parse_set(text) == (key, value)


@pytest.mark.parametrize("text", ["a", "=1", "a=", "", "a=[1,", 'a="x', "a=1\nb=2"])
def test_a_setting_without_key_or_value_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="--set"):
        parse_set(text)


def test_the_mission_of_the_broken_table_is_sound(sound: Scenario) -> None:
    assert sound.mission.title in MISSION


@pytest.mark.parametrize("key", ["joint_hold.kp", "joint_hold.kd", "q_deg"])
def test_a_capture_has_a_number_for_each_joint_of_its_arm(key) -> None:
    with pytest.raises(InputError) as caught:
        load("envisat-capture").replace({f"obsw.capture.{key}": [1.0] * 8})
    told = f"obsw.capture.{key}: 8 numbers given, arm 'gripper-arm' has 7 joints"
    assert told in str(caught.value)
