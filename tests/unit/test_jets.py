"""Thrusters that make up a wrench by pulses."""

import itertools

import numpy as np
import pytest

import proxops
from proxops.assembly.describe import describe_thrusters
from proxops.core.description import ThrusterDescription
from proxops.onboard.functions.allocation.thrusters import (
    at_rest,
    build,
    open_valves,
    plan_pulses,
    share_out,
)

PERIOD, STEP = 0.1, 0.001


def corners(min_pulse: float = 0.01) -> list[ThrusterDescription]:
    """Three thrusters of 10 N in each corner of a box, pushing inwards."""
    made = []
    for side in itertools.product((-1.0, 1.0), repeat=3):
        place = np.array([0.95, 0.8, 0.8]) * side
        for axis in range(3):
            push = -side[axis] * np.eye(3)[axis]
            made.append(ThrusterDescription("", place, push, 10.0, 0.0, 0.0, min_pulse))
    return made


def wrench_of(thrusters: list[ThrusterDescription], shares: np.ndarray) -> np.ndarray:
    forces = np.array([each.thrust * each.direction for each in thrusters])
    places = np.array([each.p_C for each in thrusters])
    return shares @ np.hstack([forces, np.cross(places, forces)])


@pytest.mark.parametrize("seed", range(5))
def test_shares_make_up_any_wrench_within_reach(seed: int) -> None:
    rng = np.random.default_rng(seed)
    thrusters = corners()
    jets = build(thrusters, PERIOD)
    state = at_rest(jets)
    shares = state.shares
    shares[:] = 1.0  # of an earlier wrench: must not matter
    asked = rng.uniform(-1, 1, 6) * [15.0, 15.0, 15.0, 6.0, 6.0, 6.0]
    share_out.py_func(jets, state, asked)
    assert shares.min() >= 0.0
    assert shares.max() <= 1.0
    # effort weighs 1e-4 against the squares of columns of 10 N
    assert np.abs(wrench_of(thrusters, shares) - asked).max() < 2e-3 * np.abs(asked).max()
    # opposite ones do not burn against each other: not much more than a force needs along each
    # axis, and a torque by one thruster of 0.8 m of lever; all burning alike would take three times
    needed = np.abs(asked[:3]).sum() / 10.0 + np.abs(asked[3:]).sum() / (10.0 * 0.8)
    assert shares.sum() <= 1.3 * needed


def test_canted_thrusters_do_not_burn_against_others_where_burns_are_timed() -> None:
    """The brakes of approach-1km, canted by 37 deg: 0.5 N take 0.5/0.8 of a second a second; by
    descent from none others burn against them."""
    thrusters = describe_thrusters(proxops.load("approach-1km").mission)
    asked = np.array([0.0, -0.5, 0.0, 0.0, 0.0, 0.0])
    spent = []
    for timed in (True, False):
        jets = build(thrusters, 1.0, timed)
        state = at_rest(jets)
        share_out.py_func(jets, state, asked.copy())
        np.testing.assert_allclose(wrench_of(thrusters, state.shares), asked, atol=1e-3)
        spent.append(state.shares.sum())
    assert spent[0] == pytest.approx(0.625, rel=1e-3)
    assert spent[1] > 1.1 * spent[0]


def test_beyond_reach_the_nearest_wrench_is_given() -> None:
    thrusters = corners()
    jets = build(thrusters, PERIOD)
    state = at_rest(jets)
    share_out.py_func(jets, state, np.array([1e3, 0, 0, 0, 0, 0]))
    assert wrench_of(thrusters, state.shares) == pytest.approx([40.0, 0, 0, 0, 0, 0], abs=1e-3)


@pytest.mark.parametrize("dead", range(0, 24, 5))
def test_any_thruster_but_one_is_enough_for_a_wrench_within_reach(dead: int) -> None:
    rng = np.random.default_rng(dead)
    thrusters = corners()
    jets = build(thrusters, PERIOD)
    state = at_rest(jets)
    state.bounds[dead] = 0.0
    asked = rng.uniform(-1, 1, 6) * [8.0, 8.0, 8.0, 4.0, 4.0, 4.0]
    share_out.py_func(jets, state, asked)
    assert state.shares[dead] == 0.0
    # as above, with fewer passes to spare
    assert np.abs(wrench_of(thrusters, state.shares) - asked).max() < 1e-2 * np.abs(asked).max()


@pytest.mark.parametrize("share", [0.003, 0.05, 0.1, 0.4567, 1.0])
def test_pulses_give_the_share_in_the_long_run(share: float) -> None:
    jets = build(corners(), PERIOD)
    state = at_rest(jets)
    valves = np.zeros(len(state.shares), dtype=np.int64)
    burnt, periods, pulse, shortest = 0.0, 200, 0, 10**9
    for _ in range(periods):
        state.shares[:] = share
        plan_pulses.py_func(jets, state)
        for _ in range(round(PERIOD / STEP)):
            open_valves.py_func(jets, state, STEP, valves)
            burnt += STEP * valves[0]
            if valves[0]:
                pulse += 1
            elif pulse:
                shortest, pulse = min(shortest, pulse), 0
    # one pulse may still be owed, and the last is rounded to half a step
    assert abs(burnt - share * periods * PERIOD) <= 0.01 + 0.5 * STEP
    assert shortest >= 10  # steps: the shortest pulse


@pytest.mark.parametrize("share", [0.003, 0.05, 0.4567, 1.0])
def test_timed_pulses_burn_their_time_at_any_control_rate(share: float) -> None:
    """One cycle a period: without closing within it, nothing but none or all could be burnt."""
    jets = build(corners(), PERIOD, timed=True)
    state = at_rest(jets)
    valves, burnt, periods = np.zeros(len(state.shares)), 0.0, 200
    for _ in range(periods):
        state.shares[:] = share
        plan_pulses.py_func(jets, state)
        open_valves.py_func(jets, state, PERIOD, valves)
        burnt += PERIOD * valves[0]
    assert abs(burnt - share * periods * PERIOD) <= 0.01 + 1e-9  # a pulse may still be owed


def test_a_timed_pulse_leaves_its_valve_the_rest_that_it_needs_before_the_next() -> None:
    """A valve that has just closed does not open for its shortest pulse: it would miss the next
    one.  What is not burnt is owed; one that burns on needs no rest."""
    jets = build(corners(0.01), PERIOD, timed=True)
    state = at_rest(jets)
    state.shares[:3] = 0.95, 0.5, 1.0
    plan_pulses.py_func(jets, state)
    assert state.left[:3] == pytest.approx([0.09, 0.05, 0.1])
    assert state.owed[:3] == pytest.approx([0.005, 0.0, 0.0])
