"""A capture in which something fails ends on the facility as it ends in orbit."""

import numpy as np
import pytest

import proxops
from proxops.assembly.facility import load_facility
from proxops.rehearsal import on_facility
from tests.scenarios.capture_cases import NO_COLLISION

# One process rehearses for all
pytestmark = [pytest.mark.xdist_group("capture-rehearsed-faults"), pytest.mark.slow]

MODES = ("synchronise", "approach", "grasp", "rigidise", "abort")


def is_stuck(run):
    """The finger stays where it was, but for the give of its brake; the other closes."""
    t, left = run["chaser.arms.left.q"]
    right = run["chaser.arms.right.q"][1]
    stuck = (t > 33.2) & (t < 38.0)
    return np.ptp(left[stuck]) < 1e-3 < 10e-3 < np.ptp(right[stuck])


def is_dead(run):
    """It burns before, and others burn on."""
    number = list(proxops.load("envisat-capture").mission.chaser.thrusters).index("mmm_x")
    t, thrusts = run["chaser.thrusters.thrust"]
    after = t > 30.1  # valves close in 3 ms
    mine = thrusts[:, number]
    return not mine[after].any() and mine[~after].any() and thrusts[after].any()


CASES = {
    # the other finger pushes the ring alone, and the base with it out of its corridor
    "stuck finger": (
        {"kind": "stuck-joint", "arm": "left", "joint": "slide", "from_s": 33.0},
        "joint left.slide is stuck",
        "abort",
        is_stuck,
    ),
    "dead thruster": (
        {"kind": "dead-thruster", "thruster": "mmm_x", "from_s": 30.0},
        "thruster mmm_x is dead",
        "rigidise",
        is_dead,
    ),
}


@pytest.fixture(scope="module", params=CASES)
def case(request):
    """The fault, and the mission with it in orbit and on the facility."""
    fault, told, ending, _ = CASES[request.param]
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


@pytest.mark.parametrize("where", [3, 4], ids=["orbit", "facility"])
def test_hardware_that_has_failed_does_what_it_does_no_more(case, where, request):
    *_, has_failed = CASES[request.node.callspec.params["case"]]
    assert has_failed(case[where])


def test_limits_are_kept_on_the_facility(case):
    _, _, ending, _, rehearsed = case
    assert rehearsed.ledger.closed
    statuses = {item.name: item.status for item in rehearsed.requirements}
    assert {name for name in statuses if statuses[name] == "passed"} >= set(NO_COLLISION)
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
        assert events["abort"]["detail"] == ("obsw.capture: base outside its corridor")
