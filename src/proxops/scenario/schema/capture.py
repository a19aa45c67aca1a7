"""The capture: what on-board software shall do to take hold of the target."""

from typing import Annotated

import numpy as np
from pydantic import Field, model_validator

from proxops.scenario.schema.base import (
    Name,
    OneOrMany,
    Problem,
    Section,
    Values,
    Vector3,
    reject_all,
)
from proxops.scenario.schema.body import IDENTITY, ZERO, Quaternion
from proxops.scenario.schema.craft import in_si, positions_problems

_NotNegative = Annotated[float, Field(ge=0.0)]
_Positive = Annotated[float, Field(gt=0.0)]


class CaptureTiming(Section):
    """Durations of a capture."""

    synchronise_s: _Positive = Field(description="Duration of the trajectory to the hold point [s]")
    near_s: _Positive = Field(
        description="From there to the base's position at the grasp; the arm reaches out [s]"
    )
    reach_s: _Positive = Field(
        description="Duration of the arm's last trajectory onto the grasp point [s]"
    )
    settle_s: _NotNegative = Field(
        default=0.3, description="How long errors must be small before the next mode [s]"
    )
    timeout_s: _Positive = Field(
        default=6.0, description="Allowed delay of a mode beyond its planned duration [s]"
    )
    max_image_gap_s: _Positive = Field(
        default=4.0, description="Longest time without an image of the target [s]"
    )
    overload_time_s: _NotNegative = Field(
        default=0.01,
        description="Time for which the wrist's limits may be exceeded: anything shorter is a "
        "spike of the sensor [s]",
    )
    retreat_s: _Positive = Field(
        default=20.0, description="Duration of the base's retreat in an abort [s]"
    )
    max_command_latency_s: _Positive = Field(
        default=0.0015,
        description="Largest latency of executed commands; beyond it, joints are not held "
        "stiffly, and the arm stays away from the target [s]",
    )


class Tolerance(Section):
    """How far something may be from where it shall be."""

    place_m: _Positive = Field(description="Distance [m]")
    speed_m_s: _Positive = Field(description="Speed [m/s]")
    angle_deg: _Positive = Field(description="Angle [deg]")
    rate_deg_s: _Positive = Field(description="Angular velocity [deg/s]")


class GraspTolerance(Section):
    """How far the end effector may be from where the gripper closes."""

    place_m: _Positive = Field(default=0.015, description="Distance [m]")
    angle_deg: _Positive = Field(default=2.0, description="Angle [deg]")


class BaseTracking(Section):
    """How the base follows its place, which turns with the target."""

    bandwidth_rad_s: _Positive = Field(default=0.5, description="Undamped frequency [rad/s]")
    damping_ratio: _Positive = Field(default=0.9, description="Damping ratio [-]")


class ArmImpedance(Section):
    """How the end effector is drawn to its place, which turns with the target."""

    stiffness_N_m: _NotNegative = Field(default=400.0, description="Along [N/m]")
    damping_N_s_m: _NotNegative = Field(default=100.0, description="Along [N s/m]")
    stiffness_N_m_rad: _NotNegative = Field(default=40.0, description="About [N m/rad]")
    damping_N_m_s_rad: _NotNegative = Field(default=8.0, description="About [N m s/rad]")
    friction_share: float = Field(
        default=0.8,
        ge=0.0,
        le=1.0,
        description="Compensated share of the joints' viscous friction [-]",
    )


class JointHold(Section):
    """How joints are held still: before the approach, while rigidising and in an abort."""

    kp: OneOrMany = Field(
        description="Stiffness, one for all joints of the arm or one each [N m/rad]"
    )
    kd: OneOrMany = Field(description="Damping [N m s/rad]")


class GripperControl(Section):
    """How the two fingers close: at a speed, with at most a force."""

    speed_m_s: _Positive = Field(default=0.03, description="Speed of closing and opening [m/s]")
    gain_N_s_m: _Positive = Field(default=2000.0, description="Force per speed error [N s/m]")
    force_N: _Positive = Field(description="Largest force of a finger [N]")
    open_m: _NotNegative = Field(
        default=0.002, description="Travel of a finger at which it is open, off its stop [m]"
    )
    closed_m: _Positive = Field(
        description="Travel of a finger at which there is nothing between the two [m]"
    )
    stands_m_s: _Positive = Field(
        default=0.002, description="Speed below which a finger is at rest [m/s]"
    )
    settle_s: _NotNegative = Field(
        default=0.3, description="How long both must be at rest to have gripped [s]"
    )


class Capture(Section):
    """Synchronise with the tumbling target, approach, grasp, rigidise; or abort and leave.

    The software knows what sensors say, and believes of both spacecraft what this file says of
    them."""

    arm: Name = Field(description="Arm that grasps")
    fingers: Annotated[tuple[Name, Name], Field(strict=False)] = Field(
        description="The two fingers: arms of one joint on that arm's end effector, which close "
        "as their joints grow"
    )
    p_GE_m: Vector3 = Field(default=ZERO, description="End effector at the grasp, in G [m]")
    q_GE: Quaternion = Field(default=IDENTITY, description="Its attitude there, wxyz [-]")
    q: Values | None = Field(default=None, description="Joints of the arm at the grasp [rad or m]")
    q_deg: Values | None = Field(default=None, description="The same in degrees [deg]")
    hold_point_m: _NotNegative = Field(
        description="Distance of the hold point from the base's grasp position, along z of G [m]"
    )
    pregrasp_m: _NotNegative = Field(
        description="Distance from the grasp point, along z of G, where the last reach begins [m]"
    )
    retreat_m: _NotNegative = Field(description="Distance of the retreat in an abort [m]")
    timing: CaptureTiming = Field(description="Durations")
    synchronous: Tolerance = Field(
        description="Errors of the base below which the approach may begin"
    )
    graspable: GraspTolerance = Field(
        default=GraspTolerance(),
        description="Errors of the end effector below which the gripper may close",
    )
    corridor: Tolerance = Field(description="Errors of the base beyond which the capture aborts")
    base: BaseTracking = Field(default=BaseTracking(), description="Control of the base")
    impedance: ArmImpedance = Field(default=ArmImpedance(), description="Control of the arm")
    joint_hold: JointHold = Field(description="Gains of joints that are held")
    gripper: GripperControl = Field(description="The fingers")
    detumble_gain_1_s: _NotNegative = Field(
        default=0.3,
        description="Damping of the base relative to the held target, over its mass [1/s]",
    )
    handover_s: _Positive = Field(
        default=2.0,
        description="Time in which the arm takes the load over from the base once it holds [s]",
    )
    max_force_N: _Positive = Field(
        description="Force at the wrist beyond which the capture aborts [N]"
    )
    max_torque_N_m: _Positive = Field(
        description="Torque at the wrist beyond which the capture aborts [N m]"
    )

    @model_validator(mode="after")
    def _makes_sense(self) -> "Capture":
        problems: list[Problem] = positions_problems(self.q, self.q_deg)
        if len({self.arm, *self.fingers}) < 3:
            problems.append((("fingers",), "the arm and its two fingers must be three arms"))
        reject_all(problems)
        return self

    def pose_si(self) -> np.ndarray:
        """Joints of the arm at the grasp [rad or m]."""
        return in_si(self.q, self.q_deg)
