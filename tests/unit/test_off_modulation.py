"""Off-pulses: whole ticks, none lost, as few at once as can be."""

import itertools

import numpy as np
import pytest

from proxops.core.jit import kernel
from proxops.onboard.functions.boost.engines import (
    CARRY,
    ENGINE_WIDTH,
    LEFT,
    MEMORY_WIDTH,
    SHORTEST,
    START,
)
from proxops.onboard.functions.boost.off_modulation import (
    least_thrust,
    placed,
    plan_pulses,
    whole_pulse,
)

CYCLE = 20.0
# Four equal engines at ±0.5 m, centre of mass off by 8 and 10 cm
PUBLISHED = np.array([1.36, 0.96, 1.04, 0.64]) / 1.36


@kernel
def planned(engine_data, memory, shares, cycle, staggered):
    """`plan_pulses`, callable from Python."""
    plan_pulses(engine_data, memory, shares, cycle, staggered)


@pytest.mark.parametrize(("staggered", "least"), [(False, 0.25), (True, 0.5)])
def test_four_engines_fall_to_the_published_thrust(staggered, least):
    assert least_thrust(PUBLISHED, np.full(4, 375.0), staggered=staggered) == least


def test_staggered_by_falling_off_time_begin_end_end_begin():
    memory = np.zeros((4, MEMORY_WIDTH))
    memory[:, LEFT] = [2.0, 9.0, 5.0, 7.0]
    placed(memory, CYCLE)
    assert memory[:, START].tolist() == [0.0, 0.0, CYCLE - 5.0, CYCLE - 7.0]


@pytest.mark.parametrize("engines", range(1, 8))
def test_no_placement_has_fewer_engines_off_at_once(engines):
    """All 2ⁿ placements at either end of the cycle."""
    rng = np.random.default_rng(engines)
    instants = np.arange(CYCLE)[:, None]
    for _ in range(40):
        off = rng.integers(0, int(CYCLE) + 1, engines)

        def peak(begins, off=off):
            return int(((begins <= instants) & (instants < begins + off)).sum(axis=1).max())

        memory = np.zeros((engines, MEMORY_WIDTH))
        memory[:, LEFT] = off
        placed(memory, CYCLE)
        ends = itertools.product((False, True), repeat=engines)
        assert peak(memory[:, START]) == min(peak(np.where(at, CYCLE - off, 0)) for at in ends)


@pytest.mark.parametrize("shortest", [0.0, 1.0, 3.0, 7.0, 11.0])
def test_a_pulse_is_the_nearest_that_the_valve_can_make(shortest):
    possible = [0.0, CYCLE]
    possible += [p for p in np.arange(1.0, CYCLE) if shortest <= p <= CYCLE - shortest]
    for wanted in np.linspace(-5.0, 25.0, 211):
        pulse = whole_pulse.py_func(wanted, CYCLE, shortest)
        assert pulse in possible
        # of two equally near ones either will do
        assert abs(pulse - wanted) <= min(abs(p - wanted) for p in possible) + 1e-12


@pytest.mark.parametrize("shortest", [0.0, 4.0, 15.0])
def test_no_off_time_is_lost_on_average(shortest):
    rng = np.random.default_rng(3)
    shares = rng.uniform(0.0, 1.0, 5)
    shares[:2] = 1.0, 0.99
    engine_data = np.zeros((5, ENGINE_WIDTH))
    engine_data[:, SHORTEST] = shortest
    memory = np.zeros((5, MEMORY_WIDTH))
    cycles, taken = 500, np.zeros(5)
    for _ in range(cycles):
        planned(engine_data, memory, shares, CYCLE, True)
        taken += memory[:, LEFT]
        memory[:, LEFT] = 0.0
        assert np.all(np.abs(memory[:, CARRY]) <= 0.5 * CYCLE)
    # what is not yet taken is the last carry
    np.testing.assert_allclose(
        taken + memory[:, CARRY], (1.0 - shares) * CYCLE * cycles, rtol=1e-12
    )


def test_deferred_and_overdrawn_off_time_comes_with_the_next_cycle_but_never_piles_up():
    engine_data = np.zeros((3, ENGINE_WIDTH))
    memory = np.zeros((3, MEMORY_WIDTH))
    memory[:, LEFT] = [3.0, -2.0, 1000.0]
    planned(engine_data, memory, np.array([0.5, 0.5, 0.5]), CYCLE, False)
    assert memory[:, LEFT].tolist() == [13.0, 8.0, CYCLE]
    assert memory[:, CARRY].tolist() == [0.0, 0.0, 0.5 * CYCLE]
