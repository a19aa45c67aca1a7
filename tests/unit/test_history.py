"""Recorded wrenches: read from CSV, and played back with the impulse they had."""

import json
import re

import numpy as np
import pytest

import proxops
from proxops.core.errors import InputError
from proxops.plant.history import COMPONENTS, HISTORY_WIDTH, WRENCH, history, play
from proxops.plant.model import DRIVE_FORCE, DRIVE_WIDTH
from proxops.scenario.history import COLUMNS, parse_history

HEADER = ",".join(COLUMNS)
ROWS = np.array(
    [
        [0.113, 4.0, -1.0, 0.0, 0.2, 0.0, 0.0],
        [0.3, 1.0, 2.0, 0.5, 0.0, -0.3, 0.0],
        [0.3071, -6.0, 2.0, 0.0, 0.0, 0.1, 0.4],
        [1.21, 3.0, 0.0, -2.5, 0.1, 0.1, 0.0],
    ]
)


def text_of(rows):
    return "\n".join([HEADER, *(",".join(map(repr, row)) for row in np.asarray(rows).tolist())])


def means(rows, h, steps):
    """What is applied in each of the steps (steps, 6)."""
    table = history(rows)
    drive = np.zeros((2, DRIVE_WIDTH))
    applied = []
    for i in range(steps):
        drive[:] = 0.0
        play.py_func(table, i * h, h, drive, 1)
        applied.append(drive[1, DRIVE_FORCE : DRIVE_FORCE + COMPONENTS].copy())
    assert not drive[0].any()
    return np.array(applied)


@pytest.mark.parametrize("h", [0.01, 0.0625, 0.5, 2.0])
def test_steps_of_any_length_apply_the_recorded_impulse(h):
    """To rounding of sums of some ten numbers; the trapezoid is the integral of straight lines."""
    applied = means(ROWS, h, round(2.0 / h)).sum(axis=0) * h
    recorded = np.trapezoid(ROWS[:, WRENCH:], ROWS[:, 0], axis=0)
    np.testing.assert_allclose(applied, recorded, rtol=0.0, atol=1e-13)


def test_between_two_rows_the_mean_is_the_value_in_the_middle_of_the_step():
    applied = means(ROWS, 0.01, 100)
    middle = 0.01 * np.arange(40, 100) + 0.005
    for i in range(COMPONENTS):
        expected = np.interp(middle, ROWS[:, 0], ROWS[:, WRENCH + i])
        np.testing.assert_allclose(applied[40:, i], expected, atol=1e-12)


def test_outside_of_its_rows_a_history_does_nothing():
    applied = means(ROWS, 0.1, 20)
    assert not applied[0].any()
    assert not applied[13:].any()
    assert history(ROWS).shape == (4, HISTORY_WIDTH)


# --- the text -----------------------------------------------------------------------------------


def test_columns_may_stand_in_any_order():
    cells = [[*COLUMNS[::-1]], *([repr(x) for x in row[::-1]] for row in ROWS.tolist())]
    text = "\r\n".join(", ".join(line) for line in cells) + "\r\n\r\n"
    np.testing.assert_array_equal(parse_history(text, "h.csv"), ROWS)


GOOD = text_of(ROWS)
HOSTILE = {
    "empty": ("", "lacks t_s, fx_N"),
    "no header": (GOOD.split("\n", 1)[1], "lacks t_s"),
    "lacks one": (GOOD.replace("tz_N_m", "tz"), "lacks tz_N_m; it must name t_s, fx_N"),
    "one too many": (GOOD.replace("tz_N_m", "tz_N_m,mood"), "first line has 'mood'"),
    "one twice": (GOOD.replace("tz_N_m", "tz_N_m,t_s"), "a column twice"),
    "a word": (GOOD.replace("0.3071", "soon"), "line 4: 'soon' is not a number up to 1e+12"),
    "nan": (GOOD.replace("0.3071", "nan"), "'nan' is not a number up to 1e+12"),
    "infinite": (GOOD.replace("0.3071", "1e999"), "'1e999' is not a number up to 1e+12"),
    "blank": (GOOD.replace("0.3071", " "), "' ' is not a number up to 1e+12"),
    "short line": (GOOD + "\n2.0,1.0", "line 6: 2 numbers; must be 7"),
    "long line": (GOOD + ",1.0", "line 5: 8 numbers"),
    "back in time": (GOOD.replace("0.3071", "0.2"), "times must increase, but 0.3 s precedes 0.2"),
    "twice the same time": (GOOD.replace("0.3071", "0.3"), "times must increase"),
    "one row": (text_of(ROWS[:1]), "1 rows; must have 2 to 1000000"),
    "a huge cell": (HEADER + "\n" + "9" * 200_000, "not CSV"),
    "a NUL": (GOOD.replace("0.3071", "\0"), "is not a number up to 1e+12"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_is_no_history_is_refused_in_one_line(case):
    text, says = HOSTILE[case]
    with pytest.raises(InputError, match=re.escape(says)) as caught:
        parse_history(text, "push.csv")
    message = str(caught.value)
    assert "push.csv" in message
    assert len(message.splitlines()) == 1
    assert len(message) < 300


# --- in a scenario ------------------------------------------------------------------------------


def scenario_with(folder, content):
    (folder / "push.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    name = str(folder / "push.csv")
    return proxops.load("free-tumble").replace({"target.wrench": {"file": name}}), name


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"t_s,\xff", "not UTF-8 text, byte 4 in line 1"),
        (b"1" * 10_000_001, "larger than 10 MB"),
        ("t_s\n1", "lacks fx_N"),
    ],
    ids=["bytes", "huge", "columns"],
)
def test_a_broken_file_is_a_fault_of_the_scenario_with_its_place(tmp_path, content, says):
    with pytest.raises(InputError, match=re.escape(says)) as caught:
        scenario_with(tmp_path, content)
    assert "target.wrench.file: " in str(caught.value)


def test_an_absent_file_is_a_fault_of_the_scenario_with_its_place():
    scenario = proxops.load("free-tumble")
    with pytest.raises(InputError, match=r"chaser\.wrench\.file: .*No such file"):
        scenario.replace({"chaser.wrench": {"file": "nothing.csv"}})


def test_the_text_is_kept_with_the_scenario(tmp_path):
    scenario, name = scenario_with(tmp_path, GOOD)
    (tmp_path / "push.csv").unlink()
    stored = json.loads(json.dumps(scenario.to_dict()))
    assert proxops.Scenario.from_dict(stored) == scenario
    assert scenario.replace({"seed": 4}).files[name] == GOOD
