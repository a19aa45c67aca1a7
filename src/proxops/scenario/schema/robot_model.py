"""The data sheet of a six-axis robot of one's own, as a facility file gives it."""

from typing import Annotated

from pydantic import Field, model_validator

from proxops.scenario.schema.base import Problem, Section, reject_all

SHIPPED_MODELS = ("kr120-r2500",)
_LONGEST_M = 10.0
_FASTEST = 1e6  # deg/s, deg/s2, deg/s3
_WIDEST_DEG = 3600.0

Axes = Annotated[tuple[float, float, float, float, float, float], Field(strict=False)]


class Radii(Section):
    """Capsules along the links, which the guard keeps apart; castings, motors and cables are to be
    inside."""

    base_m: float = Field(default=0.33, gt=0.0, le=_LONGEST_M, description="Of the base [m]")
    carousel_m: float = Field(
        default=0.30, gt=0.0, le=_LONGEST_M, description="From axis 1 to axis 2 [m]"
    )
    upper_arm_m: float = Field(
        default=0.20, gt=0.0, le=_LONGEST_M, description="From axis 2 to axis 3 [m]"
    )
    forearm_m: float = Field(
        default=0.18, gt=0.0, le=_LONGEST_M, description="From axis 3 to the wrist [m]"
    )
    hand_m: float = Field(
        default=0.13, gt=0.0, le=_LONGEST_M, description="From the wrist to the flange [m]"
    )
    behind_elbow_m: float = Field(
        default=0.30, ge=0.0, le=_LONGEST_M, description="How far the forearm reaches behind [m]"
    )


class RobotModel(Section):
    """A six-axis robot: axes 2 and 3 parallel, the last three meet in the wrist."""

    a1_m: float = Field(ge=-_LONGEST_M, le=_LONGEST_M, description="Axis 2 ahead of axis 1 [m]")
    d1_m: float = Field(ge=0.0, le=_LONGEST_M, description="Axis 2 above the base [m]")
    a2_m: float = Field(gt=0.0, le=_LONGEST_M, description="Upper arm, from axis 2 to axis 3 [m]")
    a3_m: float = Field(
        default=0.0, ge=-_LONGEST_M, le=_LONGEST_M, description="Axis 4 above axis 3 [m]"
    )
    d4_m: float = Field(gt=0.0, le=_LONGEST_M, description="Forearm, from axis 3 to the wrist [m]")
    d6_m: float = Field(ge=0.0, le=_LONGEST_M, description="From the wrist to the flange [m]")
    signs: Axes = Field(
        default=(1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
        description="1 or -1: sense in which the maker counts each axis, about z, y, y, x, y, x "
        "of the stretched arm [-]",
    )
    offsets_deg: Axes = Field(
        default=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        description="Angle of each axis where the maker's joint is zero; the arm stretched along "
        "x of its base has all angles zero [deg]",
    )
    lower_deg: Axes = Field(description="Range of each axis, in the maker's joint angles [deg]")
    upper_deg: Axes = Field(description="Its other end [deg]")
    speed_deg_s: Axes = Field(description="Largest speed of each axis [deg/s]")
    acceleration_deg_s2: Axes = Field(description="Largest acceleration [deg/s2]")
    jerk_deg_s3: Axes = Field(description="Largest jerk [deg/s3]")
    payload_kg: float = Field(gt=0.0, le=1e5, description="Largest load on the flange [kg]")
    moment_N_m: float = Field(gt=0.0, le=1e6, description="Largest moment of it there [N m]")
    inertia_kg_m2: float = Field(
        gt=0.0, le=1e6, description="Its largest principal moment of inertia [kg m2]"
    )
    radii: Radii = Field(default=Radii(), description="How thick its links are")

    @model_validator(mode="after")
    def _can_move(self) -> "RobotModel":
        problems: list[Problem] = []
        ranges = zip(self.lower_deg, self.upper_deg, strict=True)
        for axis, (lower, upper) in enumerate(ranges, start=1):
            if not -_WIDEST_DEG <= lower < upper <= _WIDEST_DEG:
                text = f"axis {axis}: {lower:g} to {upper:g} deg is no range"
                problems.append((("upper_deg",), text))
        if any(abs(sign) != 1.0 for sign in self.signs):
            problems.append((("signs",), "must be 1 or -1 for each axis"))
        if max(map(abs, self.offsets_deg)) > _WIDEST_DEG:
            problems.append((("offsets_deg",), f"must be within {_WIDEST_DEG:g} deg"))
        for key in ("speed_deg_s", "acceleration_deg_s2", "jerk_deg_s3"):
            if not all(0.0 < value <= _FASTEST for value in getattr(self, key)):
                problems.append(((key,), "must be greater than 0 for each axis"))
        reject_all(problems)
        return self
