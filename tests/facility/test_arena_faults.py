"""Faults of an arena: what vehicles make up for, and what lands both, with its value and limit."""

import math

import numpy as np
import pytest

from proxops.assembly.arena import arena_of
from proxops.assembly.arena_faults import hover_power, reject_unready
from proxops.core.errors import StoppedError
from proxops.facility.arena.faults import wind_at
from proxops.facility.arena.guard import NOTHING, REASON, WHEN
from proxops.facility.arena.memory import CHARGE, LANDED, TOUCH_SPEED, TOUCH_T
from proxops.facility.arena.reasons import fallen, why_ended
from proxops.facility.arena.vehicle import CYCLE
from proxops.facility.arena.watch import AT_LIMITS, LOW_BATTERY, OFF_COURSE, OVERTURNED
from proxops.physics.multirotor.mixer import Geometry, mixer, rank
from proxops.physics.multirotor.power import power_factor
from proxops.physics.multirotor.rotor_loss import survives, torque_in_hover
from tests.facility.arena_cases import LEAD, SETTLE, circle, errors, fly, shipped

AT = SETTLE + LEAD + 1.0  # when faults begin, one second on the circle [s]
WEIGHT = 2.3 * 9.80665


def flown_with(fault: dict, turns: float = 0.3, **changes):
    t, targets = circle(30.0, turns)
    states, lab = fly(shipped(faults={"one": fault}, **changes), targets)
    return t, targets, states, lab


def rotor(kind: str, **rest) -> dict:
    return {"kind": kind, "vehicle": "chaser", "rotor": 3, "from_s": AT, **rest}


def gust(speed: float) -> dict:
    return {"kind": "gust", "wind_m_s": (speed, 0.0, 0.0), "from_s": AT, "until_s": AT + 3.0}


def both_landed_inside(lab) -> bool:
    p = lab.flight.y[:, :2]
    return bool(
        (lab.flight.modes == LANDED).all()
        and (p >= lab.fence.lowest[:2]).all()
        and (p <= lab.fence.highest[:2]).all()
    )


def test_a_rotor_a_fifth_weak_is_made_up_for_within_the_limits():
    t, targets, states, lab = flown_with(rotor("weak-rotor", share=0.8), turns=1.0)
    assert lab.ended[REASON] == NOTHING
    assert errors(states, targets)[t >= 0.0].max() < 0.06
    # thrust is share times T, so the weak one is driven a quarter harder than before
    before, after = (states[abs(t - at) < 0.5, 1, 15].mean() for at in (0.0, 10.0))
    assert after == pytest.approx(before / 0.8, rel=0.05)


def test_without_a_rotor_no_attitude_is_held_with_alpha_alone():
    """Five columns have rank 5, and about some axis there is torque one way only."""
    sound = Geometry(0.275, math.radians(25.0), 0.0, 0.016, 0.10, 10.05)
    for lost in range(6):
        assert rank(np.delete(mixer(sound), lost, axis=1)) == 5
        assert torque_in_hover(sound, WEIGHT, lost) <= 0.0
    assert torque_in_hover(sound, WEIGHT) == pytest.approx(3.17, abs=0.01)  # yaw is the least
    assert not survives(sound, WEIGHT)
    # tilted towards the centre as well, there is a little left: robust, if hardly
    assert survives(sound._replace(beta=math.radians(-10.0)), WEIGHT)


def test_a_lost_rotor_is_noticed_by_the_attitude_and_the_vehicle_falls_inside_the_arena():
    _, _, _, lab = flown_with(rotor("lost-rotor"))
    assert lab.ended[REASON] == OVERTURNED
    # a quarter of the lift on one side at 0.04 kg m2: 15 deg take less than 0.3 s
    assert AT < lab.ended[WHEN] < AT + 0.3
    assert "the chaser's vehicle" in why_ended(lab)
    assert "limit 15 deg" in why_ended(lab)
    assert both_landed_inside(lab)
    assert "the chaser's vehicle meets the floor at" in fallen(lab)  # and says so
    assert "target" not in fallen(lab)
    assert lab.flight.health[0, TOUCH_SPEED] < 0.6  # the other one lands
    assert lab.flight.health[1, TOUCH_T] < lab.flight.health[0, TOUCH_T]


def test_a_gust_is_flown_through_or_lands_both():
    t, targets, states, lab = flown_with(gust(5.0))
    assert lab.ended[REASON] == NOTHING
    pushed = errors(states, targets)[t > 0.0].max()
    assert 0.1 < pushed < 0.5
    _, _, _, lab = flown_with(gust(20.0))
    assert lab.ended[REASON] == OFF_COURSE
    assert why_ended(lab).endswith("limit 0.5 m")
    assert both_landed_inside(lab)
    assert fallen(lab) == ""


def test_a_gust_rises_and_falls_as_one_minus_the_cosine():
    arena = arena_of(shipped(faults={"one": gust(4.0)}, wind_m_s=(0.5, 0.0, 0.0)))
    blows = {
        at: wind_at.py_func(arena.wind, arena.faults, AT + at)[0] for at in (-0.1, 0.75, 1.5, 3.0)
    }
    assert blows == pytest.approx({-0.1: 0.5, 0.75: 2.5, 1.5: 4.5, 3.0: 0.5}, abs=1e-12)


def test_rotors_at_their_limits_for_too_long_land_both():
    _, _, _, lab = flown_with(gust(26.0), limits__abort_m=10.0, limits__abort_saturated_s=0.3)
    assert lab.ended[REASON] == AT_LIMITS
    assert "0.30 s, limit 0.3 s" in why_ended(lab)


def test_a_vehicle_in_the_wake_of_the_other_is_landed_by_name():
    _, targets = circle(30.0, 0.3)
    targets[:, 0, :3] = [1.8, 0.0, 1.0]  # the circle passes 2 m above it
    _, lab = fly(shipped(), targets)
    assert lab.ended[REASON] == OVERTURNED
    assert why_ended(lab).startswith("the target's vehicle")


def test_a_battery_that_fails_lands_both_and_charge_is_the_energy_drawn():
    low = {"kind": "low-battery", "vehicle": "chaser", "charge": 0.19, "from_s": AT}
    _, _, _, lab = flown_with(low)
    assert lab.ended[REASON] == LOW_BATTERY
    assert "19.0% of its charge left, limit 20%" in why_ended(lab)
    assert both_landed_inside(lab)
    assert fallen(lab) == ""
    # the target's vehicle hovers until it lands: its charge is the power of a hover times time,
    # but for what vibration and the landing add, a part in a hundred
    flew = float(lab.flight.health[0, TOUCH_T]) + CYCLE
    spent = 1.0 - float(lab.flight.health[0, CHARGE])
    assert spent * 74.0 * 3600.0 == pytest.approx(hover_power(lab.arena, 0) * flew, rel=0.01)


def test_the_power_of_a_hover_is_that_of_momentum_theory():
    """P = T v_i with the induced velocity v_i = √(T/2ρA): 4.148 N over a disc of 0.24 m."""
    thrust, disc = 4.148, math.pi * 0.12**2
    induced = math.sqrt(thrust / (2.0 * 1.225 * disc))
    assert power_factor(0.12, 0.45) * thrust**1.5 == pytest.approx(thrust * induced / 0.45)
    assert hover_power(arena_of(shipped()), 1) == pytest.approx(
        6 * thrust * induced / 0.45, rel=1e-3
    )


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"kind": "does-not-arm", "vehicle": "target"}, "target's vehicle does not arm"),
        ({"kind": "low-battery", "vehicle": "chaser", "charge": 0.3}, "chaser's battery.* has 30%"),
    ],
)
def test_vehicles_that_are_not_ready_do_not_take_off(fault, words):
    given = shipped(faults={"one": fault})
    with pytest.raises(StoppedError, match=words) as stopped:
        reject_unready(given, arena_of(given), 90.0)
    assert stopped.value.exit_code == 4
    sound = shipped()
    reject_unready(sound, arena_of(sound), 540.0)
    with pytest.raises(StoppedError, match="660 s with take-off"):
        reject_unready(sound, arena_of(sound), 600.0)
