"""Plans that lead nowhere are rejected when they are read."""

import math

import pytest
from pydantic import ValidationError

import proxops
from proxops.scenario.schema.plan import Plan

REST = {"does": "rest"}
STAY = {"does": "station-keep", "p_H_m": [0.0, -300.0, 0.0]}


def fly(**changes):
    leg = {"does": "fly-to", "p_H_m": [0.0, -10.0, 0.0], "duration_s": 100.0, "timeout_s": 200.0}
    return {**leg, "until": ["control.position_error < 1 m"], "next": "hold", **changes}


def problems(plan) -> str:
    with pytest.raises(ValidationError) as error:
        Plan.model_validate(plan)
    return str(error.value)


GOOD = {"on_abort": "away", "legs": {"go": fly(), "hold": STAY, "away": REST}}


def test_a_plan_whose_ways_out_end_in_a_leg_that_stays_is_taken():
    plan = Plan.model_validate(GOOD)
    assert plan.abort_leg(plan.legs["go"]) == "away"
    assert plan.abort_leg(plan.legs["hold"]) is None


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"next": "holt"}, "legs.go.next: there is no leg 'holt'; did you mean 'hold'?"),
        ({"timeout_s": None}, "legs.go.timeout_s: missing"),
        ({"next": None}, "legs.go.until: remove it: this leg has no next one"),
        ({"on_abort": "go"}, "legs.go.on_abort: the way out goes in a circle: go -> go"),
        ({"next": "away"}, "legs.hold: cannot be reached"),
        ({"p_H_m": None}, "p_H_m"),
        ({"does": "fly-too"}, "does not match any of the expected tags"),
        ({"speed_m_s": 1.0}, "speed_m_s"),
    ],
)
def test_a_leg_that_leads_nowhere_is_named(changes, words):
    leg = {key: value for key, value in fly(**changes).items() if value is not None}
    assert words in problems({**GOOD, "legs": {**GOOD["legs"], "go": leg}})


def test_a_way_out_must_end_in_a_leg_that_cannot_abort_should_all_on_the_way_do_so():
    back, second = fly(on_abort="back2"), fly(on_abort="back")
    legs = {"go": fly(on_abort="back"), "hold": STAY, "back": back, "back2": second}
    assert "goes in a circle: go -> back -> back2 -> back" in problems({"legs": legs})
    burn = {"does": "avoid", "delta_v_m_s": 0.2, "direction_H": [1.0, 0.0, 0.0]}
    burn |= {"settle_s": 900.0, "next": "hold"}
    assert Plan.model_validate({"legs": {**legs, "back2": burn}})


def test_a_leg_that_can_abort_needs_a_way_out():
    legs = {"go": fly(), "hold": STAY}
    assert "legs.go.on_abort: missing" in problems({"legs": legs})


def test_legs_in_a_circle_need_one_that_takes_time():
    legs = {"go": fly(), "hold": fly(next="go"), "away": REST}
    assert "go -> hold -> go goes in a circle" in problems({"on_abort": "away", "legs": legs})
    legs = {"go": fly(), "hold": fly(next="go", settle_s=10.0), "away": REST}
    assert Plan.model_validate({"on_abort": "away", "legs": legs})


def test_an_avoidance_manoeuvre_needs_a_direction():
    away = {"does": "avoid", "delta_v_m_s": 0.2, "direction_H": [0.0, 0.0, 0.0]}
    text = problems({**GOOD, "legs": {**GOOD["legs"], "away": away}})
    assert "direction_H: must not be zero" in text


AROUND = {
    "does": "fly-around",
    "p_H_m": [0.0, -80.0, 0.0],
    "axis_H": [0.0, 0.0, -1.0],
    "angle_deg": 360.0,
    "duration_s": 3000.0,
    "next": "hold",
}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"p_H_m": [0.0, -80.0, 40.0]}, "-40 m of 89.44 m lie along the axis"),
        ({"axis_H": [0.0, 0.0, 2.0]}, "axis_H"),
        ({"angle_deg": 0.0}, "angle_deg"),
        ({"timeout_s": 2000.0}, "2000 s ends before the arrival, duration_s = 3000"),
    ],
)
def test_a_flight_around_the_target_is_a_circle_that_ends_in_time(changes, words):
    legs = {"go": AROUND, "hold": STAY}
    assert Plan.model_validate({"legs": legs})
    bad = {**legs, "go": AROUND | changes, "away": REST}
    assert words in problems({"on_abort": "away", "legs": bad})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"under.p_H_m": [0.0, -40.0, 0.0]},
            "a circle of 40 m leads through the keep-out zone of 50 m",
        ),
        ({"to_80.p_H_m": [0.0, -40.0, 0.0]}, "inside the keep-out zone"),
        ({"to_80.corridor": "vbar"}, "only convex guidance plans within a corridor"),
    ],
)
def test_a_leg_that_leads_into_the_keep_out_zone_is_rejected_in_words(changes, words):
    mission = proxops.load("fly-around-inspection")
    with pytest.raises(proxops.InputError, match=words):
        mission.replace({f"obsw.plan.legs.{key}": value for key, value in changes.items()})


def test_two_burns_do_not_enter_the_keep_out_zone_through_a_corridor():
    with pytest.raises(proxops.InputError, match="two burns lead past any corridor"):
        proxops.load("approach-rbar").replace(
            {"obsw.plan.legs.to_30.guidance": "two-impulse", "obsw.plan.legs.to_30.corridor": None}
        )


@pytest.mark.parametrize(
    ("eccentricity", "tolerance", "words"),
    [
        (0.0, 1.0, ""),
        (0.0, 0.01, "two burns miss by up to 0.0281 m on this orbit, e = 0; tolerance_m = 0.01"),
        (0.05, 1.0, 'use "two-impulse": by "hcw", two burns miss by up to 44.1 m'),
    ],
)
def test_hcw_is_rejected_where_it_misses_by_more_than_its_tolerance(eccentricity, tolerance, words):
    """300 to 150 m in 1500 s, from anywhere on the orbit."""
    leg = "obsw.plan.legs.to_150"
    changes = {
        f"{leg}.guidance": "hcw",
        f"{leg}.tolerance_m": tolerance,
        "orbit.eccentricity": eccentricity,
    }
    mission = proxops.load("fly-around-inspection")
    if not words:
        assert mission.replace(changes)
        return
    with pytest.raises(proxops.InputError, match=f"to_150.guidance: .*{words}"):
        mission.replace(changes)


def test_a_tolerance_belongs_to_guidance_by_hcw_alone():
    with pytest.raises(proxops.InputError, match="tolerance_m: only guidance by"):
        proxops.load("fly-around-inspection").replace({"obsw.plan.legs.to_150.tolerance_m": 2.0})


def test_a_time_at_which_hcw_cannot_reach_the_goal_is_rejected_with_the_direction():
    """After half a revolution z returns as -z."""
    half = math.pi * math.sqrt(6778.137e3**3 / 3.986004418e14)
    changes = {
        "guidance": "hcw",
        "p_H_m": [0.0, -150.0, 40.0],
        "duration_s": half,
        "timeout_s": 4000.0,
    }
    with pytest.raises(proxops.InputError, match="duration_s: choose another time"):
        proxops.load("fly-around-inspection").replace(
            {f"obsw.plan.legs.to_150.{key}": value for key, value in changes.items()}
        )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("control.position_error below 1 m", 'must be like "control.position_error < 1 m"; found'),
        ("control.position_error < 1.2.3 m", "'1.2.3' is not a number"),
        ("control.position_error < 1 furlong", "there is no unit 'furlong'"),
    ],
)
def test_a_condition_that_cannot_be_read_is_rejected_with_the_plan(text, words):
    plan = {**GOOD, "legs": {**GOOD["legs"], "go": fly(abort_if=["orbital.age > 9 s", text])}}
    assert f"abort_if.1: {words}" in problems(plan)
