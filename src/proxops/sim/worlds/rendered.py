"""The world with a robot that renders the target.

Every step of the plant, from t to t + h:

    reading ─► plant: target under it ─motion─► facility: delay, carrier, mock-up, sensor ─► reading

The lab's frame L is the falling frame O.  Runs without a robot do not compile any of this.
"""

from typing import NamedTuple

import numpy as np

from proxops.assembly.robot import build_lab
from proxops.core.jit import at_entry, helper, kernel, part
from proxops.core.random_rows import FACILITY, RandomRows, generator
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_inverse,
    quat_mul,
    quat_positive,
    quat_to_rotation,
)
from proxops.core.spatial.vector import get3, mul, mul_t, put3, sub
from proxops.facility.common import carrier
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.rendered import rendering
from proxops.facility.rendered.build import quiet_outputs, room_for
from proxops.facility.rendered.rendering import Outputs, Rendering, Room, feel
from proxops.physics.flexible.modes import PER_ETA, mode_count
from proxops.plant import layout
from proxops.plant.model import DRIVE_FORCE
from proxops.plant.step import OK, touch_at_start
from proxops.plant.step import advance as advance_plant
from proxops.results.run import Signal
from proxops.scenario.load import Scenario
from proxops.sim.entries import ADVANCE, BEGIN, SHOW, WRITE
from proxops.sim.events import watch_interface
from proxops.sim.loop import STEPS_PER_CALL, loop_of
from proxops.sim.rows import record
from proxops.sim.stages import act, sense
from proxops.sim.worlds.world import World

# What the lab adds to a row, before the modes of real appendages
P_LT = 0
Q_LT = 3
FELT = 7
P_TT = 13
Q_TT = 16
LAB_WIDTH = 20


class RenderedLab(NamedTuple):
    """What the loop hands to this world's functions."""

    model: Rendering
    state: rendering.State
    room: Room  # that a step overwrites
    outputs: Outputs
    motion: np.ndarray  # of the modelled target, lab axes
    draws: np.ndarray  # standard normal numbers, a row a step
    drawn: np.ndarray  # how many rows are used, one entry


# --- compiled -----------------------------------------------------------------------------------


@part
def target_motion(plant, y, motion):
    """Writes the target's velocity and angular velocity, lab axes."""
    target = y[layout.target_start(plant) : layout.ledger_start(plant)]
    put3(motion, 0, get3(target, layout.V))
    R = quat_to_rotation(get4(target, layout.Q))
    put3(motion, 3, mul(R, get3(target, layout.W)))


@helper
def next_draw(lab):
    """The number of an unused row of random numbers."""
    lab.drawn[0] += 1
    return lab.drawn[0] - 1


@at_entry(BEGIN)
def begin(model, state, work, lab, watch, h):
    """Reads the sensor once, and closes what touches at the start."""
    inputs = rendering.Inputs(lab.motion, lab.draws[next_draw(lab)])
    feel(lab.model, lab.state, lab.room, inputs, lab.outputs, h)
    touch_at_start(model.plant, work, state.y, 0.0)
    watch_interface(work, watch)
    return OK


@at_entry(SHOW)
def show(model, state, work, lab):
    """Shows sensors the plant."""
    sense(model, state, work)
    return OK


@at_entry(ADVANCE)
def advance(model, state, work, lab, watch, t, h):
    """Brings the plant from t to t + h, with what the robot's sensor read at t, then the robot
    behind it; returns a status."""
    act(model, state, t, h)
    hub = state.drive[model.plant.chaser.shape[0]]
    for i in range(WRENCH):
        hub[DRIVE_FORCE + i] += lab.outputs.reading[i]
    status = advance_plant(model.plant, state.drive, work, state.y, t, h)
    if status != OK:
        return status
    watch_interface(work, watch)
    target_motion(model.plant, state.y, lab.motion)
    inputs = rendering.Inputs(lab.motion, lab.draws[next_draw(lab)])
    rendering.advance(lab.model, lab.state, lab.room, inputs, lab.outputs, h)
    return OK


@at_entry(WRITE)
def write(model, state, work, lab, log, span):
    """Appends one row: the loop's signals, then the lab's."""
    row = log.rows[log.row_count[0]]
    record(model, state, work, log, span)
    modes = lab.model.mock_up.modes
    own = row[row.shape[0] - LAB_WIDTH - mode_count(modes) :]
    plant, y = model.plant, state.y
    target = y[layout.target_start(plant) : layout.ledger_start(plant)]
    p, quat = get3(lab.state.y, carrier.P), get4(lab.state.y, carrier.Q)
    q_OT = get4(target, layout.Q)
    put3(own, P_LT, p)
    put4(own, Q_LT, quat)
    for i in range(WRENCH):
        own[FELT + i] = lab.outputs.reading[i]
    put3(own, P_TT, mul_t(quat_to_rotation(q_OT), sub(p, get3(target, layout.P))))
    put4(own, Q_TT, quat_positive(quat_mul(quat_inverse(q_OT), quat)))
    for mode in range(mode_count(modes)):
        own[LAB_WIDTH + mode] = lab.state.y[rendering.MODES + mode] * modes[mode + 1, PER_ETA]
    return OK


_loop = loop_of(begin, show, advance, write)


@kernel
def render_until(model, state, work, lab, log, span):
    """The loop with a robot that renders the target."""
    touching = (model.plant, state.y, work.scratch)
    return _loop(model, state, work, lab, touching, log, span)


# --- Python -------------------------------------------------------------------------------------


class RenderedWorld(World):
    """A scenario with a robot, for `Simulation`."""

    kernels = "rendering"
    kernel = staticmethod(render_until)
    stages = (begin, show, advance, write)

    def __init__(self, scenario: Scenario) -> None:
        lab = build_lab(scenario)
        self.built = self.touching = lab.built
        self.provenance = {}
        self.signals = (
            Signal("lab.p_LTl", "m", "L", (3,)),
            Signal("lab.q_LTl", "1", "Tl to L, wxyz", (4,)),
            Signal("lab.measured_wrench", "N,N,N,N m,N m,N m", "T", (WRENCH,)),
            Signal("lab.p_TTl", "m", "T", (3,)),
            Signal("lab.q_TTl", "1", "Tl to T, wxyz", (4,)),
            *(
                Signal(f"target.appendages.{each.name}.q_f", each.unit, "", (len(each.modes),))
                for each in lab.carried
            ),
        )
        rng = generator(scenario.mission.seed, FACILITY)
        self._draws = RandomRows(STEPS_PER_CALL + 1, (rng, (WRENCH,)))
        self.lab = RenderedLab(
            model=lab.rendering,
            state=lab.state,
            room=room_for(lab.state),
            outputs=quiet_outputs(),
            motion=np.zeros(WRENCH),
            draws=self._draws.rows,
            drawn=self._draws.used,
        )

    def draw(self, steps: int) -> None:
        """Of the sensor."""
        self._draws.refill(steps)
