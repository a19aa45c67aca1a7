"""How late a facility may measure what joins two bodies in all directions, as a latch does.

Springs K and dampers B between two free bodies, measured late by τ in all, let the one move against
the other as x exp(st), x a displacement and a rotation about one point, with

    (s² + A (K + s B) L(s) exp(-sτ)) x = 0,      A = M₁⁻¹ + M₂⁻¹

L(s) being lags and M the inertias of both bodies about that point.  On the verge s = iω, and an
eigenvalue μ of A (K + iωB) gives both: |μ L| = ω² its frequency, the phase of μ L over ω the delay.
The smallest of these delays is critical, since without delay and lags nothing grows.  In one
direction this is `critical_delay`.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.facility.common.passivity.critical_delay import (
    BISECTIONS,
    SEARCH_POINTS,
    SEARCHED,
    Margins,
    Verge,
)
from proxops.facility.common.passivity.late_spring import lateness, lead
from proxops.physics.flexible.linear import Lag, Loop, response

NOTHING = 1e-12  # of the largest eigenvalue: directions that nothing joins
LEAST = 1e-300  # that has a logarithm


class Joint(NamedTuple):
    """What joins two bodies, about one point in one set of axes, forces first (6, 6)."""

    mobility: np.ndarray  # A: what a unit wrench between both makes of their relative twist
    stiffness: np.ndarray
    damping: np.ndarray


class JointVerge(NamedTuple):
    """Where a joint begins to give energy."""

    verge: Verge
    mode: np.ndarray  # x of the motion that then goes on for ever, complex, of length 1 (6,)


def joint_verge(lags: Sequence[Lag], joint: Joint) -> JointVerge:
    """Smallest delay at which a joint gives energy, in addition to lags taken as they are; infinite
    where nothing joins or lags alone never let it grow."""
    loop = Loop(tuple(lags), 0.0)
    still = JointVerge(Verge(math.inf, 0.0), np.zeros(len(joint.mobility), complex))
    if not (joint.stiffness.any() or joint.damping.any()):
        return still
    tried = _frequencies(joint)
    above = _excess(loop, tried, _eigenvalues(joint, tried)) > 0.0
    found = [
        _refined(loop, joint, (float(tried[i - 1]), float(tried[i])), int(number))
        for i in range(1, len(tried))
        for number in np.flatnonzero(above[i] != above[i - 1])
    ]
    return min(found, key=lambda each: each.verge.delay, default=still)


def joint_margins(joint: Joint, loop: Loop) -> Margins:
    """How far a joint is from giving energy through the loop; its mass is that of the motion which
    is the first to grow, a metre and a radian counted alike [kg]."""
    behind = joint_verge(loop.lags, joint)
    mass = float(np.real(behind.mode.conj() @ np.linalg.solve(joint.mobility, behind.mode)))
    return Margins(
        mass,
        lateness(loop),
        joint_verge((), joint).verge.delay,
        behind.verge.delay - loop.delay,
        _gain(joint, loop),
    )


def along(mode: np.ndarray, matrix: np.ndarray) -> float:
    """Stiffness or damping of a joint as a mode of length 1 has it."""
    return float(np.real(mode.conj() @ matrix @ mode))


def _frequencies(joint: Joint) -> np.ndarray:
    """Those among which a verge is looked for [rad/s], about those of all motions without lags, as
    many in a decade as for one of them."""
    stiff, damped = (
        np.abs(np.linalg.eigvals(joint.mobility @ each))
        for each in (joint.stiffness, joint.damping)
    )
    own = np.concatenate([np.sqrt(stiff[_joins(stiff)]), damped[_joins(damped)]])
    lowest, highest = float(own.min()) / SEARCHED, float(own.max()) * SEARCHED
    wider = math.log(highest / lowest) / math.log(SEARCHED**2)
    return np.geomspace(lowest, highest, math.ceil(wider * SEARCH_POINTS))


def _joins(sizes: np.ndarray) -> np.ndarray:
    """Which eigenvalues of these sizes (..., 6) are of directions that something joins."""
    return np.asarray(sizes > NOTHING * sizes.max(axis=-1, keepdims=True))


def _eigenvalues(joint: Joint, w: np.ndarray) -> np.ndarray:
    """μ of A (K + iωB) at all frequencies (n, 6), largest first."""
    found = np.linalg.eigvals(
        joint.mobility @ (joint.stiffness + 1j * w[:, None, None] * joint.damping)
    )
    return np.take_along_axis(found, np.argsort(-np.abs(found), axis=1), axis=1)


def _excess(loop: Loop, w: np.ndarray, values: np.ndarray) -> np.ndarray:
    """log(ω²/|μ L|) at all frequencies (n, 6); positive where nothing joins."""
    sizes = np.abs(values)
    lags = np.array([abs(response(loop, 1j * each)) for each in w])
    excess = 2.0 * np.log(w)[:, None] - np.log(np.maximum(sizes, LEAST) * lags[:, None])
    return np.where(_joins(sizes), excess, math.inf)


def _refined(loop: Loop, joint: Joint, span: tuple[float, float], number: int) -> JointVerge:
    """The verge of one eigenvalue between two frequencies."""

    def is_above(w: float) -> bool:
        at = np.array([w])
        return bool(_excess(loop, at, _eigenvalues(joint, at))[0, number] > 0.0)

    low, high = span
    over = is_above(high)
    for _ in range(BISECTIONS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if is_above(middle) == over else (middle, high)
    values, vectors = np.linalg.eig(joint.mobility @ (joint.stiffness + 1j * low * joint.damping))
    which = np.argsort(-np.abs(values))[number]
    phase = lead(loop, float(values[which].real), float(values[which].imag) / low, low)
    return JointVerge(Verge(phase / low, low), vectors[:, which])


def _gain(joint: Joint, loop: Loop) -> float:
    """By which springs and dampers may grow together [-]: they do not move the phases of μ, so it
    is ω²/|μ L| where the first of these, with the loop's delay, comes down to zero; to the 0.7 %
    by which the frequencies that are tried differ."""
    w = _frequencies(joint)
    values = _eigenvalues(joint, w)
    lags = np.array([lead(loop, 1.0, 0.0, each) for each in w])
    leads = (np.angle(values) + lags[:, None] > 0.0) | ~_joins(np.abs(values))
    lost = leads[:-1] & ~leads[1:]
    return float(np.exp(_excess(loop, w, values)[1:][lost].min(initial=math.inf)))
