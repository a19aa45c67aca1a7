"""What actuators report: how late they carry out commands, and the thrust of each thruster.

    f seen = f + σ draw        as the pressure in its chamber tells

Commands are numbered, so their lateness has no error.
"""

from dataclasses import dataclass, field
from typing import Any

from proxops.bus.fields import Field
from proxops.core.jit import part
from proxops.sensors.sampling import sampler
from proxops.sensors.sensor import Chaser, Law, SensorKind
from proxops.sensors.timing import Timing, timing_of

# Entries of its numbers
NOISE = 0  # σ [N]


@dataclass(frozen=True)
class Telemetry:
    """As it stands, ideal."""

    timing: Timing = field(default_factory=Timing)
    noise: float = 0.0  # σ of each thrust [N]


def describe(section: Any, grapple: Any) -> Telemetry:
    """As a scenario has it."""
    return Telemetry(timing_of(section), section.noise_N)


def law(given: Telemetry, chaser: Chaser) -> Law:
    """What is particular to it."""
    return Law((given.noise,))


@part
def measure(params, memory, truth, draws, values):
    """Lateness, then the thrust of each thruster."""
    values[0] = truth.lateness[0]
    for i in range(truth.thrust.shape[0]):
        values[1 + i] = truth.thrust[i] + params.numbers[NOISE] * draws[i]
    return True


SENSOR = SensorKind(
    name="telemetry",
    block="telemetry",
    fields=lambda chaser: (
        Field("lateness", "s", title="Lateness of the commands that are carried out"),
        Field("thrust", "N", "", (chaser.thrusters,), "Thrust of each thruster"),
    ),
    draws=lambda chaser: chaser.thrusters,
    describe=describe,
    law=law,
    sample=sampler(measure),
)
