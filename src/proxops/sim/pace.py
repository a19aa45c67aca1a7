"""Which pace is in force: step and record rate, chosen by the simulator from the truth.

The loop looks at instants where a step of every pace ends, so that control and record instants
never slip.  What counts is how near the hubs of the two spacecraft will be by the next look,

    d = |p_CT| - max(0, closing speed) × time to the next look

so that a pace begins before its distance is reached, not one coarse step behind.  A pace by
distance begins below `within_m` and ends above `leaves_m`; one of contact comes before those, and
one of arms that are free to move before all others.
"""

import numpy as np

from proxops.core.clock import NS_PER_S
from proxops.core.jit import part
from proxops.core.spatial.vector import dot, get3, norm, sub
from proxops.plant import layout
from proxops.plant.step_length import longest_step
from proxops.scenario.schema import Time
from proxops.sim.events import PACE, note

# Columns of Model.paces: the default first, then by distance from the outermost to the innermost,
# then that of contact, then that of free arms.  No rows with phases.
NUMBER = 0  # in the order of the file
WITHIN = 1  # begins below [m]; -1 for paces of contact and arms, which no distance brings about
LEAVES = 2  # ends above [m]
LINGERS = 3  # after the last contact has opened [s], -1 for all others
ARMS = 4  # 1 for the pace of arms whose brakes are off
WIDTH = 5

# Entries of State.pace
IN_FORCE = 0  # its number, -1 before the first look
LEVEL = 1  # row of the pace that the distance alone asks for
CLOSED_AT = 2  # when something was last seen closed [ns], NEVER before
NEVER = -(2**62)

NONE_CLOSED = 1e299  # steps that closed contacts bear are shorter [s]


@part
def apart(plant, y):
    """Distance between the hubs [m], and the speed at which it shrinks [m/s]."""
    target = layout.target_start(plant)
    p_CT = sub(get3(y, target + layout.P), get3(y, layout.P))
    v_CT = sub(get3(y, target + layout.V), get3(y, layout.V))
    distance = norm(p_CT)
    return distance, -dot(p_CT, v_CT) / distance if distance > 0.0 else 0.0


@part
def level_at(paces, level, nearest):
    """The row that a distance [m] asks for, the last one having been `level`, and the distance that
    decided, 0 if it is the same row."""
    threshold = 0.0
    while level > 0 and nearest > paces[level, LEAVES]:
        threshold = paces[level, LEAVES]
        level -= 1
    while level + 1 < paces.shape[0] and nearest < paces[level + 1, WITHIN]:
        level += 1
        threshold = paces[level, WITHIN]
    return level, threshold


@part
def look_at_pace(model, state, touching, span, watch):
    """Chooses the pace at instants of a look, and logs it if it is another one; whether the loop
    has to go on with another span."""
    if state.clock[0] % span.look != 0:
        return False
    paces, memory = model.paces, state.pace
    distance, closing = apart(model.plant, state.y)
    nearest = max(0.0, distance - max(0.0, closing) * (span.look / NS_PER_S))
    level, threshold = level_at(paces, memory[LEVEL], nearest)
    memory[LEVEL] = level
    free = paces.shape[0] - 1
    last = free - int(paces[free, ARMS])
    if last >= 0 and paces[last, LINGERS] >= 0.0:
        if longest_step(touching[0], touching[1]) < NONE_CLOSED:
            memory[CLOSED_AT] = state.clock[0]
        if state.clock[0] - memory[CLOSED_AT] <= paces[last, LINGERS] * NS_PER_S:
            level = last
    if paces[free, ARMS] == 1.0 and (state.brakes.shape[0] == 0 or state.brakes[0] == 0.0):
        level = free
    number = int(paces[level, NUMBER])
    if number != memory[IN_FORCE]:
        if memory[IN_FORCE] >= 0:
            value = (distance, threshold, closing)
            note(watch, state.clock[0] / NS_PER_S, PACE, number, memory[IN_FORCE], value)
        memory[IN_FORCE] = number
    return number != span.pace


# --- Python -------------------------------------------------------------------------------------


def paces_of(time: Time) -> np.ndarray:
    """All paces of a mission, see the columns above; no rows with phases."""
    numbered = list(enumerate(time.paces.values()))
    numbered.sort(key=lambda each: (each[1].arms, each[1].contact, -each[1].enters_m))
    rows = [
        (number, -1.0, -1.0, pace.lingers_ns / NS_PER_S if pace.contact else -1.0, pace.arms)
        if pace.contact or pace.arms
        else (number, pace.enters_m, pace.ends_m, -1.0, False)
        for number, pace in numbered
    ]
    return np.array(rows, dtype=float).reshape(len(rows), WIDTH)


def not_chosen() -> np.ndarray:
    """Memory before the first look."""
    return np.array([-1, 0, NEVER], dtype=np.int64)


class PaceTexts:
    """Says in words why a pace has changed."""

    def __init__(self, time: Time) -> None:
        self._names, self._paces = list(time.paces), list(time.paces.values())

    def __call__(self, number: int, before: int, value: np.ndarray) -> str:
        distance, threshold, closing = value
        text = f"{self._names[number]} after {self._names[before]}: "
        if self._paces[number].arms:
            return f"{text}brakes of the arms are off"
        if self._paces[before].arms:
            return f"{text}brakes of the arms are set, {distance:.6g} m apart"
        if self._paces[number].contact:
            return f"{text}something is closed, {distance:.6g} m apart"
        if self._paces[before].contact:
            lingers = self._paces[before].lingers_ns / NS_PER_S
            return f"{text}nothing closed for {lingers:g} s, {distance:.6g} m apart"
        text += f"{distance:.6g} m apart"
        if self._paces[number].enters_m > self._paces[before].enters_m:
            return f"{text}, beyond {threshold:g} m"
        if distance >= threshold:
            text += f" and closing at {closing:.4g} m/s"
        return f"{text}, within {threshold:g} m"
