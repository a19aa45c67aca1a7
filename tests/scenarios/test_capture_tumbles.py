"""Tumbles beyond what the capture can follow: it does not begin, says why and stays clear."""

import numpy as np
import pytest

import proxops
from proxops.results.run import Event, Run

pytestmark = pytest.mark.slow

# Reasons as on-board software gives them
FASTER = "target tumbles faster than the base can follow"
NOT_IN_TIME = "base cannot match the target's motion in time"


def flown(w_deg_s: list[float]) -> Run:
    scenario = proxops.load("envisat-capture").replace(
        {"target.w_NT_T_deg_s": w_deg_s, "requirements": {}}
    )
    return proxops.simulate(scenario)


def abort_of(run: Run) -> Event:
    return next(event for event in run.events if event.name == "abort")


@pytest.mark.parametrize(
    ("w_deg_s", "reason"),
    [
        pytest.param([2.8, 2.9, 2.9], FASTER, id="5 deg/s about an oblique axis"),
        pytest.param([2.5, 1.1, 5.0], FASTER, id="5.7 deg/s, which met the chaser at 5.7 s"),
        pytest.param([0.0, 2.5, 0.0], NOT_IN_TIME, id="reversed"),
        pytest.param([-1.5, 2.9, 0.4], NOT_IN_TIME, id="reversed and oblique, met it at 6.7 s"),
    ],
)
def test_a_tumble_that_cannot_be_followed_is_left_before_it_is_approached(
    w_deg_s: list[float], reason: str
) -> None:
    run = flown(w_deg_s)
    abort = abort_of(run)
    assert abort.t_s < 3.0  # as soon as the target is known
    assert reason in abort.detail
    assert run.ledger.closed
    t, clearance = run["relative.clearance"]
    assert clearance.min() > 0.3
    # it moves out all the time: 0.5 m/s and what it had across
    distance = np.linalg.norm(run["relative.p_CT"][1], axis=1)
    assert (np.diff(distance[t > abort.t_s + 8.0]) > 0.0).all()
    assert clearance[-1] > 5.0
    assert np.linalg.norm(run["chaser.w_NC_C"][1][-1]) < np.radians(0.05)


def test_the_bound_is_told_with_its_value_and_its_limit() -> None:
    """m w² r at the waiting place: 1248 kg, 5.45 m, 5 deg/s about y make 52 N, and coming near
    15 N more; four thrusters of 10 N less a tenth make 36 N, more where two axes share."""
    run = flown([0.0, -5.0, 0.0])
    text = abort_of(run).detail.removeprefix("obsw.capture: " + FASTER + ", ")
    value, unit, word, limit, _ = text.split()
    assert (unit, word) == ("N,", "limit")
    assert 52.0 < float(value) < 70.0
    assert 36.0 <= float(limit) < 45.0


def test_a_tumble_about_another_axis_that_can_be_followed_is_captured() -> None:
    """2.8 deg/s of which 1.2 deg/s are about the line of approach."""
    run = flown([1.17, -2.58, -0.09])
    assert not any(event.name == "abort" for event in run.events)
    assert any(event.name == "hold-closes" for event in run.events)
    assert run["relative.clearance"][1].min() > 0.05
