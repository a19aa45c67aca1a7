"""From the description of the sensors to the stage, and its start."""

from dataclasses import dataclass, field

import numpy as np

from proxops.bus import measurements as seen_at
from proxops.bus.truth import WRENCH
from proxops.core.clock import to_ns
from proxops.sensors import camera, draws, encoders, gyro, star_tracker, telemetry, wrist
from proxops.sensors import model as of
from proxops.sensors.camera import Camera
from proxops.sensors.encoders import Encoders
from proxops.sensors.gyro import Gyro
from proxops.sensors.model import Sensors, State
from proxops.sensors.star_tracker import StarTracker
from proxops.sensors.telemetry import Telemetry
from proxops.sensors.timing import Timing, Window, check, thresholds
from proxops.sensors.wrist import Wrist

_NO_SPIKE = (0.0,) * WRENCH


@dataclass(frozen=True)
class SensorsDescription:
    """The sensors of a chaser in SI units; as they stand, all ideal."""

    star_tracker: StarTracker = field(default_factory=StarTracker)
    gyro: Gyro = field(default_factory=Gyro)
    camera: Camera = field(default_factory=Camera)
    wrist: Wrist = field(default_factory=Wrist)
    encoders: Encoders = field(default_factory=Encoders)
    telemetry: Telemetry = field(default_factory=Telemetry)

    def timings(self) -> dict[str, Timing]:
        """By the names of the sections, in the order of the rows."""
        names = ("star_tracker", "gyro", "camera", "wrist", "encoders", "telemetry")
        return {name: getattr(self, name).timing for name in names}


def build(given: SensorsDescription, joints: int, thrusters: int, tick_ns: int) -> Sensors:
    """The sensors of a chaser with so many joints and thrusters.  `tick_ns` is the shortest time
    between two calls [ns]: periods and delays are whole numbers of it."""
    timings = list(given.timings().values())
    for name, timing in given.timings().items():
        check(f"sensors.{name}", timing, tick_ns)
    windows, spikes = _windows(given)
    bias, bias_sigma = _biases(given, joints)
    schedule = _schedule(timings, joints, thrusters)
    periods = np.maximum(schedule[:, of.PERIOD], tick_ns)
    return Sensors(
        int(np.max(schedule[:, of.DELAY] // periods)) + 1,
        schedule,
        np.array([thresholds(timing) for timing in timings]),
        windows,
        spikes,
        bias,
        bias_sigma,
        star_tracker.numbers(given.star_tracker),
        gyro.numbers(given.gyro),
        camera.numbers(given.camera),
        wrist.numbers(given.wrist),
        encoders.numbers(given.encoders),
        telemetry.numbers(given.telemetry),
    )


def _schedule(timings: list[Timing], joints: int, thrusters: int) -> np.ndarray:
    blocks = (
        (seen_at.STAR_T, 4, draws.LOST + of.STAR),
        (seen_at.GYRO_T, 3, draws.LOST + of.GYRO),
        (seen_at.CAMERA_T, 7, draws.LOST + of.CAMERA),
        (seen_at.FORCE_T, WRENCH, draws.LOST + of.WRIST),
        (seen_at.ENCODERS_T, 2 * joints, draws.LOST + of.ENCODERS),
        (seen_at.telemetry(joints), 1 + thrusters, draws.width(joints)),
    )
    rows = [
        (to_ns(timing.period), to_ns(timing.delay), *block)
        for timing, block in zip(timings, blocks, strict=True)
    ]
    return np.array(rows, dtype=np.int64)


def _windows(given: SensorsDescription) -> tuple[np.ndarray, np.ndarray]:
    """Scripted windows of all kinds, and the spikes in them."""
    scripted: list[tuple[int, Window, tuple[float, ...]]] = []
    for sensor, timing in enumerate(given.timings().values()):
        scripted += [(sensor, window, _NO_SPIKE) for window in timing.dropouts]
    scripted += [(of.FROZEN, window, _NO_SPIKE) for window in given.gyro.frozen]
    scripted += [(of.SPIKE, window, size) for window, size in given.wrist.spikes]
    rows = [(kind, to_ns(begin), to_ns(end)) for kind, (begin, end), _ in scripted]
    return (
        np.array(rows, dtype=np.int64).reshape(-1, of.WINDOWS_WIDTH),
        np.array([size for _, _, size in scripted], dtype=float).reshape(-1, WRENCH),
    )


def _biases(given: SensorsDescription, joints: int) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of the constant errors, where their draws stand."""
    bias, sigma = np.zeros(draws.width(joints)), np.zeros(draws.width(joints))
    for at, each in (
        (draws.STAR, given.star_tracker),
        (draws.GYRO, given.gyro),
        (draws.CAMERA, given.camera),
        (draws.WRIST, given.wrist),
    ):
        bias[at : at + len(each.bias)] = each.bias
        sigma[at : at + len(each.bias)] = each.bias_sigma
    sigma[draws.ENCODERS :] = given.encoders.bias_sigma
    return bias, sigma


def start(model: Sensors, row: np.ndarray) -> State:
    """Nothing sampled yet, and the constant errors of this run: `row` holds standard normal
    numbers, see sensors.draws."""
    joints, last = len(model.bias) - draws.ENCODERS, model.schedule[of.TELEMETRY]
    marks = np.zeros((of.SENSORS, of.MARKS_WIDTH), dtype=np.int64)
    marks[:, of.LAST] = -1
    return State(
        np.zeros((of.SENSORS, model.rows), dtype=np.int64),
        np.zeros((model.rows, last[of.BLOCK] + seen_at.VALUE_AFTER_T + last[of.WIDTH])),
        marks,
        model.bias + model.bias_sigma * row[: len(model.bias)],
        np.zeros(of.JOINTS + 2 * joints),
    )


def blank(joints: int, thrusters: int) -> np.ndarray:
    """What on-board software sees before any sensor has spoken: counts of zero, attitudes that are
    at least quaternions."""
    measurements = np.zeros(seen_at.size(joints, thrusters))
    measurements[seen_at.STAR_Q] = measurements[seen_at.CAMERA_Q] = 1.0
    return measurements
