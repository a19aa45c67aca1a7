"""The links of the chaser's arms as they are drawn."""

from proxops.scenario.urdf_visual import arm_shapes
from proxops.viewer.hardware import Hardware
from proxops.viewer.poses import joint_frame
from proxops.viewer.scene import Solid, Thing


def arm_solids(hardware: Hardware, hub: str) -> list[Thing]:
    """Every link on the frame of its joint, the arms standing on that hub."""
    things: list[Thing] = []
    for mounted in hardware.chaser.arms:
        given = hardware.scenario.mission.chaser.arms[mounted.name]
        text = hardware.scenario.files[given.urdf]
        for count, (number, shape, _) in enumerate(arm_shapes(mounted.arm, text)):
            frame = joint_frame(mounted.name, number, hub)
            things.append(Solid(f"{frame}/{count}", frame, shape))
    return things
