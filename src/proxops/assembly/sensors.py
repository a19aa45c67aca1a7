"""A scenario's sensors in SI units, as the stage is built from them."""

import math

import numpy as np

from proxops.scenario.schema import sensors as given
from proxops.scenario.schema.craft import Grapple
from proxops.sensors import SensorsDescription
from proxops.sensors.camera import Camera
from proxops.sensors.encoders import Encoders
from proxops.sensors.gyro import Gyro
from proxops.sensors.star_tracker import StarTracker
from proxops.sensors.telemetry import Telemetry
from proxops.sensors.timing import Timing, Window
from proxops.sensors.wrist import Wrist

_HZ = 2.0 * math.pi
_DEG = math.pi / 180.0
_ARCSEC = _DEG / 3600.0
_HOUR = 3600.0  # [s]


def describe_sensors(sensors: given.Sensors, grapple: Grapple) -> SensorsDescription:
    """The sensors of a chaser whose target can be held at that grapple frame."""
    return SensorsDescription(
        _star_tracker(sensors.star_tracker),
        _gyro(sensors.gyro),
        _camera(sensors.camera, grapple),
        _wrist(sensors.wrist),
        _encoders(sensors.encoders),
        Telemetry(_timing(sensors.telemetry), sensors.telemetry.noise_N),
    )


def _star_tracker(tracker: given.StarTracker) -> StarTracker:
    cross, roll = tracker.noise_cross_arcsec, tracker.noise_roll_arcsec
    fastest = tracker.max_rate_deg_s
    return StarTracker(
        _timing(tracker),
        tracker.q_CS,
        _times(_ARCSEC, (cross, cross, roll)),
        _times(_ARCSEC, tracker.bias_arcsec),
        _times(_ARCSEC, tracker.bias_sigma_arcsec),
        math.inf if fastest is None else _DEG * fastest,
    )


def _gyro(gyro: given.Gyro) -> Gyro:
    per_hour = _DEG / _HOUR
    return Gyro(
        _timing(gyro),
        gyro.noise_deg_rt_h * _DEG / math.sqrt(_HOUR),
        gyro.bias_walk_deg_h_rt_h * per_hour / math.sqrt(_HOUR),
        _times(per_hour, gyro.bias_deg_h),
        _times(per_hour, gyro.bias_sigma_deg_h),
        tuple(_window(each) for each in gyro.frozen),
    )


def _camera(camera: given.Camera, grapple: Grapple) -> Camera:
    half = camera.half_view_deg
    return Camera(
        _timing(camera),
        (*camera.p_CK_m, *camera.q_CK),
        (*grapple.p_TG_m, *grapple.q_TG),
        camera.noise_m,
        camera.noise_per_range,
        _DEG * camera.noise_deg,
        (*camera.bias_m, *_times(_DEG, camera.bias_deg)),
        (*camera.bias_sigma_m, *_times(_DEG, camera.bias_sigma_deg)),
        None if half is None else _DEG * half,
        camera.nearest_m,
        math.inf if camera.farthest_m is None else camera.farthest_m,
    )


def _wrist(wrist: given.Wrist) -> Wrist:
    return Wrist(
        _timing(wrist),
        _HZ * (wrist.filter_hz or 0.0),
        (*wrist.noise_N, *wrist.noise_N_m),
        (*wrist.bias_N, *wrist.bias_N_m),
        (*wrist.bias_sigma_N, *wrist.bias_sigma_N_m),
        tuple((_window(each), (*each.force_N, *each.torque_N_m)) for each in wrist.spikes),
    )


def _encoders(encoders: given.Encoders) -> Encoders:
    return Encoders(
        _timing(encoders),
        encoders.resolution,
        encoders.noise,
        encoders.bias_sigma,
        _HZ * (encoders.rate_filter_hz or 0.0),
    )


def _timing(sampled: given.Sampled) -> Timing:
    return Timing(
        1.0 / sampled.rate_hz if sampled.rate_hz else 0.0,
        sampled.delay_s,
        tuple(_window(each) for each in sampled.dropouts),
        sampled.loss_probability,
        sampled.burst_probability,
    )


def _window(window: given.Window) -> Window:
    return window.from_s, math.inf if window.until_s is None else window.until_s


def _times(factor: float, values: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(float(value) for value in factor * np.array(values))
