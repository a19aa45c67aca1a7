"""How fast appendages and gears of a spacecraft are, for the step and the spin that they bear."""

import numpy as np

from proxops.core.description import (
    AppendageDescription,
    CraftDescription,
    JointDescription,
    RigidInertia,
)
from proxops.physics.flexible.linear import flexible, matrices
from proxops.plant.build import COULOMB_SPEED

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


def fastest_gears(craft: CraftDescription, motor: str) -> float:
    """Largest angular frequency of a motor and the joints that its gears drive [rad/s], on a hand
    at rest: M q̈ + K q = 0,  K = Σ k g gᵀ,  g = (r₁, .., -r₂, ..)."""
    joints = _single_joints(craft)
    driven = _driven_by(joints, motor)
    M = np.diag([each.rotor_inertia + each.link.inertia[2, 2] for each in (joints[motor], *driven)])
    K = np.zeros_like(M)
    for row, joint in enumerate(driven, start=1):
        assert joint.gears is not None
        along = np.zeros(len(M))
        along[0], along[row] = joint.gears.driver_radius, -joint.gears.own_radius
        K += joint.gears.stiffness * np.outer(along, along)
    return float(np.sqrt(np.abs(np.linalg.eigvals(np.linalg.solve(M, K))).max()))


def fastest_gear_drag(craft: CraftDescription, motor: str) -> float:
    """The fastest `gear_drag` of the n joints that a motor drives, at its whole torque M:
    F = M / (n r₁) [1/s]."""
    joints = _single_joints(craft)
    driven, rates = _driven_by(joints, motor), [0.0]
    for joint in driven:
        assert joint.gears is not None
        force = joints[motor].effort / (len(driven) * joint.gears.driver_radius)
        rates.append(gear_drag(joint, force))
    return float(max(rates))


def gear_drag(joint: JointDescription, force: float) -> float:
    """Rate [1/s] at which sliding teeth that transmit a force F [N] stop a joint near rest:
    r₂ (1 - η) F / (q̇₀ J)."""
    gears = joint.gears
    if gears is None or gears.efficiency == 1.0:
        return 0.0
    inertia = joint.rotor_inertia + joint.link.inertia[2, 2]
    return float(gears.own_radius * (1.0 - gears.efficiency) * force / (COULOMB_SPEED * inertia))


def _single_joints(craft: CraftDescription) -> dict[str, JointDescription]:
    """First joints of all arms, by the arm's name."""
    return {each.name: joint for each in craft.arms for joint in each.arm.joints[:1]}


def _driven_by(joints: dict[str, JointDescription], motor: str) -> list[JointDescription]:
    return [each for each in joints.values() if each.gears and each.gears.driver == motor]
