"""Reaction wheels of the chaser."""

from typing import Annotated

from pydantic import Field, model_validator

from proxops.scenario.schema.base import Section, Vector3, reject_all
from proxops.scenario.schema.body import Direction, Mass

_Friction = Annotated[float, Field(ge=0.0)]


class Wheel(Section):
    """A reaction wheel on the chaser's hub.  Its rotor is a balanced thin disc: across the axis it
    has half the inertia that it has about it."""

    axis_C: Direction = Field(description="Axis about which it spins, unit, in C [-]")
    p_C_m: Vector3 = Field(description="Centre of its rotor in C [m]")
    inertia_kg_m2: float = Field(
        gt=0.0, description="Inertia of the rotor about its axis; the hub's is without it [kg m2]"
    )
    mass_kg: Mass = Field(description="Mass of the rotor; the hub's is without it [kg]")
    max_torque_N_m: float = Field(gt=0.0, description="Largest torque of its motor [N m]")
    max_speed_rpm: float = Field(
        gt=0.0, description="Speed above which its motor does not accelerate it [rpm]"
    )
    speed_rpm: float = Field(
        default=0.0, description="Speed relative to the hub at the start, about axis_C [rpm]"
    )
    viscous_N_m_s_rad: _Friction = Field(
        default=0.0, description="Friction in proportion to the speed [N m s/rad]"
    )
    coulomb_N_m: _Friction = Field(default=0.0, description="Friction at any speed [N m]")

    @model_validator(mode="after")
    def _within_its_speed(self) -> "Wheel":
        if abs(self.speed_rpm) > self.max_speed_rpm:
            text = f"{self.speed_rpm:.6g} rpm is beyond max_speed_rpm, {self.max_speed_rpm:.6g}"
            reject_all([(("speed_rpm",), text)])
        return self
