"""Switches of the holds: ready, where a hold could close if the spacecraft were at rest; closed,
where it is.

    ready = 1 where offset and angle are within the hold's envelope, else 0
    closed = 1 while it holds, else 0

They have no noise: a switch says yes or no, late and at its rate.  It knows where the frames are,
not how fast they move.
"""

from dataclasses import dataclass, field
from typing import Any

from proxops.bus.fields import Field
from proxops.core.jit import part
from proxops.sensors.sampling import sampler
from proxops.sensors.sensor import Chaser, Law, SensorKind
from proxops.sensors.timing import Timing, timing_of


@dataclass(frozen=True)
class Latches:
    """As it stands, ideal."""

    timing: Timing = field(default_factory=Timing)


def describe(section: Any, grapple: Any) -> Latches:
    """As a scenario has it."""
    return Latches(timing_of(section))


def law(given: Latches, chaser: Chaser) -> Law:
    """What is particular to it."""
    return Law()


@part
def measure(params, memory, truth, draws, values):
    """Which holds are ready, then which are closed."""
    count = truth.ready.shape[0]
    for i in range(count):
        values[i] = truth.ready[i]
        values[count + i] = truth.closed[i]
    return True


def _switches(name: str, holds: tuple[str, ...], title: str) -> Field:
    return Field(name, "1", "", (len(holds),), title, signal=f"sensors.latches.{name}", parts=holds)


SENSOR = SensorKind(
    name="latches",
    block="latches",
    fields=lambda chaser: (
        _switches("ready", chaser.holds, "Holds whose frames lie within their envelopes, 1: ready"),
        _switches("closed", chaser.holds, "Holds that are closed, 1: closed"),
    ),
    draws=lambda chaser: 0,
    describe=describe,
    law=law,
    sample=sampler(measure),
)
