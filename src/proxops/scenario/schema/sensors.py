"""The chaser's sensors: what is not given is ideal, and a sensor that is not given is so in all.

Sensors that see a target from far are there only where they are given.  Keys of windows and spikes
are scripted faults.
"""

from typing import Annotated

from pydantic import Field, model_validator

from proxops.scenario.schema.base import Name, Problem, Section, Vector3, reject_all
from proxops.scenario.schema.body import IDENTITY, ZERO, Quaternion
from proxops.scenario.schema.far_sensors import BearingCamera, RangeFinder, RelativeGnss
from proxops.scenario.schema.orbit import Orbit
from proxops.scenario.schema.robot import Spread3
from proxops.scenario.schema.sampled import (
    MAX_WINDOWS,
    Sampled,
    Spread,
    Window,
    Windows,
    range_problems,
)
from proxops.scenario.schema.time import Time

_MAX_IN_TRANSIT = 100_000  # samples: the memory of a delay has one row each


class Spike(Window):
    """A false wrench in a stretch of time."""

    force_N: Vector3 = Field(default=ZERO, description="Added to each sample's force, in E [N]")
    torque_N_m: Vector3 = Field(
        default=ZERO, description="Added to each sample's torque, in E [N m]"
    )


_Spikes = Annotated[tuple[Spike, ...], Field(strict=False, max_length=MAX_WINDOWS)]


class StarTracker(Sampled):
    """A star tracker; its frame S looks along z."""

    q_CS: Quaternion = Field(default=IDENTITY, description="Its frame S in C, wxyz [-]")
    noise_cross_arcsec: Spread = Field(
        default=0.0, description="Standard deviation about x and y of S [arcsec]"
    )
    noise_roll_arcsec: Spread = Field(
        default=0.0, description="Standard deviation about z of S, its line of sight [arcsec]"
    )
    bias_arcsec: Vector3 = Field(default=ZERO, description="Constant error, about S axes [arcsec]")
    bias_sigma_arcsec: Spread3 = Field(
        default=ZERO, description="Standard deviation of a constant error drawn once a run [arcsec]"
    )
    max_rate_deg_s: float | None = Field(
        default=None,
        gt=0.0,
        description="Rate of the chaser above which it has no output; none if not given [deg/s]",
    )


class Gyro(Sampled):
    """A gyro: with a rate of its own it measures the mean since its last sample."""

    noise_deg_rt_h: Spread = Field(default=0.0, description="Angle random walk [deg/sqrt(h)]")
    bias_deg_h: Vector3 = Field(default=ZERO, description="Constant error, in C [deg/h]")
    bias_sigma_deg_h: Spread3 = Field(
        default=ZERO, description="Standard deviation of a constant error drawn once a run [deg/h]"
    )
    bias_walk_deg_h_rt_h: Spread = Field(
        default=0.0, description="Random walk of the bias [deg/h/sqrt(h)]"
    )
    frozen: Windows = Field(
        default=(), description="Intervals in which it repeats its last value with new times"
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
        description="Largest angle between G and its line of sight, no limit if not given [deg]",
    )
    nearest_m: float = Field(default=0.0, ge=0.0, description="Least distance to G [m]")
    farthest_m: float | None = Field(
        default=None, gt=0.0, description="Greatest distance to G, no limit if not given [m]"
    )
    noise_m: Spread = Field(
        default=0.0, description="Standard deviation of each coordinate of G [m]"
    )
    noise_per_range: Spread = Field(
        default=0.0, description="Its increase with the distance to G [m/m]"
    )
    noise_deg: Spread = Field(
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
        reject_all(range_problems(self.nearest_m, self.farthest_m))
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
    spikes: _Spikes = Field(default=(), description="Intervals in which a false wrench is added")


class Encoders(Sampled):
    """The encoders of the arm's joints, all alike."""

    resolution: Spread = Field(
        default=0.0, description="Step of a position, none if not given [rad or m]"
    )
    noise: Spread = Field(default=0.0, description="Standard deviation of a position [rad or m]")
    bias_sigma: Spread = Field(
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

    noise_N: Spread = Field(
        default=0.0, description="Standard deviation of each thrust, measured by a pressure [N]"
    )


class Latches(Sampled):
    """Switches of the holds: whether each could close now, and whether it is closed."""


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
    bearing_camera: BearingCamera | None = Field(
        default=None, description="The direction of the target, none if not given"
    )
    range_finder: RangeFinder | None = Field(
        default=None, description="The distance to the target, none if not given"
    )
    relative_gnss: RelativeGnss | None = Field(
        default=None, description="Relative position and velocity, none if not given"
    )
    latches: Latches | None = Field(
        default=None, description="Switches of holds, none if not given"
    )
    extra: dict[Name, OwnSensor] = Field(
        default={}, description="Sensors of the user's own, by the names of their extensions"
    )

    def all(self) -> dict[tuple[str, ...], Sampled]:
        """The section of every sensor that there is, by its path."""
        names = (name for name in type(self).model_fields if name != "extra")
        shipped = {(name,): getattr(self, name) for name in names}
        given = {path: each for path, each in shipped.items() if each is not None}
        return given | {("extra", name): each for name, each in self.extra.items()}


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
        if given.delay_s > _MAX_IN_TRANSIT * (period or 1.0 / time.control_rate_hz):
            text = f"{given.delay_s:.6g} s is more than {_MAX_IN_TRANSIT} samples"
            problems.append(((*path, "delay_s"), text))
        for key in ("dropouts", "frozen", "spikes"):
            windows: tuple[Window, ...] = getattr(given, key, ())
            problems += [
                ((*path, key, i, *inner), text)
                for i, window in enumerate(windows)
                for inner, text in window.late(time)
            ]
    return problems


def sun_problems(sensors: Sensors, orbit: Orbit | None) -> list[Problem]:
    """Limits of light that a mission without a Sun cannot keep."""
    camera = sensors.bearing_camera
    if camera is None or (orbit is not None and orbit.sun_direction_N is not None):
        return []
    plain = type(camera)()
    return [
        (("bearing_camera", key), "needs orbit.sun_direction_N, the direction of the Sun")
        for key in ("sun_exclusion_deg", "max_phase_deg")
        if getattr(camera, key) != getattr(plain, key)
    ]
