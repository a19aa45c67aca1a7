"""Navigation: what the on-board software knows of both spacecraft, from sensors alone.

navigate(parameters, state, seen, told, estimate)      once a tick; columns in `layout`
"""

from proxops.obsw.navigation.attitude import advance_attitude
from proxops.obsw.navigation.estimate import write_estimate
from proxops.obsw.navigation.model import (
    MotionBelief,
    NavParameters,
    NavState,
    SensorBelief,
    Trust,
    build,
    start,
)
from proxops.obsw.navigation.relative import advance_relative
from proxops.obsw.navigation.tick import navigate, run_navigation

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
    "run_navigation",
    "start",
    "write_estimate",
]
