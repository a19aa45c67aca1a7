"""Berthing: what on-board software shall do with the arm, its gripper and the latches of a port."""

from collections.abc import Mapping
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from proxops.core.text import nearest
from proxops.scenario.schema.arm_leg import ArmLeg
from proxops.scenario.schema.base import (
    Name,
    OneOrMany,
    Path,
    Problem,
    Section,
    Values,
    Vector3,
    reject_all,
)
from proxops.scenario.schema.body import IDENTITY, ZERO, Quaternion
from proxops.scenario.schema.capture import ArmImpedance
from proxops.scenario.schema.contact import Hold
from proxops.scenario.schema.craft import Arm, Chaser, in_si, positions_problems
from proxops.scenario.schema.plan import Plan

_Positive = Annotated[float, Field(gt=0.0)]
_NotNegative = Annotated[float, Field(ge=0.0)]


class Triggers(Section):
    """When the gripper closes: both errors of the end effector, as estimated, must be small."""

    place_m: _Positive = Field(default=2e-3, description="Distance from the grasp point [m]")
    angle_rad: _Positive = Field(default=1e-3, description="Angle from the grasp [rad]")
    settle_s: _NotNegative = Field(
        default=1.0, description="How long both must have been smaller, without a break [s]"
    )
    kind: Literal["level", "latched"] = Field(
        default="level",
        description="level: both at the same time; latched: as published, each stays raised once "
        "it was, and there is no settling time",
    )


class FreeTarget(Section):
    """How far a target strays from free motion while the hand reaches for it: what navigation
    counts with then."""

    process_noise_m_s_rt_s: _Positive = Field(
        description="Unmodelled acceleration of either spacecraft [m/s/√s]"
    )
    process_noise_rad_s_rt_s: _Positive = Field(
        description="Unmodelled angular acceleration of the target [rad/s/√s]"
    )


class Grip(Section):
    """The torque that grips: M = F r sin γ Z1/Z2, F = c m a / μ of both clamps together."""

    mass_kg: _Positive = Field(description="Mass m that is held [kg]")
    acceleration_m_s2: _Positive = Field(description="Largest acceleration a of it [m/s2]")
    safety: float = Field(default=2.0, ge=1.0, description="Safety factor c [-]")
    mu: _Positive = Field(description="Coefficient of friction that is counted on [-]")
    lever_m: _Positive = Field(description="Lever r from a clamp's pivot to its pad [m]")
    angle_deg: float = Field(
        gt=0.0, lt=180.0, description="Angle γ between lever and closing direction [deg]"
    )
    clamp_deg: float = Field(description="Position of the clamps when they hold the part [deg]")
    tolerance_deg: _Positive = Field(
        default=2.0, description="Of that; beyond it they hold nothing, or something else [deg]"
    )
    speed_rad_s: _Positive = Field(default=0.2, description="Of closing, at the motor [rad/s]")
    gain_N_m_s_rad: _Positive = Field(
        default=1.0, description="Torque of the motor per speed that lacks [N m s/rad]"
    )
    ramp_s: _Positive = Field(
        default=1.0, description="In which the torque rises once clamps have met something [s]"
    )
    stands_rad_s: _Positive = Field(
        default=5e-3, description="Speed of the motor below which it stands [rad/s]"
    )
    settle_s: _NotNegative = Field(
        default=0.5, description="How long it must stand to have gripped [s]"
    )
    touch_N: _Positive = Field(
        default=2.0,
        description="Change of the force at the wrist, since the gripper began to close, by which "
        "a clamp has met something [N]",
    )


class JointControl(Section):
    """How joints are held, and led along paths."""

    kp: OneOrMany = Field(description="Stiffness, one for all joints or one each [N m/rad]")
    kd: OneOrMany = Field(description="Damping, one for all joints or one each [N m s/rad]")
    arrived_rad: _Positive = Field(
        default=2e-3, description="Error of all joints within which a path has ended [rad]"
    )
    behind_rad: _Positive = Field(
        default=0.05, description="Error of a joint beyond which it is stuck [rad]"
    )
    loose: float = Field(
        default=0.05,
        ge=0.0,
        le=1.0,
        description="Share of the damping, without stiffness, while latches draw the target in [-]",
    )


class MotionLimits(Section):
    """What paths of the arm keep."""

    speed_rad_s: _Positive = Field(default=0.05, description="Of each joint [rad/s]")
    acceleration_rad_s2: _Positive = Field(default=0.01, description="Of each joint [rad/s2]")
    jerk_rad_s3: _Positive = Field(default=0.01, description="Of each joint [rad/s3]")
    speed_m_s: _Positive = Field(default=0.05, description="Of the end effector [m/s]")
    clearance_m: _NotNegative = Field(
        default=0.05, description="Between all parts that are not meant to touch [m]"
    )
    start_rad: _Positive = Field(
        default=0.4,
        description="Of each joint from where the path was planned from, as it begins [rad]",
    )
    torque_share: float = Field(
        default=0.5,
        gt=0.0,
        le=1.0,
        description="Of the motors' largest torques, the base being free [-]",
    )


class PathPoint(Section):
    """A posture of the arm on a path, at rest: its joints, or where it has the target."""

    q_deg: Values | None = Field(default=None, description="Joints [deg]")
    gap_m: float | None = Field(
        default=None,
        ge=0.0,
        le=100.0,
        description="Or: the held target before its port, so far out along z of the port's A [m]",
    )
    offset_m: Vector3 | None = Field(
        default=None,
        description="Or: the end effector moved by so much, in C, from the point before [m]",
    )
    straight: bool = Field(
        default=False, description="Along a straight line from the point before; not with q_deg"
    )
    duration_s: _Positive | None = Field(
        default=None, description="Time it takes; as short as limits allow if not given [s]"
    )

    @model_validator(mode="after")
    def _is_one(self) -> "PathPoint":
        given = [each for each in (self.q_deg, self.gap_m, self.offset_m) if each is not None]
        if len(given) != 1:
            found = "give one, not more" if given else "missing; give q_deg, gap_m or offset_m"
            reject_all([(("q_deg",), found)])
        if self.straight and self.q_deg is not None:
            reject_all([(("straight",), "joints in proportion do not go straight; leave it out")])
        return self


class ArmPath(Section):
    """A path of the arm, planned and checked when the mission is built."""

    start_q_deg: Values | None = Field(
        default=None, description="Where it begins; the joints at the grasp if not given [deg]"
    )
    points: Annotated[tuple[PathPoint, ...], Field(strict=False, min_length=1, max_length=20)] = (
        Field(description="Postures one after the other")
    )
    holds_target: bool = Field(default=True, description="Whether the arm holds the target on it")
    target_gap_m: float | None = Field(
        default=None,
        ge=0.0,
        description="While the hand is empty: the target stands so far before its port, 0 at it; "
        "it is far away if not given [m]",
    )

    @model_validator(mode="after")
    def _has_one_target(self) -> "ArmPath":
        if self.holds_target and self.target_gap_m is not None:
            text = "is of an empty hand; give holds_target = false too, or leave it out"
            reject_all([(("target_gap_m",), text)])
        return self


class Berthing(Section):
    """The arm grapples the target, carries it to a port, and lets it go; or the other way round.

    Its legs in the plan are `grapple`, `carry`, `move-arm`, `latch` and `release`."""

    arm: Name = Field(description="Arm that takes hold")
    gripper: Name = Field(description="Gripper on it")
    port: Name = Field(description="Hold with a port, where the target is berthed")
    p_GE_m: Vector3 = Field(default=ZERO, description="End effector at the grasp, in G [m]")
    q_GE: Quaternion = Field(default=IDENTITY, description="Its attitude there, wxyz [-]")
    q: Values | None = Field(default=None, description="Joints of the arm at the grasp [rad or m]")
    q_deg: Values | None = Field(default=None, description="The same in degrees [deg]")
    latched: Annotated[tuple[Name, ...], Field(strict=False)] = Field(
        default=(), description="Holds that are closed as the mission begins"
    )
    pregrasp_m: _NotNegative = Field(
        default=0.15, description="Before the grasp point, along z of G, where the arm waits [m]"
    )
    reach_s: _Positive = Field(default=60.0, description="Of the arm's way to there [s]")
    final_s: _Positive = Field(default=20.0, description="And from there onto the point [s]")
    open_deg: float = Field(default=-10.0, description="Position of the clamps when open [deg]")
    triggers: Triggers = Field(default=Triggers(), description="When the gripper closes")
    free_target: FreeTarget | None = Field(
        default=None,
        description="Of the target until a clamp touches it; as of a held one (2e-4 m/s/√s, 1e-4 "
        "rad/s/√s) if not given",
    )
    grip: Grip = Field(description="The torque that grips")
    impedance: ArmImpedance = Field(default=ArmImpedance(), description="Of the arm as it reaches")
    joints: JointControl = Field(description="Of the arm along paths and at rest")
    limits: MotionLimits = Field(default=MotionLimits(), description="Of paths")
    max_force_N: _Positive = Field(description="At the wrist, beyond which a leg ends [N]")
    max_torque_N_m: _Positive = Field(description="Likewise [N m]")
    overload_s: _NotNegative = Field(default=0.1, description="For so long [s]")
    slip_m: _Positive = Field(
        default=0.02, description="Slip of the grip, seen by the camera, that ends a leg [m]"
    )
    unseen_s: _Positive = Field(
        default=10.0, description="Longest without a picture while the arm reaches [s]"
    )
    ready_s: _NotNegative = Field(
        default=0.0, description="How long a latch must have been ready to be commanded [s]"
    )
    unready_s: _Positive = Field(
        default=45.0, description="Longest that a latch may not be ready in its leg [s]"
    )
    retry_s: _Positive = Field(
        default=5.0, description="After which a latch that missed is commanded again [s]"
    )
    retreat_m: _NotNegative = Field(
        default=0.4,
        description="Before the grasp point, along z of G, where a hand ends that retreats [m]",
    )
    brakes: bool = Field(
        default=False,
        description="Brakes hold all joints of the arms in legs that do not move the arm",
    )
    paths: dict[Name, ArmPath] = Field(default={}, description="Paths of the arm, by name")

    @model_validator(mode="after")
    def _makes_sense(self) -> "Berthing":
        problems = positions_problems(self.q, self.q_deg)
        if self.open_deg >= self.grip.clamp_deg:
            text = f"must be less than grip.clamp_deg = {self.grip.clamp_deg:g}: clamps close as "
            problems.append((("open_deg",), text + f"they grow, found {self.open_deg:g}"))
        reject_all(problems)
        return self

    def pose_si(self) -> np.ndarray:
        """Joints of the arm at the grasp [rad or m]."""
        return in_si(self.q, self.q_deg)


def berthing_problems(
    berthing: Berthing | None, plan: Plan | None, chaser: Chaser, holds: Mapping[str, Hold] | None
) -> list[Problem]:
    """What a berthing, or legs of the arm, ask for that the rest of a mission does not have; holds
    are None while they have problems."""
    legs = {} if plan is None else plan.legs
    arm_legs = {name: leg for name, leg in legs.items() if isinstance(leg, ArmLeg)}
    if berthing is None:
        paired = [name for name, leg in legs.items() if getattr(leg, "with_target", False)]
        return [
            *(
                (("plan", "legs", name, "does"), "moves the arm; add [obsw.berthing]")
                for name in arm_legs
            ),
            *(
                (("plan", "legs", name, "with_target"), "needs a port; add [obsw.berthing]")
                for name in paired
            ),
        ]
    if not arm_legs:
        text = "no leg of the plan moves the arm; give some with does = grapple, carry, latch ..."
        return [(("berthing",), text)]
    problems: list[Problem] = []
    if berthing.arm in chaser.arms and berthing.arm != next(iter(chaser.arms)):
        text = f"give arm {berthing.arm!r} before all others: the wrist sensor is on the first"
        problems.append((("berthing", "arm"), text))
    if berthing.arm not in chaser.arms:
        text = f"the chaser has no arm {berthing.arm!r}{nearest(berthing.arm, chaser.arms)}"
        problems.append((("berthing", "arm"), text))
    gripper = chaser.grippers.get(berthing.gripper)
    if gripper is None:
        known = nearest(berthing.gripper, chaser.grippers)
        text = f"the chaser has no gripper {berthing.gripper!r}{known}"
        problems.append((("berthing", "gripper"), text))
    elif chaser.arms[gripper.motor].mounted_on != berthing.arm:
        text = f"gripper {berthing.gripper!r} is not on arm {berthing.arm!r}"
        problems.append((("berthing", "gripper"), text))
    if berthing.arm in chaser.arms:
        problems += _joint_problems(berthing, chaser.arms[berthing.arm])
    if holds is not None:
        problems += _hold_problems(berthing, arm_legs, holds)
    for name, leg in arm_legs.items():
        if leg.path is not None and leg.path not in berthing.paths:
            text = f"there is no path {leg.path!r}{nearest(leg.path, berthing.paths)}"
            problems.append((("plan", "legs", name, "path"), text))
        elif leg.path is not None:
            holds_target = berthing.paths[leg.path].holds_target
            if holds_target != (leg.does == "carry"):
                text = f"path {leg.path!r} has holds_target = {str(holds_target).lower()}; "
                text += "to carry it must be true, to move the empty hand false"
                problems.append((("plan", "legs", name, "path"), text))
    return problems


def _joint_problems(berthing: Berthing, arm: Arm) -> list[Problem]:
    """What does not suit the arm's joints."""
    problems: list[Problem] = []
    n, at = len(arm.pose_si()), "berthing"
    if arm.brakes == "on":
        problems.append(((at, "arm"), f"arm {berthing.arm!r} has its brakes on, and never moves"))
    own, key = berthing.joints, "q_deg" if berthing.q is None else "q"
    given: list[tuple[Path, float | tuple[float, ...] | None]] = [
        ((at, key), berthing.q or berthing.q_deg),
        ((at, "joints", "kp"), own.kp),
        ((at, "joints", "kd"), own.kd),
    ]
    for name, path in berthing.paths.items():
        here = (at, "paths", name)
        given.append(((*here, "start_q_deg"), path.start_q_deg))
        given += [((*here, "points", i, "q_deg"), p.q_deg) for i, p in enumerate(path.points)]
    problems += [
        (path, f"has {len(values)} values, arm {berthing.arm!r} has {n} joints")
        for path, values in given
        if isinstance(values, tuple) and len(values) != n
    ]
    return problems


def _hold_problems(
    berthing: Berthing, legs: Mapping[str, ArmLeg], holds: Mapping[str, Hold]
) -> list[Problem]:
    problems: list[Problem] = []
    named: list[tuple[Path, str]] = [(("berthing", "port"), berthing.port)]
    named += [(("berthing", "latched", i), each) for i, each in enumerate(berthing.latched)]
    for leg, given in legs.items():
        named += [(("plan", "legs", leg, "holds", i), each) for i, each in enumerate(given.holds)]
    for path, name in named:
        if name not in holds:
            problems.append((path, f"there is no hold {name!r}{nearest(name, holds)}"))
        elif not holds[name].commanded:
            problems.append((path, f"hold {name!r} is not commanded; give it commanded = true"))
    port = holds.get(berthing.port)
    if port is not None and (port.port is None or port.arm is not None):
        text = f"hold {berthing.port!r} must have a port on the chaser's hub"
        problems.append((("berthing", "port"), text))
    return problems
