"""How far the two spacecraft are apart, by the shapes that their scenario gives them, and which of
their parts meet."""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part
from proxops.core.spatial.convex import depth, distance
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import (
    add,
    cross,
    get3,
    matmul,
    mul,
    mul_t,
    norm,
    scale,
    sub,
    transpose,
)
from proxops.physics.flexible.modes import mode_count
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.tree import Tree, load3, load_mat
from proxops.plant import layout
from proxops.plant.in_place import any_in_place
from proxops.plant.switching import place_craft

# Columns of Outline.shapes: see core.spatial.convex
BODY = 0  # of the chaser, or ON_TARGET
HALF = 1
DISC = 4
BALL = 5
REACH = 6  # no point is farther from the centre [m]
ROTATION = 7  # of the shape in its body
CENTRE = 16
PART = 19  # number of the part that it belongs to, see plant.outline
BENDS = 20  # 1: it moves with the modes of an appendage
SHAPE_WIDTH = 21
ON_TARGET = -1.0

# Entries of Outline.closing, before one a joint, a mode of the chaser, a mode of the target
TARGET_REACH = 0  # no point of the target is farther from its origin [m]
PER_JOINT = 1

# What is known of two parts
APART = 0
MET = 1
STILL_NEAR = 2  # met, and found near again
PARTED = 0.01  # distance beyond which two parts that met may meet anew [m]
SINKS = 0.01  # farther into each other shapes may come once what joined them is gone [m]
MAX_AT_ONCE = 16  # meetings that are found at one instant; the next instant finds the others


class Outline(NamedTuple):
    """The shapes that are to stay clear of each other; none unless both spacecraft have some."""

    shapes: np.ndarray
    bends: np.ndarray  # (shapes, 3 modes): by how much a centre moves, per unit of η [1/√kg]
    meant: (
        np.ndarray
    )  # (shapes, shapes), chaser's first: where `joins` has the two, 0 if it does not
    joins: np.ndarray  # contacts and holds that join two shapes, see plant.declared_contacts
    closing: np.ndarray  # how fast a distance may shrink, per unit of each rate


@helper
def _solid(shapes, row):
    """(h, ρ, r) of a shape."""
    return load3(shapes, row, HALF), shapes[row, DISC], shapes[row, BALL]


@helper
def _centre(outline, row, eta, R_AB, p_AB):
    """Centre of a shape of the body B, in A, its appendage bent by η [m]."""
    centre = load3(outline.shapes, row, CENTRE)
    if outline.shapes[row, BENDS] == 1.0:
        for mode in range(eta.shape[0]):
            centre = add(centre, scale(eta[mode], load3(outline.bends, row, 3 * mode)))
    return add(p_AB, mul(R_AB, centre))


@helper
def _hub(y):
    """(R, p) of a hub in O."""
    return quat_to_rotation(get4(y, layout.Q)), get3(y, layout.P)


@helper
def target_seen(chaser, target):
    """(R_CT, p_CT) of two hubs."""
    R_OC, p_OC = _hub(chaser)
    R_OT, p_OT = _hub(target)
    return matmul(transpose(R_OC), R_OT), mul_t(R_OC, sub(p_OT, p_OC))


@helper
def _apart(outline, own, other, etas, X_CT, scratch):
    """From the centre of a shape of the chaser to that of one of the target, in C [m]."""
    body = int(outline.shapes[own, BODY])
    R_CB, p_CB = load_mat(scratch, body, at.R), load3(scratch, body, at.P)
    p_own = _centre(outline, own, etas[0], R_CB, p_CB)
    return sub(_centre(outline, other, etas[1], X_CT[0], X_CT[1]), p_own)


@helper
def _placed(shapes, own, other, apart, X_CT, scratch):
    """(R_AB, p_AB) of a shape B of the target in the axes of a shape A of the chaser."""
    R_CB = load_mat(scratch, int(shapes[own, BODY]), at.R)
    R_own = matmul(R_CB, load_mat(shapes, own, ROTATION))
    R_other = matmul(X_CT[0], load_mat(shapes, other, ROTATION))
    return matmul(transpose(R_own), R_other), mul_t(R_own, apart)


@part
def _gap(outline, own, other, etas, X_CT, scratch, enough):
    """Distance of a shape of the chaser and one of the target [m], 0 where they overlap; where they
    are farther apart than `enough`, some number beyond it."""
    shapes = outline.shapes
    apart = _apart(outline, own, other, etas, X_CT, scratch)
    bound = norm(apart) - shapes[own, REACH] - shapes[other, REACH]
    if bound > enough:
        return bound
    R_AB, p_AB = _placed(shapes, own, other, apart, X_CT, scratch)
    return distance(_solid(shapes, own), _solid(shapes, other), R_AB, p_AB, enough)


@part
def _nearest_balls(outline, etas, X_CT, scratch):
    """The shapes of chaser and target whose balls are nearest, -1 where one has none."""
    shapes, least, nearest = outline.shapes, math.inf, (-1, -1)
    for other in range(shapes.shape[0]):
        if shapes[other, BODY] != ON_TARGET:
            continue
        for own in range(shapes.shape[0]):
            if shapes[own, BODY] != ON_TARGET:
                apart = norm(_apart(outline, own, other, etas, X_CT, scratch))
                bound = apart - shapes[own, REACH] - shapes[other, REACH]
                if bound < least:
                    least, nearest = bound, (own, other)
    return nearest


@part
def _overlap(outline, own, other, etas, X_CT, scratch):
    """By how much a shape of the chaser and one of the target overlap [m], see convex.depth."""
    shapes = outline.shapes
    apart = _apart(outline, own, other, etas, X_CT, scratch)
    R_AB, p_AB = _placed(shapes, own, other, apart, X_CT, scratch)
    return depth(_solid(shapes, own), _solid(shapes, other), R_AB, p_AB)


@part
def clearance(outline, X_CT, etas, scratch):
    """Least distance between the chaser's shapes and the target's [m], 0 where any two overlap.
    The chaser's kinematics must be in `scratch`; etas = modal coordinates of both.  The pair whose
    balls are nearest is measured first: most others are then known to be farther by theirs."""
    shapes = outline.shapes
    own, other = _nearest_balls(outline, etas, X_CT, scratch)
    if own < 0:
        return math.inf
    least = _gap(outline, own, other, etas, X_CT, scratch, math.inf)
    for other in range(shapes.shape[0]):
        if shapes[other, BODY] != ON_TARGET:
            continue
        for own in range(shapes.shape[0]):
            if shapes[own, BODY] != ON_TARGET:
                least = min(least, _gap(outline, own, other, etas, X_CT, scratch, least))
    return least


@helper
def closing_speed(plant, outline, y):
    """No two points of the two spacecraft near each other faster than this [m/s].

        |v_T - v_C - ω_C × p_CT| + |ω_T - ω_C| ρ_T + Σ |q̇ᵢ| ℓᵢ + Σ |η̇ᵢ| |φᵢ|

    as the chaser's hub sees it: ρ_T is how far the target reaches, ℓᵢ how far what joint i carries
    reaches from it.
    """
    closing, target = outline.closing, layout.target_start(plant)
    R_OC, p_OC = _hub(y)
    R_OT, p_OT = _hub(y[target:])
    w_C = mul(R_OC, get3(y, layout.W))
    w_T = mul(R_OT, get3(y[target:], layout.W))
    v = sub(get3(y[target:], layout.V), get3(y, layout.V))
    speed = norm(sub(v, cross(w_C, sub(p_OT, p_OC))))
    speed += closing[TARGET_REACH] * norm(sub(w_T, w_C))
    joints, modes = plant.chaser_topology.shape[0], mode_count(plant.chaser_modes)
    rates = layout.JOINTS + joints
    for joint in range(joints):
        speed += closing[PER_JOINT + joint] * abs(y[rates + joint])
    rates += joints + modes
    for mode in range(modes):
        speed += closing[PER_JOINT + joints + mode] * abs(y[rates + mode])
    own, modes = PER_JOINT + joints + modes, mode_count(plant.target_modes)
    rates = target + layout.JOINTS + modes
    for mode in range(modes):
        speed += closing[own + mode] * abs(y[rates + mode])
    return speed


@part
def find_meetings(plant, outline, y, scratch, touching, met, allowed, found):
    """Looks which parts meet that nothing joins: writes their numbers to the rows of `found`,
    remembers them in `met`.  Shapes that a contact or hold joins may overlap while that is in place
    and, until they have parted, by no more than then (`allowed` [m]).  Returns how many met, and by
    how much distances may shrink until the next look [m].  Overwrites `scratch`."""
    shapes, start = outline.shapes, layout.target_start(plant)
    touched, y_touched, spare = touching
    place_craft(Tree(plant.chaser, plant.chaser_topology), y[:start], scratch)
    joints = layout.JOINTS + 2 * plant.chaser_topology.shape[0]
    modes = start + layout.JOINTS
    etas = (
        y[joints : joints + mode_count(plant.chaser_modes)],
        y[modes : modes + mode_count(plant.target_modes)],
    )
    X_CT = target_seen(y[:start], y[start:])
    count, least, left = 0, math.inf, math.inf
    for other in range(shapes.shape[0]):
        if shapes[other, BODY] != ON_TARGET:
            continue
        for own in range(shapes.shape[0]):
            if shapes[own, BODY] == ON_TARGET:
                continue
            first, second = int(shapes[own, PART]), int(shapes[other, PART])
            apart, meant = met[first, second] == APART, outline.meant[own, other] > 0
            enough = least if apart else PARTED
            if meant:
                enough = max(enough, PARTED)
            gap = _gap(outline, own, other, etas, X_CT, scratch, enough)
            if meant and gap <= PARTED:
                overlap = _overlap(outline, own, other, etas, X_CT, scratch)
                joined = outline.meant[own, other] - 1
                if any_in_place(touched, y_touched, spare, outline.joins, joined) == 1:
                    allowed[own, other] = overlap + SINKS
                if overlap <= allowed[own, other]:
                    left = PARTED
                    continue
            if meant:
                allowed[own, other] = -math.inf
            if not apart:
                if gap <= PARTED:
                    met[first, second] = STILL_NEAR
            elif gap > 0.0 or count == MAX_AT_ONCE:
                least = min(least, gap)
            else:
                met[first, second] = STILL_NEAR
                found[count, 0], found[count, 1] = first, second
                count += 1
    return count, min(least, min(left, _forget_parted(met)))


@part
def _forget_parted(met):
    """Lets parts that were not found near again meet anew; returns by how much the distances of
    those that met may change until they are looked at again [m]."""
    left = math.inf
    for first in range(met.shape[0]):
        for second in range(met.shape[1]):
            if met[first, second] != APART:
                met[first, second] = MET if met[first, second] == STILL_NEAR else APART
                left = PARTED
    return left
