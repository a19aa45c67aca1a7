"""How easily a body of a spacecraft gives way, with everything that hangs on it.

    Λ⁻¹ = J M⁻¹ Jᵀ,     M = Σ Jᵢᵀ diag(mᵢ, Iᵢ) Jᵢ + rotors

at the body's centre of mass, base free and joints without friction.  For building tables: plain
NumPy, so that nothing is compiled.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.description import point_inertia
from proxops.core.spatial.vector import cross, skew
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import Tree


class Stance(NamedTuple):
    """Where the bodies of a tree stand, base axes."""

    R: np.ndarray  # (bodies, 3, 3)
    p: np.ndarray  # origins (bodies, 3) [m]


def stance(tree: Tree, q: np.ndarray) -> Stance:
    """With these joint positions [rad or m]."""
    R, p = [np.eye(3)], [np.zeros(3)]
    for (parent, kind), row, angle in zip(tree.topology, tree.bodies[1:], q, strict=True):
        R_PJ = row[at.ROTATION : at.ROTATION + 9].reshape(3, 3)
        p_PJ = row[at.OFFSET : at.OFFSET + 3]
        slides = kind == at.PRISMATIC
        c, s = (1.0, 0.0) if slides else (np.cos(angle), np.sin(angle))
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        R_J = R[parent] @ R_PJ
        R.append(R_J @ turn)
        p.append(p[parent] + R[parent] @ p_PJ + (angle * R_J[:, 2] if slides else 0.0))
    return Stance(np.array(R), np.array(p))


def mobility(tree: Tree, here: Stance, body: int) -> np.ndarray:
    """Velocity of a body's centre of mass and its turn [v, w] from the like force and torque, base
    axes (6, 6)."""
    M, J = mass_matrix(tree, here), jacobian(tree, here, body, _centre(tree, here, body))
    return np.asarray(J @ np.linalg.solve(M, J.T))


def mass_matrix(tree: Tree, here: Stance) -> np.ndarray:
    """M of base and joints, rotors included (6 + n, 6 + n)."""
    M = np.diag([0.0] * BASE_DOF + [row[at.ROTOR] for row in tree.bodies[1:]])
    for each in range(len(tree.bodies)):
        J = jacobian(tree, here, each, _centre(tree, here, each))
        M += J.T @ _inertia(tree.bodies[each], here.R[each]) @ J
    return M


def centre_of_mass(tree: Tree, q: np.ndarray) -> np.ndarray:
    """Of the whole craft with these joint positions [rad or m], from the base's origin, base axes
    (3,) [m]."""
    here, masses = stance(tree, q), tree.bodies[:, at.MASS]
    centres = [_centre(tree, here, body) for body in range(len(masses))]
    return np.asarray(masses @ np.array(centres) / masses.sum())


def _centre(tree: Tree, here: Stance, body: int) -> np.ndarray:
    return np.asarray(here.p[body] + here.R[body] @ tree.bodies[body, at.COM : at.COM + 3])


def jacobian(tree: Tree, here: Stance, body: int, point: np.ndarray) -> np.ndarray:
    """[v, w] of a body at a point of it [m] from those of the base and the joint rates, base axes
    (6, 6 + n)."""
    J = np.zeros((6, BASE_DOF + len(tree.topology)))
    J[:, :BASE_DOF] = np.eye(6)
    J[:3, 3:BASE_DOF] = -np.array(skew.py_func(point)).reshape(3, 3)
    while body > 0:
        axis = here.R[body][:, 2]
        parent, kind = tree.topology[body - 1]
        column = J[:, BASE_DOF + body - 1]
        if kind == at.PRISMATIC:
            column[:3] = axis
        else:
            column[:3], column[3:] = cross.py_func(axis, point - here.p[body]), axis
        body = parent
    return J


def _inertia(row: np.ndarray, R: np.ndarray) -> np.ndarray:
    """diag(m, I) about the centre of mass, base axes."""
    mass, com = row[at.MASS], row[at.COM : at.COM + 3]
    xx, yy, zz, xy, xz, yz = row[at.INERTIA : at.INERTIA + 6]
    about_origin = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    full = np.zeros((6, 6))
    full[:3, :3] = mass * np.eye(3)
    full[3:, 3:] = R @ (about_origin - point_inertia(mass, com)) @ R.T
    return full
