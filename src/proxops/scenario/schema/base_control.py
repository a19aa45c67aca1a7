"""Control of the base along a plan."""

from typing import Annotated

from pydantic import Field

from proxops.scenario.schema.base import Section

_Positive = Annotated[float, Field(gt=0.0)]
_NotNegative = Annotated[float, Field(ge=0.0)]


class BaseControl(Section):
    """Gains by bandwidth ω and damping ratio ζ: stiffness ω², damping 2 ζ ω, per mass and
    inertia."""

    bandwidth_rad_s: _Positive = Field(
        default=0.02, description="Bandwidth of the position loop [rad/s]"
    )
    damping_ratio: _Positive = Field(
        default=1.0, description="Damping ratio of the position loop [-]"
    )
    attitude_bandwidth_rad_s: _Positive = Field(
        default=0.1, description="Bandwidth of the attitude loop [rad/s]"
    )
    attitude_damping_ratio: _Positive = Field(
        default=1.0, description="Damping ratio of the attitude loop [-]"
    )
    dead_band_m: _NotNegative = Field(
        default=0.0, description="Dead band of the position error [m]"
    )
    dead_band_m_s: _NotNegative = Field(
        default=0.0, description="Dead band of the velocity error [m/s]"
    )
