"""A contact in one dimension: a mass that a robot renders meets a wall with spring and damper.

    m ẍ = F_fed - P,     F_true = max(0, -k x_r - b ẋ_r)   while x_r < 0

x is how far the modelled mass stands off the wall, x_r its mock-up.  Robot, sensor and wall are
those of `rendering`.  With a press P the mass rests on the wall, and small motion about that is
bilateral; without, it comes flying and bounces.
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.jit import kernel
from proxops.facility.common import carrier as carried
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.passivity.controller import (
    Control,
    Controlled,
    control_of,
    keep_passive,
    new_controlled,
)
from proxops.facility.common.passivity.observer import (
    Observer,
    new_observer,
    observe_model,
    observe_real,
    total,
)
from proxops.facility.rendered.build import (
    RobotDescription,
    build,
    quiet_outputs,
    start,
    workspace_for,
)
from proxops.facility.rendered.mock_up import bolted
from proxops.facility.rendered.probe import Probe
from proxops.facility.rendered.rendering import FILTERED, Inputs, Outputs, Rendering, State, advance

ALONG = 0  # the direction of a six-vector in which everything happens
# Columns of a record
X, V = 0, 1  # of the modelled mass [m, m/s]
X_REAL, V_REAL = 2, 3  # of the mock-up
FED, TRUE = 4, 5  # forces [N]
CONTACT, FACILITY = 6, 7  # energies given so far, as in `observer` [J]
DRIFT = 8  # of the mock-up, by the control [m]
RECORD = 9


class Contact(NamedTuple):
    """A mass before a wall."""

    mass: float  # m [kg]
    stiffness: float  # k [N/m]
    damping: float  # b [N s/m]
    press: float = 0.0  # P [N]


class Start(NamedTuple):
    """How a run begins, how long it is and in which steps."""

    x: float  # [m]; a pressed mass begins at rest on the wall instead
    v: float  # [m/s]
    duration: float  # [s]
    step: float  # [s]


class Rig(NamedTuple):
    """Everything that stays the same."""

    rendering: Rendering
    control: Control
    mass: float  # m [kg]
    press: float  # P [N]
    step: float  # [s]


class RigState(NamedTuple):
    """Everything that changes."""

    robot: State
    body: np.ndarray  # x, v of the modelled mass
    observer: Observer
    controlled: Controlled
    inputs: Inputs
    outputs: Outputs


@kernel
def go(rig, state, workspace, rows):
    """Advances one step for each row of the record, which it fills."""
    model, dt, body = rig.rendering, rig.step, state.body
    robot, observer, controlled = state.robot, state.observer, state.controlled
    readings = state.outputs.reading.reshape((1, WRENCH))
    for row in range(rows.shape[0]):
        if robot.clock[0] % model.control == 0:
            keep_passive(rig.control, controlled, observer, readings, model.control * dt)
        fed = controlled.fed[0]
        a = (fed[ALONG] - rig.press) / rig.mass
        body[X] += dt * (body[V] + 0.5 * dt * a)
        body[V] += dt * a
        state.inputs.motion[ALONG] = body[V]
        observe_model(observer, 0, fed, state.inputs.motion, dt)
        state.inputs.motion[ALONG] += controlled.change[0, ALONG]
        advance(model, robot, workspace, state.inputs, state.outputs, dt)
        twist = robot.y[carried.VELOCITY : carried.VELOCITY + WRENCH]
        observe_real(observer, 0, state.outputs.wrench, twist, dt)
        rows[row, X], rows[row, V] = body[X], body[V]
        rows[row, X_REAL], rows[row, V_REAL] = robot.y[carried.P], twist[ALONG]
        rows[row, FED], rows[row, TRUE] = fed[ALONG], state.outputs.wrench[ALONG]
        rows[row, CONTACT] = total(observer.model)
        rows[row, FACILITY] = rows[row, CONTACT] - total(observer.real)
        rows[row, DRIFT] = controlled.drift[0, ALONG]


def mobility_of(mass: float) -> np.ndarray:
    """Of one mass [kg] that can go along a line only (1, 6, 6)."""
    mobility = np.zeros((1, WRENCH, WRENCH))
    mobility[0, ALONG, ALONG] = 1.0 / mass
    return mobility


def record(
    contact: Contact, robot: RobotDescription, begin: Start, control: Control | None = None
) -> np.ndarray:
    """Rows of a run, one a step; without a control nothing is compensated.

    A pressed mass stands still until the sensor has reported its force, and then gets its velocity.
    """
    model = build(bolted(()), wall_of(contact), robot, begin.step)
    off = control_of(mobility_of(contact.mass))
    rig = Rig(model, control or off, float(contact.mass), float(contact.press), begin.step)
    if contact.press == 0.0:
        state = _state(rig, begin.x, begin.v)
    else:
        state = _state(rig, -contact.press / contact.stiffness, 0.0)
        cycles = 2 + (model.sensor.delay + model.sensor.every) // model.control
        held = rig._replace(mass=math.inf, control=off)
        go(held, state, workspace_for(state.robot), np.zeros((cycles * model.control, RECORD)))
        state.body[V] = begin.v
        twist = np.zeros((1, WRENCH))
        twist[0, ALONG] = begin.v
        state = state._replace(observer=new_observer(twist))
    rows = np.zeros((round(begin.duration / begin.step), RECORD))
    go(rig, state, workspace_for(state.robot), rows)
    return rows


def swings(rows: np.ndarray, contact: Contact) -> np.ndarray:
    """Energy that the contact gives a pressed mass from one passage through its rest, outward, to
    the next, over the kinetic energy that it had there [-]; negative while swings die away."""
    x = rows[:, X] + contact.press / contact.stiffness
    before = np.flatnonzero((x[:-1] < 0.0) & (x[1:] >= 0.0))
    part = x[before] / (x[before] - x[before + 1])
    passed = rows[before] + part[:, None] * (rows[before + 1] - rows[before])
    kinetic = 0.5 * contact.mass * passed[:, V] ** 2
    return np.asarray(np.diff(passed[:, CONTACT]) / kinetic[:-1])


def wall_of(contact: Contact) -> Probe:
    """A probe that stands still at x = 0 and is met from above."""
    return Probe(
        point=np.zeros(3),
        along=np.array([1.0, 0.0, 0.0]),
        origin=0.0,
        start=math.inf,
        speed=1.0,
        travel=0.0,
        hold=0.0,
        stiffness=float(contact.stiffness),
        damping=float(contact.damping),
    )


def _state(rig: Rig, x: float, v: float) -> RigState:
    pose, twist = np.zeros(carried.VELOCITY), np.zeros(WRENCH)
    pose[carried.P], pose[carried.Q], twist[ALONG] = x, 1.0, v
    robot = start(rig.rendering, pose, twist, (np.zeros(0), np.zeros(0)))
    robot.y[FILTERED] = rig.press
    return RigState(
        robot,
        np.array([x, v]),
        new_observer(twist.reshape(1, WRENCH)),
        new_controlled(1),
        Inputs(twist.copy(), np.zeros(WRENCH)),
        quiet_outputs(),
    )
