"""Orbital terms that are dropped while the two spacecraft are near each other, as in models that
switch from an orbital to a contact phase.

Inside a distance between the centres of mass there is no tide on any link.  Two readings differ in
what else is dropped:

    tide     nothing: in O both move as free bodies in inertial space, their state is continuous
    frame    H is taken for an inertial frame: what it shows, positions, velocities and attitudes in
             H, goes on from one phase to the other, and inside H does not turn

In the second, velocities in O jump by the field ∓ω × x that H's rotation ω makes:

    inwards      v ← v - ω × p,   w ← w - ω
    outwards     everything turns about O by R = R_NH(now) R_NH(when it went inside)ᵀ, then
                 v ← v + ω × p,   w ← w + ω

Where velocities and attitudes alone are exchanged, each spacecraft then gets the field w × (x - c)
about its centre of mass c that leaves its hub without rotation in H; joints and modes go on.

The ledger books that as a source of its own, for each spacecraft of mass M, momenta P and L about O
and inertia J about o:

    field ω × (x - o)    ΔP = M ω × (c - o),   ΔL = J ω + o × ΔP,   ΔT = ω · (L - o × P) + ½ ω · J ω
    turn R               ΔP = (R - 1) P,       ΔL = (R - 1) L,      ΔT = 0

The field is perpendicular to the line between the centres of mass, so that a switch never changes
the speed at which they close, and cannot undo itself: there is no hysteresis.
"""

import math

import numpy as np

from proxops.core.jit import at_entry, helper, part
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_from_rotation,
    quat_log,
    quat_mul,
    quat_normalised,
    quat_positive,
    quat_to_rotation,
)
from proxops.core.spatial.vector import (
    ZERO,
    add,
    add3,
    cross,
    dot,
    get3,
    matmul,
    mul,
    mul_t,
    norm,
    point_inertia,
    put3,
    scale,
    sub,
    sym_mul,
    sym_sub,
    transpose,
)
from proxops.physics.integrate.rk4 import K
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.tree import Tree, load3, load_sym
from proxops.physics.orbit.frames import hill_frame
from proxops.physics.orbit.reference import (
    DROP,
    DROP_FRAME,
    DROP_TIDE,
    EXCHANGE,
    EXCHANGE_VELOCITY,
    INSIDE,
    reference,
    sky_kept,
)
from proxops.plant import layout
from proxops.plant.frames import to_frozen_hill, to_hill
from proxops.plant.ledger import tally
from proxops.plant.model import SWITCH_PHASE, Craft, Plant

_DROPPED = {DROP_TIDE: "no tide", DROP_FRAME: "H taken for inertial"}

# What the switch remembers
IS_INSIDE = 0  # 1 inside, 0 outside
SINCE = 1  # when it last went inside [s]
IMPULSE = 2  # booked so far, both spacecraft [N s]
ANGULAR = 5  # about O [N m s]
WORK = 8  # [J]
DISTANCE = 9  # between the centres of mass at the last switch [m]
JUMP = 10  # of their relative velocity in O there [m/s]
TURNED = 11  # by which everything turned about O there [rad]


def switches(plant: Plant) -> bool:
    """Whether a plant has a phase switch."""
    return bool(plant.orbit[INSIDE] > 0.0)


def text_of(orbit: np.ndarray, is_inside: float, value: np.ndarray) -> str:
    """A switch in words: where, what is dropped, and DISTANCE, JUMP and TURNED there."""
    distance, jump, turned = value
    dropped = _DROPPED[float(orbit[DROP])] if is_inside else "all orbital terms"
    text = f"{'inside' if is_inside else 'outside'} {orbit[INSIDE]:g} m, {dropped}: centres of mass"
    text += f" {distance:.6g} m apart, relative velocity jumps by {1e3 * jump:.4g} mm/s"
    text += f", all turns by {math.degrees(turned):.4g} deg" if turned else ""
    rates = ", the rotation of both spacecraft is not handed over"
    return text + (rates if orbit[EXCHANGE] == EXCHANGE_VELOCITY else "")


# --- compiled -----------------------------------------------------------------------------------


@helper
def has_switch(plant):
    """`switches`, for kernels."""
    return plant.orbit[INSIDE] > 0.0


@helper
def sky_in_force(plant, memory, t, kept):
    """(μ, R): what the tide at time t depends on, zeros where it is dropped; `memory` of contacts,
    holds and switch, `kept` of the sky."""
    if has_switch(plant):
        at_switch = layout.switch_start(plant) - layout.contacts_start(plant)
        if memory[at_switch + IS_INSIDE] > 0.0:
            return 0.0, ZERO
    return sky_kept(plant.orbit, t, kept)


@part
def shown_in_hill(plant, y, t, p, v):
    """Position and velocity in H of what has p, v in O at time t: in H as it was on the way in,
    where it is taken for inertial."""
    if has_switch(plant) and plant.orbit[DROP] == DROP_FRAME:
        memory = y[layout.switch_start(plant) :]
        if memory[IS_INSIDE] > 0.0:
            return to_frozen_hill(plant.orbit, memory[SINCE], p, v)
    return to_hill(plant.orbit, t, p, v)


@at_entry(SWITCH_PHASE)
def switch_phase(plant, scratch, spare, y, t):
    """Goes inside or outside if the centres of mass have come within the distance or left it;
    returns whether it did (1 or 0).  Called at the ends of steps, so that no step has both."""
    memory = y[layout.switch_start(plant) :]
    target, start, bodies = (
        layout.target_start(plant),
        layout.ledger_start(plant),
        plant.chaser.shape[0],
    )
    chaser = Craft(Tree(plant.chaser, plant.chaser_topology), plant.chaser_modes)
    other = Craft(Tree(plant.target, plant.target_topology), plant.target_modes)
    near, far = scratch[:bodies], scratch[bodies:]
    of_chaser = tally(chaser, y[:target], spare, near)
    of_target = tally(other, y[target:start], spare, far)
    apart = sub(of_chaser.com, of_target.com)
    is_inside = 1.0 if norm(apart) <= plant.orbit[INSIDE] else 0.0
    if is_inside == memory[IS_INSIDE]:
        return 0
    memory[IS_INSIDE] = is_inside
    memory[DISTANCE], memory[JUMP], memory[TURNED] = norm(apart), 0.0, 0.0
    R_NH, w_H = hill_frame(*reference(plant.orbit, t))
    w_NH = mul(R_NH, w_H)  # of H as the phase that begins has it
    sums = y[start:]
    if plant.orbit[DROP] == DROP_FRAME:
        w = w_NH
        if is_inside > 0.0:
            w_NH = ZERO
            w = scale(-1.0, w)
        else:
            R_before, _ = hill_frame(*reference(plant.orbit, memory[SINCE]))
            R = matmul(R_NH, transpose(R_before))
            memory[TURNED] = norm(quat_log(quat_positive(quat_from_rotation(R))))
            _turn(R, of_chaser, y[:target], memory, sums)
            _turn(R, of_target, y[target:], memory, sums)
            of_chaser = tally(chaser, y[:target], spare, near)
            of_target = tally(other, y[target:start], spare, far)
        _add_rotation(chaser.tree, (w, ZERO), of_chaser, y[:target], near, (memory, sums))
        _add_rotation(other.tree, (w, ZERO), of_target, y[target:], far, (memory, sums))
        memory[JUMP] = norm(cross(w, apart))  # the same before and after a turn about w
    if plant.orbit[EXCHANGE] == EXCHANGE_VELOCITY:
        of_chaser = tally(chaser, y[:target], spare, near)
        of_target = tally(other, y[target:start], spare, far)
        field = _lacking_rotation(w_NH, y[:target]), of_chaser.com
        _add_rotation(chaser.tree, field, of_chaser, y[:target], near, (memory, sums))
        field = _lacking_rotation(w_NH, y[target:]), of_target.com
        _add_rotation(other.tree, field, of_target, y[target:], far, (memory, sums))
    memory[SINCE] = t if is_inside > 0.0 else memory[SINCE]
    return 1


@helper
def _lacking_rotation(w_N, y):
    """What a spacecraft's hub lacks to turn with w_N [rad/s], N axes."""
    return sub(w_N, mul(quat_to_rotation(get4(y, layout.Q)), get3(y, layout.W)))


@part
def _add_rotation(tree, field, carried, y, scratch, booked):
    """Adds the velocity field w × (x - o) to a spacecraft, whose kinematics and tally are at hand,
    and books it; field = (w, o), N axes [rad/s, m from O]."""
    w, o = field
    R_OB = quat_to_rotation(get4(y, layout.Q))
    p, w_B = mul_t(R_OB, sub(get3(y, layout.P), o)), mul_t(R_OB, w)
    mass, J_w = 0.0, ZERO
    for body in range(tree.bodies.shape[0]):
        m, c = tree.bodies[body, at.MASS], load3(scratch, body, at.C)
        r = add(p, add(load3(scratch, body, at.P), c))
        own = sym_sub(load_sym(scratch, body, at.I_TT), point_inertia(m, c))
        J_w = add(J_w, add(sym_mul(own, w_B), scale(m, cross(r, cross(w_B, r)))))
        mass += m
    J_w = mul(R_OB, J_w)
    impulse = scale(mass, cross(w, sub(carried.com, o)))
    about_o = sub(carried.angular, cross(o, carried.momentum))
    work = dot(w, about_o) + 0.5 * dot(w, J_w)
    _book(booked[0], booked[1], impulse, add(J_w, cross(o, impulse)), work)
    add3(y, layout.V, cross(w, sub(get3(y, layout.P), o)))
    add3(y, layout.W, w_B)


@part
def _turn(R, carried, y, memory, sums):
    """Turns a spacecraft about O with all its motion, and books it."""
    impulse = sub(mul(R, carried.momentum), carried.momentum)
    _book(memory, sums, impulse, sub(mul(R, carried.angular), carried.angular), 0.0)
    put3(y, layout.P, mul(R, get3(y, layout.P)))
    put3(y, layout.V, mul(R, get3(y, layout.V)))
    put4(y, layout.Q, quat_normalised(quat_mul(quat_from_rotation(R), get4(y, layout.Q))))


@part
def _book(memory, sums, impulse, angular, work):
    """Adds to what the switch gave, and to how much acted in all."""
    add3(memory, IMPULSE, impulse)
    add3(memory, ANGULAR, angular)
    memory[WORK] += work
    sums[layout.SUM_IMPULSE] += norm(impulse)
    sums[layout.SUM_ANGULAR] += norm(angular)


@part
def phase_at_start(plant, work, y):
    """Goes inside if a run starts there; what that changes is part of the start."""
    if not has_switch(plant):
        return 0
    switched = switch_phase(plant, work.scratch, work.stages[K], y, 0.0)
    memory, sums = y[layout.switch_start(plant) :], y[layout.ledger_start(plant) :]
    for i in range(IMPULSE, WORK + 1):
        memory[i] = 0.0
    sums[layout.SUM_IMPULSE], sums[layout.SUM_ANGULAR] = 0.0, 0.0
    return switched


@part
def phase_after_step(plant, work, y, t):
    """`switch_phase`, where there is one."""
    if not has_switch(plant):
        return 0
    return switch_phase(plant, work.scratch, work.stages[K], y, t)
