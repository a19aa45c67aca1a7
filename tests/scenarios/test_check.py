"""`proxops check` as a user meets it, and a mission that is flown to be shown."""

import json
import shlex

import numpy as np
import pytest

import proxops
from proxops.assembly.describe import describe
from proxops.facility.robot_cell.arms import links_of
from proxops.plant.build import whole_hub
from tests.scenarios.test_cli import proxops_command

SPIN = np.radians(2.5)  # [rad/s]
TUMBLING = {
    "target.w_NT_T_deg_s": [0.0, -2.5, 0.0],
    "chaser.w_NC_C_deg_s": [0.0, -2.5, 0.0],
    "chaser.v_HC_m_s": [0.0, 0.0, -5.0 * float(SPIN)],
    "time.duration_s": 60.0,
    "time.phases.drift.until_s": 60.0,
}


@pytest.fixture(scope="module")
def synchronous(tmp_path_factory):
    """A minute in which thrust keeps the servicer before the ring of the tumbling target: as one
    body about its own centre and the target's, F = m w × (w × r), t = c × m a + w × I w."""
    scenario = proxops.load("envisat-unforced")
    chaser, _, _ = describe(scenario)
    body = whole_hub(chaser)
    for link in links_of(chaser.arms)[1:]:  # the root is on the hub already
        body = body.joined(link)
    w = np.array([0.0, -SPIN, 0.0])
    a = np.cross(w, np.cross(w, [-5.0, 0.0, 0.0]))
    force = body.mass * (a + np.cross(w, np.cross(w, body.com)))
    torque = np.cross(body.com, body.mass * a) + np.cross(w, body.inertia @ w)
    row = ",".join(f"{x:.17g}" for x in (*force, *torque))
    file = tmp_path_factory.mktemp("thrust") / "thrust.csv"
    header = "t_s,fx_N,fy_N,fz_N,tx_N_m,ty_N_m,tz_N_m"
    file.write_text(f"{header}\n0,{row}\n60,{row}\n")
    return proxops.simulate(scenario.replace(TUMBLING | {"chaser.wrench": {"file": str(file)}}))


def test_a_servicer_that_stays_with_its_target_is_shown_relative_for_a_minute(synchronous):
    found = proxops.check(synchronous, facility="oos-sim")
    assert found.feasible
    assert found.asked.lasts == 60.0
    absolute = found.answers[1]
    assert absolute.representation == "absolute"
    assert absolute.lasts == pytest.approx(14.0, abs=2.0)
    assert absolute.limit.name == "reach, arm stretched"
    assert absolute.by_guard.t == pytest.approx(absolute.lasts, abs=0.2)
    assert "axis 3 of the target's robot" in absolute.by_guard.name


def test_what_is_not_feasible_exits_1_with_the_limit_in_json(tmp_path):
    changes = [word for key, value in TUMBLING.items() for word in ("--set", f"{key}={value}")]
    words = ("check", "envisat-unforced", "--facility", "oos-sim", "--representation", "absolute")
    done = proxops_command(*words, *changes, "--json", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    told = json.loads(done.stdout)
    assert (told["feasible"], told["representation"]) == (False, "absolute")
    assert told["lasts_s"] == pytest.approx(14.0, abs=2.0)
    assert set(told["limit"]) == {"where", "name", "value", "bound", "unit", "margin", "t_s"}
    assert next(each["name"] for each in told["representations"]) == "absolute"
    asked = told["representations"][0]
    assert asked["by_robots"] == asked["limit"]
    assert set(asked["by_guard"]) == set(asked["clearance"]) == set(told["limit"])
    assert set(told["representations"][0]["robots"]) == {"target", "chaser"}
    assert told["placement"] is None
    dry_run = shlex.split(told["checklist"][-1].partition(": ")[2].partition(";")[0])
    assert dry_run[:3] == ["proxops", "rehearse", "envisat-unforced"]
    assert dry_run[-3:] == ["--no-contact", "--speed", "0.25"]
    assert [word for word in changes if word not in dry_run] == []  # the same mission


def test_what_is_feasible_exits_0_and_nothing_limits_the_ideal_facility(tmp_path):
    done = proxops_command("check", "envisat-unforced", "--facility", "ideal", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].endswith("FEASIBLE, the whole 15 s")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("envisat-unforced", "--facility", "oos-sin"), "oos-sim"),
        (("envisat-unforced", "--facility", "ideal", "--representation", "mine"), "target-fixed"),
        (("deorbit-boost", "--facility", "oos-sim"), "separation_rule"),
        (("fly-around", "--facility", "oos-sim"), "flange_sensor.rate_hz 1000 Hz"),
    ],
)
def test_bad_input_exits_2_and_says_what_was_possible(words, told, tmp_path):
    done = proxops_command("check", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert "Traceback" not in done.stderr
