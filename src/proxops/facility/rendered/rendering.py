"""A body that is only modelled, rendered by a robot: the facility as a stage of the loop.

    modelled body ─velocity─► delay ─► carrier ─motion─► mock-up ─wrench─► sensor ─reading─►

Whoever models the body advances it under the latest reading, then `advance` brings the robot to the
same instant.  Sensor, control and delay are whole numbers of steps.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, kernel, part
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_normalised,
    quat_rate,
    quat_to_rotation,
)
from proxops.core.spatial.vector import add, get3, mul_t, put3, scale, sub
from proxops.facility.common import carrier as carried
from proxops.facility.common.carrier import CARRIER_SIZE, Carrier, follow
from proxops.facility.common.force_sensor import (
    FORCE,
    TORQUE,
    WRENCH,
    ForceSensor,
    filter_rate,
    read,
    take_sample,
)
from proxops.facility.rendered.mock_up import MockUp, swing
from proxops.facility.rendered.probe import Probe, push_of_probe
from proxops.physics.flexible.modes import mode_count
from proxops.physics.integrate.rk4 import K, rk4_of

# State.y: the carrier, then
FILTERED = CARRIER_SIZE  # wrench behind the sensor's filter
MODES = CARRIER_SIZE + WRENCH  # modal coordinates of what is bolted to the flange, then their rates


class Rendering(NamedTuple):
    """Everything that stays the same."""

    control: int  # period in which a reading is taken over [steps]
    carrier: Carrier
    sensor: ForceSensor
    mock_up: MockUp
    probe: Probe


class State(NamedTuple):
    """Everything that changes; a copy of its arrays is a snapshot."""

    clock: np.ndarray  # steps done, one entry
    y: np.ndarray
    commands: np.ndarray  # motions of the modelled body, one row a step, written in turn
    samples: np.ndarray  # of the sensor, written in turn


class RenderingWorkspace(NamedTuple):
    """What a step overwrites."""

    stages: np.ndarray
    scratch: np.ndarray


class Inputs(NamedTuple):
    """What comes from outside."""

    motion: np.ndarray  # velocity, angular velocity of the modelled body now, lab axes [m/s, rad/s]
    draw: np.ndarray  # standard normal numbers, one a component of a sample


class Outputs(NamedTuple):
    """Wrenches on the mock-up at its origin, in its axes [N, N m]."""

    reading: np.ndarray  # as the control has it
    wrench: np.ndarray  # as it is


class FlangeSystem(NamedTuple):
    """The carrier with its mock-up, commanded along a line from `begin` to `end` in a step."""

    model: Rendering
    begin: np.ndarray
    end: np.ndarray
    wrench: np.ndarray
    scratch: np.ndarray
    since: float  # time at which the step begins [s]
    dt: float  # its length [s]


@part
def flange_rates(system, y, t, rate):
    """Writes the rates of carrier, filter and modes, and the wrench on the mock-up; t counts from
    the beginning of the step."""
    model, begin, end, wrench, scratch, since, dt = system
    for at in (FORCE, TORQUE):
        slope = scale(1.0 / dt, sub(get3(end, at), get3(begin, at)))
        command = add(get3(begin, at), scale(t, slope))
        first, second = follow(model.carrier, y, command, slope, at)
        put3(rate, carried.VELOCITY + at, first)
        put3(rate, carried.ACCELERATION + at, second)
    quat = get4(y, carried.Q)
    R = quat_to_rotation(quat)
    v_L, w_L = get3(y, carried.VELOCITY), get3(y, carried.VELOCITY + TORQUE)
    w = mul_t(R, w_L)
    put3(rate, carried.P, v_L)
    put4(rate, carried.Q, quat_rate(quat, w))
    a = mul_t(R, get3(rate, carried.VELOCITY))
    alpha = mul_t(R, get3(rate, carried.VELOCITY + TORQUE))

    n = mode_count(model.mock_up.modes)
    eta, eta_rate = y[MODES : MODES + n], y[MODES + n : MODES + 2 * n]
    for mode in range(n):
        rate[MODES + mode] = eta_rate[mode]
    f, twist = push_of_probe(model.probe, since + t, (get3(y, carried.P), R), (v_L, w_L))
    put3(wrench, FORCE, f)
    put3(wrench, TORQUE, twist)
    motion = (mul_t(R, v_L), w, a, alpha)
    swing(model.mock_up, motion, (eta, eta_rate, rate[MODES + n :]), scratch, wrench)
    for i in range(WRENCH):
        rate[FILTERED + i] = filter_rate(model.sensor, y[FILTERED + i], wrench[i])


step_flange = rk4_of(flange_rates)


@helper
def late(model, state, step):
    """Row of the command that reaches the carrier as the step of that number begins: as old as the
    transport delay.  Rows not yet written hold the motion at the start."""
    return (step - model.carrier.delay) % state.commands.shape[0]


@part
def advance(model, state, workspace, inputs, outputs, dt):
    """Brings the robot from one instant to the next, dt [s] later, at which the modelled body has
    the motion of the inputs.  Before the first step `measure` gives the reading to begin with."""
    command(state, inputs)
    carry(model, state, workspace, outputs, dt)
    measure(model, state, workspace, inputs, outputs, dt)


@part
def command(state, inputs):
    """Sends the motion of the modelled body at the end of this step, which arrives late."""
    row = (state.clock[0] + 1) % state.commands.shape[0]
    for i in range(WRENCH):
        state.commands[row, i] = inputs.motion[i]


@part
def carry(model, state, workspace, outputs, dt):
    """Lets the carrier follow the commands that have arrived, with its mock-up, dt [s] on."""
    step = state.clock[0]
    begin = state.commands[late(model, state, step)]
    end = state.commands[late(model, state, step + 1)]
    system = FlangeSystem(model, begin, end, outputs.wrench, workspace.scratch, step * dt, dt)
    step_flange(system, state.y, workspace.stages, 0.0, dt)
    put4(state.y, carried.Q, quat_normalised(get4(state.y, carried.Q)))
    state.clock[0] += 1


@part
def measure(model, state, workspace, inputs, outputs, dt):
    """Evaluates the wrench now, takes a sample and hands over a reading where either is due."""
    now = state.clock[0]
    begin = state.commands[late(model, state, now - 1)]
    end = state.commands[late(model, state, now)]
    since = (now - 1) * dt
    system = FlangeSystem(model, begin, end, outputs.wrench, workspace.scratch, since, dt)
    flange_rates(system, state.y, dt, workspace.stages[K])
    if now % model.sensor.every == 0:
        if model.sensor.corner > 0.0:
            take_sample(model.sensor, state.samples, now, state.y[FILTERED:MODES], inputs.draw)
        else:
            take_sample(model.sensor, state.samples, now, outputs.wrench, inputs.draw)
    if now % model.control == 0:
        read(model.sensor, state.samples, now, outputs.reading)


@kernel
def begin(model, state, workspace, inputs, outputs, dt):
    """`measure`, callable from Python."""
    measure(model, state, workspace, inputs, outputs, dt)


@kernel
def step(model, state, workspace, inputs, outputs, dt):
    """`advance`, callable from Python."""
    advance(model, state, workspace, inputs, outputs, dt)
