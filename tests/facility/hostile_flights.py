"""Hostile targets for two vehicles: whatever is asked for, flights keep apart and inside.

An adversary who knows what the guard has sent drives targets at its limits: at the other vehicle,
to and fro, over it, leaning; and throws in what no autopilot should get.  Flights are those of the
horizontal cascades with rotors' lag and drag, or of whole vehicles.
"""

import math

import numpy as np

from proxops.core.by_address import pinned
from proxops.core.jit import kernel, part
from proxops.core.spatial.quaternion import put4
from proxops.core.spatial.vector import get3, put3
from proxops.facility.arena import memory as of
from proxops.facility.arena.attitude import attitude_of
from proxops.facility.arena.carry import carry, move_target
from proxops.facility.arena.cascades import force_wanted
from proxops.facility.arena.fence import AXES, ROLL, YAW, X, Y
from proxops.facility.arena.guard import NOTHING, REASON
from proxops.facility.arena.guarded import begin_guard, guard_targets
from proxops.facility.arena.vehicle import CYCLE, GRAVITY, flight
from proxops.facility.common.guard import table
from tests.facility.arena_cases import CYCLES, arena_in_air, shipped

PERIOD = CYCLES * CYCLE
ACTIVE = 250  # cycles of an attack
AFTER = 380  # a stop, and what the vehicles overshoot
LEG = 25  # cycles for which a random aim is kept
DICE = 16
SEED = 20_261_118

# Styles of driving
AT_EACH_OTHER, AT_RANDOM, TO_AND_FRO, OVER_IT, LEANING, SPIRAL = range(6)
STYLES = 6
# What is thrown in
NAN, INFINITE, HUGE, ONTO, JUMP, BACKWARDS, NO_ROTATION, FLIPPED, PRESSED, NOTHING_THROWN = range(
    10
)
THROWN = 12  # some throw nothing

# What is found
APART, ERROR, OUTSIDE, SPEED, ACCELERATION, JERK, ALTERED, ENDLESS, STOPS, SENT = range(10)
FOUND = 10


@part
def aim(lab, style, dice, cycle, which, wish):
    """Writes the acceleration that the adversary wants of x, y and z [shares of the limit]."""
    sent, at, other = lab.memory.sent, AXES * which, AXES * (1 - which)
    dx = sent[table.Q, other + X] - sent[table.Q, at + X]
    dy = sent[table.Q, other + Y] - sent[table.Q, at + Y]
    away = math.hypot(dx, dy) + 1e-9
    ux, uy = dx / away, dy / away
    roll = dice[min(cycle // LEG, dice.shape[0] - 1)]
    put3(wish, 0, (2.0 * roll[which] - 1.0, 2.0 * roll[2 + which] - 1.0, 0.0))
    if style == AT_EACH_OTHER:
        put3(wish, 0, (3.0 * ux, 3.0 * uy, 0.0))
    elif style == TO_AND_FRO:
        # as slow as the loop's own oscillation, then at it
        pause = 40.0 + 160.0 * dice[0, 4]
        sign = 1.0 if (cycle % pause) < 0.5 * pause else -1.0
        sign = 1.0 if cycle > ACTIVE - 60 else sign
        put3(wish, 0, (3.0 * sign * ux, 3.0 * sign * uy, 0.0))
    elif style == OVER_IT:
        put3(wish, 0, (ux, uy, 1.0 - 2.0 * which))
    elif style == SPIRAL:
        turn = 0.3 + dice[0, 4]
        put3(wish, 0, (ux - turn * uy, uy + turn * ux, 0.0))
    elif style == AT_RANDOM and roll[5] > 0.5:
        put3(wish, 0, (math.copysign(3.0, wish[0]), math.copysign(3.0, wish[1]), 0.0))


@part
def drive(lab, style, dice, cycle, wish):
    """Writes both commands: as fast and as hard as the limits allow, now and then a bit more."""
    sent, fence, h = lab.memory.sent, lab.fence, lab.guard.settings[table.PERIOD]
    eager = 0.7 + 0.32 * dice[0, 6]
    for which in range(2):
        target, at = lab.commands[which], AXES * which
        aim(lab, style, dice, cycle, which, wish)
        for i in range(3):
            v = sent[table.V, at + i]
            most = min(1.0, eager) * lab.guard.axes[at + i, table.ACCELERATION]
            a = min(most, max(-most, most * wish[i]))
            top = eager * fence.speed
            a = min((top - v) / h, max((-top - v) / h, a))
            a = min(most, max(-most, a))
            was, step = (v - sent[table.V_BEFORE, at + i]) / h, 0.999 * fence.jerk * h
            a = min(was + step, max(was - step, a))
            target[of.TARGET_P + i] = sent[table.Q, at + i] + h * (v + h * a)
        lean = 0.0
        if style == LEANING:
            lean = 0.2 * dice[0, 7] * min(1.0, cycle / 100.0) ** 2 * (2.0 - cycle / 100.0) ** 2
            lean = 0.2 * dice[0, 7] if cycle >= 100 else lean
        yaw = sent[table.Q, at + YAW] + (0.01 * dice[0, 8] * min(1.0, cycle / 50.0))
        roll = lean if dice[0, 9] > 0.5 else 0.0
        pitch = lean if dice[0, 9] <= 0.5 else 0.0
        put4(target, of.TARGET_Q, attitude_of(roll, pitch, yaw))


@part
def throw(lab, thrown, roll):
    """Spoils a command."""
    which = 1 if roll[0] > 0.5 else 0
    target, other = lab.commands[which], lab.commands[1 - which]
    column = int(of.TARGET_SIZE * roll[1])
    if thrown == NAN:
        target[column] = math.nan
    elif thrown == INFINITE:
        target[column] = math.inf if roll[2] > 0.5 else -math.inf
    elif thrown == HUGE:
        target[column] = 1e300
    elif thrown == ONTO:
        put3(target, of.TARGET_P, get3(other, of.TARGET_P))
    elif thrown == JUMP:
        target[int(3.0 * roll[1])] += (roll[2] - 0.5) * 10.0 ** (1.0 - 6.0 * roll[3])
    elif thrown == BACKWARDS:
        for i in range(3):
            v = lab.memory.sent[table.V, AXES * which + i]
            target[of.TARGET_P + i] = lab.memory.sent[table.Q, AXES * which + i] - 0.02 * v
    elif thrown == NO_ROTATION:
        put4(target, of.TARGET_Q, (0.0, 0.0, 0.0, 0.0))
    elif thrown == FLIPPED:
        put4(target, of.TARGET_Q, (0.0, 1.0, 0.0, 0.0))
    elif thrown == PRESSED:
        lab.given.cues[table.EMERGENCY] = 1.0


@part
def fly_simply(lab, point, pilot, estimate):
    """A command cycle of both vehicles as points (2, 6): p, v and the thrust's acceleration."""
    craft, gains = lab.arena.vehicle, lab.arena.gains
    for which in range(2):
        target, x, y = lab.flight.targets[which], estimate[which], point[which]
        for _ in range(CYCLES):
            for i in range(2):
                x[of.EST_P + i], x[of.EST_V + i] = y[i], y[2 + i]
            x[of.EST_P + 2], x[of.EST_V + 2] = target[of.TARGET_P + 2], target[of.TARGET_V + 2]
            f = force_wanted(craft, gains, x, pilot[which], target, GRAVITY, CYCLE)
            for i in range(2):
                y[4 + i] += (f[i] / craft.mass - y[4 + i]) * CYCLE / craft.lag
                y[2 + i] += (y[4 + i] - craft.drag / craft.mass * y[2 + i]) * CYCLE
                y[i] += y[2 + i] * CYCLE
            move_target(target, CYCLE)


@part
def begin(lab, dice, place):
    """Both hover somewhere in the middle, often close to each other, sometimes near a wall."""
    fence = lab.fence
    turn, far = math.tau * dice[0], fence.apart + 0.01 + 2.5 * dice[1] * dice[1]
    half = 0.5 * far
    cx = (dice[2] - 0.5) * 2.0
    cy = (dice[3] - 0.5) * 2.0
    if dice[4] > 0.85:
        cx = fence.highest[0] - half - 0.05
    for which in range(2):
        sign = 1.0 - 2.0 * which
        put3(
            place[which],
            0,
            (
                cx + sign * half * math.cos(turn),
                cy + sign * half * math.sin(turn),
                2.0 + 3.0 * dice[5 + which],
            ),
        )


@part
def look(lab, found, before, place, q):
    """What the flight and the sent motion keep; `q` (4, 12) are the last positions sent."""
    fence, h = lab.fence, lab.guard.settings[table.PERIOD]
    away = math.hypot(place[0, 0] - place[1, 0], place[0, 1] - place[1, 1])
    found[APART] = min(found[APART], away)
    for which in range(2):
        for i in range(2):
            p = place[which, i]
            over = max(p - fence.highest[i], fence.lowest[i] - p)
            found[OUTSIDE] = max(found[OUTSIDE], over)
        dx = place[which, 0] - before[which, 0]
        dy = place[which, 1] - before[which, 1]
        found[ERROR] = max(found[ERROR], math.hypot(dx, dy))
    for axis in range(2 * AXES):
        v, v1, v2 = q[3, axis] - q[2, axis], q[2, axis] - q[1, axis], q[1, axis] - q[0, axis]
        row = lab.guard.axes[axis]
        found[SPEED] = max(found[SPEED], abs(v) / h / row[table.SPEED])
        limit = fence.acceleration if axis % AXES < ROLL else row[table.ACCELERATION]
        found[ACCELERATION] = max(found[ACCELERATION], abs(v - v1) / h**2 / limit)
        jerk = abs(v - 2.0 * v1 + v2) / h**3
        found[JERK] = max(found[JERK], jerk / row[table.JERK])


@part
def one_flight(lab, dice, full, room, found):
    """Attacks a flight that has begun; `room` is scratch."""
    point, pilot, estimate, wish, place, before, q, asked = room
    style, thrown = int(STYLES * dice[0, 10]), int(THROWN * dice[0, 11])
    when = 1 + int(ACTIVE * dice[0, 12])
    for row in range(4):
        for axis in range(2 * AXES):
            q[row, axis] = lab.memory.sent[table.Q, axis]
    still = 0
    for cycle in range(ACTIVE + AFTER):
        acting = cycle < ACTIVE and cycle > 0
        if acting and lab.memory.status[table.MODE] == table.RUNNING:
            drive(lab, style, dice, cycle, wish)
        elif not acting and cycle > 0:  # nobody drives any more: something no guard lets through
            lab.commands[0, of.TARGET_P] = math.nan
        if cycle == when or (cycle > when and dice[0, 13] > 0.7):
            throw(lab, thrown, dice[cycle % dice.shape[0]])
        for which in range(2):
            for i in range(of.TARGET_SIZE):
                asked[which, i] = lab.commands[which, i]
        guard_targets(lab)
        mode = lab.memory.status[table.MODE]
        if mode == table.RUNNING:
            found[SENT] += 1.0
            for which in range(2):
                for i in range(3):
                    if lab.flight.targets[which, i] != asked[which, i]:
                        found[ALTERED] += 1.0
        for which in range(2):
            put3(before[which], 0, get3(lab.flight.targets[which], of.TARGET_P))
            source = lab.flight.y[which] if full else point[which]
            put3(place[which], 0, (source[0], source[1], 0.0))
        for row in range(3):
            for axis in range(2 * AXES):
                q[row, axis] = q[row + 1, axis]
        for axis in range(2 * AXES):
            q[3, axis] = lab.memory.sent[table.Q, axis]
        if lab.ended[REASON] == NOTHING:
            look(lab, found, before, place, q)
        if full:
            carry(lab, CYCLES)
        else:
            fly_simply(lab, point, pilot, estimate)
        still = still + 1 if mode == table.STOPPED and cycle > 0 else 0
        if still * PERIOD > 0.9:  # before they land
            found[STOPS] += 1.0
            return
    found[ENDLESS] += 1.0


@part
def hover(lab, place, point, pilot, estimate):
    """Puts simple vehicles and targets there, at rest."""
    for which in range(2):
        target = lab.flight.targets[which]
        for i in range(of.TARGET_SIZE):
            target[i] = 0.0
        put3(target, of.TARGET_P, get3(place[which], 0))
        target[of.TARGET_Q] = 1.0
        for i in range(of.PILOT_SIZE):
            pilot[which, i] = 0.0
        pilot[which, of.MASS] = lab.arena.vehicle.mass
        for i in range(of.ESTIMATE_SIZE):
            estimate[which, i] = 0.0
        estimate[which, of.EST_Q] = 1.0
        for i in range(6):
            point[which, i] = 0.0
        point[which, 0], point[which, 1] = place[which, 0], place[which, 1]
        for i in range(of.TARGET_SIZE):
            lab.commands[which, i] = target[i]
    begin_guard(lab)


@kernel
def attack_simply(lab, dice, room, places, found):
    """A flight of points for each of the dice (n, rows, 16)."""
    for s in range(dice.shape[0]):
        begin(lab, dice[s, 1], places)
        hover(lab, places, room[0], room[1], room[2])
        one_flight(lab, dice[s], False, room, found)


@kernel
def attack_fully(lab, dice, room, found):
    """One flight of vehicles that hover."""
    begin_guard(lab)
    one_flight(lab, dice, True, room, found)


@kernel
def places_of(lab, dice, places):
    """Where a flight begins."""
    begin(lab, dice[1], places)


def scratch():
    """For one_flight."""
    return (
        np.zeros((2, 6)), np.zeros((2, of.PILOT_SIZE)), np.zeros((2, of.ESTIMATE_SIZE)),
        np.zeros(3), np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((4, 2 * AXES)),
        np.zeros((2, of.TARGET_SIZE)),
    )  # fmt: skip


def nothing_found():
    """Before anything is flown."""
    found = np.zeros(FOUND)
    found[APART], found[OUTSIDE] = np.inf, -np.inf
    return found


def dice_of(rng, count):
    return rng.random((count, 12, DICE))


def simple_flights(count, seed=SEED, batch=500, progress=None, given=None):
    """What so many flights of points keep at worst, and the fence."""
    lab, _ = arena_in_air(given or shipped(), np.array([[-3.0, 0.0, 3.0], [3.0, 0.0, 3.0]]))
    rng, found, room = np.random.default_rng(seed), nothing_found(), scratch()
    places = np.zeros((2, 3))
    for done in range(0, count, batch):
        dice = dice_of(rng, min(batch, count - done))
        attack_simply(pinned(lab), dice, room, places, found)
        if progress is not None:
            progress(min(count, done + batch), found)
    return found, lab.fence


def full_flights(count, seed=SEED, progress=None, given=None):
    """The same of vehicles with sensors, estimators, attitude and wake."""
    places = np.array([[-3.0, 0.0, 3.0], [3.0, 0.0, 3.0]])
    lab, drawn = arena_in_air(given or shipped(), places, seed)
    rng, found, room = np.random.default_rng(seed), nothing_found(), scratch()
    for done in range(count):
        dice = dice_of(rng, 1)[0]
        places_of(pinned(lab), dice, places)
        for mine, new in zip(lab.flight, flight(lab.arena, places, np.zeros(2)), strict=True):
            mine[...] = new
        lab.commands[:] = lab.flight.targets
        drawn.refill((ACTIVE + AFTER) * CYCLES)
        attack_fully(pinned(lab), dice, room, found)
        if progress is not None:
            progress(done + 1, found)
    return found, lab.fence
