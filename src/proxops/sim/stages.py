"""The stages as every loop calls them, in orbit and with a lab: control and act.

They work on a loop's `Model` and `State`, see sim.
"""

from proxops.actuators.faults import brake, deliver, fail_valves, lateness
from proxops.actuators.motors import apply
from proxops.actuators.target_manoeuvre import push_target
from proxops.actuators.thrusters import fire, isolate
from proxops.core.clock import NS_PER_S
from proxops.core.jit import part
from proxops.onboard.function import DONE
from proxops.onboard.schedule import run_functions, sample
from proxops.plant import layout
from proxops.plant.history import play
from proxops.plant.holds import command_hold
from proxops.plant.model import DRIVE_FORCE, DRIVE_MOTOR
from proxops.plant.peaks import note_motors
from proxops.sim.events import watch_changes, watch_swings


@part
def control(model, state, touching, span, watch):
    """Sensors, functions on board and motors; touching = (plant, y, scratch) has the holds.
    Returns DONE, or the status to go back to Python with."""
    t = state.clock[0] / NS_PER_S
    state.t[0] = t
    state.lateness[0] = lateness(state.faults) * (span.control / NS_PER_S)
    status = sample(model.onboard, state.progress, state.drawn, state.clock[0])
    if status != DONE:
        return status
    status = run_functions(model.onboard, state.progress, state.clock[0])
    if status != DONE:
        return status
    watch_changes(model.onboard.changes, state.estimates, t, watch)
    carry_out(model, state, touching, span)
    watch_swings(model.motors.limit, state.applied, t, span.software / NS_PER_S, watch)
    return DONE


@part
def brakes_are_due(state, span):
    """Whether brakes are to be set or released now: at an instant where a step of every pace ends,
    since joints that are free need short ones."""
    if state.brakes.shape[0] == 0 or state.clock[0] % span.look != 0:
        return False
    return state.arrived.brakes[0] != state.brakes[0]


@part
def carry_out(model, state, touching, span):
    """Lets actuators and holds do what has arrived of the commands, as far as they can."""
    now, joints, arrived = state.clock[0], state.applied.shape[0], state.arrived
    rates = layout.JOINTS + joints
    deliver(model.faults, state.faults, now, state.commands)
    apply(model.motors, arrived.motors, state.y[rates : rates + joints], state.applied)
    brake(model.faults, state.faults, now, (state.q, state.qd), state.applied)
    note_motors(state.applied, state.peaks)
    for joint in range(joints):
        state.drive[joint + 1, DRIVE_MOTOR] = state.applied[joint]
    if now % span.valves == 0:
        period = span.valves / NS_PER_S
        for i in range(state.burns.shape[0]):
            state.burns[i] = period * min(max(arrived.valves[i], 0.0), 1.0)
        fail_valves(model.faults, now, period, state.burns, state.thrusters.share)
        isolate(state.thrusters, arrived.isolation, state.burns)
    if model.onboard.sensors.shape[0] > 0:
        plant, y, _ = touching
        for hold in range(plant.holds.shape[0]):
            command_hold(plant, y, hold, arrived.holds[hold])


@part
def act(model, state, t, h):
    """Puts thrust and recorded wrenches on the hubs for a step of the plant, from t to t + h."""
    target = model.plant.chaser.shape[0]
    for column in range(DRIVE_FORCE, DRIVE_MOTOR):
        state.drive[0, column] = 0.0
        state.drive[target, column] = 0.0
    on_chaser = state.drive[0, DRIVE_FORCE:DRIVE_MOTOR]
    fire(model.thrusters, state.burns, state.thrusters, h, on_chaser)
    play(model.histories.chaser, t, h, state.drive, 0)
    play(model.histories.target, t, h, state.drive, target)
    if model.faults.table.shape[0] > 0:
        q_NT = state.y[layout.target_start(model.plant) + layout.Q :]
        on_target = state.drive[target, DRIVE_FORCE:DRIVE_MOTOR]
        push_target(model.faults, model.plant.orbit, q_NT, t, h, on_target)
