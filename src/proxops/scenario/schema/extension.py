"""Sensors and functions on board that a user gives beside the scenario's file."""

from pydantic import Field

from proxops.scenario.schema.base import Name, Problem, Section
from proxops.scenario.schema.time import Time

_NEARLY = 1e-9  # of a quotient of rates that is to be whole


class OwnFunction(Section):
    """A user's own function on board: its code comes from an extension, never from this file."""

    rate_hz: float | None = Field(
        default=None,
        gt=0.0,
        description="Its rate, before its own; time.control_rate_hz if neither is given [Hz]",
    )
    parameters: dict[Name, float] = Field(default={}, description="Its parameters, by name")


def rate_problem(rate_hz: float | None, time: Time) -> str | None:
    """What is wrong with a rate that cycles of on-board software cannot keep."""
    if rate_hz is None:
        return None
    ratio = time.control_rate_hz / rate_hz
    if round(ratio) >= 1 and abs(ratio - round(ratio)) <= _NEARLY * ratio:
        return None
    text = f"{rate_hz:.12g} Hz does not divide time.control_rate_hz, "
    return f"{text}{time.control_rate_hz:.12g} Hz"


def period_ns(rate_hz: float | None, tick: int) -> int:
    """The period of that rate, cycles of on-board software being `tick` apart [ns]."""
    return tick if rate_hz is None else tick * round(1e9 / (rate_hz * tick))


def function_problems(functions: dict[str, OwnFunction], time: Time) -> list[Problem]:
    """Rates of functions that do not fit."""
    found = ((name, rate_problem(each.rate_hz, time)) for name, each in functions.items())
    return [(("functions", name, "rate_hz"), text) for name, text in found if text]
