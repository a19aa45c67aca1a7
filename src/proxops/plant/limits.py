"""How fast a spacecraft's appendages are, for the step and the spin that they bear."""

import numpy as np

from proxops.core.description import AppendageDescription, CraftDescription, RigidInertia
from proxops.physics.flexible.linear import flexible, matrices

HUB = 6  # coordinates of a hub


def fastest_mode(craft: CraftDescription) -> tuple[float, AppendageDescription] | None:
    """Largest |s| of the free motion exp(st) [rad/s] of hub and modes, with the appendage that
    moves most in it; None without appendages.

    With the arms left out: whatever they add to the hub's inertia only slows the modes down.
    """
    if not craft.appendages:
        return None
    hub = RigidInertia(craft.mass, np.zeros(3), craft.inertia)
    M, C, K = matrices(flexible(hub, craft.appendages))
    zero, one = np.zeros_like(M), np.eye(len(M))
    rates = np.block([[zero, one], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    values, vectors = np.linalg.eig(rates)
    fastest = int(np.argmax(np.abs(values)))
    dominant = int(np.argmax(np.abs(vectors[HUB : len(M), fastest])))
    owners = [each for each in craft.appendages for _ in each.modes]
    return float(np.abs(values[fastest])), owners[dominant]


def softest_beam(craft: CraftDescription) -> tuple[float, AppendageDescription] | None:
    """Lowest clamped angular frequency among the beams [rad/s], with its beam; None without."""
    found = [(mode.omega, each) for each in craft.appendages for mode in each.modes if mode.is_beam]
    return min(found, key=lambda item: item[0]) if found else None
