"""Scripted faults of actuators, of the guidance and of the target; those of sensors stand with the
sensors.

On-board software does not know of them.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from proxops.core.text import nearest
from proxops.scenario.schema.base import Name, Problem, Vector3
from proxops.scenario.schema.craft import Arm, Chaser
from proxops.scenario.schema.obsw import Obsw
from proxops.scenario.schema.sampled import Window
from proxops.scenario.schema.time import Time

_LONGEST_DELAY_S = 10.0
_MAX_IN_TRANSIT = 100_000  # commands: the memory of a delay has one row each


class DeadThruster(Window):
    """A thruster whose valve stays closed in a stretch of time."""

    kind: Literal["dead-thruster"] = Field(description="A thruster does not fire")
    thruster: Name = Field(description="Name of the thruster")


class StuckOpenThruster(Window):
    """A thruster whose valve stays open in a stretch of time, or until it is isolated."""

    kind: Literal["stuck-open-thruster"] = Field(description="A thruster does not stop firing")
    thruster: Name = Field(description="Name of the thruster")


class WeakThruster(Window):
    """A thruster that gives a share of its thrust in a stretch of time."""

    kind: Literal["weak-thruster"] = Field(description="A thruster pushes less than believed")
    thruster: Name = Field(description="Name of the thruster")
    share: float = Field(ge=0.0, le=1.0, description="Of its thrust that it gives [-]")


class GuidanceFailure(Window):
    """A solver that fails with the plans that are begun in a stretch of time."""

    kind: Literal["guidance-failure"] = Field(description="Plans cannot be made")
    mode: Literal["infeasible", "iteration-limit", "nan"] = Field(
        description="How: the programme contradicts itself, its iterations are used up, or what it "
        "gives back are no numbers"
    )


class TargetManoeuvre(Window):
    """The target's own thrust, constant in the Hill frame from from_s until until_s."""

    kind: Literal["target-manoeuvre"] = Field(description="The target changes its velocity")
    delta_v_H_m_s: Vector3 = Field(description="By how much, in H [m/s]")


class StuckJoint(Window):
    """A joint that its brake holds in a stretch of time, with at most the torque of its motor."""

    kind: Literal["stuck-joint"] = Field(description="A brake holds a joint")
    arm: Name = Field(description="Name of the arm")
    joint: str = Field(min_length=1, max_length=200, description="Name of the joint in its URDF")


class PowerLoss(Window):
    """Motors of an arm, and of what is mounted on it, without power in a stretch of time: brakes,
    which power keeps open, close on all of their joints."""

    kind: Literal["power-loss"] = Field(description="An arm has no power; its brakes close")
    arm: Name = Field(description="Name of the arm")

    def strikes(self, arms: Mapping[str, Arm]) -> list[str]:
        """Names of the arms without power: its own, and those that it carries."""
        struck = [self.arm]
        for name, arm in arms.items():  # an arm is given before those on it
            if arm.mounted_on in struck:
                struck.append(name)
        return struck


class LateCommands(Window):
    """Commands that are asked for in a stretch of time and arrive at the actuators late; the last
    to arrive stays."""

    kind: Literal["late-commands"] = Field(description="Commands arrive late at all actuators")
    delay_s: float = Field(gt=0.0, le=_LONGEST_DELAY_S, description="How late [s]")


FaultInjection = Annotated[
    DeadThruster
    | StuckOpenThruster
    | WeakThruster
    | StuckJoint
    | PowerLoss
    | LateCommands
    | GuidanceFailure
    | TargetManoeuvre,
    Field(discriminator="kind"),
]
_OF_THRUSTERS = (DeadThruster, StuckOpenThruster, WeakThruster)


def fit_problems(
    given: Mapping[str, FaultInjection],
    time: Time | None,
    chaser: Chaser | None,
    obsw: Obsw | None,
) -> list[Problem]:
    """Which of them do not fit the chaser, its software or the mission's duration; None: not
    known."""
    from proxops.sensors.timing import misfit

    found: list[Problem] = []
    for name, each in given.items():
        found += [((name, *path), text) for path, text in (each.late(time) if time else [])]
        if isinstance(each, LateCommands):
            wrong = misfit(each.delay_s, time.control_ns) if time else None
            if time and time.arm_ns != time.control_ns:
                text = "commands of the arm go at another rate; leave it or time.arm_rate_hz out"
                found.append(((name, "kind"), text))
            elif wrong:
                found.append(((name, "delay_s"), f"{wrong}, 1/time.control_rate_hz"))
            elif time and each.delay_s * time.control_rate_hz > _MAX_IN_TRANSIT:
                text = f"{each.delay_s:.6g} s is more than {_MAX_IN_TRANSIT} commands"
                found.append(((name, "delay_s"), text))
        elif isinstance(each, TargetManoeuvre) and each.until_s is None:
            found.append(((name, "until_s"), "say when the manoeuvre's burn ends"))
        elif isinstance(each, GuidanceFailure) and obsw and obsw.plan is None:
            text = "there is no guidance to fail: the mission has no [obsw.plan]"
            found.append(((name, "kind"), text))
        elif chaser and isinstance(each, _OF_THRUSTERS) and each.thruster not in chaser.thrusters:
            text = f"the chaser has no thruster {each.thruster!r}"
            found.append(((name, "thruster"), text + nearest(each.thruster, chaser.thrusters)))
        elif chaser and isinstance(each, StuckJoint | PowerLoss) and each.arm not in chaser.arms:
            text = f"the chaser has no arm {each.arm!r}{nearest(each.arm, chaser.arms)}"
            found.append(((name, "arm"), text))
    return found
