"""Guidance on board: when plans come into force, what is flown without one, and its table."""

from dataclasses import replace

import numpy as np
import pytest
from tests.laws.written import written

import proxops
from proxops.assembly.rendezvous import guidance_of
from proxops.bus.bus import bus_of
from proxops.bus.fields import Field
from proxops.onboard.functions.allocation.authority import (
    authority_without_each,
    force_in_any_direction,
)
from proxops.onboard.functions.guidance import function as guidance
from proxops.onboard.functions.guidance import replanning
from proxops.onboard.functions.guidance.cone_programme import SolverFault, Status
from proxops.onboard.functions.guidance.convex import plan
from proxops.onboard.functions.guidance.prediction import Orbit
from proxops.onboard.functions.guidance.trajectory_table import WIDTH, along_table
from proxops.onboard.functions.plan import legs as leg_at

MU, A = 3.986004418e14, 6.778137e6
ORBIT = Orbit(mu=MU, R0=(A, 0.0, 0.0), V0=(0.0, np.sqrt(MU / A), 0.0))
AXES = np.vstack([np.eye(3), -np.eye(3)])
SETTINGS = replanning.GuidanceSettings(
    orbit=ORBIT,
    directions=np.vstack([AXES, AXES]),  # two along each axis
    torques=np.zeros((12, 3)),
    a_max=np.full(12, 1.5e-3),
    replan=20.0,
    delay=2.0,
    intervals=20,
)
FIELDS = (
    Field("orbital.t", "s"),
    Field("orbital.p_HC", "m", "H", (3,)), Field("orbital.v_HC", "m/s", "H", (3,)),
    Field("orbital.source"), Field("orbital.P", "", "", (36,)),
    Field("plan.leg", start=(-1.0,)), Field("plan.since", "s"),
    Field("plan.place", "m", "H", (3,)),
    Field("allocation.verdict", "1", "", (12,)), Field("allocation.findings"),
    *guidance.FIELDS,
)  # fmt: skip


class Board:
    """A guidance and what it reads, one flight of 900 s from 200 m to 100 m."""

    def __init__(self, way: int = leg_at.CONVEX) -> None:
        leg = np.zeros((2, leg_at.WIDTH))
        leg[:, leg_at.ACTION], leg[:, leg_at.GUIDANCE] = leg_at.FLY_TO, way
        leg[:, leg_at.DURATION], leg[:, leg_at.CORRIDOR], leg[:, leg_at.Q_HC] = 900.0, -1.0, 1.0
        leg[:, leg_at.REPLAN] = 20.0, 6.0
        self.bus = bus_of((), (), FIELDS, ())
        self.bus.estimates["plan.place"][:] = 0.0, -100.0, 0.0
        self.bus.estimates["orbital.p_HC"][:] = 0.0, -200.0, 0.0
        self.bus.estimates["orbital.source"][0] = 1.0
        self.bus.estimates["plan.leg"][0] = 0.0
        self.guidance = replanning.Guidance(SETTINGS, leg, self.bus)

    def at(self, t: float) -> dict[str, float]:
        """What is on the bus after a turn at the time t [s]."""
        self.bus.measurements["t"][0] = self.bus.estimates["orbital.t"][0] = t
        assert self.guidance.run_in_python() is None
        names = ("nodes", "plans", "failures", "status", "delta_v")
        return {name: float(self.bus.estimates[f"guidance.{name}"][0]) for name in names}

    def wanted(self, t: float) -> tuple[np.ndarray, ...]:
        """Position, velocity and thrust acceleration that the table has at the time t."""
        table = self.bus.estimates["guidance.trajectory"]
        found = written(along_table)(self.bus.estimates["guidance.nodes"][0], table, t)
        return tuple(map(np.array, found))


def test_a_plan_comes_into_force_once_it_is_computed_and_begins_there():
    board = Board()
    assert board.at(0.0)["nodes"] == 0.0
    assert board.at(1.0)["nodes"] == 0.0
    assert board.at(2.0)["plans"] == 1.0
    p, _, _ = board.wanted(2.0)
    # a place on V-bar of a circle: it has drifted by nothing meanwhile
    np.testing.assert_allclose(p, [0.0, -200.0, 0.0], atol=1e-3)
    end, rest, keeps = board.wanted(900.0)
    np.testing.assert_allclose(end, [0.0, -100.0, 0.0])
    assert not rest.any()
    np.testing.assert_allclose(keeps, 0.0, atol=3e-9)  # 100 m off V-bar's tangent: y²/2R of n²
    assert board.at(21.0)["plans"] == 1.0
    for t in (22.0, 24.0):
        board.bus.estimates["orbital.p_HC"][:], board.bus.estimates["orbital.v_HC"][:] = (
            board.wanted(t)[:2]
        )
        board.at(t)
    assert board.at(24.0)["plans"] == 2.0


def test_a_plan_begins_where_the_one_in_force_leads_until_it_is_ready():
    board = Board()
    board.at(0.0)
    before = board.at(2.0)["delta_v"]
    p, v, _ = board.wanted(22.0)
    board.bus.estimates["orbital.p_HC"][:] = p + np.array([0.5, -0.2, 0.1])
    board.bus.estimates["orbital.v_HC"][:] = v
    then, _, _ = board.wanted(24.0)
    board.at(22.0)
    after = board.at(24.0)["delta_v"]
    found, _, _ = board.wanted(24.0)
    # what was off at 22 s is off at 24 s, but for n 2 s of it
    np.testing.assert_allclose(found - then, [0.5, -0.2, 0.1], atol=5e-3)
    assert after < before + 0.01


def test_without_a_plan_the_last_one_is_flown_then_the_chaser_holds(monkeypatch):
    board = Board()
    board.at(0.0)
    board.at(2.0)
    good = board.guidance._solution
    bad = replace(good, status=Status.ITERATION_LIMIT)
    monkeypatch.setattr(replanning, "plan", lambda *_: bad)
    t, seen = 22.0, []
    while board.at(t)["failures"] < replanning.HOLD_AFTER:
        seen.append(board.bus.estimates["guidance.nodes"][0])
        t += 2.0
    assert set(seen) == {seen[0]}  # the one before
    assert seen[0] > len(good.times)  # its nodes, and where burns end
    assert board.bus.estimates["guidance.nodes"][0] == 1.0
    p, v, _ = board.wanted(t + 100.0)
    np.testing.assert_allclose(p, board.bus.estimates["orbital.p_HC"])
    assert not v.any()
    monkeypatch.undo()
    for _ in range(24):
        t += 2.0
        state = board.at(t)
    assert state["failures"] == 0.0
    assert state["nodes"] > 2.0
    assert guidance.describe_status(float(tuple(Status).index(Status.ITERATION_LIMIT)), v) == (
        "guidance-fails",
        "obsw.guidance: the solver used all its iterations",
    )


@pytest.mark.parametrize("broken", ["corridor", "speed", "keep-out"])
def test_a_plan_that_breaks_limits_by_much_is_not_flown(monkeypatch, broken):
    board = Board()
    board.guidance.settings = replace(SETTINGS, keep_out=50.0)
    board.at(0.0)
    board.at(2.0)
    before = board.bus.estimates["guidance.trajectory"].copy()
    bad, by = board.guidance._solution, {"corridor": 2.5, "speed": 0.1, "keep-out": 3.0}[broken]
    if broken == "keep-out":
        states = bad.states.copy()
        states[5, :3] = 47.0, 0.0, 0.0
        bad = replace(bad, states=states)
    else:
        slack = np.where([broken == "corridor", broken == "speed", False], by, 0.0)
        bad = replace(bad, slack=slack)
    monkeypatch.setattr(replanning, "plan", lambda *_: bad)
    board.at(22.0)
    state = board.at(24.0)
    assert (state["failures"], state["plans"]) == (1.0, 1.0)
    np.testing.assert_array_equal(board.bus.estimates["guidance.trajectory"], before)
    kind, text = guidance.describe_status(state["status"], board.bus.estimates["guidance.slack"])
    assert kind == "guidance-fails"
    assert f"by {by:g} m" in text


def test_another_leg_begins_without_a_plan():
    board = Board()
    board.at(0.0)
    assert board.at(2.0)["nodes"] > 1.0
    board.bus.estimates["plan.leg"][0], board.bus.estimates["plan.since"][0] = 1.0, 3.0
    assert board.at(4.0)["nodes"] == 0.0
    assert board.at(6.0)["nodes"] > 1.0


def test_plans_follow_each_other_at_the_period_of_the_leg():
    board, began = Board(), []
    for leg, since in ((0.0, 0.0), (1.0, 60.0)):
        board.bus.estimates["plan.leg"][0], board.bus.estimates["plan.since"][0] = leg, since
        for t in np.arange(since, since + 50.0, 2.0):
            before = board.guidance._last
            board.at(float(t))
            if board.guidance._last != before:
                began.append(float(t))
    assert began == [0.0, 20.0, 40.0, *np.arange(60.0, 110.0, 6.0)]


def test_a_table_is_followed_by_the_cubic_through_positions_and_velocities():
    """Exactly where the thrust is constant and nothing else acts: p = ½ a t²."""
    a, t = np.array([1e-3, -2e-3, 5e-4]), np.array([0.0, 7.0, 20.0])
    nodes = np.zeros((3, WIDTH))
    nodes[:, 0], nodes[:, 1:4], nodes[:, 4:7] = t, 0.5 * np.outer(t**2, a), np.outer(t, a)
    nodes[:, 7:] = a
    for when in (0.0, 3.3, 7.0, 11.9, 20.0):
        p, v, u = written(along_table)(3.0, nodes.ravel(), when)
        np.testing.assert_allclose(p, 0.5 * when**2 * a, rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(v, when * a, rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(u, a)


@pytest.mark.parametrize("seed", range(5))
def test_thrusters_give_that_force_in_any_direction_and_no_more_in_some(seed):
    """Against the support function on many directions: the least reach over all is the radius."""
    rng = np.random.default_rng(seed)
    forces = rng.normal(size=(10, 3))
    forces = np.vstack([forces, -forces.sum(axis=0)])  # so that they can push in any direction
    found = force_in_any_direction(forces)
    n = rng.normal(size=(200_000, 3))
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    reach = np.maximum(n @ forces.T, 0.0).sum(axis=1).min()
    assert found <= reach + 1e-12
    assert found == pytest.approx(reach, rel=0.02)  # of 200 000 directions one is within 0.5 deg


def test_thrusters_on_one_side_give_no_force_in_any_direction():
    assert force_in_any_direction(np.eye(3)) == 0.0
    assert force_in_any_direction(np.zeros((0, 3))) == 0.0
    assert force_in_any_direction(AXES) == pytest.approx(1.0)


def test_a_flight_by_two_burns_is_corrected_once_half_way():
    board = Board(leg_at.TWO_IMPULSE)
    board.at(0.0)
    assert board.at(2.0)["plans"] == 1.0
    burns = [board.wanted(t)[2].any() for t in (2.0, 100.0, 400.0, 800.0, 899.0)]
    assert burns == [True, False, False, False, True]
    for t in (100.0, 448.0):
        assert board.at(t)["plans"] == 1.0
    p, v, _ = board.wanted(450.0)
    board.bus.estimates["orbital.p_HC"][:] = p + np.array([0.5, -0.2, 0.1])
    board.bus.estimates["orbital.v_HC"][:] = v
    then, _, _ = board.wanted(452.0)
    board.at(450.0)
    assert board.at(452.0)["plans"] == 2.0
    np.testing.assert_allclose(board.wanted(452.0)[0] - then, [0.5, -0.2, 0.1], atol=5e-3)
    np.testing.assert_allclose(board.wanted(900.0)[0], [0.0, -100.0, 0.0])
    for t in (500.0, 700.0, 890.0):
        assert board.at(t)["plans"] == 2.0


def test_two_burns_that_lead_through_the_keep_out_zone_are_not_flown():
    board = Board(leg_at.TWO_IMPULSE)
    board.guidance.settings = replace(SETTINGS, keep_out=60.0)
    board.bus.estimates["plan.place"][:] = 0.0, 100.0, 0.0  # through the target
    board.at(0.0)
    found = board.at(2.0)
    assert (found["plans"], found["failures"]) == (0.0, 1.0)
    assert found["status"] == replanning.BREAKS_LIMITS


def test_a_lost_thruster_leaves_its_share_of_the_force_in_any_direction():
    """Two along each axis: half is left.  Of six nothing is, and then the time of all counts."""
    assert authority_without_each(np.vstack([AXES, AXES])) == pytest.approx(np.full(12, 0.5))
    assert authority_without_each(AXES) == pytest.approx(np.ones(6))
    assert authority_without_each(np.vstack([AXES, [[0.0, 0.0, 0.5]]]))[6] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (SolverFault.INFEASIBLE, Status.INFEASIBLE),
        (SolverFault.ITERATION_LIMIT, Status.ITERATION_LIMIT),
        (SolverFault.NAN, Status.NOT_FINITE),
    ],
)
def test_a_solver_that_fails_leads_to_the_last_plan_then_to_a_hold(fault, status):
    """By a solver that does fail, for plans begun from 20 s until 60 s."""
    board = Board()
    board.guidance.failures = ((20.0, 60.0, fault),)
    board.at(0.0)
    assert board.at(2.0)["plans"] == 1.0
    for t in np.arange(4.0, 84.0, 2.0):
        p, v, _ = board.wanted(t)
        board.bus.estimates["orbital.p_HC"][:], board.bus.estimates["orbital.v_HC"][:] = p, v
        found, holds = board.at(t), board.bus.estimates["guidance.holds"][0]
        failed = sum(t >= begin + 2.0 for begin in (20.0, 40.0))  # a plan takes 2 s
        if t < 62.0:
            assert (found["failures"], holds) == (failed, 0.0)
            assert found["status"] == (tuple(Status).index(status) if failed else 0.0)
    assert (found["failures"], found["plans"]) == (0.0, 3.0)  # begun at 60 and 80 s
    kind, said = guidance.describe_status(float(tuple(Status).index(status)), np.zeros(3))
    assert (kind, said) == ("guidance-fails", f"obsw.guidance: {status.value}")


def test_three_plans_that_fail_are_an_event_with_their_number_and_limit():
    board = Board()
    board.guidance.failures = ((20.0, 1e9, SolverFault.NAN),)
    for t in np.arange(0.0, 66.0, 2.0):
        board.at(t)
    assert board.bus.estimates["guidance.holds"][0] == 1.0
    assert guidance.describe_hold(1.0, np.zeros(3)) == (
        "guidance-holds",
        "obsw.guidance: 3 plans in a row failed, limit < 3: it holds its position",
    )
    assert guidance.describe_hold(0.0, np.zeros(3)) is None


def test_what_was_given_up_is_not_planned_with_and_another_plan_is_made_at_once(monkeypatch):
    board, inwards = Board(), list[float]()

    def planned(problem, *rest):
        (column,) = np.flatnonzero(problem.thrust.directions @ AXES[3] > 0.9)
        inwards.append(float(problem.thrust.a_max[column]))
        return plan(problem, *rest)

    monkeypatch.setattr(replanning, "plan", planned)
    board.at(0.0)
    board.at(2.0)
    board.bus.estimates["allocation.verdict"][3] = 1.0  # not 9, which pushes that way too
    board.bus.estimates["allocation.findings"][0] = 1.0
    board.bus.estimates["orbital.p_HC"][:], board.bus.estimates["orbital.v_HC"][:] = board.wanted(
        4.0
    )[:2]
    board.at(4.0)
    assert board.at(6.0)["plans"] == 2.0  # not at 24 s
    assert inwards == pytest.approx([3e-3, 1.5e-3])
    assert board.at(8.0)["plans"] == 2.0


def test_torques_of_thrusters_are_about_the_centre_of_mass():
    scenario = proxops.load("approach-1km")
    thrusters = list(scenario.mission.chaser.thrusters)
    torques = guidance_of(scenario.believed).torques
    # (-0.4, 0, 0.1) x (1, 0, 0), and (0, 0.4, -0.175) x (0, -0.8, 0.6)
    np.testing.assert_allclose(torques[thrusters.index("plus_x_a")], [0.0, 0.1, 0.0], atol=1e-12)
    np.testing.assert_allclose(torques[thrusters.index("minus_y_a")], [0.1, 0.0, 0.0], atol=1e-12)
    # a wheel of 2 kg at 1.53 m moves the centre of mass of 306 kg by 1 cm
    moved = scenario.replace({"chaser.wheels.x.p_C_m": [0.0, 0.0, 1.53]})
    torques = guidance_of(moved.believed).torques
    np.testing.assert_allclose(torques[thrusters.index("plus_x_a")], [0.0, 0.09, 0.0], atol=1e-12)
