"""A gripper's gears between the joints of its motor and clamps."""

from dataclasses import replace

from proxops.core.description import GearsDescription, MountedArm
from proxops.core.errors import InputError
from proxops.scenario.schema.gripper import Gripper


def geared(name: str, gripper: Gripper, arms: tuple[MountedArm, ...]) -> tuple[MountedArm, ...]:
    """The arms, those of a gripper's clamps with the gears that drive them."""
    driven = {clamp: _gears(gripper, i) for i, clamp in enumerate(gripper.clamps)}
    for each in arms:
        if each.name in (gripper.motor, *gripper.clamps) and each.arm.joints[0].prismatic:
            raise InputError(
                f"chaser.grippers.{name}: the joint of arm {each.name!r} slides; gears need one "
                "that turns"
            )
    return tuple(_driven(each, driven[each.name]) if each.name in driven else each for each in arms)


def _gears(gripper: Gripper, clamp: int) -> GearsDescription:
    return GearsDescription(
        driver=gripper.motor,
        driver_radius=gripper.motor_radius(),
        own_radius=gripper.clamp_radius(clamp),
        stiffness=gripper.stiffness_N_m,
        damping=gripper.damping_s_m,
        backlash=gripper.backlash_m,
        efficiency=gripper.efficiency,
    )


def _driven(mounted: MountedArm, gears: GearsDescription) -> MountedArm:
    (joint,) = mounted.arm.joints
    return replace(mounted, arm=replace(mounted.arm, joints=(replace(joint, gears=gears),)))
