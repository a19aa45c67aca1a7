"""What actuators report: how late they carry out commands, and what each thruster gives.

    f seen = f + σ draw        by the pressure in its chamber
    J seen = ∫ f dt            since the start: the pressure, integrated where it is measured

Commands are numbered, so their lateness has no error.  The integral has none either: over a pulse
the noise of the pressure averages out.  So a pulse between two reports is not missed.
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
    """Lateness, then the thrust of each thruster, then their impulses."""
    values[0], count = truth.lateness[0], truth.thrust.shape[0]
    for i in range(count):
        values[1 + i] = truth.thrust[i] + params.numbers[NOISE] * draws[i]
        values[1 + count + i] = truth.impulse[i]
    return True


SENSOR = SensorKind(
    name="telemetry",
    block="telemetry",
    fields=lambda chaser: (
        Field("lateness", "s", title="Latency of executed commands"),
        Field("thrust", "N", "", (chaser.thrusters,), "Thrust of each thruster"),
        Field("impulse", "N s", "", (chaser.thrusters,), "Impulse of each since the start"),
    ),
    draws=lambda chaser: chaser.thrusters,
    describe=describe,
    law=law,
    sample=sampler(measure),
    noisy=lambda given: given.noise > 0.0,
)
