"""A sensor of the user's own: its law is a plain Python function, compiled when it is first used.

    measure(parameters, memory, truth, draws, values) -> whether there is anything to say

`parameters` has its numbers by name, `memory` is an array that begins with zeros, `truth` is
bus.truth.Truth, `draws` are standard normal numbers, and `values` takes what its fields hold, one
behind the other.  When it samples, which samples are lost and how late they arrive is as with every
sensor (sensors.sampling).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from proxops.bus.fields import Field
from proxops.core.by_address import named_tuple
from proxops.core.errors import InputError
from proxops.core.jit import compiled, users
from proxops.core.text import nearest
from proxops.sensors.sampling import sampler
from proxops.sensors.sensor import Chaser, Law, SensorKind
from proxops.sensors.timing import Timing, timing_of


@dataclass(frozen=True)
class Sensor:
    """As a user declares it; `name` is its section, [sensors.extra.<name>], and what its
    measurements are called by.  `docs/extending.md` has what `truth` holds.

    >>> def measure(parameters, memory, truth, draws, values):
    ...     values[0] = 1e-9 * truth.clock[0] + parameters.bias_s + 1e-3 * draws[0]
    ...     return True  # there is something to say
    >>> clock = proxops.Sensor("clock", measure, (proxops.Field("reading", "s"),),
    ...                        parameters={"bias_s": 0.1}, draws=1)
    """

    name: str
    measure: Callable[..., bool]
    fields: tuple[Field, ...]
    parameters: Mapping[str, float] = field(default_factory=dict)  # with what holds if not given
    draws: int = 0  # random numbers that a sample takes
    memory: int = 0  # numbers that it remembers
    continuous: bool = False  # `measure` is called at every instant, due or not


FAILED = 1  # status: it has raised an error


@dataclass(frozen=True)
class Described:
    """A user's sensor as a scenario has it."""

    timing: Timing
    parameters: dict[str, float]


def check_sensor(given: Sensor) -> None:
    """Rejects what cannot be a sensor."""
    where = f"extension {given.name}"
    if not given.name.isidentifier():
        raise InputError(f"{where}: a sensor's name must be a word")
    if not callable(given.measure):
        raise InputError(f"{where}: measure cannot be called")
    if not given.fields or not all(isinstance(each, Field) for each in given.fields):
        raise InputError(f"{where}: fields must be one proxops.Field or more")


def kind_of(given: Sensor) -> SensorKind:
    """It as the others are."""
    where = f"sensors.extra.{given.name}"

    def describe(section: Any, grapple: Any) -> Described:
        for key in section.parameters:
            if key not in given.parameters:
                near = nearest(key, given.parameters)
                raise InputError(f"{where}.parameters: unknown {key!r}{near}")
        values = {key: float(each) for key, each in (given.parameters | section.parameters).items()}
        return Described(timing_of(section), values)

    def law(described: Described, chaser: Chaser) -> Law:
        numbers: Any = ()
        if described.parameters:
            numbers = named_tuple("Parameters", described.parameters)
        return Law(numbers, memory=given.memory)

    fields = tuple(
        replace(each, signal=f"sensors.{given.name}.{each.name}") for each in given.fields
    )
    return SensorKind(
        name=f"extra.{given.name}",
        block=given.name,
        fields=lambda chaser: fields,
        draws=lambda chaser: given.draws,
        describe=describe,
        law=law,
        sample=_sample(given.measure),
        continuous=given.continuous,
    )


@lru_cache(maxsize=64)
def _sample(measure: Callable[..., bool]) -> Any:
    function = compiled(measure)

    @users
    def adapted(params, memory, truth, draws, values):
        return function(params.numbers, memory.own, truth, draws, values)

    inner = sampler(adapted, users)

    @users
    def sample(params, memory, truth, block):
        try:
            return inner(params, memory, truth, block)
        except Exception:
            return FAILED

    return sample
