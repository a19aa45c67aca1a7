"""Random but physical crafts, described once and built twice: as ours and as Pinocchio's model.

Bodies are homogeneous boxes, so every inertia is one that matter can have; joint frames, centres
of mass and rotors are general.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from proxops.physics.multibody import entry
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.entry import Loads, Motion, Mount
from proxops.physics.multibody.momentum import Momentum
from proxops.physics.multibody.tree import Tree, scratch_for

R, P = at.REVOLUTE, at.PRISMATIC
# (parent body, kind) of every joint
LAYOUTS: dict[str, list[tuple[int, int]]] = {
    "0": [],
    "1": [(0, R)],
    "3": [(0, R), (1, P), (2, R)],
    "7": [(i, R) for i in range(7)],
    "9": [(i, P if i in (0, 4) else R) for i in range(9)],
    "7+7": [(i, R) for i in range(7)] + [(0 if i == 7 else i, R) for i in range(7, 14)],
    "3+2": [(0, R), (1, P), (2, R), (0, P), (4, R)],
    "branched": [(0, R), (1, R), (2, P), (2, R), (4, R), (1, P)],
}


@dataclass(frozen=True)
class Body:
    """One body; the joint fields mean nothing for the base."""

    mass: float  # [kg]
    com: np.ndarray  # [m], own axes
    inertia: np.ndarray  # about the centre of mass, own axes [kg m2]
    parent: int = 0
    kind: int = R
    R_PJ: np.ndarray | None = None
    p_PJ: np.ndarray | None = None  # [m]
    rotor: float = 0.0  # as the joint feels it [kg m2 or kg]


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    """A rotation matrix, all attitudes equally likely."""
    Q, upper = np.linalg.qr(rng.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(upper))
    return np.array(Q * np.linalg.det(Q))


def random_box(rng: np.random.Generator, mass: float, size: tuple[float, float]) -> np.ndarray:
    """Inertia of a homogeneous box with random edges [m] and attitude, about its centre."""
    a, b, c = rng.uniform(*size, 3) ** 2
    turn = random_rotation(rng)
    about_centre: np.ndarray = turn @ np.diag([b + c, a + c, a + b]) @ turn.T * mass / 12.0
    return about_centre


def random_chain(name: str, rng: np.random.Generator) -> list[Body]:
    """A base of 100 to 2000 kg with links of 1 to 50 kg that are 0.1 to 1 m long."""
    mass = rng.uniform(100.0, 2000.0)
    chain = [Body(mass, rng.uniform(-0.2, 0.2, 3), random_box(rng, mass, (0.5, 3.0)))]
    for parent, kind in LAYOUTS[name]:
        mass = np.exp(rng.uniform(np.log(1.0), np.log(50.0)))
        length = rng.uniform(0.1, 1.0) if parent else rng.uniform(0.3, 1.5)
        direction = random_rotation(rng)[2]
        chain.append(
            Body(
                mass=mass,
                com=rng.uniform(-0.3, 0.3, 3),
                inertia=random_box(rng, mass, (0.1, 1.0)),
                parent=parent,
                kind=kind,
                R_PJ=random_rotation(rng),
                p_PJ=length * direction,
                # one joint in four is driven directly
                rotor=rng.uniform(0.1, 3.0) if rng.random() < 0.75 else 0.0,
            )
        )
    return chain


def inertia_about_origin(body: Body) -> np.ndarray:
    """Inertia about the body's own origin, own axes [kg m2]."""
    c = body.com
    inertia: np.ndarray = body.inertia + body.mass * (c @ c * np.eye(3) - np.outer(c, c))
    return inertia


def to_tree(chain: list[Body]) -> Tree:
    """Our description of the craft."""
    bodies = np.zeros((len(chain), at.BODY_WIDTH))
    topology = np.zeros((len(chain) - 1, at.TOPOLOGY_WIDTH), dtype=np.int64)
    for row, body in zip(bodies, chain, strict=True):
        inertia = inertia_about_origin(body)
        row[at.MASS] = body.mass
        row[at.COM : at.COM + 3] = body.com
        row[at.INERTIA : at.INERTIA + 6] = inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        if body.R_PJ is not None:
            row[at.ROTATION : at.ROTATION + 9] = body.R_PJ.ravel()
            row[at.OFFSET : at.OFFSET + 3] = body.p_PJ
            row[at.ROTOR] = body.rotor
    for joint, body in enumerate(chain[1:]):
        topology[joint, at.PARENT] = body.parent
        topology[joint, at.KIND] = body.kind
    return Tree(bodies, topology)


def to_pinocchio(chain: list[Body]) -> Any:
    """Pinocchio's description of the craft; body i is its joint i + 1."""
    import pinocchio as pin  # here, so that the laws need no peer

    model = pin.Model()
    model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "base")
    for i, body in enumerate(chain):
        if i > 0:
            joint = pin.JointModelRZ() if body.kind == R else pin.JointModelPZ()
            model.addJoint(body.parent + 1, joint, pin.SE3(body.R_PJ, body.p_PJ), f"joint{i}")
        inertia = pin.Inertia(body.mass, body.com, body.inertia)
        model.appendBodyToJoint(i + 1, inertia, pin.SE3.Identity())
    model.armature = np.concatenate([np.zeros(6), [body.rotor for body in chain[1:]]])
    model.gravity = pin.Motion.Zero()
    return model


def random_motion(chain: list[Body], rng: np.random.Generator) -> Motion:
    """Joints anywhere; rates of a servicing craft out of control, up to 1 rad/s and 0.5 m/s."""
    kinds = np.array([body.kind for body in chain[1:]], dtype=int)
    n = len(kinds)
    q = np.where(kinds == R, rng.uniform(-np.pi, np.pi, n), rng.uniform(0.0, 0.8, n))
    qd = np.where(kinds == R, rng.uniform(-1.0, 1.0, n), rng.uniform(-0.5, 0.5, n))
    return Motion(rng.uniform(-0.5, 0.5, 6), q, qd)


def random_loads(chain: list[Body], rng: np.random.Generator) -> Loads:
    """Joint torques up to 50 N m, forces up to 100 N and torques up to 20 N m on every body."""
    limits = np.repeat([100.0, 20.0], 3)
    wrenches = rng.uniform(-1.0, 1.0, (len(chain), 6)) * limits
    return Loads(rng.uniform(-50.0, 50.0, len(chain) - 1), wrenches)


def random_mount(chain: list[Body], rng: np.random.Generator) -> Mount:
    """A frame anywhere within a metre on any body."""
    q = rng.normal(size=4)
    return Mount(
        int(rng.integers(len(chain))),
        np.concatenate([q / np.linalg.norm(q), rng.uniform(-1.0, 1.0, 3)]),
    )


class Craft:
    """Our kernels on one craft; every call returns fresh arrays."""

    def __init__(self, craft: list[Body] | Tree) -> None:
        self.tree = craft if isinstance(craft, Tree) else to_tree(craft)
        self.scratch = scratch_for(self.tree)
        self.n = len(self.tree.topology)
        self.dof = 6 + self.n

    def frame(self, body: int) -> tuple[np.ndarray, np.ndarray]:
        """(R, p) of a body in the base, in the motion of the last call."""
        row = self.scratch[body]
        return row[at.R : at.R + 9].reshape(3, 3).copy(), row[at.P : at.P + 3].copy()

    def acceleration(self, motion: Motion, loads: Loads) -> np.ndarray:
        nu_rate = np.empty(self.dof)
        entry.forward_dynamics(self.tree, motion, loads, nu_rate, self.scratch)
        return nu_rate

    def prescribed(
        self, motion: Motion, loads: Loads, base: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """(q̈, wrench of the carrier)."""
        qdd = np.empty(self.n)
        wrench = entry.prescribed_base(self.tree, motion, loads, base, qdd, self.scratch)
        return qdd, np.concatenate(wrench)

    def mass_matrix(self, motion: Motion) -> np.ndarray:
        M = np.empty((self.dof, self.dof))
        entry.mass_matrix(self.tree, motion, M, self.scratch)
        return M

    def coriolis(self, motion: Motion) -> np.ndarray:
        C = np.empty((self.dof, self.dof))
        entry.coriolis_matrix(self.tree, motion, C, self.scratch)
        return C

    def bias(self, motion: Motion) -> np.ndarray:
        bias = np.empty(self.dof)
        entry.bias_force(self.tree, motion, bias, self.scratch)
        return bias

    def jacobian(self, motion: Motion, mount: Mount) -> tuple[np.ndarray, np.ndarray]:
        """(J, J̇)."""
        J = np.empty((6, self.dof))
        J_rate = np.empty((6, self.dof))
        entry.frame_jacobian(self.tree, motion, mount, J, J_rate, self.scratch)
        return J, J_rate

    def momentum(self, motion: Motion) -> Momentum:
        carried: Momentum = entry.total_momentum(self.tree, motion, self.scratch)
        return carried

    def h(self, motion: Motion) -> np.ndarray:
        """Momentum about the base's origin, linear first."""
        carried = self.momentum(motion)
        return np.concatenate([carried.linear, carried.angular])

    def base_twist(self, h: np.ndarray, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return np.concatenate(entry.base_twist(self.tree, h, q, qd, self.scratch))


def momentum_rate(twist: np.ndarray, h: np.ndarray, wrench: np.ndarray) -> np.ndarray:
    """ḣ of the momentum form."""
    return np.concatenate(entry.momentum_rate(twist, h, wrench))


def nu_of(motion: Motion) -> np.ndarray:
    """ν = [v; w; q̇]."""
    return np.concatenate([motion.twist, motion.qd])


def moved(motion: Motion, nu_rate: np.ndarray, s: float) -> Motion:
    """The motion s seconds further along its tangent."""
    return Motion(
        motion.twist + s * nu_rate[:6],
        motion.q + s * motion.qd,
        motion.qd + s * nu_rate[6:],
    )


def relative(found: Any, expected: Any, scale: float | None = None) -> float:
    """Largest error over the scale of the whole: by default the largest expected component."""
    expected = np.asarray(expected)
    if expected.size == 0:
        return 0.0
    if scale is None:
        scale = float(np.max(np.abs(expected)))
    return float(np.max(np.abs(np.asarray(found) - expected))) / scale


def rate_at_zero(function: Callable[[float], np.ndarray], step: float) -> np.ndarray:
    """Derivative at 0 by the central difference of eighth order."""
    weights = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
    pairs = [function(i * step) - function(-i * step) for i in range(1, 5)]
    return np.tensordot(weights, pairs, axes=1) / step
