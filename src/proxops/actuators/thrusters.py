"""Thrusters: valves that are open as long as they are commanded to, and thrust that follows."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.core.description import ThrusterDescription
from proxops.core.jit import part
from proxops.core.select import any_of, select
from proxops.core.spatial.vector import add3, cross, scale
from proxops.physics.boost.thrust import follow
from proxops.physics.multibody.tree import load3

# Columns of Thrusters.table, one row a thruster
P = 0  # where it pushes, in C [m]
DIRECTION = 3  # of the force on the chaser, in C
THRUST = 6  # [N]
RISE = 7  # [s]
FALL = 8  # [s]
MIN_PULSE = 9  # [s]
TABLE_WIDTH = 10

# Entries of the wrench: force, and torque about the hub's origin
FORCE = 0  # [N]
TORQUE = 3  # [N m]

CLOSED = 0.0
OPEN = 1.0

# [s]; a pulse is a sum of steps, whose rounding must not cost a step more
_SLACK = 1e-9


class Thrusters(NamedTuple):
    """The chaser's thrusters, in the order of the scenario."""

    table: np.ndarray


class ThrusterState(NamedTuple):
    """What changes."""

    level: np.ndarray  # thrust [N]
    valve: np.ndarray  # OPEN or CLOSED
    since: np.ndarray  # time since the valve last moved [s]
    impulse: np.ndarray  # ∫ F dt since the start [N s]
    share: np.ndarray  # of its thrust that each gives
    isolated: np.ndarray  # 1: the isolation valve before it is latched


def build(thrusters: Sequence[ThrusterDescription]) -> Thrusters:
    """The thrusters of a spacecraft."""
    table = np.zeros((len(thrusters), TABLE_WIDTH))
    for row, each in zip(table, thrusters, strict=True):
        row[P : P + 3] = each.p_C
        row[DIRECTION : DIRECTION + 3] = each.direction
        row[THRUST] = each.thrust
        row[RISE] = each.rise
        row[FALL] = each.fall
        row[MIN_PULSE] = each.min_pulse
    return Thrusters(table)


def start(model: Thrusters) -> ThrusterState:
    """All valves closed, for long."""
    count = len(model.table)
    return ThrusterState(
        np.zeros(count),
        np.full(count, CLOSED),
        np.full(count, math.inf),
        np.zeros(count),
        np.ones(count),
        np.zeros(count),
    )


@part
def until_valve_moves(model, burns, state, dt):
    """Time until a valve opens or closes within the coming dt, after those that move at once; dt if
    none does [s].  Steps that end there know no thrust but constant ones and ramps, so that motion
    does not depend on how long steps are."""
    soonest = dt
    for i in range(model.table.shape[0]):
        change = model.table[i, MIN_PULSE] - state.since[i]  # until then it may not move
        change = select(change <= _SLACK, burns[i], change)
        is_sooner = (change > _SLACK) & (change < soonest - _SLACK)
        soonest = select(is_sooner, change, soonest)
    return soonest


@part
def isolate(state, commands, burns):
    """Latches the isolation valves that are commanded to close (1): nothing opens them again, and
    without propellant a thruster burns no longer, whatever its own valve does."""
    for i in range(burns.shape[0]):
        if commands[i] >= 0.5:
            state.isolated[i] = 1.0
        if state.isolated[i] == 1.0:
            burns[i] = 0.0


@part
def fire(model, burns, state, dt, wrench_out):
    """Adds the mean wrench over the coming dt, in C at the hub's origin [N, N m]; takes dt off what
    each thruster has yet to burn [s].

    The mean, not the value at some instant: the impulse of a step is then exact.  Valves move at
    the begin of a step, and within it where a burn ends there; only once their last state has
    lasted the minimum pulse.  In a step of no length nothing changes.
    """
    for i in range(model.table.shape[0]):
        burns_on, shortest = burns[i] > _SLACK, model.table[i, MIN_PULSE]
        may_move = (state.since[i] + _SLACK >= shortest) & (dt > 0.0)
        commanded = select(burns_on, OPEN, CLOSED)
        moves = may_move & (commanded != state.valve[i])
        state.since[i] = select(moves, 0.0, state.since[i])
        state.valve[i] = select(moves, commanded, state.valve[i])
        is_open, fall = state.valve[i] == OPEN, model.table[i, FALL]
        full = model.table[i, THRUST] * state.share[i]
        is_cut = is_open & burns_on & (burns[i] < dt - _SLACK)
        opened = select(is_cut, min(dt, max(burns[i], shortest - state.since[i])), dt)
        target, ramp = select(is_open, full, 0.0), select(is_open, model.table[i, RISE], fall)
        state.level[i], mean = follow(state.level[i], target, ramp, full, opened)
        state.since[i] += opened
        is_cut = opened < dt
        if any_of(is_cut):
            closed = dt - opened
            level, after = follow(state.level[i], 0.0, fall, full, closed)
            state.level[i] = select(is_cut, level, state.level[i])
            mean = select(is_cut, (mean * opened + after * closed) / dt, mean)
            state.valve[i] = select(is_cut, CLOSED, state.valve[i])
            state.since[i] = select(is_cut, closed, state.since[i])
        state.impulse[i] += mean * dt
        burns[i] = max(0.0, burns[i] - dt)
        f = scale(mean, load3(model.table, i, DIRECTION))
        add3(wrench_out, FORCE, f)
        add3(wrench_out, TORQUE, cross(load3(model.table, i, P), f))
