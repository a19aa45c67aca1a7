"""A rehearsal from park to park: its states are told, kept, and tared force sensors read zero."""

from dataclasses import replace

import numpy as np
import pytest

from proxops import api
from proxops.assembly.facility import load_facility
from proxops.core.errors import StoppedError
from proxops.core.frame import rotation_of
from proxops.rehearsal import on_facility
from proxops.scenario.load import load
from proxops.scenario.schema.facility import Procedure
from proxops.scenario.shipped import shipped_facilities

BIAS = [3.0, -2.0, 1.0]  # [N]


def mission(seconds):
    """`touch` for so long: it ends before the touch."""
    held = [{"t_s": seconds, "q_deg": [0.0, -60.0, 0.0, 100.0, 0.0, -40.0, 0.0]}]
    changes = {
        "time.duration_s": seconds,
        "time.phases.touch.until_s": seconds,
        "obsw.joints.main.waypoints": held,
    }
    return load("touch").replace(changes)


def biased(folder, guard=""):
    """`oos-sim` with a force sensor that is off."""
    text = shipped_facilities()["oos-sim"].read_text("utf-8")
    file = folder / "biased.toml"
    text = text.replace("[flange_sensor]", f"[flange_sensor]\nbias_N = {BIAS}")
    file.write_text(text.replace("[guard] #", f"[guard]\n{guard}\n#"))
    return file


def test_a_rehearsal_goes_from_park_to_park_with_its_force_sensors_tared(tmp_path):
    facility, out = biased(tmp_path), tmp_path / "run"
    run = api.rehearse(mission(0.2), facility, out=out)
    names = ["park", "move to start", "tare", "engage", "run", "stop", "retreat"]
    assert [state.name for state in run.procedure] == names
    assert {state.verdict for state in run.procedure} == {"passed"}
    ends = [state.start_s + state.lasts_s for state in run.procedure]
    assert ends[:-1] == pytest.approx([state.start_s for state in run.procedure[1:]], abs=1e-9)
    assert run.procedure[4].start_s == 0.0
    assert api.open(out).procedure == run.procedure
    assert [item["name"] for item in run.summary()["procedure"]] == names
    assert np.abs(run["lab.measured_wrench"][1]).max() < 1e-12
    lab = load_facility(facility)
    untared = lab.facility.model_copy(update={"procedure": Procedure(tare_s=0.0)})
    raw = on_facility(mission(0.2), replace(lab, facility=untared), "relative").run()
    # the flange has the grapple frame's axes; the target has not moved yet
    R_TG = rotation_of(mission(0.2).mission.target.grapple.q_TG)
    assert raw["lab.measured_wrench"][1][-1, :3] == pytest.approx(R_TG @ BIAS)


def test_a_rehearsal_that_ends_with_a_hold_closed_is_put_away_by_hand():
    hold = {"arm": "main", "p_TB_m": [-2.9, 0.0, 0.0], "reach_m": 5.0, "damping_N_s_m": [1.0] * 3}
    for until, verdict in ((None, "by hand: hold grip is closed"), (0.02, "passed")):
        closed = mission(0.05).replace({"holds.grip": {**hold, "until_s": until}})
        *_, retreat = api.rehearse(closed).procedure
        assert (retreat.name, retreat.verdict) == ("retreat", verdict)


def test_a_chaser_without_an_arm_is_put_away_after_its_run():
    changes = {
        "time.duration_s": 0.2,
        "time.phases": {"swings": {"until_s": 0.2, "step_s": 0.001}},
        "requirements": {},
    }
    run = api.rehearse(load("contact-rig").replace(changes))
    assert run.outcome == "passed"
    names = [state.name for state in run.procedure]
    assert names[names.index("run") :] == ["run", "stop", "retreat"]
    assert run.procedure[names.index("run")].verdict == "passed"


def test_an_emergency_stop_before_the_run_ends_the_rehearsal_before_it_begins(tmp_path):
    facility = biased(tmp_path, "emergency_stop_at_s = -4.0")
    with pytest.raises(StoppedError, match=r"move to start: emergency stop; .* before the run"):
        api.rehearse(mission(0.2), facility)
