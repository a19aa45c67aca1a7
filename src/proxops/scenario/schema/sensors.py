"""The chaser's sensors: what is not given is ideal, and a sensor that is not given is so in all.

Keys of windows and spikes are scripted faults.
"""

from typing import Annotated

from pydantic import Field, model_validator

from proxops.scenario.schema.base import Name, Problem, Section, Vector3, reject_all
from proxops.scenario.schema.body import IDENTITY, ZERO, Quaternion
from proxops.scenario.schema.robot import Spread3
from proxops.scenario.schema.time import Time

_LONGEST_S = 1e9  # in nanoseconds well inside a 64-bit integer
_SLOWEST_HZ = 1.0 / _LONGEST_S
_FASTEST_HZ = 1e6
_LONGEST_DELAY_S = 10.0
_MOST_ON_THEIR_WAY = 100_000  # samples: the memory of a delay has one row each
_MOST_WINDOWS = 100

_Chance = Annotated[float, Field(ge=0.0, le=1.0)]
_Spread = Annotated[float, Field(ge=0.0)]


class Window(Section):
    """A stretch of time, its end no longer part of it."""

    from_s: float = Field(default=0.0, ge=0.0, le=_LONGEST_S, description="When it begins [s]")
    until_s: float | None = Field(
        default=None,
        le=_LONGEST_S,
        description="When it ends, never if not given; not part of it [s]",
    )

    @model_validator(mode="after")
    def _lasts(self) -> "Window":
        if self.until_s is not None and not self.until_s > self.from_s:
            text = f"{self.until_s:.12g} s is not after from_s = {self.from_s:.12g} s"
            reject_all([(("until_s",), text)])
        return self

    def late(self, time: Time) -> list[Problem]:
        """What is wrong with one that begins when the mission is over."""
        if self.from_s < time.duration_s:
            return []
        end = f"the end of the mission, time.duration_s = {time.duration_s:.12g} s"
        return [(("from_s",), f"{self.from_s:.12g} s is not before {end}")]


class Spike(Window):
    """A false wrench in a stretch of time."""

    force_N: Vector3 = Field(default=ZERO, description="Added to each sample's force, in E [N]")
    torque_N_m: Vector3 = Field(
        default=ZERO, description="Added to each sample's torque, in E [N m]"
    )


_Windows = Annotated[tuple[Window, ...], Field(strict=False, max_length=_MOST_WINDOWS)]
_Spikes = Annotated[tuple[Spike, ...], Field(strict=False, max_length=_MOST_WINDOWS)]


class Sampled(Section):
    """What all sensors have."""

    rate_hz: float | None = Field(
        default=None,
        ge=_SLOWEST_HZ,
        le=_FASTEST_HZ,
        description="Rate of its samples, every step if not given [Hz]",
    )
    delay_s: float = Field(
        default=0.0, ge=0.0, le=_LONGEST_DELAY_S, description="Age at which a sample arrives [s]"
    )
    dropouts: _Windows = Field(default=(), description="When it says nothing")
    loss_probability: _Chance = Field(
        default=0.0, description="Chance of each sample to be lost [-]"
    )
    burst_probability: _Chance | None = Field(
        default=None,
        description="The same after a lost sample, no different if not given: losses then come in "
        "bursts of 1/(1 - burst_probability) samples on average [-]",
    )


class StarTracker(Sampled):
    """A star tracker; its frame S looks along z."""

    q_CS: Quaternion = Field(default=IDENTITY, description="Its frame S in C, wxyz [-]")
    noise_cross_arcsec: _Spread = Field(
        default=0.0, description="Standard deviation about x and y of S [arcsec]"
    )
    noise_roll_arcsec: _Spread = Field(
        default=0.0, description="Standard deviation about z of S, its line of sight [arcsec]"
    )
    bias_arcsec: Vector3 = Field(default=ZERO, description="Constant error, about S axes [arcsec]")
    bias_sigma_arcsec: Spread3 = Field(
        default=ZERO, description="Standard deviation of a constant error drawn once a run [arcsec]"
    )
    max_rate_deg_s: float | None = Field(
        default=None,
        gt=0.0,
        description="Rate of the chaser above which it says nothing, any if not given [deg/s]",
    )


class Gyro(Sampled):
    """A gyro: with a rate of its own it tells the mean since its last sample."""

    noise_deg_rt_h: _Spread = Field(default=0.0, description="Angle random walk [deg/sqrt(h)]")
    bias_deg_h: Vector3 = Field(default=ZERO, description="Constant error, in C [deg/h]")
    bias_sigma_deg_h: Spread3 = Field(
        default=ZERO, description="Standard deviation of a constant error drawn once a run [deg/h]"
    )
    bias_walk_deg_h_rt_h: _Spread = Field(
        default=0.0, description="Random walk of the bias [deg/h/sqrt(h)]"
    )
    frozen: _Windows = Field(
        default=(), description="When it repeats its last value with new times"
    )

    @model_validator(mode="after")
    def _has_a_rate(self) -> "Gyro":
        problems: list[Problem] = []
        for key in ("noise_deg_rt_h", "bias_walk_deg_h_rt_h"):
            if self.rate_hz is None and getattr(self, key) > 0.0:
                problems.append(((key,), "is per root of time; give rate_hz too"))
        reject_all(problems)
        return self


class Camera(Sampled):
    """A camera on the hub that sees the pose of the grapple frame G; its frame K looks along z."""

    p_CK_m: Vector3 = Field(default=ZERO, description="Its frame K in C, position [m]")
    q_CK: Quaternion = Field(default=IDENTITY, description="Its frame K in C, wxyz [-]")
    half_view_deg: float | None = Field(
        default=None,
        gt=0.0,
        le=180.0,
        description="Largest angle between G and its line of sight, any if not given [deg]",
    )
    nearest_m: float = Field(default=0.0, ge=0.0, description="Least distance to G [m]")
    farthest_m: float | None = Field(
        default=None, gt=0.0, description="Greatest distance to G, any if not given [m]"
    )
    noise_m: _Spread = Field(
        default=0.0, description="Standard deviation of each coordinate of G [m]"
    )
    noise_per_range: _Spread = Field(
        default=0.0, description="What it grows by with the distance to G [m/m]"
    )
    noise_deg: _Spread = Field(
        default=0.0, description="Standard deviation of the attitude about each axis [deg]"
    )
    bias_m: Vector3 = Field(default=ZERO, description="Constant error of the position, in K [m]")
    bias_deg: Vector3 = Field(
        default=ZERO, description="Constant error of the attitude, about G axes [deg]"
    )
    bias_sigma_m: Spread3 = Field(
        default=ZERO, description="Standard deviation of one drawn once a run, in K [m]"
    )
    bias_sigma_deg: Spread3 = Field(
        default=ZERO, description="Standard deviation of one drawn once a run, about G axes [deg]"
    )

    @model_validator(mode="after")
    def _has_a_range(self) -> "Camera":
        if self.farthest_m is not None and not self.farthest_m > self.nearest_m:
            text = f"{self.farthest_m:.12g} m is not beyond nearest_m = {self.nearest_m:.12g} m"
            reject_all([(("farthest_m",), text)])
        return self


class Wrist(Sampled):
    """The force/torque sensor between arm and end effector: the wrench on the latter, at E in E."""

    filter_hz: float | None = Field(
        default=None, gt=0.0, description="Corner of its low-pass filter, none if not given [Hz]"
    )
    noise_N: Spread3 = Field(default=ZERO, description="Standard deviation of a sample's force [N]")
    noise_N_m: Spread3 = Field(
        default=ZERO, description="Standard deviation of a sample's torque [N m]"
    )
    bias_N: Vector3 = Field(default=ZERO, description="Constant error of the force [N]")
    bias_N_m: Vector3 = Field(default=ZERO, description="Constant error of the torque [N m]")
    bias_sigma_N: Spread3 = Field(
        default=ZERO, description="Standard deviation of one drawn once a run [N]"
    )
    bias_sigma_N_m: Spread3 = Field(
        default=ZERO, description="Standard deviation of one drawn once a run [N m]"
    )
    spikes: _Spikes = Field(default=(), description="When it feels what is not there")


class Encoders(Sampled):
    """The encoders of the arm's joints, all alike."""

    resolution: _Spread = Field(
        default=0.0, description="Step of a position, none if not given [rad or m]"
    )
    noise: _Spread = Field(default=0.0, description="Standard deviation of a position [rad or m]")
    bias_sigma: _Spread = Field(
        default=0.0,
        description="Standard deviation of each joint's constant error, drawn once a run "
        "[rad or m]",
    )
    rate_filter_hz: float | None = Field(
        default=None,
        gt=0.0,
        description="Corner of the filter behind the difference of two positions that makes a "
        "joint's rate; the true rate if not given [Hz]",
    )


class Telemetry(Sampled):
    """What actuators report: how late commands are carried out, and the thrust of each thruster."""

    noise_N: _Spread = Field(
        default=0.0, description="Standard deviation of each thrust, told by a pressure [N]"
    )


class OwnSensor(Sampled):
    """A sensor of the user's own: its code comes from an extension, never from this file."""

    parameters: dict[Name, float] = Field(default={}, description="Its parameters, by name")


class Sensors(Section):
    """What the on-board software gets to see."""

    star_tracker: StarTracker = Field(default=StarTracker(), description="The chaser's attitude")
    gyro: Gyro = Field(default=Gyro(), description="The chaser's angular velocity")
    camera: Camera = Field(default=Camera(), description="The pose of the grapple frame")
    wrist: Wrist = Field(default=Wrist(), description="The wrench on the end effector")
    encoders: Encoders = Field(default=Encoders(), description="The arm's joints")
    telemetry: Telemetry = Field(default=Telemetry(), description="What actuators report")
    extra: dict[Name, OwnSensor] = Field(
        default={}, description="Sensors of the user's own, by the names of their extensions"
    )

    def all(self) -> dict[tuple[str, ...], Sampled]:
        """Every sensor's section by its path."""
        shipped = {(name,): getattr(self, name) for name in type(self).model_fields}
        del shipped[("extra",)]
        return shipped | {("extra", name): each for name, each in self.extra.items()}


def fit_problems(sensors: Sensors, time: Time) -> list[Problem]:
    """What of the sensors does not fit the rate of on-board software, at which they are asked, or
    would happen after the end."""
    from proxops.sensors.timing import misfit

    problems: list[Problem] = []
    for path, given in sensors.all().items():
        period = 1.0 / given.rate_hz if given.rate_hz else 0.0
        if misfit(period, time.control_ns):
            whole = f"time.control_rate_hz, {time.control_rate_hz:.12g} Hz"
            problems.append(
                ((*path, "rate_hz"), f"{given.rate_hz:.12g} Hz does not divide {whole}")
            )
        problem = misfit(given.delay_s, time.control_ns)
        if problem:
            problems.append(((*path, "delay_s"), f"{problem}, 1/time.control_rate_hz"))
        if given.delay_s > _MOST_ON_THEIR_WAY * (period or 1.0 / time.control_rate_hz):
            text = f"{given.delay_s:.6g} s is more than {_MOST_ON_THEIR_WAY} samples"
            problems.append(((*path, "delay_s"), text))
        for key in ("dropouts", "frozen", "spikes"):
            windows: tuple[Window, ...] = getattr(given, key, ())
            problems += [
                ((*path, key, i, *inner), text)
                for i, window in enumerate(windows)
                for inner, text in window.late(time)
            ]
    return problems
