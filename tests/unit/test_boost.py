"""The boost: attitude hold, prolongation, and its engines against a contact in one dimension."""

import math

import numpy as np
import pytest

from proxops.actuators import thrusters
from proxops.bus.bus import ideal_fields
from proxops.bus.fields import Layout, blank, views
from proxops.core.description import ThrusterDescription
from proxops.core.errors import InputError
from proxops.core.jit import helper, kernel
from proxops.onboard.functions.boost import boost
from proxops.onboard.functions.boost.boost import (
    BoostDescription,
    BoostInputs,
    ContactBelief,
    ask_boost,
    build,
    hold_attitude,
    plan_cycle,
    start,
    wants_plan,
)
from proxops.onboard.functions.boost.engines import THRUST

X = np.array([1.0, 0.0, 0.0])
ENGINES = [
    ThrusterDescription(f"{a}{b}", np.array([-1.2, y, z]), X, 375.0, 0.0, 0.0, 0.0)
    for a, y in (("l", 0.5), ("r", -0.5))
    for b, z in (("u", 0.5), ("d", -0.5))
]
OTHER = ThrusterDescription("other", np.zeros(3), -X, 5.0, 0.0, 0.0, 0.0)
THRUSTERS = [OTHER, *ENGINES]
COM = np.array([2.98, 0.08, 0.1])
FULL = 1500.0
PERIOD = 2e-3
CHASER, TARGET = 1200.0, 8200.0
MASS, SHARE = CHASER * TARGET / (CHASER + TARGET), TARGET / (CHASER + TARGET)
STIFFNESS, ZETA = 1e8, 0.02
DAMPING = 2.0 * ZETA * math.sqrt(STIFFNESS * MASS)
FINE = 20  # parts of a tick
BELIEF = ContactBelief(CHASER, TARGET, STIFFNESS, DAMPING, 20.0)


def description(**changes):
    given = {
        "engines": tuple(each.name for each in ENGINES),
        "begin": 0.5,
        "duration": 20.0,
        "cycle": 1.0,
        "modulation": "aligned",
        "com": COM,
        "kp": np.zeros(3),
        "kd": np.zeros(3),
        "torque": np.zeros(3),
        "contact": None,
    }
    return BoostDescription(**(given | changes))


def turned_by(turn=(1.0, 0.0, 0.0, 0.0)):
    """What is seen of a chaser at rest with that attitude."""
    seen = views(BoostInputs, blank(Layout(ideal_fields(joints=0))))
    seen.ideal_q_NC[:] = turn
    return seen


@helper
def press(contact, x, v):
    """Force of a contact that never pulls [N]."""
    _, _, c, d = contact
    return max(0.0, c * x + d * v) if x > 0.0 else 0.0


@kernel
def push(model, state, seen, contact, rows):
    """A row a tick: the valves, the least contact force [N]; bodies that begin at rest, touching.
    Turned and turning as `seen` says, throughout."""
    mass, share, _, _ = contact
    valves = rows[:, :-1]
    x, v = 0.0, 0.0
    h = PERIOD / FINE
    for tick in range(rows.shape[0]):
        seen.ideal_x[0], seen.ideal_x_rate[0] = x, v
        if tick > 0:
            for i in range(valves.shape[1]):
                valves[tick, i] = valves[tick - 1, i]
        if wants_plan(model, state):
            plan_cycle(model, state, seen)
        ask_boost(model, state, seen, valves[tick])
        load = 0.0
        for i in range(model.number.shape[0]):
            load += share * model.engine_data[i, THRUST] * valves[tick, model.number[i]]
        least = math.inf
        for _ in range(FINE):  # midpoints; (ωh)³/24 of the swing a step, with ωh = 0.03
            a = (load - press(contact, x, v)) / mass
            x_mid, v_mid = x + 0.5 * h * v, v + 0.5 * h * a
            x += h * v_mid
            v += h * (load - press(contact, x_mid, v_mid)) / mass
            least = min(least, press(contact, x, v))
        rows[tick, -1] = least


def pushed(described, seconds, turn=(1.0, 0.0, 0.0, 0.0), rate=(0.0, 0.0, 0.0)):
    """Valves of all thrusters and least force at every tick, and the boost's memory at the end."""
    model = build(described, THRUSTERS, PERIOD)
    state = start(model)
    seen = turned_by(turn)
    seen.ideal_w_NC_C[:] = rate
    rows = np.zeros((round(seconds / PERIOD), len(THRUSTERS) + 1))
    push(model, state, seen, (MASS, SHARE, STIFFNESS, DAMPING), rows)
    return rows[:, :-1], rows[:, -1], state


def torque_of(valves):
    """Mean torque about the believed centre of mass while the boost burns [N m]."""
    burning = valves[valves.any(axis=1)]
    share = burning.mean(axis=0)
    return sum(
        s * np.cross(each.p_C - COM, each.thrust * each.direction)
        for s, each in zip(share, THRUSTERS, strict=True)
    )


def test_without_modulation_all_engines_burn_for_the_planned_time():
    valves, _, state = pushed(description(modulation="none", duration=3.0), 5.0)
    burning = np.flatnonzero(valves.any(axis=1))
    assert burning.tolist() == list(range(250, 250 + 1500))
    assert np.all(valves[burning, 1:] == 1.0)
    assert not valves[:, 0].any()  # no engine of the boost
    assert state.memory[boost.PHASE] == boost.DONE


def test_a_boost_lasts_longer_by_what_being_off_has_cost():
    """Shares add up to 50/17 of four: 20 s become 27.2 s."""
    valves, _, state = pushed(description(), 30.0)
    burning = np.flatnonzero(valves.any(axis=1))
    assert (burning[-1] - burning[0] + 1) * PERIOD == pytest.approx(27.2, abs=PERIOD)
    impulse = 375.0 * valves.sum() * PERIOD
    assert abs(impulse - FULL * 20.0) <= 0.5 * FULL * PERIOD
    assert state.memory[boost.DELIVERED] == pytest.approx(impulse, rel=1e-12)


@pytest.mark.parametrize("modulation", ["none", "staggered"])
@pytest.mark.parametrize("ramps", [(0.3, 0.05), (0.05, 0.3), (0.1, 0.1)])
def test_the_impulse_is_what_engines_with_ramps_deliver(modulation, ramps):
    """Counted beside thrusters that obey the same valves, to the end of their fall."""
    engines = [ThrusterDescription(each.name, each.p_C, X, 375.0, *ramps, 0.05) for each in ENGINES]
    described = description(modulation=modulation, duration=2.0, begin=0.0)
    model, hardware = build(described, engines, PERIOD), thrusters.build(engines)
    state, truth = start(model), thrusters.start(hardware)
    seen, valves, delivered = turned_by(), np.zeros(4), 0.0
    for _ in range(2500):
        if wants_plan.py_func(model, state):
            plan_cycle(model, state, seen)
        ask_boost.py_func(model, state, seen, valves)
        wrench = np.zeros(6)
        thrusters.fire.py_func(hardware, valves * PERIOD, truth, PERIOD, wrench)
        delivered += PERIOD * wrench[0]
    assert state.memory[boost.PHASE] == boost.DONE
    assert not truth.level.any()
    assert state.memory[boost.DELIVERED] == pytest.approx(delivered, rel=1e-9)
    assert abs(delivered - FULL * 2.0) <= 0.5 * FULL * PERIOD * (1.0 + 1e-9)


@pytest.mark.parametrize("modulation", ["aligned", "staggered"])
@pytest.mark.parametrize("contact", [None, BELIEF], ids=["free", "rule"])
def test_the_mean_torque_is_the_one_asked_for(modulation, contact):
    """Within 1 % of it, also with pulses of 50 ms at least, and where the rule defers them."""
    slow = [ThrusterDescription(each.name, each.p_C, X, 375.0, 0.0, 0.0, 0.05) for each in ENGINES]
    asked = np.array([0.0, 70.0, -40.0])
    described = description(modulation=modulation, torque=asked, contact=contact, duration=60.0)
    model_thrusters = [OTHER, *slow]
    model = build(described, model_thrusters, PERIOD)
    rows = np.zeros((round(100.0 / PERIOD), len(THRUSTERS) + 1))
    state = start(model)
    push(model, state, turned_by(), (MASS, SHARE, STIFFNESS, DAMPING), rows)
    assert state.memory[boost.PHASE] == boost.DONE
    assert state.memory[boost.MISSED] < 1e-9
    # what is left over at the end: half a shortest pulse of an engine in 80 s, 0.1 N m
    np.testing.assert_allclose(torque_of(rows[:, :-1]), asked, atol=0.01 * np.linalg.norm(asked))


def test_with_the_rule_the_bodies_stay_together_and_without_it_they_part():
    after = round(0.6 / PERIOD)  # begins at 0.5 s, from a contact without force
    for contact, stays in ((BELIEF, True), (None, False)):
        valves, force, _ = pushed(description(contact=contact), 25.0)
        least = force[after:][valves[after:].any(axis=1)].min()
        assert (least > 0.0) == stays
        if stays:
            assert least > 0.95 * BELIEF.margin  # the midpoints' error


def test_attitude_control_turns_back_and_brakes():
    plan = build(
        description(kp=np.array([1.0, 2.0, 3.0]), kd=np.array([4.0, 5.0, 6.0])), THRUSTERS, PERIOD
    ).plan
    half = 0.05
    held = (math.cos(0.3), 0.0, math.sin(0.3), 0.0)
    q = (math.cos(0.3 + half), 0.0, math.sin(0.3 + half), 0.0)  # turned by 0.1 rad about y
    torque = hold_attitude.py_func(plan, held, q, (0.01, 0.02, -0.03))
    np.testing.assert_allclose(torque, [-0.04, -0.2 - 0.1, 0.18], rtol=1e-12)


def test_a_turn_is_answered_with_the_opposite_torque():
    """Rate about y seen throughout: τ = -kd w."""
    valves, _, _ = pushed(description(kd=np.array([0.0, 5e3, 5e3])), 30.0, rate=(0.0, 0.01, -0.004))
    np.testing.assert_allclose(torque_of(valves), [0.0, -50.0, 20.0], atol=0.5)


def test_the_attitude_at_the_begin_is_held():
    """However it is: no error, no torque."""
    turn = (math.cos(0.4), math.sin(0.4), 0.0, 0.0)
    _, _, state = pushed(description(kp=np.full(3, 1e4)), 3.0, turn=turn)
    np.testing.assert_allclose(state.memory[boost.COMMANDED : boost.COMMANDED + 3], 0.0, atol=1e-11)


def test_no_boost_asks_for_nothing():
    model = build(None, THRUSTERS, PERIOD)
    rows = np.zeros((50, len(THRUSTERS) + 1))
    push(model, start(model), turned_by(), (MASS, SHARE, STIFFNESS, 0.0), rows)
    assert not rows[:, :-1].any()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"engines": ("lu", "ld", "ruu")}, "no thruster 'ruu'; did you mean 'ru'?"),
        (
            {"begin": 0.003},
            "boost.from_s: 0.003 s is not a whole number of control periods of 0.002",
        ),
        ({"cycle": 0.0015}, "boost.cycle_s: 0.0015 s is not a whole number"),
        (
            {"torque": np.array([0.0, 400.0, 0.0])},
            "boost.torque_N_m: commanded 400 N m along [0, 1, 0] in C, achievable up to 258.6 N m;",
        ),
        (
            {"engines": ("lu", "other")},
            "'other' does not push in the direction of the other engines",
        ),
    ],
)
def test_an_impossible_boost_is_refused(changes, says):
    with pytest.raises(InputError) as caught:
        build(description(**changes), THRUSTERS, PERIOD)
    assert says in str(caught.value)
