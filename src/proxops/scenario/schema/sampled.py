"""What all sensors have: rate, delay, losses, and the windows of scripted faults."""

from typing import Annotated

from pydantic import Field, model_validator

from proxops.scenario.schema.base import Problem, Section, reject_all
from proxops.scenario.schema.time import Time

_LONGEST_S = 1e9  # in nanoseconds well inside a 64-bit integer
_SLOWEST_HZ = 1.0 / _LONGEST_S
_FASTEST_HZ = 1e6
_LONGEST_DELAY_S = 10.0
MAX_WINDOWS = 100

Chance = Annotated[float, Field(ge=0.0, le=1.0)]
Spread = Annotated[float, Field(ge=0.0)]


class Window(Section):
    """A stretch of time, its end no longer part of it."""

    from_s: float = Field(default=0.0, ge=0.0, le=_LONGEST_S, description="When it begins [s]")
    until_s: float | None = Field(
        default=None,
        le=_LONGEST_S,
        description="When it ends, never if not given; not part of it [s]",
    )

    @model_validator(mode="after")
    def _lasts(self) -> "Window":
        if self.until_s is not None and not self.until_s > self.from_s:
            text = f"{self.until_s:.12g} s is not after from_s = {self.from_s:.12g} s"
            reject_all([(("until_s",), text)])
        return self

    def late(self, time: Time) -> list[Problem]:
        """What is wrong with one that begins when the mission is over."""
        if self.from_s < time.duration_s:
            return []
        end = f"the end of the mission, time.duration_s = {time.duration_s:.12g} s"
        return [(("from_s",), f"{self.from_s:.12g} s is not before {end}")]


Windows = Annotated[tuple[Window, ...], Field(strict=False, max_length=MAX_WINDOWS)]


class Sampled(Section):
    """What all sensors have."""

    rate_hz: float | None = Field(
        default=None,
        ge=_SLOWEST_HZ,
        le=_FASTEST_HZ,
        description="Rate of its samples, every step if not given [Hz]",
    )
    delay_s: float = Field(
        default=0.0, ge=0.0, le=_LONGEST_DELAY_S, description="Age at which a sample arrives [s]"
    )
    dropouts: Windows = Field(default=(), description="Times without samples")
    loss_probability: Chance = Field(
        default=0.0, description="Probability that a sample is lost [-]"
    )
    burst_probability: Chance | None = Field(
        default=None,
        description="The same after a lost sample, no different if not given: losses then come in "
        "bursts of 1/(1 - burst_probability) samples on average [-]",
    )


def range_problems(nearest_m: float, farthest_m: float | None) -> list[Problem]:
    """What is wrong with the range of a sensor that looks from nearest to farthest."""
    if farthest_m is None or farthest_m > nearest_m:
        return []
    text = f"{farthest_m:.12g} m is not beyond nearest_m = {nearest_m:.12g} m"
    return [(("farthest_m",), text)]
