"""Services below a controller: its base's wrench becomes wheel torques and thrusters' pulses."""

from typing import Annotated

from pydantic import Field

from proxops.scenario.schema.base import Section

_Positive = Annotated[float, Field(gt=0.0)]


class Platform(Section):
    """How the base's wrench is shared between wheels and thrusters."""

    pulse_period_s: _Positive = Field(
        default=0.1, description="Pulse period: each thruster burns at most once in it [s]"
    )
    timed_burns: bool = Field(
        default=False,
        description="Whether valves close when a pulse has burnt its time, rather than with the "
        "control cycle in which it ends: short pulses at a slow control rate",
    )
    desaturation_s: _Positive | None = Field(
        default=None,
        description="Time in which thrusters desaturate the wheels, never if not given [s]",
    )
