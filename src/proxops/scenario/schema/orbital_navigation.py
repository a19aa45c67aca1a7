"""Navigation from far, by orbital dynamics."""

from typing import Annotated

from pydantic import Field

from proxops.scenario.schema.base import Section

_Positive = Annotated[float, Field(gt=0.0)]
_Share = Annotated[float, Field(ge=0.0)]


class OrbitalNavigation(Section):
    """A filter of the chaser's position and velocity against the target from bearing, range and
    relative GNSS, along the orbit as believed; near by it follows the pose filter.  It begins with
    the start as the scenario has it before dispersion."""

    rate_hz: _Positive = Field(
        default=1.0,
        description="Its rate, not below those of the sensors, of which it takes the latest [Hz]",
    )
    position_sigma_m: _Positive = Field(
        default=50.0, description="Standard deviation of each axis at the start [m]"
    )
    velocity_sigma_m_s: _Positive = Field(
        default=0.05, description="The same of the velocity, in N [m/s]"
    )
    thrust_sigma: _Share = Field(
        default=0.05, description="Standard deviation of thrust over mass, as a share of it [-]"
    )
    process_noise_m_s_rt_s: _Positive = Field(
        default=1e-5, description="Density of accelerations that are not modelled [m/s/sqrt(s)]"
    )
    execution_noise_rt_s: _Share = Field(
        default=0.1,
        description="Share of the commanded acceleration that is wrong now this, now that way, "
        "times the root of how long [sqrt(s)]",
    )
    max_refused: int = Field(
        default=10,
        ge=1,
        description="Measurements of one kind refused in a row after which it doubts itself [-]",
    )
    near_doubt: _Positive = Field(
        default=1.0, description="Largest doubt of the pose filter with which it is followed [-]"
    )
    near_image_age_s: _Positive = Field(
        default=1.0, description="Greatest age of its youngest picture then [s]"
    )
    near_after_s: _Share = Field(
        default=5.0, description="For how long that must hold before a hand-over to it [s]"
    )
    far_after_s: _Share = Field(
        default=5.0, description="For how long it must not before one back [s]"
    )
    handover_sigmas: _Positive = Field(
        default=3.0,
        description="Largest difference of the two estimates, in standard deviations of it, with "
        "which it hands over; where they go on to differ, the pose filter is believed [-]",
    )
    ready_m: _Positive = Field(
        default=0.5, description="Standard deviation of each axis with which it is ready [m]"
    )
    ready_per_range: _Share = Field(
        default=0.02, description="What that grows by with the distance [m/m]"
    )
    ready_m_s: _Positive = Field(default=0.02, description="The same of the velocity [m/s]")
