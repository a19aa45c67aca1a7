"""The stages as every loop calls them, in orbit and with a lab: sense, control, act.

They work on a loop's `Model` and `State`, see sim.
"""

from proxops.actuators.faults import brake, deliver, lateness, shut
from proxops.actuators.motors import give
from proxops.actuators.thrusters import fire
from proxops.bus import commands as to
from proxops.bus import ideal
from proxops.bus.truth import CHASER, HUB_WIDTH, TARGET
from proxops.core.clock import NS_PER_S
from proxops.core.jit import part
from proxops.core.spatial.quaternion import get4, put4
from proxops.core.spatial.vector import get3, put3
from proxops.onboard.function import DONE
from proxops.onboard.schedule import run_functions, sample
from proxops.plant import layout
from proxops.plant.history import play
from proxops.plant.holds import command_hold
from proxops.plant.model import DRIVE_FORCE, DRIVE_MOTOR
from proxops.plant.observe_interface import put_compression
from proxops.plant.observe_wrist import put_wrist
from proxops.plant.peaks import note_motors, note_touching
from proxops.sim.events import watch_boost, watch_mode, watch_swings


@part
def sense(model, state, work):
    """Shows everything to sensors as it is."""
    joints = state.q.shape[0]
    state.ideal[ideal.T] = state.clock[0] / NS_PER_S
    for joint in range(joints):
        state.q[joint] = state.y[layout.JOINTS + joint]
        state.qd[joint] = state.y[layout.JOINTS + joints + joint]
    if state.boost.shape[0] > 0:
        put4(state.ideal, ideal.Q, get4(state.y, layout.Q))
        put3(state.ideal, ideal.W, get3(state.y, layout.W))
        measured = model.ports.measured_contact[0]
        if model.plant.contacts.shape[0] > 0:
            put_compression(model.plant, measured, state.y, work.scratch, state.ideal, ideal.X)
    if model.onboard.sensors.shape[0] > 0:
        target = layout.target_start(model.plant)
        for i in range(HUB_WIDTH):
            state.hubs[CHASER, i] = state.y[i]
            state.hubs[TARGET, i] = state.y[target + i]
        put_wrist(model.plant, model.ports, state.y, work.scratch, state.wrench)
    note_touching(model.plant, state.y, work.scratch, state.peaks)


@part
def control(model, state, touching, span, watch):
    """Sensors, functions on board and motors; touching = (plant, y, scratch) has the holds.
    Returns DONE, or the status to go back to Python with."""
    t = state.clock[0] / NS_PER_S
    state.lateness[0] = lateness(state.faults) * (span.control / NS_PER_S)
    sample(model.onboard)
    status = run_functions(model.onboard, state.progress, state.clock[0])
    if status != DONE:
        return status
    if model.onboard.sensors.shape[0] > 0:
        watch_mode(state.commands, state.capture, t, watch)
    if state.boost.shape[0] > 0:
        watch_boost(state.boost, t, watch)
    carry_out(model, state, touching)
    watch_swings(model.motors.limit, state.given, t, span.software / NS_PER_S, watch)
    return DONE


@part
def carry_out(model, state, touching):
    """Lets actuators and holds do what has arrived of what was asked, as far as they can."""
    now, joints = state.clock[0], state.given.shape[0]
    rates = layout.JOINTS + joints
    deliver(model.faults, state.faults, now, state.commands)
    arrived, valves = state.faults.arrived, to.JOINTS + joints
    give(model.motors, arrived[to.JOINTS : valves], state.y[rates : rates + joints], state.given)
    brake(model.faults, state.faults, now, (state.q, state.qd), state.given)
    note_motors(state.given, state.peaks)
    for joint in range(joints):
        state.drive[joint + 1, DRIVE_MOTOR] = state.given[joint]
    for i in range(state.valves.shape[0]):
        state.valves[i] = int(arrived[valves + i])
    shut(model.faults, now, state.valves)
    if model.onboard.sensors.shape[0] > 0:
        plant, y, _ = touching
        for hold in range(plant.holds.shape[0]):
            command_hold(plant, y, hold, arrived[to.HOLD])


@part
def act(model, state, t, h):
    """Puts thrust and recorded wrenches on the hubs for a step of the plant, from t to t + h."""
    target = model.plant.chaser.shape[0]
    for column in range(DRIVE_FORCE, DRIVE_MOTOR):
        state.drive[0, column] = 0.0
        state.drive[target, column] = 0.0
    on_chaser = state.drive[0, DRIVE_FORCE:DRIVE_MOTOR]
    fire(model.thrusters, state.valves, state.thrusters, h, on_chaser)
    play(model.histories.chaser, t, h, state.drive, 0)
    play(model.histories.target, t, h, state.drive, target)
