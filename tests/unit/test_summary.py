"""What a mission is before any run: numbers by hand, lines that fit a terminal."""

import numpy as np
import pytest

import proxops
from proxops.assembly.describe import describe
from proxops.assembly.start_poses import start_of
from proxops.core.frame import frame
from proxops.results.summary import sections, summary
from proxops.terminal.summary import show_summary


@pytest.fixture(scope="module")
def touch():
    return summary(proxops.load("touch-flexible"))


def texts(found, title):
    return next(dict(each.rows) for each in sections(found) if each.title == title)


def test_masses_are_those_of_hub_arms_and_appendages_together(touch):
    assert touch["chaser"]["mass_kg"] == pytest.approx(1200.0 + 18.7, rel=1e-12)
    assert touch["target"]["mass_kg"] == pytest.approx(7527.867 + 300.0, rel=1e-12)
    mission = proxops.load("touch-flexible").mission
    array = mission.target.appendages["array"]
    along = array.p_TB_m[0] + 0.5 * array.length_m  # its root frame is turned about x at most
    expected = 300.0 * along / 7827.867
    assert touch["target"]["centre_of_mass_m"][0] == pytest.approx(expected, rel=1e-9)


def test_modes_on_the_hub_are_faster_than_clamped_ones(touch):
    clamped, free = touch["target"]["appendages"]["array"]["clamped_hz"], touch["target"]["free_hz"]
    assert len(free) == len(clamped) == 4
    assert all(f > c for f, c in zip(free, clamped, strict=True))


def test_start_is_the_first_row_of_a_run():
    changes = {
        "time.duration_s": 0.01,
        "time.phases.touch.until_s": 0.01,
        "time.record_rate_hz": 100.0,
        "requirements": None,
    }
    scenario = proxops.load("touch").replace(changes)
    run, found = proxops.simulate(scenario), summary(scenario)["relative"]
    first = {name: run[name][1][0] for name in ("relative.clearance", "relative.p_GE")}
    # Distances of shapes are exact to 1e-7 m (docs/scenario.md)
    assert found["clearance_m"] == pytest.approx(first["relative.clearance"], abs=1e-7)
    distance = np.linalg.norm(first["relative.p_GE"])
    assert found["effector_to_grapple_m"] == pytest.approx(distance, abs=1e-9)
    grapple = scenario.mission.target.grapple
    X_CG = start_of(*describe(scenario)).X_CT @ frame(grapple.p_TG_m, grapple.q_TG)
    p_CE = X_CG.p + X_CG.R @ first["relative.p_GE"]
    assert found["effectors"]["main"]["p_CE_m"] == pytest.approx(p_CE, abs=1e-9)


def test_it_says_where_appendages_and_tips_point_and_whether_there_is_a_grapple_frame():
    found = summary(proxops.load("flexible-asymmetric"), checked=False)
    assert "along +x, bends along y;" in texts(found, "target")["appendage right"]
    assert "along -x, bends along y;" in texts(found, "target")["appendage left"]
    assert texts(found, "at the start")["grapple frame G"] == "not given: the target's hub"
    tip = texts(summary(proxops.load("berthing"), checked=False), "at the start")["tip of main"]
    assert "m in C, its z axis to -z; 0.5512 m from G" in tip


def test_sensors_say_why_they_do_not_see_the_target():
    scenario = proxops.load("approach-1km")
    seen = summary(scenario, checked=False)["sees"]
    assert seen["bearing_camera"]["sees"]
    assert seen["bearing_camera"]["range_m"] == pytest.approx(999.6)
    assert seen["camera"]["why"] == ["farther than 60 m"]
    half = np.sqrt(0.5)
    turned = scenario.replace({"chaser.q_NC": [half, 0.0, 0.0, half]})  # from +V-bar to +R-bar
    blind = summary(turned, checked=False)["sees"]["bearing_camera"]
    assert not blind["sees"]
    assert blind["off_axis_deg"] == pytest.approx(90.0, abs=0.1)  # it is beside Co
    assert blind["why"][0].endswith("deg off its axis, it sees 25 deg")


def test_an_axis_is_named_by_where_it_points_in_the_hill_frame():
    found = summary(proxops.load("approach-1km"), checked=False)
    assert texts(found, "chaser")["attitude"] == "+x to -R-bar, +z to -H-bar"
    assert texts(found, "orbit")["period"].startswith("6009.29 s")


def test_without_stages_nothing_is_warned_of():
    found = summary(proxops.load("free-tumble"), checked=False)
    assert not {"warnings", "problems"} & set(found)


def test_a_step_that_a_run_would_reject_is_a_problem():
    scenario = proxops.load("touch-flexible").replace(
        {"time.phases.touch.step_s": 0.001, "target.appendages.array.EI_N_m2": 1e12}
    )
    found = summary(scenario)
    assert any("time.phases.touch.step_s" in line for line in found["problems"])


@pytest.mark.parametrize("name", ["approach-1km", "touch-flexible"])
def test_lines_fit_eighty_columns(name, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    show_summary(summary(proxops.load(name), checked=False))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 30
    assert max(map(len, lines)) <= 80


def test_spacecraft_inside_each_other_are_warned_of():
    inside = proxops.load("touch").replace({"chaser.p_HC_m": [0.0, 0.0, 0.0]})
    (warning,) = (each for each in summary(inside)["warnings"] if "overlap" in each)
    assert warning.startswith("chaser.p_HC_m: shapes of both spacecraft overlap by ")
    pressed = summary(proxops.load("contact-rig"))
    assert pressed["relative"]["clearance_m"] < 0.0
    assert not any("overlap" in each for each in pressed["warnings"])
