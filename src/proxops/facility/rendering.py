"""A rigid hub rendered by a robot that carries real appendages and feels them.

Every step, at time t:

    sensor ─reading, held for a control period─► model of the hub ─velocity─► delay ─► carrier
    carrier ─motion─► appendages ─wrench─► sensor

The model of the hub (admittance):  m v̇ = R f,  I ẇ + w × I w = t,  with the reading as (f, t) in
the hub's axes.  Sensor, control and delay are whole numbers of steps.
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
from proxops.core.spatial.vector import (
    add,
    cross,
    get3,
    mul,
    mul_t,
    put3,
    scale,
    sub,
    sym_inverse,
    sym_mul,
)
from proxops.facility import carrier as carried
from proxops.facility.carrier import CARRIER_SIZE, Carrier, follow
from proxops.facility.force_sensor import WRENCH, ForceSensor, filter_rate, read, take_sample
from proxops.facility.mock_up import FORCE, TORQUE, MockUp, swing
from proxops.physics.flexible.modes import mode_count
from proxops.physics.integrate.rk4 import K, rk4_of

# The model of the hub
HUB_P = 0  # position in the lab [m]
HUB_Q = 3  # attitude, hub to lab
HUB_V = 7  # velocity, lab axes [m/s]
HUB_W = 10  # angular velocity, hub axes [rad/s]
HUB_SIZE = 13

# A recorded row: carrier's pose, modelled hub's pose, true wrench at the flange, then the modes
ROW_CARRIER = 0
ROW_HUB = 7
ROW_FELT = 14
ROW_MODES = 20
POSE = 7


class Rendering(NamedTuple):
    """Everything that stays the same."""

    step: float  # [s]
    control: int  # period of the model of the hub [steps]
    mass: float  # of the rendered hub [kg]
    inertia: np.ndarray  # about its centre of mass: xx yy zz xy xz yz [kg m2]
    carrier: Carrier
    sensor: ForceSensor
    mock_up: MockUp


class State(NamedTuple):
    """Everything that changes; a copy of its arrays is a snapshot."""

    clock: np.ndarray  # steps done, one entry
    hub: np.ndarray
    y: np.ndarray  # carrier, filtered wrench, modal coordinates and rates
    reading: np.ndarray  # wrench that drives the model
    commands: np.ndarray  # velocities of the model, one row a step, written in turn
    samples: np.ndarray  # of the sensor, written in turn


class Room(NamedTuple):
    """What a step overwrites."""

    hub_stages: np.ndarray
    stages: np.ndarray
    scratch: np.ndarray
    felt: np.ndarray  # true wrench on the flange, flange axes


class HubSystem(NamedTuple):
    """The model of the hub and what drives it."""

    model: Rendering
    reading: np.ndarray


class FlangeSystem(NamedTuple):
    """The carrier with its appendages, commanded along a line from `begin` to `end`."""

    model: Rendering
    begin: np.ndarray
    end: np.ndarray
    push: np.ndarray
    scratch: np.ndarray
    felt: np.ndarray


FILTERED = CARRIER_SIZE
MODES = CARRIER_SIZE + WRENCH


@part
def hub_rates(system, y, t, rate):
    """Writes the rates of the modelled hub."""
    model, reading = system
    R = quat_to_rotation(get4(y, HUB_Q))
    w = get3(y, HUB_W)
    gyroscopic = cross(w, sym_mul(model.inertia, w))
    turn = sub(get3(reading, TORQUE), gyroscopic)
    put3(rate, HUB_P, get3(y, HUB_V))
    put4(rate, HUB_Q, quat_rate(get4(y, HUB_Q), w))
    put3(rate, HUB_V, scale(1.0 / model.mass, mul(R, get3(reading, FORCE))))
    put3(rate, HUB_W, sym_mul(sym_inverse(model.inertia), turn))


@part
def flange_rates(system, y, t, rate):
    """Writes the rates of carrier, filter and modes, and the wrench at the flange."""
    model, begin, end, push, scratch, felt = system
    for at in (FORCE, TORQUE):
        slope = scale(1.0 / model.step, sub(get3(end, at), get3(begin, at)))
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
    for i in range(WRENCH):
        felt[i] = push[i]
    motion = (mul_t(R, v_L), w, a, alpha)
    swing(model.mock_up, motion, (eta, eta_rate, rate[MODES + n :]), scratch, felt)
    for i in range(WRENCH):
        rate[FILTERED + i] = filter_rate(model.sensor, y[FILTERED + i], felt[i])


step_hub = rk4_of(hub_rates)
step_flange = rk4_of(flange_rates)


@helper
def command_of(hub, row):
    """Writes the modelled hub's velocity and angular velocity, lab axes."""
    put3(row, FORCE, get3(hub, HUB_V))
    put3(row, TORQUE, mul(quat_to_rotation(get4(hub, HUB_Q)), get3(hub, HUB_W)))


@part
def sense(model, state, system, room, draw):
    """Evaluates the wrench at the end of a step, and samples it where a sample is due."""
    flange_rates(system, state.y, model.step, room.stages[K])
    step = state.clock[0]
    if step % model.sensor.every != 0:
        return
    if model.sensor.corner > 0.0:
        take_sample(model.sensor, state.samples, step, state.y[FILTERED:MODES], draw)
    else:
        take_sample(model.sensor, state.samples, step, room.felt, draw)


@part
def write_row(state, felt, row):
    """Writes what a recording holds of an instant."""
    for i in range(POSE):
        row[ROW_CARRIER + i] = state.y[carried.P + i]
        row[ROW_HUB + i] = state.hub[HUB_P + i]
    for i in range(WRENCH):
        row[ROW_FELT + i] = felt[i]
    for i in range(row.shape[0] - ROW_MODES):
        row[ROW_MODES + i] = state.y[MODES + i]


@part
def step_once(model, state, room, push, draw):
    """Advances model, carrier and appendages by one step."""
    step, size = state.clock[0], state.commands.shape[0]
    if step % model.control == 0:
        read(model.sensor, state.samples, step, state.reading)
    step_hub(HubSystem(model, state.reading), state.hub, room.hub_stages, 0.0, model.step)
    put4(state.hub, HUB_Q, quat_normalised(get4(state.hub, HUB_Q)))
    command_of(state.hub, state.commands[(step + 1) % size])
    late = step - model.carrier.delay  # rows not yet written hold the motion at the start
    begin, end = state.commands[late % size], state.commands[(late + 1) % size]
    system = FlangeSystem(model, begin, end, push, room.scratch, room.felt)
    step_flange(system, state.y, room.stages, 0.0, model.step)
    put4(state.y, carried.Q, quat_normalised(get4(state.y, carried.Q)))
    state.clock[0] += 1
    sense(model, state, system, room, draw)


@kernel
def advance(model, state, room, push, draws, rows):
    """Writes a row and advances by one step, for every row.

    `push` is what else acts on the mock-up, a wrench in flange axes.  Sample noise comes from
    `draws`, one row more than there are steps: the first serves the sample at the very start.
    """
    if state.clock[0] == 0:
        begin = state.commands[0]
        system = FlangeSystem(model, begin, begin, push, room.scratch, room.felt)
        sense(model, state, system, room, draws[0])
    for i in range(rows.shape[0]):
        write_row(state, room.felt, rows[i])
        step_once(model, state, room, push, draws[i + 1])
