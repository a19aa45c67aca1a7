"""What is refused in words before any key is looked at: pipes, endless numbers, endless nesting."""

import os
import re
import stat
from pathlib import Path

import pytest
from tests.data.broken import MISSION, write

import proxops
from proxops import api
from proxops.assembly.facility import load_facility
from proxops.cli.campaign_options import parse_seeds
from proxops.core.errors import InputError
from proxops.scenario.load import Scenario, load, parse_set

DIGITS = "1" * 5000


def pipe(path: Path) -> Path:
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    return path


def test_pipes_and_devices_are_refused_at_once(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    sound = write(tmp_path)
    own.write_text(MISSION)
    wrench = '\n[chaser.wrench]\nfile = "force.csv"\n'
    (tmp_path / "history.toml").write_text(MISSION + wrench)
    base = pipe(tmp_path / "base.toml")
    (tmp_path / "extending.toml").write_text('extends = "base.toml"\n')
    (tmp_path / "device.toml").write_text('extends = "/dev/zero"\n')
    pipe(tmp_path / "force.csv")
    for given, words in (
        (base, "base.toml: is a pipe, not a file"),
        ("/dev/zero", "is a device, not a file"),
        (tmp_path / "extending.toml", r"extends: .*is a pipe, not a file"),
        (tmp_path / "device.toml", r"extends: /dev/zero: is a device, not a file"),
        (tmp_path / "history.toml", r"chaser.wrench.file: .*is a pipe, not a file"),
    ):
        with pytest.raises(InputError, match=words):
            load(given)
    with pytest.raises(InputError, match="is a pipe, not a file"):
        load_facility(base)
    pipe(tmp_path / "two.urdf")
    with pytest.raises(InputError, match=r"chaser.arms.main.urdf: .*is a pipe, not a file"):
        load(sound)
    with pytest.raises(InputError, match="is a pipe, not a file"):
        proxops.check(
            load("free-tumble"), facility="ideal", nominal=str(pipe(tmp_path / "way.csv"))
        )


def test_a_device_is_not_even_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening some devices sets them going."""

    def opened(*_: object) -> int:
        raise AssertionError("opened")

    monkeypatch.setattr(os, "open", opened)
    with pytest.raises(InputError, match="is a device, not a file"):
        load("/dev/zero")
    assert stat.S_ISCHR(os.stat("/dev/zero").st_mode)


@pytest.fixture
def sound(tmp_path: Path) -> Scenario:
    return load(write(tmp_path))


def test_a_number_that_no_product_survives_is_refused(sound: Scenario, tmp_path: Path) -> None:
    far = {"p_C_m": [1e200, 0.0, 0.0], "direction": [1.0, 0.0, 0.0], "thrust_N": 1.0}
    with pytest.raises(InputError, match=r"thrusters.far.p_C_m.0: must not be larger than 1e\+20"):
        sound.replace({"chaser.thrusters": {"far": far}})
    with pytest.raises(InputError, match=r"target.mass_kg: must not be larger .* beyond 1e308"):
        sound.replace({"target.mass_kg": 10**400})
    path = write(tmp_path)
    path.write_text(MISSION.replace("mass_kg = 800.0", "mass_kg = -1e300"))
    with pytest.raises(InputError, match=r"target.mass_kg: must not be larger .* found -1e\+300"):
        load(path)
    stored = sound.to_dict()
    stored["mission"]["target"]["mass_kg"] = 1e300
    with pytest.raises(InputError, match=r"target.mass_kg: must not be larger"):
        Scenario.from_dict(stored)


@pytest.mark.parametrize(
    "text",
    [
        f'title = "deep"\n[{".".join("a" * 20000)}]\nx = 1\n',
        'title = "deep"\na = ' + "[" * 300 + "]" * 300,
        'title = "deep"\na = ' + "{a=" * 300 + "1" + "}" * 300,
    ],
    ids=["key", "lists", "tables"],
)
def test_endless_nesting_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "deep.toml"
    path.write_text(text)
    for read in (load, load_facility):
        with pytest.raises(InputError, match="nested"):
            read(path)
    path.write_text(f'extends = "free-tumble"\n{text}')
    with pytest.raises(InputError, match="nested"):
        load(path)


def test_endless_nesting_in_a_change_is_refused(sound: Scenario) -> None:
    value: object = 1.0
    for _ in range(20000):
        value = {"a": value}
    with pytest.raises(InputError, match="must not be nested deeper than 40 levels"):
        sound.replace({"chaser.thrusters": value})
    stored = sound.to_dict()
    stored["mission"]["target"]["mass_kg"] = value
    with pytest.raises(InputError, match="must not be nested deeper than 40 levels"):
        Scenario.from_dict(stored)
    with pytest.raises(InputError, match="unknown key"):
        sound.replace({".".join("a" * 20000): 1.0})


def test_an_endless_place_in_a_list_is_refused(sound: Scenario) -> None:
    for place in (DIGITS, "٣", "-1"):
        with pytest.raises(InputError, match=r"no such place; chaser.p_HC_m has 3"):
            sound.replace({f"chaser.p_HC_m.{place}": 1.0})
    key, value = parse_set(f"target.mass_kg={DIGITS}")
    with pytest.raises(InputError, match=r"target.mass_kg: must be"):
        sound.replace({key: value})
    with pytest.raises(InputError, match=re.escape("dispersions.far")):
        sound.replace({"dispersions": {"far": {"key": f"chaser.p_HC_m.{DIGITS}", "scale": 0.1}}})


def test_negative_seeds_are_refused_everywhere(sound: Scenario, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="seed"):
        sound.replace({"seed": -1})
    with pytest.raises(InputError, match="from 0, found -1"):
        sound.dispersed(-1)
    for text in ("-1", "-3--1", "0,-1", "--1"):
        with pytest.raises(InputError, match="must be like 0-99"):
            parse_seeds(text)
    with pytest.raises(InputError, match="from 0, found -1"):
        api.campaign(sound, [0, -1])
    stored = sound.dispersed(3).to_dict()
    stored["case"]["seed"] = -3
    with pytest.raises(InputError, match="from 0, found -3"):
        Scenario.from_dict(stored)
