"""An adversary who knows the state of the guard, and a checker who knows only what came out.

Nothing here is stored compiled: Numba would not notice an edit of the cell in its other file.
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.jit import part
from proxops.facility.common.guard import table as of
from tests.facility.planar_cell import AXES, BASES, JOINTS, LINK, PERIOD, guard_step

ACTIVE = 50  # cycles with input, the first of them a release
LEAD = 3  # cycles at rest before it, so that every difference has its past

# Dice of a cycle, after one for every axis
STYLE = AXES  # how the commands are made: taken from the first cycle
ATTACK = AXES + 1  # what is thrown: from the first cycle, and when, from the second
CHANCE = AXES + 2
SIZE = AXES + 3
DICE = AXES + 4

# What is thrown at the guard
NOT_A_NUMBER, INFINITE, JUMP, LATE, REPEATED, REORDERED, SKIPPED, MISSING = range(8)
SPIKE, NAN_SPIKE, PRESSED, NAN_NUMBER, SLOWER, REVERSED, NOTHING = range(8, 15)
ATTACKS = 15

# Entries of Track.verdict
ALTERED = 0  # a command was sent, but not as it came
LEAPT = 1  # a mode followed another that it must not follow
MISNAMED = 2  # the reason was not that of the attack
ENDLESS = 3  # no stop after the input had ended
RUNNING_CYCLES = 4
STOPS = 5
VERDICT = 6

# Entries of what worst_of fills
POSITION, SPEED = 0, 1  # over the limit [rad], [rad/s]
ACCELERATION, JERK = 2, 3  # share of the limit
APART, ASIDE = 4, 5  # smallest distance of the tips, largest |y| of a tip [m]
RUNNING_APART, RUNNING_ASIDE = 6, 7  # the same of commands that were sent
WORST = 8

TOGETHER = 0.6  # styles above it move both robots as one


class Track(NamedTuple):
    """What happened: one row a sequence."""

    dice: np.ndarray
    outputs: np.ndarray  # (sequences, cycles, axes)
    modes: np.ndarray
    hard: np.ndarray  # 1 while an emergency is on
    override: np.ndarray
    lengths: np.ndarray
    reasons: np.ndarray  # how often each was given
    verdict: np.ndarray


@part
def copy(source, target):
    """Copies numbers: assigning arrays would allocate."""
    for i in range(target.shape[0]):
        target[i] = source[i]


@part
def begin(guard, memory, dice):
    """Stands somewhere, now and then close to the end of an axis."""
    memory.status[:] = 0
    memory.numbers[:] = 0.0
    memory.log[:] = 0.0
    memory.sent[of.V :] = 0.0
    for axis in range(AXES):
        u = dice[axis]
        if dice[STYLE] < 0.2 and u > 0.8:
            low, high = guard.axes[axis, of.LOWER], guard.axes[axis, of.UPPER]
            near = 0.2 * (u - 0.8)
            memory.sent[of.Q, axis] = high - near if u > 0.9 else low + near + 0.02
        else:
            memory.sent[of.Q, axis] += 0.2 * (u - 0.5)


@part
def drive(guard, memory, dice, cycle, q):
    """Commands that go for the limits: fast, chattering, or both robots as one."""
    style, eager = dice[0, STYLE], 0.5 + 0.6 * dice[0, SIZE]
    for axis in range(AXES):
        leader = axis % JOINTS if style > TOGETHER else axis
        row = guard.axes[leader]
        v = memory.sent[of.V, leader]
        a = (v - memory.sent[of.V_BEFORE, leader]) / PERIOD
        if 0.5 < style < 0.55:
            jerk = row[of.JERK] * (1.0 - 2.0 * (cycle % 2)) * (1.0 + 1e-6 * (dice[0, axis] - 0.5))
        else:
            leg = cycle // 20
            aim = 2.0 * dice[leg, leader] - 1.0
            if eager > 0.8:
                aim = 1.0 if aim > 0.0 else -1.0
            wish = (aim * eager * row[of.SPEED] - v) * 30.0
            most = min(1.0, eager) * row[of.ACCELERATION]
            wish = min(most, max(-most, wish))
            most = min(0.999, 0.5 + dice[1, SIZE]) * row[of.JERK]
            jerk = min(most, max(-most, (wish - a) / PERIOD))
        q[axis] = memory.sent[of.Q, axis] + PERIOD * (v + PERIOD * (a + PERIOD * jerk))


@part
def throw(attack, given, memory, dice):
    """Spoils an input; the reason that must follow, or NONE where there may be several."""
    cues, axis = given.cues, int(AXES * dice[CHANCE])
    if attack == NOT_A_NUMBER:
        given.q[axis] = math.nan
        return of.NOT_FINITE
    if attack == INFINITE:
        given.q[axis] = math.inf if dice[SIZE] > 0.5 else -math.inf
        return of.NOT_FINITE
    if attack == JUMP:
        given.q[axis] += (dice[SIZE] - 0.5) * 10.0 ** (8.0 * dice[0] - 6.0)
    if attack == LATE:
        cues[of.AGE] = -1e-9 if dice[SIZE] < 0.1 else 0.012 + dice[SIZE]
        return of.STALE
    if attack == REPEATED:
        cues[of.SEQUENCE] -= 1.0
        return of.REPEATED
    if attack == REORDERED:
        cues[of.SEQUENCE] -= 2.0
        return of.OUT_OF_ORDER
    if attack == SKIPPED:
        cues[of.SEQUENCE] += 1.0
        return of.OUT_OF_ORDER
    if attack == MISSING:
        cues[of.ARRIVED] = 0.0
        return of.LINK_LOST
    if attack == SPIKE:
        given.watched[0] = 80.0 + 1000.0 * dice[SIZE] + 1e-9
        return of.MEASURED_FORCE
    if attack == NAN_SPIKE:
        given.watched[1] = math.nan
        return of.FIELD_NOT_FINITE
    if attack == PRESSED:
        cues[of.EMERGENCY] = 1.0
        return of.EMERGENCY_STOP
    if attack == NAN_NUMBER:
        cues[of.SEQUENCE] = math.nan
        return of.FIELD_NOT_FINITE
    if attack == SLOWER:
        cues[of.OVERRIDE] = 0.5 * dice[SIZE]
    if attack == REVERSED:
        for axis in range(AXES):
            given.q[axis] = memory.sent[of.Q, axis] - PERIOD * memory.sent[of.V, axis]
    return of.NONE


@part
def may_follow(before, mode, reset, emergency):
    """Whether the modes of two cycles are a step that the guard may take."""
    if mode == of.RUNNING:
        return before == of.RUNNING or (before == of.STOPPED and reset and not emergency)
    if mode == of.BRAKING:
        return before != of.STOPPED
    return before != of.RUNNING


@part
def attack_all(guard, cell, memory, given, home, track):
    """Runs all sequences."""
    longest = track.outputs.shape[1]
    cues = given.cues
    for s in range(track.outputs.shape[0]):
        dice = track.dice[s]
        copy(home, memory.sent[of.Q])
        begin(guard, memory, dice[0])
        for cycle in range(LEAD):
            copy(memory.sent[of.Q], track.outputs[s, cycle])
            track.modes[s, cycle] = of.STOPPED
            track.hard[s, cycle] = 0
            track.override[s, cycle] = 1.0
        attack, when = int(ATTACKS * dice[0, ATTACK]), 1 + int(ACTIVE * dice[1, ATTACK])
        number = 0.0
        for cycle in range(longest - LEAD):
            roll = dice[min(cycle, ACTIVE - 1)]
            before = memory.status[of.MODE]
            number += 1.0
            copy(memory.sent[of.Q], given.q)
            given.watched[:] = 0.0
            given.watched[0] = 79.0 if dice[0, STYLE] > TOGETHER else 0.0  # contact closed
            cues[:] = 0.0
            cues[of.ARRIVED] = 1.0 if cycle < ACTIVE else 0.0
            cues[of.SEQUENCE] = number
            cues[of.AGE] = 0.012 * roll[SIZE]
            cues[of.OVERRIDE] = 1.0
            cues[of.RESET] = 1.0 if cycle == 0 else 0.0
            expected = of.NONE
            if cycle > 0 and cycle < ACTIVE:
                if before == of.RUNNING:
                    drive(guard, memory, dice, cycle, given.q)
                    if cycle == when:
                        expected = throw(attack, given, memory, roll)
                else:  # more of it, with pleas for release
                    cues[of.RESET] = 1.0 if roll[STYLE] > 0.5 else 0.0
                    if roll[CHANCE] > 0.4:
                        throw(int(ATTACKS * roll[ATTACK]), given, memory, roll)
            mode = guard_step(guard, cell, memory, given)
            reason = memory.status[of.REASON]
            track.reasons[reason] += 1
            reset, pressed = cues[of.RESET] == 1.0, cues[of.EMERGENCY] != 0.0
            if not may_follow(before, mode, reset, pressed):
                track.verdict[LEAPT] += 1
            if before == of.RUNNING and mode == of.BRAKING:
                track.verdict[STOPS] += 1
                if reason == of.NONE or (expected != of.NONE and reason != expected):
                    track.verdict[MISNAMED] += 1
            if expected != of.NONE and mode == of.RUNNING:
                track.verdict[MISNAMED] += 1
            if mode == of.RUNNING:
                track.verdict[RUNNING_CYCLES] += 1
                number = cues[of.SEQUENCE]  # a first one may have any
                for axis in range(AXES):
                    if given.q[axis] != memory.sent[of.Q, axis]:
                        track.verdict[ALTERED] += 1
            at = cycle + LEAD
            copy(memory.sent[of.Q], track.outputs[s, at])
            track.modes[s, at] = mode
            track.hard[s, at] = 1 if pressed else 0
            track.override[s, at] = cues[of.OVERRIDE] if mode == of.RUNNING else 1.0
            track.lengths[s] = at + 1
            if cycle >= ACTIVE and mode == of.STOPPED:
                break
        if memory.status[of.MODE] != of.STOPPED:
            track.verdict[ENDLESS] += 1


@part
def worst_of(axes, track, worst):
    """How close the outputs came to each limit, or over it, from finite differences alone."""
    for s in range(track.outputs.shape[0]):
        q = track.outputs[s]
        hard = False
        for k in range(LEAD, track.lengths[s]):
            mode = track.modes[s, k]
            if track.modes[s, k - 1] == of.STOPPED:
                hard = False
            hard = hard or track.hard[s, k] == 1
            for i in range(AXES):
                v = (q[k, i] - q[k - 1, i]) / PERIOD
                a = (q[k, i] - 2.0 * q[k - 1, i] + q[k - 2, i]) / PERIOD**2
                j = (q[k, i] - 3.0 * q[k - 1, i] + 3.0 * q[k - 2, i] - q[k - 3, i]) / PERIOD**3
                most_a = axes[i, of.HARD_ACCELERATION if hard else of.ACCELERATION]
                most_j = axes[i, of.HARD_JERK if hard else of.JERK]
                over = max(q[k, i] - axes[i, of.UPPER], axes[i, of.LOWER] - q[k, i])
                worst[POSITION] = max(worst[POSITION], over)
                over = abs(v) - track.override[s, k] * axes[i, of.SPEED]
                worst[SPEED] = max(worst[SPEED], over)
                worst[ACCELERATION] = max(worst[ACCELERATION], abs(a) / most_a)
                worst[JERK] = max(worst[JERK], abs(j) / most_j)
            if mode == of.STOPPED and track.modes[s, k - 1] == of.STOPPED:
                continue  # where it stood at first is not the guard's doing
            one, other = _tip(q[k], 0), _tip(q[k], 1)
            apart = math.hypot(one[0] - other[0], one[1] - other[1])
            aside = max(abs(one[1]), abs(other[1]))
            worst[APART] = min(worst[APART], apart)
            worst[ASIDE] = max(worst[ASIDE], aside)
            if mode == of.RUNNING:
                worst[RUNNING_APART] = min(worst[RUNNING_APART], apart)
                worst[RUNNING_ASIDE] = max(worst[RUNNING_ASIDE], aside)


@part
def torn(track):
    """The largest difference [rad] between robots that were moved as one, up to their stop."""
    largest = 0.0
    for s in range(track.outputs.shape[0]):
        dice = track.dice[s]
        if dice[0, STYLE] <= TOGETHER or int(ATTACKS * dice[0, ATTACK]) == JUMP:
            continue
        q = track.outputs[s]
        moved = False
        for k in range(LEAD, track.lengths[s]):
            for i in range(JOINTS):
                start = q[0, i + JOINTS] - q[0, i]
                largest = max(largest, abs(q[k, i + JOINTS] - q[k, i] - start))
            moved = moved or track.modes[s, k] == of.BRAKING
            if moved and track.modes[s, k] == of.STOPPED:
                break
    return largest


@part
def _tip(q, robot):
    """x and y of a tip: the sum of its links as complex numbers."""
    end, turn = complex(BASES[robot], 0.0), complex(1.0 - 2.0 * robot, 0.0)
    for joint in range(JOINTS):
        angle = q[robot * JOINTS + joint]
        turn *= complex(math.cos(angle), math.sin(angle))
        end += LINK * turn
    return end.real, end.imag
