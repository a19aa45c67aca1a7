"""What is believed of a facility's geometry and tools but is not so."""

import math
from typing import Annotated

from pydantic import AfterValidator, Field

from proxops.scenario.schema.base import Section, Vector3, reject
from proxops.scenario.schema.body import ZERO

_FARTHEST_M = 1.0
_MAX_ANGLE_RAD = 0.5
_MAX_MASS_KG = 1000.0


def _near(value: Vector3) -> Vector3:
    if math.hypot(*value) > _FARTHEST_M:
        raise reject(f"an error of calibration is at most {_FARTHEST_M:g} m")
    return value


def _small(value: Vector3) -> Vector3:
    if math.hypot(*value) > _MAX_ANGLE_RAD:
        raise reject(f"an error of calibration is at most {_MAX_ANGLE_RAD:g} rad; it is in rad")
    return value


_Shift = Annotated[Vector3, AfterValidator(_near)]
_Angle = Annotated[Vector3, AfterValidator(_small)]


class Misplacement(Section):
    """Where a frame truly is, seen from where it is believed to be."""

    p_m: _Shift = Field(default=ZERO, description="True origin in the believed frame [m]")
    turn_rad: _Angle = Field(
        default=ZERO, description="Rotation vector from the believed to the true axes [rad]"
    )


class ToolError(Section):
    """What is believed of the load beyond a force sensor, less what is true."""

    mass_kg: float = Field(
        default=0.0, ge=-_MAX_MASS_KG, le=_MAX_MASS_KG, description="Of its mass [kg]"
    )
    p_m: _Shift = Field(
        default=ZERO, description="Of its centre of mass, in the sensor's believed axes [m]"
    )


class Calibration(Section):
    """Errors of calibration: commands and compensation use what is believed."""

    chaser_base: Misplacement = Field(
        default=Misplacement(), description="Base of the chaser's robot, the target's being right"
    )
    target_mock_up: Misplacement = Field(
        default=Misplacement(), description="Frame M of the target's mock-up on its flange"
    )
    chaser_mock_up: Misplacement = Field(
        default=Misplacement(), description="Frame M of the chaser's mock-up on its flange"
    )
    flange_sensor: Misplacement = Field(
        default=Misplacement(), description="Axes of the flange's sensor"
    )
    wrist_sensor: Misplacement = Field(
        default=Misplacement(), description="Axes of the wrist's sensor"
    )
    flange_tool: ToolError = Field(
        default=ToolError(), description="Of the target's mock-up, for compensation"
    )
    wrist_tool: ToolError = Field(
        default=ToolError(), description="Of the arm's last link, for compensation"
    )
