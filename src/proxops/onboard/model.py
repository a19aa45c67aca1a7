"""What the three functions on board work on.

    sense(model, state, truth, asked)    sensors: truth in, state.measurements out
    think(model, state, truth, asked)    the controller: state.measurements in, asked out
    serve(model, state, truth, asked)    services: the base's wrench becomes valves and wheels

each returning DONE, or the status with which the loop shall return to Python.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from proxops.core.random_rows import RandomRows
from proxops.onboard.functions.allocation.allocate import Platform, PlatformState
from proxops.onboard.functions.capture.cycle import Brain, Mind
from proxops.sensors import Sensors, SensorState

DONE = 0
WANTS_CONTROL = -2  # status: a controller in Python has its turn
RAISED = -3  # status: a user's compiled controller has raised an error

# Entries of OnboardState.turn
SENSED = 0  # when sensors were last asked [ns], -1 before the first time
ANSWERED = 1  # when a controller in Python last answered [ns]
TAKEN = 2  # how many turns a user's controller has had
TURNS = 3


class OnboardModel(NamedTuple):
    """Everything that stays the same."""

    sensors: Sensors
    brain: Brain  # of the capture
    platform: Platform
    limits: np.ndarray  # of the arms' motors [N m or N]
    parameters: np.ndarray  # of a user's controller
    period: int  # of a user's controller [ns]
    acts: int  # 1: it asks for something


class OnboardState(NamedTuple):
    """Everything that changes."""

    sensors: SensorState
    measurements: np.ndarray  # see bus.measurements
    mind: Mind  # of the capture
    platform: PlatformState
    memory: np.ndarray  # of a user's controller
    good: np.ndarray  # what it last asked for that was finite, see bus.commands
    tally: np.ndarray  # what it was seen to do wrong, see inspection
    draws: np.ndarray  # standard normal numbers (n, width), see sensors.draws
    drawn: np.ndarray  # how many rows are used, one entry
    turn: np.ndarray


@dataclass
class Onboard:
    """A chaser's sensors and software, ready for the loop."""

    model: OnboardModel
    state: OnboardState
    think: Any = field(repr=False)  # the controller, a pluggable function
    draws: RandomRows = field(repr=False)  # of the sensors: those of the state
    commands: np.ndarray  # see bus.commands
