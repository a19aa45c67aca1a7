"""The boost: engines that push for a while and hold the attitude by being off in turn."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from proxops.scenario.schema.base import Name, Problem, Section, Vector3, reject_all
from proxops.scenario.schema.body import ZERO, Mass

_NotNegative = Annotated[float, Field(ge=0.0)]
_Gains = Annotated[tuple[_NotNegative, _NotNegative, _NotNegative], Field(strict=False)]


class BelievedContact(Section):
    """The contact as the on-board software believes it to be, along the thrust."""

    name: Name = Field(description="Contact whose compression is measured")
    chaser_mass_kg: Mass = Field(description="Mass of the whole chaser [kg]")
    target_mass_kg: Mass = Field(description="Mass of the whole target [kg]")
    stiffness_N_m: float = Field(gt=0.0, description="Stiffness of all pads together [N/m]")
    damping_N_s_m: _NotNegative = Field(description="Damping of all pads together [N s/m]")
    margin_N: _NotNegative = Field(
        description="Minimum contact force kept by the separation rule [N]"
    )


class Boost(Section):
    """A boost with some of the chaser's thrusters.  It lasts until the impulse of the planned
    duration at full thrust is delivered, longer by what being off has cost."""

    engines: Annotated[tuple[Name, ...], Field(strict=False)] = Field(
        min_length=1, description="Names of the thrusters that push"
    )
    from_s: _NotNegative = Field(default=0.0, description="Start of the boost, in mission time [s]")
    duration_s: float = Field(gt=0.0, description="Planned duration, at full thrust [s]")
    cycle_s: float = Field(
        default=1.0, gt=0.0, description="Length of a cycle, in which each engine is off once [s]"
    )
    modulation: Literal["none", "aligned", "staggered"] = Field(
        description="Whether engines go off for torque: never, all with the begin of a cycle, or "
        "placed so that the fewest are off at once"
    )
    separation_rule: bool = Field(
        default=False,
        description="Whether engines stay on where switching off would separate the bodies",
    )
    kp_N_m_rad: _Gains = Field(
        default=ZERO,
        description="Torque opposing the rotation since its start, per axis of C [N m/rad]",
    )
    kd_N_m_s_rad: _Gains = Field(
        default=ZERO, description="Torque opposing the angular velocity, per axis [N m s/rad]"
    )
    torque_N_m: Vector3 = Field(default=ZERO, description="Additional constant torque, in C [N m]")
    p_CS_m: Vector3 = Field(
        default=ZERO, description="Believed centre of mass S of the pushed bodies, in C [m]"
    )
    contact: BelievedContact | None = Field(
        default=None, description="Believed contact, for the separation rule"
    )

    @model_validator(mode="after")
    def _makes_sense(self) -> "Boost":
        problems: list[Problem] = []
        for i, name in enumerate(self.engines):
            if name in self.engines[:i]:
                problems.append((("engines", i), f"{name!r} is listed twice"))
        if self.separation_rule and self.contact is None:
            problems.append((("contact",), "missing; the separation rule needs it"))
        if self.modulation == "none":
            for key in ("kp_N_m_rad", "kd_N_m_s_rad", "torque_N_m"):
                if getattr(self, key) != ZERO:
                    text = "needs a modulation, aligned or staggered: without, no engine goes off"
                    problems.append(((key,), text))
        reject_all(problems)
        return self
