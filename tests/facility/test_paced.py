"""A dry run at a reduced pace shows the mission's geometry, the slower the closer."""

import json
from functools import cache

import numpy as np
import pytest

from proxops import api
from proxops.assembly.nominal import COLUMNS
from proxops.core.errors import InputError
from proxops.core.frame import rotation_of
from proxops.facility.robot_cell.procedure.paced import joints_along
from proxops.rehearsal import stretched_commands
from proxops.scenario.load import Scenario, load
from proxops.scenario.shipped import shipped_facilities

LAG = 0.02 + 2.0 / (2.0 * np.pi * 10.0)  # of the servos [s]


def mission(seconds):
    """`touch` for so long."""
    held = [{"t_s": seconds, "q_deg": [0.0, -60.0, 0.0, 100.0, 0.0, -40.0, 0.0]}]
    changes = {
        "time.duration_s": seconds,
        "time.phases.touch.until_s": seconds,
        "obsw.joints.main.waypoints": held,
    }
    return load("touch").replace(changes)


@cache
def slow(speed, representation="absolute"):
    return api.rehearse(mission(2.0), no_contact=True, speed=speed, representation=representation)


def late(run):
    """How far the mock-ups are from where the models are, relative to each other (n, 3) [m]."""
    R = np.moveaxis(rotation_of(tuple(run["lab.q_LCl"][1].T)), -1, 0)
    seen = np.einsum("nji,nj->ni", R, run["lab.p_LTl"][1] - run["lab.p_LCl"][1])
    return seen - run["relative.p_CT"][1]


def test_a_slow_dry_run_is_let_through_and_takes_its_time():
    run = slow(0.5)
    assert run.outcome == "passed"
    assert run.rows[-1, 0] == pytest.approx(4.0)
    assert [state.name for state in run.procedure] == [
        "park",
        "move to start",
        "tare",
        "engage",
        "run",
        "stop",
        "retreat",
    ]
    assert {state.verdict for state in run.procedure} == {"passed"}
    assert all(item.passed for item in run.requirements)
    assert run.title == "touch on oos-sim, absolute, without contact, at 50% of its pace"


@pytest.mark.parametrize("speed", [0.5, 0.25])
def test_the_geometry_shown_is_the_missions_as_late_as_the_servos_are_at_that_pace(speed):
    """All axes are late by the same time, so that what is seen is what was, to the curvature of
    ways within a lag, some 1e-3 of the 0.5 mm that it amounts to."""
    run = slow(speed)
    t, now = run["relative.p_CT"]
    before = np.stack([np.interp(t - LAG, t, column) for column in now.T], axis=1)
    settled = t > 0.5
    expected = (before - now)[settled]
    assert np.linalg.norm(expected, axis=1).min() > 0.7 * speed * LAG * 0.02
    assert late(run)[settled] == pytest.approx(expected, abs=2e-6)


def test_a_slow_dry_run_replays_as_itself():
    ours = slow(0.5)
    made = json.loads(json.dumps(dict(ours.provenance)))
    again = api.rehearse(
        Scenario.from_dict(made["scenario"]),
        made["facility"],
        representation=made["representation"],
        nominal=made["nominal"],
        no_contact=made["no_contact"],
        speed=made["speed"],
    )
    assert again.hash == ours.hash
    assert again.title == ours.title


def test_a_slow_dry_run_is_relative_to_what_is_asked_for():
    """Relative to a frame that leaves at 10 mm/s the target is 20 mm from where it is absolutely
    after 2 s, less the lag at half that pace."""
    rows = ["0,0,0,0,1,0,0,0,0.01,0,0,0,0,0", "2,0.02,0,0,1,0,0,0,0.01,0,0,0,0,0"]
    leaving = {"name": "leaving.csv", "text": "\n".join([",".join(COLUMNS), *rows])}
    run = api.rehearse(mission(2.0), no_contact=True, speed=0.5, nominal=leaving)
    apart = run["lab.p_LTl"][1][-1] - slow(0.5)["lab.p_LTl"][1][-1]
    assert np.linalg.norm(apart) == pytest.approx(0.02 - 0.5 * 0.01 * LAG, abs=1e-5)


def test_a_chaser_without_an_arm_is_shown_slowly():
    time = {"duration_s": 0.5, "phases": {"swings": {"until_s": 0.5, "step_s": 0.001}}}
    changes = {f"time.{name}": value for name, value in time.items()}
    rig = load("contact-rig").replace({"requirements": {}, **changes})
    run = api.rehearse(rig, no_contact=True, speed=0.5)
    assert run.outcome == "passed"
    assert run.rows[-1, 0] == pytest.approx(1.0)
    assert {state.verdict for state in run.procedure} == {"passed"}


def test_an_emergency_stop_ends_a_slow_dry_run_and_the_robots_retreat_from_there(tmp_path):
    facility = _facility(tmp_path, "emergency_stop_at_s = 1.0")
    out = tmp_path / "run"
    run = api.rehearse(mission(2.0), facility, no_contact=True, speed=0.5, out=out)
    assert run.outcome == "stopped"
    assert run.events[-1].t_s == pytest.approx(1.0)
    assert [(state.name, state.verdict) for state in run.procedure[-2:]] == [
        ("run", "emergency stop"),
        ("retreat", "passed"),
    ]
    assert api.open(out).procedure == run.procedure


def test_what_the_orbit_told_after_a_stop_is_not_told_of_the_dry_run(tmp_path):
    facility = _facility(tmp_path, "emergency_stop_at_s = 1.0")
    changes = {
        "time.phases.touch.until_s": 1.0,
        "time.phases.later": {"until_s": 2.0, "step_s": 0.001},
    }
    run = api.rehearse(mission(2.0).replace(changes), facility, no_contact=True, speed=0.5)
    assert max(event.t_s for event in run.events) == pytest.approx(1.0)
    assert [phase.name for phase in run.phases] == ["touch"]
    assert run.phases[0].end_s == pytest.approx(run.rows[-1, 0])
    assert [phase.name for phase in slow(0.5).phases] == ["touch"]
    assert slow(0.5).phases[0].end_s == pytest.approx(4.0)


def test_a_pose_out_of_reach_ends_a_slow_dry_run_as_it_ends_a_run(monkeypatch):
    """The chaser's robot falls short of the pose of the cycle after the 250th, 1 s."""

    def short(robot, track, start, advance, joints):
        reached, excess = joints_along(robot, track, start, advance, joints)
        asked.append(robot)
        return (reached, excess) if len(asked) == 1 else (250, 0.03)

    asked = []
    monkeypatch.setattr(stretched_commands, "joints_along", short)
    run = api.rehearse(mission(2.0), no_contact=True, speed=0.5)
    assert run.outcome == "stopped"
    assert run.events[-1].detail == "the chaser's robot falls short of the pose by 0.03 m"
    assert run.events[-1].t_s == pytest.approx(251 * 0.004)
    assert run.rows[-1, 0] > run.events[-1].t_s


def _facility(folder, guard):
    text = shipped_facilities()["oos-sim"].read_text("utf-8")
    file = folder / "other.toml"
    key = guard.split(" =")[0]
    kept = "\n".join(line for line in text.splitlines() if not line.startswith(key))
    file.write_text(kept.replace("[guard] #", f"[guard]\n{guard}\n#"))
    return file


@pytest.mark.parametrize(
    ("speed", "no_contact", "why"),
    [
        (0.5, False, "contact and free dynamics have their own pace"),
        (1.5, True, "possible are 0.01 to 1"),
        (float("nan"), True, "possible are 0.01 to 1"),
    ],
)
def test_a_pace_at_which_nothing_can_be_shown_is_refused(speed, no_contact, why):
    with pytest.raises(InputError, match=why):
        api.rehearse(load("touch"), speed=speed, no_contact=no_contact)


def test_a_name_is_no_scenario_to_rehearse():
    with pytest.raises(InputError, match=r"proxops\.rehearse\(proxops\.load\('touch'\)\)"):
        api.rehearse("touch")


def test_a_facility_without_robots_has_nothing_to_go_slowly():
    with pytest.raises(InputError, match="facility ideal has no robots"):
        api.rehearse(load("touch"), "ideal", speed=0.5, no_contact=True)


def test_a_start_that_cannot_be_prepared_is_refused_before_anything_is_simulated(
    monkeypatch, tmp_path
):
    monkeypatch.setattr(api, "simulate", None)
    with pytest.raises(
        InputError, match=r"cannot begin at its start pose: main\.wrist_roll and hand"
    ):
        api.rehearse(load("touch"), _facility(tmp_path, "arm_clearance_m = 0.3"))
