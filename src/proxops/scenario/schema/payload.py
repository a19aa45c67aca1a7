"""What a vehicle of a flight arena carries."""

from pydantic import Field, model_validator

from proxops.scenario.schema.base import Name, Problem, Section, Vector3, reject_all
from proxops.scenario.schema.body import Mass

_FARTHEST_M = 2.0


class Payload(Section):
    """A mock-up of a part of a spacecraft: a dual arm, a solar array."""

    mass_kg: Mass = Field(description="Mass [kg]")
    inertia_kg_m2: Vector3 = Field(
        description="Principal moments about its own centre of mass, axes of V [kg m2]"
    )
    p_V_m: Vector3 = Field(description="Its centre of mass, from the centre of the rotors [m]")

    @model_validator(mode="after")
    def _is_a_body(self) -> "Payload":
        problems: list[Problem] = []
        if min(self.inertia_kg_m2) < 0.0:
            problems.append((("inertia_kg_m2",), "moments must not be below zero"))
        if max(map(abs, self.p_V_m)) > _FARTHEST_M:
            problems.append((("p_V_m",), f"must be within {_FARTHEST_M:g} m"))
        reject_all(problems)
        return self


class Payloads(Section):
    """Of each vehicle, by names of your own."""

    target: dict[Name, Payload] = Field(default_factory=dict, description="On the target's vehicle")
    chaser: dict[Name, Payload] = Field(default_factory=dict, description="On the chaser's vehicle")
