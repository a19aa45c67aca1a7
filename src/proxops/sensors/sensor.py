"""What a sensor is: its fields, what is particular to it, and what the schedule calls."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from proxops.bus.fields import Field
from proxops.core.clock import to_ns
from proxops.sensors.sampling import WINDOW_WIDTH, Memory, Params
from proxops.sensors.timing import Timing, Window, check, thresholds


class Chaser(NamedTuple):
    """What a chaser has of what sensors look at."""

    joints: int  # of arms and wheels
    thrusters: int
    holds: tuple[str, ...] = ()  # their names


@dataclass(frozen=True)
class Law:
    """What is particular to a sensor as described."""

    numbers: tuple[float, ...] = ()  # an array to its law, or itself where it has names
    bias: tuple[float, ...] = ()  # means of its constant errors, where their draws stand
    bias_sigma: tuple[float, ...] = ()  # their standard deviations between runs
    memory: int = 0  # numbers that it remembers
    windows: tuple[Window, ...] = ()  # in which it is disturbed
    disturbances: tuple[tuple[float, ...], ...] = ()  # how


@dataclass(frozen=True)
class SensorKind:
    """A kind of sensor."""

    name: str  # its section in a scenario, [sensors.<name>]
    block: str  # of the measurements: what names of its fields begin with
    fields: Callable[[Chaser], tuple[Field, ...]]  # their names without the block's
    draws: Callable[[Chaser], int]  # random numbers that a sample takes
    describe: Callable[..., Any]  # from the section and the grapple: SI units, with a `timing`
    law: Callable[[Any, Chaser], Law]  # of what was described
    sample: Any  # compiled, see sampling.sampler
    continuous: bool = False  # it is called at every instant, due or not
    constant_errors: bool = False  # drawn once a run; of those that share a generator all may be
    noisy: Callable[[Any], bool] = lambda described: True  # whether random numbers change a sample

    def hears(self, described: Any) -> bool:
        """Whether random numbers change what it says, or when."""
        return self.noisy(described) or bool(np.isfinite(thresholds(described.timing)).any())


def block_fields(sensor: SensorKind, chaser: Chaser) -> tuple[Field, ...]:
    """The fields of a sensor's block."""
    named = (
        Field("t", "s", title="Time of the latest sample"),
        Field("count", title="Samples that have arrived"),
        *sensor.fields(chaser),
    )
    return tuple(replace(each, name=f"{sensor.block}.{each.name}") for each in named)


def build(
    sensor: SensorKind,
    described: Any,
    chaser: Chaser,
    tick_ns: int,
    start: np.ndarray,
    draws: np.ndarray,
) -> tuple[Params, Memory]:
    """A sensor as described, called every tick [ns] at the most often, and its start: nothing is
    sampled yet.  `start` has a standard normal number for each of its draws, from which the
    constant errors of this run are; `draws` are those of all later calls."""
    timing: Timing = described.timing
    check(f"sensors.{sensor.name}", timing, tick_ns)
    law = sensor.law(described, chaser)
    period, delay = to_ns(timing.period), to_ns(timing.delay)
    params = Params(
        timing=np.array([period, delay, int(sensor.continuous)], dtype=np.int64),
        chances=np.array(thresholds(timing)),
        dropouts=_windows(timing.dropouts),
        numbers=_named(law.numbers),
        windows=_windows(law.windows),
        disturbances=np.array(law.disturbances or np.zeros((0, 0)), dtype=float),
    )
    width = sum(each.size for each in sensor.fields(chaser))
    rows = delay // max(period, tick_ns) + 1  # that are on their way at once
    memory = Memory(
        times=np.zeros(rows),
        samples=np.zeros((rows, width)),
        marks=np.array([0.0, 0.0, 0.0, -1.0]),
        bias=_padded(law.bias, len(start)) + _padded(law.bias_sigma, len(start)) * start,
        own=np.zeros(law.memory),
        values=np.zeros(width),
        draws=draws,
    )
    return params, memory


def _named(numbers: Any) -> Any:
    """A named tuple of numbers as it is, others as an array."""
    return numbers if hasattr(numbers, "_fields") else np.array(numbers, dtype=float)


def _padded(numbers: tuple[float, ...], size: int) -> np.ndarray:
    """With zeros behind."""
    return np.array([*numbers, *[0.0] * (size - len(numbers))])


def _windows(windows: tuple[Window, ...]) -> np.ndarray:
    rows = [(to_ns(begin), to_ns(end)) for begin, end in windows]
    return np.array(rows, dtype=np.int64).reshape(-1, WINDOW_WIDTH)
