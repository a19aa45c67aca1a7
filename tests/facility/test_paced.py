"""A dry run at a reduced pace shows the mission's geometry, the slower the closer."""

from functools import cache

import numpy as np
import pytest

from proxops import api
from proxops.core.errors import InputError
from proxops.core.frame import rotation_of
from proxops.scenario.files import shipped_facilities
from proxops.scenario.load import load

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
    return api.rehearse(mission(2.0), dry=True, speed=speed, representation=representation)


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
    assert run.title == "touch on oos-sim, absolute, at 50% of its pace"


def test_the_geometry_shown_is_the_missions_up_to_what_the_servos_lag_at_that_pace():
    """The chaser moves at 2 cm/s against the target: it is late by the lag times that, and by half
    at half the pace, to the 2 % that the speed in the target's axes changes."""
    half, quarter = late(slow(0.5)), late(slow(0.25))
    apart = np.linalg.norm(half, axis=1)
    assert apart[100:] == pytest.approx(np.full(len(apart) - 100, 0.5 * LAG * 0.02), rel=0.05)
    assert np.linalg.norm(quarter, axis=1)[100:] == pytest.approx(0.5 * apart[100:], rel=0.02)


def test_a_guard_that_stops_a_slow_dry_run_says_so(tmp_path):
    run = api.rehearse(
        mission(2.0),
        _facility(tmp_path, "speed_override = 0.013"),
        dry=True,
        speed=0.5,
        representation="absolute",
        out=tmp_path / "run",
    )
    assert run.outcome == "stopped"
    assert "speed of axis" in run.events[-1].detail
    assert api.open(tmp_path / "run").procedure == run.procedure


def _facility(folder, guard):
    text = shipped_facilities()["oos-sim"].read_text("utf-8")
    file = folder / "other.toml"
    key = guard.split(" =")[0]
    kept = "\n".join(line for line in text.splitlines() if not line.startswith(key))
    file.write_text(kept.replace("[guard] #", f"[guard]\n{guard}\n#"))
    return file


@pytest.mark.parametrize(
    ("speed", "dry", "why"),
    [
        (0.5, False, "contact and free dynamics have their own pace"),
        (1.5, True, "possible are 0.01 to 1"),
        (float("nan"), True, "possible are 0.01 to 1"),
    ],
)
def test_a_pace_at_which_nothing_can_be_shown_is_refused(speed, dry, why):
    with pytest.raises(InputError, match=why):
        api.rehearse(load("touch"), speed=speed, dry=dry)


def test_a_facility_without_robots_has_nothing_to_go_slowly():
    with pytest.raises(InputError, match="facility ideal has no robots"):
        api.rehearse(load("touch"), "ideal", speed=0.5, dry=True)


def test_a_start_that_cannot_be_prepared_is_refused_before_anything_is_simulated(
    monkeypatch, tmp_path
):
    monkeypatch.setattr(api, "simulate", None)
    with pytest.raises(InputError, match=r"cannot begin where it is to: main\.wrist_roll and hand"):
        api.rehearse(load("touch"), _facility(tmp_path, "arm_clearance_m = 0.3"))
