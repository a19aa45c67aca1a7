"""Small motion of a hub with flexible appendages: frequencies, damping and shapes, predicted.

At rest, with hub motion x (six numbers, linear first, hub axes) and mass-normalised modes η:

    [M_h + M_a   D] [ẍ]   [0   0 ] [ẋ]   [0  0 ] [x]
    [   Dᵀ       1] [η̈] + [0  2ζω] [η̇] + [0  ω²] [η] = 0

M_h is the rigid hub's inertia, M_a that of the undeflected appendages, both about the hub's
origin; D holds a participation [S; H] per column.

With a robot in the loop the hub is only rendered: a model of it, M_h ẍ_cmd = F_felt, is driven by
what the physical appendages do to the flange, F_felt = -(M_a ẍ + D η̈), and the robot follows with
lag and delay, ẍ = G(s) ẍ_cmd.  The motion then goes as exp(st) with s a root of

    det(s² + 2ζω s + ω² - s² G Dᵀ (M_h + G M_a)⁻¹ D) = 0

which for two equal beams along one axis is (m_ff s² + b s + k)(m_s + 2m G) - 2S² G s² = 0.
"""

import cmath
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.core.description import AppendageDescription, RigidInertia

STEPS_MIN, STEPS_MAX = 8, 1024  # of the way from an ideal robot to the given one
ITERATIONS = 40
CONVERGED = 1e-12  # change of a root over its size
SAME = 1e-9  # distance over size below which two roots are one
LARGEST_SCALE, SMALLEST_SCALE = 1e4, 1e-6  # of a hub that is searched for
SCALE_STEP = 2.0**0.25
SCALE_FOUND = 1e-6  # relative width at which the search ends


class Flexible(NamedTuple):
    """A hub with appendages, for small motion."""

    hub: np.ndarray  # M_h (6, 6) [kg, kg m, kg m2]
    appendages: np.ndarray  # M_a (6, 6)
    D: np.ndarray  # participations (6, modes) [√kg, √kg m]
    omega: np.ndarray  # clamped angular frequencies [rad/s]
    zeta: np.ndarray  # clamped damping ratios [-]


class Lag(NamedTuple):
    """A low-pass of order one, or of order two with its own damping."""

    frequency: float  # corner [rad/s]
    order: int
    damping: float = math.sqrt(0.5)  # of order two [-]


class Loop(NamedTuple):
    """What stands between the commanded and the felt motion: all lags and the sum of delays."""

    lags: tuple[Lag, ...] = ()
    delay: float = 0.0  # [s]


IDEAL = Loop()


class Root(NamedTuple):
    """One way the system moves by itself: exp(st), negative damping if it grows."""

    s: complex  # [rad/s]
    hub: np.ndarray  # hub's part of the shape (6,), complex
    modes: np.ndarray  # modes' part, of unit length

    @property
    def frequency(self) -> float:
        """Damped frequency, as seen in a recording [Hz]."""
        return self.s.imag / (2.0 * math.pi)

    @property
    def damping(self) -> float:
        """Damping ratio [-]: ζ = -Re s/|s|."""
        return -self.s.real / abs(self.s)


def flexible(hub: RigidInertia, appendages: Sequence[AppendageDescription]) -> Flexible:
    """The linear system of a hub and its appendages, all about the hub's origin, in hub axes."""
    modes = [mode for each in appendages for mode in each.modes]
    D = np.array([np.concatenate([mode.sigma * mode.e, mode.h]) for mode in modes])
    return Flexible(
        spatial_inertia(hub),
        np.sum([spatial_inertia(each.rigid) for each in appendages], axis=0),
        D.T,
        np.array([mode.omega for mode in modes]),
        np.array([mode.zeta for mode in modes]),
    )


def spatial_inertia(body: RigidInertia) -> np.ndarray:
    """[[m 1, m c̃ᵀ], [m c̃, I]]: force and torque about the origin per acceleration (6, 6)."""
    x, y, z = body.com
    c = body.mass * np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.block([[body.mass * np.eye(3), c.T], [c, body.inertia]])


def matrices(system: Flexible) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M, C and K of [hub; modes], square of size 6 + modes."""
    n = len(system.omega)
    M = np.block([[system.hub + system.appendages, system.D], [system.D.T, np.eye(n)]])
    C, K = np.zeros_like(M), np.zeros_like(M)
    C[6:, 6:] = np.diag(2.0 * system.zeta * system.omega)
    K[6:, 6:] = np.diag(system.omega**2)
    return M, C, K


def free_roots(system: Flexible) -> list[Root]:
    """How the free system vibrates, slowest first; its drift as a rigid body is left out.

    Eliminating the hub:  (1 - Dᵀ M⁻¹ D) η̈ + 2ζω η̇ + ω² η = 0,  M = M_h + M_a.
    """
    M, C, K = matrices(system)
    n = len(system.omega)
    reduced = M[6:, 6:] - M[6:, :6] @ np.linalg.solve(M[:6, :6], M[:6, 6:])
    back = np.linalg.solve(reduced, np.hstack([-K[6:, 6:], -C[6:, 6:]]))
    first_order = np.vstack([np.hstack([np.zeros((n, n)), np.eye(n)]), back])
    values, vectors = np.linalg.eig(first_order)
    upper = [i for i in np.argsort(np.abs(values)) if values[i].imag > 0.0]
    return [_root(system, IDEAL, complex(values[i]), vectors[:n, i]) for i in upper]


def response(loop: Loop, s: complex) -> complex:
    """G(s) of the loop [-]: the product of its lags and its delay."""
    G = cmath.exp(-s * loop.delay)
    for lag in loop.lags:
        x = s / lag.frequency
        G /= 1.0 + x if lag.order == 1 else 1.0 + 2.0 * lag.damping * x + x * x
    return G


def roots(system: Flexible, loop: Loop = IDEAL) -> list[Root]:
    """How the system vibrates with a robot in the loop, slowest first: one root per free one.

    Each is followed from the ideal robot to the given one, whose lags and delay are put in by and
    by.  Should two run into one on the way, the way is taken in smaller steps.
    """
    start = free_roots(system)
    steps = STEPS_MIN
    while loop != IDEAL:
        found = start
        for step in range(1, steps + 1):
            partial = _share(loop, step / steps)
            found = [_settle(system, partial, root) for root in found]
        if _all_apart(start, found) or steps >= STEPS_MAX:
            return sorted(found, key=lambda root: abs(root.s))
        steps *= 4
    return start


def is_stable(system: Flexible, loop: Loop) -> bool:
    """Whether the robot can render this hub: no root grows, and the hub is heavier, in every
    direction, than what it carries times the loop's largest gain.  Else the felt inertia alone
    drives the loop apart where its phase has turned, whatever the modes do."""
    ratios = np.linalg.eigvals(np.linalg.solve(system.hub, system.appendages)).real
    heavy_enough = bool(ratios.max() * _peak(loop) < 1.0)
    return heavy_enough and all(root.damping > 0.0 for root in roots(system, loop))


def smallest_stable_hub(system: Flexible, loop: Loop) -> float:
    """Scale of the hub's mass and inertia [-] down to which the robot renders it stably.

    Every heavier hub of the same form is stable too.  Infinite if none is: modes without damping
    of their own lose against any lag.
    """

    def stable(scale: float) -> bool:
        return is_stable(system._replace(hub=scale * system.hub), loop)

    good = LARGEST_SCALE
    if not stable(good):
        return math.inf
    bad = good / SCALE_STEP
    while stable(bad):
        good, bad = bad, bad / SCALE_STEP
        if bad < SMALLEST_SCALE:
            return 0.0
    while good / bad > 1.0 + SCALE_FOUND:
        middle = math.sqrt(good * bad)
        good, bad = (middle, bad) if stable(middle) else (good, middle)
    return good


def _peak(loop: Loop) -> float:
    """No less than the largest |G(iω)| [-]: 1/(2ζ√(1 - ζ²)) of each second-order lag below √½."""
    resonant = [lag.damping for lag in loop.lags if lag.order == 2 and lag.damping < math.sqrt(0.5)]
    return math.prod(1.0 / (2.0 * zeta * math.sqrt(1.0 - zeta**2)) for zeta in resonant)


def _share(loop: Loop, share: float) -> Loop:
    """The loop with only a share of its delay and of the time constants of its lags."""
    lags = tuple(lag._replace(frequency=lag.frequency / share) for lag in loop.lags)
    return Loop(lags, share * loop.delay)


def _characteristic(system: Flexible, loop: Loop, s: complex) -> np.ndarray:
    """N(s) of N(s) η = 0."""
    G = response(loop, s)
    moved = np.linalg.solve(system.hub + G * system.appendages, system.D)
    own = s * s + 2.0 * system.zeta * system.omega * s + system.omega**2
    return np.asarray(np.diag(own) - s * s * G * (system.D.T @ moved))


def _settle(system: Flexible, loop: Loop, near: Root) -> Root:
    """The root near another one, by successive linear problems N(s) x = θ N′(s) x, s ← s - θ.

    Newton's method for all modes at once: it converges quadratically, also where roots coincide.
    """
    s, x = near.s, near.modes
    for _ in range(ITERATIONS):
        h = 1e-6 * abs(s)
        slope = (_characteristic(system, loop, s + h) - _characteristic(system, loop, s - h)) / (
            2.0 * h
        )
        theta, vectors = np.linalg.eig(np.linalg.solve(slope, _characteristic(system, loop, s)))
        # nearby, and of the shape that is being followed
        likeness = np.abs(x.conj() @ vectors) / np.linalg.norm(vectors, axis=0)
        best = int(np.argmin(np.abs(theta) / np.maximum(likeness, 1e-6)))
        s, x = s - complex(theta[best]), vectors[:, best]
        if abs(theta[best]) < CONVERGED * abs(s):
            break
    return _root(system, loop, s, x)


def _root(system: Flexible, loop: Loop, s: complex, modes: np.ndarray) -> Root:
    modes = modes / np.linalg.norm(modes)
    G = response(loop, s)
    hub = -G * np.linalg.solve(system.hub + G * system.appendages, system.D @ modes)
    return Root(s, hub, modes)


def _all_apart(before: Sequence[Root], after: Sequence[Root]) -> bool:
    """Whether roots that were apart still are."""

    def same(a: Root, b: Root) -> bool:
        return abs(a.s - b.s) < SAME * abs(a.s)

    pairs = [(i, j) for i in range(len(after)) for j in range(i)]
    return all(same(before[i], before[j]) or not same(after[i], after[j]) for i, j in pairs)
