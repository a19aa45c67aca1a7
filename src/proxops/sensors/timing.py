"""Rates, delays and windows of a sensor, from seconds to what kernels read."""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from proxops.core.clock import NS_PER_S, is_integer_ns, to_ns
from proxops.core.errors import InputError

Window = tuple[float, float]  # from and until [s]


@dataclass(frozen=True)
class Timing:
    """As it stands: every call, at once, always."""

    period: float = 0.0  # [s], zero for every call
    delay: float = 0.0  # from exposure to arrival [s]
    dropouts: tuple[Window, ...] = ()
    loss_probability: float = 0.0  # chance that a sample is lost
    burst_probability: float | None = None  # the same after a lost one; None: no different


def timing_of(section: Any) -> Timing:
    """As a sensor's section has it."""
    return Timing(
        period=1.0 / section.rate_hz if section.rate_hz else 0.0,
        delay=section.delay_s,
        dropouts=tuple(window_of(each) for each in section.dropouts),
        loss_probability=section.loss_probability,
        burst_probability=section.burst_probability,
    )


def window_of(section: Any) -> Window:
    """A stretch of time as a section has it."""
    return section.from_s, math.inf if section.until_s is None else section.until_s


def times(factor: float, values: tuple[float, ...]) -> tuple[float, ...]:
    """Each value times the factor."""
    return tuple(float(value) for value in factor * np.array(values))


def misfit(seconds: float, tick_ns: int) -> str | None:
    """What is wrong with a time that should be a whole number of ticks [ns], None if it is one."""
    if not is_integer_ns(seconds):
        return f"{seconds:.12g} s is not a whole number of ns"
    if to_ns(seconds) % tick_ns:
        return f"{seconds:.12g} s is not a whole number of steps of {tick_ns / NS_PER_S:.12g} s"
    return None


def check(where: str, timing: Timing, tick_ns: int) -> None:
    """Refuses what does not fit calls every tick [ns]; `where` is the sensor's section."""
    for what, seconds in (("period", timing.period), ("delay", timing.delay)):
        if seconds < 0.0:
            raise InputError(f"{where}: its {what} is {seconds:.12g} s; it cannot be negative")
        problem = misfit(seconds, tick_ns)
        if problem:
            raise InputError(f"{where}: its {what} of {problem}")


def thresholds(timing: Timing) -> tuple[float, float]:
    """What a standard normal number is below with the chances of being lost."""
    burst_probability = (
        timing.loss_probability if timing.burst_probability is None else timing.burst_probability
    )
    return threshold(timing.loss_probability), threshold(burst_probability)


def threshold(chance: float) -> float:
    """What a standard normal number is below with that chance."""
    if chance <= 0.0:
        return -math.inf
    return math.inf if chance >= 1.0 else NormalDist().inv_cdf(chance)
