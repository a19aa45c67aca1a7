"""The convex guidance finds the least fuel: against known optima and a linear programme."""

import math

import numpy as np
import pytest
from tests.analytic.fuel_optimum import directions, least_fuel
from tests.analytic.guidance_cases import A_MAX, ANY, APEX, ARRIVAL, SEMI_MAJOR, SIX, approach

from proxops.onboard.functions.guidance.cone_programme import Status
from proxops.onboard.functions.guidance.convex import plan
from proxops.physics.orbit.attractors import EARTH

# Half a unit of the last digit that is given
KNOWN = [
    (None, ANY, 0.119),
    (30.0, ANY, 0.251),
    (15.0, ANY, 0.579),
    (10.0, ANY, 0.876),
    (15.0, SIX, 0.698),
]


@pytest.mark.parametrize(("degrees", "thrust", "known"), KNOWN)
def test_known_optima_of_an_approach_along_v_bar(degrees, thrust, known):
    solution = plan(approach(600, degrees=degrees, thrust=thrust))
    assert solution.status is Status.SOLVED
    assert solution.delta_v == pytest.approx(known, abs=0.5e-3)
    assert solution.slack.max() < 1e-5


def test_an_approach_along_r_bar_costs_six_times_as_much():
    # Known as about 3.5 m/s
    solution = plan(approach(200, axis=(-1.0, 0.0, 0.0)))
    assert solution.status is Status.SOLVED
    assert solution.delta_v == pytest.approx(3.5, abs=0.05)


def optimum(intervals, e, thrusters):
    """The referee's, for a corridor of 15 deg."""
    return least_fuel(
        (EARTH.mu, SEMI_MAJOR, e, 0.0),
        np.linspace(0.0, ARRIVAL, intervals + 1),
        [0.0, -1000.0, 0.0, 0.0],
        [0.0, -10.0, 0.0, 0.0],
        thrusters=thrusters,
        a_max=A_MAX,
        corridor=(math.radians(15.0), (0.0, -APEX), (0.0, -1.0)),
    )


@pytest.mark.parametrize("e", [0.0, 0.05, 0.3])
def test_thrusters_along_the_axes_cost_what_a_linear_programme_finds(e):
    # Limits at the nodes alone, as the referee has them
    solution = plan(approach(100, e=e, thrust=SIX, parts=1))
    # Both solve to 1e-7 of about 1 m/s
    assert solution.delta_v == pytest.approx(optimum(100, e, directions(4)), abs=3e-7)


@pytest.mark.parametrize("e", [0.0, 0.05])
def test_an_engine_that_points_anywhere_costs_what_many_thrusters_do(e):
    solution = plan(approach(100, e=e, parts=1))
    polygon = optimum(100, e, directions(64))
    # k directions reach u at a cost of |u| to |u|/cos(π/k)
    assert polygon * math.cos(math.pi / 64) - 3e-7 <= solution.delta_v <= polygon + 3e-7
