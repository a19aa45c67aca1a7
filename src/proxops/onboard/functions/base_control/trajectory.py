"""Where the base shall be, as its leg has it: a place, a straight line, a circle, or a planned
trajectory.

What it takes to follow p(t) in the Hill frame of the believed orbit is what gravity does not do:

    a = p̈ - a_free(p, ṗ)        a_free: relative motion without thrust, see physics.orbit.hill
"""

from typing import Any, NamedTuple

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import quat_exp, quat_to_rotation
from proxops.core.spatial.vector import ZERO, add, cross, get3, mul, scale, sub
from proxops.onboard.functions.guidance.trajectory_table import along_table
from proxops.onboard.functions.joint_control import smooth_step
from proxops.onboard.functions.plan import legs as leg_at
from proxops.physics.orbit.hill import relative_acceleration


class Wanted(NamedTuple):
    """Of the centre of mass, in H."""

    p: Any  # [m]
    v: Any  # derivative of its components [m/s]
    a: Any  # by thrust [m/s2]


@helper
def at_rest(orbit_state, p):
    """Staying at a place."""
    mu, R, V = orbit_state
    return Wanted(p, ZERO, scale(-1.0, relative_acceleration(mu, R, V, p, ZERO)))


@helper
def smooth_motion(elapsed, duration):
    """Share of a motion that is done, from rest to rest, and its rates [1/s, 1/s2]: a quintic."""
    s = min(elapsed / duration, 1.0)
    share, slope = smooth_step(s)
    bend = 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s)
    return share, slope / duration, bend / (duration * duration)


@helper
def on_a_line(orbit_state, start, end, elapsed, duration):
    """From one place to another, at rest in both: p = start + s (end - start), s a quintic."""
    mu, R, V = orbit_state
    share, rate, bend = smooth_motion(elapsed, duration)
    displacement = sub(end, start)
    p, v = add(start, scale(share, displacement)), scale(rate, displacement)
    return Wanted(p, v, sub(scale(bend, displacement), relative_acceleration(mu, R, V, p, v)))


@helper
def turned(row, elapsed):
    """Angle that a flight around its axis has turned by [rad], and its rates."""
    share, rate, bend = smooth_motion(elapsed, row[leg_at.DURATION])
    angle = row[leg_at.ANGLE]
    return angle * share, angle * rate, angle * bend


@helper
def on_a_circle(orbit_state, row, end, elapsed):
    """Around the axis k through the target, at rest at both ends; φ goes from -angle to 0.

    p = exp(φ [k]×) end,   v = φ̇ k × p,   p̈ = φ̈ k × p + φ̇ k × v
    """
    mu, R, V = orbit_state
    axis = get3(row, leg_at.DIRECTION)
    angle, rate, bend = turned(row, elapsed)
    p = mul(quat_to_rotation(quat_exp(scale(angle - row[leg_at.ANGLE], axis))), end)
    across = cross(axis, p)
    v = scale(rate, across)
    forced = add(scale(bend, across), scale(rate, cross(axis, v)))
    return Wanted(p, v, sub(forced, relative_acceleration(mu, R, V, p, v)))


@part
def wanted(row, orbit_state, start, here, inputs):
    """Of a leg's row, which began at `start` in H [m]; here = (p, v) of now."""
    t, place = inputs.t[0], get3(inputs.plan_place, 0)
    if row[leg_at.ACTION] == leg_at.FLY_TO:
        if row[leg_at.GUIDANCE] == leg_at.STRAIGHT:
            elapsed = inputs.plan_elapsed[0]
            return on_a_line(orbit_state, start, place, elapsed, row[leg_at.DURATION])
        if inputs.guidance_nodes[0] >= 1.0:
            p, v, a = along_table(inputs.guidance_nodes[0], inputs.guidance_trajectory, t)
            return Wanted(p, v, a)
        return Wanted(here[0], here[1], ZERO)  # it coasts until there is a plan
    if row[leg_at.ACTION] == leg_at.FLY_AROUND:
        return on_a_circle(orbit_state, row, place, inputs.plan_elapsed[0])
    return at_rest(orbit_state, place)
