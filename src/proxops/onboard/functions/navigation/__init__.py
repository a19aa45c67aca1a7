"""Navigation: what the on-board software knows of both spacecraft, from sensors alone.

navigate(parameters, state, measurements, known_inputs, estimate) once a tick; columns in `layout`
"""

from proxops.onboard.functions.navigation.attitude import advance_attitude
from proxops.onboard.functions.navigation.cycle import navigate
from proxops.onboard.functions.navigation.estimate import write_estimate
from proxops.onboard.functions.navigation.model import (
    MotionBelief,
    NavParameters,
    NavState,
    SensorBelief,
    Trust,
    build,
    start,
)
from proxops.onboard.functions.navigation.relative import advance_relative

__all__ = [
    "MotionBelief",
    "NavParameters",
    "NavState",
    "SensorBelief",
    "Trust",
    "advance_attitude",
    "advance_relative",
    "build",
    "navigate",
    "start",
    "write_estimate",
]
