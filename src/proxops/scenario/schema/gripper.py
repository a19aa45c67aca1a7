"""Geared grippers of the chaser."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, model_validator

from proxops.core.text import nearest
from proxops.scenario.schema.base import Name, Problem, Section, reject_all

if TYPE_CHECKING:
    from proxops.scenario.schema.craft import Arm

_Teeth = Annotated[int, Field(ge=3, le=10_000)]
_ROUNDING_M = 1e-12  # of positions that are typed by hand, along a pitch circle


class Gripper(Section):
    """A motor that closes two clamps through gears.  Motor and clamps are arms of one turning
    joint, all on one end effector; a clamp's joint grows as it closes, and so does the motor's (an
    idler sees to that).  Torque and speed of the motor are limited as its URDF says."""

    motor: Name = Field(description="Arm of one joint that is the motor with its gear")
    clamps: Annotated[tuple[Name, Name], Field(strict=False)] = Field(
        description="Arms of one joint that are the clamps, each with its gear"
    )
    motor_teeth: _Teeth = Field(description="Teeth Z1 of the motor's gear [-]")
    clamp_teeth: Annotated[tuple[_Teeth, _Teeth], Field(strict=False)] = Field(
        description="Teeth Z2, Z3 of the clamps' gears [-]"
    )
    module_m: float = Field(
        gt=0.0, le=1.0, description="Pitch diameter over number of teeth, of all gears [m]"
    )
    stiffness_N_m: float = Field(
        gt=0.0, le=1e12, description="Stiffness of a mesh, along the pitch circles [N/m]"
    )
    damping_s_m: float = Field(
        default=0.0, ge=0.0, description="Damping χ of a mesh: k ε (1 + χ ε̇) [s/m]"
    )
    backlash_m: float = Field(
        default=0.0, ge=0.0, le=1.0, description="Backlash of a mesh, along the pitch circles [m]"
    )
    efficiency: float = Field(
        default=1.0, gt=0.0, le=1.0, description="Of the power through a mesh [-]"
    )

    @model_validator(mode="after")
    def _has_three_parts(self) -> "Gripper":
        if len({self.motor, *self.clamps}) < 3:
            reject_all([(("clamps",), "the motor and the two clamps must be three arms")])
        return self

    def motor_radius(self) -> float:
        """Of the pitch circle of the motor's gear [m]."""
        return 0.5 * self.module_m * self.motor_teeth

    def clamp_radius(self, clamp: int) -> float:
        """Likewise of a clamp's gear [m]."""
        return 0.5 * self.module_m * self.clamp_teeth[clamp]


def gripper_problems(grippers: "Mapping[str, Gripper]", arms: "Mapping[str, Arm]") -> list[Problem]:
    """What grippers ask for that the chaser's arms do not have."""
    problems: list[Problem] = []
    taken: dict[str, str] = {}
    for name, gripper in grippers.items():
        found = _missing_arms(gripper, arms) or _misplaced_arms(gripper, arms)
        problems += [((name, *path), text) for path, text in found]
        for part in (gripper.motor, *gripper.clamps):
            other = taken.setdefault(part, name)
            if other != name:
                problems.append(((name,), f"arm {part!r} is a part of gripper {other!r} already"))
    return problems


def _missing_arms(gripper: Gripper, arms: "Mapping[str, Arm]") -> list[Problem]:
    problems: list[Problem] = []
    named: list[tuple[tuple[str | int, ...], str]] = [(("motor",), gripper.motor)]
    named += [(("clamps", i), clamp) for i, clamp in enumerate(gripper.clamps)]
    for path, part in named:
        if part not in arms:
            problems.append((path, f"the chaser has no arm {part!r}{nearest(part, arms)}"))
        elif len(arms[part].pose_si()) != 1:
            problems.append((path, f"arm {part!r} has {len(arms[part].pose_si())} joints, not one"))
        elif arms[part].brakes == "on":
            problems.append((path, f"arm {part!r} has its brakes on"))
    return problems


def _misplaced_arms(gripper: Gripper, arms: "Mapping[str, Arm]") -> list[Problem]:
    """Parts that stand on different bodies, or are declared after what they drive, or start with
    their teeth in each other."""
    problems: list[Problem] = []
    order = list(arms)
    motor = arms[gripper.motor]
    for i, clamp in enumerate(gripper.clamps):
        if arms[clamp].mounted_on != motor.mounted_on:
            text = f"arm {clamp!r} is not on the same end effector as the motor {gripper.motor!r}"
            problems.append((("clamps", i), text))
        if order.index(clamp) < order.index(gripper.motor):
            text = f"give the motor {gripper.motor!r} before its clamp {clamp!r}"
            problems.append((("motor",), text))
        ahead = gripper.motor_radius() * float(motor.pose_si()[0])
        ahead -= gripper.clamp_radius(i) * float(arms[clamp].pose_si()[0])
        if abs(ahead) > 0.5 * gripper.backlash_m + _ROUNDING_M:
            wanted = float(arms[clamp].pose_si()[0]) * gripper.clamp_teeth[i] / gripper.motor_teeth
            text = (
                f"its gears start {abs(ahead):.3g} m into each other with clamp {clamp!r}; "
                f"let the motor start at {wanted:.9g} rad, {math.degrees(wanted):.9g} deg"
            )
            problems.append((("motor",), text))
    return problems
