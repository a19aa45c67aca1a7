"""Navigation: what the on-board software knows of both spacecraft, from sensors alone.

navigate(parameters, state, seen, told, estimate)      once a tick; columns in `layout`
"""

from proxops.obsw.navigation.model import (
    MotionBelief,
    NavParameters,
    NavState,
    SensorBelief,
    Trust,
    build,
    start,
)
from proxops.obsw.navigation.tick import navigate, run_navigation

__all__ = [
    "MotionBelief",
    "NavParameters",
    "NavState",
    "SensorBelief",
    "Trust",
    "build",
    "navigate",
    "run_navigation",
    "start",
]
