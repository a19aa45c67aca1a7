"""Joints of an arm's file that do not move, as they are off the way to its tip."""

from collections.abc import Iterator

from proxops.scenario.load import Scenario
from proxops.scenario.schema.base import Problem
from proxops.scenario.urdf import parse_urdf

_NAMED = 4  # joints in a message


def locked_joints(scenario: Scenario) -> Iterator[Problem]:
    """A line for each arm that has any: grippers and other limbs are part of the arm's links."""
    for name, given in scenario.mission.chaser.arms.items():
        arm = parse_urdf(scenario.files[given.urdf], given.urdf, given.tip)
        if arm.locked:
            count = len(arm.locked)
            names = ", ".join(map(repr, arm.locked[:_NAMED])) + (", ..." if count > _NAMED else "")
            joints = f"{count} joints" if count > 1 else "1 joint"
            text = f"{joints} off the way to link {arm.tip!r} stay at zero: {names}"
            yield ("chaser", "arms", name, "urdf"), text
