"""The chaser's arms as they stand in the lab, those on the end effectors of others among them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from proxops.core.description import MountedArm, RigidInertia
from proxops.core.frame import Frame, joint_motion

NOTHING = RigidInertia(0.0, np.zeros(3), np.zeros((3, 3)))


def arm_frames(arms: Iterable[MountedArm]) -> dict[str, tuple[Frame, ...]]:
    """Root A, joint frames and end effector E of every arm, in C, its joints where it has them;
    an arm comes after the one that it stands on."""
    found: dict[str, tuple[Frame, ...]] = {}
    for mounted in arms:
        root = Frame(mounted.R_CA, mounted.p_CA)
        frames = [found[mounted.mounted_on][-1] @ root if mounted.mounted_on else root]
        for joint, q in zip(mounted.arm.joints, mounted.q, strict=True):
            X_PJ = Frame(joint.R_PJ, joint.p_PJ)
            frames.append(frames[-1] @ X_PJ @ joint_motion(joint.prismatic, float(q)))
        effector = frames[-1] @ Frame(mounted.arm.R_JE, mounted.arm.p_JE)
        found[mounted.name] = (*frames, effector)
    return found


def posed(arms: Iterable[MountedArm], q: np.ndarray) -> tuple[MountedArm, ...]:
    """The arms with their joints at q, one after another [rad or m]."""
    found, at = list[MountedArm](), 0
    for mounted in arms:
        found.append(replace(mounted, q=q[at : at + len(mounted.q)]))
        at += len(mounted.q)
    return tuple(found)


def links_of(arms: Sequence[MountedArm]) -> tuple[RigidInertia, ...]:
    """Roots and links of all arms in C, arm by arm, the joints where they have them."""
    frames = arm_frames(arms)
    return tuple(
        body.seen_from(X.R, X.p)
        for mounted in arms
        for body, X in zip(_bodies(mounted), frames[mounted.name], strict=False)  # E has none
    )


def moved_loads(arms: Sequence[MountedArm]) -> list[RigidInertia]:
    """What each joint of all arms moves, in the joint's own frame: links and arms beyond it, locked
    as they are."""
    frames, origins = arm_frames(arms), list[Frame]()
    loads, movers = list[RigidInertia](), {"": list[int]()}  # joints that move an arm's tip
    for mounted in arms:
        movers[mounted.name] = moving = movers[mounted.mounted_on].copy()
        bodies = zip(_bodies(mounted), frames[mounted.name], strict=False)  # E has none
        for number, (body, X) in enumerate(bodies):
            if number > 0:
                moving.append(len(loads))
                origins.append(X)
                loads.append(NOTHING)
            for joint in moving:
                seen = origins[joint].inverse() @ X
                loads[joint] = loads[joint].joined(body.seen_from(seen.R, seen.p))
    return loads


def apparent_inertias(arms: Sequence[MountedArm]) -> list[float]:
    """What each joint has to move [kg m2 or kg], its rotor and all beyond it, locked."""
    joints = [joint for mounted in arms for joint in mounted.arm.joints]
    return [
        float((load.mass if joint.prismatic else load.inertia[2, 2]) + joint.rotor_inertia)
        for joint, load in zip(joints, moved_loads(arms), strict=True)
    ]


def _bodies(mounted: MountedArm) -> tuple[RigidInertia, ...]:
    return mounted.arm.root, *(joint.link for joint in mounted.arm.joints)
