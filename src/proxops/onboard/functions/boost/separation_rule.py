"""Never a step of thrust that lets the bodies part.

Switching an engine on only ever adds to the contact force, and an unchanged thrust was found safe
when it was set.  So all there is to check is switching off: from the state as measured, with own
masses, stiffness and damping, the closed form gives the least force that will ever follow.
"""

import math

import numpy as np

from proxops.core.jit import helper, part
from proxops.onboard.functions.boost.engines import (
    LEFT,
    MARK,
    ON,
    RAMP,
    SHORTEST,
    SINCE,
    THRUST,
    WISH,
)
from proxops.physics.contact.step_down import least_force, load_share, reduced_mass

# Entries of a rule
MASS = 0  # reduced [kg]
SHARE = 1  # of the thrust that the contact carries [-]
STIFFNESS = 2  # [N/m]
DAMPING = 3  # [N s/m]
MARGIN = 4  # least contact force to keep [N]
SHAKE = 5  # force per impulse of thrust that a ramp delays [1/s]
PERIOD = 6  # of the on-board clock [s]
RULE_SIZE = 7


def build(
    masses: tuple[float, float], stiffness: float, damping: float, margin: float, period: float
) -> np.ndarray:
    """A rule from the believed masses of chaser and target [kg], contact stiffness [N/m] and
    damping [N s/m], for both as they push each other; margin [N]; period of the clock [s].

    A thrust that ramps over T instead of stepping acts like steps spread over T: the force then
    differs by no more than  s ΔF (T/2) max|ḣ|,  max|ḣ| = ω max(1, 2ζ), h being the response to a
    unit step.  The rule keeps that in reserve; it is exact where ramps are none, and useful as
    long as they are short against 1/ω.
    """
    mass, share = reduced_mass.py_func(*masses), load_share.py_func(*masses)
    omega = math.sqrt(stiffness / mass)
    steepest = omega * max(1.0, damping / (mass * omega))
    return np.array([mass, share, stiffness, damping, margin, 0.5 * share * steepest, period])


@helper
def is_free(engine_data, memory, i):
    """Whether the valve's minimum pulse is over."""
    return memory[i, SINCE] >= engine_data[i, SHORTEST]


@part
def restrain(rule, engine_data, memory, x, x_rate):
    """Takes back wishes to go off that would let the bodies part.

    Engines with the most off-time left go first; x is the compression [m], ẋ positive while it
    grows.  An engine that stays on keeps its off-time for later.
    """
    thrust, delayed = 0.0, 0.0
    for i in range(memory.shape[0]):
        burns = memory[i, ON] == 1.0
        free = is_free(engine_data, memory, i)
        if not burns and free and memory[i, WISH] == 1.0:
            burns = True
            delayed += engine_data[i, THRUST] * engine_data[i, RAMP]
        elif memory[i, SINCE] * rule[PERIOD] < engine_data[i, RAMP]:
            delayed += engine_data[i, THRUST] * engine_data[i, RAMP]
        if burns:
            thrust += engine_data[i, THRUST]
        asks = memory[i, ON] == 1.0 and free and memory[i, WISH] == 0.0
        memory[i, MARK] = 1.0 if asks else 0.0
    while True:
        first = -1
        for i in range(memory.shape[0]):
            if memory[i, MARK] == 1.0 and (first < 0 or memory[i, LEFT] > memory[first, LEFT]):
                first = i
        if first < 0:
            break
        memory[first, MARK] = 0.0
        fewer = thrust - engine_data[first, THRUST]
        later = delayed + engine_data[first, THRUST] * engine_data[first, RAMP]
        force = least_force(
            rule[SHARE] * fewer, x, x_rate, rule[MASS], rule[STIFFNESS], rule[DAMPING]
        )
        if force - rule[SHAKE] * later > rule[MARGIN]:
            thrust, delayed = fewer, later
        else:
            memory[first, WISH] = 1.0


@part
def move_valves(engine_data, memory):
    """Switches every engine to its wish, unless its valve's minimum pulse holds it; takes its
    off-time off what is left."""
    for i in range(memory.shape[0]):
        if memory[i, WISH] != memory[i, ON] and is_free(engine_data, memory, i):
            memory[i, ON] = memory[i, WISH]
            memory[i, SINCE] = 0.0
        memory[i, SINCE] += 1.0
        if memory[i, ON] == 0.0:
            memory[i, LEFT] -= 1.0
