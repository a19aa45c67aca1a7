"""A chaser some hundred metres from a target in NumPy, many at once, and simple sensors: what the
orbital navigation is tried on.  Nothing here uses the package's own laws of motion."""

from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from proxops.bus.bus import T
from proxops.bus.fields import Fields, views
from proxops.core.description import RigidInertia
from proxops.core.jit import kernel
from proxops.onboard.functions.allocation import allocate
from proxops.onboard.functions.navigation import function as navigation
from proxops.onboard.functions.orbital_navigation.cycle import estimate
from proxops.onboard.functions.orbital_navigation.function import (
    FIELDS,
    OrbitalInputs,
    OrbitalOutputs,
)
from proxops.onboard.functions.orbital_navigation.model import (
    FarMotion,
    FarSensors,
    FarTrust,
    build,
    correlated_factor,
    start,
)
from proxops.physics.multibody.tree import Tree, body_row
from proxops.physics.orbit.attractors import EARTH, MOON
from proxops.physics.orbit.kepler import state_from_elements
from proxops.sensors import encoders
from proxops.sensors.sensor import Chaser, block_fields
from proxops.sensors.shipped import OPTIONAL
from tests.bus_rows import Columns

NONE = Chaser(0, 0)
sees = Columns(
    (
        T,
        *(each for kind in (encoders.SENSOR, *OPTIONAL) for each in block_fields(kind, NONE)),
        *navigation.FIELDS,
        *allocate.FIELDS,
    )
)
est = Columns(FIELDS)

TICK = 0.5  # of the software [s]
PERIOD = 1.0  # of the filter [s]
EVERY = round(PERIOD / TICK)
MASS = 500.0  # [kg]
COM = np.array([0.05, -0.02, 0.1])  # p_CCcm [m]
P_CK, P_CL = np.array([0.8, 0.1, 0.3]), np.array([0.7, -0.2, 0.0])
Q_CK = Rotation.from_rotvec([0.0, 0.5 * np.pi, 0.0])  # looks along x of C
ATTITUDE = 2e-5  # standard deviation of the estimated attitude, each axis [rad]
ATTITUDE_LASTS = 1.6  # over which its errors are correlated [s]
ARCSEC = np.pi / 648000.0


@dataclass(frozen=True)
class Orbit:
    """As believed, and how far along it the target truly is."""

    mu: float
    a: float  # [m]
    e: float
    along: float = 0.0  # [m]

    def state(self, along=0.0):
        """Position and velocity at the start, so far along [m]."""
        r = self.a * (1.0 - self.e**2) / (1.0 + self.e * np.cos(0.7))
        return state_from_elements(self.mu, self.a, self.e, 1.7, 0.5, 1.0, 0.7 + along / r)


LEO = Orbit(EARTH.mu, 7000e3, 0.05)
LUNAR = Orbit(MOON.mu, 2000e3, 0.1)

SENSORS = FarSensors(
    p_CK=tuple(P_CK),
    q_CK=tuple(Q_CK.as_quat(scalar_first=True)),
    p_CL=tuple(P_CL),
    bearing_sigma=40.0 * ARCSEC,
    bearing_bias=100.0 * ARCSEC,
    range_sigma=0.1,
    range_share=5e-4,
    range_bias=0.3,
    gnss_sigma=(1.0, 1.0, 1.0, 0.02, 0.02, 0.02),
    gnss_bias=(1.0, 1.0, 1.0),
    attitude_factor=correlated_factor(PERIOD, ATTITUDE_LASTS),
)


@dataclass(frozen=True)
class Case:
    """What is flown and how it is seen."""

    runs: int = 1
    seconds: float = 1000.0
    seed: int = 1
    orbit: Orbit = LEO
    p_H: tuple[float, ...] = (-20.0, -1000.0, 30.0)  # believed start [m]
    v_H: tuple[float, ...] = (0.01, 0.25, -0.02)
    p_sigma: float = 50.0  # [m]
    v_sigma: float = 0.05  # [m/s]
    sensors: FarSensors = SENSORS
    sees: tuple[str, ...] = ("bearing", "range", "gnss")
    delays: tuple[int, ...] = (1, 4, 0)  # of those three [ticks]
    offsets: tuple[int, ...] = (1, 0, 0)  # of exposures from the filter's instants [ticks]
    periods: tuple[int, ...] = (2, 2, 20)  # [ticks]
    told_late: bool = True  # false: measurements come with the time of their arrival
    loss: float = 0.1  # chance of each sample
    dark: tuple[float, float] = (0.0, 0.0)  # nothing is seen between these times [s]
    outliers: float = 0.01  # chance of a range, 50 m
    burns: tuple[tuple[float, float], ...] = ((200.0, 210.0), (500.0, 530.0))  # [s]
    force: tuple[float, ...] = (2.0, 4.0, -1.0)  # of a burn, in C [N]
    thrust_sigma: float = 0.05
    push_share: float = 0.1
    push_noise: float = 1e-5
    kick: tuple[float, ...] = (0.0, 0.0, 0.0)  # the target's manoeuvre at half time, N [m/s]
    believed_thrust_sigma: float | None = None  # None: as it is
    attitude_sigma: float = ATTITUDE  # [rad]
    trust: FarTrust = field(default_factory=FarTrust)


# --- truth ---------------------------------------------------------------------------------------


def hill_axes(R, V):
    """R_NH (..., 3, 3) and the rate of H about z (...)."""
    x = R / np.linalg.norm(R, axis=-1, keepdims=True)
    h = np.cross(R, V)
    z = h / np.linalg.norm(h, axis=-1, keepdims=True)
    rate = np.linalg.norm(h, axis=-1) / np.sum(R * R, axis=-1)
    return np.stack([x, np.cross(z, x), z], axis=-1), rate


def orbit_of(mu, state, t):
    """Positions and velocities of the target at times t [s], integrated."""

    def rates(_, y):
        return [*y[3:], *(-mu * y[:3] / np.linalg.norm(y[:3]) ** 3)]

    y0 = np.concatenate(state)
    y = solve_ivp(rates, (0.0, t[-1]), y0, "DOP853", t, rtol=1e-12, atol=1e-9).y.T
    return y[:, :3], y[:, 3:]


@dataclass(frozen=True)
class Flight:
    """Truth at every half tick for the orbit, every tick for the rest."""

    t: np.ndarray  # (ticks,)
    R: np.ndarray  # of the target (2 ticks - 1, 3)
    V: np.ndarray
    p: np.ndarray  # from Tcm to Ccm (ticks, runs, 3), N
    v: np.ndarray
    force: np.ndarray  # commanded from each tick on (ticks, 3), C
    q_NC: Rotation  # (ticks,)
    w_NC: np.ndarray  # (3,), C

    def in_hill(self):
        """p and v in H (ticks, runs, 6)."""
        R_NH, rate = hill_axes(self.R[::2], self.V[::2])
        p = np.einsum("tji,trj->tri", R_NH, self.p)
        v = np.einsum("tji,trj->tri", R_NH, self.v)
        v[..., 0] += rate[:, None] * p[..., 1]
        v[..., 1] -= rate[:, None] * p[..., 0]
        return np.concatenate([p, v], axis=-1)


def believed_start(case):
    """p, v in N [m, m/s] as the software believes them."""
    R, V = case.orbit.state()
    R_NH, rate = hill_axes(R, V)
    p = np.array(case.p_H)
    return R_NH @ p, R_NH @ (np.array(case.v_H) + np.cross([0.0, 0.0, rate], p))


def fly_truth(case, rng):
    """The true motion of all runs: Runge and Kutta on the difference of two attractions."""
    ticks, runs = round(case.seconds / TICK) + 1, case.runs
    t = TICK * np.arange(ticks)
    R, V = orbit_of(
        case.orbit.mu, case.orbit.state(case.orbit.along), 0.5 * TICK * np.arange(2 * ticks - 1)
    )
    # It faces the target at first, and turns with the orbit
    R_NH, rate = hill_axes(R[0], V[0])
    facing = Rotation.from_matrix(R_NH @ np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]).astype(float))
    w_NC = np.array([0.0, 0.0, float(rate)])
    q_NC = facing * Rotation.from_rotvec(np.outer(t, w_NC))
    middle = q_NC * Rotation.from_rotvec(0.5 * TICK * w_NC)
    burning = np.zeros(ticks)
    for begin, end in case.burns:
        burning[(t >= begin) & (t < end)] = 1.0
    force = burning[:, None] * np.array(case.force)
    scale = 1.0 + case.thrust_sigma * rng.standard_normal((runs, 1))

    def pull(p, at):
        """Attraction at R + p less that at R."""
        far = R[at] + p
        d3 = np.linalg.norm(far, axis=-1, keepdims=True) ** 3
        return -case.orbit.mu * (far / d3 - R[at] / np.linalg.norm(R[at]) ** 3)

    p0, v0 = believed_start(case)
    p = p0 + case.p_sigma * rng.standard_normal((runs, 3))
    v = v0 + case.v_sigma * rng.standard_normal((runs, 3))
    all_p, all_v = np.empty((ticks, runs, 3)), np.empty((ticks, runs, 3))
    h, kicked = TICK, ticks // 2
    for k in range(ticks):
        all_p[k], all_v[k] = p, v
        if k == ticks - 1:
            break
        if k == kicked:
            v = v - np.array(case.kick)
        a = scale * middle[k].apply(force[k]) / MASS
        size = np.linalg.norm(force[k]) / MASS
        noise = np.hypot(case.push_noise, case.push_share * size)
        a = a + noise / np.sqrt(h) * rng.standard_normal((runs, 3))
        a1 = pull(p, 2 * k) + a
        a2 = pull(p + 0.5 * h * v, 2 * k + 1) + a
        a3 = pull(p + 0.5 * h * v + 0.25 * h * h * a1, 2 * k + 1) + a
        a4 = pull(p + h * v + 0.5 * h * h * a2, 2 * k + 2) + a
        p = p + h * v + h * h / 6.0 * (a1 + a2 + a3)
        v = v + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
    return Flight(t, R, V, all_p, all_v, force, q_NC, w_NC)


# --- measurements --------------------------------------------------------------------------------


def attitude_errors(case, rng, ticks):
    """Of the estimated attitude: correlated in time (ticks, 3) [rad]."""
    kept = np.exp(-TICK / ATTITUDE_LASTS)
    errors = case.attitude_sigma * rng.standard_normal((ticks, 3))
    for k in range(1, ticks):
        errors[k] = kept * errors[k - 1] + np.sqrt(1.0 - kept**2) * errors[k]
    return errors


def exposures(case, rng, kind, ticks):
    """Ticks at which a sensor of that number exposes what is not lost."""
    found = np.arange(case.offsets[kind], ticks, case.periods[kind])
    t = found * TICK
    dark = (t >= case.dark[0]) & (t < case.dark[1])
    return found[~dark & (rng.random(len(found)) >= case.loss)]


def put_samples(case, rows, kind, block, exposed, values):
    """Lets samples arrive: values (n, width) by the names of their fields."""
    delay, ticks = case.delays[kind], len(rows)
    stamp = 0 if case.told_late else delay
    for count, k in enumerate(exposed, start=1):
        if k + delay >= ticks:
            break
        later = rows[k + delay :]
        later[:, sees[f"{block}.t"]] = (k + stamp) * TICK
        later[:, sees[f"{block}.count"]] = count
        for name, column in values.items():
            later[:, sees[f"{block}.{name}"]] = column[count - 1]


def rows_of(case, flight, run, rng):
    """What the software reads in each tick of a run."""
    ticks, s = len(flight.t), case.sensors
    rows = np.zeros((ticks, sees.size))
    rows[:, sees["t"]] = flight.t
    # Of an interval the software reads at its end
    rows[1:, sees["allocation.force"]] = flight.force[:-1]
    seen = flight.q_NC * Rotation.from_rotvec(attitude_errors(case, rng, ticks))
    q = seen.as_quat(scalar_first=True)
    signs = np.cumprod(np.sign(np.sum(q[1:] * q[:-1], axis=1)))
    q[1:] *= signs[:, None]
    rows[:, sees["navigation.q_NC"]] = q
    rows[:, sees["navigation.w_NC_C"]] = flight.w_NC
    rows[:, sees["navigation.sigma_C"]] = case.attitude_sigma
    rows[:, sees["navigation.camera_age"]] = rows[:, sees["navigation.doubt"]] = np.inf
    p, v, R_NC = flight.p[:, run], flight.v[:, run], flight.q_NC
    if "bearing" in case.sees:
        exposed = exposures(case, rng, 0, ticks)
        n = len(exposed)
        p_K = Q_CK.inv().apply(R_NC[exposed].inv().apply(-p[exposed]) + COM - P_CK)
        bias = s.bearing_bias * rng.standard_normal(2)
        noise = bias + s.bearing_sigma * rng.standard_normal((n, 2))
        azimuth = np.arctan2(p_K[:, 0], p_K[:, 2])
        elevation = np.arctan2(p_K[:, 1], np.hypot(p_K[:, 0], p_K[:, 2]))
        angles = np.stack([azimuth, elevation], axis=1) + noise
        put_samples(case, rows, 0, "bearing", exposed, {"angles": angles})
    if "range" in case.sees:
        exposed = exposures(case, rng, 1, ticks)
        n = len(exposed)
        d = np.linalg.norm(p[exposed] + R_NC[exposed].apply(P_CL - COM), axis=1)
        d = d + s.range_bias * rng.standard_normal()
        d = d + (s.range_sigma + s.range_share * d) * rng.standard_normal(n)
        d = d + 50.0 * rng.standard_normal(n) * (rng.random(n) < case.outliers)
        put_samples(case, rows, 1, "range_finder", exposed, {"range": d})
    if "gnss" in case.sees:
        exposed = exposures(case, rng, 2, ticks)
        n, sigma = len(exposed), np.array(s.gnss_sigma)
        place = p[exposed] + np.array(s.gnss_bias) * rng.standard_normal(3)
        place = place + sigma[:3] * rng.standard_normal((n, 3))
        speed = v[exposed] + sigma[3:] * rng.standard_normal((n, 3))
        put_samples(case, rows, 2, "gnss", exposed, {"p": place, "v": speed})
    return rows


# --- the filter ----------------------------------------------------------------------------------


@kernel
def advance_all(params, memory, inputs, outputs, given, rows, told, found):
    """One tick for each row: `given` and `told` are what inputs and outputs are views of."""
    for k in range(rows.shape[0]):
        for i in range(given.shape[0]):
            given[i] = rows[k, i]
        estimate(params, memory, inputs, outputs)
        for i in range(told.shape[0]):
            found[k, i] = told[i]


def built(case):
    """Parameters of the filter."""
    p, v = believed_start(case)
    sigma = case.believed_thrust_sigma
    thrust_sigma = case.thrust_sigma if sigma is None else sigma
    motion = FarMotion(
        MASS, np.array([case.orbit.mu, *np.concatenate(case.orbit.state())]), tuple(p), tuple(v),
        case.p_sigma, case.v_sigma, thrust_sigma, case.push_noise, case.push_share,
    )  # fmt: skip
    row = body_row(RigidInertia(MASS, COM, 100.0 * np.eye(3)))
    tree = Tree(np.array([row]), np.zeros((0, 2), dtype=np.int64))
    return build(case.sensors, motion, case.trust, tree, PERIOD)


def filtered(case, rows):
    """What the filter tells in each tick, and what it remembers at the end."""
    params = built(case)
    memory = start(params, max(case.delays) * TICK)
    given, told = np.zeros(sees.size), np.zeros(est.size)
    inputs = views(OrbitalInputs, Fields(sees.layout, given))
    outputs = views(OrbitalOutputs, Fields(est.layout, told))
    found = np.zeros((len(rows), est.size))
    advance_all(params, memory, inputs, outputs, given, rows, told, found)
    return found, memory


@dataclass(frozen=True)
class Result:
    """Of all runs: instants of the filter alone."""

    t: np.ndarray
    error: np.ndarray  # estimate less truth in H (instants, runs, 6)
    P: np.ndarray  # (instants, runs, 6, 6)
    found: np.ndarray  # (instants, runs, columns of est)
    marks: np.ndarray  # at the end (runs, MARKS)

    @property
    def nees(self):
        """eᵀ P⁻¹ e (instants, runs)."""
        solved = np.linalg.solve(self.P, self.error[..., None])[..., 0]
        return np.sum(self.error * solved, axis=-1)

    @property
    def sigma(self):
        """Standard deviations as told."""
        return self.found[..., est["orbital.sigma"]]


def flown(case, change=None):
    """All runs of a case; `change` may rewrite what a run's software reads."""
    rng = np.random.default_rng(case.seed)
    flight = fly_truth(case, rng)
    truth = flight.in_hill()[::EVERY]
    found, marks = [], []
    for run in range(case.runs):
        rows = rows_of(case, flight, run, rng)
        if change is not None:
            change(rows, flight, run, rng)
        told, memory = filtered(case, rows)
        found.append(told[::EVERY])
        marks.append(memory.marks.copy())
    all_found = np.stack(found, axis=1)
    error = (
        np.concatenate(
            [all_found[..., est["orbital.p_HC"]], all_found[..., est["orbital.v_HC"]]], axis=-1
        )
        - truth
    )
    P = all_found[..., est["orbital.P"]].reshape(*all_found.shape[:2], 6, 6)
    return Result(flight.t[::EVERY], error, P, all_found, np.array(marks))
