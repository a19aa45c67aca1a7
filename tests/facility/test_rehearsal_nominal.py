"""Rehearsals relative to one motion or another, and replays."""

import json
from functools import cache

import numpy as np
import pytest

import proxops
from proxops.assembly.facility import load_facility
from proxops.assembly.nominal import COLUMNS, load_nominal
from proxops.rehearsal import on_facility
from proxops.scenario.shipped import shipped_facilities
from tests.facility.test_rehearsal import mission

STEP = 0.001  # [s]
SHOWN = ("relative.p_CT", "relative.p_GE", "relative.q_CT", "chaser.p_HC", "target.p_HT")


def course():
    """A motion of nobody: 5 m off it turns at -0.8 deg/s about y and speeds up by 20 mm/s2."""
    rows = []
    for t in np.linspace(0.0, 1.2, 25):
        w = np.radians(-0.8)
        turn = [np.cos(0.5 * w * t), 0.0, np.sin(0.5 * w * t), 0.0]
        rows.append([t, 5.0, 0.01 * t * t, 0.0, *turn, 0.0, 0.02 * t, 0.0, 0.0, w, 0.0])
    lines = (",".join(f"{x:.17g}" for x in row) for row in rows)
    return {"name": "course.csv", "text": "\n".join([",".join(COLUMNS), *lines])}


@cache
def relative_to(name, step=STEP):
    choice = load_nominal(course() if name == "data" else name)
    return on_facility(mission(step), load_facility("ideal"), "relative", choice).run()


@pytest.mark.parametrize("name", ["constant-rate", "data"])
def test_an_ideal_rehearsal_does_not_depend_on_the_nominal_motion(name):
    """Through contact.  What is left is that the arm's ground torque (22), which M enters, is
    extrapolated to the middle of a step: second order, 5e-10 m here where M moves the lab by 63 mm.
    Held over the step it would leave 2e-7 m, first order."""

    def apart(step):
        ours, theirs = relative_to("unforced", step), relative_to(name, step)
        return max(np.abs(theirs[signal][1] - ours[signal][1]).max() for signal in SHOWN)

    ours, theirs = relative_to("unforced"), relative_to(name)
    assert np.abs(ours["contacts.tip.f"][1]).max() > 10.0
    assert apart(STEP) < 6e-10
    assert apart(2.0 * STEP) / apart(STEP) == pytest.approx(4.0, abs=0.1)
    moved = np.linalg.norm(theirs["lab.p_LCl"][1] - ours["lab.p_LCl"][1], axis=1)
    assert moved[0] < 1e-12
    assert moved[-1] > (0.06 if name == "data" else 1e-5)


def test_what_is_recorded_of_the_nominal_motion_is_what_was_given():
    t, p = relative_to("data")["nominal.p_HN"]
    # the frame that is the target's at the start, 5 m off the one in the file, turns with it
    turn = np.radians(-0.8) * t
    back = -5.0 * np.stack([np.cos(turn), 0.0 * t, -np.sin(turn)], axis=1)
    given = np.stack([5.0 + 0.0 * t, 0.01 * t * t, 0.0 * t], axis=1)
    np.testing.assert_allclose(p, given + back, atol=1e-9)


def test_a_rehearsal_is_replayed_from_its_provenance_alone(tmp_path):
    text = shipped_facilities()["oos-sim"].read_text("utf-8")
    file = tmp_path / "own-lab.toml"
    file.write_text(text.replace("bandwidth_hz = 10.0", "bandwidth_hz = 12.5"))
    mass = {"key": "target.mass_kg", "scale": 0.1}
    scenario = mission(STEP).replace({"dispersions.mass": mass})
    ours = proxops.rehearse(scenario.dispersed(5), file, nominal=course())
    file.unlink()
    made = json.loads(json.dumps(dict(ours.provenance)))
    again = proxops.rehearse(
        proxops.Scenario.from_dict(made["scenario"]),
        made["facility"],
        representation=made["representation"],
        nominal=made["nominal"],
        no_contact=made["no_contact"],
        speed=made["speed"],
    )
    assert again.hash == ours.hash
    assert again.provenance == ours.provenance
    assert again.fidelity == ours.fidelity
    assert ours.title == "touch, case 5 on own-lab, relative to course.csv"
    shipped = proxops.rehearse(scenario.dispersed(5), nominal=course())
    assert shipped.hash != ours.hash
