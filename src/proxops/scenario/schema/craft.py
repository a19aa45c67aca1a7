"""The two spacecraft, what moves on the chaser and the appendages on both."""

import math
from typing import Literal

import numpy as np
from pydantic import Field, ValidationInfo, field_validator, model_validator

from proxops.core.text import nearest
from proxops.scenario.schema.appendage import ChaserAppendage, TargetAppendage
from proxops.scenario.schema.base import (
    Name,
    Problem,
    Section,
    Values,
    Vector3,
    given_once,
    reject_all,
)
from proxops.scenario.schema.body import IDENTITY, ZERO, Inertia, Mass, Quaternion
from proxops.scenario.schema.gripper import Gripper, gripper_problems
from proxops.scenario.schema.pointing import Pointing
from proxops.scenario.schema.shape import MAX_SHAPES, ChaserShape, TargetShape
from proxops.scenario.schema.thruster import Thruster
from proxops.scenario.schema.wheel import Wheel

ATTITUDE = "attitude at the start"
RATE = "angular velocity at the start"


def positions_problems(q: Values | None, q_deg: Values | None) -> list[Problem]:
    """Joint positions are given once, in one of two units."""
    if q is None and q_deg is None:
        return [(("q_deg",), "missing; give q_deg, or q in rad and m")]
    if q is not None and q_deg is not None:
        return [(("q_deg",), "give q or q_deg, not both")]
    return []


def in_si(values: Values | None, values_deg: Values | None) -> np.ndarray:
    """Whichever was given, in rad and m (or per second); empty if neither was."""
    if values is not None:
        return np.array(values, dtype=float)
    return np.array([math.radians(value) for value in values_deg or ()], dtype=float)


class Arm(Section):
    """A serial arm on the chaser, and its joints at the start.  An arm of one joint on the end
    effector of another is a finger."""

    urdf: str = Field(
        min_length=1,
        max_length=1000,
        description="A shipped arm's name, or a URDF file's path from the scenario file's folder",
    )
    tip: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description="Link of that file whose frame is the end effector E; not needed where the "
        "file has one chain of joints only",
    )
    mounted_on: Name | None = Field(
        default=None,
        description="Arm, given before this one, whose end effector carries it; the hub if not "
        "given",
    )
    p_CA_m: Vector3 = Field(
        default=ZERO, description="Arm's root frame A in C, or in that end effector, position [m]"
    )
    q_CA: Quaternion = Field(default=IDENTITY, description="Its attitude there, wxyz [-]")
    q: Values | None = Field(default=None, description="Joint positions at the start [rad or m]")
    q_deg: Values | None = Field(
        default=None, description="The same in degrees, for arms of turning joints only [deg]"
    )
    qd: Values | None = Field(
        default=None, description="Joint rates at the start, zero if not given [rad/s or m/s]"
    )
    qd_deg_s: Values | None = Field(
        default=None,
        description="The same in degrees per second, for arms of turning joints only [deg/s]",
    )

    brakes: Literal["on", "off"] = Field(
        default="off",
        description="on: the joints stand still for the whole mission, the arm is one body with "
        "what carries it and limits no step; nobody may command it",
    )

    @model_validator(mode="after")
    def _given_once(self) -> "Arm":
        problems = positions_problems(self.q, self.q_deg)
        if self.brakes == "on" and any((*(self.qd or ()), *(self.qd_deg_s or ()))):
            key = "qd" if self.qd else "qd_deg_s"
            problems.append(((key,), "remove it: joints with brakes on do not move"))
        if self.qd is not None and self.qd_deg_s is not None:
            problems.append((("qd_deg_s",), "give qd or qd_deg_s, not both"))
        reject_all(problems)
        return self

    def pose_si(self) -> np.ndarray:
        """Joint positions at the start [rad or m]."""
        return in_si(self.q, self.q_deg)

    def rates_si(self) -> np.ndarray:
        """Joint rates at the start [rad/s or m/s]."""
        if self.qd is None and self.qd_deg_s is None:
            return np.zeros_like(self.pose_si())
        return in_si(self.qd, self.qd_deg_s)


class Wrench(Section):
    """A recorded force and torque that is played back onto a hub."""

    file: str = Field(
        min_length=1,
        max_length=1000,
        description="A shipped history's name, or a CSV file's path from the scenario file's "
        "folder: columns t_s, fx_N, fy_N, fz_N, tx_N_m, ty_N_m, tz_N_m at the hub's centre of "
        "mass, in hub axes; straight lines "
        "between rows, zero outside",
    )


class Chaser(Section):
    """The spacecraft that carries the arms.  Frame C: at the hub's centre of mass, hub axes."""

    mass_kg: Mass = Field(
        description="Mass of the hub alone, without arms, appendages and rotors of wheels [kg]"
    )
    inertia_kg_m2: Inertia = Field(
        description="Inertia of the hub alone, about its centre of mass, in C [kg m2]"
    )
    p_HC_m: Vector3 = Field(description="Hub's centre of mass in the Hill frame H at the start [m]")
    v_HC_m_s: Vector3 = Field(
        description="Its derivative in the rotating Hill frame H at the start [m/s]"
    )
    points: Pointing | None = Field(
        default=None,
        description='Attitude at the start by where two axes point, as ["+x to target", '
        '"+z to -R-bar"]: the first exactly, the second as nearly as that allows',
    )
    q_HC: Quaternion | None = Field(
        default=None, description="Or the attitude in the Hill frame, C to H, wxyz [-]"
    )
    q_NC: Quaternion | None = Field(
        default=None,
        validate_default=True,
        description="Or the attitude in inertial space, components in C to inertial N, wxyz [-]",
    )
    w_HC_C_deg_s: Vector3 | None = Field(
        default=None,
        description="Angular velocity relative to the Hill frame at the start, in C; zero stays "
        "fixed in H [deg/s]",
    )
    w_NC_C_deg_s: Vector3 | None = Field(
        default=None,
        validate_default=True,
        description="Or the one relative to inertial N, in C [deg/s]",
    )
    arms: dict[Name, Arm] = Field(default={}, description="Arms by name")
    grippers: dict[Name, Gripper] = Field(
        default={}, description="Motors that close clamps through gears, by name"
    )
    thrusters: dict[Name, Thruster] = Field(default={}, description="Thrusters by name")
    wheels: dict[Name, Wheel] = Field(default={}, description="Reaction wheels by name")
    appendages: dict[Name, ChaserAppendage] = Field(
        default={}, description="Flexible appendages by name"
    )
    shapes: dict[Name, ChaserShape] = Field(
        default={},
        max_length=MAX_SHAPES,
        description="How the hub is drawn, by name; a box of its mass and inertia if not given",
    )
    wrench: Wrench | None = Field(default=None, description="Recorded wrench on the hub")

    @field_validator("q_NC")
    @classmethod
    def _has_one_attitude(cls, q: Quaternion | None, info: ValidationInfo) -> Quaternion | None:
        given_once(cls, q, info, ATTITUDE)
        return q

    @field_validator("w_NC_C_deg_s")
    @classmethod
    def _has_one_rate(cls, w: Vector3 | None, info: ValidationInfo) -> Vector3 | None:
        given_once(cls, w, info, RATE)
        return w

    @field_validator("arms")
    @classmethod
    def _stand_on_what_comes_before(cls, arms: dict[str, Arm]) -> dict[str, Arm]:
        problems: list[Problem] = []
        before: list[str] = []
        for name, arm in arms.items():
            carrier = arm.mounted_on
            if carrier is not None and carrier not in before:
                text = f"no arm {carrier!r} is given before this one{nearest(carrier, before)}"
                problems.append(((name, "mounted_on"), text))
            before.append(name)
        reject_all(problems)
        return arms

    @field_validator("grippers")
    @classmethod
    def _have_their_parts(
        cls, grippers: dict[str, Gripper], info: ValidationInfo
    ) -> dict[str, Gripper]:
        if "arms" in info.data:  # absent while they have problems
            reject_all(gripper_problems(grippers, info.data["arms"]))
        return grippers


class Grapple(Section):
    """Where the target can be held: frame G."""

    p_TG_m: Vector3 = Field(default=ZERO, description="Grapple frame G in T, position [m]")
    q_TG: Quaternion = Field(default=IDENTITY, description="Grapple frame G in T, wxyz [-]")


class Target(Section):
    """The spacecraft to be serviced.  Frame T: at the hub's centre of mass, hub axes.  The centre
    of mass of hub and appendages together, deflected as they are, starts at rest at the origin of
    the Hill frame: the reference orbit goes through it."""

    mass_kg: Mass = Field(description="Mass of the hub alone, without appendages [kg]")
    inertia_kg_m2: Inertia = Field(
        description="Inertia of the hub alone, about its centre of mass, in T [kg m2]"
    )
    points: Pointing | None = Field(
        default=None,
        description='Attitude at the start by where two axes point, as ["+x to chaser", '
        '"+z to -R-bar"]: the first exactly, the second as nearly as that allows',
    )
    q_HT: Quaternion | None = Field(
        default=None, description="Or the attitude in the Hill frame, T to H, wxyz [-]"
    )
    q_NT: Quaternion | None = Field(
        default=None,
        validate_default=True,
        description="Or the attitude in inertial space, components in T to inertial N, wxyz [-]",
    )
    w_HT_T_deg_s: Vector3 | None = Field(
        default=None,
        description="Angular velocity relative to the Hill frame at the start, in T; zero stays "
        "fixed in H [deg/s]",
    )
    w_NT_T_deg_s: Vector3 | None = Field(
        default=None,
        validate_default=True,
        description="Or the one relative to inertial N, in T [deg/s]",
    )
    grapple: Grapple = Field(default=Grapple(), description="Where the target can be held")
    appendages: dict[Name, TargetAppendage] = Field(
        default={}, description="Flexible appendages by name"
    )
    shapes: dict[Name, TargetShape] = Field(
        default={},
        max_length=MAX_SHAPES,
        description="How the hub is drawn, by name; a box of its mass and inertia if not given",
    )
    wrench: Wrench | None = Field(default=None, description="Recorded wrench on the hub")

    @field_validator("q_NT")
    @classmethod
    def _has_one_attitude(cls, q: Quaternion | None, info: ValidationInfo) -> Quaternion | None:
        given_once(cls, q, info, ATTITUDE)
        return q

    @field_validator("w_NT_T_deg_s")
    @classmethod
    def _has_one_rate(cls, w: Vector3 | None, info: ValidationInfo) -> Vector3 | None:
        given_once(cls, w, info, RATE)
        return w
