"""What actuators report: how late they carry out commands, and the thrust of each thruster.

    f seen = f + σ draw        as the pressure in its chamber tells

Commands are numbered, so their lateness has no error.
"""

from dataclasses import dataclass, field

import numpy as np

from proxops.bus.measurements import LATENESS, THRUST
from proxops.core.jit import part
from proxops.sensors.model import BLOCK, LOST, TELEMETRY
from proxops.sensors.sampling import gets_through, is_due, take
from proxops.sensors.timing import Timing

# Entries of Sensors.telemetry
NOISE = 0  # σ [N]


@dataclass(frozen=True)
class Telemetry:
    """As it stands, ideal."""

    timing: Timing = field(default_factory=Timing)
    noise: float = 0.0  # σ of each thrust [N]


def numbers(given: Telemetry) -> np.ndarray:
    """Sensors.telemetry."""
    return np.array([given.noise], dtype=float)


@part
def report(model, state, truth, draws):
    """Reports what is carried out, where it is due."""
    now, schedule = truth.now, model.schedule[TELEMETRY]
    if not is_due(model, TELEMETRY, now) or not gets_through(model, state, TELEMETRY, now, draws):
        return
    said = state.samples[take(state, TELEMETRY, now), schedule[BLOCK] :]
    said[LATENESS] = truth.lateness
    for i in range(truth.thrust.shape[0]):
        error = model.telemetry[NOISE] * draws[schedule[LOST] + 1 + i]
        said[THRUST + i] = truth.thrust[i] + error
