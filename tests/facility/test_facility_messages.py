"""What a user reads who has made a facility or mission that does not fit, and what to type."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from proxops.assembly.arena import change_arena, load_arena
from proxops.assembly.cell import build_cell
from proxops.assembly.facility import Lab, change_facility, load_facility
from proxops.assembly.start_poses import distant_grapples, grapple_note, turned_grapples
from proxops.core.errors import InputError
from proxops.feasibility.answers import _warnings
from proxops.scenario.load import load, parse_set


@pytest.fixture(scope="module")
def turned():
    """A mission whose grapple frame has -x where z is to be."""
    return load("touch").replace({"target.grapple.q_TG": [1.0, 0.0, 0.0, 0.0]})


def test_a_grapple_frame_that_faces_the_chaser_needs_no_note():
    assert grapple_note(load("touch")) == ""


def test_a_grapple_frame_turned_by_a_quarter_is_named_with_what_to_type(turned):
    note = grapple_note(turned)
    assert "z of the grapple frame must point at the chaser, yours is 90 deg off" in note
    cure = note.split("--set '")[1].split("'")[0]
    key, value = parse_set(cure)
    assert grapple_note(turned.replace({key: value})) == ""


def test_a_capture_is_warned_of_a_grapple_frame_that_faces_away():
    capture = load("envisat-capture")
    assert turned_grapples(capture) == []
    ((path, text),) = turned_grapples(capture.replace({"target.grapple.q_TG": [1, 0, 0, 0]}))
    assert path == ("target", "grapple", "q_TG")
    assert "yours is 92.2 deg off" in text


def test_a_berthing_that_begins_beyond_the_arms_reach_is_warned_of_unless_a_leg_flies_nearer():
    berthing = load("berthing")
    assert distant_grapples(berthing) == []
    far = berthing.replace({"chaser.p_HC_m": [0.0, -8.0, 0.0]})
    ((path, text),) = distant_grapples(far)
    assert path == ("chaser", "p_HC_m")
    nearer = float(text.split("begin ")[1].split(" m")[0])
    again = far.replace({"chaser.p_HC_m": [0.0, -8.0 + nearer + 0.2, 0.0]})
    assert distant_grapples(again) == []
    assert distant_grapples(load("servicing-day")) == []  # from a kilometre


@pytest.mark.parametrize("out_of_reach", [False, True])
def test_a_check_that_ends_at_once_says_so_too(turned, out_of_reach):
    """Whether a robot does not reach its start or an axis begins out of its range."""
    robot = SimpleNamespace(start=None if out_of_reach else np.zeros(6))
    asked = SimpleNamespace(robots=(robot,), limit=SimpleNamespace(t=0.0), in_doubt=None)
    asked.recorded = True
    case = SimpleNamespace(scenario=turned)
    found = SimpleNamespace(outcome="passed", asked=asked, case=case, tumble=(), contacts=())
    assert grapple_note(turned) in _warnings(found)


def test_a_start_out_of_reach_says_by_how_much_and_why():
    half = math.sqrt(0.5)
    backwards = load("touch").replace({"target.grapple.q_TG": [half, 0.0, half, 0.0]})
    lab = load_facility("oos-sim")
    with pytest.raises(InputError, match=r"out of reach by [0-9.]+ m; z of .* 180 deg off"):
        build_cell(backwards, lab.facility, "relative")


def test_a_start_out_of_reach_for_another_reason_names_the_search():
    lab = change_facility(load_facility("oos-sim"), {"start.p_LG_m": [0.0, 9.0, 1.5]})
    with pytest.raises(InputError, match="proxops check with --optimise-start looks for a start"):
        build_cell(load("touch"), lab.facility, "relative")


def test_a_facility_file_with_a_title_alone_is_rejected(tmp_path):
    file = tmp_path / "cell.toml"
    file.write_text('title = "My cell"\n')
    with pytest.raises(InputError, match=r"robots: missing; give \[robots\.target\]"):
        load_facility(file)
    file.write_text('title = "My cell"\ncarriers = "ideal"\n')
    assert load_facility(file).facility.robots is None
    file.write_text('extends = "oos-sim"\ncarriers = "ideal"\n')
    with pytest.raises(InputError, match="carriers: remove it: this facility has robots"):
        load_facility(file)


def test_a_recorded_facility_without_robots_is_read_as_it_was():
    stored = load_facility("ideal").to_dict()
    del stored["file"]["carriers"]
    assert isinstance(load_facility(stored), Lab)


def test_facility_keys_are_changed_and_checked_like_a_file():
    lab = change_facility(load_facility("oos-sim"), {"servo.delay_s": 0.004, "start.p_LG_m.1": 0.5})
    assert lab.facility.servo.delay_s == 0.004
    assert lab.facility.start.p_LG_m == (0.0, 0.5, 1.5)
    with pytest.raises(InputError, match=r"servo\.delay: unknown key; did you mean 'delay_s'"):
        change_facility(lab, {"servo.delay": 0.004})
    with pytest.raises(InputError, match=r"servo\.delay_s: must be"):
        change_facility(lab, {"servo.delay_s": -1.0})
    with pytest.raises(InputError, match=r"servo\.delay_s: must be .* 1, found 8"):
        change_facility(lab, {"servo.delay_s": 8.0})  # for 8 ms
    with pytest.raises(InputError, match=r"command_rate_hz: must be .* 1000, found 5000"):
        change_facility(lab, {"command_rate_hz": 5000.0})
    with pytest.raises(InputError, match=r"command_rate_hz: take 250 or 320 Hz"):
        change_facility(lab, {"command_rate_hz": 300.0})
    with pytest.raises(InputError, match=r"flange_sensor\.rate_hz: must be .* 1000000, found 1000"):
        change_facility(lab, {"flange_sensor.rate_hz": 1e10})
    with pytest.raises(InputError, match=r"wrist_sensor\.rate_hz: must be .* 0\.0+1, found 1e-320"):
        change_facility(lab, {"wrist_sensor.rate_hz": 1e-320})


def test_arena_keys_are_changed_and_checked_like_a_file():
    arena = change_arena(load_arena("flight-arena"), {"wind_m_s": [0.5, 0.0, 0.0]})
    assert arena.file.wind_m_s == (0.5, 0.0, 0.0)
    with pytest.raises(InputError, match="wint_m_s: unknown key; did you mean 'wind_m_s'"):
        change_arena(arena, {"wint_m_s": 1.0})


@pytest.mark.parametrize(
    ("read", "name", "told"),
    [
        (load, "oos-sim", "'oos-sim' is a facility, not a scenario"),
        (load_facility, "touch", "'touch' is a scenario, not a facility"),
    ],
)
def test_files_of_the_other_kind_are_called_so(read, name, told, tmp_path):
    with pytest.raises(InputError, match=told):
        read(name)
    table = "guard" if name == "oos-sim" else "chaser"
    (tmp_path / "mine.toml").write_text(f"title = 'x'\n[{table}]\n")
    with pytest.raises(InputError, match=told.partition("is ")[2]):
        read(str(tmp_path / "mine.toml"))
