"""Parameters found, wanted, verdict; files of them."""

import pytest
from tests.links.flying import PARAMETERS, audited_parameters

from proxops.core.errors import InputError
from proxops.links.mavlink.audit import Limits, Rule, audit, passing, rules
from proxops.links.mavlink.autopilot import DEFAULTS
from proxops.links.mavlink.parameter_file import parse

RULES = rules(Limits())
GOOD = DEFAULTS | audited_parameters()


def test_the_shipped_parameters_pass():
    result = audit(RULES, audited_parameters())
    assert result.problems == ()
    assert result.passed
    assert {row.verdict for row in result.rows} == {"agrees"}


def test_parameters_of_a_virtual_vehicle_pass():
    assert audit(RULES, passing(RULES)).problems == ()


def test_the_defaults_of_the_autopilot_do_not():
    differs = {row.name for row in audit(RULES, DEFAULTS).rows if row.verdict == "differs"}
    assert differs >= {"GUID_TIMEOUT", "FS_GCS_ENABLE", "FS_DR_ENABLE", "MAV_OPTIONS", "WP_SPD"}
    assert differs >= {"EK3_SRC1_POSXY", "EK3_SRC1_VELZ", "VISO_TYPE", "FS_THR_ENABLE"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GUID_TIMEOUT", 0.51),
        ("GUID_TIMEOUT", 0.0),
        ("GUID_TIMEOUT", float("nan")),
        ("FS_GCS_ENABLE", 1.0),
        ("FS_GCS_TIMEOUT", 5.0),
        ("FS_DR_ENABLE", 0.0),
        ("FS_THR_ENABLE", 0.0),
        ("FS_EKF_ACTION", 0.0),
        ("FS_OPTIONS", 4.0),  # goes on in guided mode
        ("MAV_OPTIONS", 0.0),
        ("MAV_GCS_SYSID", 254.0),
        ("WP_SPD", 10.0),
        ("WP_SPD_UP", 2.5),
        ("WP_SPD_DN", 1.5),
        ("EK3_SRC1_POSXY", 3.0),
        ("EK3_SRC1_VELXY", 0.0),
        ("VISO_TYPE", 0.0),
        ("VISO_DELAY_MS", 100.0),
        ("ARMING_SKIPCHK", -1.0),
    ],
)
def test_each_parameter_that_leaves_the_arena_open_is_found(name, value):
    result = audit(RULES, GOOD | {name: value})
    assert [row.name for row in result.rows if not row.agrees] == [name]
    assert result.problems[0].startswith(f"set {name} to ")


def test_a_parameter_that_was_not_read_is_missing():
    found = {name: value for name, value in GOOD.items() if name != "MAV_OPTIONS"}
    result = audit(RULES, found)
    assert not result.passed
    (problem,) = result.problems
    assert problem == "set MAV_OPTIONS to 1 (not found): obeys the configured ground station only"


def test_single_precision_does_not_matter():
    assert Rule("X", "", high=0.3).agrees(0.30000001192092896)
    assert Rule("X", "", (0.3,)).agrees(0.30000001192092896)
    assert not Rule("X", "", high=0.3).agrees(0.3001)
    assert Rule("X", "", (0.0,)).agrees(0.0)


def test_the_ground_station_that_is_audited_is_ours():
    ours = rules(Limits(station_system=200))
    assert not audit(ours, GOOD).passed
    assert audit(ours, GOOD | {"MAV_GCS_SYSID": 200.0}).passed


def test_parameter_files_have_names_values_and_comments():
    assert parse("# all\nWP_SPD, 2.0 # m/s\n\nMAV_OPTIONS 1\n", "x.param") == {
        "WP_SPD": 2.0,
        "MAV_OPTIONS": 1.0,
    }


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("WP_SPD", "line 1: write a name and a value"),
        ("\nWP_SPD 1 2", "line 2: write a name and a value"),
        ("WP_SPD fast", "finite number, found 'fast'"),
        ("WP_SPD nan", "finite number"),
        ("WP_SPD 1\nWP_SPD 2", "line 2: WP_SPD is given twice"),
        ("A_NAME_THAT_IS_TOO_LONG 1", "at most 16"),
    ],
)
def test_lines_that_are_no_parameter_are_said(text, word):
    with pytest.raises(InputError, match=word):
        parse(text, "x.param")


def test_the_documentation_has_every_rule():
    page = (PARAMETERS.parents[2] / "docs/mavlink.md").read_text("utf-8")
    shown = [line for line in page.splitlines() if line.startswith("| `") and line.count("|") == 4]
    for rule in RULES:
        assert f"| `{rule.name}` | {rule.wanted} | {rule.why} |" in shown
