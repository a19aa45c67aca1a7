"""From the description of a robot to the stage that renders a body, and what it can render."""

import math
from dataclasses import dataclass, field

import numpy as np

from proxops.core.errors import InputError
from proxops.facility.common.carrier import CARRIER_SIZE, VELOCITY, Carrier
from proxops.facility.common.force_sensor import WRENCH, ForceSensor
from proxops.facility.common.passivity.chain import Chain, reading_age
from proxops.facility.rendered.mock_up import MockUp
from proxops.facility.rendered.probe import Probe
from proxops.facility.rendered.rendering import Outputs, Rendering, RenderingWorkspace, State
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


def build(mock_up: MockUp, probe: Probe, robot: RobotDescription, step: float) -> Rendering:
    """The robot with what it carries and what touches it, advanced in steps [s]."""
    if robot.order not in (0, 1, 2):
        raise InputError(f"order of the robot's lag: found {robot.order}; possible are 0, 1 and 2")
    if robot.order > 0 and not robot.bandwidth > 0.0:
        raise InputError(f"bandwidth of the robot: found {robot.bandwidth:g}; must be positive")
    sensor = robot.sensor
    return Rendering(
        max(1, integer_steps("control period", robot.control_period, step)),
        Carrier(
            robot.order,
            float(robot.bandwidth),
            float(robot.damping),
            integer_steps("transport delay", robot.delay, step),
        ),
        ForceSensor(
            float(sensor.bandwidth),
            max(1, integer_steps("sensor period", sensor.period, step)),
            integer_steps("sensor delay", sensor.delay, step),
            np.array(sensor.bias, dtype=float),
            np.array(sensor.noise, dtype=float),
        ),
        mock_up,
        probe,
    )


def is_integer(time: float, step: float) -> bool:
    """Whether a time is a whole number of steps."""
    return abs(round(time / step) * step - time) <= WHOLE * step


def integer_steps(what: str, time: float, step: float) -> int:
    """How many steps a time is; rejected if it is not a whole number."""
    if time < 0.0 or not is_integer(time, step):
        raise InputError(f"{what}: {time:g} s is not a whole number of steps of {step:g} s")
    return round(time / step)


def start(
    model: Rendering,
    pose: np.ndarray,
    motion: np.ndarray,
    modal: tuple[np.ndarray, np.ndarray],
) -> State:
    """The state at the start: a carrier that has long moved like the modelled body, whose pose
    [m, wxyz] and motion [m/s, rad/s] are given in the lab, with mass-normalised modal coordinates
    and rates of what it carries."""
    carrier = np.zeros(CARRIER_SIZE)
    carrier[:VELOCITY] = pose
    carrier[VELOCITY : VELOCITY + WRENCH] = motion
    return State(
        np.zeros(1, dtype=np.int64),
        np.concatenate([carrier, np.zeros(WRENCH), *modal]),
        np.tile(np.asarray(motion, dtype=float), (model.carrier.delay + 2, 1)),
        np.zeros((model.sensor.delay // model.sensor.every + 2, WRENCH)),
    )


def workspace_for(state: State) -> RenderingWorkspace:
    """Room for one step."""
    return RenderingWorkspace(np.zeros((STAGE_ROWS, len(state.y))), np.zeros((1, SCRATCH_WIDTH)))


def quiet_outputs() -> Outputs:
    """Nothing measured yet."""
    return Outputs(np.zeros(WRENCH), np.zeros(WRENCH))


def loop_of(model: Rendering, step: float) -> linear.Loop:
    """What stands between the wrench on the flange and its motion, for the linear analysis;
    the model's steps are that long [s]."""
    return chain_of(model, step).loop


def too_light(system: linear.Flexible, loop: linear.Loop) -> str | None:
    """A warning if a robot cannot render this hub with its appendages stably, else None."""
    if linear.is_stable(system, loop):
        return None
    mass = float(system.hub[0, 0])
    limit = linear.smallest_stable_hub(system, loop)
    worst = min(linear.roots(system, loop), key=lambda root: root.damping)
    smallest = f"{limit * mass:.4g} kg" if math.isfinite(limit) else "none of any mass"
    return (
        f"the rendered hub of {mass:.4g} kg is too light for this robot: the smallest it renders "
        f"stably is {smallest}, with inertia in proportion; here the motion at "
        f"{worst.frequency:.3g} Hz has a damping ratio of {worst.damping:+.2g}"
    )


def chain_of(model: Rendering, step: float) -> Chain:
    """The chain of a robot that renders a body in steps of that length [s]."""
    carrier, sensor = model.carrier, model.sensor
    return Chain(
        reading_age(model.sensor, model.control) * step,
        linear.Lag(sensor.corner, 1) if sensor.corner > 0.0 else None,
        model.control * step,
        carrier.delay * step,
        linear.Lag(carrier.corner, carrier.order, carrier.damping) if carrier.order > 0 else None,
    )
