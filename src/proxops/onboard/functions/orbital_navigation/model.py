"""Parameters and state of the orbital navigation, and how they are made."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from proxops.onboard.functions.navigation.layout import HISTORY_WIDTH
from proxops.onboard.functions.orbital_navigation import layout as at
from proxops.physics.multibody.tree import Tree, scratch_for
from proxops.physics.orbit.reference import ORBIT_WIDTH

_ROWS = 5  # of what a measurement overwrites, see navigation.gate
# Ends of the chi-square distributions of 1, 2 and 6 degrees of freedom beyond which one sample in
# ten thousand lies
GATE_1 = 15.14
GATE_2 = 18.42
GATE_6 = 27.86


class OrbitalParams(NamedTuple):
    """What is believed and stays the same."""

    belief: np.ndarray  # (BELIEFS,)
    orbit: np.ndarray  # as in physics.orbit.reference
    start: np.ndarray  # p and v at the start (6,), N
    spreads: np.ndarray  # standard deviations at the start, and after a restart (STATES,)
    chaser: Tree


class OrbitalMemory(NamedTuple):
    """Everything that changes; a copy of its arrays is a snapshot."""

    x: np.ndarray  # (STATES,)
    P: np.ndarray  # (STATES, STATES)
    marks: np.ndarray  # (MARKS,)
    history: np.ndarray  # (rows, HISTORY_WIDTH), a ring
    past: np.ndarray  # (HISTORY_WIDTH,)
    transition: np.ndarray  # (6, 6)
    pose: np.ndarray  # p and v by the pose filter (6,)
    pose_P: np.ndarray  # (6, 6)
    bearing_H: np.ndarray  # measurement matrices
    bearing_S: np.ndarray
    range_H: np.ndarray
    range_S: np.ndarray
    gnss_H: np.ndarray
    gnss_S: np.ndarray
    rows: np.ndarray  # (5, STATES)
    scratch: np.ndarray  # of the chaser's tree


@dataclass(frozen=True)
class FarSensors:
    """How good the sensors are believed to be, and where they sit; SI units, C axes."""

    p_CK: tuple[float, ...] = (0.0, 0.0, 0.0)
    q_CK: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)
    p_CL: tuple[float, ...] = (0.0, 0.0, 0.0)
    bearing_sigma: float = 1e-6  # [rad]
    bearing_bias: float = 0.0  # standard deviations of constant errors: [rad]
    range_sigma: float = 1e-6  # [m]
    range_share: float = 0.0  # per range
    range_bias: float = 0.0  # [m]
    gnss_sigma: tuple[float, ...] = (1e-6,) * 6  # [m, m/s]
    gnss_bias: tuple[float, ...] = (0.0, 0.0, 0.0)  # [m]
    attitude_factor: float = 1.0  # see correlated_factor
    reach: float = 0.0  # the longest delay [s]


@dataclass(frozen=True)
class FarMotion:
    """What is believed of the motion; SI units, N axes."""

    mass: float  # of the chaser with its arm [kg]
    orbit: np.ndarray  # (7,)
    p: tuple[float, ...]  # at the start [m]
    v: tuple[float, ...]  # [m/s]
    p_sigma: float = 50.0  # [m], each axis
    v_sigma: float = 0.05  # [m/s]
    thrust_sigma: float = 0.05  # of thrust over mass
    push_noise: float = 1e-5  # [m/s/√s]
    push_share: float = 0.1  # three percent for ten seconds [√s]


@dataclass(frozen=True)
class FarTrust:
    """When measurements are rejected, the pose filter is trusted, and the estimate is ready."""

    restart: int = 10  # rejected in a row
    near_doubt: float = 1.0
    near_age: float = 1.0  # [s]
    near_after: float = 5.0  # [s]
    far_after: float = 5.0  # [s]
    near_sigmas: float = 3.0
    pose_bias: float = 0.0  # [m]
    pose_angle: float = 0.0  # [rad]
    ready_p: float = 0.5  # [m]
    ready_share: float = 0.02
    ready_v: float = 0.02  # [m/s]


def correlated_factor(period: float, lasts: float) -> float:
    """Variance of independent errors that average out as slowly as those correlated over a time
    `lasts` [s] and sampled every period [s], per variance of these.

        Σ ρ^|k| = (1 + ρ)/(1 - ρ),   ρ = exp(-T/τ)
    """
    if lasts <= 0.0:
        return 1.0
    return 1.0 / math.tanh(0.5 * period / lasts)


def build(
    sensors: FarSensors, motion: FarMotion, trust: FarTrust, chaser: Tree, period: float
) -> OrbitalParams:
    """The parameters of a filter that runs every period [s]."""
    belief = np.zeros(at.BELIEFS)
    _put(belief, at.MASS, motion.mass, *sensors.p_CK, *_unit(sensors.q_CK), *sensors.p_CL)
    _put(belief, at.BEARING_SIGMA, sensors.bearing_sigma, sensors.range_sigma, sensors.range_share)
    _put(belief, at.GNSS_SIGMA, *sensors.gnss_sigma, sensors.attitude_factor)
    _put(belief, at.PUSH_NOISE, motion.push_noise, motion.push_share)
    _put(belief, at.BEARING_GATE, GATE_2, GATE_1, GATE_6, float(trust.restart))
    _put(belief, at.NEAR_DOUBT, trust.near_doubt, trust.near_age, trust.near_after)
    _put(belief, at.FAR_AFTER, trust.far_after, trust.near_sigmas, trust.pose_bias)
    _put(belief, at.POSE_ANGLE, trust.pose_angle)
    _put(belief, at.READY_P, trust.ready_p, trust.ready_share, trust.ready_v, period)
    spreads = np.zeros(at.STATES)
    _put(spreads, at.POSITION, *(motion.p_sigma,) * 3, *(motion.v_sigma,) * 3)
    _put(spreads, at.BEARING, *(sensors.bearing_bias,) * 2, sensors.range_bias)
    _put(spreads, at.GNSS, *sensors.gnss_bias, motion.thrust_sigma)
    orbit = np.zeros(ORBIT_WIDTH)
    _put(orbit, 0, *motion.orbit)
    return OrbitalParams(belief, orbit, np.array([*motion.p, *motion.v]), spreads, chaser)


def start(params: OrbitalParams, reach: float) -> OrbitalMemory:
    """What is believed at the start; measurements may come late by up to `reach` [s]."""
    marks = np.zeros(at.MARKS)
    marks[at.HEAD] = -1.0
    marks[at.FRESH] = -math.inf
    marks[at.ATTITUDE_FROM] = math.inf
    n, m = at.STATES, at.MOTION
    return OrbitalMemory(
        x=np.concatenate([params.start, np.zeros(n - m)]),
        P=np.diag(params.spreads**2),
        marks=marks,
        history=np.zeros((math.ceil(reach / params.belief[at.PERIOD]) + 3, HISTORY_WIDTH)),
        past=np.zeros(HISTORY_WIDTH),
        transition=np.zeros((m, m)),
        pose=np.zeros(m),
        pose_P=np.zeros((m, m)),
        bearing_H=np.zeros((2, n)),
        bearing_S=np.zeros((2, 2)),
        range_H=np.zeros((1, n)),
        range_S=np.zeros((1, 1)),
        gnss_H=np.zeros((m, n)),
        gnss_S=np.zeros((m, m)),
        rows=np.zeros((_ROWS, n)),
        scratch=scratch_for(params.chaser),
    )


def _put(array: np.ndarray, first: int, *values: float) -> None:
    array[first : first + len(values)] = values


def _unit(q: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(np.array(q) / np.linalg.norm(q))
