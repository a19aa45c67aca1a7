"""The service that opens valves: which thrusters it does without."""

import math

import numpy as np
import pytest

from proxops.core.description import ThrusterDescription
from proxops.obsw.platform import jets, service, wheels
from proxops.obsw.platform.service import LATENESS, PATIENCE, THRUST
from proxops.obsw.platform.within_bounds import HIGH

TURN = 0.001
SHORTEST = 0.01
THRUSTERS = [
    ThrusterDescription("", np.eye(3)[i], np.eye(3)[i], 10.0, 0.0, 0.0, SHORTEST) for i in range(2)
]


def heard_of(seconds, thrust, late=0.0):
    """What may be asked of two thrusters, told to push for so long and heard to push so much."""
    no_wheels = wheels.build([], math.inf, TURN)
    platform = service.Platform(jets.build(THRUSTERS, 0.1), no_wheels, TURN)
    state = service.start(platform)
    for turn in range(round(seconds / TURN)):
        state.heard[LATENESS] = late
        state.heard[THRUST:] = [thrust(turn * TURN), 10.0]
        service.give_up_mute.py_func(platform, state, np.ones(2))
    return state.jets.bounds[:, HIGH].tolist()


def test_a_thruster_that_does_not_push_is_given_up_after_a_while_and_no_other_is():
    enough = PATIENCE + SHORTEST
    assert heard_of(enough - TURN, lambda t: 0.0) == [1.0, 1.0]
    assert heard_of(enough + 2 * TURN, lambda t: 0.0) == [0.0, 1.0]


@pytest.mark.parametrize("pause", [0.0, SHORTEST, 0.05])
def test_a_thruster_that_pushes_now_and_then_is_kept(pause):
    assert heard_of(1.0, lambda t: 10.0 * (t % (pause + 0.01) >= pause)) == [1.0, 1.0]


def test_silence_is_no_sign_while_commands_are_late():
    assert heard_of(1.0, lambda t: 0.0, late=0.1) == [1.0, 1.0]
