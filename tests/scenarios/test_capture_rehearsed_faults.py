"""A capture in which something fails ends on the facility as it ends in orbit."""

import numpy as np
import pytest

import proxops
from proxops.rehearsal import on_facility
from proxops.scenario.facility import load_facility

MODES = ("synchronise", "approach", "grasp", "rigidise", "abort")
# What has to be kept however it ends
LIMITS = {
    "force_of_the_left_finger",
    "force_of_the_right_finger",
    "palm_stays_off",
    "bus_stays_off",
    "force_of_the_hold",
    "torque_of_the_arm",
}
CASES = {
    # a finger closes on the ring alone: after a while the other one opens again, and it leaves
    "stuck finger": (
        {"kind": "stuck-joint", "arm": "left", "joint": "slide", "from_s": 33.0},
        "joint left.slide is stuck",
        "abort",
    ),
    "dead thruster": (
        {"kind": "dead-thruster", "thruster": "mmm_x", "from_s": 30.0},
        "thruster mmm_x is dead",
        "rigidise",
    ),
}


@pytest.fixture(scope="module", params=CASES)
def case(request):
    """The fault, and the mission with it in orbit and on the facility."""
    fault, told, ending = CASES[request.param]
    scenario = proxops.load("envisat-capture").replace({"faults.odd": fault})
    rehearsal = on_facility(scenario, load_facility("oos-sim"), "relative").run()
    return fault["from_s"], told, ending, proxops.simulate(scenario), rehearsal


def modes(run):
    return [(event.name, event.t_s) for event in run.events if event.name in MODES]


def test_a_fault_ends_on_the_facility_as_in_orbit(case):
    _, _, ending, flown, rehearsed = case
    there, here = modes(flown), modes(rehearsed)
    assert [name for name, _ in here] == [name for name, _ in there]
    assert here[-1][0] == ending
    assert [t for _, t in here] == pytest.approx([t for _, t in there], abs=0.5)
    assert rehearsed.outcome == flown.outcome


def test_limits_are_kept_on_the_facility(case):
    _, _, ending, _, rehearsed = case
    assert rehearsed.ledger.closed
    statuses = {item.name: item.status for item in rehearsed.requirements}
    assert {name for name in statuses if statuses[name] == "passed"} >= LIMITS
    assert not any(event.name == "guard" for event in rehearsed.events)
    if ending == "abort":  # nothing touches or holds any more, and it has left
        assert np.linalg.norm(rehearsed["relative.p_GE"][1][-1]) > 1.0
        for name in ("contacts.left.f", "contacts.right.f", "contacts.palm.f", "holds.grip.f"):
            assert not rehearsed[name][1][-1].any()


def test_the_summary_names_the_fault_when_it_comes(case):
    begins, told, ending, _, rehearsed = case
    events = {event["name"]: event for event in rehearsed.summary()["events"]}
    assert events["fault-injected"]["t_s"] == pytest.approx(begins, abs=1e-3)
    assert events["fault-injected"]["detail"] == f"faults.odd: {told}"
    if ending == "abort":
        assert events["abort"]["detail"] == "obsw.capture: a mode took longer than it may"
