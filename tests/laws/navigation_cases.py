"""Envisat and a servicer beside it in NumPy, many at once, and simple sensors: what the navigation
is tried on.  Nothing here uses the package's own laws."""

from dataclasses import dataclass, field

import numpy as np

from proxops.bus.fields import Fields, views
from proxops.core.jit import kernel
from proxops.onboard.functions.allocation import allocate
from proxops.onboard.functions.berthing.function import TARGET_FREE
from proxops.onboard.functions.navigation import (
    MotionBelief,
    SensorBelief,
    Trust,
    build,
    layout,
    navigate,
    start,
)
from proxops.onboard.functions.navigation.function import (
    FIELDS,
    NavigationInputs,
    NavigationOutputs,
)
from tests.bus_rows import Columns, measured

sees = measured(joints=0, thrusters=0)
est = Columns(FIELDS)
others = Columns((*allocate.FIELDS, TARGET_FREE))  # given as known inputs here

DEG = np.pi / 180.0
TICK = 0.01  # [s]
EVERY = 10  # ticks from one star or picture to the next, and between rows of the target's truth
ROW = EVERY * TICK  # [s]
ENVISAT = np.array(
    [[17023.3, -2171.4, -397.1], [-2171.4, 129112.2, -344.2], [-397.1, -344.2, 124825.7]]
)
MASS = 1200.0  # [kg]
HALF = np.sqrt(0.5)
P_TG, Q_TG = np.array([-2.9, 0.0, 0.0]), np.array([HALF, 0.0, -HALF, 0.0])
P_TTCM = np.array([0.1, 0.05, -0.02])
P_CK, Q_CK = np.array([0.9, 0.1, 0.4]), np.array([HALF, 0.0, HALF, 0.0])
Q_CS = np.array([HALF, HALF, 0.0, 0.0])
FORCE = np.array([11.4, 0.3, -0.2])  # in C, holds the servicer on its circle [N]


# --- quaternions of many at once ----------------------------------------------------------------


def cross(a, b):
    """a × b along the last axis; NumPy's takes several times as long."""
    return a[..., [1, 2, 0]] * b[..., [2, 0, 1]] - a[..., [2, 0, 1]] * b[..., [1, 2, 0]]


def times(a, b):
    """a ∘ b, wxyz along the last axis."""
    w = a[..., :1] * b[..., :1] - np.sum(a[..., 1:] * b[..., 1:], axis=-1, keepdims=True)
    v = a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + cross(a[..., 1:], b[..., 1:])
    return np.concatenate([w, v], axis=-1)


def conjugate(q):
    """q⁻¹."""
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def turned(r):
    """q of the rotation vector r [rad]."""
    half = 0.5 * np.linalg.norm(r, axis=-1, keepdims=True)
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * r], axis=-1)


def angle(q):
    """Rotation vector of q [rad], for small ones."""
    return 2.0 * q[..., 1:] * np.sign(q[..., :1])


def rotated(q, p):
    """R(q) p."""
    twice = 2.0 * cross(q[..., 1:], p)
    return p + q[..., :1] * twice + cross(q[..., 1:], twice)


# --- truth --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """What is flown and how it is seen."""

    runs: int = 1
    seconds: float = 10.0
    seed: int = 1
    noise: float = 1.0  # of sensors, of what they are believed to have
    pushes: float = 0.0  # of unmodelled accelerations, likewise
    delay: int = 10  # of stars and pictures [ticks]
    told_delay: int | None = None  # what their time stamps say, if that is not so
    mass: float = MASS  # true one [kg]; believed is MASS
    inertia: np.ndarray = field(default_factory=lambda: ENVISAT)  # true one; believed is ENVISAT
    spin: float = -2.5 * DEG  # [rad/s]
    dark: tuple[float, float] = (0.0, 0.0)  # no pictures between these times [s]


@dataclass(frozen=True)
class Flight:
    """Truth: (ticks, .) of the chaser, (rows, runs, .) of the target, one row every EVERY ticks."""

    t: np.ndarray
    q_NC: np.ndarray
    w_NC: np.ndarray
    com: np.ndarray
    com_rate: np.ndarray
    r: np.ndarray
    v: np.ndarray
    q_NT: np.ndarray
    w_NT: np.ndarray
    bias: np.ndarray

    @property
    def g(self):
        """Way from Ccm to G [m], in N."""
        return self.r + rotated(self.q_NT, P_TG - P_TTCM)

    @property
    def p_CG(self):
        """p_CG in C [m]."""
        q_CN = conjugate(self.q_NC[::EVERY, None])
        return self.com[::EVERY, None] + rotated(q_CN, self.g)


SENSORS = SensorBelief(p_CK=tuple(P_CK), q_CK=tuple(Q_CK), q_CS=tuple(Q_CS))
MOTION = MotionBelief(
    mass=MASS, inertia=ENVISAT, p_TG=tuple(P_TG), q_TG=tuple(Q_TG), p_TTcm=tuple(P_TTCM)
)


def tumbling(inertia, q, w):
    """Rates of a torque-free body."""
    w4 = np.concatenate([np.zeros_like(w[..., :1]), w], axis=-1)
    momentum = w @ inertia.T
    return 0.5 * times(q, w4), cross(momentum, w) @ np.linalg.inv(inertia).T


def stepped(inertia, q, w, h):
    """(q, w) of a torque-free body after h [s], by Runge-Kutta."""
    q1, w1 = tumbling(inertia, q, w)
    q2, w2 = tumbling(inertia, q + 0.5 * h * q1, w + 0.5 * h * w1)
    q3, w3 = tumbling(inertia, q + 0.5 * h * q2, w + 0.5 * h * w2)
    q4, w4 = tumbling(inertia, q + h * q3, w + h * w3)
    q = q + h / 6.0 * (q1 + 2.0 * q2 + 2.0 * q3 + q4)
    return q / np.linalg.norm(q, axis=-1, keepdims=True), w + h / 6.0 * (
        w1 + 2.0 * w2 + 2.0 * w3 + w4
    )


def chaser_rate(t, spin):
    """w_NC in C [rad/s]: it follows the target and sways."""
    sway = np.stack([np.sin(0.8 * t), np.cos(0.5 * t), np.sin(0.3 * t + 1.0)], axis=-1)
    return spin * np.array([0.02, 1.0, -0.01]) + 0.3 * DEG * sway


def chaser_attitude(t, spin):
    """q_NC at each time, by Magnus' series of fourth order: off by 1e-13 rad a tick."""
    middle, aside = t[:-1] + 0.5 * TICK, TICK / np.sqrt(12.0)
    early, late = chaser_rate(middle - aside, spin), chaser_rate(middle + aside, spin)
    turns = 0.5 * TICK * (early + late) + np.sqrt(3.0) / 12.0 * TICK**2 * cross(early, late)
    q_NC = [turned(np.array([0.3, -0.5, 0.2]))]
    for turn in turned(turns):
        q = times(q_NC[-1], turn)
        q_NC.append(q / np.linalg.norm(q))
    return np.array(q_NC)


def fly(case: Case) -> Flight:
    """The truth of a case."""
    rng = np.random.default_rng(case.seed)
    rows, n = round(case.seconds / ROW) + 1, case.runs
    t = TICK * np.arange(EVERY * (rows - 1) + 1)
    q_NC, w_NC = chaser_attitude(t, case.spin), chaser_rate(t, case.spin)
    a = -rotated(q_NC, FORCE) / case.mass
    r, v = np.empty((rows, n, 3)), np.empty((rows, n, 3))
    q_NT, w_NT = np.empty((rows, n, 4)), np.empty((rows, n, 3))
    q_NT[0] = times(np.broadcast_to(q_NC[0], (n, 4)), turned(0.1 * rng.standard_normal((n, 3))))
    w_NT[0] = np.array([0.0, case.spin, 0.0]) + 0.2 * DEG * rng.standard_normal((n, 3))
    r[0] = rotated(q_NC[:1], np.array([5.0, 0.0, 0.0])) + 0.1 * rng.standard_normal((n, 3))
    v[0] = cross(rotated(q_NC[:1], w_NC[0]), r[0]) + 0.01 * rng.standard_normal((n, 3))
    kick = np.sqrt(ROW) * case.pushes
    for k in range(rows - 1):
        begin, middle, end = a[EVERY * k], a[EVERY * k + EVERY // 2], a[EVERY * (k + 1)]
        r[k + 1] = r[k] + ROW * v[k] + ROW**2 / 6.0 * (begin + 2.0 * middle)
        v[k + 1] = v[k] + ROW / 6.0 * (begin + 4.0 * middle + end)
        v[k + 1] += kick * MOTION.push_noise * rng.standard_normal((n, 3))
        q_NT[k + 1], w_NT[k + 1] = stepped(case.inertia, q_NT[k], w_NT[k], ROW)
        w_NT[k + 1] += kick * MOTION.angle_noise * rng.standard_normal((n, 3))
    walk = np.sqrt(TICK) * SENSORS.gyro_walk * rng.standard_normal((len(t), n, 3))
    walk[0] = SENSORS.bias_sigma * rng.standard_normal((n, 3))
    bias = case.noise * np.cumsum(walk, axis=0)
    com = np.stack([0.03 + 0.01 * np.sin(0.5 * t), 0.01 * np.cos(0.7 * t), 0.02 + 0.0 * t], axis=1)
    com_rate = np.stack(
        [0.005 * np.cos(0.5 * t), -0.007 * np.sin(0.7 * t), np.zeros_like(t)], axis=1
    )
    return Flight(t, q_NC, w_NC, com, com_rate, r, v, q_NT, w_NT, bias)


# --- sensors ------------------------------------------------------------------------------------


def sense(case: Case, flight: Flight) -> np.ndarray:
    """What the sensors deliver (runs, ticks, .)."""
    rng = np.random.default_rng([case.seed, 1])
    ticks, n = len(flight.t), case.runs
    seen = np.zeros((n, ticks, sees.size))
    seen[..., sees["t"]] = flight.t
    seen[..., sees["gyro.t"]] = flight.t
    seen[..., sees["gyro.count"]] = 1.0 + np.arange(ticks)
    gyro = case.noise * SENSORS.gyro_noise / np.sqrt(TICK)
    gyro_w = flight.w_NC[:, None] + flight.bias + gyro * rng.standard_normal((ticks, n, 3))
    seen[..., sees["gyro.w"]] = gyro_w.transpose(1, 0, 2)
    stamp = TICK * (case.delay if case.told_delay is None else case.told_delay)
    stars = pictures = 0
    for k in range(case.delay, ticks):
        now, late = flight.t[k], k - case.delay
        if late % EVERY == EVERY // 2:
            off = case.noise * np.array(SENSORS.star_sigma) * rng.standard_normal((n, 3))
            stars += 1
            seen[:, k:, sees["star.t"]] = now - stamp
            seen[:, k:, sees["star.count"]] = stars
            star = times(flight.q_NC[late], turned(rotated(Q_CS, off)))
            seen[:, k:, sees["star.q"]] = star[:, None]
        if late % EVERY == 0 and not case.dark[0] <= now < case.dark[1]:
            pictures += 1
            p, q = seen_pose(case, flight, late // EVERY, rng)
            seen[:, k:, sees["camera.t"]] = now - stamp
            seen[:, k:, sees["camera.count"]] = pictures
            seen[:, k:, sees["camera.p"]] = p[:, None]
            seen[:, k:, sees["camera.q"]] = q[:, None]
    return seen


def seen_pose(case, flight, row, rng):
    """p_KG, q_KG of that row as the camera measures them."""
    q_KN = conjugate(times(flight.q_NC[EVERY * row], Q_CK))
    p = rotated(q_KN, flight.g[row]) + rotated(conjugate(Q_CK), flight.com[EVERY * row] - P_CK)
    q = times(times(q_KN, flight.q_NT[row]), Q_TG)
    spread = SENSORS.camera_sigma + SENSORS.camera_share * np.linalg.norm(p, axis=1, keepdims=True)
    p = p + case.noise * spread * rng.standard_normal(p.shape)
    off = case.noise * SENSORS.camera_angle * rng.standard_normal(p.shape)
    return p, times(q, turned(off))


# --- navigation ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Navigated:
    """Estimates (runs, ticks, .), and at the target's rows truth less estimate (rows, runs, .)."""

    estimate: np.ndarray
    states: list
    attitude: np.ndarray  # θ of q_NC [rad]
    bias: np.ndarray
    r: np.ndarray
    v: np.ndarray
    q: np.ndarray  # θ of q_NT
    w: np.ndarray
    g: np.ndarray  # of p_CG
    relative_P: np.ndarray  # at the end (runs, 12, 12)
    attitude_P: np.ndarray


def known_inputs_of(flight: Flight) -> np.ndarray:
    """What the other software tells, one row a tick."""
    known_inputs = np.zeros((len(flight.t), layout.INPUT_SIZE))
    known_inputs[:, layout.INPUT_FORCE : layout.INPUT_FORCE + 3] = FORCE
    known_inputs[:, layout.INPUT_COM : layout.INPUT_COM + 3] = flight.com
    known_inputs[:, layout.INPUT_COM_RATE : layout.INPUT_COM_RATE + 3] = flight.com_rate
    return known_inputs


@kernel
def navigate_rows(parameters, state, views, flat, rows):
    """`navigate` row after row: what is seen and told in, an estimate out.  The views are of the
    flat arrays."""
    inputs, outputs = views
    seen_now, estimate_now = flat
    seen, known_inputs, estimates = rows
    for tick in range(seen.shape[0]):
        for i in range(seen_now.shape[0]):
            seen_now[i] = seen[tick, i]
        navigate(parameters, state, inputs, known_inputs[tick], outputs)
        for i in range(estimate_now.shape[0]):
            estimates[tick, i] = estimate_now[i]


def run_navigation(parameters, state, seen, known_inputs, estimates):
    """Writes an estimate for each row of what is seen."""
    said, known, rest = (Fields(at.layout, at.layout.array()) for at in (sees, est, others))
    inputs, outputs = views(NavigationInputs, said, rest), views(NavigationOutputs, known)
    flat, rows = (said.array, known.array), (seen, known_inputs, estimates)
    navigate_rows(parameters, state, (inputs, outputs), flat, rows)


def navigate_all(flight: Flight, seen: np.ndarray, motion=MOTION, trust: Trust | None = None):
    """The navigation, run by run, and how far off it is."""
    parameters, known_inputs = build(SENSORS, motion, trust), known_inputs_of(flight)
    states = [start(TICK) for _ in seen]
    estimate = np.zeros((*seen.shape[:2], est.size))
    for state, row, out in zip(states, seen, estimate, strict=True):
        run_navigation(parameters, state, row, known_inputs, out)

    def of(name):
        return estimate[:, ::EVERY, est[f"navigation.{name}"]].transpose(1, 0, 2)

    return Navigated(
        estimate,
        states,
        angle(times(conjugate(of("q_NC")), flight.q_NC[::EVERY, None])),
        flight.bias[::EVERY] - of("gyro_bias"),
        flight.r - of("r"),
        flight.v - of("v"),
        angle(times(conjugate(of("q_NT")), flight.q_NT)),
        flight.w_NT - of("w_NT_T"),
        flight.p_CG - of("p_CG"),
        np.array([state.relative_P for state in states]),
        np.array([state.attitude_P for state in states]),
    )
