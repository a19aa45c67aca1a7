"""Where the base shall be, as its leg has it: a place, a straight line, or a planned trajectory.

What it takes to follow p(t) in the Hill frame of the believed orbit is what gravity does not do:

    a = p̈ - a_free(p, ṗ)        a_free: relative motion without thrust, see physics.orbit.hill
"""

from typing import Any, NamedTuple

from proxops.core.jit import helper, part
from proxops.core.spatial.vector import ZERO, add, get3, scale, sub
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
def on_a_line(orbit_state, start, end, elapsed, duration):
    """From one place to another, at rest in both: p = start + s (end - start), s a quintic."""
    mu, R, V = orbit_state
    s = min(elapsed / duration, 1.0)
    share, slope = smooth_step(s)
    bend = 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s)
    displacement = sub(end, start)
    p, v = add(start, scale(share, displacement)), scale(slope / duration, displacement)
    forced = scale(bend / (duration * duration), displacement)
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
    return at_rest(orbit_state, place)
