"""The convex guidance keeps its limits, and says why there is no plan."""

import itertools
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.analytic.guidance_cases import ANY, APEX, ARRIVAL, SIX, approach, orbit

from proxops.core.errors import InputError
from proxops.onboard.functions.guidance.balance import parallel_as_one, torque_rows
from proxops.onboard.functions.guidance.cone_programme import Status
from proxops.onboard.functions.guidance.convex import plan
from proxops.onboard.functions.guidance.nodes import node_times
from proxops.onboard.functions.guidance.prediction import effects
from proxops.onboard.functions.guidance.problem import (
    IdealThrust,
    KeepOut,
    PassiveSafety,
    Plume,
    SpeedLimit,
    Thrusters,
)
from proxops.onboard.functions.guidance.reference import Reference

BURN = 10.0
TIMES = node_times(0.0, ARRIVAL, intervals=50, burn=BURN, every=20.0)
DENSE = np.linspace(0.0, ARRIVAL, 2001)


PAGE = Path(__file__).parents[2] / "docs" / "guidance.md"


def burns(**changes):
    """The approach by short burns."""
    return approach(50, **{"times": TIMES, "burn": BURN, **changes})


def distance_inside(path, degrees=15.0):
    """Distance [m] of positions to the wall of the corridor, measured across its axis."""
    reach = math.tan(math.radians(degrees)) * (-path[:, 1] - APEX)
    return reach - np.hypot(path[:, 0], path[:, 2])


def test_the_plan_is_a_motion_under_its_thrust():
    solution = plan(burns(thrust=SIX))
    reference = Reference(solution)
    before = reference.states(solution.times[1:] - 1e-6)
    # 1e-6 s at 1 m/s
    np.testing.assert_allclose(before[:, :3], solution.states[1:, :3], atol=2e-6)
    np.testing.assert_allclose(reference.states(solution.times), solution.states, atol=1e-9)
    fuel = float(solution.burn @ solution.thrust.sum(axis=1))
    assert solution.delta_v == pytest.approx(fuel, rel=1e-12)
    np.testing.assert_allclose(solution.acceleration, solution.thrust @ SIX.directions, atol=1e-15)
    assert (solution.thrust >= 0.0).all()
    assert (solution.thrust <= SIX.a_max).all()


def test_the_table_gives_thrust_while_it_burns_only():
    solution = plan(burns(thrust=SIX))
    t0 = solution.times[0]
    rows = Reference(solution).table(np.array([t0 - 1.0, t0, t0 + 9.9, t0 + 10.1, ARRIVAL + 1.0]))
    assert rows.shape == (5, 10)
    assert np.abs(rows[[1, 2], 7:]).max() > 1e-4
    assert not rows[[0, 3, 4], 7:].any()


def test_the_corridor_holds_between_the_nodes():
    solution = plan(burns(parts=4))
    path = Reference(solution).states(DENSE)
    # Of a coast of 120 s a quarter is looked at: 2 n v h²/8 = 5 cm for v = 0.2 m/s, h = 30 s
    assert distance_inside(path).min() > -0.05
    assert distance_inside(path).min() < 0.05  # it is what costs


def test_the_speed_limit_holds():
    limit = SpeedLimit(floor=0.02, slope=5.5e-4, axis=(0.0, -1.0, 0.0))
    free, held = plan(burns()), plan(burns(speed=limit))
    allowed = limit.floor - limit.slope * held.states[:, 1]
    speed = np.linalg.norm(held.states[:, 3:], axis=1)
    # The solver's 1e-7 of L n = 1.1 m/s
    assert (speed - allowed).max() < 1e-6
    after = Reference(held).states(held.times[:-1] + held.burn)
    assert (
        np.linalg.norm(after[:, 3:], axis=1) - limit.floor + limit.slope * after[:, 1]
    ).max() < 1e-6
    assert (
        np.linalg.norm(free.states[:, 3:], axis=1) > limit.floor - limit.slope * free.states[:, 1]
    ).any()
    assert held.delta_v > free.delta_v


def test_the_sphere_is_passed_outside():
    # From 300 m behind to 300 m ahead in a tenth of an orbit: nearly straight
    times = node_times(0.0, 600.0, intervals=50, burn=BURN, every=20.0)
    dense = np.linspace(0.0, 600.0, 2001)
    problem = burns(
        times=times,
        degrees=None,
        start=np.array([0.0, -300.0, 0.0, 0.0, 0.0, 0.0]),
        goal=np.array([0.0, 300.0, 0.0, 0.0, 0.0, 0.0]),
    )
    through = Reference(plan(problem)).states(dense)
    around = plan(replace(problem, keep_out=KeepOut(radius=100.0)))
    assert around.status is Status.SOLVED
    path = Reference(around).states(dense)
    assert np.linalg.norm(through[:, :3], axis=1).min() < 90.0
    # Between points 6 s apart, at 1.2 m/s: (3.6 m)²/(2·100 m) = 0.1 m
    assert np.linalg.norm(path[:, :3], axis=1).min() > 99.8
    assert around.slack.max() < 1e-4


def drift_clearance(problem, path, seconds, step=30.0):
    """Least distance [m] of drifts over two orbits, from each row [t, p, v] of a path."""
    after = np.arange(0.0, seconds, step)
    later = problem.orbit.fundamental(path[:, :1] + after)[:, :, :3]
    constants = np.linalg.solve(problem.orbit.fundamental(path[:, 0]), path[:, 1:, None])
    return np.linalg.norm((later @ constants[:, None])[..., 0], axis=2).min(axis=1)


@pytest.mark.parametrize("e", [0.0, 0.05])
def test_drifts_stay_out_of_the_sphere_at_little_cost(e):
    problem = burns(e=e, thrust=SIX)
    safe = replace(problem, passive_safety=PassiveSafety(radius=50.0))
    free, held = plan(problem), plan(safe)
    assert held.status is Status.SOLVED
    assert held.slack.max() < 1e-4
    two_orbits = 2.0 * math.tau / problem.orbit.mean_motion

    def clearance(solution):
        path = Reference(solution).table(DENSE[:-1:12])[:, :7]
        # But for the entry, and the one interval, 2 % of the time, whose coast leads there
        outside = np.linalg.norm(path[:, 1:4], axis=1) > 50.0 + 10.0 + 20.0
        return drift_clearance(problem, path[outside], two_orbits)

    assert clearance(free).min() < 25.0
    assert clearance(held).min() > 49.0
    assert held.delta_v < 1.1 * free.delta_v


def hop(**safety):
    """From 100 m behind to just before the sphere, in a quarter of an orbit."""
    return burns(
        e=0.05,
        thrust=SIX,
        times=node_times(0.0, 1400.0, intervals=40, burn=20.0, every=20.0),
        burn=20.0,
        start=np.array([4.0, -100.0, 0.0, 0.0, 0.0, 0.0]),
        goal=np.array([10.0, -52.0, 0.0, 0.0, 0.0, 0.0]),
        passive_safety=PassiveSafety(radius=50.0, entry=1.0, **safety),
    )


def test_drifts_of_least_fuel_touch_the_sphere_between_the_instants_looked_at():
    """Those of a hop that would rather come closer reach it, and no farther, however far apart the
    samples are: 120 s hide 4 cm, n²|p|·(120 s)²/8.  Between rows 2 s apart it is 10 µm."""
    problem = hop(step=120.0)
    solution = plan(problem, plan(problem))
    assert solution.status is Status.SOLVED
    rows = Reference(solution).table(solution.times[:-1] + solution.burn)[:, :7]
    outside = rows[np.linalg.norm(rows[:, 1:4], axis=1) > 51.0]
    two_orbits = 2.0 * math.tau / problem.orbit.mean_motion
    closest = drift_clearance(problem, outside, two_orbits, step=2.0).min()
    assert closest == pytest.approx(50.0, abs=2e-3)


def test_drifts_stay_out_also_where_a_burn_is_off_by_a_share():
    """A hop to just before the sphere, its burns off by 8 % of each axis: all that the burn before
    a drift can be off by, later ones put right.  A drift that is off comes closest at another time,
    by half a metre closer than where the planned one does."""
    problem = hop()
    two_orbits = 2.0 * math.tau / problem.orbit.mean_motion
    off = 1.0 + 0.08 * np.array(list(itertools.product((-1.0, 1.0), (-1.0, 1.0), (0.0,))))

    def clearance(solution):
        start, burn = solution.times[:-1], solution.burn
        A, B = effects(problem.orbit, start, burn, start + burn)
        free = np.einsum("kab,kb->ka", A, solution.states[:-1])
        pushed = np.einsum("kab,skb->ska", B, off[:, None] * solution.acceleration)
        rows = np.column_stack([np.tile(start + burn, 4), (free + pushed).reshape(-1, 6)])
        return drift_clearance(problem, rows, two_orbits).min()

    plain = plan(problem)
    safety = replace(problem.passive_safety, thrust_error=0.08)
    held = plan(replace(problem, passive_safety=safety))
    assert held.status is Status.SOLVED
    assert clearance(plain) < 49.5
    assert clearance(held) > 50.0
    assert held.delta_v < 1.1 * plain.delta_v


def test_plumes_do_not_meet_the_target():
    plume = Plume(distance=200.0, half_angle=math.radians(30.0))
    # Pairs at 45 deg do what the silenced thrusters no longer may
    tilted = np.array([[1.0, -1.0, 0.0], [-1.0, -1.0, 0.0]]) / math.sqrt(2.0)
    directions = np.vstack([SIX.directions, tilted])
    thrust = Thrusters(directions=directions, a_max=np.full(8, 0.02))
    free = plan(burns(thrust=thrust))
    held = plan(burns(thrust=thrust, plume=plume))
    assert held.status is Status.SOLVED
    brake = 4  # force along -y, so that the plume leaves along +y, at the target
    near = np.linalg.norm(held.states[:-1, :3], axis=1) < 150.0
    assert near.sum() > 5
    assert not held.thrust[near, brake].any()
    assert free.thrust[near, brake].max() > 1e-4
    assert np.abs(held.miss).max() < 1e-5


def test_thrusters_may_turn_with_the_attitude():
    # The same six directions, turned from interval to interval, cost no more than the best of them
    angle = np.linspace(0.0, math.pi, TIMES.size - 1)
    c, s, o, i = np.cos(angle), np.sin(angle), 0.0 * angle, 1.0 + 0.0 * angle
    R = np.array([[c, -s, o], [s, c, o], [o, o, i]]).transpose(2, 0, 1)
    turned = Thrusters(directions=SIX.directions @ R.transpose(0, 2, 1), a_max=SIX.a_max)
    solution = plan(burns(thrust=turned))
    assert solution.status is Status.SOLVED
    u = np.einsum("kic,ki->kc", turned.directions, solution.thrust)
    np.testing.assert_allclose(u, solution.acceleration, atol=1e-15)
    ideal = plan(burns(thrust=ANY))
    assert ideal.delta_v < solution.delta_v < math.sqrt(2.0) * ideal.delta_v


def test_a_tolerance_of_the_goal_saves_fuel_and_holds():
    box = np.array([1.0, 2.0, 1.0, 1e-3, 1e-3, 1e-3])
    exact, loose = plan(burns()), plan(burns(tolerance=box))
    assert loose.delta_v < exact.delta_v - 1e-3
    assert (np.abs(loose.miss) <= box + 1e-6).all()
    assert np.abs(exact.miss).max() < 1e-5


def test_an_arrival_sooner_than_thrust_allows_is_infeasible():
    # Rest to rest over 990 m with 0.02 m/s²: 2 √(990/0.02) = 445 s
    late, soon = (np.linspace(0.0, t, 51) for t in (470.0, 420.0))
    for thrust in (ANY, SIX):
        assert plan(approach(50, times=late, thrust=thrust)).status is Status.SOLVED
        none = plan(approach(50, times=soon, thrust=thrust))
        assert none.status is Status.INFEASIBLE
        assert math.isnan(none.delta_v)
        assert np.isnan(none.states).all()


def test_a_start_beyond_the_corridor_is_brought_back():
    start = np.array([290.0, -1000.0, 0.0, 0.0, 0.0, 0.0])
    outside = -float(distance_inside(start[None])[0])
    assert outside > 20.0
    solution = plan(burns(start=start))
    assert solution.status is Status.SOLVED
    assert 0.0 < solution.slack[0] < outside + 1.0
    assert distance_inside(Reference(solution).states(DENSE[200:])).min() > -0.2


@pytest.mark.parametrize("name", ["start", "goal"])
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_numbers_that_are_not_finite_give_no_plan(name, value):
    broken = np.array([0.0, -500.0, 0.0, value, 0.0, 0.0])
    assert plan(burns(**{name: broken})).status is Status.NOT_FINITE
    covariance = np.full((TIMES.size, 6, 6), value)
    assert plan(burns(covariance=covariance)).status is Status.NOT_FINITE


def test_the_iteration_limit_is_a_status(monkeypatch):
    monkeypatch.setattr("proxops.onboard.functions.guidance.convex._ITERATIONS", 3)
    none = plan(burns())
    assert none.status is Status.ITERATION_LIMIT
    assert none.iterations == 3


def test_every_status_has_its_sentence():
    assert len({status.value for status in Status}) == len(Status)
    assert [status for status in Status if status.usable] == [Status.SOLVED, Status.INACCURATE]


@pytest.mark.parametrize(
    "changes",
    [
        {"times": np.array([0.0, 10.0, 10.0])},
        {"start": np.zeros(3)},
        {"covariance": np.zeros((3, 6, 6))},
    ],
)
def test_problems_that_do_not_fit_together_are_rejected(changes):
    with pytest.raises(InputError, match=next(iter(changes))):
        plan(burns(**changes))


def test_the_same_problem_gives_the_same_bits():
    problem = burns(thrust=SIX, passive_safety=PassiveSafety(radius=50.0))
    first, second = plan(problem), plan(problem)
    assert first.states.tobytes() == second.states.tobytes()
    assert first.thrust.tobytes() == second.thrust.tobytes()


def test_units_do_not_matter():
    # A hop of 20 m in a lunar orbit, another size and another rate
    moon = replace(orbit(), mu=4.9028e12, R0=(1.8374e6, 0.0, 0.0), V0=(0.0, 1633.5, 0.0))
    problem = approach(
        40,
        orbit=moon,
        start=np.array([0.0, -40.0, 0.0, 0.0, 0.0, 0.0]),
        goal=np.array([0.0, -20.0, 0.0, 0.0, 0.0, 0.0]),
        times=np.linspace(1000.0, 1400.0, 41),
        thrust=IdealThrust(a_max=1e-3),
    )
    solution = plan(problem)
    assert solution.status is Status.SOLVED
    # Straight and slow against the orbit: there and back of 20 m in 400 s, 2·0.05 m/s, and a bit
    assert solution.delta_v == pytest.approx(2.0 * 20.0 / 400.0, rel=0.4)


def test_nodes_are_fine_now_and_end_with_a_burn():
    times = node_times(100.0, 6100.0, intervals=50, burn=10.0, every=20.0)
    assert times.size == 51
    span = np.diff(times)
    assert span[:3] == pytest.approx(20.0)
    assert span[-1] == pytest.approx(10.0)
    assert (times[0], times[-1]) == (100.0, 6100.0)
    # Plans that follow each other sooner than a burn ends
    soon = node_times(0.0, 600.0, intervals=40, burn=20.0, every=5.0)
    assert soon[:4] == pytest.approx([0.0, 5.0, 10.0, 15.0])
    assert (np.diff(soon)[3:] > 19.0).all()
    assert soon[-1] == 600.0
    for rest in (3.0, 11.0, 45.0, 170.0, 499.0, 1000.0):
        some = node_times(0.0, rest, intervals=50, burn=10.0, every=20.0)
        assert (np.diff(some) > min(rest, 9.0) - 1e-9).all()
        assert some[-1] == rest


def test_the_example_of_the_page_runs():
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)
    names = {}
    exec(compile(code, "guidance.md", "exec"), names)
    assert names["solution"].status is Status.SOLVED
    assert names["table"].shape == (30, 10)


def test_thrusters_of_one_direction_are_planned_with_as_one():
    """Also where one of them is lost; the plan is that of all."""
    many = Thrusters(
        directions=np.vstack([SIX.directions, SIX.directions]),
        a_max=np.concatenate([0.75 * SIX.a_max, 0.25 * SIX.a_max]),
    )
    one = parallel_as_one(many)
    assert one.directions.shape == (6, 3)
    order = [int(np.argmax(SIX.directions @ each)) for each in one.directions]
    np.testing.assert_allclose(one.a_max, SIX.a_max[order])
    lost = parallel_as_one(replace(many, a_max=many.a_max * (np.arange(12) != 2)))
    share = lost.a_max[order.index(2)] / SIX.a_max[2]
    assert share == pytest.approx(0.25)


def test_canted_thrusters_burn_in_plans_without_torque():
    """Two brakes canted against each other: a plan that needs a force sideways takes it from
    elsewhere, though one of them alone would be cheaper."""
    canted = np.array([[0.0, 0.8, 0.6], [0.0, 0.8, -0.6]])
    thrust = Thrusters(
        directions=np.vstack([SIX.directions[[0, 2, 3, 4, 5]], canted]),
        a_max=np.full(7, 0.02),
        torques=np.vstack([np.zeros((5, 3)), [[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0]]]),
    )
    start = np.array([0.0, -1000.0, 20.0, 0.0, 0.0, 0.0])
    alone = plan(burns(start=start, thrust=replace(thrust, torques=None), corridor=None))
    balanced = plan(burns(start=start, thrust=thrust, corridor=None))
    assert np.abs(alone.thrust @ thrust.torques).max() > 1e-5
    # 1e-7 of the unit of thrust, L n / burn = 0.11 m/s2, by an arm of 0.1 m
    assert np.abs(balanced.thrust @ thrust.torques).max() < 1.1e-9
    assert alone.delta_v < balanced.delta_v < 1.2 * alone.delta_v


def test_torques_that_nothing_balances_have_no_part_in_plans():
    """A counterpart that is lost, or that only cancels the force."""
    canted, along = [[0.0, 0.8, 0.6], [0.0, 0.8, -0.6]], [[1.0, 0, 0], [0, 0, 1.0], [0, 0, -1.0]]
    directions = np.array([*canted, *along])
    torques = np.array([[0.1, 0, 0], [-0.1, 0, 0], [0, 0.2, 0], [0, 0, 0], [0, 0, 0]])
    rows = torque_rows(directions, torques, np.ones(5, dtype=bool))
    assert rows.shape == (1, 5)
    assert abs(rows @ [1.0, 1.0, 5.0, 5.0, 5.0])[0] < 1e-15
    assert abs(rows @ [1.0, 0.0, 0.0, 0.0, 0.0])[0] > 0.4
    for lost in ([1], [1, 2], [3], [0, 1, 2, 3, 4]):  # without 3, only the pair pushes along z
        usable = ~np.isin(np.arange(5), lost)
        assert torque_rows(directions, torques, usable).shape == (0, 5)


@pytest.mark.parametrize("offset", [(0.003, 0.0, 0.0), (0.01, -0.02, 0.005)])
def test_a_centre_of_mass_beside_single_thrusters_forbids_no_force(offset):
    """Six thrusters through one point beside it: each is balanced by its opposite alone, which
    leaves no force."""
    torques = np.cross(-np.array(offset), SIX.directions)
    assert torque_rows(SIX.directions, torques, np.ones(6, dtype=bool)).shape == (0, 6)
    start = np.array([0.0, -1000.0, 20.0, 0.0, 0.0, 0.0])
    free = plan(burns(start=start, thrust=SIX))
    beside = plan(burns(start=start, thrust=replace(SIX, torques=torques)))
    assert beside.delta_v == pytest.approx(free.delta_v, rel=1e-6)


def test_parallel_thrusters_whose_torques_do_not_cancel_are_planned_with_one_by_one():
    pair = Thrusters(
        directions=np.array([[1.0, 0, 0], [1.0, 0, 0]]),
        a_max=np.array([0.02, 0.01]),
        torques=np.array([[0, 0, 0.1], [0, 0, -0.2]]),
    )
    assert parallel_as_one(pair).a_max == pytest.approx([0.03])
    assert not parallel_as_one(pair).torques.any()
    lost = parallel_as_one(replace(pair, a_max=np.array([0.02, 0.0])))
    assert lost.a_max == pytest.approx([0.02, 0.0])
    np.testing.assert_allclose(lost.torques, pair.torques)
