"""What happens at instants during a run: logged by the compiled loop, put into words afterwards."""

import math
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from proxops.assembly.build import Built
from proxops.assembly.joint_loops import LIMIT_CYCLE
from proxops.core.jit import helper, large, part
from proxops.core.spatial.vector import ZERO, get3, put3
from proxops.onboard import schedule
from proxops.onboard.function import Function
from proxops.physics.multibody.tree import LOWER, UPPER
from proxops.plant import layout, phase_switch, switching
from proxops.plant.clearance import MAX_AT_ONCE
from proxops.plant.outline import part_names
from proxops.plant.switching import MAX_SWITCHES
from proxops.results.run import COLLIDES, HOLD_EVENTS, Event

LOG_CAPACITY = 256  # events that one call of the loop may log, besides what its last cycle adds

# Columns of the log
TIME = 0  # [s]
SOURCE = 1
# Of the joint, of the pad (holds are counted after the pads), of the chaser's part, of the pace
NUMBER = 2
WHAT = 3  # see the texts below
# Details of a change (3); of a pace: distance, threshold [m], closing speed [m/s]; of a hold: how
# its frames lay when it closed or missed, see plant.hold_array (4)
VALUE = 4
EVENT_WIDTH = 8

# Sources
JOINT = 0
INTERFACE = 1
CHANGE = 2  # of a field that a function on board has declared
COLLISION = 3
PACE = 4
SWITCH = 5  # of the phase: distance of the centres of mass [m], jump [m/s], rotation [rad]

STOP_TEXT = {-1: "on its lower stop", 0: "off its stop", 1: "on its upper stop"}
CONTACT_EVENTS = ("lift-off", "touch-down")

# Columns of Watch.swings
SIDE = 0  # limit at which a motor was last: -1 or 1; 0 before
SIDE_TIME = 1  # when it came there [s]
RUN_BEGIN = 2  # when the present swings from limit to limit began [s]
RUN_COUNT = 3  # how many they are
SWINGS_BEGIN = 4  # of those that count as a limit cycle: when the first began [s]
SWINGS_END = 5  # and the last ended [s]
SWINGS_COUNT = 6  # how many they are
SWINGS_WIDTH = 7

ENOUGH_SWINGS = 6  # one after the other: nothing but a limit cycle does that
SWIFT = 4.5  # control periods: swings farther apart do not belong together


@large
class Watch(NamedTuple):
    """The log, and what was last seen of whatever has no log of its own.  Whole numbers are numbers
    here: of cases that are flown together each has its own."""

    log: np.ndarray
    length: np.ndarray  # how many events it holds
    at_stop: np.ndarray  # of each joint: -1 lower, 0 none, 1 upper
    changes: np.ndarray  # values of the fields that functions on board have declared
    clear: np.ndarray  # how far parts are from meeting
    met: np.ndarray  # of every two parts, see plant.clearance
    allowed: np.ndarray  # of every two shapes: by how much they may overlap [m]
    found: np.ndarray  # parts that meet, two a row
    swings: np.ndarray  # of each motor of the arms from limit to limit; wheels make up for pulses


def watch_for(built: Built, functions: Sequence[Function], substeps: int) -> Watch:
    """An empty log for a loop that takes at most so many substeps in a cycle."""
    joints = len(built.plant.chaser_topology)
    touching = len(built.plant.contacts) + len(built.plant.holds)
    before = [each.before for function in functions for each in function.changes]
    last_cycle = joints + len(before) + MAX_SWITCHES * touching * (1 + substeps) + MAX_AT_ONCE
    last_cycle += 1 + substeps  # phase switches
    parts = len(part_names(built.chaser, built.target))
    return Watch(
        np.zeros((LOG_CAPACITY + last_cycle, EVENT_WIDTH)),
        np.zeros(1),
        np.zeros(joints),
        np.array(before, dtype=float),
        np.zeros(2),
        np.zeros((parts, parts)),
        np.full(built.ports.outline.meant.shape, -np.inf),
        np.zeros((MAX_AT_ONCE, 2)),
        np.zeros((joints - len(built.chaser.wheels), SWINGS_WIDTH)),
    )


# --- compiled -----------------------------------------------------------------------------------


@helper
def note(watch, t, source, number, what, value):
    """Logs an event."""
    event = watch.log[int(watch.length[0])]
    event[TIME] = t
    event[SOURCE] = source
    event[NUMBER] = number
    event[WHAT] = what
    put3(event, VALUE, value)
    watch.length[0] += 1.0


@part
def watch_interface(work, watch):
    """Logs which contacts and holds closed or opened in the last step."""
    for i in range(int(work.switches[0, switching.COUNT])):
        row = work.switches[i + 1]
        t, number = row[switching.TIME], row[switching.NUMBER]
        note(watch, t, INTERFACE, number, row[switching.CLOSED], ZERO)
        for j in range(switching.SWITCH_WIDTH - switching.ATTEMPT):
            watch.log[int(watch.length[0]) - 1, VALUE + j] = row[switching.ATTEMPT + j]
    work.switches[0, switching.COUNT] = 0.0


@part
def watch_phase(plant, y, t, watch):
    """Logs that the phase has been switched."""
    memory = y[layout.switch_start(plant) :]
    value = get3(memory, phase_switch.DISTANCE)
    note(watch, t, SWITCH, 0, memory[phase_switch.IS_INSIDE], value)


@part
def watch_stops(plant, y, t, watch):
    """Logs when a joint runs onto a stop or leaves it."""
    for joint in range(watch.at_stop.shape[0]):
        q = y[layout.JOINTS + joint]
        side = 0
        if q < plant.chaser[joint + 1, LOWER]:
            side = -1
        elif q > plant.chaser[joint + 1, UPPER]:
            side = 1
        if side != watch.at_stop[joint]:
            watch.at_stop[joint] = side
            note(watch, t, JOINT, joint, side, ZERO)


@part
def watch_changes(changes, estimates, t, watch):
    """Logs which modes, phases and findings of functions on board have changed; what is not a
    number is none."""
    for i in range(changes.shape[0]):
        value = estimates[changes[i, schedule.VALUE]]
        if value != watch.changes[i] and math.isfinite(value):
            watch.changes[i] = value
            details, at = ZERO, changes[i, schedule.DETAILS]
            if at >= 0:
                details = get3(estimates, at)
            note(watch, t, CHANGE, i, value, details)


@part
def watch_swings(limits, applied, t, period, watch):
    """Counts how often the torque given by each motor goes from one of its limits to the other,
    where that takes few periods [s] of control and goes on."""
    for joint in range(watch.swings.shape[0]):
        side = 0.0
        if applied[joint] >= limits[joint]:
            side = 1.0
        elif applied[joint] <= -limits[joint]:
            side = -1.0
        row = watch.swings[joint]
        if side == 0.0:
            continue
        if side != row[SIDE]:
            if row[SIDE] == 0.0 or t - row[SIDE_TIME] > SWIFT * period:
                row[RUN_BEGIN], row[RUN_COUNT] = t, 0.0
            else:
                row[RUN_COUNT] += 1.0
            row[SIDE], row[SIDE_TIME] = side, t
            if row[RUN_COUNT] == ENOUGH_SWINGS:
                if row[SWINGS_COUNT] == 0.0:
                    row[SWINGS_BEGIN] = row[RUN_BEGIN]
                row[SWINGS_COUNT] += ENOUGH_SWINGS - 1.0
            if row[RUN_COUNT] >= ENOUGH_SWINGS:
                row[SWINGS_COUNT] += 1.0
                row[SWINGS_END] = t


# --- Python -------------------------------------------------------------------------------------


class EventDecoder:
    """Turns the log into events with names."""

    def __init__(
        self,
        built: Built,
        functions: Sequence[Function],
        pace_text: Callable[[int, int, np.ndarray], str] = lambda *_: "",
        joint_rate: str = "time.control_rate_hz",
    ) -> None:
        jointed = [(m.name, joint) for m in built.chaser.jointed for joint in m.arm.joints]
        self._joints = [f"{name}.{joint.name}" for name, joint in jointed]
        self._limits = [
            f"{joint.effort:g} {'N' if joint.prismatic else 'N m'}" for _, joint in jointed
        ]
        self._pads = [(each.name, pad) for each in built.contacts for pad in range(len(each.pads))]
        self._holds = built.holds
        self._touching = {each.name: 0 for each in built.contacts}
        self._changes = [each for function in functions for each in function.changes]
        self._joint_rate, self._pace_text = joint_rate, pace_text
        self._orbit = built.plant.orbit
        self._parts = part_names(built.chaser, built.target)

    def drain(self, watch: Watch) -> list[Event]:
        """The events in the log, which is then empty.  Pads of one contact that switch at the same
        instant make one event."""
        events: list[Event] = []
        rows = watch.log[: int(watch.length[0])]
        for key, group in groupby(rows, self._key):
            events += self._events_of(key, list(group))
        watch.length[0] = 0
        return events

    def limit_cycles(self, watch: Watch) -> list[Event]:
        """A warning for every motor that was in a limit cycle."""
        found = []
        for name, limit, row in zip(self._joints, self._limits, watch.swings, strict=False):
            if row[SWINGS_COUNT] > 0.0:
                text = f"lower the gains of joint {name}, kd first, or raise {self._joint_rate}: "
                text += f"{LIMIT_CYCLE}, {row[SWINGS_COUNT]:.0f} swings between its limits of "
                text += f"{limit} from {row[SWINGS_BEGIN]:.6g} to {row[SWINGS_END]:.6g} s"
                found.append(Event(float(row[SWINGS_BEGIN]), "warning", text))
        return found

    def _key(self, row: np.ndarray) -> tuple[float, ...]:
        """Equal for rows that make one event."""
        number = int(row[NUMBER])
        if row[SOURCE] == INTERFACE and number < len(self._pads):
            number = -1 - list(self._touching).index(self._pads[number][0])
        return float(row[TIME]), float(row[SOURCE]), number, float(row[WHAT])

    def _events_of(self, key: tuple[float, ...], rows: list[np.ndarray]) -> list[Event]:
        t, source, number, what = key[0], key[1], int(key[2]), key[3]
        if source == JOINT:
            return [Event(t, "joint-stop", f"{self._joints[number]} {STOP_TEXT[int(what)]}")]
        if source == CHANGE:
            details = rows[0][VALUE : VALUE + 3].copy()
            described = self._changes[number].describe(what, details)
            return [Event(t, *described)] if described else []
        if source == PACE:
            text = self._pace_text(number, int(what), rows[0][VALUE : VALUE + 3])
            return [Event(t, "pace", text)]
        if source == SWITCH:
            value = rows[0][VALUE : VALUE + 3]
            return [Event(t, "phase-switch", phase_switch.text_of(self._orbit, what, value))]
        if source == COLLISION:
            text = f"{self._parts[number]} meets {self._parts[int(what)]}"
            return [Event(t, COLLIDES, text)]
        if number >= 0:
            hold, text = self._holds[number - len(self._pads)], ""
            if hold.port is not None and HOLD_EVENTS[int(what)] != "hold-opens":
                text = f": {hold.alignment_text(rows[0][VALUE : VALUE + 4])}"
            return [Event(t, HOLD_EVENTS[int(what)], f"holds.{hold.name}{text}")]
        pads = [self._pads[int(row[NUMBER])] for row in rows]
        return self._pad_events(t, pads[0][0], [pad for _, pad in pads], int(what))

    def _pad_events(self, t: float, contact: str, pads: list[int], closed: int) -> list[Event]:
        self._touching[contact] += len(pads) if closed else -len(pads)
        which = f" pads {' '.join(map(str, pads))}" if len(pads) > 1 else f" pad {pads[0]}"
        events = [Event(t, CONTACT_EVENTS[closed], f"contacts.{contact}{which}")]
        if self._touching[contact] == 0:
            events.append(Event(t, "separation", f"contacts.{contact}: no pad touches"))
        return events
