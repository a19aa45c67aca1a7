"""What an arm's motion asks of its motors and does to a base that nothing holds.

With no momentum at the start and nothing that pushes from outside, there is never any:

    M_b V_b + M_bq q̇ = 0,      M_b V̇_b + M_bq q̈ + (C ν)_b = 0,      τ = M_qb V̇_b + M_q q̈ + (C ν)_q

so that the base moves with V_b = -M_b⁻¹ M_bq q̇ (Umetani and Yoshida's generalised Jacobian is the
arm's with this put in), and the common centre of mass stays where it is.
"""

from dataclasses import dataclass

import numpy as np

from proxops.arm_paths.arm import Arm
from proxops.arm_paths.checks import place_in
from proxops.arm_paths.path import turn_by
from proxops.arm_paths.time_law import MotionTable
from proxops.core.description import RigidInertia
from proxops.core.frame import Frame
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.entry import Motion, bias_force, mass_matrix
from proxops.physics.multibody.joints import friction_torque
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import Tree, body_row, scratch_for
from proxops.plant.mobility import centre_of_mass
from proxops.plant.model import Plant


@dataclass(frozen=True)
class Floating:
    """A table of joints as a base that nothing holds lives through it."""

    torque: np.ndarray  # of the arm's motors, friction included (k, n) [N m or N]
    R: np.ndarray  # attitude of C in C as it was at the start (k, 3, 3)
    p: np.ndarray  # C's origin there (k, 3) [m]
    w: np.ndarray  # angular velocity of C, in C (k, 3) [rad/s]
    effort_share: float  # largest torque of a motor, of what it can give
    problems: tuple[str, ...]  # in words; none where all motors are strong enough

    @property
    def turned(self) -> float:
        """By how much the base has turned at most [rad]."""
        cosines = 0.5 * (np.trace(self.R, axis1=1, axis2=2) - 1.0)
        return float(np.arccos(np.clip(cosines, -1.0, 1.0)).max())

    @property
    def shifted(self) -> float:
        """By how much the base's origin has moved at most [m]."""
        return float(np.linalg.norm(self.p, axis=1).max())


def pair_tree(arm: Arm, plant: Plant, held: Frame | None) -> Tree:
    """The chaser, with the target as part of the arm's last link where it is `held` (X_ET);
    appendages unbent."""
    bodies = plant.chaser.copy()
    if held is not None:
        body = arm.first + len(arm.joints)
        X_JT = arm.X_JE @ held
        link, target = _inertia_of(bodies[body]), _inertia_of(plant.target[0])
        both = link.joined(target.seen_from(X_JT.R, X_JT.p))
        bodies[body, : at.ROTATION] = body_row(both)[: at.ROTATION]
    return Tree(bodies, plant.chaser_topology)


def _inertia_of(row: np.ndarray) -> RigidInertia:
    xx, yy, zz, xy, xz, yz = row[at.INERTIA : at.INERTIA + 6]
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return RigidInertia(float(row[at.MASS]), row[at.COM : at.COM + 3].copy(), inertia)


def inverse_dynamics(
    tree: Tree, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Torques of all motors, friction included (n,) [N m or N], and the base's twist (6,) [m/s,
    rad/s] in its axes, of a craft without momentum whose joints (n,) move so."""
    n, scratch = len(q), scratch_for(tree)
    M, bias = np.zeros((BASE_DOF + n, BASE_DOF + n)), np.zeros(BASE_DOF + n)
    mass_matrix(tree, Motion(np.zeros(6), q, qd), M, scratch)
    M_b, M_bq = M[:BASE_DOF, :BASE_DOF], M[:BASE_DOF, BASE_DOF:]
    twist = -np.linalg.solve(M_b, M_bq @ qd)
    bias_force(tree, Motion(twist, q, qd), bias, scratch)
    rate = -np.linalg.solve(M_b, M_bq @ qdd + bias[:BASE_DOF])
    torque = M_bq.T @ rate + M[BASE_DOF:, BASE_DOF:] @ qdd + bias[BASE_DOF:]
    friction = [friction_torque.py_func(tree.bodies, i + 1, float(qd[i])) for i in range(n)]
    return torque - np.array(friction), twist


def float_along(arm: Arm, tree: Tree, others: np.ndarray, table: MotionTable) -> Floating:
    """The motion of the base, at rest at the start, and the torques along a table; `others` (n of
    all the chaser's joints) [rad or m] is where those of other arms stay.

    The attitude is integrated by Magnus' series to the fourth order, with rates at both ends and
    in the middle of each step (h): Ω = h/6 (w₁ + 4 w₂ + w₃) + h²/12 w₁ × w₃.
    """
    own = slice(arm.first, arm.first + len(arm.joints))

    def spread(rows: np.ndarray, rest: np.ndarray) -> np.ndarray:
        full = np.tile(rest, (len(rows), 1))
        full[:, own] = rows
        return full

    still = np.zeros(len(others))
    q, qd, qdd = spread(table.q, others), spread(table.qd, still), spread(table.qdd, still)
    found = [inverse_dynamics(tree, *rows) for rows in zip(q, qd, qdd, strict=True)]
    torque = np.array([each for each, _ in found])[:, own]
    w = np.array([twist[3:] for _, twist in found])
    half = table.at(table.t[:-1] + 0.5 * table.step)
    middle = [
        inverse_dynamics(tree, *rows, still)[1][3:]
        for rows in zip(spread(half[0], others), spread(half[1], still), strict=True)
    ]
    R = _attitudes(w, np.array(middle).reshape(-1, 3), table.step)
    centres = np.array([centre_of_mass(tree, row) for row in q])
    p = centres[0] - np.einsum("kij,kj->ki", R, centres)
    share = np.abs(torque) / arm.effort
    return Floating(torque, R, p, w, float(share.max()), tuple(_too_weak(arm, table, torque)))


def _attitudes(w: np.ndarray, middle: np.ndarray, h: float) -> np.ndarray:
    R = [np.eye(3)]
    for first, second, third in zip(w[:-1], middle, w[1:], strict=True):
        turn = h / 6.0 * (first + 4.0 * second + third) + h * h / 12.0 * np.cross(first, third)
        R.append(R[-1] @ turn_by(turn))
    return np.array(R)


def _too_weak(arm: Arm, table: MotionTable, torque: np.ndarray) -> list[str]:
    found, share = [], np.abs(torque) / arm.effort
    for i in np.flatnonzero(share.max(axis=0) > 1.0).tolist():
        row, unit = int(share[:, i].argmax()), "N" if arm.prismatic[i] else "N m"
        place = place_in(table, float(table.t[row]))
        found.append(
            f"{arm.joints[i]} needs {abs(torque[row, i]):.3g} {unit} {place}, and its motor gives "
            f"{arm.effort[i]:.3g} {unit}"
        )
    return found
