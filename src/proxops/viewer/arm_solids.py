"""The links of the chaser's arms as they are drawn."""

from itertools import product

import numpy as np

from proxops.scenario.urdf_visual import arm_shapes
from proxops.viewer.hardware import Hardware
from proxops.viewer.poses import joint_frame
from proxops.viewer.scene import Thing
from proxops.viewer.shapes import corners, drawn

MOST_FACES = 4000  # of a link's mesh: makers publish ten times as many, and pages carry them


def arm_solids(hardware: Hardware, hub: str) -> list[Thing]:
    """Every link on the frame of its joint, the arms standing on that hub."""
    things: list[Thing] = []
    for mounted in hardware.chaser.arms:
        text = hardware.arm_text(mounted.name)
        shapes = arm_shapes(mounted.arm, text, hardware.has_mesh)
        for count, (number, shape, _) in enumerate(shapes):
            frame = joint_frame(mounted.name, number, hub)
            things += drawn(f"{frame}/{count}", frame, shape, max_faces=MOST_FACES)
    return things


def arm_outlines(hardware: Hardware, hub: str) -> dict[str, np.ndarray]:
    """Corners (8, 3) of the box that holds the drawn links of each joint's frame [m]."""
    points: dict[str, list[np.ndarray]] = {}
    for mounted in hardware.chaser.arms:
        text = hardware.arm_text(mounted.name)
        for number, shape, _ in arm_shapes(mounted.arm, text, hardware.has_mesh):
            points.setdefault(joint_frame(mounted.name, number, hub), []).append(corners(shape))
    found = {}
    for frame, parts in points.items():
        low, high = np.vstack(parts).min(axis=0), np.vstack(parts).max(axis=0)
        found[frame] = np.array(list(product(*zip(low, high, strict=True))))
    return found
