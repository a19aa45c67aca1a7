"""Thrusters of the chaser."""

from typing import Annotated

from pydantic import Field

from proxops.scenario.schema.base import Section, Vector3
from proxops.scenario.schema.body import Direction

_Duration = Annotated[float, Field(ge=0.0)]


class Thruster(Section):
    """A thruster on the chaser's hub: a valve, and a thrust that follows it linearly."""

    p_C_m: Vector3 = Field(description="Point of action of its force, in C [m]")
    direction_C: Direction = Field(
        description="Direction of its force on the chaser (opposite to its jet), unit, in C [-]"
    )
    thrust_N: float = Field(gt=0.0, description="Full thrust [N]")
    rise_s: _Duration = Field(default=0.0, description="From no to full thrust [s]")
    fall_s: _Duration = Field(default=0.0, description="From full to no thrust [s]")
    min_pulse_s: _Duration = Field(
        default=0.0, description="Shortest time between two switchings of its valve [s]"
    )
