"""Deflections and steps beyond what the appendages of a scenario are good for.

The energy balance of a vibration of angular frequency ω and energy E, by Runge-Kutta steps with
z = ωh, is off by

    E (z⁴/48 + z⁵/144 φ),     φ = (1 - exp(-2ζωt))/(2ζ), or ωt without damping

the first swinging, the second growing with the phase φ that it goes through before it has died.
"""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from proxops.assembly.describe import describe
from proxops.core.description import CraftDescription, OrbitDescription, RigidInertia
from proxops.physics.flexible import beam
from proxops.physics.flexible.linear import flexible, matrices
from proxops.physics.flexible.table import start_of
from proxops.plant.limits import HUB
from proxops.scenario.load import Scenario
from proxops.scenario.schema.appendage import Beam
from proxops.scenario.schema.base import Path, Problem
from proxops.scenario.schema.time import Time

# Tip deflection of a beam over its length.  There the tip of an inextensible beam has come nearer
# to the root by 0.6 % of its length, which linear bending leaves out.
TIP = 0.1


class TipLimit(NamedTuple):
    """A beam that is well described up to some deflection."""

    signal: str  # its recorded modal coordinates
    path: str
    tips: np.ndarray  # deflection of the tip along each axis, per coordinate (axes, modes)
    length: float  # [m]


class Vibrations(NamedTuple):
    """How hub and modes of a spacecraft vibrate from the start on."""

    omega: np.ndarray  # (modes,) [rad/s]
    zeta: np.ndarray
    energy: np.ndarray  # [J]


def tip_limits(scenario: Scenario) -> list[TipLimit]:
    """One for each beam; modal data do not say how long an appendage is."""
    found = []
    for craft in ("chaser", "target"):
        for name, given in getattr(scenario.mission, craft).appendages.items():
            if not isinstance(given, Beam):
                continue
            end, length = np.array([given.length_m]), given.length_m
            forms = [beam.deflection(n + 1, end, length)[0] for n in range(given.shapes)]
            path = f"{craft}.appendages.{name}"
            tips = np.kron(forms, np.eye(len(given.axes)))
            found.append(TipLimit(f"{path}.q_f", path, tips, length))
    return found


def open_modes(scenario: Scenario, closed: float) -> list[Problem]:
    """Phases whose step leaves the energy of the appendages, deflected at the start, further off
    than `closed` of all energy that there is."""
    chaser, target, orbit = describe(scenario)
    crafts = {"chaser": chaser, "target": target}
    seen = {name: vibrations(craft) for name, craft in crafts.items() if craft.appendages}
    moving = sum(_kinetic(craft, orbit) for craft in crafts.values())
    scale = moving + 2.0 * sum(float(each.energy.sum()) for each in seen.values())
    problems: list[Problem] = []
    for name, each in seen.items():
        for place, (h, start, end) in _stretches(scenario.mission.time).items():
            off = energy_error(each, h, start, end) / scale if scale > 0.0 else 0.0
            if off > closed:
                needed = h * (0.5 * closed / off) ** 0.25  # it falls at least as h⁴
                text = f"{h:.6g} s is long for the vibration of {name}.appendages: the energy "
                text += f"balance will be off by about {off:.2g}, at most {closed:g}; to close "
                text += f"it needs {needed:.2g} s or less, substeps included"
                problems.append((("time", *place, "step_s"), text))
    return problems


def _stretches(time: Time) -> dict[Path, tuple[float, float, float]]:
    """Step, start and end [s] of every phase; a pace may be in force all the time."""
    steps = time.steps_s.items()
    if time.paces:
        return {place: (h, 0.0, time.duration_s) for place, h in steps}
    phases = pairwise([0.0, *time.phase_ends_s.values()])
    return {place: (h, *span) for (place, h), span in zip(steps, phases, strict=True)}


def vibrations(craft: CraftDescription) -> Vibrations:
    """Of a spacecraft with appendages, for small motion, its arms left out.

    The hub taken out:  (1 - Dᵀ M⁻¹ D) η̈ + 2ζω η̇ + ω² η = 0
    """
    hub = RigidInertia(craft.mass, np.zeros(3), craft.inertia)
    M, C, K = matrices(flexible(hub, craft.appendages))
    mass = M[HUB:, HUB:] - M[HUB:, :HUB] @ np.linalg.solve(M[:HUB, :HUB], M[:HUB, HUB:])
    root = np.linalg.cholesky(mass)
    squares, turned = np.linalg.eigh(np.linalg.solve(root, np.linalg.solve(root, K[HUB:, HUB:]).T))
    shapes = np.linalg.solve(root.T, turned)  # of unit modal mass
    omega = np.sqrt(squares)
    eta, eta_rate = (shapes.T @ mass @ each for each in start_of(craft.appendages))
    damping = np.einsum("im,ij,jm->m", shapes, C[HUB:, HUB:], shapes)
    return Vibrations(omega, 0.5 * damping / omega, 0.5 * (squares * eta**2 + eta_rate**2))


def energy_error(vibration: Vibrations, h: float, start: float, end: float) -> float:
    """By how much the energy balance is off after steps of h [s] from `start` to `end` [s] [J]."""
    total = 0.0
    for omega, zeta, energy in zip(*vibration, strict=True):
        z, rate = omega * h, 2.0 * zeta * omega
        left = math.exp(-rate * start)
        phase = omega * (end - start)
        if rate > 0.0:
            phase = -math.expm1(-rate * (end - start)) / (2.0 * zeta)
        total += energy * left * (z**4 / 48.0 + z**5 / 144.0 * phase)
    return total


def _kinetic(craft: CraftDescription, orbit: OrbitDescription | None) -> float:
    """Kinetic energy of a hub at the start, about [J]."""
    v = craft.v_H
    if orbit is not None:
        orbital_rate = np.linalg.norm(np.cross(orbit.R, orbit.V)) / (orbit.R @ orbit.R)
        v = v + np.cross([0.0, 0.0, orbital_rate], craft.p_H)
    return float(0.5 * craft.mass * v @ v + 0.5 * craft.w @ craft.inertia @ craft.w)
