"""Whether a flight arena can show a mission: what is refused, what is warned of, what fits."""

import math
from dataclasses import replace

import numpy as np
import pytest

import proxops
from proxops.assembly.arena import arena_of, load_arena
from proxops.rehearsal.arena import InArena
from tests.facility.arena_cases import stored as arena

FACILITY = "flight-arena"
START = np.array([4.3743, 2.4216, 1.0178])  # [m] in H
RATE = math.sqrt(3.986004418e14 / 6700393.173431392**3)  # n [rad/s]
WAKE = "horizontal distance of centres, for the wake"
ENDURANCE = "endurance in the arena, with take-off and landing"


@pytest.fixture(scope="module")
def orbit():
    return proxops.simulate(proxops.load("arena-approach"))


@pytest.fixture(scope="module")
def fast():
    return proxops.simulate(proxops.load("arena-circle-fast"))


def checked(run, scenario_changes=None, options=None, **changes):
    """The check of a run in an arena with other values, or shown otherwise."""
    if scenario_changes:
        scenario = proxops.Scenario.from_dict(run.provenance["scenario"]).replace(scenario_changes)
        run = replace(run, provenance={**run.provenance, "scenario": scenario.to_dict()})
    return proxops.check(run, facility=arena(**changes), **(options or {}))


def broken(found):
    return [each.name for each in found.limits if not each.passed]


def two_impulse(lasts: float) -> list[float]:
    """Velocity in H [m/s] that leads from START to the origin, by the closed form of Hill's
    equations: p(t) = Φ_pp p + Φ_pv v = 0."""
    s, c, n = math.sin(RATE * lasts), math.cos(RATE * lasts), RATE
    drift = RATE * lasts
    pp = np.array([[4 - 3 * c, 0, 0], [6 * (s - drift), 1, 0], [0, 0, c]])
    pv = np.array(
        [[s, 2 * (1 - c), 0], [2 * (c - 1), 4 * s - 3 * drift, 0], [0, 0, s]]
    ) / n  # fmt: skip
    return np.linalg.solve(pv, -pp @ START).tolist()


def transfer(lasts: float, until: float) -> proxops.Scenario:
    """A transfer to the origin in so many seconds, its first part, at its own size and pace."""
    return proxops.load("arena-approach").replace(
        {
            "chaser.wrench": None,
            "chaser.v_HC_m_s": two_impulse(lasts),
            "time.duration_s": until,
            "time.phases": {"approach": {"until_s": until, "step_s": 0.02}},
            "time.control_rate_hz": 50.0,
            "arena.time_scale": 1.0,
            "requirements": {},
        }
    )


def test_the_approach_can_be_shown(orbit):
    found = checked(orbit)
    assert found.feasible
    assert found.flight_s == pytest.approx(88.0)
    assert found.bow_m > 0.15
    assert found.warnings == ()
    rows = {each.name: each for each in found.limits}
    assert rows["gap between tips"].value == pytest.approx(0.74, abs=0.005)
    assert rows["chaser's vehicle: largest thrust of a rotor"].value == pytest.approx(4.15, abs=0.1)
    # a hover of 148 s at 338 W out of 74 W h
    left = rows["chaser's vehicle: charge, with take-off and landing"].value
    assert left == pytest.approx(1.0 - 148.0 * 338.3 / (74.0 * 3600.0), abs=2e-3)
    assert found.torque_without_rotor_N_m <= 0.0


def test_the_published_distance_taken_between_centres_is_refused(orbit):
    close = checked(orbit, {"arena.length_scale": 0.74 / 1.53})
    assert {"gap between tips", WAKE} <= set(broken(close))
    assert close.lasts_s < 440.0


def test_an_approach_from_above_is_refused(orbit):
    above = checked(orbit, {"arena.up": "x"})  # the approach comes down along x
    assert WAKE in broken(above)
    assert above.lasts_s < 440.0


def test_ten_minutes_of_motion_are_refused_and_too_large_ones(orbit):
    slow = checked(orbit, {"arena.time_scale": 440.0 / 600.0})
    assert ENDURANCE in broken(slow)
    assert any("charge" in name for name in broken(slow))
    large = checked(orbit, {"arena.length_scale": 3.0})
    assert "chaser's vehicle: distance from walls" in broken(large)
    assert "chaser's vehicle: distance from walls" in broken(large)


def test_a_duration_that_is_no_multiple_in_binary_is_checked():
    """7 s at 5:1: 70 targets of 20 ms end an ulp behind the last row."""
    changes = {"time.duration_s": 7.0, "time.phases.approach.until_s": 7.0, "requirements": {}}
    run = proxops.simulate(proxops.load("arena-approach").replace(changes))
    assert proxops.check(run, facility=FACILITY).feasible


def test_twelve_degrees_of_tilt_are_refused_with_rotors_tilted_by_twenty():
    half = math.radians(6.0)
    scenario = proxops.load("arena-tilt").replace(
        {
            "time.duration_s": 2.0,
            "time.phases": {"circle": {"until_s": 2.0, "step_s": 0.02}},
            "chaser.q_NC": [math.cos(half), math.sin(half), 0.0, 0.0],
        }
    )
    run = proxops.simulate(scenario)
    tilt, least = "tilt, of what it hovers with", "least thrust of a rotor"
    found = checked(run, vehicle__alpha_deg=20.0)
    assert f"chaser's vehicle: {tilt}" in broken(found)
    assert f"chaser's vehicle: {least}" in broken(found)
    assert f"chaser's vehicle: {tilt}" not in broken(checked(run))  # 12.8 deg at 25 deg
    upright = checked(run, vehicle__alpha_deg=0.0)
    assert f"chaser's vehicle: {tilt}" in broken(upright)


def test_a_transfer_of_a_minute_at_its_own_pace_is_warned_of_as_straight():
    found = proxops.check(transfer(60.0, 40.0), facility=FACILITY)
    assert found.feasible
    assert any("straight line" in line for line in found.warnings)
    slower = proxops.check(transfer(600.0, 400.0), facility=FACILITY)
    assert not any("straight line" in line for line in slower.warnings)


@pytest.mark.slow  # two flights and their orbits
@pytest.mark.parametrize(
    ("mission", "changes", "given"),
    [
        ("arena-approach", {"arena.length_scale": 0.7}, {}),
        ("arena-circle-fast", {"arena.origin_m": [0.0, 5.2, 3.0]}, {}),
    ],
)
def test_a_rehearsal_stops_where_the_check_says(mission, changes, given):
    scenario = proxops.load(mission).replace(changes)
    expected = proxops.check(scenario, facility=arena(**given))
    assert not expected.feasible
    assert expected.lasts_s > 0.5
    run = InArena(scenario, load_arena(arena(**given))).simulation.run()
    assert run.outcome == "stopped"
    (event,) = (event for event in run.events if event.name == "guard")
    assert event.t_s == pytest.approx(expected.lasts_s, abs=0.2)


@pytest.mark.slow
def test_the_best_start_is_in_the_middle_and_does_what_it_says(orbit):
    bad = {"arena.origin_m": [9.0, 0.0, 3.0]}
    assert not checked(orbit, bad).feasible
    start = checked(orbit, bad, {"optimise_start": True}).start
    assert start.before_m < 0.0 < start.room_m
    shown = {
        "arena.up": start.up,
        "arena.heading_deg": start.heading_deg,
        "arena.origin_m": list(start.origin_m),
    }
    better = checked(orbit, shown)
    assert better.feasible
    rows = {each.name: each for each in better.limits}
    walls = (rows[f"{name}'s vehicle: distance from walls"] for name in ("target", "chaser"))
    room = min(*(each.value - each.limit for each in walls), rows[WAKE].value - rows[WAKE].limit)
    assert room == pytest.approx(start.room_m, abs=1e-9)


def test_heading_and_origin_turn_and_move_the_whole(orbit):
    """A quarter turn brings x to y; distances between vehicles stay."""
    plain, turned = (
        {each.name: each.value for each in checked(orbit, {"arena.heading_deg": angle}).limits}
        for angle in (0.0, 90.0)
    )
    for name in ("gap between tips", WAKE, "chaser's vehicle: speed"):
        assert turned[name] == pytest.approx(plain[name], rel=1e-9)
    # 4.37 m ahead of walls at 10 and 7.5 m
    far = checked(orbit, {"arena.heading_deg": 90.0, "arena.length_scale": 1.5})
    rows = {each.name: each.value for each in far.limits}
    assert rows["chaser's vehicle: distance from walls"] == pytest.approx(
        7.5 - 1.5 * 4.3743, abs=0.02
    )


def test_scales_that_fit_do_and_those_beyond_do_not(orbit):
    scales = checked(orbit, options={"scale": True}).scales
    small, large = scales.smallest.value, scales.largest.value
    for size, fits in ((1.01 * small, True), (0.99 * small, False), (0.99 * large, True),
                       (1.01 * large, False)):  # fmt: skip
        assert checked(orbit, {"arena.length_scale": size}).feasible is fits, size
    best = scales.suggested
    assert best.length_scale == pytest.approx(large, rel=0.01)
    for pace, fits in (
        (1.01 * best.slowest.value, True),
        (0.99 * best.slowest.value, False),
        (0.99 * best.fastest.value, True),
        (1.01 * best.fastest.value, False),
    ):
        shown = {"arena.length_scale": best.length_scale, "arena.time_scale": pace}
        found = checked(orbit, shown)
        kept = [name for name in broken(found) if not name.startswith("the guard")]
        assert (kept == []) is fits, pace
    assert scales.at_step == (5.0, 10.0, 20.0)


def test_the_fastest_pace_by_thrust_is_where_a_rotor_is_at_its_limit(fast):
    """Other limits wide open, the quadratic's root is where check sees a rotor reach its bound."""
    wide = {"limits__acceleration_m_s2": 10.0, "limits__speed_m_s": 20.0}
    scales = checked(fast, options={"scale": True}, **wide).scales
    best = scales.paces[1]
    assert best.fastest.by == "chaser's vehicle, thrust of a rotor"
    shown = {"arena.length_scale": best.length_scale, "arena.time_scale": best.fastest.value}
    rows = {each.name: each.value for each in checked(fast, shown, **wide).limits}
    assert rows["chaser's vehicle: least thrust of a rotor"] == pytest.approx(0.1, abs=1e-6)


def test_a_mission_that_no_size_fits_says_so(orbit):
    scales = checked(orbit, options={"scale": True}, limits__separation=8.0).scales
    assert scales.smallest.value > scales.largest.value
    assert scales.suggested is None
    assert scales.smallest.by == "horizontal distance of centres"


def test_wind_takes_thrust(orbit):
    """The target's vehicle stands in 5 m/s along x: its rotors push against c w as well."""
    found = {each.name: each.value for each in checked(orbit, wind_m_s=[5.0, 0.0, 0.0]).limits}
    craft = arena_of(load_arena(FACILITY).file).vehicle
    thrusts = craft.allocation[:, :3] @ [-0.3 * 5.0, 0.0, craft.mass * 9.80665]
    assert found["target's vehicle: largest thrust of a rotor"] == pytest.approx(thrusts.max())
    assert found["target's vehicle: least thrust of a rotor"] == pytest.approx(thrusts.min())


def test_a_heavy_payload_leaves_too_little_thrust(orbit):
    load = {"mass_kg": 1.2, "inertia_kg_m2": (0.01, 0.01, 0.01), "p_V_m": (0.0, 0.0, -0.1)}
    found = checked(orbit, payloads={"target": {}, "chaser": {"arms": load}})
    assert broken(found) == ["chaser's vehicle: hover, of the largest thrust"]
    rows = {each.name: each.value for each in found.limits}
    # 4.148 N at 2.3 kg
    assert rows[broken(found)[0]] == pytest.approx(4.148 * 3.5 / 2.3 / 10.05, rel=1e-3)
