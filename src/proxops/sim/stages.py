"""The stages as every loop calls them, in orbit and with a lab: sense, control, act.

They work on a loop's `Model` and `State`, see sim.
"""

from proxops.actuators.faults import brake, deliver, lateness, shut
from proxops.actuators.motors import give
from proxops.actuators.thrusters import fire
from proxops.bus import commands as to
from proxops.bus.truth import CHASER, HUB_WIDTH, TARGET, Truth
from proxops.core.clock import NS_PER_S
from proxops.core.jit import part
from proxops.core.spatial.quaternion import get4, put4
from proxops.core.spatial.vector import get3, put3
from proxops.onboard.functions.boost.boost import (
    SEEN_Q,
    SEEN_W,
    SEEN_X,
    SEEN_X_RATE,
    ask_boost,
    wants_plan,
)
from proxops.onboard.functions.joint_control import ask
from proxops.onboard.model import DONE
from proxops.plant import layout
from proxops.plant.history import play
from proxops.plant.holds import tell
from proxops.plant.model import DRIVE_FORCE, DRIVE_MOTOR
from proxops.plant.observe_interface import compression
from proxops.plant.observe_wrist import put_wrist
from proxops.plant.peaks import note_motors, note_touching
from proxops.sim.events import watch_boost, watch_mode, watch_swings

WANTS_PLAN = -1  # status: a cycle of the boost is to be planned


@part
def sense(model, state, work):
    """Shows everything to sensors as it is; those that joint control and boost have are ideal."""
    joints = state.seen_q.shape[0]
    for joint in range(joints):
        state.seen_q[joint] = state.y[layout.JOINTS + joint]
        state.seen_qd[joint] = state.y[layout.JOINTS + joints + joint]
    if state.boost.shares.shape[0] > 0:
        put4(state.measurements, SEEN_Q, get4(state.y, layout.Q))
        put3(state.measurements, SEEN_W, get3(state.y, layout.W))
        measured = model.ports.measured_contact[0]
        x, rate = compression(model.plant, measured, state.y, work.scratch)
        state.measurements[SEEN_X] = x
        state.measurements[SEEN_X_RATE] = rate
    if model.onboard.acts == 1:
        target = layout.target_start(model.plant)
        for i in range(HUB_WIDTH):
            state.hubs[CHASER, i] = state.y[i]
            state.hubs[TARGET, i] = state.y[target + i]
        put_wrist(model.plant, model.ports, state.y, work.scratch, state.wrench)
    note_touching(model.plant, state.y, work.scratch, state.peaks)


@part
def control(plugged, model, state, touching, watch):
    """On-board software and motors: from measurements to what actuators are commanded; touching =
    (plant, y, scratch) has the holds.  Returns DONE, or the status to go back to Python with."""
    if wants_plan(model.boost, state.boost):
        return WANTS_PLAN
    t = state.clock[0] / NS_PER_S
    joints = state.given.shape[0]
    valves = to.JOINTS + joints
    if model.onboard.acts == 1:
        status = consult(plugged, model, state)
        if status != DONE:
            return status
        watch_mode(state.commands, state.onboard.mind.memory, t, watch)
    else:
        wanted = state.commands[to.JOINTS : valves]
        ask(model.control, t, state.seen_q, state.seen_qd, wanted)
        ask_boost(model.boost, state.boost, state.measurements, state.commands[valves:])
        watch_boost(state.boost.memory, t, watch)
    carry_out(model, state, touching)
    watch_swings(model.motors.limit, state.given, t, model.onboard.period / NS_PER_S, watch)
    return DONE


@part
def consult(plugged, model, state):
    """Sensors, controller and services on board, in their order.  Returns a status."""
    sense_them, think, serve = plugged
    truth = Truth(
        state.clock[0],
        state.hubs,
        state.seen_q,
        state.seen_qd,
        state.wrench,
        lateness(state.faults) * model.onboard.platform.period,
        state.thrusters.level,
    )
    sense_them(model.onboard, state.onboard, truth, state.commands)
    status = think(model.onboard, state.onboard, truth, state.commands)
    if status != DONE:
        return status
    serve(model.onboard, state.onboard, truth, state.commands)
    return DONE


@part
def carry_out(model, state, touching):
    """Lets actuators and holds do what has arrived of what was asked, as far as they can."""
    now, joints = state.clock[0], state.given.shape[0]
    rates = layout.JOINTS + joints
    deliver(model.faults, state.faults, now, state.commands)
    arrived, valves = state.faults.arrived, to.JOINTS + joints
    give(model.motors, arrived[to.JOINTS : valves], state.y[rates : rates + joints], state.given)
    brake(model.faults, state.faults, now, (state.seen_q, state.seen_qd), state.given)
    note_motors(state.given, state.peaks)
    for joint in range(joints):
        state.drive[joint + 1, DRIVE_MOTOR] = state.given[joint]
    for i in range(state.valves.shape[0]):
        state.valves[i] = int(arrived[valves + i])
    shut(model.faults, now, state.valves)
    if model.onboard.acts == 1:
        plant, y, _ = touching
        tell(plant, y, arrived[to.HOLD])


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
