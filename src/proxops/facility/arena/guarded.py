"""The guard in the arena: from the targets that are asked for to those that both vehicles get.

The axes of a vehicle are x, y, z, roll, pitch and yaw of its target.  A target goes out as it is,
or both vehicles brake along their way, hold, and land.  What is sent beside positions and angles
is what the guard knows of them, at the end of a cycle h: no velocity goes out that is not flown,

    v = v_k + ½ h a_k,    a = a_k

with its differences v_k and a_k.
"""

import math

from proxops.core.jit import kernel, part
from proxops.core.spatial.quaternion import get4, put4, quat_to_rotation
from proxops.core.spatial.vector import get3, put3
from proxops.facility.arena import memory as of
from proxops.facility.arena.attitude import angles_of, attitude_of, rate_of
from proxops.facility.arena.carry import AGE, CLOCK, carry, end_flight, send
from proxops.facility.arena.fence import AXES, PITCH, ROLL, YAW, X, Y, Z, acceleration_left
from proxops.facility.arena.guard import ACTED, GUARD, NOTHING, REASON
from proxops.facility.common.guard import table
from proxops.facility.common.guard.step import guard_of
from proxops.facility.common.rows import PAIR
from proxops.physics.multirotor.body import STATE_SIZE

HOLD = 1.0  # between a stop and the landing [s]
UNIT = 1e-6  # how far from one the length of an attitude may be
LEAST = 1e-3  # acceleration that is left where rotors have none [m/s2]


@part
def columns(_, q, frames):
    """Writes where the columns of both vehicles stand: they are seen from above."""
    for which in range(PAIR):
        frame = frames[which]
        put3(frame, table.POSITION, (q[AXES * which + X], q[AXES * which + Y], 0.0))
        put4(frame, table.ATTITUDE, (1.0, 0.0, 0.0, 0.0))


guard_step = guard_of(columns)


@part
def ask_for(lab):
    """Writes the axes of both commands, yaw counted on over full turns, and what a vehicle that
    leans like that may be accelerated by.  An attitude that is no rotation is no number."""
    for which in range(PAIR):
        target, at = lab.commands[which], AXES * which
        put3(lab.given.q, at, get3(target, of.TARGET_P))
        q = get4(target, of.TARGET_Q)
        size = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
        if not abs(size - 1.0) <= UNIT:
            put3(lab.given.q, at + ROLL, (math.nan, math.nan, math.nan))
            continue
        roll, pitch, yaw = angles_of(q)
        before = lab.memory.sent[table.Q, at + YAW]
        yaw += math.tau * math.floor((before - yaw) / math.tau + 0.5)
        put3(lab.given.q, at + ROLL, (roll, pitch, yaw))
        R = quat_to_rotation(q)
        left = max(LEAST, acceleration_left(lab.fence, math.hypot(R[2], R[5])))
        for axis in (at + X, at + Y):
            lab.guard.axes[axis, table.ACCELERATION] = left
            lab.guard.axes[axis, table.HARD_ACCELERATION] = left


@part
def put_motion(lab, which):
    """Writes velocity, acceleration and rate of what is sent; where the guard stops, also place and
    attitude."""
    target, sent, at = lab.commands[which], lab.memory.sent, AXES * which
    h = lab.guard.settings[table.PERIOD]
    for i in range(3):
        v, gain = sent[table.V, at + i], sent[table.V, at + i] - sent[table.V_BEFORE, at + i]
        target[of.TARGET_V + i] = v + 0.5 * gain
        target[of.TARGET_A + i] = gain / h
    roll, pitch, yaw = sent[table.Q, at + ROLL], sent[table.Q, at + PITCH], sent[table.Q, at + YAW]
    v, before = get3(sent[table.V], at + ROLL), get3(sent[table.V_BEFORE], at + ROLL)
    rates = 1.5 * v[0] - 0.5 * before[0], 1.5 * v[1] - 0.5 * before[1], 1.5 * v[2] - 0.5 * before[2]
    put3(target, of.TARGET_W, rate_of(pitch, yaw, rates))
    if lab.memory.status[table.MODE] != table.RUNNING:
        put3(target, of.TARGET_P, get3(sent[table.Q], at + X))
        put4(target, of.TARGET_Q, attitude_of(roll, pitch, yaw))


@part
def judge_targets(lab):
    """One cycle of the guard: turns what is asked for in `lab.commands` into what is sent; returns
    its mode."""
    cues = lab.given.cues
    cues[table.ARRIVED] = 1.0
    cues[table.SEQUENCE] += 1.0
    cues[table.AGE] = max(lab.flight.clock[AGE], lab.flight.clock[AGE + 1])
    cues[table.OVERRIDE] = 1.0
    ask_for(lab)
    mode = guard_step(lab.guard, 0, lab.memory, lab.given)
    for which in range(PAIR):
        put_motion(lab, which)
    return mode


@part
def guard_targets(lab):
    """Sends both vehicles what the guard lets through.  Once it has stopped them they are held for
    a while, and land."""
    if lab.ended[REASON] == NOTHING:
        mode = judge_targets(lab)
        if mode != table.RUNNING and math.isinf(lab.ended[ACTED]):
            lab.ended[ACTED] = lab.flight.clock[CLOCK]
        if mode == table.STOPPED:
            lab.held[0] += 1
            if lab.held[0] * lab.guard.settings[table.PERIOD] >= HOLD:
                end_flight(lab, GUARD)
    for which in range(PAIR):
        send(lab, which, lab.commands[which])


@part
def begin_guard(lab):
    """Both stand where their targets are; the first command releases them."""
    memory, given = lab.memory, lab.given
    for axis in range(PAIR * AXES):
        memory.sent[table.V, axis] = memory.sent[table.V_BEFORE, axis] = 0.0
    for which in range(PAIR):
        target = lab.flight.targets[which]
        put3(memory.sent[table.Q], AXES * which + X, get3(target, of.TARGET_P))
        put3(memory.sent[table.Q], AXES * which + ROLL, angles_of(get4(target, of.TARGET_Q)))
    for i in range(table.STATUS):
        memory.status[i] = 0
    for i in range(table.NUMBERS):
        memory.numbers[i] = 0.0
    memory.log[0, table.USED] = memory.log[0, table.LOST] = 0.0
    for i in range(table.CUES):
        given.cues[i] = 0.0
    given.cues[table.RESET] = 1.0
    lab.held[0] = 0
    lab.ended[REASON], lab.ended[ACTED] = NOTHING, math.inf


@kernel
def stand(lab):
    """Both vehicles stand on the floor, behind a guard that knows it."""
    begin_guard(lab)
    fence_off(lab, 0.0)


@part
def fence_off(lab, height):
    """Lets nothing below a height [m]."""
    for which in range(PAIR):
        lab.guard.axes[AXES * which + Z, table.LOWER] = height


@kernel
def stand_in_air(lab):
    """Both vehicles are at rest in the air, behind a guard that knows it."""
    begin_guard(lab)
    fence_off(lab, lab.fence.lowest[Z])


@kernel
def raise_floor(lab):
    """In the air: from here on targets keep off the floor."""
    fence_off(lab, lab.fence.lowest[Z])


@kernel
def first_refused(lab, targets):
    """The first of targets (n, 2, 16) that the guard does not let through, n if it lets all; flies
    nothing."""
    for i in range(targets.shape[0]):
        for which in range(PAIR):
            for k in range(of.TARGET_SIZE):
                lab.commands[which, k] = targets[i, which, k]
        if judge_targets(lab) != table.RUNNING:
            return i
    return targets.shape[0]


@kernel
def fly_guarded(lab, targets, cycles, flown):
    """Flies targets (n, 2, 16) as far as the guard lets them through, one every so many cycles, and
    writes both states at their instants (n, 2, 19)."""
    for i in range(targets.shape[0]):
        for which in range(PAIR):
            for k in range(of.TARGET_SIZE):
                lab.commands[which, k] = targets[i, which, k]
            for k in range(STATE_SIZE):
                flown[i, which, k] = lab.flight.y[which, k]
        guard_targets(lab)
        carry(lab, cycles)
