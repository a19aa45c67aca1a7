"""The loop on a facility: target and chaser's base are modelled, arm and contact are real.

Every step of the plant, from t to t + h:

    felt wrench ─► plant: target, base under the measured arm ─► nominal ─► commands for t + h
    torques ─► ground torques (22) ─┐
    commands ─► robots ─► mock-ups, arm, contact ─► sensors ─► felt wrench, measured arm

Nothing knows the future: what is felt at t acts on the models until t + h.
"""

from typing import NamedTuple

import numpy as np

from proxops.bus.truth import CHASER as TRUE_CHASER
from proxops.bus.truth import HUB_WIDTH
from proxops.bus.truth import TARGET as TRUE_TARGET
from proxops.core.clock import NS_PER_S
from proxops.core.jit import helper, kernel, part
from proxops.core.spatial.pose import compose, inverse, minus
from proxops.core.spatial.quaternion import get4, put4, quat_to_rotation
from proxops.core.spatial.vector import get3, mul_t, put3
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.guard import table as guarding
from proxops.facility.common.mapping import put_sensed, see
from proxops.facility.common.passivity.energy_port import (
    Port,
    PortState,
    lead_away,
    note,
    pair_of,
    see_lab,
    see_model,
    stored_in,
    stray,
    take_over,
    way_rate,
)
from proxops.facility.common.representation import (
    NominalState,
    Representation,
    hub_in_orbit,
    lab_of,
    shown,
)
from proxops.facility.robot_cell.as_published import (
    DRIFT_WIDTH,
    AsPublished,
    advance_published,
    put_drift,
)
from proxops.facility.robot_cell.compliance import give_way
from proxops.facility.robot_cell.ground_torque import GroundTorque, extrapolate
from proxops.facility.robot_cell.rows import CARRIERS, CHASER, PAIR, TARGET
from proxops.facility.robot_cell.stage import (
    HALTED,
    Cell,
    CellRoom,
    CellState,
    advance_cell,
    begin,
    feel,
    put_hub,
)
from proxops.facility.robot_cell.world import GRAVITY
from proxops.facility.robot_cell.wrist import put_wrist_wrench
from proxops.onboard.functions.boost.boost import SEEN_Q, SEEN_W
from proxops.onboard.model import DONE
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import Tree
from proxops.physics.orbit.reference import sky_at
from proxops.physics.relative.command import carried_rate
from proxops.physics.relative.ground_arm import DIFFERENCE, fill_difference
from proxops.physics.relative.motion import SPIN, VELOCITY, P, Q, motion_of_state
from proxops.physics.relative.nominal import Course, advance_course, nominal_motion
from proxops.plant import layout
from proxops.plant.frames import to_hill
from proxops.plant.measured_arm import MeasuredSystem, advance_measured, spin_wheels, to_plant
from proxops.plant.model import DRIVE_FORCE, DRIVE_MOTOR, Workspace
from proxops.plant.observe import put_array
from proxops.plant.observe_interface import interface_count, put_interface
from proxops.plant.peaks import note_touching
from proxops.plant.step import OK, touch_at_start
from proxops.sim import loop as orbit_loop
from proxops.sim import rows
from proxops.sim.events import has_room, watch_collisions, watch_interface, watch_stops
from proxops.sim.stages import act, control, sense

# What the lab adds to a row, before what depends on arm and contacts
P_LT, Q_LT, P_LC, Q_LC = 0, 3, 7, 10
FELT = 14
P_HM, Q_NM = 20, 23
PORT = 27  # see facility.passivity.port

# What robots add next
GUARD_MODE, ROBOTS_Q = 0, 1


class Model(NamedTuple):
    """Everything that stays the same during a rehearsal."""

    loop: orbit_loop.Model  # its plant knows no contacts: they are the lab's
    cell: Cell
    representation: Representation
    port: Port


class State(NamedTuple):
    """Everything that changes."""

    loop: orbit_loop.State  # its y is what z shows
    z: np.ndarray  # see plant.measured_arm
    qdd: np.ndarray  # of all joints in the latest step, the guess for the next
    ground: GroundTorque
    spins: np.ndarray  # of the wheels, see plant.measured_arm [rad/s]
    nominal: NominalState
    cell: CellState
    published: AsPublished  # beside the commands that are followed
    draws: np.ndarray  # standard normal numbers (n, 3, 6)
    drawn: np.ndarray  # how many rows are used, one entry
    port: PortState


class Bench(NamedTuple):
    """Room that a step overwrites."""

    plant: Workspace
    cell: CellRoom
    commands: np.ndarray  # (2, 13)
    loads: np.ndarray  # see physics.relative.ground_arm


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
    advance_course(Course(model.representation.nominal, M.scratch), M.y, M.stages, t, h)


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
    lead_away(model.port, state.port, commands)


@part
def drive_arm(model, state, bench, t):
    """Gives the real arm the torque with which it moves as in orbit (22), on a carrier that may be
    led away as well; lets it give way once the guard has dropped a command."""
    plant, y = model.loop.plant, state.loop.y
    if state.cell.memory.status[guarding.MODE] != guarding.RUNNING:
        give_way(model.cell, state.cell, bench.cell, bench.plant.scratch)
        return
    X_OC, V_b = hub_in_orbit(y)
    X_LC, V_s = hub_in_orbit(state.cell.sensed.known[CHASER])
    M = nominal_at(model, state, t)
    X_MC = compose(inverse(lab_of(model.representation)), X_LC)
    apart = minus(carried_rate(X_MC, V_s, M[1], M[2]), way_rate(state.port, V_b))
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
    for joint in range(model.cell.plant.chaser_topology.shape[0]):  # wheels are not in the lab
        more = bench.loads[DIFFERENCE, BASE_DOF + joint]
        bench.cell.drive[joint + 1, DRIVE_MOTOR] = state.loop.given[joint] + more


@part
def put_felt(model, state, bench, h):
    """Puts what is felt, or what passivity control makes of it, on the target for a step of h [s],
    and its opposite on the chaser's body that is touched.  Which body that is does not matter to
    momentum, so the link that carries all that touch may stand for them."""
    plant, port, drive = model.loop.plant, model.port, state.loop.drive
    bodies, body, scratch = plant.chaser.shape[0], port.body, bench.plant.scratch
    felt = state.cell.readings[model.cell.felt_by]
    link, _ = pair_of(plant, state.loop.y, scratch, body)
    take_over(port, state.port, link, felt, h)
    stray(port, state.port, scratch, h)
    fed = state.port.controlled.fed
    for i in range(WRENCH):
        if body > 0:  # the hub's row is new in every step, and holds what else pushes there
            drive[body, DRIVE_FORCE + i] = 0.0
        drive[body, DRIVE_FORCE + i] += fed[CHASER, i]
        drive[bodies, DRIVE_FORCE + i] += fed[TARGET, i]


@part
def map_back(model, state, bench, t, draws):
    """Sees the orbit in what is known of the lab at the time t [s]."""
    sensing, sensed = model.cell.sensing, state.cell.sensed
    M = nominal_at(model, state, t)
    if sensing.measured == 1:
        see(model.representation, M, sensed.known, sensing.noise, draws, sensed.seen)
    else:
        see(model.representation, M, bench.commands, 0.0, draws, sensed.seen)


@helper
def see_through_lab(loop, chaser):
    """Lets on-board software see the chaser's attitude and rate as the lab shows them (23)."""
    put4(loop.measurements, SEEN_Q, get4(chaser, layout.Q))
    put3(loop.measurements, SEEN_W, get3(chaser, layout.W))


@part
def show_lab(model, state, bench):
    """Shows the sensors on board both spacecraft through the lab (23), and what the wrist feels."""
    loop, seen = state.loop, state.cell.sensed.seen
    if model.loop.onboard.acts == 0:
        return
    for i in range(HUB_WIDTH):
        loop.hubs[TRUE_CHASER, i] = seen[CHASER, i]
        loop.hubs[TRUE_TARGET, i] = seen[TARGET, i]
    put_wrist_wrench(model.cell, state.cell, model.loop.ports, bench.cell.work.scratch, loop.wrench)


@part
def take_arm(state, h):
    """Takes the joints over as they are measured; wheels, the last, are not in the lab."""
    rates = layout.JOINTS + state.qdd.shape[0]
    measured = state.qdd.shape[0] - state.spins.shape[0]
    for joint in range(measured):
        position, rate = layout.JOINTS + joint, rates + joint
        now = state.cell.y[layout.JOINTS + measured + joint]
        state.qdd[joint] += (now - state.z[rate]) / h
        state.z[position] = state.cell.y[position]
        state.z[rate] = now


@part
def record_drift(model, state, t, row):
    """Writes how far the published commands are from those that are followed; returns the width."""
    if state.published.on == 0:
        return 0
    target, _ = parts_of(model.loop.plant)
    shows, M, y = model.representation, nominal_at(model, state, t), state.loop.y
    put_drift(state.published, shows, M, y[target:], TARGET, row)
    put_drift(state.published, shows, M, y[:target], CHASER, row[DRIFT_WIDTH:])
    return PAIR * DRIFT_WIDTH


@part
def watch_port(model, state, bench, h):
    """Books the energy of the step of h [s] that ends now, as models and carriers have it."""
    loop, port = model.loop, model.port
    see_model(port, state.port, loop.plant, state.loop.y, bench.plant.scratch, h)
    see_lab(port, state.port, model.cell, state.cell, bench.cell.work.scratch, h)
    note(state.port, state.cell.memory.status[guarding.MODE] == guarding.RUNNING)


@part
def record(model, state, bench, log, span):
    """Appends one row: the loop's signals, then the lab's."""
    row = log.rows[log.row_count[0]]
    own = row[rows.record(model.loop, state.loop, bench.plant, log, span) :]
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
    end = put_array(own, PORT, state.port.now)
    end += record_drift(model, state, t, own[end:])
    if cell.ideal == 0:
        own[end + GUARD_MODE] = state.cell.memory.status[guarding.MODE]
        end = put_array(own, end + ROBOTS_Q, state.cell.axes.q)
    joints = cell.plant.chaser_topology.shape[0]
    end = put_array(own, end, bench.cell.drive[1 : 1 + joints, DRIVE_MOTOR])
    end = put_sensed(state.cell.sensed, own, end)
    if interface_count(cell.plant) > 0:
        scratch, y = bench.cell.work.scratch, state.cell.y
        end = put_interface(cell.plant, y, scratch, own, end)
        rows.put_touching_peaks(cell.plant, y, scratch, state.loop.peaks, own, end)


@kernel
def rehearse_until(plugged, model, state, bench, log, span):
    """As `sim.advance_until`, with the facility advancing behind the models in every step."""
    loop, plant, cell = state.loop, model.loop.plant, model.cell
    h = span.step / NS_PER_S / span.substeps
    touching = (cell.plant, state.cell.y, bench.cell.work.scratch)
    if loop.clock[orbit_loop.BEGUN] == 0:
        loop.clock[orbit_loop.BEGUN] = 1
        begin(cell, state.cell)
        touch_at_start(cell.plant, bench.cell.work, state.cell.y, 0.0)
        watch_interface(bench.cell.work, log.watch)
        draws = state.draws[next_draw(state)]
        feel(cell, state.cell, bench.cell, draws, h)
        state.port.stored[0] = stored_in(cell.plant, state.cell.y, bench.cell.work.scratch)
        watch_port(model, state, bench, 0.0)
        put_commands(model, state, loop.y, 0.0, bench.commands)
        map_back(model, state, bench, 0.0, draws[CARRIERS])
        watch_collisions(model.loop, loop, bench.plant, touching, 0.0, log.watch)
    for _ in range(span.ticks):
        if loop.clock[0] >= span.end or not has_room(log.watch):
            break
        if loop.clock[0] % span.control == 0:
            sense(model.loop, loop, bench.plant)
            see_through_lab(loop, state.cell.sensed.seen[CHASER])
            show_lab(model, state, bench)
            note_touching(cell.plant, state.cell.y, bench.cell.work.scratch, loop.peaks)
            status = control(plugged, model.loop, loop, touching, log.watch)
            if status != DONE:
                return status
        if loop.clock[0] % span.record == 0:
            drive_arm(model, state, bench, loop.clock[0] / NS_PER_S)
            record(model, state, bench, log, span)
        for substep in range(span.substeps):
            t = loop.clock[0] / NS_PER_S + substep * h
            drive_arm(model, state, bench, t)
            if cell.ideal == 1:
                extrapolate(state.ground, bench.loads, bench.cell.drive, t, h)
            act(model.loop, loop, t, h)
            put_felt(model, state, bench, h)
            advance_published(state.published, loop.drive, state.z, state.qdd, t, h)
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
            map_back(model, state, bench, t + h, draws[CARRIERS])
            watch_interface(bench.cell.work, log.watch)
            take_arm(state, h)
            spin_wheels(system, state.z, state.spins, h)
            to_plant(plant, state.z, loop.y, bench.plant.scratch)
            watch_port(model, state, bench, h)
        loop.clock[0] += span.step
        watch_stops(plant, loop.y, loop.clock[0] / NS_PER_S, log.watch)
        passed = span.step / NS_PER_S
        watch_collisions(model.loop, loop, bench.plant, touching, passed, log.watch)
    if span.last and loop.clock[0] == span.end:
        drive_arm(model, state, bench, loop.clock[0] / NS_PER_S)
        record(model, state, bench, log, span)  # no turn comes after the last instant
        if state.cell.memory.status[guarding.MODE] != guarding.RUNNING:
            return HALTED  # before the robots stand
    return OK
