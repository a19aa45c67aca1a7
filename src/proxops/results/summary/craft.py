"""A spacecraft at the start, as one body and part by part."""

import math
from typing import Any

import numpy as np

from proxops.assembly.bend import strip_of
from proxops.assembly.energy_port import stiff_chaser
from proxops.core.description import CraftDescription, RigidInertia, point_inertia
from proxops.core.frame import quaternion_of, rotation_of
from proxops.physics.flexible.linear import flexible, free_roots
from proxops.scenario.schema.appendage import ChaserAppendage, TargetAppendage
from proxops.scenario.schema.craft import Chaser, Target

ROUND_THE_END = 4  # corners of a strip's cross-section
NO_BENDING = 1e-6  # displacement of the tip's middle, of the largest at the tip
SAME_LINE = 0.9999  # cosine


def craft_summary(
    craft: CraftDescription, R_H: np.ndarray, given: Chaser | Target
) -> dict[str, Any]:
    """Masses, inertia, parts and natural frequencies of a spacecraft whose attitude in H is R_H,
    from its description and its section of the mission."""
    whole = whole_craft(craft)
    about_centre = whole.inertia - point_inertia(whole.mass, whole.com)
    found: dict[str, Any] = {
        "hub_mass_kg": craft.mass,
        "mass_kg": whole.mass,
        "centre_of_mass_m": whole.com.tolist(),
        "principal_inertia_kg_m2": np.linalg.eigvalsh(about_centre).tolist(),
        "q_N": craft.q_N.tolist(),
        "q_H": quaternion_of(R_H).tolist(),
        "w_N_deg_s": np.degrees(craft.w).tolist(),
        "arms": {each.name: _arm(craft, each.name) for each in craft.arms},
        "appendages": {
            each.name: {
                "mass_kg": each.rigid.mass,
                "clamped_hz": sorted(_hertz(mode.omega) for mode in each.modes),
            }
            | _axes(given.appendages[each.name])
            for each in craft.appendages
        },
        "free_hz": free_frequencies(craft),
        "shapes": len(craft.shapes),
    }
    return found


def whole_craft(craft: CraftDescription) -> RigidInertia:
    """The spacecraft as one body about its hub's origin, arms as they start, appendages
    undeflected, wheels locked."""
    whole = stiff_chaser(craft, craft.arms)
    for each in craft.appendages:
        whole = whole.joined(each.rigid)
    return whole


def free_frequencies(craft: CraftDescription) -> list[float]:
    """Natural frequencies of the free spacecraft, undamped, its joints locked [Hz]."""
    if not craft.appendages:
        return []
    rigid = stiff_chaser(craft, craft.arms)
    return [_hertz(abs(root.s)) for root in free_roots(flexible(rigid, craft.appendages))]


def _axes(given: ChaserAppendage | TargetAppendage) -> dict[str, Any]:
    """Where an appendage points from its root, and along which lines its tip bends; hub axes."""
    strip = strip_of(given)
    R = rotation_of(np.array(strip.q))
    tip = slice(-ROUND_THE_END, None)
    reach = strip.rest[tip].mean(axis=0) - strip.rest[:ROUND_THE_END].mean(axis=0)
    lines: list[np.ndarray] = []
    for shape in strip.shapes:
        moved = shape[tip].mean(axis=0)
        size = float(np.linalg.norm(moved))
        if size < NO_BENDING * float(np.abs(shape).max()):
            continue  # a twist
        line = R @ (moved / size)
        if all(abs(float(line @ known)) < SAME_LINE for known in lines):
            lines.append(line)
    return {
        "along": (R @ reach / np.linalg.norm(reach)).tolist(),
        "bends_along": [line.tolist() for line in lines],
    }


def _arm(craft: CraftDescription, name: str) -> dict[str, Any]:
    stowed = {each.name: each for each in craft.stowed}
    mounted = stowed.get(name) or next(each for each in craft.arms if each.name == name)
    links = [mounted.arm.root, *(joint.link for joint in mounted.arm.joints)]
    return {
        "joints": len(mounted.arm.joints),
        "mass_kg": sum(link.mass for link in links),
        "brakes": "on" if name in stowed else "off",
        "mounted_on": mounted.mounted_on or None,
    }


def _hertz(omega: float) -> float:
    return float(omega) / (2.0 * math.pi)
