"""From the description of a robot to the model that renders a hub, and what it can render."""

import math
from dataclasses import dataclass, field

import numpy as np

from proxops.core.description import RigidInertia
from proxops.core.errors import InputError
from proxops.facility.carrier import CARRIER_SIZE, VELOCITY, Carrier, Q
from proxops.facility.force_sensor import WRENCH, ForceSensor
from proxops.facility.mock_up import MockUp
from proxops.facility.rendering import (
    HUB_Q,
    HUB_SIZE,
    HUB_V,
    HUB_W,
    ROW_MODES,
    Rendering,
    Room,
    State,
    advance,
)
from proxops.physics.flexible import linear
from proxops.physics.integrate.rk4 import STAGE_ROWS
from proxops.physics.multibody.tree import SCRATCH_WIDTH

WHOLE = 1e-6  # how far from a whole number of steps a time may be


def _quiet() -> np.ndarray:
    return np.zeros(WRENCH)


@dataclass(frozen=True)
class SensorDescription:
    """A force/torque sensor; as it stands, an ideal one read in every step."""

    bandwidth: float = 0.0  # of its filter [rad/s], zero without one
    period: float = 0.0  # of its samples [s], zero for every step
    delay: float = 0.0  # [s]
    bias: np.ndarray = field(default_factory=_quiet)  # [N, N m], flange axes
    noise: np.ndarray = field(default_factory=_quiet)  # standard deviation of a sample


@dataclass(frozen=True)
class RobotDescription:
    """A robot with its sensor; as it stands, an ideal one."""

    order: int = 0  # of its lag: 0, 1 or 2
    bandwidth: float = 0.0  # [rad/s]
    damping: float = math.sqrt(0.5)  # of a second-order lag [-]
    delay: float = 0.0  # transport delay [s]
    control_period: float = 0.0  # of the rendered model [s], zero for every step
    sensor: SensorDescription = field(default_factory=SensorDescription)


def build(hub: RigidInertia, mock_up: MockUp, robot: RobotDescription, step: float) -> Rendering:
    """The model of a robot that renders a rigid hub (frame at its centre of mass) and carries real
    appendages, advanced in steps [s]."""
    if robot.order not in (0, 1, 2):
        raise InputError(f"order of the robot's lag: found {robot.order}; possible are 0, 1 and 2")
    if robot.order > 0 and not robot.bandwidth > 0.0:
        raise InputError(f"bandwidth of the robot: found {robot.bandwidth:g}; must be positive")
    if np.any(hub.com != 0.0):
        raise InputError("the rendered hub's frame must stand at its centre of mass")
    I, sensor = hub.inertia, robot.sensor
    return Rendering(
        float(step),
        max(1, _steps("control period", robot.control_period, step)),
        float(hub.mass),
        np.array([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]),
        Carrier(
            robot.order,
            float(robot.bandwidth),
            float(robot.damping),
            _steps("transport delay", robot.delay, step),
        ),
        ForceSensor(
            float(sensor.bandwidth),
            max(1, _steps("sensor period", sensor.period, step)),
            _steps("sensor delay", sensor.delay, step),
            np.array(sensor.bias, dtype=float),
            np.array(sensor.noise, dtype=float),
        ),
        mock_up,
    )


def _steps(what: str, time: float, step: float) -> int:
    count = round(time / step)
    if time < 0.0 or abs(count * step - time) > WHOLE * step:
        raise InputError(f"{what}: {time:g} s is not a whole number of steps of {step:g} s")
    return count


def start(
    model: Rendering, v: np.ndarray, w: np.ndarray, modal: tuple[np.ndarray, np.ndarray]
) -> State:
    """The state at the start: hub and carrier at the lab's origin, aligned with it and moving
    alike [m/s, rad/s], with mass-normalised modal coordinates and rates."""
    hub = np.zeros(HUB_SIZE)
    hub[HUB_Q] = 1.0
    hub[HUB_V : HUB_V + 3] = v
    hub[HUB_W : HUB_W + 3] = w
    carrier = np.zeros(CARRIER_SIZE)
    carrier[Q] = 1.0
    carrier[VELOCITY : VELOCITY + WRENCH] = np.concatenate([v, w])
    commands = np.tile(carrier[VELOCITY : VELOCITY + WRENCH], (model.carrier.delay + 2, 1))
    samples = np.zeros((model.sensor.delay // model.sensor.every + 2, WRENCH))
    return State(
        np.zeros(1, dtype=np.int64),
        hub,
        np.concatenate([carrier, np.zeros(WRENCH), *modal]),
        np.zeros(WRENCH),
        commands,
        samples,
    )


def render(
    model: Rendering, state: State, duration: float, rng: np.random.Generator, push: np.ndarray
) -> np.ndarray:
    """Advances the state and returns a row per step, as `rendering` lays them out.

    `push` is a wrench on the mock-up in flange axes [N, N m], the same throughout.
    """
    steps = _steps("duration", duration, model.step)
    modes = len(model.mock_up.modes) - 1
    room = Room(
        np.zeros((STAGE_ROWS, HUB_SIZE)),
        np.zeros((STAGE_ROWS, len(state.y))),
        np.zeros((1, SCRATCH_WIDTH)),
        np.zeros(WRENCH),
    )
    draws = rng.standard_normal((steps + 1, WRENCH))
    rows = np.zeros((steps, ROW_MODES + 2 * modes))
    advance(model, state, room, np.array(push, dtype=float), draws, rows)
    return rows


def loop_of(model: Rendering) -> linear.Loop:
    """What stands between the wrench on the flange and its motion, for the linear analysis.

    A held value is half a control period old on average.  A reading is as old as the sensor's
    delay and what has passed since its latest sample, on average over the control instants.
    """
    carrier, sensor = model.carrier, model.sensor
    lags = []
    if carrier.order > 0:
        lags.append(linear.Lag(carrier.corner, carrier.order, carrier.damping))
    if sensor.corner > 0.0:
        lags.append(linear.Lag(sensor.corner, 1))
    instants = model.control * np.arange(sensor.every)
    stale = float(np.mean((instants - sensor.delay) % sensor.every))
    steps = carrier.delay + 0.5 * model.control + sensor.delay + stale
    return linear.Loop(tuple(lags), steps * model.step)


def too_light(model: Rendering, system: linear.Flexible) -> str | None:
    """A warning if the robot cannot render this hub stably, else None."""
    loop = loop_of(model)
    if linear.is_stable(system, loop):
        return None
    limit = linear.smallest_stable_hub(system, loop)
    worst = min(linear.roots(system, loop), key=lambda root: root.damping)
    smallest = f"{limit * model.mass:.4g} kg" if math.isfinite(limit) else "none of any mass"
    return (
        f"the rendered hub of {model.mass:.4g} kg is too light for this robot: the smallest it "
        f"renders stably is {smallest}, with inertia in proportion; here the motion at "
        f"{worst.frequency:.3g} Hz has a damping ratio of {worst.damping:+.2g}"
    )
