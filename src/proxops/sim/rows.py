"""What a row of a run holds: names of signals, each beside the function that writes them.

    row = time, plant, peaks of contacts and holds, actuators, boost, on-board software, phase, pace

A peak (`_peak`) is the largest magnitude since the last row, at the turns of the loop.

A lab adds its own signals behind.
"""

from collections.abc import Sequence

from proxops.assembly.build import Built
from proxops.bus import commands as to
from proxops.bus import estimates as est
from proxops.bus import measurements as said
from proxops.bus.truth import WRENCH
from proxops.core.clock import NS_PER_S
from proxops.core.description import ContactDescription, HoldDescription
from proxops.core.jit import part
from proxops.core.spatial.vector import get3, put3
from proxops.onboard.functions.boost.boost import ASKED, DELIVERED
from proxops.onboard.functions.capture import modes
from proxops.plant import observe as plant
from proxops.plant.observe import put_array
from proxops.plant.observe_interface import interface_count
from proxops.plant.peaks import hand_out, note_motors, note_touching
from proxops.results.run import Signal


def signals_of(built: Built, paced: bool) -> tuple[Signal, ...]:
    """Everything behind the time that `record` writes, in its order."""
    described = built.chaser, built.target, built.contacts, built.holds
    return (
        *(Signal(*row) for row in plant.signals(*described)),
        *touching_peaks(built.contacts, built.holds),
        *_of_actuators(built),
        *_of_boost(built),
        *_of_onboard(built),
        Signal("obsw.phase", "1", "", ()),
        *((Signal("sim.pace", "1", "", ()),) if paced else ()),
    )


@part
def record(model, state, work, log, span):
    """Appends one row; returns the next free place in it."""
    row = log.rows[log.row_count[0]]
    t = state.clock[0] / NS_PER_S
    row[0] = t
    end = 1 + plant.observe(model.plant, model.ports, work, state.y, t, row[1:])
    if interface_count(model.plant) > 0:
        end = put_touching_peaks(model.plant, state.y, work.scratch, state.peaks, row, end)
    end = _put_actuators(model, state, row, end)
    end = _put_boost(state, row, end)
    end = _put_onboard(model, state, row, end)
    row[end] = span.phase
    end += 1
    if model.paces.shape[0] > 0:
        row[end] = span.pace
        end += 1
    log.row_count[0] += 1
    return end


def touching_peaks(
    contacts: Sequence[ContactDescription], holds: Sequence[HoldDescription]
) -> list[Signal]:
    """What `put_touching_peaks` writes."""
    table = [Signal(f"contacts.{each.name}.f_peak", "N", "", ()) for each in contacts]
    for each in holds:
        table.append(Signal(f"holds.{each.name}.f_peak", "N", "", ()))
        table.append(Signal(f"holds.{each.name}.t_peak", "N m", "", ()))
    return table


@part
def put_touching_peaks(touching, y, scratch, peaks, row, end):
    """Writes what pads and holds of a plant did since the last row, and do now; returns the next
    free place."""
    note_touching(touching, y, scratch, peaks)
    return hand_out(peaks.touching, peaks.touching.shape[0], row, end)


def _of_actuators(built: Built) -> list[Signal]:
    table = []
    for mounted in built.chaser.arms:
        unit = mounted.arm.unit("N m", "N")
        table.append(Signal(f"chaser.arms.{mounted.name}.tau", unit, "", mounted.q.shape))
    for wheel in built.chaser.wheels:
        table.append(Signal(f"chaser.wheels.{wheel.name}.torque", "N m", "", ()))
    if built.thrusters.table.size:
        table.append(Signal("chaser.thrusters.thrust", "N", "", (len(built.thrusters.table),)))
    for mounted in built.chaser.arms:
        unit = mounted.arm.unit("N m", "N")
        table.append(Signal(f"chaser.arms.{mounted.name}.tau_peak", unit, "", mounted.q.shape))
    return table


@part
def _put_actuators(model, state, row, end):
    """Writes what actuators give; returns the next free place."""
    end = put_array(row, end, state.given)
    end = put_array(row, end, state.thrusters.level)
    note_motors(state.given, state.peaks)
    return hand_out(state.peaks.motors, state.given.shape[0] - model.ports.wheels[0], row, end)


def _of_boost(built: Built) -> list[Signal]:
    if not built.boost.number.size:
        return []
    return [
        Signal("obsw.boost.torque", "N m", "C", (3,)),
        Signal("obsw.boost.impulse", "N s", "", ()),
    ]


@part
def _put_boost(state, row, end):
    """Writes what a boost asks for and has given; returns the next free place."""
    if state.boost.shape[0] == 0:
        return end
    put3(row, end, get3(state.boost, ASKED))
    row[end + 3] = state.boost[DELIVERED]
    return end + 4


def _of_onboard(built: Built) -> list[Signal]:
    if built.onboard.sampling is None:
        return []
    table = [
        Signal("obsw.mode", "1", "", ()),
        Signal("obsw.base.force", "N", "C", (3,)),
        Signal("obsw.base.torque", "N m", "C", (3,)),
        Signal("sensors.wrist", "N,N,N,N m,N m,N m", "E", (WRENCH,)),
    ]
    if not built.onboard.memory_of("capture").size:
        return table
    return [
        *table,
        Signal("obsw.navigation.p_CG", "m", "C", (3,)),
        Signal("obsw.navigation.w_CG_C", "rad/s", "C", (3,)),
        Signal("obsw.storage", "J", "", ()),
        Signal("obsw.grasp.power", "W", "", ()),
        Signal("obsw.grasp.energy", "J", "", ()),
    ]


@part
def _put_onboard(model, state, row, end):
    """Writes what on-board software asked for, felt and believed; returns the next free place."""
    if model.onboard.sensors.shape[0] == 0:
        return end
    row[end] = state.commands[to.MODE]
    put3(row, end + 1, get3(state.commands, to.FORCE))
    put3(row, end + 4, get3(state.commands, to.TORQUE))
    end = put_array(row, end + 7, state.measurements[said.FORCE : said.FORCE + WRENCH])
    if state.capture.shape[0] == 0:  # a user's controller: what it believes is its own
        return end
    put3(row, end, get3(state.estimates, est.P_CG))
    put3(row, end + 3, get3(state.estimates, est.W_CG))
    return put_array(row, end + 6, state.capture[modes.STORAGE : modes.MONITORED])
