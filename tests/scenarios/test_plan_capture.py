"""The capture as legs of a plan: in one, as it is without a plan; in several, with a wait."""

import numpy as np
import pytest

import proxops
from tests.scenarios.flown import flown as shipped
from tests.scenarios.flown import group

pytestmark = [group("envisat-capture"), pytest.mark.slow]

AWAY = {"does": "run", "runs": ["capture"]}  # its own retreat goes on
WHOLE = {"take": {"does": "detumble"}, "away": AWAY}
WAIT = 5.0  # [s] at the waiting place, as for an operator's go
STAGES = {
    "follow": {"does": "synchronise", "settle_s": WAIT, "next": "come"},
    "come": {"does": "reach", "next": "close"},
    "close": {"does": "grip", "next": "calm"},
    "calm": {"does": "detumble"},
    "away": AWAY,
}


@pytest.fixture(scope="module")
def alone():
    return shipped("envisat-capture")


def flown(legs, **changes):
    plan = {"on_abort": "away", "legs": legs}
    changes |= {"obsw.plan": plan, "requirements": None, "dispersions": None}
    return proxops.simulate(proxops.load("envisat-capture").replace(changes))


def modes(run):
    """When each mode of the capture began [s]."""
    names = ("synchronise", "approach", "grasp", "rigidise", "abort")
    return {event.name: event.t_s for event in run.events if event.name in names}


def test_a_capture_in_one_leg_is_the_capture_without_a_plan(alone):
    run = flown(WHOLE)
    assert modes(run) == modes(alone)
    for signal in alone.signals():
        np.testing.assert_array_equal(run[signal.name][1], alone[signal.name][1], signal.name)
    assert [phase.name for phase in run.phases] == ["take"]


def test_a_capture_in_legs_waits_where_its_plan_says_so(alone):
    run = flown(STAGES)
    before, after = modes(alone), modes(run)
    assert after["approach"] - before["approach"] == pytest.approx(WAIT, abs=0.01)
    assert list(after) == ["synchronise", "approach", "grasp", "rigidise"]
    assert [phase.name for phase in run.phases] == ["follow", "come", "close", "calm"]
    assert run.ledger.closed


def test_a_capture_that_aborts_leaves_its_leg_by_the_way_out():
    """Commands come too late while it approaches."""
    late = {"kind": "late-commands", "delay_s": 0.2, "from_s": 28.0, "until_s": 33.0}
    run = flown(STAGES, faults={"bus": late})
    left = next(event for event in run.events if event.name == "away")
    assert "come aborted: capture.mode 4, limit >= 4" in left.detail
    assert left.t_s == pytest.approx(modes(run)["abort"], abs=0.01)


def test_legs_of_a_capture_need_one_on_board():
    with pytest.raises(proxops.ProxopsError, match=r"add \[obsw.capture\]"):
        proxops.load("approach-1km").replace(
            {
                "requirements": None,
                "obsw.plan": {
                    "on_abort": "away",
                    "legs": {"take": {"does": "grip"}, "away": {"does": "rest"}},
                },
            }
        )
