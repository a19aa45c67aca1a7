"""The loop on a facility: target and chaser's base are modelled, arm and contact are real.

Every step of the plant, from t to t + h:

    felt wrench ─► plant: target, base under the measured arm ─► nominal ─► commands for t + h
    torques ─► ground torques (22) ─┐
    commands ─► robots ─► mock-ups, arm, contact ─► sensors ─► felt wrench, measured arm

Nothing knows the future: what is felt at t acts on the models until t + h.
"""

from typing import NamedTuple

import numpy as np

from proxops import sim
from proxops.core.jit import helper, kernel, part
from proxops.core.spatial.pose import compose, inverse
from proxops.core.spatial.quaternion import get4, put4, quat_to_rotation
from proxops.core.spatial.vector import add, cross, get3, mul, mul_t, put3, scale, sub
from proxops.events import has_room, watch_interface, watch_stops
from proxops.facility.cell.compliance import give_way
from proxops.facility.cell.rows import CHASER, PAIR, TARGET
from proxops.facility.cell.stage import (
    HALTED,
    Cell,
    CellRoom,
    CellState,
    advance_cell,
    feel,
    put_hub,
)
from proxops.facility.cell.world import GRAVITY
from proxops.facility.force_sensor import WRENCH
from proxops.facility.guard import table as guarding
from proxops.facility.guard.sentences import sentences
from proxops.facility.industrial.robot import AXES
from proxops.facility.representation import (
    NominalState,
    Representation,
    hub_in_orbit,
    lab_of,
    shown,
)
from proxops.obsw.boost import wants_plan
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import Tree, load3, load_mat
from proxops.physics.orbit.reference import sky_at
from proxops.physics.relative.command import carried_rate
from proxops.physics.relative.ground_arm import DIFFERENCE, LOAD_ROWS, fill_difference
from proxops.physics.relative.motion import SPIN, VELOCITY, P, Q, motion_of_state
from proxops.physics.relative.nominal import Course, course_step, nominal_motion
from proxops.plant import layout
from proxops.plant.frames import to_hill
from proxops.plant.measured_arm import MeasuredSystem, advance_measured, to_plant
from proxops.plant.model import DRIVE_FORCE, DRIVE_MOTOR, DRIVE_TORQUE, Workspace
from proxops.plant.observe import interface_signals, put_array
from proxops.plant.observe_interface import interface_count, put_interface
from proxops.plant.step import OK, touch_at_start
from proxops.plant.switching import place_craft
from proxops.rendered import refill
from proxops.run import Event, Signal
from proxops.scenario.cell import Made, build_cell
from proxops.scenario.facility import Lab
from proxops.scenario.load import Scenario
from proxops.scenario.procedure import take_tare
from proxops.scenario.robot import step_of
from proxops.sim import NS_PER_S, STEPS_PER_CALL, Log, Simulation, Span

FACILITY = 1  # key of its random numbers among those of the scenario's seed
TARE = 1  # of those while it is tared

# What the lab adds to a row, before what depends on arm and contacts
P_LT, Q_LT, P_LC, Q_LC = 0, 3, 7, 10
FELT = 14
P_HM, Q_NM = 20, 23
LAB_WIDTH = 27

# What robots add next
GUARD_MODE, ROBOTS_Q = 0, 1


class Model(NamedTuple):
    """Everything that stays the same during a rehearsal."""

    loop: sim.Model  # its plant knows no contacts: they are the lab's
    cell: Cell
    representation: Representation


class State(NamedTuple):
    """Everything that changes."""

    loop: sim.State  # its y is what z shows
    z: np.ndarray  # see plant.measured_arm
    qdd: np.ndarray  # of the arm in the latest step, the guess for the next
    nominal: NominalState
    cell: CellState
    draws: np.ndarray  # standard normal numbers (n, 2, 6)
    drawn: np.ndarray  # how many rows are used, one entry


class Bench(NamedTuple):
    """Room that a step overwrites."""

    plant: Workspace
    cell: CellRoom
    commands: np.ndarray  # (2, 13)
    loads: np.ndarray  # see physics.relative.ground_arm


# --- compiled -----------------------------------------------------------------------------------


@helper
def parts_of(plant):
    """Indices at which the target and the ledger begin in the plant's state."""
    return layout.target_start(plant), layout.ledger_start(plant)


@helper
def next_draw(state):
    """The number of an unused row of random numbers."""
    state.drawn[0] += 1
    return state.drawn[0] - 1


@part
def nominal_at(model, state, t):
    """(X_OM, V_OM, V̇_OM) at the time t [s]."""
    M = state.nominal
    if model.representation.target_fixed == 1:
        return motion_of_state(M.y, M.rate)
    return nominal_motion(model.representation.nominal, M.y, t, M.rate, M.scratch)


@part
def advance_nominal(model, state, y, t, h):
    """Brings M to t + h; where it is the target, to where y has it."""
    M = state.nominal
    if model.representation.target_fixed == 1:
        target = y[layout.target_start(model.loop.plant) :]
        for i in range(3):
            M.rate[VELOCITY + i] = (target[layout.V + i] - M.y[VELOCITY + i]) / h
            M.rate[SPIN + i] = (target[layout.W + i] - M.y[SPIN + i]) / h
        for i in range(layout.JOINTS):
            M.y[i] = target[i]
        return
    course_step(Course(model.representation.nominal, M.scratch), M.y, M.stages, t, h)


@part
def put_commands(model, state, y, t, commands):
    """Writes the motions that show both hubs in the lab at the time t [s]."""
    M = nominal_at(model, state, t)
    plant = model.loop.plant
    target, end = parts_of(plant)
    X, v, w = shown(model.representation, M, hub_in_orbit(y[:target]))
    put_hub(commands[CHASER], X, v, w)
    X, v, w = shown(model.representation, M, hub_in_orbit(y[target:end]))
    put_hub(commands[TARGET], X, v, w)


@part
def drive_arm(model, state, bench, t):
    """Gives the real arm the torque with which it moves as in orbit (22); lets it give way once
    the guard has dropped a command."""
    plant, y = model.loop.plant, state.loop.y
    if state.cell.memory.status[guarding.MODE] != guarding.RUNNING:
        give_way(model.cell, state.cell, bench.cell, bench.plant.scratch)
        return
    X_OC, V_b = hub_in_orbit(y)
    X_LC, V_s = hub_in_orbit(state.cell.motions[CHASER])
    M = nominal_at(model, state, t)
    X_MC = compose(inverse(lab_of(model.representation)), X_LC)
    apart = carried_rate(X_MC, V_s, M[1], M[2])
    g = mul_t(quat_to_rotation(X_LC[0]), GRAVITY)
    mu, R_NO = sky_at(plant.orbit, t)
    R_OC = quat_to_rotation(X_OC[0])
    sky = (mu, mul_t(R_OC, R_NO), mul_t(R_OC, X_OC[1]))
    joints = plant.chaser_topology.shape[0]
    rates = layout.JOINTS + joints
    arm = (y[layout.JOINTS : rates], y[rates : rates + joints])
    tree = Tree(plant.chaser, plant.chaser_topology)
    bodies = plant.chaser.shape[0]
    scratch = bench.plant.scratch[:bodies]
    fill_difference(tree, (V_b, V_s, apart, g), arm, sky, bench.loads, scratch)
    for joint in range(joints):
        more = bench.loads[DIFFERENCE, BASE_DOF + joint]
        bench.cell.drive[joint + 1, DRIVE_MOTOR] = state.loop.given[joint] + more


@part
def put_felt(model, state, bench):
    """Puts the felt wrench on the target, and its opposite on the arm's last link."""
    plant, y, drive = model.loop.plant, state.loop.y, state.loop.drive
    target, _ = parts_of(plant)
    bodies, body = plant.chaser.shape[0], model.loop.ports.effector_body[0]
    felt = state.cell.readings[model.cell.felt_by]
    f, t = get3(felt, 0), get3(felt, 3)
    for i in range(WRENCH):
        drive[bodies, DRIVE_FORCE + i] += felt[i]
    place_craft(Tree(plant.chaser, plant.chaser_topology), y[:target], bench.plant.scratch[:bodies])
    R_OT = quat_to_rotation(get4(y[target:], layout.Q))
    R_OC = quat_to_rotation(get4(y, layout.Q))
    apart = mul_t(R_OC, sub(get3(y[target:], layout.P), get3(y, layout.P)))
    lever = sub(apart, load3(bench.plant.scratch, body, at.P))  # from the link to To, in C
    R_CB = load_mat(bench.plant.scratch, body, at.R)
    f_C, t_C = mul_t(R_OC, mul(R_OT, f)), mul_t(R_OC, mul(R_OT, t))
    put3(drive[body], DRIVE_FORCE, scale(-1.0, mul_t(R_CB, f_C)))
    put3(drive[body], DRIVE_TORQUE, scale(-1.0, mul_t(R_CB, add(t_C, cross(lever, f_C)))))


@part
def take_arm(state, h):
    """Takes the joints over as they are measured."""
    joints = state.qdd.shape[0]
    for joint in range(joints):
        position, rate = layout.JOINTS + joint, layout.JOINTS + joints + joint
        state.qdd[joint] += (state.cell.y[rate] - state.z[rate]) / h
        state.z[position] = state.cell.y[position]
        state.z[rate] = state.cell.y[rate]


@part
def record(model, state, bench, log, span):
    """Appends one row: the loop's signals, then the lab's."""
    row = log.rows[log.row_count[0]]
    own = row[sim.record(model.loop, state.loop, bench.plant, log, span) :]
    here, cell, M = state.cell.motions, model.cell, state.nominal.y
    t = state.loop.clock[0] / NS_PER_S
    put3(own, P_LT, get3(here[TARGET], layout.P))
    put4(own, Q_LT, get4(here[TARGET], layout.Q))
    put3(own, P_LC, get3(here[CHASER], layout.P))
    put4(own, Q_LC, get4(here[CHASER], layout.Q))
    for i in range(WRENCH):
        own[FELT + i] = state.cell.readings[cell.felt_by, i]
    put3(own, P_HM, to_hill(model.loop.plant.orbit, t, get3(M, P), get3(M, VELOCITY))[0])
    put4(own, Q_NM, get4(M, Q))
    end = LAB_WIDTH
    if cell.ideal == 0:
        own[end + GUARD_MODE] = state.cell.memory.status[guarding.MODE]
        end = put_array(own, end + ROBOTS_Q, state.cell.axes.q)
    joints = state.qdd.shape[0]
    end = put_array(own, end, bench.cell.drive[1 : 1 + joints, DRIVE_MOTOR])
    if interface_count(cell.plant) > 0:
        put_interface(cell.plant, state.cell.y, bench.cell.work.scratch, own, end)


@kernel
def rehearse_until(model, state, bench, log, span, ticks):
    """As `sim.advance_until`, with the facility advancing behind the models in every step."""
    loop, plant, cell = state.loop, model.loop.plant, model.cell
    h = span.step / NS_PER_S / span.substeps
    if loop.clock[0] == 0:
        touch_at_start(cell.plant, bench.cell.work, state.cell.y, 0.0)
        watch_interface(bench.cell.work, log.watch)
        feel(cell, state.cell, bench.cell, state.draws[next_draw(state)], h)
    for _ in range(ticks):
        if loop.clock[0] >= span.end or not has_room(log.watch):
            break
        if loop.clock[0] % span.control == 0:
            sim.sense(model.loop, loop, bench.plant)
            if wants_plan(model.loop.boost, loop.boost):
                return sim.WANTS_PLAN
            sim.control(model.loop, loop, log.watch)
        if loop.clock[0] % span.record == 0:
            drive_arm(model, state, bench, loop.clock[0] / NS_PER_S)
            record(model, state, bench, log, span)
        for substep in range(span.substeps):
            t = loop.clock[0] / NS_PER_S + substep * h
            drive_arm(model, state, bench, t)
            sim.act(model.loop, loop, t, h)
            put_felt(model, state, bench)
            system = MeasuredSystem(plant, loop.drive, state.qdd, bench.plant.scratch)
            status = advance_measured(system, bench.plant.stages, state.z, t, h)
            if status != OK:
                return status
            to_plant(plant, state.z, loop.y, bench.plant.scratch)
            advance_nominal(model, state, loop.y, t, h)
            put_commands(model, state, loop.y, t + h, bench.commands)
            draws = state.draws[next_draw(state)]
            status = advance_cell(cell, state.cell, bench.cell, bench.commands, draws, h)
            if status != OK:
                return status
            watch_interface(bench.cell.work, log.watch)
            take_arm(state, h)
            to_plant(plant, state.z, loop.y, bench.plant.scratch)
        loop.clock[0] += span.step
        watch_stops(plant, loop.y, loop.clock[0] / NS_PER_S, log.watch)
    if span.last and loop.clock[0] == span.end:
        drive_arm(model, state, bench, loop.clock[0] / NS_PER_S)
        record(model, state, bench, log, span)  # no turn comes after the last instant
        if state.cell.memory.status[guarding.MODE] != guarding.RUNNING:
            return HALTED  # before the robots stand
    return OK


# --- Python -------------------------------------------------------------------------------------


ROBOT_SIGNALS = (
    Signal("lab.guard.mode", "1", "", ()),
    Signal("lab.robots.target.q", "rad", "", (AXES,)),
    Signal("lab.robots.chaser.q", "rad", "", (AXES,)),
)


class FacilityLab:
    """A scenario on a facility, for `Simulation`."""

    kernels = "rehearsal"

    def __init__(
        self, scenario: Scenario, lab: Lab, representation: str, tare: bool = False
    ) -> None:
        made = build_cell(scenario, lab.facility, representation)
        if tare:
            made = tared(made, scenario, lab)
        self.provenance = {
            "facility": {"name": lab.name, "file": lab.facility.model_dump(mode="json")},
            "representation": representation,
        }
        touching = made.touching
        self.built, self.touching = made.built, touching
        self.signals = (
            Signal("lab.p_LTl", "m", "L", (3,)),
            Signal("lab.q_LTl", "1", "Tl to L, wxyz", (4,)),
            Signal("lab.p_LCl", "m", "L", (3,)),
            Signal("lab.q_LCl", "1", "Cl to L, wxyz", (4,)),
            Signal("lab.felt", "N,N,N,N m,N m,N m", "T", (WRENCH,)),
            Signal("nominal.p_HN", "m", "H", (3,)),
            Signal("nominal.q_NN", "1", "nominal to N, wxyz", (4,)),
            *(ROBOT_SIGNALS if made.cell.ideal == 0 else ()),
            *(
                Signal(f"lab.arms.{each.name}.tau_q", each.arm.unit("N m", "N"), "", each.q.shape)
                for each in made.built.chaser.arms
            ),
            *(Signal(*row) for row in interface_signals(touching.contacts, touching.holds)),
        )
        self._made = made
        self._told = 0  # rows of the guard's log
        joints = len(made.built.plant.chaser_topology)
        self._commands = np.zeros((PAIR, layout.JOINTS))
        self._loads = np.zeros((LOAD_ROWS, BASE_DOF + joints))
        seed = np.random.SeedSequence(scenario.mission.seed, spawn_key=(FACILITY,))
        self._rng = np.random.default_rng(seed)
        self._draws = self._rng.standard_normal((STEPS_PER_CALL + 2, PAIR, WRENCH))
        self._drawn = np.zeros(1, dtype=np.int64)

    @property
    def made(self) -> Made:
        """The stages, as they are now."""
        return self._made

    def tell(self) -> list[Event]:
        """What the guard has done since it was last asked."""
        rows = self._guard_log()
        new, self._told = rows[self._told :], len(rows)
        return [Event(t, "guard", text) for t, text in new]

    def why(self, status: int) -> str | None:
        """What the guard stopped both robots for, if it has."""
        if status != HALTED:
            return None
        return f"the guard ends the rehearsal: {self._guard_log()[0][1]}"

    def _guard_log(self) -> list[tuple[float, str]]:
        return sentences(self._made.guarded, self._made.state.memory.log)

    def advance_until(
        self, loop: sim.Model, state: sim.State, work: Workspace, log: Log, span: Span, ticks: int
    ) -> int:
        """One call into the compiled loop; returns a status."""
        made = self._made
        refill(self._rng, self._draws, self._drawn)
        model = Model(loop, made.cell, made.representation)
        whole = State(state, made.z, made.qdd, made.nominal, made.state, self._draws, self._drawn)
        bench = Bench(work, made.room, self._commands, self._loads)
        return int(rehearse_until(model, whole, bench, log, span, ticks))


def tared(made: Made, scenario: Scenario, lab: Lab) -> Made:
    """The stages with their force sensors tared as the facility does it."""
    seed = np.random.SeedSequence(scenario.mission.seed, spawn_key=(FACILITY, TARE))
    return take_tare(made, lab.facility, step_of(scenario), np.random.default_rng(seed))


def on_facility(
    scenario: Scenario, lab: Lab, representation: str, tare: bool = False
) -> Simulation:
    """A scenario made ready to be rehearsed, its force sensors tared if that is asked for."""
    return Simulation(scenario, FacilityLab(scenario, lab, representation, tare))
