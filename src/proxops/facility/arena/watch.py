"""What a vehicle in flight may not come to: each lands both.

Judged every cycle by what is known of a vehicle, not by the truth: the estimate against the target,
whether the last wrench had to be cut down, the state of charge.
"""

import math

from proxops.core.jit import part
from proxops.core.spatial.vector import get3, norm, sub
from proxops.facility.arena import memory as of
from proxops.facility.arena.faults import charge_left
from proxops.facility.arena.guard import NOTHING
from proxops.physics.multirotor.body import T
from proxops.physics.multirotor.mixer import ROTORS
from proxops.physics.multirotor.power import rotor_power

OFF_COURSE, OVERTURNED, AT_LIMITS, LOW_BATTERY, TOO_NEAR = 21, 22, 23, 24, 25
REASONS = {
    OFF_COURSE: "{who} is {value:.2f} m from its target, limit {limit:g} m",
    OVERTURNED: "{who} is {value:.1f} deg from its attitude, limit {limit:g} deg",
    AT_LIMITS: "rotors of {who} were at their limits for {value:.2f} s, limit {limit:g} s",
    TOO_NEAR: "both vehicles are {value:.2f} m apart horizontally, limit {limit:g} m",
    LOW_BATTERY: "the battery of {who} has {value:.1%} of its charge left, limit {limit:.0%}",
}
SAMPLE = 1e-6  # of a cycle: what times of whole cycles may be off by rounding [s]


@part
def discharge(arena, flight, which, dt):
    """Takes from the battery what the rotors draw in dt [s]."""
    draws = 0.0
    for i in range(ROTORS):
        draws += rotor_power(arena.battery.power, flight.y[which, T + i])
    left = flight.health[which, of.CHARGE] - draws * dt / arena.battery.capacity
    flight.health[which, of.CHARGE] = charge_left(
        arena.faults, flight.clock[0], which, max(0.0, left)
    )


@part
def angle_between(q, at, other, there):
    """Angle [rad] between the attitudes at two places of two arrays."""
    cosine = 0.0
    for i in range(4):
        cosine += q[at + i] * other[there + i]
    if not math.isfinite(cosine):
        return math.inf
    return 2.0 * math.acos(min(1.0, abs(cosine)))


@part
def found_in_flight(arena, flight, which, dt):
    """What a vehicle that flies has come to, NOTHING if nothing; writes its value."""
    x, target, health = flight.estimate[which], flight.targets[which], flight.health[which]
    watch = arena.watch
    if flight.pilot[which, of.SATURATED] == 0.0:
        health[of.CUT_FOR] = 0.0
    else:
        health[of.CUT_FOR] += dt
    off = norm(sub(get3(target, of.TARGET_P), get3(x, of.EST_P)))
    if not off <= watch.tracking:  # nor where it is no number
        health[of.VALUE] = off
        return OFF_COURSE
    if arena.vehicle.tilted == 1:  # upright ones lean as they must
        angle = angle_between(x, of.EST_Q, target, of.TARGET_Q)
        if not angle <= watch.attitude:
            health[of.VALUE] = math.degrees(angle)
            return OVERTURNED
    if health[of.CUT_FOR] > watch.saturation + SAMPLE:
        health[of.VALUE] = health[of.CUT_FOR]
        return AT_LIMITS
    if not health[of.CHARGE] >= arena.battery.reserve:
        health[of.VALUE] = health[of.CHARGE]
        return LOW_BATTERY
    return NOTHING
