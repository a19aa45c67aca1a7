"""Scripted faults of actuators; those of sensors stand with the sensors.

On-board software is not told of them.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from proxops.core.text import nearest
from proxops.scenario.schema.base import Name, Problem
from proxops.scenario.schema.craft import Chaser
from proxops.scenario.schema.sampled import Window
from proxops.scenario.schema.time import Time

_LONGEST_DELAY_S = 10.0
_MAX_IN_TRANSIT = 100_000  # commands: the memory of a delay has one row each


class DeadThruster(Window):
    """A thruster whose valve stays closed in a stretch of time."""

    kind: Literal["dead-thruster"] = Field(description="A thruster does not fire")
    thruster: Name = Field(description="Name of the thruster")


class StuckJoint(Window):
    """A joint that its brake holds in a stretch of time, with at most the torque of its motor."""

    kind: Literal["stuck-joint"] = Field(description="A brake holds a joint")
    arm: Name = Field(description="Name of the arm")
    joint: str = Field(min_length=1, max_length=200, description="Name of the joint in its URDF")


class LateCommands(Window):
    """Commands that are asked for in a stretch of time and arrive at the actuators late; the last
    to arrive stays."""

    kind: Literal["late-commands"] = Field(description="All actuators are told late")
    delay_s: float = Field(gt=0.0, le=_LONGEST_DELAY_S, description="How late [s]")


FaultInjection = Annotated[DeadThruster | StuckJoint | LateCommands, Field(discriminator="kind")]


def fit_problems(
    given: Mapping[str, FaultInjection], time: Time | None, chaser: Chaser | None
) -> list[Problem]:
    """Which of them do not fit the chaser, the rate of its software or the mission's duration;
    None: not known."""
    from proxops.sensors.timing import misfit

    found: list[Problem] = []
    for name, each in given.items():
        found += [((name, *path), text) for path, text in (each.late(time) if time else [])]
        if isinstance(each, LateCommands):
            wrong = misfit(each.delay_s, time.control_ns) if time else None
            if wrong:
                found.append(((name, "delay_s"), f"{wrong}, 1/time.control_rate_hz"))
            elif time and each.delay_s * time.control_rate_hz > _MAX_IN_TRANSIT:
                text = f"{each.delay_s:.6g} s is more than {_MAX_IN_TRANSIT} commands"
                found.append(((name, "delay_s"), text))
        elif chaser and isinstance(each, DeadThruster) and each.thruster not in chaser.thrusters:
            text = f"the chaser has no thruster {each.thruster!r}"
            found.append(((name, "thruster"), text + nearest(each.thruster, chaser.thrusters)))
        elif chaser and isinstance(each, StuckJoint) and each.arm not in chaser.arms:
            text = f"the chaser has no arm {each.arm!r}{nearest(each.arm, chaser.arms)}"
            found.append(((name, "arm"), text))
    return found
