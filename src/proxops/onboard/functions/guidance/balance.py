"""Thrusters as plans use them: parallel ones as one, and no torque that others can balance.

The allocation delivers the force of a plan without torque.  A plan that took force from one of two
canted thrusters alone would count on thrust that the allocation has to take from others.
"""

import numpy as np

from proxops.onboard.functions.guidance.problem import Thrusters

_SAME = 1e-9  # of the longest lever arm: torques below cancel
_BALANCED = 1e-6  # of a torque, what may be left of it


def parallel_as_one(thrust: Thrusters) -> Thrusters:
    """Thrusters of one direction whose torques cancel at full thrust as one of their thrust: which
    of them burns is no matter of the plan, and costs time to decide.  Directions do not change from
    interval to interval."""
    _, which = np.unique(np.round(thrust.directions, 9), axis=0, return_inverse=True)
    torques = np.zeros((which.size, 3)) if thrust.torques is None else thrust.torques
    size = np.linalg.norm(torques, axis=1).max(initial=0.0)
    groups: list[np.ndarray] = []
    for one in range(int(which.max()) + 1):
        group = np.flatnonzero(which.ravel() == one)
        torque = np.linalg.norm(thrust.a_max[group] @ torques[group])
        cancels = torque <= _SAME * size * thrust.a_max[group].sum()
        groups += [group] if cancels else [np.array([i]) for i in group]
    first = [int(group[0]) for group in groups]
    alone = np.array([group.size == 1 for group in groups])
    return Thrusters(
        directions=thrust.directions[first],
        a_max=np.array([thrust.a_max[group].sum() for group in groups]),
        torques=np.where(alone[:, None], torques[first], 0.0),
    )


def torque_rows(torques: np.ndarray, usable: np.ndarray) -> np.ndarray:
    """(r, k) rows of which each has the product zero with thrusts (k,) that balance each other.

    They span the torques of those thrusters whose torque others can balance; wheels take the torque
    of a thruster whose counterpart is lost, or silenced by its plume.

    torques       for a unit of force, about the centre of mass (k, 3) [m]
    usable        (k,)
    """
    sizes = np.linalg.norm(torques, axis=1)
    size = sizes.max(initial=0.0)
    balanced = usable & (sizes > _SAME * size)
    while lone := [
        i for i in range(sizes.size) if balanced[i] and not _is_balanced(i, balanced, torques)
    ]:
        balanced[lone] = False
    if not balanced.any():
        return np.zeros((0, sizes.size))
    axes, lengths, _ = np.linalg.svd(torques[balanced].T)
    rank = int((lengths > _BALANCED * lengths[0]).sum())
    rows: np.ndarray = axes[:, :rank].T @ np.where(balanced[:, None], torques, 0.0).T / size
    return rows


def _is_balanced(i: int, others: np.ndarray, torques: np.ndarray) -> bool:
    """Whether others (k,) can balance the torque of thruster i."""
    from scipy.optimize import nnls  # only those who plan pay for it

    used = np.flatnonzero(others & (np.arange(others.size) != i))
    if not used.size:  # of no columns SciPy 1.17 frees memory twice
        return False
    left: float = nnls(torques[used].T, -torques[i])[1]
    return left <= _BALANCED * float(np.linalg.norm(torques[i]))
