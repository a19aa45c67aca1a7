"""Brakes that hold all joints of the chaser's arms, set and released during a mission.

While they are set, the arms are one body with the hub: nothing of a joint is stiff, so that steps
may be long.  A brake is rigid; one that would slip is not looked for.  Joints that still move as
brakes are set stop at once, by impulses λ at these joints alone:

    [M_ff  M_fl] [Δν_f ]   [0]      l   joints that stop: Δν_l = -q̇_l
    [M_lf  M_ll] [-q̇_l] = [λ],     f   the hub's twist, wheels, modes

so that momentum is kept, and the work ½ λᵀ q̇_l ≤ 0 is lost.  For rare instants: plain NumPy, so
that nothing is compiled.
"""

from collections.abc import Sequence

import numpy as np

from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.physics.flexible import modes as flex
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import Tree
from proxops.plant import layout
from proxops.plant.mobility import mass_matrix, stance
from proxops.plant.model import Plant


def stop_joints(plant: Plant, y: np.ndarray, joints: Sequence[int]) -> float:
    """Stops these joints of the chaser, in place in the state y; returns the work done on it [J],
    which is entered into the ledger as friction."""
    n, modes = len(plant.chaser_topology), len(plant.chaser_modes) - 1
    first_rate = layout.JOINTS + n
    first_mode = first_rate + n
    q, qd = y[layout.JOINTS : first_rate], y[first_rate:first_mode]
    eta, eta_rate = (y[first_mode + i * modes : first_mode + (i + 1) * modes] for i in range(2))
    M = _mass_matrix(plant, q, eta)
    stopped = BASE_DOF + np.array(joints, dtype=int)
    free = np.setdiff1d(np.arange(len(M)), stopped)
    change = np.zeros(len(M))
    change[stopped] = -qd[joints]
    change[free] = -np.linalg.solve(
        M[np.ix_(free, free)], M[np.ix_(free, stopped)] @ change[stopped]
    )
    impulse = M[stopped] @ change
    work = 0.5 * float(impulse @ qd[joints])
    R_OC = np.array(quat_to_rotation.py_func(tuple(y[layout.Q : layout.Q + 4]))).reshape(3, 3)
    y[layout.V : layout.V + 3] += R_OC @ change[:3]
    y[layout.W : layout.W + 3] += change[3:BASE_DOF]
    qd += change[BASE_DOF : BASE_DOF + n]
    qd[joints] = 0.0
    eta_rate += change[BASE_DOF + n :]
    y[layout.slices(plant).ledger.start + layout.FRICTION_WORK] += work
    return work


def _mass_matrix(plant: Plant, q: np.ndarray, eta: np.ndarray) -> np.ndarray:
    """M of hub, joints and modes: participations of modes, and the hub with what is deflected, see
    physics.flexible.modes."""
    tree = Tree(plant.chaser, plant.chaser_topology)
    rigid = mass_matrix(tree, stance(tree, q))
    M = np.eye(len(rigid) + len(eta))
    M[: len(rigid), : len(rigid)] = rigid
    shift, second = np.zeros(3), np.zeros((3, 3))  # Σ σ d,  Σ c cᵀ - k kᵀ over shapes
    for mode, row in enumerate(plant.chaser_modes[1:]):
        e, k = row[flex.E : flex.E + 3], row[flex.K : flex.K + 3]
        pair, partner = int(row[flex.PAIR]), mode + int(row[flex.PAIR])
        H = row[flex.H : flex.H + 3] + (
            eta[partner] * row[flex.AWAY : flex.AWAY + 3] if pair != flex.ALONE else 0.0
        )
        column = len(rigid) + mode
        M[:BASE_DOF, column] = M[column, :BASE_DOF] = np.concatenate([row[flex.SIGMA] * e, H])
        if pair == flex.SECOND:
            continue  # the first did it for both
        d = eta[mode] * e
        if pair == flex.FIRST:
            d = d + eta[partner] * plant.chaser_modes[partner + 1, flex.E : flex.E + 3]
        shift += row[flex.SIGMA] * d
        if row[flex.KIND] == flex.BEAM:
            second += np.outer(k + d, k + d) - np.outer(k, k)
    cross = np.array(
        [[0.0, -shift[2], shift[1]], [shift[2], 0.0, -shift[0]], [-shift[1], shift[0], 0.0]]
    )
    M[:3, 3:6] -= cross
    M[3:6, :3] += cross
    M[3:6, 3:6] += np.trace(second) * np.eye(3) - second
    return M
