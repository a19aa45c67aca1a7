"""The links of the chaser's arms as they are drawn."""

from proxops.scenario.urdf_visual import arm_shapes
from proxops.viewer.hardware import Hardware
from proxops.viewer.poses import joint_frame
from proxops.viewer.scene import Thing
from proxops.viewer.shapes import drawn

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
