"""Thrusters of the chaser."""

import math
from typing import Annotated

from pydantic import AfterValidator, Field

from proxops.scenario.schema.base import Section, Vector3, refuse

_UNIT = 1e-6  # how far from one the length of a typed direction may be
_Duration = Annotated[float, Field(ge=0.0)]


def _unit_vector(value: Vector3) -> Vector3:
    length = math.hypot(*value)
    if not abs(length - 1.0) <= _UNIT:
        raise refuse(f"must have length 1 within {_UNIT:g}, found {length:.9g}")
    return value


Direction = Annotated[Vector3, AfterValidator(_unit_vector)]


class Thruster(Section):
    """A thruster on the chaser's hub: a valve, and a thrust that follows it linearly."""

    p_C_m: Vector3 = Field(description="Where it pushes, in C [m]")
    direction_C: Direction = Field(
        description="Direction of its force on the chaser (opposite to its jet), unit, in C [-]"
    )
    thrust_N: float = Field(gt=0.0, description="Full thrust [N]")
    rise_s: _Duration = Field(default=0.0, description="From no to full thrust [s]")
    fall_s: _Duration = Field(default=0.0, description="From full to no thrust [s]")
    min_pulse_s: _Duration = Field(
        default=0.0, description="Shortest time between two switchings of its valve [s]"
    )
