"""Thrusters as plans use them: parallel ones as one, and no torque that others can balance.

The allocation delivers the force of a plan without torque.  A plan that took force from one of two
canted thrusters alone would count on thrust that the allocation has to take from others.
"""

from functools import lru_cache

import numpy as np

from proxops.onboard.functions.guidance.problem import Thrusters

_SAME = 1e-9  # of the longest lever arm: torques below cancel
_LEAST_ARM = 1e-6  # shorter lever arms make no torque [m]
_MORE = 10.0  # largest thrust of others for a unit of a thruster that they balance


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


def torque_rows(directions: np.ndarray, torques: np.ndarray, usable: np.ndarray) -> np.ndarray:
    """(r, k) rows of which each has the product zero with thrusts (k,) that balance each other.

    They span the torques of those thrusters that others can balance, where some combination
    gives the same force without torque.  A thruster whose counterpart has failed, or is inhibited
    by its plume, is left out: the allocation decides what balances it.

    directions    of the forces, unit (k, 3)
    torques       for a unit of force, about the centre of mass (k, 3) [m]
    usable        (k,)
    """
    key = (np.round(directions, 6) + 0.0, np.asarray(torques, dtype=float), usable)
    balanced = np.frombuffer(_balanced(*(each.tobytes() for each in key)), dtype=bool)
    own = np.where(balanced[:, None], torques, 0.0)
    axes, lengths, _ = np.linalg.svd(own.T)
    rank = int((lengths > 1e-6 * lengths[0]).sum())
    return np.asarray(axes[:, :rank].T @ own.T / (lengths[0] or 1.0))


@lru_cache(maxsize=256)  # plans of a leg ask the same again and again
def _balanced(directions: bytes, torques: bytes, usable: bytes) -> bytes:
    """Which thrusters (k,) others can balance, where some combination gives the same force without
    torque.  One that is left out balances no other thruster either."""
    D, T = (np.frombuffer(each).reshape(-1, 3) for each in (directions, torques))
    there = np.frombuffer(usable, dtype=bool)
    balanced = there & (np.linalg.norm(T, axis=1) > _LEAST_ARM)
    while balanced.any():
        own = np.where(balanced[:, None], T, 0.0) / np.linalg.norm(T[balanced], axis=1).max()
        both = np.vstack([D.T, own.T])
        lone = [
            i
            for i in np.flatnonzero(balanced)
            if not _has_solution(own.T, np.zeros(3), balanced, burns=int(i))
            or not _has_solution(both, np.array([*D[i], 0.0, 0.0, 0.0]), there)
        ]
        if not lone:
            break
        balanced[lone] = False
    return bytes(balanced.tobytes())


def _has_solution(A: np.ndarray, b: np.ndarray, used: np.ndarray, burns: int = -1) -> bool:
    """Whether A a = b has a solution a ≥ 0 among the thrusters used; that of number `burns` gives
    one or more."""
    from scipy.optimize import linprog  # only those who plan pay for it

    bounds = [(float(i == burns), _MORE if each else 0.0) for i, each in enumerate(used)]
    return bool(linprog(np.ones(used.size), A_eq=A, b_eq=b, bounds=bounds).status == 0)
