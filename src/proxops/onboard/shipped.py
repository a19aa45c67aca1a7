"""The functions on board that are shipped: see `model` for what each is called with."""

from proxops.core.jit import pluggable
from proxops.core.spatial.vector import get3
from proxops.onboard.command_check import inspect
from proxops.onboard.functions.allocation.allocate import PUSHED, known_lateness
from proxops.onboard.functions.allocation.allocate import serve as serve_platform
from proxops.onboard.functions.capture.cycle import think as think_of_capture
from proxops.onboard.model import ANSWERED, DONE, SENSED, WANTS_CONTROL
from proxops.sensors.stage import advance as advance_sensors


@pluggable
def nothing(model, state, truth, commands):
    """For chasers without on-board software of this kind."""
    return DONE


@pluggable
def sense(model, state, truth, commands):
    """Asks the sensors, once an instant."""
    if state.turn[SENSED] != truth.now:
        state.turn[SENSED] = truth.now
        draws = state.draws[state.drawn[0]]
        state.drawn[0] += 1
        advance_sensors(model.sensors, state.sensors, truth, draws, state.measurements)
    return DONE


@pluggable
def capture(model, state, truth, commands):
    """The shipped capture."""
    late = known_lateness(model.platform, state.measurements, truth.q.shape[0])
    told = get3(state.platform.notes, PUSHED), late
    think_of_capture(model.brain, state.mind, told, state.measurements, commands)
    return DONE


@pluggable
def ask_python(model, state, truth, commands):
    """Waits for a controller in Python, at its rate, and looks at what it asks for."""
    if truth.now % model.period != 0:
        return DONE
    if state.turn[ANSWERED] != truth.now:
        state.turn[ANSWERED] = truth.now
        return WANTS_CONTROL
    inspect(model, state, truth.now, commands)
    return DONE


@pluggable
def serve(model, state, truth, commands):
    """Turns the base's wrench into valves."""
    serve_platform(model.platform, state.platform, state.measurements, commands, truth.q.shape[0])
    return DONE
