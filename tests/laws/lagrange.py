"""A spacecraft as a cloud of mass points, and its motion straight from its kinetic energy.

Nothing here knows the equations of the package.  Where the points stand, u(c) from the hub's origin
in hub axes, follows from the coordinates c (joints, then modal coordinates as users know them);
all else is differentiated from that: with speeds s = [v; w; ċ],

    T = ½ Σ m |v + w × u + u̇|² = ½ sᵀ M(c) s,     p = ∂T/∂v,   h = ∂T/∂w
    d/dt ∂T/∂s + [w × p;  w × h + v × p;  -∂T/∂c] = Q          (Boltzmann and Hamel)
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from proxops.core.description import CraftDescription, MountedArm, RigidInertia
from proxops.physics.flexible.appendage import cantilever, from_modal_data
from proxops.physics.flexible.beam import Beam
from tests.laws import plants

ROOTS = (1.8751040687119611, 4.6940911329741746, 7.8547574382376126)  # cosh x cos x = -1
DIFFERENCE = 0.03  # of a coordinate; seventh derivatives of sines leave 5e-12


class Panel(NamedTuple):
    """Modal data of an appendage, in hub axes."""

    rigid: RigidInertia
    frequencies: np.ndarray  # [rad/s]
    zeta: float
    S: np.ndarray  # one row a mode
    H: np.ndarray


class Mast(NamedTuple):
    """A beam and where it stands."""

    beam: Beam
    R: np.ndarray
    p: np.ndarray


class Craft(NamedTuple):
    """A spacecraft in the words of the tests."""

    mass: float
    inertia: np.ndarray
    arms: tuple[MountedArm, ...]
    masts: tuple[Mast, ...]
    panels: tuple[Panel, ...]


def describe(craft: Craft, q_f: np.ndarray | None = None, **start: np.ndarray) -> CraftDescription:
    """The same in the words of the package, bent by q_f; `start` as of a CraftDescription."""
    still = {"p_H": np.zeros(3), "v_H": np.zeros(3), "q_N": np.eye(4)[0], "w": np.zeros(3)}
    left = list(np.zeros(len(modal_mass(craft))) if q_f is None else q_f)

    def bent(modes: int) -> tuple[np.ndarray, np.ndarray]:
        return np.array([left.pop(0) for _ in range(modes)]), np.zeros(modes)

    appendages = [
        cantilever(f"mast{i}", mast.beam, mast.R, mast.p, bent(_modes_of_mast(mast)))
        for i, mast in enumerate(craft.masts)
    ]
    for i, panel in enumerate(craft.panels):
        modes = [
            (omega, panel.zeta, S, H)
            for omega, S, H in zip(panel.frequencies, panel.S, panel.H, strict=True)
        ]
        appendages.append(from_modal_data(f"panel{i}", panel.rigid, modes, bent(len(modes))))
    return CraftDescription(
        craft.mass, craft.inertia, arms=craft.arms, appendages=tuple(appendages), **(still | start)
    )


def modal_mass(craft: Craft) -> np.ndarray:
    """m of each coordinate: that of the beam in the classic normalisation, one for modal data."""
    beams = [mast.beam.mass for mast in craft.masts for _ in range(_modes_of_mast(mast))]
    return np.array(beams + [1.0 for panel in craft.panels for _ in panel.frequencies])


def stiffness_and_damping(craft: Craft) -> tuple[np.ndarray, np.ndarray]:
    """k = m ω² and b = 2 ζ ω m of each coordinate, with ω² = (βL)⁴ EI/(m L³) of a beam."""
    omegas, zetas = [], []
    for mast in craft.masts:
        m, length, EI, zeta, shapes, axes = mast.beam
        for root in ROOTS[:shapes]:
            omegas += [root**2 * np.sqrt(EI / (m * length**3))] * len(axes)
            zetas += [zeta] * len(axes)
    for panel in craft.panels:
        omegas += list(panel.frequencies)
        zetas += [panel.zeta] * len(panel.frequencies)
    m, omega = modal_mass(craft), np.array(omegas)
    return m * omega**2, 2.0 * np.array(zetas) * omega * m


class Cloud:
    """A spacecraft's mass points and what follows from them."""

    def __init__(self, craft: Craft) -> None:
        self._craft = craft
        self.joints = sum(len(mounted.arm.joints) for mounted in craft.arms)
        self.size = self.joints + len(modal_mass(craft))
        # masses, and points in the frame of hub, panels, then arms with root and links
        hub = RigidInertia(craft.mass, np.zeros(3), craft.inertia)
        bodies = [hub, *(panel.rigid for panel in craft.panels)]
        for mounted in craft.arms:
            bodies += [mounted.arm.root, *(joint.link for joint in mounted.arm.joints)]
        self._points = [_six_points(body) for body in bodies]
        self._beams = [_beam_points(mast) for mast in craft.masts]
        beam_masses = [m for m, _, _ in self._beams]
        self.masses = np.concatenate([np.full(6, body.mass / 6.0) for body in bodies] + beam_masses)
        self._rotors = [j.rotor_inertia for mounted in craft.arms for j in mounted.arm.joints]

    def places(self, c: np.ndarray) -> np.ndarray:
        """u of every point, one row each [m]."""
        frames = [(np.eye(3), np.zeros(3))] * (1 + len(self._craft.panels))
        cursor = 0
        for mounted in self._craft.arms:
            R, p = mounted.R_CA, mounted.p_CA
            frames.append((R, p))
            for joint in mounted.arm.joints:
                p, R = p + R @ joint.p_PJ, R @ joint.R_PJ
                x = c[cursor]
                cursor += 1
                if joint.prismatic:
                    p = p + x * R[:, 2]
                else:
                    cos, sin = np.cos(x), np.sin(x)
                    R = R @ np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
                frames.append((R, p))
        found = [p + u @ R.T for u, (R, p) in zip(self._points, frames, strict=True)]
        for _, straight, bent in self._beams:
            found.append(straight + np.tensordot(c[cursor : cursor + len(bent)], bent, 1))
            cursor += len(bent)
        return np.concatenate(found)

    def jacobian(self, c: np.ndarray) -> np.ndarray:
        """Velocities of the points per unit of the speeds s: (points, 3, speeds)."""
        u = self.places(c)
        turning = np.stack([np.cross(axis, u) for axis in np.eye(3)], axis=2)
        ahead = np.broadcast_to(np.eye(3), (len(u), 3, 3))
        moving = [_derivative(self.places, c, along) for along in np.eye(self.size)]
        return np.concatenate([ahead, turning, np.stack(moving, axis=2)], axis=2)

    def mass_matrix(self, c: np.ndarray) -> np.ndarray:
        """M with T = ½ sᵀ M s."""
        J = self.jacobian(c).reshape(-1, 6 + self.size)
        return J.T @ (np.repeat(self.masses, 3)[:, None] * J) + self._without_points(c)

    def energy(self, s: np.ndarray, c: np.ndarray) -> float:
        """T from the velocities of the points [J]."""
        V = s[:3] + np.cross(s[3:6], self.places(c)) + _derivative(self.places, c, s[6:])
        return 0.5 * self.masses @ (V * V).sum(axis=1) + 0.5 * s @ self._without_points(c) @ s

    def springs(self, c: np.ndarray, c_rate: np.ndarray) -> np.ndarray:
        """Q of the appendages' springs and dampers."""
        k, b = stiffness_and_damping(self._craft)
        Q = np.zeros(6 + self.size)
        Q[6 + self.joints :] = -k * c[self.joints :] - b * c_rate[self.joints :]
        return Q

    def accelerations(self, s: np.ndarray, c: np.ndarray, Q: np.ndarray) -> np.ndarray:
        """Rates of the components of s under the generalised forces Q."""
        v, w, c_rate = s[:3], s[3:6], s[6:]
        M = self.mass_matrix(c)
        p, h = np.split((M @ s)[:6], 2)
        flow = _derivative(self.mass_matrix, c, c_rate) @ s
        flow[:3] += np.cross(w, p)
        flow[3:6] += np.cross(w, h) + np.cross(v, p)
        for i, along in enumerate(np.eye(self.size)):
            flow[6 + i] -= _derivative(lambda at: self.energy(s, at), c, along)
        return np.linalg.solve(M, Q - flow)

    def _without_points(self, c: np.ndarray) -> np.ndarray:
        """What rotors and modal data add to M.  No points are known of them, but their energies:
        ½ I q̇²,   v·(w × Σ S η) + v·Σ S η̇ + w·Σ H η̇ + ½ |η̇|²."""
        M = np.zeros((6 + self.size, 6 + self.size))
        M[6 : 6 + self.joints, 6 : 6 + self.joints] = 0.5 * np.diag(self._rotors)
        at = 6 + self.size - sum(len(panel.frequencies) for panel in self._craft.panels)
        for panel in self._craft.panels:
            here = slice(at, at + len(panel.frequencies))
            x, y, z = panel.S.T @ c[here.start - 6 : here.stop - 6]
            M[:3, 3:6] += np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])
            M[:6, here] = np.vstack([panel.S.T, panel.H.T])
            M[here, here] = 0.5 * np.eye(len(panel.frequencies))
            at = here.stop
        return M + M.T


def _derivative(
    f: Callable[[np.ndarray], np.ndarray], x: np.ndarray, along: np.ndarray
) -> np.ndarray:
    """df/dt while x moves with the rate `along`: differences of sixth order."""
    h = DIFFERENCE
    one, two, three = (f(x + i * h * along) - f(x - i * h * along) for i in (1, 2, 3))
    return (45.0 * one - 9.0 * two + three) / (60.0 * h)


def _six_points(body: RigidInertia) -> np.ndarray:
    """Where six equal masses stand that have the body's centre of mass and inertia."""
    second, axes = np.linalg.eigh(0.5 * np.trace(_central(body)) * np.eye(3) - _central(body))
    reach = (np.sqrt(3.0 * np.maximum(second, 0.0) / body.mass) * axes).T
    return body.com + np.concatenate([reach, -reach])


def _central(body: RigidInertia) -> np.ndarray:
    """Inertia about the centre of mass."""
    c = body.com
    return body.inertia - body.mass * (c @ c * np.eye(3) - np.outer(c, c))


def _modes_of_mast(mast: Mast) -> int:
    return mast.beam.shapes * len(mast.beam.axes)


def _beam_points(mast: Mast) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gauss points along a beam: masses, places while it is straight, and their way per q_f."""
    m, length, _, _, shapes, axes = mast.beam
    x, weight = np.polynomial.legendre.leggauss(24)
    x = 0.5 * (x + 1.0)
    bent = []
    for root in ROOTS[:shapes]:
        sigma = (np.cosh(root) + np.cos(root)) / (np.sinh(root) + np.sin(root))
        s = root * x
        phi = np.cosh(s) - np.cos(s) - sigma * (np.sinh(s) - np.sin(s))
        bent += [np.outer(phi, mast.R[:, "xyz".index(axis)]) for axis in axes]
    return 0.5 * m * weight, mast.p + length * np.outer(x, mast.R[:, 0]), np.array(bent)


def random_craft(seed: int, *, joints: int = 0, panels: int = 1) -> Craft:
    """A hub of a few hundred kilograms with one beam bending along one axis, one along two, and
    panels given by modal data; with `joints`, an arm as well."""
    rng = np.random.default_rng(seed)
    arms = ()
    if joints:
        arms = (
            plants.MountedArm(
                "arm", plants.arm(rng, joints), plants.rotation(rng), rng.uniform(-1, 1, 3),
                np.zeros(joints), np.zeros(joints),
            ),
        )  # fmt: skip
    hub = plants.solid(rng, rng.uniform(100.0, 400.0), 2.0)
    masts = []
    for axes in ("z", "yz"):
        m, length, EI = rng.uniform(4.0, 15.0), rng.uniform(1.0, 3.0), rng.uniform(5.0, 30.0)
        root = rng.uniform(-1.0, 1.0, 3)
        masts.append(Mast(Beam(m, length, EI, 0.01, 2, axes), plants.rotation(rng), root))
    return Craft(
        hub.mass,
        _central(hub),
        arms,
        tuple(masts),
        tuple(
            Panel(
                plants.solid(rng, 20.0, 2.0),
                2.0 * np.pi * rng.uniform(0.2, 2.0, 2),
                0.02,
                rng.uniform(-1.5, 1.5, (2, 3)),
                rng.uniform(-1.5, 1.5, (2, 3)),
            )
            for _ in range(panels)
        ),
    )
