"""Appendages as a hub feels them: cantilevers in closed form, and modal data."""

import math
from collections.abc import Sequence

import numpy as np

from proxops.core.description import AppendageDescription, ModeDescription, RigidInertia
from proxops.physics.flexible import beam

ALONE = -1


def cantilever(
    name: str,
    beam_data: beam.Beam,
    R_CB: np.ndarray,
    p_CB: np.ndarray,
    start: tuple[np.ndarray, np.ndarray],
) -> AppendageDescription:
    """A uniform beam along x of its root frame B, bending along B's y, z or both.

    Coordinates q_f [m] in the classic normalisation, |φ(L)| = 2: shape by shape, axis by axis.
    With a mass-normalised shape φ/√m:  σ = √m mean,  k = σ p_CB + √m L moment x.
    """
    m, length = beam_data.mass, beam_data.length
    root = math.sqrt(m)
    x = R_CB[:, 0]
    axes = [R_CB[:, "xyz".index(axis)] for axis in beam_data.axes]
    modes = []
    for number in range(1, beam_data.shapes + 1):
        form = beam.shape(number)
        sigma = root * form.mean
        k = sigma * p_CB + root * length * form.moment * x
        for side, e in enumerate(axes):
            partner = ALONE if len(axes) == 1 else len(axes) * (number - 1) + 1 - side
            omega = beam.frequency(number, m, length, beam_data.bending_stiffness)
            modes.append(
                ModeDescription(
                    omega, beam_data.zeta, sigma, e, k, np.cross(k, e), partner, True, 1.0 / root
                )
            )
    return AppendageDescription(name, _rod(m, length, p_CB, x), tuple(modes), "m", *start)


def from_modal_data(
    name: str,
    rigid: RigidInertia,
    modes: Sequence[tuple[float, float, np.ndarray, np.ndarray]],
    start: tuple[np.ndarray, np.ndarray],
) -> AppendageDescription:
    """An appendage as a finite-element tool exports it, already in hub axes about Co: angular
    frequency, damping ratio, participations of translation [√kg] and of rotation [√kg m]."""
    described = tuple(
        ModeDescription(omega, zeta, 1.0, S, np.zeros(3), H, ALONE, False, 1.0)
        for omega, zeta, S, H in modes
    )
    return AppendageDescription(name, rigid, described, "kg^0.5 m", *start)


def _rod(m: float, length: float, p: np.ndarray, x: np.ndarray) -> RigidInertia:
    """A slender rod from p along the unit x, about the origin."""

    def spread(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.asarray(2.0 * (a @ b) * np.eye(3) - np.outer(a, b) - np.outer(b, a))

    inertia = m * (
        0.5 * spread(p, p) + 0.5 * length * spread(p, x) + length**2 / 6.0 * spread(x, x)
    )
    return RigidInertia(m, p + 0.5 * length * x, inertia)
