"""What stands where on a spacecraft."""

from proxops.core.description import CraftDescription, MountedArm
from proxops.core.frame import Frame


def seat_of(craft: CraftDescription, mounted: MountedArm) -> Frame:
    """An arm's root frame in the body that carries it: the hub, or another arm's last link."""
    root = Frame(mounted.R_CA, mounted.p_CA)
    for each in craft.arms:
        if each.name == mounted.on:
            return Frame(each.arm.R_JE, each.arm.p_JE) @ root
    return root
