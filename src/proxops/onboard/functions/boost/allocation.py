"""Which share of the time each engine burns: torque first, then thrust.

With the torque bᵢ of each engine at full thrust, about the believed centre of mass, the shares
0 ≤ uᵢ ≤ 1 shall make B u = τ.  Among all that do, engines share equally: nearest to one common
share ū,

    u = B⁺τ + (1 - B⁺B) 1 ū,       with the largest ū that keeps u in [0, 1].

Where no ū does, bounds must be met another way: the torque nearest to τ that any shares give is
found (min |B u - τ|²), and of the shares that give it those nearest to full thrust are taken
(min |1 - u|²).  Both are solved exactly by active sets.
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.jit import kernel, part
from proxops.core.spatial.vector import add, dot, norm, scale, sub
from proxops.physics.multibody.tree import load3, store3

# Columns of the workspace, one row an engine
OFF = 0  # off-share 1 - u
FREE = 1  # one while it is between its bounds
TRIAL = 2  # its next value, or the step to it
BASIS = 3  # orthonormal vectors, three numbers an engine
FACTOR = 6  # triangular factor, three numbers a row
WORKSPACE_WIDTH = 9
AXES = 3

# Shares and torques over the largest possible are numbers near one: what is below is rounding.
_ROUNDING = 1e-12
_MOVE = 1e-10  # of a share; a multiplier is a ratio of sums of them
_ROUNDS_PER_ENGINE = 10  # each round frees or binds an engine; two or three are usual


class Allocation(NamedTuple):
    """The engines as the allocation knows them, one row each."""

    torques: np.ndarray  # bᵢ [N m], (n, 3)
    inverse: np.ndarray  # B⁺ [1/(N m)], (n, 3)
    even: np.ndarray  # (1 - B⁺B) 1, (n,)


def build(torques: np.ndarray) -> Allocation:
    """From the torque of each engine about the believed centre of mass [N m], (n, 3)."""
    B = np.ascontiguousarray(torques, dtype=float).reshape(-1, AXES)
    inverse = np.ascontiguousarray(np.linalg.pinv(B.T, rcond=1e-9))
    even = np.ones(len(B)) - inverse @ B.sum(axis=0)
    even[np.abs(even) < _MOVE] = 0.0
    return Allocation(B, inverse, even)


def workspace_for(model: Allocation) -> np.ndarray:
    """What `allocate` overwrites; three rows at least, for the factor."""
    return np.zeros((max(AXES, len(model.torques)), WORKSPACE_WIDTH))


@part
def allocate(model, torque, workspace, shares):
    """Writes the shares for a torque in C; returns by how much they miss it [N m]."""
    if not share_evenly(model, torque, shares):
        nearest_torque(model, torque, workspace)
        fill_up(model, workspace)
        for i in range(shares.shape[0]):
            shares[i] = 1.0 - workspace[i, OFF]
    missed = torque
    for i in range(shares.shape[0]):
        missed = sub(missed, scale(shares[i], load3(model.torques, i, 0)))
    return norm(missed)


@kernel
def shares_for(model, torque, workspace, shares):
    """`allocate`, callable from Python."""
    return allocate(model, torque, workspace, shares)


@part
def share_evenly(model, torque, shares):
    """Writes u = B⁺τ + (1 - B⁺B) 1 ū with the largest ū that the bounds allow; whether one is."""
    low, high = -math.inf, math.inf
    for i in range(shares.shape[0]):
        alone = dot(load3(model.inverse, i, 0), torque)
        slope = model.even[i]
        if slope == 0.0:
            if alone < -_ROUNDING or alone > 1.0 + _ROUNDING:
                return False
        else:
            none, full = -alone / slope, (1.0 - alone) / slope
            low = max(low, min(none, full))
            high = min(high, max(none, full))
    if low > high + _ROUNDING:
        return False
    common = 0.0 if high == math.inf else high
    for i in range(shares.shape[0]):
        share = dot(load3(model.inverse, i, 0), torque) + model.even[i] * common
        shares[i] = min(max(share, 0.0), 1.0)
    return True


# --- the nearest torque: bounded least squares (Stark & Parker 1995) -----------------------------


@part
def nearest_torque(model, torque, workspace):
    """Writes off-shares whose torque is nearest to the commanded one; at most three are free."""
    engines = model.torques.shape[0]
    total = 0.0
    for i in range(engines):
        workspace[i, OFF] = 0.0
        workspace[i, FREE] = 0.0
        total += norm(load3(model.torques, i, 0))
    for _ in range(_ROUNDS_PER_ENGINE * engines):
        left = lacking(model, torque, workspace)
        best = best_engine(model, left, workspace, _ROUNDING * total)
        if best < 0 or free_count(workspace, engines) == AXES:
            break
        workspace[best, FREE] = 1.0
        while not settle(model, torque, workspace):
            pass
    for i in range(engines):
        workspace[i, FREE] = 0.0


@part
def lacking(model, torque, workspace):
    """Torque of the present shares minus the commanded one: what shall be taken off [N m]."""
    left = scale(-1.0, torque)
    for i in range(model.torques.shape[0]):
        left = add(left, scale(1.0 - workspace[i, OFF], load3(model.torques, i, 0)))
    return left


@part
def free_count(workspace, engines):
    """How many off-shares are between their bounds."""
    count = 0
    for i in range(engines):
        if workspace[i, FREE] == 1.0:
            count += 1
    return count


@part
def best_engine(model, left, workspace, floor):
    """The engine at a bound that best reduces what is left by leaving it, -1 if none does."""
    best, largest = -1, floor
    for i in range(model.torques.shape[0]):
        b = load3(model.torques, i, 0)
        length = norm(b)
        if workspace[i, FREE] == 1.0 or length <= floor:
            continue
        gain = dot(b, left) / length
        if workspace[i, OFF] > 0.0:
            gain = -gain
        if gain > largest:
            best, largest = i, gain
    return best


@part
def settle(model, torque, workspace):
    """Moves the free off-shares to the least squares, or towards it as far as the first
    bound, which binds its engine; whether they arrived."""
    engines = model.torques.shape[0]
    rest = lacking(model, torque, workspace)
    count = 0
    for i in range(engines):  # Gram-Schmidt; at most three are free
        if workspace[i, FREE] == 1.0:
            b = load3(model.torques, i, 0)
            rest = add(rest, scale(workspace[i, OFF], b))
            for k in range(count):
                along = dot(load3(workspace, k, BASIS), b)
                b = sub(b, scale(along, load3(workspace, k, BASIS)))
                workspace[count, FACTOR + k] = along
            workspace[count, FACTOR + count] = norm(b)
            store3(workspace, count, BASIS, scale(1.0 / norm(b), b))
            count += 1
    k = count
    for i in range(engines - 1, -1, -1):
        if workspace[i, FREE] == 1.0:
            k -= 1
            workspace[i, TRIAL] = dot(load3(workspace, k, BASIS), rest) / workspace[k, FACTOR + k]
            rest = sub(rest, scale(workspace[i, TRIAL], load3(model.torques, i, 0)))
    for i in range(engines):
        workspace[i, TRIAL] -= workspace[i, OFF]
    return walk(workspace, engines)


@part
def walk(workspace, engines):
    """Moves the free off-shares by TRIAL, or as far as the first bound, which binds its engine;
    whether they went all of it."""
    fraction, first = 1.0, -1
    for i in range(engines):
        if workspace[i, FREE] == 1.0:
            step, here = workspace[i, TRIAL], workspace[i, OFF]
            if here + step < -_ROUNDING and fraction * step < -here:
                fraction, first = -here / step, i
            elif here + step > 1.0 + _ROUNDING and fraction * step > 1.0 - here:
                fraction, first = (1.0 - here) / step, i
    for i in range(engines):
        if workspace[i, FREE] == 1.0:
            workspace[i, OFF] = min(
                max(workspace[i, OFF] + fraction * workspace[i, TRIAL], 0.0), 1.0
            )
    if first < 0:
        return True
    workspace[first, FREE] = 0.0
    workspace[first, OFF] = 0.0 if workspace[first, TRIAL] < 0.0 else 1.0
    return False


# --- the fullest thrust at that torque: a quadratic programme ------------------------------------


@part
def fill_up(model, workspace):
    """Moves off-shares v to the least |v|² with the torque they have.

    Every step keeps the torque and the bounds, so a stop at any of them is a valid answer.
    """
    engines = model.torques.shape[0]
    for i in range(engines):
        workspace[i, FREE] = 1.0 if 0.0 < workspace[i, OFF] < 1.0 else 0.0
    for _ in range(_ROUNDS_PER_ENGINE * engines):
        pull = descend(model, workspace)
        farthest = 0.0
        for i in range(engines):
            if workspace[i, FREE] == 1.0:
                farthest = max(farthest, abs(workspace[i, TRIAL]))
        if farthest > _MOVE:
            walk(workspace, engines)
            continue
        best, largest = -1, _MOVE
        for i in range(engines):
            if workspace[i, FREE] == 0.0:
                slope = workspace[i, OFF] - dot(load3(model.torques, i, 0), pull)
                gain = -slope if workspace[i, OFF] == 0.0 else slope
                if gain > largest:
                    best, largest = i, gain
        if best < 0:
            break
        workspace[best, FREE] = 1.0


@part
def descend(model, workspace):
    """Writes the step of the free off-shares to the least |v|² at their torque; returns λ with
    vᵢ = bᵢ · λ there [1/(N m)].

    What no torque holds goes: the rows of B, orthonormalised over the free engines, hold the rest.
    """
    engines = model.torques.shape[0]
    size = 0.0
    for i in range(engines):
        workspace[i, TRIAL] = -workspace[i, OFF]
        size += norm(load3(model.torques, i, 0))
    for axis in range(AXES):
        for i in range(engines):
            workspace[i, BASIS + axis] = (
                model.torques[i, axis] if workspace[i, FREE] == 1.0 else 0.0
            )
        for k in range(AXES):
            workspace[axis, FACTOR + k] = 0.0
        for _ in range(2):  # once more takes out what rounding left
            for k in range(axis):
                along = product(workspace, BASIS + axis, BASIS + k, engines)
                workspace[axis, FACTOR + k] += along
                for i in range(engines):
                    workspace[i, BASIS + axis] -= along * workspace[i, BASIS + k]
        length = math.sqrt(product(workspace, BASIS + axis, BASIS + axis, engines))
        if length <= _MOVE * size:  # follows from the axes before
            length = math.inf
        workspace[axis, FACTOR + axis] = length
        for i in range(engines):
            workspace[i, BASIS + axis] /= length
    held = (
        product(workspace, OFF, BASIS, engines),
        product(workspace, OFF, BASIS + 1, engines),
        product(workspace, OFF, BASIS + 2, engines),
    )
    for i in range(engines):
        workspace[i, TRIAL] += dot(held, load3(workspace, i, BASIS))
    z = held[2] / workspace[2, FACTOR + 2]
    y = (held[1] - workspace[2, FACTOR + 1] * z) / workspace[1, FACTOR + 1]
    x = (held[0] - workspace[2, FACTOR] * z - workspace[1, FACTOR] * y) / workspace[0, FACTOR]
    return x, y, z


@part
def product(workspace, a, b, engines):
    """Scalar product of two columns."""
    total = 0.0
    for i in range(engines):
        total += workspace[i, a] * workspace[i, b]
    return total
