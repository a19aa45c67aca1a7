"""What stands where on a spacecraft."""

from proxops.core.description import CraftDescription, MountedArm
from proxops.core.frame import Frame


def seat_of(craft: CraftDescription, mounted: MountedArm) -> Frame:
    """An arm's root frame in the body that carries it: the hub, or another arm's last link."""
    root = Frame(mounted.R_CA, mounted.p_CA)
    for each in craft.arms:
        if each.name == mounted.mounted_on:
            return Frame(each.arm.R_JE, each.arm.p_JE) @ root
    return root


def bodies_of(craft: CraftDescription) -> dict[str, tuple[int, ...]]:
    """Numbers of an arm's bodies, by its name: what carries its root, then what its joints move."""
    bodies: dict[str, tuple[int, ...]] = {"": (0,)}
    moved = 0
    for each in craft.arms:
        joints = len(each.arm.joints)
        links = range(moved + 1, moved + 1 + joints)
        bodies[each.name] = (bodies[each.mounted_on][-1], *links)
        moved += joints
    return bodies
