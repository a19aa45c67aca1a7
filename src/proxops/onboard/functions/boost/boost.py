"""The boost: engines push, hold the attitude by being off in turn, and make up for the time off.

Every cycle:  attitude and rate seen ─► torque ─► shares ─► off-pulses
Every tick:   off-pulses ─► separation rule, with the contact as seen ─► valves
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from proxops.bus.fields import Field
from proxops.core.description import ThrusterDescription
from proxops.core.errors import InputError
from proxops.core.jit import helper, part, pluggable
from proxops.core.spatial.quaternion import get4, put4, quat_inverse, quat_log, quat_mul
from proxops.core.spatial.vector import get3, norm, put3
from proxops.core.text import nearest
from proxops.onboard.function import Change, Function
from proxops.onboard.functions.boost import allocation, separation_rule
from proxops.onboard.functions.boost.achievable_torque import achievable_text, is_achievable
from proxops.onboard.functions.boost.allocation import Allocation, allocate
from proxops.onboard.functions.boost.engines import (
    ENGINE_WIDTH,
    FALL,
    LEFT,
    LEVEL,
    MEMORY_WIDTH,
    ON,
    RAMP,
    RISE,
    SHORTEST,
    SINCE,
    START,
    THRUST,
    WISH,
)
from proxops.onboard.functions.boost.kinds import BEGINS, ENDS, TORQUE_MISSED
from proxops.onboard.functions.boost.off_modulation import ALIGNED, STAGGERED, plan_pulses
from proxops.onboard.functions.boost.separation_rule import RULE_SIZE, move_valves, restrain
from proxops.physics.boost.thrust import follow

# Entries of Boost.plan
FROM = 0  # first tick of the boost
CYCLE = 1  # length of a cycle [ticks]
IMPULSE = 2  # planned: full thrust over the planned duration [N s]
PERIOD = 3  # of a tick [s]
MODULATION = 4  # NONE, ALIGNED or STAGGERED
HAS_RULE = 5  # one with the separation rule
TORQUE = 6  # to be held besides [N m], in C
KP = 9  # [N m/rad], axis by axis of C
KD = 12  # [N m s/rad]
PLAN_SIZE = 15
NONE = 0

# Entries of BoostState.memory
TICK = 0  # of the on-board clock
PHASE = 1  # WAITING, BURNING or DONE
DELIVERED = 2  # impulse [N s]
HELD = 3  # attitude to hold, q_NC at the begin
COMMANDED = 7  # torque of this cycle [N m], in C
MISSED = 10  # by how much the shares miss it [N m]
PLANNED = 11  # tick for which a cycle was last planned, plus one
MEMORY_SIZE = 12
WAITING = 0.0
BURNING = 1.0
DONE = 2.0

NO_THRUST = 20  # status
NO_THRUST_TEXT = (
    "obsw.boost: the engines can produce the commanded torque only with zero thrust; check their "
    "positions and p_CS_m, or use modulation = none"
)

_MODULATIONS = {"none": NONE, "aligned": ALIGNED, "staggered": STAGGERED}
_WHOLE = 1e-6  # how far from a whole number of ticks a time may be


class Boost(NamedTuple):
    """Everything that stays the same; without a boost all arrays are empty but the plan."""

    plan: np.ndarray
    number: np.ndarray  # of each engine among the chaser's thrusters
    engine_data: np.ndarray  # see onboard.functions.boost.engines
    allocation: Allocation
    rule: np.ndarray  # see onboard.functions.boost.separation_rule


class BoostState(NamedTuple):
    """Everything that changes; a copy of its arrays is a snapshot."""

    memory: np.ndarray
    engines: np.ndarray  # see onboard.functions.boost.engines
    shares: np.ndarray  # of this cycle [-]
    workspace: np.ndarray  # what the allocation overwrites


@dataclass(frozen=True)
class ContactBelief:
    """The contact as the separation rule believes it to be."""

    m_chaser: float  # [kg]
    m_target: float  # [kg]
    stiffness: float  # along the boost's axis, all pads together [N/m]
    damping: float  # [N s/m]
    margin: float  # least contact force to keep [N]


@dataclass(frozen=True)
class BoostDescription:
    """A boost; SI units, C axes."""

    engines: tuple[str, ...]  # names of thrusters
    begin: float  # [s]
    duration: float  # at full thrust [s]
    cycle: float  # [s]
    modulation: str  # none, aligned or staggered
    com: np.ndarray  # believed centre of mass of all that is pushed, in C [m]
    kp: np.ndarray  # attitude gains, axis by axis [N m/rad]
    kd: np.ndarray  # [N m s/rad]
    torque: np.ndarray  # to be held besides [N m]
    contact: ContactBelief | None  # None without the separation rule


def build(
    boost: BoostDescription | None, thrusters: Sequence[ThrusterDescription], period: float
) -> Boost:
    """The boost of a chaser with these thrusters, clocked with a period [s]."""
    if boost is None:
        empty = allocation.build(np.zeros((0, 3)))
        return Boost(
            np.zeros(PLAN_SIZE),
            np.zeros(0, dtype=np.int64),
            np.zeros((0, ENGINE_WIDTH)),
            empty,
            np.zeros(RULE_SIZE),
        )
    names = [each.name for each in thrusters]
    for name in boost.engines:
        if name not in names:
            raise InputError(
                f"obsw.boost: the chaser has no thruster {name!r}{nearest(name, names)}"
            )
    chosen = [names.index(name) for name in boost.engines]
    engines = [thrusters[i] for i in chosen]
    engine_data = _engine_data(engines, period)
    plan = np.zeros(PLAN_SIZE)
    plan[FROM] = _ticks("from_s", boost.begin, period)
    plan[CYCLE] = max(1.0, _ticks("cycle_s", boost.cycle, period))
    plan[IMPULSE] = engine_data[:, THRUST].sum() * boost.duration
    plan[PERIOD] = period
    plan[MODULATION] = _MODULATIONS[boost.modulation]
    plan[HAS_RULE] = boost.contact is not None
    plan[TORQUE : TORQUE + 3] = boost.torque
    plan[KP : KP + 3] = boost.kp
    plan[KD : KD + 3] = boost.kd
    torques = np.array(
        [np.cross(each.p_C - boost.com, each.thrust * each.direction) for each in engines]
    )
    if not is_achievable(torques, boost.torque):
        raise InputError(f"obsw.boost.torque_N_m: {achievable_text(torques, boost.torque)}")
    return Boost(
        plan,
        np.array(chosen, dtype=np.int64),
        engine_data,
        allocation.build(torques),
        _rule(boost.contact, period),
    )


def _engine_data(engines: Sequence[ThrusterDescription], period: float) -> np.ndarray:
    """What the boost knows of its engines; their axis is that of their common force."""
    total = np.sum([each.thrust * each.direction for each in engines], axis=0)
    engine_data = np.zeros((len(engines), ENGINE_WIDTH))
    for row, each in zip(engine_data, engines, strict=True):
        row[THRUST] = each.thrust * each.direction @ total / max(np.linalg.norm(total), 1e-300)
        row[SHORTEST] = np.ceil(each.min_pulse / period - _WHOLE)
        row[RAMP] = max(each.rise, each.fall)
        row[RISE], row[FALL] = each.rise, each.fall
        if not row[THRUST] > 0.0:
            raise InputError(
                f"obsw.boost: {each.name!r} does not push in the direction of the other engines"
            )
    return engine_data


def _rule(contact: ContactBelief | None, period: float) -> np.ndarray:
    if contact is None:
        return np.zeros(RULE_SIZE)
    masses = contact.m_chaser, contact.m_target
    return separation_rule.build(masses, contact.stiffness, contact.damping, contact.margin, period)


def _ticks(key: str, time: float, period: float) -> float:
    count = round(time / period)
    if abs(count * period - time) > _WHOLE * period:
        raise InputError(
            f"obsw.boost.{key}: {time:.12g} s is not a whole number of control periods "
            f"of {period:.12g} s"
        )
    return float(count)


def start(model: Boost) -> BoostState:
    """All engines off, for long."""
    engines = np.zeros((len(model.number), MEMORY_WIDTH))
    engines[:, SINCE] = np.inf
    return BoostState(
        np.zeros(MEMORY_SIZE),
        engines,
        np.zeros(len(model.number)),
        allocation.workspace_for(model.allocation),
    )


# --- compiled ------------------------------------------------------------------------------------


@helper
def hold_attitude(plan, held, q, w):
    """Torque to ask for, in C [N m]:  τ = τ₀ - kp θ - kd w,  θ the rotation from the held attitude
    to the present one."""
    turned = quat_log(quat_mul(quat_inverse(held), q))
    kp, kd, fixed = get3(plan, KP), get3(plan, KD), get3(plan, TORQUE)
    return (
        fixed[0] - kp[0] * turned[0] - kd[0] * w[0],
        fixed[1] - kp[1] * turned[1] - kd[1] * w[1],
        fixed[2] - kp[2] * turned[2] - kd[2] * w[2],
    )


@helper
def impulse_left(model, state):
    """What the planned impulse lacks if all valves closed now [N s]: thrust that falls still gives
    F²/F₀ t_fall/2."""
    left = model.plan[IMPULSE] - state.memory[DELIVERED]
    for i in range(model.engine_data.shape[0]):
        full, level = model.engine_data[i, THRUST], state.engines[i, LEVEL]
        if level != 0.0:
            left -= 0.5 * level * level / full * model.engine_data[i, FALL]
    return left


@helper
def is_delivered(model, state):
    """Whether the planned impulse is delivered, to half a tick of full thrust."""
    full = 0.0
    for i in range(model.engine_data.shape[0]):
        full += model.engine_data[i, THRUST]
    left = impulse_left(model, state)
    return left <= 0.5 * full * model.plan[PERIOD]


@helper
def wants_plan(model, state):
    """Whether a cycle begins with the coming tick that is not planned yet."""
    memory, plan = state.memory, model.plan
    since = memory[TICK] - plan[FROM]
    if state.shares.shape[0] == 0 or since < 0.0 or memory[PHASE] == DONE:
        return False
    begins = since % plan[CYCLE] == 0.0 and memory[PLANNED] != memory[TICK] + 1.0
    return begins and not is_delivered(model, state)


@part
def plan_cycle(model, state, measurements):
    """Writes shares and off-pulses of a cycle."""
    memory = state.memory
    memory[PLANNED] = memory[TICK] + 1.0
    if memory[PHASE] == WAITING:
        memory[PHASE] = BURNING
        put4(memory, HELD, get4(measurements.ideal_q_NC, 0))
    if model.plan[MODULATION] == NONE:
        for i in range(state.shares.shape[0]):
            state.shares[i] = 1.0
    else:
        torque = hold_attitude(
            model.plan,
            get4(memory, HELD),
            get4(measurements.ideal_q_NC, 0),
            get3(measurements.ideal_w_NC_C, 0),
        )
        put3(memory, COMMANDED, torque)
        memory[MISSED] = allocate(model.allocation, torque, state.workspace, state.shares)
    # The last cycle is as long as the impulse left over takes: cut short it would turn the bodies.
    pace = 0.0
    for i in range(state.shares.shape[0]):
        pace += state.shares[i] * model.engine_data[i, THRUST] * model.plan[PERIOD]
    ticks = np.floor(impulse_left(model, state) / pace + 0.5)
    length = min(model.plan[CYCLE], max(1.0, ticks))
    staggered = model.plan[MODULATION] == STAGGERED
    plan_pulses(model.engine_data, state.engines, state.shares, length, staggered)


@part
def push_on(model, engines):
    """Lets the thrust follow the valves for a tick; returns its impulse [N s]."""
    thrust = 0.0
    for i in range(engines.shape[0]):
        full = model.engine_data[i, THRUST]
        ramp = model.engine_data[i, RISE] if engines[i, ON] == 1.0 else model.engine_data[i, FALL]
        engines[i, LEVEL], mean = follow(
            engines[i, LEVEL], engines[i, ON] * full, ramp, full, model.plan[PERIOD]
        )
        thrust += mean
    return thrust * model.plan[PERIOD]


@part
def burn(model, state, measurements, now):
    """Moves the valves at a tick `now` of the cycle; returns the impulse of the tick [N s]."""
    engines = state.engines
    for i in range(engines.shape[0]):
        off = now >= engines[i, START] and engines[i, LEFT] > 0.0
        engines[i, WISH] = 0.0 if off else 1.0
    if model.plan[HAS_RULE] == 1.0:
        restrain(
            model.rule,
            model.engine_data,
            engines,
            measurements.ideal_x[0],
            measurements.ideal_x_rate[0],
        )
    move_valves(model.engine_data, engines)
    return push_on(model, engines)


@part
def run_down(model, state):
    """Closes all valves, each once its minimum pulse is over; returns the impulse of the tick."""
    for i in range(state.engines.shape[0]):
        state.engines[i, WISH] = 0.0
    move_valves(model.engine_data, state.engines)
    return push_on(model, state.engines)


@part
def ask_boost(model, state, measurements, valves_out):
    """Writes, at a control instant, which valves of the boost's engines shall be open; a cycle that
    begins must have been planned.

    The boost ends when the planned impulse is delivered, to half a tick of full thrust: it lasts
    longer by what being off has cost.  What thrust gives while it falls counts as it comes.
    """
    memory, plan = state.memory, model.plan
    since = memory[TICK] - plan[FROM]
    memory[TICK] += 1.0
    if memory[PHASE] == WAITING:
        return
    if memory[PHASE] == BURNING and is_delivered(model, state):
        memory[PHASE] = DONE
    if memory[PHASE] == DONE:
        memory[DELIVERED] += run_down(model, state)
    else:
        memory[DELIVERED] += burn(model, state, measurements, since % plan[CYCLE])
    for i in range(model.number.shape[0]):
        valves_out[model.number[i]] = int(state.engines[i, ON])


@helper
def pushes(shares):
    """Whether any engine has a share."""
    largest = 0.0
    for i in range(shares.shape[0]):
        largest = max(largest, abs(shares[i]))
    return largest > 0.0


NOTABLE = 0.01  # share of a torque beyond which it counts as missed
NO_TORQUE = 0.1  # [N m]; less is not looked at

FIELDS = (
    Field("boost.phase", title="Phase of the boost: waiting, burning, done"),
    Field("boost.torque", "N m", "C", (3,), "Torque of the boost", signal="obsw.boost.torque"),
    Field("boost.impulse", "N s", title="Impulse of the boost", signal="obsw.boost.impulse"),
    Field("boost.misses", title="Whether the engines miss the torque, 1: they do"),
)


class BoostInputs(NamedTuple):
    """What it reads."""

    ideal_q_NC: np.ndarray
    ideal_w_NC_C: np.ndarray
    ideal_x: np.ndarray
    ideal_x_rate: np.ndarray


class BoostOutputs(NamedTuple):
    """What it writes."""

    valves: np.ndarray
    boost_phase: np.ndarray
    boost_torque: np.ndarray
    boost_impulse: np.ndarray
    boost_misses: np.ndarray


@pluggable
def step(params, memory, inputs, outputs):
    """The boost as a function on board: ideal sensors in, valves out."""
    if wants_plan(params, memory):
        plan_cycle(params, memory, inputs)
        if not pushes(memory.shares):
            return NO_THRUST
    ask_boost(params, memory, inputs, outputs.valves)
    kept = memory.memory
    torque = get3(kept, COMMANDED)
    outputs.boost_phase[0] = kept[PHASE]
    put3(outputs.boost_torque, 0, torque)
    outputs.boost_impulse[0] = kept[DELIVERED]
    misses = kept[MISSED] > max(NOTABLE * norm(torque), NO_TORQUE)
    outputs.boost_misses[0] = 1.0 if misses else 0.0
    return 0


def function(boost: Boost, period: int) -> Function:
    """The boost, every period [ns]."""

    def phase(value: float, details: np.ndarray) -> tuple[str, str] | None:
        kind = {BURNING: BEGINS, DONE: ENDS}.get(value)
        return None if kind is None else (kind, "obsw.boost")

    def misses(value: float, torque: np.ndarray) -> tuple[str, str] | None:
        text = achievable_text(boost.allocation.torques, torque)
        return (TORQUE_MISSED, f"obsw.boost: {text}") if value == 1.0 else None

    return Function(
        "boost",
        step,
        BoostInputs,
        BoostOutputs,
        boost,
        start(boost),
        period,
        FIELDS,
        changes=(
            Change("boost.phase", phase, "boost.torque"),
            Change("boost.misses", misses, "boost.torque"),
        ),
        failures={NO_THRUST: NO_THRUST_TEXT},
    )
