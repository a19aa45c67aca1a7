"""Pushing along one line: how contact compresses, what it stores, how far it lets go.

Relative position dx = x_t - x_s (negative while compressed) of two masses with a spring-damper:

    m̃ d̈x + d ḋx + c dx = -(m̃/m_s) F,    ω₀ = √(c/m̃),   δ = d/(2√(m̃ c))

Underdamped, δ < 1.  Valid while the contact force -(c dx + d ḋx) stays positive.
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.errors import InputError


class Line(NamedTuple):
    """Two masses with a contact between them."""

    chaser: float  # m_s [kg], pushed
    target: float  # m_t [kg]
    stiffness: float  # c [N/m]
    damping: float  # d [N s/m]

    @property
    def reduced_mass(self) -> float:
        """m̃ = m_t m_s/(m_t + m_s) [kg]."""
        return self.target * self.chaser / (self.target + self.chaser)

    @property
    def omega(self) -> float:
        """ω₀ [rad/s]."""
        return math.sqrt(self.stiffness / self.reduced_mass)

    @property
    def zeta(self) -> float:
        """Damping ratio δ [-]."""
        return 0.5 * self.damping / math.sqrt(self.reduced_mass * self.stiffness)


def with_zeta(chaser: float, target: float, stiffness: float, zeta: float) -> Line:
    """The contact with a damping ratio: d = 2 δ √(m̃ c)."""
    free = Line(chaser, target, stiffness, 0.0)
    return free._replace(damping=2.0 * zeta * math.sqrt(free.reduced_mass * stiffness))


def carried(line: Line, thrust: float) -> float:
    """Contact force once settled [N]: N = m_t/(m_t + m_s) F."""
    return line.reduced_mass / line.chaser * thrust


def settled(line: Line, thrust: float) -> float:
    """dx once settled [m]: A = -N/c."""
    return -carried(line, thrust) / line.stiffness


def step_response(
    line: Line, before: float, after: float, t: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """dx [m] and its rate [m/s] at t [s] after a settled thrust [N] has stepped to another one.

        dx = A₂ + (A₁ - A₂) exp(-δω₀t) sin(ω_d t + ψ)/√(1 - δ²),   cos ψ = δ

    From rest (A₁ = 0) this is A₂ (1 - exp(-δω₀t) sin(ω_d t + ψ)/√(1 - δ²)).
    """
    zeta, omega, root = line.zeta, line.omega, _root(line)
    start, end = settled(line, before), settled(line, after)
    decay, angle = np.exp(-zeta * omega * t), root * omega * t
    dx = end + (start - end) * decay * np.sin(angle + math.acos(zeta)) / root
    rate = -(start - end) * decay * omega * np.sin(angle) / root
    return dx, rate


def contact_force(line: Line, before: float, after: float, t: np.ndarray) -> np.ndarray:
    """Force between the bodies after the thrust stepped [N], were the contact to hold.

    f = -(c dx + d ḋx)
    """
    dx, rate = step_response(line, before, after, t)
    return np.asarray(-(line.stiffness * dx + line.damping * rate))


def stored_energy(force: float, stiffness: float) -> float:
    """In a spring under a force [J]: E = f²/(2c)."""
    return force**2 / (2.0 * stiffness)


def release_speed(line: Line, thrust: float) -> float:
    """Speed at which the bodies part after the thrust has ended [m/s].

    v = |A| ω₀ exp(-δψ/√(1 - δ²)),   cos ψ = δ

    The contact force falls to zero at ω_d t = ψ; the contact does not pull.
    """
    root = _root(line)
    lost = line.zeta * math.acos(line.zeta) / root
    return abs(settled(line, thrust)) * line.omega * math.exp(-lost)


def gap_left(line: Line, thrust: float, pull: float) -> float:
    """How far the bodies part after the thrust has ended while an arm pulls them together [m].

    gap = ½ m̃ v²/f,   without damping E/f = N²/(2cf)

    The arm's own part in the contact force, f/N, is left out: it counts by its square.
    """
    return 0.5 * line.reduced_mass * release_speed(line, thrust) ** 2 / pull


def flight_time(line: Line, thrust: float, pull: float) -> float:
    """How long the bodies are apart then [s]: 2 m̃ v/f."""
    return 2.0 * line.reduced_mass * release_speed(line, thrust) / pull


def _root(line: Line) -> float:
    """√(1 - δ²) [-]."""
    if not line.zeta < 1.0:
        raise InputError(f"a contact with damping ratio {line.zeta:g} does not swing: below 1 only")
    return math.sqrt(1.0 - line.zeta**2)
