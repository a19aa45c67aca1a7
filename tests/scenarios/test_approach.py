"""The approach from 1 km: legs, fuel against the optimum, what navigation knows, zones."""

import re

import numpy as np
import pytest
from benchmarks.passive_safety import (
    ENVISAT_REACH,
    REACH,
    again,
    avoided,
    beside_a_tumbling_target,
)

import proxops
from proxops.physics.orbit.attractors import ATTRACTORS
from proxops.physics.orbit.drift import drift_points
from proxops.physics.orbit.frames import inertial_from_hill
from proxops.physics.orbit.kepler import state_from_elements
from proxops.report.timeline import phase_table
from proxops.report.vbar import overlays_of, path_figures
from tests.analytic.fuel_optimum import least_fuel
from tests.scenarios.flown import flown, group

pytestmark = group("approach-1km")

MU = ATTRACTORS["earth"].mu
# In the plane of the orbit; the two that brake are canted out of it by 37 deg, one each way
AXES = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -0.8]])
PLANE = [0, 1]
CORRIDOR = (np.radians(15.0), (0.0, 0.0), (0.0, -1.0))


@pytest.fixture(scope="module")
def run():
    return flown("approach-1km")


def into(run, leg, after):
    """The instant [s] so long after a leg began."""
    return next(each.start_s for each in run.phases if each.name == leg) + after


def at(run, name, t):
    """A signal at an instant [s]."""
    times, values = run[name]
    return values[np.searchsorted(times, t)]


def anomaly(mission, t):
    """The true anomaly of the target a time t [s] after the start, at periapsis then: Kepler's
    equation, solved by iteration."""
    a, e = mission.orbit.semi_major_axis_km * 1e3, mission.orbit.eccentricity
    M = np.sqrt(MU / a**3) * t
    E = M
    for _ in range(50):
        E = M + e * np.sin(E)
    return 2.0 * np.arctan2(np.sqrt(1 + e) * np.sin(E / 2), np.sqrt(1 - e) * np.cos(E / 2))


def test_all_legs_are_flown_in_their_order_and_are_the_phases(run):
    names = [phase.name for phase in run.phases]
    assert names == [
        "acquire", "to_250", "hold_250", "to_100", "hold_100", "to_gate", "gate", "to_10",
        "hold_10", "drift", "hold_again",
    ]  # fmt: skip
    t, leg = run["obsw.phase"]
    starts = t[np.flatnonzero(np.diff(leg.ravel())) + 1]
    # rows are a second apart
    np.testing.assert_allclose(starts, [each.start_s for each in run.phases[1:]], atol=1.0)
    assert run.outcome == "passed"


def test_flights_cost_little_more_than_the_optimum_from_where_they_begin(run):
    """Against a linear programme in the orbit plane with the same thruster directions, corridor
    and times, from the true state at the start of each flight.  It knows no speed limit, no
    passive safety and no out-of-plane motion: a lower bound."""
    mission = proxops.load("approach-1km").mission
    a, e = mission.orbit.semi_major_axis_km * 1e3, mission.orbit.eccentricity
    spent = optimal = 0.0
    for phase in run.phases:
        leg = mission.obsw.plan.legs[phase.name]
        if leg.does != "fly-to":
            continue
        p, v = (at(run, name, phase.start_s)[PLANE] for name in ("chaser.p_HCcm", "chaser.v_HC"))
        times = np.linspace(0.0, leg.duration_s, 101)
        goal = [*leg.p_H_m[:2], 0.0, 0.0]
        optimal += least_fuel(
            (MU, a, e, anomaly(mission, phase.start_s)), times, [*p, *v], goal,
            thrusters=AXES, a_max=2.0 / 300.0, corridor=CORRIDOR,
        )  # fmt: skip
        delta_v = [at(run, "chaser.delta_v", t).item() for t in (phase.start_s, phase.end_s)]
        spent += delta_v[1] - delta_v[0]
    assert 1.0 < spent / optimal < 1.2


def test_the_estimate_is_as_good_as_it_says(run):
    """Errors over their standard deviations, axis by axis, in the flights: one run has few that
    are independent of each other, so that 5 is where something is wrong."""
    t, known = run["obsw.navigation.p_HC"]
    _, sigma = run["obsw.navigation.sigma"]
    _, true = run["chaser.p_HCcm"]
    flown = t > run.phases[1].start_s
    share = np.abs(known - true)[flown] / sigma[flown, :3]
    assert share.max() < 5.0
    assert np.median(share) > 0.05  # nor far better
    moved = [event for event in run.events if event.name == "navigation-near"]
    assert len(moved) == 1
    assert 40.0 < np.linalg.norm(at(run, "chaser.p_HCcm", moved[0].t_s)) < 60.0


def unsafe(run, leg):
    """Seconds of a leg outside the keep-out zone from which a free drift enters it."""
    t, outside = run["safety.keep_out_distance"]
    _, drift = run["safety.drift_keep_out"]
    phase = next(each for each in run.phases if each.name == leg)
    own = (t >= phase.start_s) & (t < phase.end_s) & (outside.ravel() > 0.0)
    return int(np.sum(drift.ravel()[own] < 0.0))  # rows are a second apart


def test_drifts_are_safe_outside_the_keep_out_zone_but_as_it_enters(run):
    """From rest at the gate, 0.2 m before the zone, at the 6 mm/s2 with which plans may go: 8 s.
    Nor does it cost more than a tenth of the fuel of the first flight, the longest."""
    safe = ("to_250", "hold_250", "to_100", "hold_100", "to_gate", "gate")
    assert [unsafe(run, leg) for leg in safe] == [0] * len(safe)
    assert 4 < unsafe(run, "to_10") < 11
    arrived = into(run, "hold_250", 0.0)
    changed = {
        "obsw.guidance.passive_safety": False,
        "time.duration_s": arrived,
        "requirements": None,
    }
    careless = proxops.simulate(proxops.load("approach-1km").replace(changed))
    assert unsafe(careless, "to_250") > 5
    spent, least = (at(each, "chaser.delta_v", arrived).item() for each in (run, careless))
    assert spent < 1.1 * least


@pytest.mark.parametrize(("leg", "error"), [("hold_100", 3e-3), ("gate", 1.2e-3)])
def test_a_chaser_at_rest_at_its_hold_points_drifts_away_wherever_the_target_is(leg, error):
    """Also with some mm/s along-track: for two orbits from any true anomaly.  So near the zone as
    the gate is, √(2 g d) = 1.6 mm/s at d = 0.2 m: gravity pushes outwards by g = 3n² x²/r there."""
    mission = proxops.load("approach-1km").mission
    place = mission.obsw.plan.legs[leg].p_H_m
    a, e = mission.orbit.semi_major_axis_km * 1e3, mission.orbit.eccentricity
    times = np.arange(0.0, 2.0 * np.pi * np.sqrt(a**3 / MU) * 2.0, 20.0)

    def least(place, nu, v):
        R, V = (tuple(each) for each in state_from_elements(MU, a, e, 0.0, 0.0, 0.0, nu))
        p_O, v_O = inertial_from_hill(R, V, tuple(place), (0.0, v, 0.0))
        points = np.empty((len(times), 3))
        chaser = tuple(np.add(R, p_O)), tuple(np.add(V, v_O))
        drift_points(MU, (R, V), (R, V), chaser, times, points)
        return np.linalg.norm(points, axis=1).min()

    anomalies = np.radians(np.arange(0.0, 360.0, 30.0))
    for v in (-error, 0.0, error):
        assert min(least(place, nu, v) for nu in anomalies) > mission.zones.keep_out_m
    # On V-bar itself it would not, with the target on its way down
    assert min(least((0.0, *place[1:]), nu, 0.0) for nu in anomalies) < 10.0


@pytest.mark.parametrize("dead", [None, "minus_y_a", "plus_x_b"])
@pytest.mark.parametrize(("leg", "after"), [("to_10", 20.0), ("to_10", 520.0), ("hold_10", 10.0)])
def test_an_avoidance_is_there_in_the_zone_with_a_thruster_dead(run, dead, leg, after):
    """As it enters, where it is fastest for its distance, and at rest; nobody knows of the thruster
    that is dead as it begins.  Once it is found the others make up for it, for more fuel: all of
    0.3 m/s along the axis of the lost one take three times as much."""
    scenario = proxops.load("approach-1km")
    least, orbit, fuel = avoided(scenario, again(run, scenario, into(run, leg, after), dead), REACH)
    assert least > 0.9
    assert orbit > 200.0
    assert fuel < (0.5 if dead is None else 1.0)


def test_an_avoidance_from_the_second_hold_leads_away(run):
    scenario = proxops.load("approach-1km")
    case = again(run, scenario, into(run, "hold_100", 60.0), None)
    least, orbit, fuel = avoided(scenario, case, REACH)
    assert least > 0.9
    assert orbit > 200.0
    assert fuel < 0.5


def test_an_avoidance_beside_a_tumbling_target_leads_away_by_attitude_alone():
    scenario, generator = proxops.load("approach-1km"), np.random.default_rng(3)
    for _ in range(10):
        case = beside_a_tumbling_target(scenario, generator)
        least, orbit, fuel = avoided(scenario, case, ENVISAT_REACH)
        assert least > 0.9
        assert orbit > 200.0
        assert fuel < 0.5


def test_the_report_shows_the_legs_with_their_delta_v_and_the_hold_points(run):
    told = phase_table(run)
    heads, *rows = re.findall("<tr>(.*?)</tr>", told, flags=re.S)
    assert "delta-v [mm/s]" in heads
    spent = [float(re.findall(r">([^<]*)</td>", row)[-1].replace("\u2212", "-")) for row in rows]
    assert len(spent) == len(run.phases)
    # each of eleven to three digits
    assert sum(spent) == pytest.approx(1e3 * run["chaser.delta_v"][1][-1].item(), rel=5e-3)
    assert overlays_of(run).holds == {
        "hold_250": [0.0, -250.0, 0.0],
        "hold_100": [4.0, -100.0, 0.0],
        "gate": [10.0, -49.194, 0.0],
        "hold_10": [0.0, -10.0, 0.0],
    }
    names = [curve.label for curve in path_figures(run, overlays_of(run))[0].curves]
    assert any("hold" in name for name in names)
    assert any(name.startswith("three sigma of navigation, ") for name in names)
    errors = overlays_of(run).errors
    assert len(errors) == 4  # of the places, by the first leg that keeps each
    for (place, covariance), (leg, wanted) in zip(
        errors, overlays_of(run).holds.items(), strict=True
    ):
        assert np.linalg.norm(place - wanted) < 2.5  # as it arrives
        sigma = at(run, "obsw.navigation.sigma", into(run, leg, 0.0))[:3]
        np.testing.assert_allclose(np.sqrt(np.diag(covariance)), sigma)


def test_an_abort_of_the_first_flight_stays_out_for_two_orbits():
    """The way out is to drift.  That drifts from any instant of it are safe is seen above; here one
    is flown."""
    changes = {
        "obsw.plan.legs.to_250.abort_if": ["plan.elapsed > 150 s"],
        "time.duration_s": 13_000.0,
        "requirements": None,
    }
    run = proxops.simulate(proxops.load("approach-1km").replace(changes))
    assert [phase.name for phase in run.phases] == ["acquire", "to_250", "coast"]
    text = next(event.detail for event in run.events if event.name == "coast")
    assert text.startswith("obsw.plan: to_250 aborted: plan.elapsed")
    assert text.endswith("limit > 150 s")
    assert run["safety.keep_out_distance"][1].min() > 0.0
