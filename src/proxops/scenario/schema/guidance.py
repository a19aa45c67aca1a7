"""Convex guidance along a plan."""

from typing import Annotated

from pydantic import Field, model_validator

from proxops.scenario.schema.base import Problem, Section, reject_all

_Positive = Annotated[float, Field(gt=0.0)]
_NotNegative = Annotated[float, Field(ge=0.0)]


class Guidance(Section):
    """How flights of a plan are planned, and how often."""

    replan_s: _Positive = Field(default=20.0, description="Time from one plan to the next [s]")
    computing_delay_s: _Positive = Field(
        default=1.0, description="Time that making a plan takes: until then it is not flown [s]"
    )
    intervals: int = Field(default=40, ge=4, le=60, description="Intervals of a plan, at most [-]")
    burn_s: _Positive = Field(
        default=20.0,
        description="Thrust acts in the first so many seconds of an interval; none is shorter but "
        "the first ones of plans that follow each other sooner [s]",
    )
    thrust_share: float = Field(
        default=0.8, gt=0.0, le=1.0, description="Share of the thrust that plans may use [-]"
    )
    speed_limit_m_s: _Positive | None = Field(
        default=None, description="Largest speed at the target; none if not given [m/s]"
    )
    speed_limit_per_m_1_s: _NotNegative = Field(
        default=0.0, description="By what it grows with the distance along the approach [1/s]"
    )
    passive_safety: bool = Field(
        default=False,
        description="Whether plans stay out of the keep-out zone for two orbits should all thrust "
        "fail, from anywhere outside of it",
    )
    passive_safety_ends_m: _NotNegative = Field(
        default=10.0,
        description="But not so close before it: who enters was about to drift in just before [m]",
    )
    thrust_error: float = Field(
        default=0.0,
        ge=0.0,
        le=0.5,
        description="Share by which each thruster may push more or less than believed: a burn that "
        "is off by so much is to leave a safe drift too [-]",
    )
    plume_distance_m: _NotNegative = Field(
        default=0.0, description="Within which thrusters do not fire at the target, 0 for none [m]"
    )
    plume_half_angle_deg: float = Field(
        default=20.0, gt=0.0, le=90.0, description="Half angle of a plume [deg]"
    )
    execution_m_s_sqrt_s: _NotNegative = Field(
        default=2e-5, description="Random walk of the velocity by errors of thrust [m/s/sqrt(s)]"
    )
    probability: float = Field(
        default=0.9987, gt=0.5, lt=1.0, description="With which each limit is to be kept [-]"
    )

    @model_validator(mode="after")
    def _fits(self) -> "Guidance":
        problems: list[Problem] = []
        if self.speed_limit_per_m_1_s > 0.0 and self.speed_limit_m_s is None:
            text = "give speed_limit_m_s too, the limit at the target"
            problems.append((("speed_limit_per_m_1_s",), text))
        reject_all(problems)
        return self
