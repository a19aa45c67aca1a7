"""The loop with a robot in it that renders the target.

Every step of the plant, from t to t + h:

    reading ─► plant: target under it ─motion─► facility: delay, carrier, mock-up, sensor ─► reading

The lab's frame L is the falling frame O.  Runs without a robot do not compile any of this.
"""

from typing import Any, NamedTuple

import numpy as np

from proxops.assembly.robot import build_lab
from proxops.core.clock import NS_PER_S
from proxops.core.jit import helper, kernel, part
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
from proxops.onboard.model import DONE
from proxops.onboard.user.harness import Harness
from proxops.physics.flexible.modes import PER_ETA, mode_count
from proxops.plant import layout
from proxops.plant.model import DRIVE_FORCE, Workspace
from proxops.plant.step import OK, touch_at_start
from proxops.plant.step import advance as advance_plant
from proxops.results.run import Event, Signal
from proxops.scenario.load import Scenario
from proxops.sim import loop as orbit_loop
from proxops.sim import rows
from proxops.sim.events import has_room, watch_collisions, watch_interface, watch_stops
from proxops.sim.loop import STEPS_PER_CALL, Simulation
from proxops.sim.stages import act, control, sense

# What the lab adds to a row, before the modes of real appendages
P_LT = 0
Q_LT = 3
FELT = 7
P_TT = 13
Q_TT = 16
LAB_WIDTH = 20


class Model(NamedTuple):
    """Everything that stays the same during a run."""

    loop: orbit_loop.Model
    lab: Rendering


class State(NamedTuple):
    """Everything that changes."""

    loop: orbit_loop.State
    lab: rendering.State
    outputs: Outputs
    motion: np.ndarray  # of the modelled target, lab axes
    draws: np.ndarray  # standard normal numbers, a row a step
    drawn: np.ndarray  # how many rows are used, one entry


class Bench(NamedTuple):
    """Room that a step overwrites."""

    plant: Workspace
    lab: Room


# --- compiled -----------------------------------------------------------------------------------


@part
def target_motion(plant, y, motion):
    """Writes the target's velocity and angular velocity, lab axes."""
    target = y[layout.target_start(plant) : layout.ledger_start(plant)]
    put3(motion, 0, get3(target, layout.V))
    R = quat_to_rotation(get4(target, layout.Q))
    put3(motion, 3, mul(R, get3(target, layout.W)))


@helper
def next_draw(state):
    """The number of an unused row of random numbers."""
    state.drawn[0] += 1
    return state.drawn[0] - 1


@part
def record(model, state, bench, log, span):
    """Appends one row: the loop's signals, then the lab's."""
    row = log.rows[log.row_count[0]]
    rows.record(model.loop, state.loop, bench.plant, log, span)
    modes = model.lab.mock_up.modes
    own = row[row.shape[0] - LAB_WIDTH - mode_count(modes) :]
    plant, y = model.loop.plant, state.loop.y
    target = y[layout.target_start(plant) : layout.ledger_start(plant)]
    p, quat = get3(state.lab.y, carrier.P), get4(state.lab.y, carrier.Q)
    q_OT = get4(target, layout.Q)
    put3(own, P_LT, p)
    put4(own, Q_LT, quat)
    for i in range(WRENCH):
        own[FELT + i] = state.outputs.reading[i]
    put3(own, P_TT, mul_t(quat_to_rotation(q_OT), sub(p, get3(target, layout.P))))
    put4(own, Q_TT, quat_positive(quat_mul(quat_inverse(q_OT), quat)))
    for mode in range(mode_count(modes)):
        own[LAB_WIDTH + mode] = state.lab.y[rendering.MODES + mode] * modes[mode + 1, PER_ETA]


@kernel
def render_until(plugged, model, state, bench, log, span):
    """As `sim.advance_until`, with the robot advancing behind the plant in every step."""
    loop, plant = state.loop, model.loop.plant
    h = span.step / NS_PER_S / span.substeps
    hub = loop.drive[plant.chaser.shape[0]]
    touching = (plant, loop.y, bench.plant.scratch)
    if loop.clock[orbit_loop.BEGUN] == 0:
        loop.clock[orbit_loop.BEGUN] = 1
        inputs = rendering.Inputs(state.motion, state.draws[next_draw(state)])
        feel(model.lab, state.lab, bench.lab, inputs, state.outputs, h)
        touch_at_start(plant, bench.plant, loop.y, 0.0)
        watch_interface(bench.plant, log.watch)
        watch_collisions(model.loop, loop, bench.plant, touching, 0.0, log.watch)
    for _ in range(span.ticks):
        if loop.clock[0] >= span.end or not has_room(log.watch):
            break
        if loop.clock[0] % span.control == 0:
            sense(model.loop, loop, bench.plant)
            status = control(plugged, model.loop, loop, touching, log.watch)
            if status != DONE:
                return status
        if loop.clock[0] % span.record == 0:
            record(model, state, bench, log, span)
        for substep in range(span.substeps):
            t = loop.clock[0] / NS_PER_S + substep * h
            act(model.loop, loop, t, h)
            for i in range(WRENCH):
                hub[DRIVE_FORCE + i] += state.outputs.reading[i]
            status = advance_plant(plant, loop.drive, bench.plant, loop.y, t, h)
            if status != OK:
                return status
            watch_interface(bench.plant, log.watch)
            target_motion(plant, loop.y, state.motion)
            inputs = rendering.Inputs(state.motion, state.draws[next_draw(state)])
            rendering.advance(model.lab, state.lab, bench.lab, inputs, state.outputs, h)
        loop.clock[0] += span.step
        watch_stops(plant, loop.y, loop.clock[0] / NS_PER_S, log.watch)
        passed = span.step / NS_PER_S
        watch_collisions(model.loop, loop, bench.plant, touching, passed, log.watch)
    if span.last and loop.clock[0] == span.end:
        record(model, state, bench, log, span)  # no turn comes after the last instant
    return OK


# --- Python -------------------------------------------------------------------------------------


class RobotLab:
    """The lab of a scenario with a robot, for `Simulation`."""

    kernels = "rendering"

    def __init__(self, scenario: Scenario) -> None:
        lab = build_lab(scenario)
        self.built = self.touching = lab.built
        self.provenance: dict[str, Any] = {}
        self.kernel = render_until
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
        self._model, self._state = lab.rendering, lab.state
        self._room, self._outputs = room_for(lab.state), quiet_outputs()
        self._motion = np.zeros(WRENCH)
        rng = generator(scenario.mission.seed, FACILITY)
        self.draws = RandomRows(STEPS_PER_CALL + 1, (rng, (WRENCH,)))

    def tell(self) -> list[Event]:
        """Nothing happens here that the loop does not see."""
        return []

    def why(self, status: int) -> str | None:
        """It never stops by itself."""
        return None

    def around(
        self, model: orbit_loop.Model, state: orbit_loop.State, work: Workspace
    ) -> tuple[Model, State, Bench]:
        """What `render_until` works on."""
        used = self.draws.rows, self.draws.used
        return (
            Model(model, self._model),
            State(state, self._state, self._outputs, self._motion, *used),
            Bench(work, self._room),
        )


def with_robot(scenario: Scenario, controller: Harness | None = None) -> Simulation:
    """A scenario that has a robot, made ready to run."""
    return Simulation(scenario, RobotLab(scenario), controller)
