"""The relative dynamics at single moments: random states, each law in the paper's own terms."""

from typing import NamedTuple

import numpy as np

from proxops.core.description import RigidInertia
from proxops.physics.multibody import entry as multibody
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.entry import Motion, Mount
from proxops.physics.multibody.tree import Tree, body_row, scratch_for
from proxops.physics.relative import entry, nominal_build
from proxops.physics.relative import published as of
from proxops.physics.relative.motion import MOTION_WIDTH, RATE, STATE_WIDTH, TWIST
from proxops.physics.relative.nominal import Course
from proxops.physics.relative.published import Measured
from proxops.validation import relative_pair as pair
from proxops.validation.relative_motions import BLOW, SHOWN, START, measured
from proxops.validation.relative_reference import (
    JOINTS,
    P,
    Q,
    V,
    W,
    adjoint,
    cross_matrix,
    rotation,
)

CASES = 20  # states of which each number is the worst


class Moment(NamedTuple):
    """A random state of a body in the laboratory, and what acts on it."""

    system: Measured
    y: np.ndarray
    V_M: np.ndarray  # twist of the body relative to M (6,)
    V_O: np.ndarray  # in orbit
    apart: np.ndarray  # d/dt δV

    @property
    def demanded(self) -> np.ndarray:
        """V̇ of (11) or (18), relative to M."""
        rate = np.zeros(len(self.y))
        entry.measured_rate(self.system, self.y, 0.0, rate)
        return rate[of.SHOWN + V : of.SHOWN + JOINTS]

    def motion(self, twist: np.ndarray) -> Motion:
        """The craft with that twist of its base."""
        q, qd, _ = self.system.arm
        return Motion(twist, q, qd)


def moment(tree: Tree, rng: np.random.Generator) -> Moment:
    """Rates of a capture out of hand: up to 0.3 m/s, 0.3 rad/s, 0.5 rad/s at the joints."""
    system = measured(nominal_build.free(pair.TARGET), tree)
    system.wrenches[:] = rng.uniform(-1.0, 1.0, system.wrenches.shape) * BLOW
    system.arm[:] = rng.uniform(-0.5, 0.5, system.arm.shape)
    y = np.concatenate([START, START])
    for start in (Q, of.SHOWN + Q):
        q = rng.normal(size=4)
        y[start : start + 4] = q / np.linalg.norm(q)
    y[V:STATE_WIDTH] = rng.uniform(-0.3, 0.3, 6)
    y[of.SHOWN : of.SHOWN + Q] = rng.uniform(-3.0, 3.0, 3)
    y[of.SHOWN + V :] = rng.uniform(-0.3, 0.3, 6)
    row, rate = np.zeros(MOTION_WIDTH), np.zeros(STATE_WIDTH)
    entry.nominal_at(Course(system.nominal, system.scratch), y, 0.0, rate, row)
    V_M = y[of.SHOWN + V :]
    R_BM = rotation(y[SHOWN][Q:V]).T
    to_body = adjoint(R_BM, -R_BM @ y[SHOWN][P:Q])
    carried = to_body @ row[TWIST:RATE]
    v, w = cross_matrix(V_M[:3]), cross_matrix(V_M[3:])
    bracket = np.block([[w, v], [np.zeros((3, 3)), w]])
    apart = to_body @ row[RATE:] - bracket @ carried
    return Moment(system, y, V_M, V_M + carried, apart)


def matrices(case: Moment, tree: Tree, twist: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """M and C (6 + n, 6 + n) of a craft whose base moves with that twist."""
    M, C = np.zeros((2, 6 + len(tree.topology), 6 + len(tree.topology)))
    motion, scratch = case.motion(twist), scratch_for(tree)
    multibody.mass_matrix(tree, motion, M, scratch)
    multibody.coriolis_matrix(tree, motion, C, scratch)
    return M, C


def on_base(case: Moment, tree: Tree) -> np.ndarray:
    """J_bᵀ F_e + F_b: all wrenches on the craft, at its base (6,)."""
    total, size = np.zeros(6), 6 + len(tree.topology)
    J, J_rate, scratch = np.zeros((6, size)), np.zeros((6, size)), scratch_for(tree)
    for body, wrench in enumerate(case.system.wrenches):
        mount = Mount(body, np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]))
        multibody.frame_jacobian(tree, case.motion(case.V_O), mount, J, J_rate, scratch)
        total += J[:, :6].T @ wrench
    return total


def carrier_tree(tree: Tree) -> Tree:
    """A torque-controlled carrier that bears the same arm: its base is another body."""
    bodies = tree.bodies.copy()
    about = np.array([[90.0, 4.0, -3.0], [4.0, 120.0, 6.0], [-3.0, 6.0, 70.0]])
    bodies[0] = body_row(RigidInertia(350.0, np.array([0.1, -0.2, 0.15]), about))
    return Tree(bodies, tree.topology)


def force_9(case: Moment, M_c: np.ndarray, C_c: np.ndarray) -> np.ndarray:
    """(9) as printed."""
    M_t, C_t = matrices(case, case.system.tree, case.V_O)
    F, ratio = case.system.wrenches[0], M_c @ np.linalg.inv(M_t)
    return np.asarray(
        (ratio - np.eye(6)) @ F - M_c @ case.apart - ratio @ C_t @ case.V_O + C_c @ case.V_M
    )


def force_16(case: Moment, M: np.ndarray, C: np.ndarray) -> np.ndarray:
    """(16), corrected, for a carrier with M and C (6 + n, 6 + n); F_b and J_bᵀ F_e apart."""
    of_craft, C_b = matrices(case, case.system.tree, case.V_O)
    M_b, M_bq, M_s = of_craft[:6, :6], of_craft[:6, 6:], M[:6, :6]
    _, qd, qdd = case.system.arm
    F_b = case.system.wrenches[0]
    F_e, ratio = on_base(case, case.system.tree) - F_b, M_s @ np.linalg.inv(M_b)
    return np.asarray(
        (ratio - np.eye(6)) @ F_e
        + C[:6, :6] @ case.V_M
        + (C[:6, 6:] - ratio @ C_b[:6, 6:]) @ qd
        + ratio @ (F_b - C_b[:6, :6] @ case.V_O - M_b @ case.apart)
        + (np.eye(6) - ratio) @ M_bq @ qdd
    )


def causalities() -> float:
    """Largest difference of accelerations [m/s2, rad/s2] between a carrier that follows (11) or
    (18) and one that is given the force (9) or (16)."""
    rng, worst = np.random.default_rng(9), 0.0
    for tree in (pair.target(), pair.chaser()[0]):
        for _ in range(CASES):
            case = moment(tree, rng)
            M, C = matrices(case, carrier_tree(tree), case.V_M)
            if len(tree.topology):
                # F_b comes from thrusters, which push in orbit only
                push = force_16(case, M, C) + on_base(case, tree) - case.system.wrenches[0]
            else:
                push = force_9(case, M, C) + case.system.wrenches[0]
            _, qd, qdd = case.system.arm
            bias = C[:6, :6] @ case.V_M + C[:6, 6:] @ qd + M[:6, 6:] @ qdd
            found = np.linalg.solve(M[:6, :6], push - bias)
            worst = max(worst, float(np.abs(found - case.demanded).max()))
    return worst


def port_28() -> float:
    """Largest component of J_b δV_s - δV_c [m/s, rad/s] while the end effector holds the grapple,
    both in its frame."""
    rng, worst = np.random.default_rng(28), 0.0
    tree, mount = pair.chaser()
    n, scratch = len(tree.topology), scratch_for(tree)
    J, J_rate = np.zeros((2, 6, 6 + n))
    for _ in range(CASES):
        case = moment(tree, rng)
        multibody.frame_jacobian(tree, case.motion(case.V_O), mount, J, J_rate, scratch)
        of_chaser = J[:, :6] @ (case.V_O - case.V_M)
        # the grapple G on the end effector E fixes where M sees the target
        R_MC, p_MC = rotation(case.y[SHOWN][Q:V]), case.y[SHOWN][P:Q]
        R_CE = scratch[mount.body, at.R : at.R + 9].reshape(3, 3)
        p_CE = scratch[mount.body, at.P : at.P + 3] + R_CE @ mount.X_iF[4:]
        R_TG = rotation(pair.Q_TC)
        R_MT = R_MC @ R_CE @ R_TG.T
        p_MT = p_MC + R_MC @ p_CE - R_MT @ pair.GRASP
        V_M = np.concatenate([rotation(case.y[Q:V]).T @ case.y[V:W], case.y[W:STATE_WIDTH]])
        of_target = np.linalg.solve(adjoint(R_MT, p_MT), V_M)
        at_grapple = np.linalg.solve(adjoint(R_TG, pair.GRASP), of_target)
        worst = max(worst, float(np.abs(of_chaser - at_grapple).max()))
    return worst
