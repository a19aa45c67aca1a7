"""When a sensor samples, which samples are lost, and when the others arrive.

    exposures    t = 0, T, 2T, ...     at every call where T is zero
    lost         within scripted windows [from, until), and at random: with chance p after a sample
                 that was not lost, p' after one that was; bursts then last 1/(1 - p') samples
    arrival      at the first call not before the exposure + delay, in order, each with the time of
                 its exposure

Time is in whole nanoseconds: what divides meets, however long the run.  Whether a sample is lost is
decided by its exposure; what was exposed before a dropout still arrives.
"""

from proxops.bus.measurements import COUNT_AFTER_T, VALUE_AFTER_T
from proxops.core.clock import NS_PER_S
from proxops.core.jit import helper, part
from proxops.sensors import model as of


@helper
def is_due(model, sensor, now):
    """Whether a sensor samples now [ns]."""
    period = model.schedule[sensor, of.PERIOD]
    return period == 0 or now % period == 0


@part
def window_at(windows, kind, now):
    """Row of the first window of a kind that holds now [ns], -1 if none does."""
    for row in range(windows.shape[0]):
        begun = windows[row, of.FROM] <= now
        if windows[row, of.KIND] == kind and begun and now < windows[row, of.UNTIL]:
            return row
    return -1


@part
def gets_through(model, state, sensor, now, draws):
    """Whether a sample exposed now [ns] is not lost."""
    marks = state.marks[sensor]
    column = of.GOES_ON if marks[of.WAS_LOST] == 1 else of.BEGINS
    lost = draws[model.schedule[sensor, of.LOST]] < model.chances[sensor, column]
    marks[of.WAS_LOST] = 1 if lost else 0
    return not lost and window_at(model.windows, sensor, now) < 0


@part
def take(state, sensor, now):
    """Row of `samples` for the one exposed now [ns]."""
    row = state.marks[sensor, of.TAKEN] % state.samples.shape[0]
    state.times[sensor, row] = now
    state.marks[sensor, of.TAKEN] += 1
    return row


@part
def hand_over(model, state, sensor, now, measurements):
    """Writes what arrives from a sensor now [ns] into its block."""
    marks, schedule = state.marks[sensor], model.schedule[sensor]
    at = schedule[of.BLOCK]
    while marks[of.ARRIVED] < marks[of.TAKEN]:
        row = marks[of.ARRIVED] % state.samples.shape[0]
        if state.times[sensor, row] + schedule[of.DELAY] > now:
            return
        measurements[at] = state.times[sensor, row] / NS_PER_S
        measurements[at + COUNT_AFTER_T] += 1.0
        for i in range(at + VALUE_AFTER_T, at + VALUE_AFTER_T + schedule[of.WIDTH]):
            measurements[i] = state.samples[row, i]
        marks[of.ARRIVED] += 1
