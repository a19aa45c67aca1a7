"""Motion in orbit as (2) and (12) of the relative dynamics have it, in absolute terms and NumPy.

Written apart from `physics.relative`, which is compared with it; only the accelerations of the
craft come from `physics.multibody`.
"""

import numpy as np

from proxops.physics.multibody.entry import Loads, Motion, forward_dynamics
from proxops.physics.multibody.tree import Tree, scratch_for

# State: p_OB, q_OB, v_OB in O, w_OB in B, joint positions, joint rates
P, Q, V, W, JOINTS = 0, 3, 7, 10, 13


def rotation(q: np.ndarray) -> np.ndarray:
    """R_AB of the unit quaternion q_AB."""
    w, x, y, z = q
    return np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )


def cross_matrix(a: np.ndarray) -> np.ndarray:
    """[a]×."""
    x, y, z = a
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def adjoint(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Ad of a pose (6, 6)."""
    return np.block([[R, cross_matrix(p) @ R], [np.zeros((3, 3)), R]])


def quaternion_rate(q: np.ndarray, w: np.ndarray) -> np.ndarray:
    """½ q ∘ (0, w)."""
    return 0.5 * np.array([-q[1:] @ w, *(q[0] * w + cross_matrix(q[1:]) @ w)])


class Orbit:
    """A craft in orbit, without a tide."""

    def __init__(self, tree: Tree, y: np.ndarray) -> None:
        self.y = y.copy()
        self._tree, self._scratch = tree, scratch_for(tree)
        self._n = len(tree.topology)
        self._nu_rate = np.zeros(6 + self._n)

    def rates(self, y: np.ndarray, loads: Loads) -> np.ndarray:
        """dy/dt of (2) or (12)."""
        n, R = self._n, rotation(y[Q:V] / np.linalg.norm(y[Q:V]))
        v, w, qd = R.T @ y[V:W], y[W:JOINTS], y[JOINTS + n :]
        motion = Motion(np.concatenate([v, w]), y[JOINTS : JOINTS + n], qd)
        forward_dynamics(self._tree, motion, loads, self._nu_rate, self._scratch)
        a = self._nu_rate[:3] + cross_matrix(w) @ v
        return np.concatenate(
            [y[V:W], quaternion_rate(y[Q:V], w), R @ a, self._nu_rate[3:6], qd, self._nu_rate[6:]]
        )

    def advance(self, loads: Loads, h: float) -> None:
        """One step of RK4 under constant loads."""
        y = self.y
        k1 = self.rates(y, loads)
        k2 = self.rates(y + 0.5 * h * k1, loads)
        k3 = self.rates(y + 0.5 * h * k2, loads)
        k4 = self.rates(y + h * k3, loads)
        self.y = y + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)
        self.y[Q:V] /= np.linalg.norm(self.y[Q:V])
