"""Scripted faults of a flight arena: of rotors, batteries and the air.  Times are those of the
flight, zero where the run begins; vehicles and procedure do not know of them."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from proxops.scenario.schema.base import Problem, Section, Vector3, reject_all
from proxops.scenario.schema.sampled import Window

VehicleOf = Literal["target", "chaser"]
_STRONGEST_M_S = 30.0


class WeakRotor(Window):
    """A rotor that gives a share of its thrust in a stretch of time."""

    kind: Literal["weak-rotor"] = Field(description="A rotor pushes less than commanded")
    vehicle: VehicleOf = Field(description="Whose vehicle it belongs to")
    rotor: int = Field(ge=1, le=6, description="Which: 1 stands ahead, the others to its left on")
    share: float = Field(ge=0.0, le=1.0, description="Of its thrust that it gives [-]")


class LostRotor(Window):
    """A rotor that gives no thrust in a stretch of time."""

    kind: Literal["lost-rotor"] = Field(description="A rotor does not push at all")
    vehicle: VehicleOf = Field(description="Whose vehicle it belongs to")
    rotor: int = Field(ge=1, le=6, description="Which: 1 stands ahead, the others to its left on")


class Gust(Window):
    """A gust that rises and falls as 1 - cos, felt by both vehicles."""

    kind: Literal["gust"] = Field(description="The air moves for a while")
    wind_m_s: Vector3 = Field(description="Its largest velocity in L [m/s]")

    @model_validator(mode="after")
    def _blows(self) -> "Gust":
        problems: list[Problem] = []
        if self.until_s is None:
            problems.append((("until_s",), "say when it ends: a gust rises and falls"))
        if max(map(abs, self.wind_m_s)) > _STRONGEST_M_S:
            problems.append((("wind_m_s",), f"must be within {_STRONGEST_M_S:g} m/s"))
        reject_all(problems)
        return self


class LowBattery(Section):
    """A battery with less charge than a full one."""

    kind: Literal["low-battery"] = Field(description="A battery has less charge than it should")
    vehicle: VehicleOf = Field(description="Whose vehicle it belongs to")
    charge: float = Field(ge=0.0, le=1.0, description="What it has [-]")
    from_s: float | None = Field(
        default=None,
        ge=0.0,
        le=1e6,
        description="When cells fail in flight; if not given it is so before the take-off [s]",
    )


class DoesNotArm(Section):
    """A vehicle that refuses to arm."""

    kind: Literal["does-not-arm"] = Field(description="A vehicle does not arm")
    vehicle: VehicleOf = Field(description="Which")


ArenaFault = Annotated[
    WeakRotor | LostRotor | Gust | LowBattery | DoesNotArm, Field(discriminator="kind")
]
