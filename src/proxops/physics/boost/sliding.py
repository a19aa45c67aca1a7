"""Small motion of two bodies pressed together without friction: they slide, and swing back.

A thrust that misses the target's centre of mass by d turns both bodies; as the chaser turns, its
thrust leads it sideways over the face, towards zero deviation.  With rigid pads, per lateral axis,

    d̈ = -(N D/(I_s + I_t)) d - c (1/m̃ + D²/(I_s + I_t)) ḋ

N is the normal force, D the distance of the centres of mass along x, c what damps the sliding, and
I the moments about the other lateral axis.  The inertia has no m̃ D², since without friction the
bodies turn together but do not carry each other sideways.  The thrust must be fixed in the chaser:
along an inertial direction the motion diverges.

With pads that yield, the target's pose in the chaser, y = [ξ; θ] about the settled one, obeys
ÿ = -B (K y + C ẏ): `sliding` sets up these matrices.  Sources of K are the pads' stiffness, and the
pads' settled forces, which follow the target's face and stay at the pads.  Pads lie evenly about
the thrust axis, and the arm must hold the target against roll for the simple law to apply: free to
roll about an offset grasp, the study's bodies slide back with 0.4 of that damping along y.
"""

import cmath
import math
from typing import NamedTuple

import numpy as np

from proxops.core.errors import ProxopsError
from proxops.physics.boost.balance import Load, normal_force, pad_forces
from proxops.physics.boost.pair import Pair, central_inertia, checked_pads, reduced_mass

X = np.array([1.0, 0.0, 0.0])
LATERAL = {"y": 1, "z": 2}
TERMS = 18  # of the series for exp: below the norm ½ the first one left out is 1e-22


class Pads(NamedTuple):
    """Equal springs and dampers along the normal, fixed in the chaser."""

    points: np.ndarray  # (n, 3) [m]
    stiffness: float  # of each [N/m]
    damping: float  # of each [N s/m]


class Robot(NamedTuple):
    """An arm that damps the sliding where it grasps the target, and may hold it against roll."""

    damping: np.ndarray  # along x, y, z (3,) [N s/m]
    grasp: np.ndarray  # (3,) [m]
    roll_stiffness: float = 0.0  # about x [N m/rad]
    roll_damping: float = 0.0  # [N m s/rad]


class Sliding(NamedTuple):
    """ÿ = -B (K y + C ẏ), y = [ξ; θ]: the target in the chaser from the settled pose, contact axes.
    Rows of K and C: force on the target, torque on it, torque on the chaser, each about the body's
    own centre of mass."""

    B: np.ndarray  # (6, 9)
    K: np.ndarray  # (9, 6)
    C: np.ndarray  # (9, 6)
    still: np.ndarray  # settled force of each pad (n,) [N]
    pads: np.ndarray  # what [y; ẏ] adds to them (n, 12)
    arm: np.ndarray  # force on the target [N] and torque about x [N m] of the robot (4, 12)

    @property
    def rates(self) -> np.ndarray:
        """The matrix of d/dt [y; ẏ] (12, 12)."""
        return np.block([[np.zeros((6, 6)), np.eye(6)], [-self.B @ self.K, -self.B @ self.C]])


class Root(NamedTuple):
    """One way the bodies move against each other: exp(st)."""

    s: complex  # [rad/s]
    shape: np.ndarray  # of y (6,), complex

    @property
    def frequency(self) -> float:
        """Damped frequency, as seen in a recording [Hz]."""
        return self.s.imag / math.tau

    @property
    def natural_frequency(self) -> float:
        """|s|/2π [Hz]: what the damped one would be without damping."""
        return abs(self.s) / math.tau

    @property
    def damping(self) -> float:
        """Damping ratio [-]: ζ = -Re s/|s|."""
        return -self.s.real / abs(self.s)


def simple_root(pair: Pair, axis: str, damping: float) -> Root:
    """The sliding along "y" or "z" with rigid pads, damped by c [N s/m].

    s² + c (1/m̃ + D²/(I_s + I_t)) s + N D/(I_s + I_t) = 0

    Damped too strongly to swing, it is the slower way back.
    """
    along = LATERAL[axis]
    about = 3 - along
    inertia = sum(central_inertia(body)[about, about] for body in (pair.chaser, pair.target))
    D = float(pair.target.com[0] - pair.chaser.com[0])
    half = 0.5 * damping * (1.0 / reduced_mass(pair) + D**2 / inertia)
    stiffness = normal_force(pair) * D / inertia
    shape = np.zeros(6, dtype=complex)
    shape[along] = 1.0
    return Root(-half + cmath.sqrt(half**2 - stiffness), shape)


def sliding(pair: Pair, pads: Pads, robot: Robot) -> Sliding:
    """The linear motion about the settled push, with zero deviation.

    The thrust passes through the chaser's centre of mass along x and the target's settled one lies
    on its axis; the deviation in `pair` is a start, not part of the system.
    """
    N = normal_force(pair)
    settled = N / (len(pads.points) * pads.stiffness) * X  # how far the pads give way
    c_s = pair.chaser.com
    c_t = np.array([pair.target.com[0], c_s[1], c_s[2]]) - settled

    def load(at: np.ndarray) -> np.ndarray:
        """Of a force on the target at a point, and its reaction (9, 3)."""
        return np.vstack([np.eye(3), _cross(at - c_t), -_cross(at - c_s)])

    def motion(at: np.ndarray) -> np.ndarray:
        """Of the target's material at a point, seen from the chaser (3, 6)."""
        return np.hstack([np.eye(3), -_cross(at - c_t)])

    K, C = np.zeros((9, 6)), np.zeros((9, 6))
    points = checked_pads(pads.points)
    still = pad_forces(Load(N * X, np.cross(c_s, N * X)), points)
    opening = np.array([X @ motion(at) for at in points])
    for at, force, opens in zip(points, still, opening, strict=True):
        along_normal = np.outer(load(at) @ X, opens)
        K += pads.stiffness * along_normal
        C += pads.damping * along_normal
        K[:, 3:] += force * load(at) @ _cross(X)  # turns with the face
    K[3:6, :3] -= N * _cross(X)  # stays at the pads while the target slides away
    at = robot.grasp - settled
    damped = np.diag(robot.damping) @ motion(at)
    C += load(at) @ damped
    roll = np.array([1.0, -1.0])
    K[[3, 6], 3] += robot.roll_stiffness * roll
    C[[3, 6], 3] += robot.roll_damping * roll
    arm = np.zeros((4, 12))
    arm[:3, 6:] = -damped
    arm[3, [3, 9]] = -robot.roll_stiffness, -robot.roll_damping

    chaser = np.linalg.inv(central_inertia(pair.chaser))
    target = np.linalg.inv(central_inertia(pair.target))
    B = np.block(
        [
            [np.eye(3) / reduced_mass(pair), np.zeros((3, 3)), _cross(c_t - c_s) @ chaser],
            [np.zeros((3, 3)), target, -chaser],
        ]
    )
    moved = -np.hstack([pads.stiffness * opening, pads.damping * opening])
    return Sliding(B, K, C, still, moved, arm)


def roots(system: Sliding) -> list[Root]:
    """Every way the bodies swing against each other, slowest first; creeping ones are left out."""
    values, vectors = np.linalg.eig(system.rates)
    upper = [i for i in np.argsort(np.abs(values)) if values[i].imag > 0.0]
    return [Root(complex(values[i]), vectors[:6, i]) for i in upper]


def sliding_root(system: Sliding, axis: str) -> Root:
    """The slowest swing that mainly slides along "y" or "z"."""
    along = LATERAL[axis]
    for root in roots(system):
        if int(np.argmax(np.abs(root.shape))) == along:
            return root
    raise ProxopsError(f"no swing of these bodies slides along {axis}: it is damped too strongly")


def respond(system: Sliding, start: np.ndarray, dt: float, count: int) -> np.ndarray:
    """[y; ẏ] (count, 12) every dt [s] from a start (12,)."""
    step = _exponential(dt * system.rates)
    rows = [np.asarray(start, dtype=float)]
    for _ in range(count - 1):
        rows.append(step @ rows[-1])
    return np.array(rows)


def _cross(a: np.ndarray) -> np.ndarray:
    """The matrix of b ↦ a × b."""
    return np.asarray(np.cross(a, np.eye(3)).T)


def _exponential(A: np.ndarray) -> np.ndarray:
    """exp A, by its series for A/2ⁿ, squared n times."""
    halvings = max(0, math.ceil(math.log2(2.0 * np.linalg.norm(A) + 1e-300)))
    small = A / 2.0**halvings
    term = total = np.eye(len(A))
    for k in range(1, TERMS):
        term = term @ small / k
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return np.asarray(total)
