"""What a row of a run holds: names of signals, each beside the function that writes them.

    row = time, plant, peaks of contacts and holds, actuators, fields of the bus, phase, pace,
          safety

A peak (`_peak`) is the largest magnitude since the last row, at the cycles of the loop.

A lab adds its own signals behind; what arms with brakes on have throughout comes last.
"""

from collections.abc import Sequence

import numpy as np

from proxops.assembly.build import Built
from proxops.assembly.onboard import Onboard
from proxops.bus.fields import Field, Fields
from proxops.core.clock import NS_PER_S
from proxops.core.description import ContactDescription, CraftDescription, HoldDescription
from proxops.core.jit import part
from proxops.physics.orbit.reference import MU
from proxops.plant import observe as plant
from proxops.plant import stowed
from proxops.plant.observe import put_array, put_impulse
from proxops.plant.observe_interface import interface_count, put_interface
from proxops.plant.peaks import hand_out, note_motors, note_touching
from proxops.plant.phase_switch import switches
from proxops.results.run import Signal
from proxops.sim import recorded_safety


def signals_of(built: Built, onboard: Onboard, paced: bool) -> tuple[Signal, ...]:
    """Everything behind the time that `record` writes, in its order."""
    described = built.chaser, built.target, built.contacts, built.holds
    return (
        *(Signal(*row) for row in plant.signals(*described, switches(built.plant))),
        *touching_peaks(built.contacts, built.holds),
        *_of_actuators(built),
        *(Signal(f.signal, f.unit, f.frame, f.shape, f.title) for _, f in _recorded(onboard)),
        Signal("obsw.phase", "1", "", ()),
        *((Signal("sim.pace", "1", "", ()),) if paced else ()),
        *(Signal(*row) for row in recorded_safety.signals(built.zones, built.thrusters.table)),
    )


def constant_signals(chaser: CraftDescription) -> tuple[Signal, ...]:
    """What comes last in a row: signals of arms with brakes on."""
    return tuple(Signal(*row) for row in stowed.signals(chaser))


def fill_constants(rows: np.ndarray, chaser: CraftDescription) -> None:
    """Writes them once: the loop uses these rows again and again, and writes nothing there."""
    values = stowed.values(chaser)
    rows[:, rows.shape[1] - len(values) :] = values


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
    end = _put_fields(model.onboard.recorded, state, row, end)
    row[end] = span.phase if model.onboard.leg[0] < 0 else state.estimates[model.onboard.leg[0]]
    end += 1
    if model.paces.shape[0] > 0:
        row[end] = span.pace
        end += 1
    if model.zones.keep_out.shape[0] > 0:
        end = recorded_safety.put_safety(model, state, work, row, end)
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
def record_touching(touching, y, scratch, peaks, row, end):
    """Writes what contacts and holds of a plant do, and did at most since the last row."""
    if interface_count(touching) > 0:
        end = put_interface(touching, y, scratch, row, end)
        put_touching_peaks(touching, y, scratch, peaks, row, end)


@part
def put_touching_peaks(touching, y, scratch, peaks, row, end):
    """Writes what pads and holds of a plant did since the last row, and do now; returns the next
    free place."""
    note_touching(touching, y, scratch, peaks)
    return hand_out(peaks.touching, peaks.touching.shape[0], row, end)


def _of_actuators(built: Built) -> list[Signal]:
    table = []
    moving = [each for each in built.chaser.arms if not stowed.is_stowed(built.chaser, each.name)]
    for mounted in moving:
        unit = mounted.arm.unit("N m", "N")
        table.append(Signal(f"chaser.arms.{mounted.name}.tau", unit, "", mounted.q.shape))
    for wheel in built.chaser.wheels:
        table.append(Signal(f"chaser.wheels.{wheel.name}.torque", "N m", "", ()))
    if built.thrusters.table.size:
        table.append(Signal("chaser.thrusters.thrust", "N", "", (len(built.thrusters.table),)))
    for mounted in moving:
        unit = mounted.arm.unit("N m", "N")
        table.append(Signal(f"chaser.arms.{mounted.name}.tau_peak", unit, "", mounted.q.shape))
    if _books_impulse(built):
        shape = (len(built.thrusters.table),)
        title = "Impulse of each thruster since the start"
        table.append(Signal("chaser.thrusters.impulse", "N s", "", shape, title))
        title = "Impulse of all thrusters over the chaser's mass"
        table.append(Signal("chaser.delta_v", "m/s", "", (), title))
    return table


def _books_impulse(built: Built) -> bool:
    """Whether what thrusters have given is recorded: in orbit, where it costs."""
    return built.plant.orbit[MU] > 0.0 and len(built.thrusters.table) > 0


@part
def _put_actuators(model, state, row, end):
    """Writes what actuators give; returns the next free place."""
    end = put_array(row, end, state.applied)
    end = put_array(row, end, state.thrusters.level)
    note_motors(state.applied, state.peaks)
    end = hand_out(state.peaks.motors, state.applied.shape[0] - model.ports.wheels[0], row, end)
    if model.plant.orbit[MU] > 0.0 and state.thrusters.impulse.shape[0] > 0:
        end = put_impulse(model.plant.chaser, state.thrusters.impulse, row, end)
    return end


# --- fields of the bus ---------------------------------------------------------------------------

# Columns of Schedule.recorded
SOURCE = 0  # MEASUREMENTS, ESTIMATES or COMMANDS
START = 1
COUNT = 2
MEASUREMENTS, ESTIMATES, COMMANDS = range(3)


def _recorded(onboard: Onboard) -> list[tuple[int, Field]]:
    """Sources and fields of the bus that have a signal: measurements where there are sensors, all
    estimates, and those commands that somebody writes."""
    bus = onboard.bus
    written = {name for each in onboard.functions for name in each.written}
    sources: tuple[tuple[int, Fields], ...] = (
        (MEASUREMENTS, bus.measurements),
        (ESTIMATES, bus.estimates),
        (COMMANDS, bus.commands),
    )
    return [
        (source, each)
        for source, fields in sources
        for each in fields.layout
        if each.signal
        and (source != MEASUREMENTS or onboard.sensors)
        and (source != COMMANDS or each.attribute in written)
    ]


def recorded_fields(onboard: Onboard) -> np.ndarray:
    """Schedule.recorded."""
    bus = onboard.bus
    layouts = bus.measurements.layout, bus.estimates.layout, bus.commands.layout
    rows = [
        (source, layouts[source].where(each.name).start, each.size)
        for source, each in _recorded(onboard)
    ]
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


@part
def _put_fields(recorded, state, row, end):
    """Writes fields of the bus; returns the next free place."""
    for i in range(recorded.shape[0]):
        start, count = recorded[i, START], recorded[i, COUNT]
        values = state.measurements
        if recorded[i, SOURCE] == ESTIMATES:
            values = state.estimates
        elif recorded[i, SOURCE] == COMMANDS:
            values = state.commands
        end = put_array(row, end, values[start : start + count])
    return end
