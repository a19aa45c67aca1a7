"""Missions whose steps follow distance and contact."""

from pathlib import Path

import numpy as np
import pytest

import proxops

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"
FLYBY = {  # two hubs without contact; the chaser passes the target at 5 m
    "time": {
        "duration_s": 120.0,
        "control_rate_hz": 1.0,
        "record_rate_hz": 1.0,
        "paces": {
            "far": {"step_s": 1.0},
            "near": {"within_m": 50.0, "leaves_m": 60.0, "step_s": 0.1, "record_rate_hz": 10.0},
        },
    },
    "contacts": None,
    "requirements": None,
    "chaser.p_HC_m": [5.0, 0.0, -101.0],
    "chaser.v_HC_m_s": [0.0, 0.0, 3.0],
}
BOUNCE = {  # a ball onto a plate at 0.4 s, off it at 0.85 s
    "time.phases": None,
    "time.control_rate_hz": 200.0,
    "time.paces": {
        "free": {"step_s": 0.005},
        "touch": {"contact": True, "step_s": 0.001, "lingers_s": 0.1, "record_rate_hz": 1000.0},
    },
}


def changed(run):
    """When the pace changed, to which."""
    return [(each.t_s, each.detail.split()[0]) for each in run.events if each.name == "pace"]


def distances(run):
    return np.linalg.norm(run["relative.p_CT"][1], axis=1)


@pytest.fixture(scope="module")
def out_and_back():
    """The example's mission."""
    return proxops.load(EXAMPLES / "out_and_back.toml", extensions=[EXAMPLES / "out_and_back.py"])


@pytest.fixture(scope="module")
def flown(out_and_back):
    return proxops.simulate(out_and_back)


def test_a_python_guidance_above_compiled_tracking_goes_from_200_m_to_2_m_and_back_without_chatter(
    out_and_back, flown
):
    assert flown.outcome == "passed"
    assert [name for _, name in changed(flown)] == ["near", "close", "near", "far"]
    modes = ["waiting", "closing", "holding", "retreating", "returned"]
    assert [each.name for each in flown.events if "guidance" in each.detail] == modes
    t, number = flown["sim.pace"]
    names, d = list(out_and_back.mission.time.paces), distances(flown)
    in_force = np.array(names)[number.astype(int)]
    assert (d[in_force == "far"] > 50.0).all()
    assert (d[in_force == "close"] < 5.5).all()
    close = t[in_force == "close"]
    np.testing.assert_allclose(np.diff(close), 0.1, atol=1e-9)  # its own record rate
    assert [phase.name for phase in flown.phases] == ["mission"]
    # The guidance has its turn once a second: between, its set point stays, whatever the pace
    _, place = flown["obsw.guidance.p_ref"]
    moved = np.flatnonzero(np.diff(place[:, 1]) != 0.0) + 1
    assert np.all(t[moved] == np.round(t[moved]))


def test_the_shortest_step_all_the_time_makes_the_same_events_and_places(out_and_back, flown):
    # Forces are constant between cycles of the software, so that steps of any length see the same;
    # what is left is rounding, which the loop gain carries into forces.
    steps = {f"time.paces.{name}.step_s": 0.01 for name in out_and_back.mission.time.paces}
    finest = proxops.simulate(out_and_back.replace(steps))
    assert [each.name for each in flown.events] == [each.name for each in finest.events]
    assert [name for _, name in changed(flown)] == [name for _, name in changed(finest)]
    common, i, j = np.intersect1d(
        np.round(1e9 * flown.rows[:, 0]), np.round(1e9 * finest.rows[:, 0]), return_indices=True
    )
    assert len(common) > 0.99 * len(flown.rows)
    for name in ("chaser.p_HC", "target.p_HT", "relative.p_CT"):
        assert np.abs(flown[name][1][i] - finest[name][1][j]).max() < 1e-6


def test_a_pace_is_in_force_before_its_distance_is_reached():
    # At 3 m/s and a look a second, the first look below 50 m would come up to 3 m too late.
    run = proxops.simulate(proxops.load("contact-bounce").replace(FLYBY))
    (begins, first), (ends, second) = changed(run)
    assert (first, second) == ("near", "far")
    t, d = run.rows[:, 0], distances(run)
    assert 50.0 < d[t == begins] <= 53.0
    assert d[t == ends] > 60.0
    inside = t[(t >= begins) & (t < ends)]
    np.testing.assert_allclose(np.diff(inside), 0.1, atol=1e-9)
    assert run.ledger.closed
    assert t[-1] == 120.0


def test_one_pace_makes_the_same_bits_as_one_phase():
    phased = proxops.load("contact-bounce")
    step = {"time.phases": None, "time.paces": {"all": {"step_s": 0.001}}}
    run, other = proxops.simulate(phased), proxops.simulate(phased.replace(step))
    for signal in run.signals():
        np.testing.assert_array_equal(run[signal][1], other[signal.name][1])
    assert other["sim.pace"][1].tolist() == [0.0] * len(other.rows)
    assert "sim.pace" not in run


def test_a_pace_of_contact_goes_from_touch_down_until_it_has_lingered():
    run = proxops.simulate(proxops.load("contact-bounce").replace(BOUNCE))
    events = {each.name: each.t_s for each in run.events if each.name != "pace"}
    (begins, first), (ends, second) = changed(run)
    assert (first, second) == ("touch", "free")
    assert 0.0 <= begins - events["touch-down"] <= 0.005  # one look
    assert 0.1 <= ends - events["separation"] <= 0.11  # two
    t, number = run["sim.pace"]
    touching = (t >= begins) & (t < ends)
    assert (number == touching).all()
    np.testing.assert_allclose(np.diff(t[touching]), 0.001, atol=1e-9)
    fine = proxops.simulate(proxops.load("contact-bounce"))
    _, i, j = np.intersect1d(np.round(1e9 * t), np.round(1e9 * fine.rows[:, 0]), False, True)
    assert np.abs(run["chaser.p_HC"][1][i] - fine["chaser.p_HC"][1][j]).max() < 1e-9


def test_a_coarse_step_in_contact_is_rejected_unless_a_pace_of_contact_is_there():
    slow = BOUNCE | {"time.control_rate_hz": 1.0, "time.record_rate_hz": 1.0}
    stiff = {
        "contacts.probe.normal.stiffness_N_m": 1e13,
        "contacts.probe.normal.damping_N_s_m": 0.0,
    }
    free = {"time.paces": {"free": {"step_s": 1.0}}}
    scenario = proxops.load("contact-bounce").replace(slow | stiff | free)
    with pytest.raises(proxops.InputError, match="or give a pace with contact = true"):
        proxops.simulate(scenario)


@pytest.mark.parametrize("changes", [FLYBY, BOUNCE, BOUNCE | {"time.ends_on": "lift-off"}])
def test_a_paced_run_is_the_same_however_it_is_cut_into_calls(changes, monkeypatch):
    scenario = proxops.load("contact-bounce").replace(changes)
    run = proxops.simulate(scenario)
    monkeypatch.setattr("proxops.sim.spans.STEPS_PER_CALL", 7)
    again = proxops.simulate(scenario)
    assert (again.hash, again.events) == (run.hash, run.events)


def test_brakes_are_set_at_the_same_instant_however_a_run_is_cut_into_calls(monkeypatch):
    """At the first instant at which steps of all paces end; arms move at 400 steps a second."""
    endless = {"time.ends_on": None, "time.ends_after_s": 0.0}
    brief = {"time.duration_s": 1.0, "requirements": None, "dispersions": None}
    scenario = proxops.load("servicing-day").replace(endless | brief)
    run = proxops.simulate(scenario)
    (brakes,) = (each for each in run.events if each.name == "brakes-set")
    assert brakes.t_s == 0.05
    monkeypatch.setattr("proxops.sim.spans.STEPS_PER_CALL", 7)
    again = proxops.simulate(scenario)
    assert (again.hash, again.events) == (run.hash, run.events)


@pytest.mark.parametrize("changes", [{}, BOUNCE])
def test_an_event_ends_the_mission_after_its_delay(changes):
    ending = {"time.ends_on": "lift-off", "time.ends_after_s": 0.25}
    scenario = proxops.load("contact-bounce").replace(changes | ending)
    common = scenario.mission.time.common_step_ns / 1e9
    run = proxops.simulate(scenario)
    lifted = next(each for each in run.events if each.name == "lift-off")
    end = run.events[-1]
    assert end.name == "end"
    assert end.detail == f"on lift-off at {lifted.t_s:.6g} s (contacts.probe pad 0)"
    assert 0.0 <= end.t_s - (lifted.t_s + 0.25) < common
    assert run.rows[-1, 0] == end.t_s == run.phases[-1].end_s
    assert (np.diff(run.rows[:, 0]) > 0.0).all()
    assert run.ledger.closed


def test_requirements_are_judged_on_what_was_flown():
    demand = {"signal": "contacts.probe.f_n", "measure": "max", "component": 0, "unit": "N"}
    wanted = {
        "all_of_it": demand | {"comparison": "<=", "limit": 40.0},
        "early": demand | {"comparison": "<=", "limit": 40.0, "to_s": 0.5},
        "late": demand | {"comparison": "<=", "limit": 40.0, "to_s": 2.0},
        "later": demand | {"comparison": "<=", "limit": 40.0, "from_s": 2.0},
        "late_and_broken": demand | {"comparison": "<=", "limit": 1.0, "to_s": 2.0},
    }
    scenario = proxops.load("contact-bounce").replace({"requirements": wanted})
    run = proxops.simulate(scenario.replace({"time.ends_on": "lift-off"}))
    status = {item.name: item.status for item in run.requirements}
    assert status == {
        "all_of_it": "passed",
        "early": "passed",
        "late": "not-reached",
        "later": "not-reached",
        "late_and_broken": "failed",
    }
    assert run.outcome == "failed"
    only = scenario.replace({"requirements": {"all_of_it": wanted["all_of_it"]}})
    assert proxops.simulate(only.replace({"time.ends_on": "lift-off"})).outcome == "passed"


def test_a_mission_whose_ending_event_does_not_come_ends_with_its_duration():
    scenario = proxops.load("contact-bounce").replace({"time.ends_on": "hold-closes"})
    run = proxops.simulate(scenario)
    assert run.outcome == "passed"
    assert (run.events[-1].t_s, run.events[-1].name) == (4.0, "end")
    assert run.events[-1].detail == "at duration_s, without hold-closes"


def test_an_event_that_is_known_only_afterwards_cannot_end_a_mission():
    scenario = proxops.load("contact-bounce").replace({"time.ends_on": "warning"})
    with pytest.raises(proxops.InputError, match=r"time\.ends_on: unknown 'warning'; there are:"):
        proxops.simulate(scenario)


def test_a_paced_run_that_an_event_ended_is_stored_and_read_back(tmp_path):
    scenario = proxops.load("contact-bounce").replace(BOUNCE | {"time.ends_on": "separation"})
    run = proxops.simulate(scenario, out=tmp_path / "run")
    again = proxops.open(tmp_path / "run")
    assert again.hash == run.hash
    assert again.summary() == run.summary()
    run.report(tmp_path / "run.html")


@pytest.mark.parametrize("tolerance", [1e-7, 1e-9])
def test_burns_that_end_within_a_step_move_the_chaser_alike_at_every_pace(tolerance, monkeypatch):
    """Closed loop: control, pulses of some ten milliseconds and convex guidance, wherever its
    solver stops.  Steps of 0.2 s that knew the impulse of a pulse alone, not its instant, led 1 mm
    astray in 200 s."""
    monkeypatch.setattr("proxops.onboard.functions.guidance.cone_programme.TOLERANCE", tolerance)
    legs = {
        "wait": {"does": "rest", "settle_s": 20.0, "next": "go"},
        "go": {"does": "fly-to", "p_H_m": [0.0, -200.0, 0.0], "duration_s": 900.0},
    }
    short = {"time.duration_s": 200.0, "requirements": None, "dispersions": None}
    short |= {"chaser.p_HC_m": [0.0, -250.0, 0.0], "obsw.plan": {"legs": legs}}
    given = proxops.load("approach-1km").replace(short)
    far, fine = (
        proxops.simulate(given.replace({"time.paces.far.step_s": step})) for step in (0.2, 0.1)
    )
    assert far["chaser.delta_v"][1][-1] > 0.01  # it burns
    # Until the second plan both agree to 4e-13 m.  Then the solver, given data 1e-13 apart,
    # returns plans of equal cost (to 2e-14) whose thrust differs by 1e-7 of its limit: 1.4e-6 m was
    # seen.  With refined steps it would be 1e-10 m, for 2.5 times the time of a solve.
    np.testing.assert_allclose(far["chaser.p_HC"][1], fine["chaser.p_HC"][1], rtol=0, atol=1e-5)
    np.testing.assert_allclose(far["chaser.q_NC"][1], fine["chaser.q_NC"][1], rtol=0, atol=1e-8)
    assert far.ledger.closed
