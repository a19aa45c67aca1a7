"""Parameters and state of the navigation, and how they are made."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from proxops.core.errors import InputError
from proxops.onboard.functions.navigation import layout as at

_AXES = 3
_DEG = math.pi / 180.0
_ARCSEC = _DEG / 3600.0
_UNIT = (1.0, 0.0, 0.0, 0.0)
# Ends of the chi-square distributions beyond which one sample in ten thousand lies
GATE_3 = 21.11
GATE_6 = 27.86


class NavParameters(NamedTuple):
    """What is believed and stays the same."""

    attitude: np.ndarray  # (ATTITUDE_PARAMETERS,)
    relative: np.ndarray  # (RELATIVE_PARAMETERS,)


class NavState(NamedTuple):
    """Everything that changes; a copy of its arrays is a snapshot."""

    attitude: np.ndarray  # (ATTITUDE_SIZE,)
    attitude_P: np.ndarray  # (6, 6)
    relative: np.ndarray  # (RELATIVE_SIZE,)
    relative_P: np.ndarray  # (12, 12)
    history: np.ndarray  # (ticks, HISTORY_WIDTH), a ring
    workspace: "Workspace"


class Workspace(NamedTuple):
    """What the filters overwrite."""

    transition: np.ndarray  # (6, 6)
    past: np.ndarray  # (HISTORY_WIDTH,)
    star: np.ndarray  # (3, 6) measurement matrix
    star_S: np.ndarray  # (3, 3)
    picture: np.ndarray  # (6, 12)
    picture_S: np.ndarray  # (6, 6)
    rows: np.ndarray  # (5, 12)


# Rows of Room.rows
INNOVATION = 0
NOISE = 1
GAIN = 2
CHANGE = 3
SCRATCH = 4
_ROWS = 5


@dataclass(frozen=True)
class SensorBelief:
    """How good the sensors are believed to be, and where they sit; SI units, C axes."""

    p_CK: tuple[float, float, float]
    q_CK: tuple[float, float, float, float]
    q_CS: tuple[float, float, float, float] = _UNIT  # star tracker, boresight z
    gyro_noise: float = 0.05 / 60.0 * _DEG  # [rad/√s]
    gyro_walk: float = 1e-7  # [rad/s/√s]
    bias_sigma: float = _DEG / 3600.0  # [rad/s]
    star_sigma: tuple[float, float, float] = (15.0 * _ARCSEC, 15.0 * _ARCSEC, 60.0 * _ARCSEC)
    camera_sigma: float = 0.002  # [m]
    camera_share: float = 0.001  # per range
    camera_angle: float = 0.1 * _DEG


@dataclass(frozen=True)
class MotionBelief:
    """What is believed of the two bodies; SI units, T axes."""

    mass: float  # of the chaser with its arm [kg]
    inertia: np.ndarray  # of the target about its centre of mass (3, 3), any multiple
    p_TG: tuple[float, float, float]
    q_TG: tuple[float, float, float, float]
    p_TTcm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    push_noise: float = 2e-4  # [m/s/√s]
    push_share: float = 0.07  # five percent for two seconds [√s]
    angle_noise: float = 1e-4  # [rad/s/√s]: swinging appendages, an inertia wrong by five percent
    # While nothing touches the target; None: no less than else
    free_push_noise: float | None = None  # [m/s/√s]
    free_angle_noise: float | None = None  # [rad/s/√s]
    first_v: float = 1.0  # [m/s]
    first_w: float = 10.0 * _DEG  # [rad/s]


@dataclass(frozen=True)
class Trust:
    """When measurements are rejected, and when the estimate is ready."""

    star_gate: float = GATE_3
    camera_gate: float = GATE_6
    restart: int = 10  # images rejected in a row
    ready_G: float = 0.003  # [m]
    ready_q: float = 0.1 * _DEG
    ready_w: float = 0.05 * _DEG  # [rad/s]


def build(sensors: SensorBelief, motion: MotionBelief, trust: Trust | None = None) -> NavParameters:
    """The parameters of both filters."""
    trust = trust or Trust()
    I = np.asarray(motion.inertia, dtype=float)
    if I.shape != (_AXES, _AXES) or not np.allclose(I, I.T) or np.linalg.eigvalsh(I)[0] <= 0.0:
        raise InputError(
            f"the target's inertia as believed is {I.tolist()}; "
            "needed is a symmetric positive definite (3, 3)"
        )
    if not motion.mass > 0.0:
        raise InputError(f"the chaser's mass as believed is {motion.mass} kg; it must be positive")
    I = I / np.trace(I)
    attitude = np.zeros(at.ATTITUDE_PARAMETERS)
    _put(attitude, at.GYRO_NOISE, sensors.gyro_noise, sensors.gyro_walk, sensors.bias_sigma)
    _put(attitude, at.STAR_SIGMA, *sensors.star_sigma, *_unit(sensors.q_CS), trust.star_gate)
    relative = np.zeros(at.RELATIVE_PARAMETERS)
    _put(relative, at.MASS, motion.mass)
    _put(relative, at.CAMERA_P, *sensors.p_CK, *_unit(sensors.q_CK))
    _put(relative, at.GRAPPLE_P, *motion.p_TG, *_unit(motion.q_TG), *motion.p_TTcm)
    _put(relative, at.INERTIA, I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    _put(relative, at.PUSH_NOISE, motion.push_noise, motion.push_share, motion.angle_noise)
    _put(relative, at.CAMERA_SIGMA, sensors.camera_sigma, sensors.camera_share)
    _put(relative, at.CAMERA_ANGLE, sensors.camera_angle, trust.camera_gate)
    _put(relative, at.FIRST_V, motion.first_v, motion.first_w, float(trust.restart))
    _put(relative, at.READY_G, trust.ready_G, trust.ready_q, trust.ready_w)
    push, angle = motion.free_push_noise, motion.free_angle_noise
    _put(relative, at.FREE_PUSH_NOISE, motion.push_noise if push is None else push)
    _put(relative, at.FREE_ANGLE_NOISE, motion.angle_noise if angle is None else angle)
    return NavParameters(attitude, relative)


def start(period: float, reach: float = 0.5) -> NavState:
    """A state that knows nothing yet, for ticks of that period [s]; measurements may come late by
    up to `reach` [s]."""
    attitude = np.zeros(at.ATTITUDE_SIZE)
    attitude[at.HEAD] = -1.0
    attitude[at.Q_NC] = 1.0
    attitude[at.TURN] = 1.0
    attitude[at.STAR_TIME] = -math.inf
    relative = np.zeros(at.RELATIVE_SIZE)
    relative[at.Q_NT] = 1.0
    relative[at.PICTURE_TIME] = -math.inf
    workspace = Workspace(
        np.zeros((at.ATTITUDE_ERRORS, at.ATTITUDE_ERRORS)),
        np.zeros(at.HISTORY_WIDTH),
        np.zeros((_AXES, at.ATTITUDE_ERRORS)),
        np.zeros((_AXES, _AXES)),
        np.zeros((2 * _AXES, at.RELATIVE_ERRORS)),
        np.zeros((2 * _AXES, 2 * _AXES)),
        np.zeros((_ROWS, at.RELATIVE_ERRORS)),
    )
    return NavState(
        attitude,
        np.zeros((at.ATTITUDE_ERRORS, at.ATTITUDE_ERRORS)),
        relative,
        np.zeros((at.RELATIVE_ERRORS, at.RELATIVE_ERRORS)),
        np.zeros((math.ceil(reach / period) + 2, at.HISTORY_WIDTH)),
        workspace,
    )


def _put(array: np.ndarray, first: int, *values: float) -> None:
    array[first : first + len(values)] = values


def _unit(q: tuple[float, float, float, float]) -> tuple[float, ...]:
    return tuple(np.array(q) / np.linalg.norm(q))
