"""Missions with paces on a facility, whose robots move at one step."""

import proxops

PACED = {
    "time.duration_s": 1.0,
    "time.phases": None,
    "time.control_rate_hz": 200.0,
    "time.paces": {
        "free": {"step_s": 0.005},
        "touch": {"contact": True, "step_s": 0.001, "record_rate_hz": 100.0},
    },
    "time.ends_on": "touch-down",
    "requirements": None,
}
STEADY = {"phases": {"only": {"until_s": 1.0, "step_s": 0.001}}, "record_rate_hz": 100.0}


def test_a_rehearsal_takes_the_shortest_step_of_all_paces_from_begin_to_end():
    scenario = proxops.load("contact-bounce").replace(PACED)
    time = {"duration_s": 1.0, "control_rate_hz": 200.0} | STEADY
    steady = scenario.replace({"time": time})
    paced = proxops.rehearse(scenario, "ideal")
    assert paced.rows[-1, 0] == 1.0
    assert paced.hash == proxops.rehearse(steady, "ideal").hash
    assert "sim.pace" not in paced
    answers = [proxops.check(each, facility="oos-sim").feasible for each in (scenario, steady)]
    assert answers[0] == answers[1]
