"""What carries the motion: two virtual multirotors with their autopilots, or a link to real ones.

A command is a target for each (memory.TARGET_*): position, velocity, acceleration, attitude and
its rate.  Between commands an autopilot moves its target on by these.  A cycle of 2.5 ms:

    IMU, motion capture ─► estimator ─► cascades ─► rotor commands ─► air, rotors, bodies

When motion capture is lost, both vehicles land where they are, by what their IMUs say; so they do
when one of them comes to what facility.arena.watch does not let pass.
"""

import math

from proxops.core.jit import at_entry, kernel, part
from proxops.core.spatial.quaternion import get4, put4, quat_exp, quat_mul, quat_to_rotation
from proxops.core.spatial.vector import ZERO, add, add3, get3, mul, norm, put3, scale
from proxops.facility.arena import memory as of
from proxops.facility.arena.cascades import control
from proxops.facility.arena.estimator import fuse, predict, spread
from proxops.facility.arena.faults import rotor_share, wind_at
from proxops.facility.arena.guard import NOTHING, POSE_LOST, REASON, WHEN
from proxops.facility.arena.sensing import capture_pose, imu
from proxops.facility.arena.vehicle import CYCLE, GRAVITY, SUBSTEPS
from proxops.facility.arena.watch import discharge, found_in_flight
from proxops.facility.common.rows import PAIR
from proxops.physics.multirotor.body import STATE_SIZE, Body, P, Q, T, V, W, advance_body
from proxops.physics.multirotor.mixer import ROTORS
from proxops.physics.multirotor.wake import air_velocity, thrust_share

CARRY = 0  # place of its address in ArenaLab.entries
CLOCK, AGE = 0, 1  # entries of Flight.clock


@part
def body_of(arena, flight, which):
    """A vehicle with what acts on it."""
    craft, loads = arena.vehicle, arena.loads
    return Body(
        loads.mass[which],
        loads.inertia[which],
        loads.mixer[which],
        craft.lag,
        craft.drag,
        GRAVITY,
        flight.commands[which],
        flight.shares[which],
        flight.air[which],
    )


@part
def blow(arena, flight):
    """Writes the air at each vehicle, moved by wind and the other's wake, and what that leaves of
    each rotor's thrust."""
    craft, t = arena.vehicle, flight.clock[CLOCK]
    wind = wind_at(arena.wind, arena.faults, t)
    for which in range(PAIR):
        other = flight.y[1 - which]
        up = mul(quat_to_rotation(get4(other, Q)), (0.0, 0.0, 1.0))
        thrust = 0.0
        for i in range(ROTORS):
            thrust += craft.mixer[2, i] * other[T + i]
        y = flight.y[which]
        p, p_other, R = get3(y, P), get3(other, P), quat_to_rotation(get4(y, Q))
        wake = air_velocity(craft.jet, p_other, up, thrust, p)
        put3(flight.air[which], 0, add(wind, wake))
        for i in range(ROTORS):
            at = add(p, mul(R, get3(craft.rotors[i], 0)))
            wake = air_velocity(craft.jet, p_other, up, thrust, at)
            left = thrust_share(craft.jet, mul(R, get3(craft.axes[i], 0)), wake)
            flight.shares[which, i] = rotor_share(arena.faults, t, which, i) * left


@part
def move_target(target, dt):
    """Moves a target on: constant acceleration and angular velocity."""
    a, v = get3(target, of.TARGET_A), get3(target, of.TARGET_V)
    add3(target, of.TARGET_P, add(scale(dt, v), scale(0.5 * dt * dt, a)))
    add3(target, of.TARGET_V, scale(dt, a))
    turned = quat_exp(scale(dt, get3(target, of.TARGET_W)))
    put4(target, of.TARGET_Q, quat_mul(turned, get4(target, of.TARGET_Q)))


@part
def begin_landing(flight, which, gains):
    """Replaces the target by one that goes down from the estimated place, level, heading kept."""
    target, x = flight.targets[which], flight.estimate[which]
    put3(target, of.TARGET_P, get3(x, of.EST_P))
    put3(target, of.TARGET_V, (0.0, 0.0, -gains.land_speed))
    put3(target, of.TARGET_A, ZERO)
    put3(target, of.TARGET_W, ZERO)
    q = get4(target, of.TARGET_Q)
    size = (q[0] * q[0] + q[3] * q[3]) ** 0.5
    put4(target, of.TARGET_Q, (q[0] / size, 0.0, 0.0, q[3] / size))
    flight.modes[which] = of.LANDING


@part
def end_flight(lab, reason):
    """Lands both vehicles, for the first of the reasons in facility.arena.guard."""
    flight = lab.flight
    if lab.ended[REASON] == NOTHING:
        lab.ended[REASON], lab.ended[WHEN] = reason, flight.clock[CLOCK]
    for which in range(PAIR):
        if flight.modes[which] == of.FLYING:
            begin_landing(flight, which, lab.arena.gains)


@part
def watch_poses(lab):
    """Lands both vehicles where a pose of one is too old."""
    for which in range(PAIR):
        if lab.flight.clock[AGE + which] > lab.arena.sensing.pose_timeout:
            end_flight(lab, POSE_LOST)


@part
def watch_vehicles(lab):
    """Lands both vehicles where one that flies has come to what it may not."""
    arena, flight = lab.arena, lab.flight
    for which in range(PAIR):
        if flight.modes[which] != of.LANDED:
            discharge(arena, flight, which, CYCLE)
    for which in range(PAIR):
        if flight.modes[which] == of.FLYING:
            found = found_in_flight(arena, flight, which, CYCLE)
            if found != NOTHING:
                end_flight(lab, found)


@part
def pilot_cycle(arena, flight, which, draws):
    """One cycle of a vehicle's sensors, estimator and cascades."""
    sensing, x = arena.sensing, flight.estimate[which]
    y, memory = flight.y[which], flight.pilot[which]
    cycle, slots = flight.cycles[0], sensing.delay + 1
    body = body_of(arena, flight, which)
    force, gyro = imu(body, y, sensing, draws)
    put3(memory, of.FORCE, force)
    slot = flight.poses[which, cycle % slots]
    capture_pose(y, sensing, draws, slot)
    put3(slot, 7, get3(x, of.EST_P))
    put4(slot, 10, get4(x, of.EST_Q))
    flight.clock[AGE + which] += CYCLE
    taken = cycle - sensing.delay
    if taken >= 0 and taken % sensing.period == 0:
        h = sensing.period * CYCLE
        P = flight.covariance[which]
        spread(x, P, force, gyro, sensing, CYCLE, h, flight.scratch)
        if flight.clock[CLOCK] - sensing.delay * CYCLE < sensing.lost_at:
            fuse(x, P, flight.poses[which, taken % slots], sensing, flight.scratch[0, 0])
            flight.clock[AGE + which] = sensing.delay * CYCLE
    target = flight.targets[which]
    craft, gains, commands = arena.vehicle, arena.gains, flight.commands[which]
    control(craft, gains, x, memory, target, gyro, GRAVITY, flight.wrench, commands, CYCLE)
    move_target(target, CYCLE)
    predict(x, force, gyro, GRAVITY, CYCLE)


@part
def settle(flight, which):
    """A vehicle that reaches the floor while landing stays there, rotors off."""
    y, health = flight.y[which], flight.health[which]
    if flight.modes[which] == of.LANDING and y[P + 2] <= 0.0:
        flight.modes[which] = of.LANDED
        health[of.TOUCH_T], health[of.TOUCH_SPEED] = flight.clock[CLOCK], norm(get3(y, V))
        up = quat_to_rotation(get4(y, Q))[8]
        health[of.TOUCH_TILT] = math.acos(max(-1.0, min(1.0, up)))
        y[P + 2] = 0.0
        put3(y, V, ZERO)
        put3(y, W, ZERO)
        for i in range(T, STATE_SIZE):
            y[i] = 0.0


@at_entry(CARRY)
def carry(lab, cycles):
    """Flies both vehicles for so many cycles; returns 0."""
    arena, flight = lab.arena, lab.flight
    for _ in range(cycles):
        row = lab.draws[lab.used[0]]
        lab.used[0] += 1
        blow(arena, flight)
        for which in range(PAIR):
            if flight.modes[which] != of.LANDED:
                pilot_cycle(arena, flight, which, row[which])
            elif arena.flies[which] == 0:
                move_target(flight.targets[which], CYCLE)
        for which in range(PAIR):
            if flight.modes[which] != of.LANDED:
                body = body_of(arena, flight, which)
                for _ in range(SUBSTEPS):
                    advance_body(body, flight.y[which], flight.stages, CYCLE / SUBSTEPS)
                settle(flight, which)
        flight.cycles[0] += 1
        flight.clock[CLOCK] += CYCLE
        watch_poses(lab)
        watch_vehicles(lab)
    return 0


@part
def send(lab, which, target):
    """Gives an autopilot a new target, unless it lands; of a vehicle that does not fly it is noted
    where it would be."""
    flight = lab.flight
    if flight.modes[which] == of.FLYING or lab.arena.flies[which] == 0:
        for i in range(of.TARGET_SIZE):
            flight.targets[which, i] = target[i]


@kernel
def fly(lab, targets, cycles, flown):
    """Flies targets (n, 2, 16), one every so many cycles, and writes both states at the instants of
    the targets (n, 2, 19)."""
    for i in range(targets.shape[0]):
        for which in range(PAIR):
            send(lab, which, targets[i, which])
            for k in range(STATE_SIZE):
                flown[i, which, k] = lab.flight.y[which, k]
        carry(lab, cycles)


@kernel
def land(lab, longest, cycles):
    """Lands both vehicles, in at most `longest` times so many cycles; returns whether they have."""
    for which in range(PAIR):
        if lab.flight.modes[which] == of.FLYING:
            begin_landing(lab.flight, which, lab.arena.gains)
    for _ in range(longest):
        if lab.flight.modes[0] == of.LANDED and lab.flight.modes[1] == of.LANDED:
            return True
        carry(lab, cycles)
    return False
