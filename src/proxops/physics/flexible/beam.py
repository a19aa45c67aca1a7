"""Euler-Bernoulli cantilevers in closed form.

A shape φ over the length s in [0, L], clamped at 0 and free at L, in the classic normalisation
∫ φ² ds = L, so that |φ(L)| = 2 and a modal coordinate is in metres:

    φ(s) = cosh βs - cos βs - σ (sinh βs - sin βs),   cosh βL cos βL = -1

Small bending of a slender beam, without shear, rotary inertia or foreshortening.
"""

import math
from typing import NamedTuple

import numpy as np


class Beam(NamedTuple):
    """A uniform cantilever."""

    mass: float  # [kg]
    length: float  # [m]
    bending_stiffness: float  # EI [N m2]
    zeta: float  # damping ratio of every mode [-]
    shapes: int  # how many bending shapes
    axes: str  # "y", "z" or "yz": axes of the root frame that it bends along


class Shape(NamedTuple):
    """One bending shape of a uniform cantilever, per unit of its mass and length."""

    beta_L: float  # root of the frequency equation [-]
    sigma: float  # [-]
    mean: float  # ∫ φ dm / m [-]
    moment: float  # ∫ s φ dm / (m L) [-]


def shape(number: int) -> Shape:
    """The bending shape with that number, counted from 1.

    σ = (cosh βL + cos βL)/(sinh βL + sin βL),   ∫ φ ds = 2σ/β,   ∫ s φ ds = 2/β²
    """
    x = _root(number)
    # written with e⁻ˣ, since cosh and sinh overflow for high modes
    decay = math.exp(-x)
    sigma = (1.0 + decay**2 + 2.0 * decay * math.cos(x)) / (
        1.0 - decay**2 + 2.0 * decay * math.sin(x)
    )
    return Shape(x, sigma, 2.0 * sigma / x, 2.0 / x**2)


def _root(number: int) -> float:
    """βL of a shape: near (number - ½)π, where cos x = -1/cosh x; by Newton's method."""
    x = (number - 0.5) * math.pi
    for _ in range(50):
        sech = 2.0 * math.exp(-x) / (1.0 + math.exp(-2.0 * x))
        step = (math.cos(x) + sech) / (-math.sin(x) - sech * math.tanh(x))
        x -= step
        if abs(step) < 1e-15 * x:
            break
    return x


def frequency(number: int, mass: float, length: float, bending_stiffness: float) -> float:
    """Angular frequency of the clamped beam [rad/s]: ω = β² √(EI L/m), mass in kg, EI in N m²."""
    return (_root(number) / length) ** 2 * math.sqrt(bending_stiffness * length / mass)


def stiffness_for(omega: float, mass: float, length: float) -> float:
    """EI [N m²] of a beam whose first shape, clamped, has the angular frequency ω [rad/s]:

    EI = ω² m L³ / (βL)⁴
    """
    return omega**2 * mass * length**3 / _root(1) ** 4


def deflection(number: int, s: np.ndarray, length: float) -> np.ndarray:
    """φ at the places s [m], classic normalisation.

        φ = ½(1 + σ) e⁻ᵝˢ + ½(1 - σ) eᵝˢ - cos βs + σ sin βs
        ½(1 - σ) eᵝˢ = eᵝ⁽ˢ⁻ᴸ⁾ (sin βL - cos βL - e⁻ᵝᴸ)/(1 - e⁻²ᵝᴸ + 2 e⁻ᵝᴸ sin βL)

    In this form nothing overflows and nothing cancels, whatever the number of the shape.
    """
    end, sigma, *_ = shape(number)
    x = end * np.asarray(s) / length
    decay = math.exp(-end)
    grown = (math.sin(end) - math.cos(end) - decay) / (1.0 - decay**2 + 2.0 * decay * math.sin(end))
    waves = sigma * np.sin(x) - np.cos(x)
    return np.asarray(0.5 * (1.0 + sigma) * np.exp(-x) + grown * np.exp(x - end) + waves)
