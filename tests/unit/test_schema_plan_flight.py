"""Plans that no chaser could fly, or that leave it in danger, are rejected when they are read."""

import copy
import math
import tomllib
from importlib.resources import files

import pytest
from pydantic import ValidationError

from proxops.scenario.schema.mission import Mission

SHIPPED = tomllib.loads(
    (files("proxops") / "scenario/library/missions/approach-1km.toml").read_text()
)
ENDS = {"until": ["control.position_error < 1 m"]}
LEGS = {
    "acquire": {"does": "rest", "settle_s": 10.0, "next": "to_250"},
    "to_250": {
        "does": "fly-to",
        "p_H_m": [0.0, -250.0, 0.0],
        "duration_s": 2000.0,
        "timeout_s": 2500.0,
        "next": "hold_250",
        **ENDS,
    },
    "hold_250": {
        "does": "station-keep",
        "p_H_m": [0.0, -250.0, 0.0],
        "settle_s": 100.0,
        "next": "to_10",
    },
    "to_10": {
        "does": "fly-to",
        "p_H_m": [0.0, -10.0, 0.0],
        "duration_s": 2000.0,
        "timeout_s": 2500.0,
        "corridor": "vbar",
        "on_abort": "evade",
        "next": "drift",
        **ENDS,
    },
    "drift": {
        "does": "rest",
        "abort_if": ["orbital.age > 20 s"],
        "on_abort": "evade",
        "settle_s": 60.0,
        "next": "hold_10",
    },
    "hold_10": {
        "does": "station-keep",
        "p_H_m": [0.0, -10.0, 0.0],
        "abort_if": ["orbital.age > 20 s"],
        "on_abort": "evade",
    },
    "evade": {"does": "avoid", "delta_v_m_s": 0.2, "direction_H": [0.3, -1.0, 0.0]},
    "coast": {"does": "rest"},
}


def problems(change) -> str:
    """Words with which a plan is rejected; empty if it is taken."""
    mission = {key: value for key, value in copy.deepcopy(SHIPPED).items() if key != "requirements"}
    legs = copy.deepcopy(LEGS)
    mission["obsw"]["plan"] = {"on_abort": "coast", "legs": legs}
    change(mission, legs)
    try:
        Mission.model_validate(mission)
    except ValidationError as error:
        return str(error)
    return ""


def test_a_plan_that_can_be_flown_is_taken():
    assert problems(lambda mission, legs: None) == ""


def test_an_arrival_sooner_than_the_thrusters_allow_is_named():
    """From 1000 to 250 m with 2 N on 300 kg: 2 sqrt(0.8 * 750 / (2/300)) = 600 s without gravity,
    and no less than a third of that with all the help that gravity could give."""

    def sooner(mission, legs):
        legs["to_250"]["duration_s"] = 100.0
        mission["obsw"]["guidance"].pop("speed_limit_m_s")
        mission["obsw"]["guidance"].pop("speed_limit_per_m_1_s")

    assert "to_250.duration_s: 100 s for 750 m is sooner than the thrusters" in problems(sooner)


def test_an_arrival_sooner_than_the_speed_limit_allows_is_named():
    """v <= 0.05 + 0.002 d from 0.8 * 1000 to 250 m: ln(1.65 / 0.55) / 0.002 = 549 s."""
    least = math.log(1.65 / 0.55) / 0.002

    def sooner(mission, legs):
        legs["to_250"]["duration_s"] = least - 1.0

    def later(mission, legs):
        legs["to_250"]["duration_s"] = least + 1.0

    assert "sooner than obsw.guidance.speed_limit_m_s allows: 549 s" in problems(sooner)
    assert problems(later) == ""


@pytest.mark.parametrize(("above", "taken"), [(0.99, True), (1.01, False)])
def test_a_place_on_r_bar_needs_3_n2_x_m_of_thrust(above, taken):
    """On a circular orbit exactly; two thrusters push down."""
    n2 = 3.986004418e14 / 7144e3**3

    def weak(mission, legs):
        mission["orbit"]["eccentricity"] = 0.0
        x = 2.0 * 0.001 / (3.0 * n2 * 300.0)  # held by 1 mN each
        for thruster in mission["chaser"]["thrusters"].values():
            thruster["thrust_N"] = 0.001
        legs["hold_250"]["p_H_m"] = [above * x, -250.0, 0.0]
        for leg in legs.values():
            if leg["does"] == "fly-to":
                leg["duration_s"], leg["timeout_s"] = 5000.0, 6000.0

    text = problems(weak)
    assert ("hold_250.p_H_m: cannot be held" not in text) == taken
    assert taken or ("0.00202 N" in text and "give 0.002 N" in text)


def test_the_targets_centre_of_mass_is_no_place_to_hold():
    def at_it(mission, legs):
        legs["hold_10"]["p_H_m"] = [0.0, 0.0, 0.0]

    assert "hold_10.p_H_m: is the target's centre of mass" in problems(at_it)


def test_a_straight_flight_through_the_keep_out_zone_is_named():
    def through(y):
        def change(mission, legs):
            legs["to_250"] |= {"guidance": "straight", "p_H_m": [0.0, y, 0.0]}

        return change

    assert problems(through(-100.0)) == ""
    text = problems(through(100.0))
    assert "to_250.p_H_m: the straight line from [0, -1000, 0] m crosses a place that" in text


@pytest.mark.parametrize("leg", ["to_10", "hold_10", "drift"])
def test_a_way_out_of_the_keep_out_zone_must_lead_out_of_it(leg):
    """To drift is one far away, and none where the drift begins in the zone."""

    def drifts(mission, legs):
        legs[leg]["on_abort"] = "coast"

    text = problems(drifts)
    assert f"{leg}.on_abort: {leg} -> coast leaves the chaser in the keep-out zone" in text


@pytest.mark.parametrize("thrust", [1e-12, 1e12])
@pytest.mark.parametrize("y", [-1e-200, -1e9])
def test_odd_sizes_are_judged_without_an_error(thrust, y):
    def odd(mission, legs):
        for thruster in mission["chaser"]["thrusters"].values():
            thruster["thrust_N"] = thrust
        legs["to_250"]["p_H_m"] = [0.0, y, 0.0]

    assert isinstance(problems(odd), str)


def test_a_flight_around_ends_where_its_circle_does():
    """Half a circle about the normal leads from behind the target to before it: the straight flight
    from there to V-bar behind would cross the zone."""

    def around(mission, legs):
        circle = {"does": "fly-around", "p_H_m": [0.0, -250.0, 0.0], "axis_H": [0.0, 0.0, 1.0]}
        legs["hold_250"]["next"] = "around"
        legs["around"] = circle | {"angle_deg": 180.0, "duration_s": 2000.0, "timeout_s": 2500.0}
        legs["around"] |= {"next": "back", **ENDS}
        legs["back"] = legs["to_250"] | {"guidance": "straight", "next": "to_10"}

    assert "back.p_H_m: the straight line from" in problems(around)
