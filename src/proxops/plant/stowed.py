"""Arms whose brakes are on for the whole mission: bodies without joints, part of what carries them.

Nothing of such an arm is integrated, and no joint of it limits the step.  Brakes and gears are
rigid here; a load that would make a brake slip is not looked for.
"""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from proxops.core.description import (
    ArmDescription,
    CraftDescription,
    MountedArm,
    SolidDescription,
)
from proxops.core.frame import Frame, frame, joint_motion, quaternion_of

# Units of what is recorded of each joint, turning and sliding; `values` has the numbers
_RECORDED = {
    "q": ("rad", "m"),
    "qd": ("rad/s", "m/s"),
    "tau": ("N m", "N"),
    "tau_peak": ("N m", "N"),
}


def stow(craft: CraftDescription, names: Collection[str]) -> CraftDescription:
    """The spacecraft with the arms of these names as single bodies, their joints where they are at
    the start.

        X_AJᵢ = X_AJᵢ₋₁ X_PJᵢ X_z(qᵢ),   body in A = root + Σ linkᵢ seen from A by X_AJᵢ

    A rotor stands still against its link and counts as part of it, as in the masses of its URDF
    file.  What is mounted on such an arm stands on the body that carries the arm.
    """
    ends: dict[str, tuple[Frame, str]] = {}  # E of each in its carrier, and that carrier's name
    frames: dict[str, list[Frame]] = {}
    arms = []
    for mounted in craft.arms:
        X_CA, carrier = Frame(mounted.R_CA, mounted.p_CA), mounted.mounted_on
        if carrier in ends:
            X_CE, carrier = ends[carrier]
            X_CA = X_CE @ X_CA
        placed = replace(mounted, R_CA=X_CA.R, p_CA=X_CA.p, mounted_on=carrier)
        if mounted.name in names:
            placed, frames[mounted.name] = _locked(placed)
            ends[mounted.name] = X_CA @ Frame(placed.arm.R_JE, placed.arm.p_JE), carrier
        arms.append(placed)
    stowed = tuple(each for each in craft.arms if each.name in names)
    shapes = tuple(_moved(each, frames.get(each.arm)) for each in craft.shapes)
    return replace(craft, arms=tuple(arms), stowed=stowed, shapes=shapes)


def _locked(mounted: MountedArm) -> tuple[MountedArm, list[Frame]]:
    """The arm as one body, and its root and joint frames in A."""
    frames = [Frame(np.eye(3), np.zeros(3))]
    body = mounted.arm.root
    for joint, q in zip(mounted.arm.joints, mounted.q, strict=True):
        X_AJ = frames[-1] @ Frame(joint.R_PJ, joint.p_PJ) @ joint_motion(joint.prismatic, float(q))
        body = body.joined(joint.link.seen_from(X_AJ.R, X_AJ.p))
        frames.append(X_AJ)
    X_AE = frames[-1] @ Frame(mounted.arm.R_JE, mounted.arm.p_JE)
    arm = ArmDescription(mounted.arm.name, body, (), X_AE.R, X_AE.p)
    return replace(mounted, arm=arm, q=np.zeros(0), qd=np.zeros(0)), frames


def _moved(solid: SolidDescription, frames: list[Frame] | None) -> SolidDescription:
    """A shape of a locked arm in the arm's root frame; others as they are."""
    if frames is None:
        return solid
    X_AB = frames[solid.joint] @ frame(solid.shape.p, solid.shape.q)
    x, y, z = X_AB.p.tolist()
    w, i, j, k = quaternion_of(X_AB.R).tolist()
    return replace(solid, shape=replace(solid.shape, p=(x, y, z), q=(w, i, j, k)), joint=0)


def is_stowed(craft: CraftDescription, name: str) -> bool:
    """Whether an arm has its brakes on."""
    return any(each.name == name for each in craft.stowed)


def signals(craft: CraftDescription) -> list[tuple[str, str, str, tuple[int, ...]]]:
    """Name, unit, axes and shape of what is recorded of arms with brakes on, as of others."""
    return [
        (f"chaser.arms.{mounted.name}.{quantity}", mounted.arm.unit(*units), "", mounted.q.shape)
        for mounted in craft.stowed
        for quantity, units in _RECORDED.items()
    ]


def values(craft: CraftDescription) -> np.ndarray:
    """What `signals` have throughout: positions at the start, no rates, no torques of motors."""
    kept = [np.concatenate([each.q, np.zeros(3 * len(each.q))]) for each in craft.stowed]
    return np.concatenate([np.zeros(0), *kept])
