"""Scenario files that build on another: what is merged, what is replaced, what is refused."""

import json
import re

import pytest
from tests.data.broken import MISSION, write

from proxops.core.errors import InputError
from proxops.onboard.user.file import from_file
from proxops.scenario.file_schema import CHANGED, file_schema
from proxops.scenario.load import Scenario, load
from proxops.scenario.schema import Mission
from proxops.scenario.source import merged


def extending(folder, text, name="own.toml"):
    path = folder / name
    path.write_text(text)
    return path


def test_a_file_that_is_none_has_the_nearest_one_whatever_all_of_them_end_in(tmp_path):
    for name in ("wrong.toml", "other.toml", "law.py"):
        (tmp_path / name).write_text("")
    with pytest.raises(InputError, match=r"wrng.toml: No such file; did you mean '.*wrong.toml'"):
        load(tmp_path / "wrng.toml")
    with pytest.raises(InputError, match=r"nothing.toml: No such file; there are: "):
        load(tmp_path / "nothing.toml")
    with pytest.raises(InputError, match=r"there is no file .*lay.py; did you mean '.*law.py'"):
        from_file(f"{tmp_path / 'lay.py'}:Law")


def test_tables_are_merged_and_all_else_is_replaced():
    base = {"a": 1, "t": {"x": [1, 2], "y": {"z": 3}}}
    assert merged(base, {"t": {"x": [9], "y": {"w": 4}}, "b": 2}) == {
        "a": 1,
        "t": {"x": [9], "y": {"z": 3, "w": 4}},
        "b": 2,
    }
    assert base == {"a": 1, "t": {"x": [1, 2], "y": {"z": 3}}}


def test_a_table_of_another_kind_takes_the_place_of_the_old_one():
    base = {"law": {"kind": "spring", "stiffness": 3.0}}
    assert merged(base, {"law": {"kind": "spring", "damping": 1.0}})["law"]["stiffness"] == 3.0
    assert merged(base, {"law": {"damping": 1.0}})["law"]["kind"] == "spring"
    assert merged(base, {"law": {"kind": "ball"}})["law"] == {"kind": "ball"}


def test_a_file_says_only_what_is_different(tmp_path):
    without = 'without = ["requirements.touches", "seed"]'
    path = extending(tmp_path, f'extends = "touch"\n{without}\n[target]\nmass_kg = 9000.0\n')
    base, own = load("touch"), load(path)
    gone = {"requirements.touches": None, "seed": None}
    assert own.mission == base.replace({"target.mass_kg": 9000.0} | gone).mission
    assert own.name == "own"


def test_what_is_stored_is_the_whole_and_needs_the_base_no_more(tmp_path):
    base = write(tmp_path)
    path = extending(tmp_path, f'extends = "{base.name}"\nseed = 77\n')
    scenario = load(path)
    for file in tmp_path.iterdir():
        file.unlink()
    stored = json.loads(json.dumps(scenario.to_dict()))
    assert "extends" not in stored["mission"]
    assert Scenario.from_dict(stored) == scenario
    assert scenario.replace({"target.mass_kg": 1e4}).mission.seed == 77


def test_paths_are_looked_for_beside_the_file_and_then_beside_its_base(tmp_path):
    (tmp_path / "base").mkdir()
    base = write(tmp_path / "base")
    path = extending(tmp_path, f'extends = "base/{base.name}"\nseed = 5\n')
    assert load(path).files == load(base).files
    urdf = next(iter(load(base).files))
    near = (tmp_path / "base" / urdf).read_text().replace('value="5"', 'value="6"')
    (tmp_path / urdf).write_text(near)
    assert load(path).files[urdf] == near != load(base).files[urdf]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("extends = 3", "extends: must be a string, found 3"),
        ('extends = "tuch"', "extends: no shipped scenario and no file 'tuch'; did you mean"),
        ('extends = "absent.toml"', "extends: absent.toml: No such file"),
        ('extends = "onw.toml"', "did you mean 'own.toml'"),
        ('extends = "oos-sim"', "'oos-sim' is a facility, not a scenario; a facility follows"),
        ('extends = "own.toml"', "extends: 'own.toml' goes in a circle"),
        ('extends = "touch"\nwithout = "seed"', "without: must be a list of dotted keys"),
        ('extends = "touch"\nwithout = ["target.mass"]', "without: touch has no 'target.mass'"),
        ('extends = "touch"\nwithout = ["seed.x"]', "without: touch has no 'seed.x'"),
        ('without = ["seed"]\n' + MISSION, "without: only where it extends another scenario"),
    ],
)
def test_what_cannot_be_built_on_is_refused_with_the_file(tmp_path, text, says):
    path = extending(tmp_path, text)
    with pytest.raises(InputError, match=re.escape(says)) as caught:
        load(path)
    assert str(path) in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_files_build_on_each_other_in_a_chain(tmp_path):
    extending(tmp_path, 'extends = "touch-flexible"\nseed = 7\n', "first.toml")
    extending(tmp_path, 'extends = "first.toml"\n[target]\nmass_kg = 9000.0\n', "second.toml")
    path = extending(tmp_path, 'extends = "second.toml"\nwithout = ["requirements.touches"]\n')
    changes = {"seed": 7, "target.mass_kg": 9000.0, "requirements.touches": None}
    assert load(path).mission == load("touch-flexible").replace(changes).mission


def test_files_that_build_on_each_other_in_a_circle_are_refused_with_all_of_them(tmp_path):
    extending(tmp_path, 'extends = "own.toml"\n', "other.toml")
    path = extending(tmp_path, 'extends = "other.toml"\n')
    with pytest.raises(InputError, match=r"other\.toml: extends: 'own\.toml' goes in a circle"):
        load(path)


def test_a_fault_of_the_whole_names_both_files(tmp_path):
    path = extending(tmp_path, 'extends = "touch"\n[target]\nmass_kg = -1.0\n')
    with pytest.raises(InputError, match=r"target\.mass_kg: must be greater") as caught:
        load(path)
    assert f"{path} (extends touch): 1 problem" in str(caught.value)


CRAFTS = ("Chaser", "Target")  # whole, or with a URDF file


def test_the_schema_of_files_knows_whole_missions_and_those_that_extend():
    schema = file_schema()
    whole = Mission.model_json_schema()
    sections = schema["$defs"]
    text = json.dumps(schema)
    assert set(re.findall(r"#/\$defs/([^\"]+)", text)) <= set(sections)
    for name, section in whole["$defs"].items():
        assert sections[f"{name}Whole" if name in CRAFTS else name] == section
        assert "required" not in sections[name + CHANGED]
    assert sections["Mission"] == {key: whole[key] for key in whole if key != "$defs"}
    assert sections["Mission" + CHANGED]["required"] == ["extends"]
    assert schema["if"] == {"required": ["extends"]}
    assert schema["else"] == {"$ref": "#/$defs/Mission"}
