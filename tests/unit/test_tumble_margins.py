"""What `check` tells of the target's tumble: the very bounds of on-board software."""

from types import SimpleNamespace

import numpy as np
import pytest

import proxops
from proxops.assembly.capture import capture_of
from proxops.core.frame import Frame, quaternion_of
from proxops.feasibility.tumble import begin_of, forecast, greatest_rate, not_begun, tumble_margins
from proxops.results.run import Event

AT = 2.0  # [s]
STEP = 0.01


class Recorded(dict):
    """Three rows of a run, as far as they are looked at."""

    def __init__(self, w_deg_s: list[float], slip: float, events: tuple[Event, ...] = ()) -> None:
        """At rest in T at the waiting place but for a velocity along z [m/s]."""
        w, t = np.radians(w_deg_s), AT + STEP * np.arange(-1, 3)
        p_TC = np.array([-5.01575, 0.0, -0.06488])
        turned = [Frame(np.eye(3), p_TC + np.array([0.0, 0.0, slip * (each - AT)])) for each in t]
        inverse = [X.inverse() for X in turned]
        super().__init__({
            "obsw.storage": (t, np.array([0.0, 0.1, 0.1, 0.1])),
            "relative.p_CT": (t, np.array([X.p for X in inverse])),
            "relative.q_CT": (t, np.array([quaternion_of(X.R) for X in inverse])),
            "chaser.w_NC_C": (t, np.tile(w, (4, 1))),
            "target.w_NT_T": (t, np.tile(w, (4, 1))),
            "chaser.arms.main.q": (t, np.zeros((4, 7))),
            "chaser.arms.left.q": (t, np.zeros(4)),
            "chaser.arms.right.q": (t, np.zeros(4)),
            "chaser.arms.main.qd": (t, np.ones((4, 7))),
        })  # fmt: skip
        self.events = events


@pytest.fixture(scope="module")
def scenario():
    return proxops.load("envisat-capture")


def test_a_tumble_that_can_be_followed_has_margins_and_a_greatest_rate(scenario) -> None:
    force, in_time, clear, rate = tumble_margins(Recorded([0.0, -2.5, 0.0], 0.0), scenario)
    assert [row.unit for row in (force, in_time, clear, rate)] == ["N", "s", "m", "rad/s"]
    assert all(row.margin > 0.0 for row in (force, in_time, clear, rate))
    assert force.margin == pytest.approx(1.0 - force.value / force.bound)
    assert in_time.value == pytest.approx(AT + STEP, abs=STEP)  # it is synchronous already
    assert np.degrees(rate.value) == pytest.approx(2.5)
    # m (w² r + r̈) with r̈ = 0.012 m/s2, 1248 kg, 5.4 m and some 39 N: 3.2 to 3.6 deg/s
    assert 3.0 < np.degrees(rate.bound) < 3.7
    assert not_begun((force, in_time, clear, rate)) is None


def test_at_the_greatest_rate_following_takes_what_there_is(scenario) -> None:
    params = capture_of(scenario, scenario.mission.obsw.capture)
    begin = begin_of(Recorded([1.0, -2.0, 1.0], 0.0), params)
    factor = greatest_rate(params, begin) / np.linalg.norm(begin.relative.w_T)
    found = forecast(params, begin.scaled(factor))
    assert found.force == pytest.approx(found.max_force, rel=1e-3)
    beyond = forecast(params, begin.scaled(1.01 * factor))
    assert beyond.force > beyond.max_force


def test_software_that_does_not_begin_is_told_with_bound_value_and_limit(scenario) -> None:
    rows = tumble_margins(Recorded([0.0, -5.0, 0.0], 0.0), scenario)
    assert rows[0].margin < 0.0
    told = not_begun(rows)
    assert f"faster than the base can follow, {rows[0].value:.1f} N, limit" in told
    late = tumble_margins(Recorded([0.0, -1.0, 0.0], 0.4), scenario)
    assert "cannot match the target's motion in time" in not_begun(late)


def test_a_velocity_against_the_target_is_read_from_the_recorded_rows(scenario) -> None:
    """drift = ṗ_CT + w_C × p_CT, in C."""
    params = capture_of(scenario, scenario.mission.obsw.capture)
    begin = begin_of(Recorded([0.0, -2.5, 0.0], 0.3), params)
    w = np.radians([0.0, -2.5, 0.0])
    expected = np.array([0.0, 0.0, -0.3]) + np.cross(w, begin.relative.X_CT[1])
    assert begin.relative.drift == pytest.approx(tuple(expected), abs=1e-9)
    assert begin.t == AT


def test_what_captures_nothing_has_no_tumble_to_follow() -> None:
    run = SimpleNamespace(events=())
    assert tumble_margins(run, proxops.load("touch")) == ()
