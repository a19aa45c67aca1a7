"""Away from a target that cannot be followed: a burn straight out, in inertial axes, then a drift.

    d = r/|r| ± h/|h|,    h = I w_T         r: from the target's centre of mass to the chaser

What turns freely sweeps the more the farther it reaches across its angular momentum h, which stays
where it is: so the chaser goes outward and, at the same time, out of the plane across h, to the
side that it is on or, within 30 deg of that plane, drifts to; never inward, d·r ≥ |r|/2.  It burns
along d until it has its speed, stops turning, and drifts on.  From then on nothing but the gyro is
needed: d is turned against the chaser's own rate.
"""

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.core.spatial.vector import (
    ZERO,
    add,
    cross,
    dot,
    get3,
    mul,
    norm,
    put3,
    scale,
    sub,
    sym_mul,
)
from proxops.onboard.functions.allocation.demand import demand
from proxops.onboard.functions.capture.modes import BURNT, OUTWARD, PUSH, TURNED
from proxops.onboard.functions.capture.parameters import inertia_of
from proxops.physics.multibody import tree as at

SPEED = 0.5  # gained by the burn [m/s]
AHEAD = 10.0  # of a drift that decides to which side it goes [s]
FULL = 0.9  # share of the thrust along d: the rest is left to torques
DAMPING = 0.3  # of the chaser's own rate [1/s]


@helper
def unit(a):
    """a/|a|, none of none."""
    length = norm(a)
    return scale(1.0 / length, a) if length > 0.0 else ZERO


@helper
def direction(inertia, com, relative):
    """d, in C, of length 1; the target's inertia in any unit."""
    R_CT = quat_to_rotation(relative.X_CT[0])
    r = scale(-1.0, add(relative.X_CT[1], mul(R_CT, com)))
    v = scale(-1.0, add(relative.drift, mul(R_CT, cross(relative.w_T, com))))
    axis = unit(mul(R_CT, sym_mul(inertia, relative.w_T)))
    above = dot(r, axis)
    if abs(above) < 0.5 * norm(r):
        above += AHEAD * dot(v, axis)
    side = 1.0 if above >= 0.0 else -1.0
    return unit(add(unit(r), scale(side, axis)))


@part
def set_out(belief, memory, now):
    """Notes where to, how hard and until when."""
    d = direction(inertia_of(belief), get3(belief.target_com, 0), now.relative)
    mass = 0.0
    for body in range(belief.chaser.bodies.shape[0]):
        mass += belief.chaser.bodies[body, at.MASS]
    push = FULL / (demand(belief.platform, d, ZERO) * mass)
    put3(memory, OUTWARD, d)
    memory[PUSH] = push
    memory[BURNT] = now.t + SPEED / push
    memory[TURNED] = now.t


@helper
def hold_outward(memory, now):
    """Keeps the direction where it is in inertial axes: ḋ = -w × d in those of the chaser."""
    d = get3(memory, OUTWARD)
    step = now.t - memory[TURNED]
    put3(memory, OUTWARD, unit(sub(d, scale(step, cross(now.relative.w_C, d)))))
    memory[TURNED] = now.t


@helper
def departing(memory, w_C, t):
    """(a, α) of Co [m/s2, rad/s2], inertial, in C."""
    push = memory[PUSH] if t < memory[BURNT] else 0.0
    return scale(push, get3(memory, OUTWARD)), scale(-DAMPING, w_C)
