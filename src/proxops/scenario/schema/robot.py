"""The robot in a lab that carries a mock-up of the target, its sensor and a probe that pushes; and
the mission that robots show in place of one that they cannot."""

import math
from typing import Annotated, Literal

from pydantic import Field, field_validator

from proxops.scenario.schema.base import Problem, Section, Vector3, reject
from proxops.scenario.schema.body import ZERO
from proxops.scenario.schema.pace import FASTEST_HZ, SLOWEST_HZ
from proxops.scenario.schema.time import Time

_LONGEST_DELAY_S = 10.0
_FARTHEST_M = 1e4
_LONGEST_ARROW = 1e6  # whose square is far from the ends of what floats hold
_MAX_STEPS = 1_000_000  # that a delay may last: its memory has one row each
_FASTEST = 2.0  # of a lag, times the step: a Runge-Kutta step is stable to 2.78

_MAX_ERROR = 1e6  # of a sensor [N or N m]

_Error = Annotated[float, Field(ge=-_MAX_ERROR, le=_MAX_ERROR)]
_Spread = Annotated[float, Field(ge=0.0, le=_MAX_ERROR)]
Error3 = Annotated[tuple[_Error, _Error, _Error], Field(strict=False)]
Spread3 = Annotated[tuple[_Spread, _Spread, _Spread], Field(strict=False)]


class Sensor(Section):
    """A force/torque sensor; what is not given is ideal.  Its axes are T's on a [robot], on a
    facility those of the flange or of the arm's last joint."""

    filter_hz: float | None = Field(
        default=None, gt=0.0, description="Corner of its low-pass filter, none if not given [Hz]"
    )
    rate_hz: float | None = Field(
        default=None,
        ge=SLOWEST_HZ,
        le=FASTEST_HZ,
        description="Rate of its samples, every step if not given [Hz]",
    )
    delay_s: float = Field(
        default=0.0, ge=0.0, le=_LONGEST_DELAY_S, description="Age at which a sample arrives [s]"
    )
    bias_N: Error3 = Field(default=ZERO, description="Constant error of the force, its axes [N]")
    bias_N_m: Error3 = Field(
        default=ZERO, description="Constant error of the torque, its axes [N m]"
    )
    noise_N: Spread3 = Field(
        default=ZERO, description="Standard deviation of a sample's force, its axes [N]"
    )
    noise_N_m: Spread3 = Field(
        default=ZERO, description="Standard deviation of a sample's torque, its axes [N m]"
    )


class Probe(Section):
    """A probe in the lab: along a line it approaches a point A of the mock-up, pushes through a
    spring and a damper that never pull, and withdraws as fast as it came."""

    p_TA_m: Vector3 = Field(description="Point that is pushed, in T [m]")
    direction_L: Vector3 = Field(
        description="Direction of the approach, of any length, in the lab's axes [-]"
    )
    gap_m: float = Field(
        ge=0.0, description="Distance from the retracted tip to A at the start [m]"
    )
    start_s: float = Field(ge=0.0, description="When the approach begins [s]")
    speed_m_s: float = Field(gt=0.0, description="Speed of approach and withdrawal [m/s]")
    travel_m: float = Field(gt=0.0, description="Travel of the tip [m]")
    hold_s: float = Field(default=0.0, ge=0.0, description="Time at full travel [s]")
    stiffness_N_m: float = Field(gt=0.0, description="Stiffness of its spring [N/m]")
    damping_N_s_m: float = Field(ge=0.0, description="Its damper [N s/m]")

    @field_validator("p_TA_m")
    @classmethod
    def _is_on_the_target(cls, point: Vector3) -> Vector3:
        if max(map(abs, point)) > _FARTHEST_M:
            raise reject(f"must be within {_FARTHEST_M:g} m of the hub")
        return point

    @field_validator("direction_L")
    @classmethod
    def _points_somewhere(cls, direction: Vector3) -> Vector3:
        if not 1.0 / _LONGEST_ARROW <= math.hypot(*direction) <= _LONGEST_ARROW:
            raise reject(
                f"must have a length between {1.0 / _LONGEST_ARROW:g} and {_LONGEST_ARROW:g}"
            )
        return direction


class Robot(Section):
    """A robot that moves a mock-up like the modelled target, and measures the wrench.  The lab's
    frame L coincides with the falling frame O, whose axes are N's; the weight and inertia of the
    rigid mock-up are compensated.  What is not given is ideal."""

    renders: Literal["hub", "spacecraft"] = Field(
        default="hub",
        description="'hub': the hub is modelled, its appendages are real, bolted to the flange and "
        "measured; 'spacecraft': all of the target is modelled, the mock-up is rigid",
    )
    bandwidth_hz: float | None = Field(
        default=None, gt=0.0, description="Bandwidth, no lag if not given [Hz]"
    )
    order: Literal[1, 2] = Field(default=1, description="Order of the lag [-]")
    damping_ratio: float = Field(
        default=math.sqrt(0.5), gt=0.0, le=10.0, description="Of a lag of second order [-]"
    )
    delay_s: float = Field(
        default=0.0, ge=0.0, le=_LONGEST_DELAY_S, description="Transport delay [s]"
    )
    control_rate_hz: float | None = Field(
        default=None,
        gt=0.0,
        description="Rate at which the model reads the sensor, every step if not given [Hz]",
    )
    sensor: Sensor = Field(default=Sensor(), description="Its force/torque sensor")
    probe: Probe | None = Field(default=None, description="Probe that pushes the mock-up")


class OnGround(Section):
    """A mission that was made from one that no robot can show as it is, and what limits made it
    necessary."""

    mission: str = Field(min_length=1, description="Mission, a shipped name or a file")
    facility: str = Field(min_length=1, description="Facility that shows it, likewise")
    because: str = Field(
        min_length=1, max_length=500, description="Limits that this mission exceeds there"
    )


def fit_problems(robot: Robot, time: Time) -> list[Problem]:
    """What of a robot does not fit the steps of the mission: it moves in the plant's, substeps
    included, so these must be the same in every phase."""
    if time.paces:
        text = "a robot needs the same step all the time: give time.phases instead of time.paces"
        return [((), text)]
    names = list(time.phases)
    first = time.phases[names[0]]
    step = first.step_s / first.substeps
    problems: list[Problem] = []
    for name in names[1:]:
        phase = time.phases[name]
        if phase.step_ns * first.substeps != first.step_ns * phase.substeps:
            text = f"phase {name!r} has steps of {phase.step_s / phase.substeps:.6g} s, phase "
            text += f"{names[0]!r} of {step:.6g} s; a robot needs the same in all, with substeps"
            problems.append(((), text))
    return problems or _misfits(robot, step)


def _misfits(robot: Robot, step: float) -> list[Problem]:
    """Times that are no whole numbers of steps [s], and lags too fast for them."""
    from proxops.facility.rendered.build import is_integer

    problems: list[Problem] = []
    sensor = robot.sensor
    times: tuple[tuple[tuple[str, ...], float], ...] = (
        (("delay_s",), robot.delay_s),
        (("control_rate_hz",), 1.0 / robot.control_rate_hz if robot.control_rate_hz else 0.0),
        (("sensor", "delay_s"), sensor.delay_s),
        (("sensor", "rate_hz"), 1.0 / sensor.rate_hz if sensor.rate_hz else 0.0),
    )
    for path, seconds in times:
        if not is_integer(seconds, step):
            text = f"{seconds:.6g} s is not a whole number of steps of {step:.6g} s"
            problems.append((path, text))
        elif seconds > _MAX_STEPS * step:
            text = f"{seconds:.6g} s is more than {_MAX_STEPS} steps of {step:.6g} s"
            problems.append((path, text))
    corners = ((("bandwidth_hz",), robot.bandwidth_hz), (("sensor", "filter_hz"), sensor.filter_hz))
    for path, corner in corners:
        maximum = _FASTEST / (2.0 * math.pi * step)
        if corner is not None and corner > maximum:
            text = f"{corner:.6g} Hz is fast for steps of {step:.6g} s: at most {maximum:.4g} Hz"
            problems.append((path, text))
    return problems
