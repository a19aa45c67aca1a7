"""The latched pair answers thrusters as the one body that its two spacecraft make up.

Seen from the servicer's hub, at Co with the attitude R, a rigid body of mass m, with the first
moment s and the inertia J about Co, has

    P = m v + R (w × s)
    L = p × P + R s × v + R J w            about O's origin

which is linear in (m, s, J): ten numbers from rows of p, v, R, w and the impulses of thrusters of
known places and directions, by least squares.
"""

from collections.abc import Iterator

import numpy as np
import pytest

import proxops
from proxops.assembly.describe import describe
from proxops.core.frame import Frame, frame, rotation_of
from proxops.results.run import Run
from proxops.scenario.load import Scenario

pytestmark = pytest.mark.slow

SYMMETRIC = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


PUSH_S, TURN_S = 2.0, 6.0  # of thrust, and of that with the coast after it


class Excite:
    """Turns the pair about each axis and pushes it along each, and lets it come to rest in itself
    after each: latches ring for a second."""

    rate_hz = 10.0

    def control(self, measurements, commands):
        turn, since = divmod(measurements.t, TURN_S)
        pushes = 12.0 * np.eye(6)[int(turn) % 6] if since >= TURN_S - PUSH_S else np.zeros(6)
        commands.torque, commands.force = pushes[:3], pushes[3:]


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    """`unberthing` as it begins, the arm at rest with its brakes on, without gravity, noise and
    panels that bend."""
    mission = proxops.load("unberthing")
    holds = {f"holds.{name}.commanded": False for name in mission.mission.holds}
    return mission.replace(
        {
            **holds,
            "orbit.inside": {"radius_m": 100.0, "drop": "frame"},
            "chaser.w_NC_C_deg_s": [0.0, 0.0, 0.0],
            "target.w_NT_T_deg_s": [0.0, 0.0, 0.0],
            "sensors": {},
            "requirements": {},
            "chaser.grippers": {},
            "chaser.wheels": {},
            "chaser.arms.motor": None,
            "chaser.arms.left": None,
            "chaser.arms.right": None,
            "chaser.arms.main.brakes": "on",
            "contacts.left": None,
            "contacts.right": None,
            "obsw": {"platform": {"pulse_period_s": 0.1}},
            "chaser.appendages": {},
            "target.appendages": {},
            "time": {
                "duration_s": 7.0 * TURN_S,
                "control_rate_hz": 100.0,
                "record_rate_hz": 20.0,
                "phases": {"latched": {"until_s": 7.0 * TURN_S, "step_s": 0.005}},
            },
        }
    )


@pytest.fixture(scope="module")
def run(scenario: Scenario) -> Run:
    return proxops.simulate(scenario, controller=Excite)


def cross(a: np.ndarray) -> np.ndarray:
    """a × as a matrix."""
    x, y, z = a
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def inertia_times(w: np.ndarray) -> np.ndarray:
    """J w as a matrix times the six numbers of J."""
    columns = []
    for i, j in SYMMETRIC:
        unit = np.zeros((3, 3))
        unit[i, j] = unit[j, i] = 1.0
        columns.append(unit @ w)
    return np.array(columns).T


def momenta(p: np.ndarray, v: np.ndarray, R: np.ndarray, w: np.ndarray) -> np.ndarray:
    """P and L as a matrix (6, 10) times (m, s, J)."""
    linear = np.hstack([v[:, None], R @ cross(w), np.zeros((3, 6))])
    own = np.hstack([np.zeros((3, 1)), -cross(v) @ R, R @ inertia_times(w)])
    return np.vstack([linear, cross(p) @ linear + own])


def identified(run: Run, scenario: Scenario) -> np.ndarray:
    """(m, s, J) of what the thrusters turn and push."""
    thrusters = scenario.mission.chaser.thrusters.values()
    places = np.array([each.p_C_m for each in thrusters])
    along = np.array([each.direction_C for each in thrusters])
    t, impulse = run["chaser.thrusters.impulse"]
    p, v, q, w = (run[f"chaser.{name}"][1] for name in ("p_HC", "v_HC", "q_NC", "w_NC_C"))
    rows = np.array([momenta(p[i], v[i], rotation_of(q[i]), w[i]) for i in range(len(p))])
    given = np.zeros((len(p), 6))
    for i in range(1, len(p)):
        half = 0.5 * (q[i] + q[i - 1])  # the attitude between two rows
        R, middle = rotation_of(half / np.linalg.norm(half)), 0.5 * (p[i] + p[i - 1])
        f = (impulse[i] - impulse[i - 1])[:, None] * along @ R.T
        r = middle + places @ R.T
        given[i] = given[i - 1] + np.hstack([f.sum(axis=0), np.cross(r, f).sum(axis=0)])
    at_rest = np.searchsorted(t, TURN_S * np.arange(1, 8) - PUSH_S - 0.1)  # before each push
    changes, sums = (each[at_rest[1:]] - each[at_rest[0]] for each in (rows, given))
    found, *_ = np.linalg.lstsq(changes.reshape(-1, 10), sums.ravel(), rcond=None)
    return found


def bodies(scenario: Scenario) -> Iterator[tuple[float, np.ndarray, np.ndarray]]:
    """Mass, place of the centre and inertia about it of all bodies of the latched pair, in C."""
    chaser, target, _ = describe(scenario)
    yield chaser.mass, np.zeros(3), chaser.inertia
    for mounted in chaser.arms:
        root = mounted.arm.root
        X = Frame(mounted.R_CA, mounted.p_CA)
        own = root.inertia - root.mass * cross(root.com) @ cross(root.com).T  # root's is about A
        yield root.mass, X.p + X.R @ root.com, X.R @ own @ X.R.T
    hold = scenario.mission.holds["hard"]
    X_CT = frame(hold.port.p_CA_m, hold.port.q_CA) @ frame(hold.p_TB_m, hold.q_TB).inverse()
    yield target.mass, X_CT.p, X_CT.R @ target.inertia @ X_CT.R.T


def composed(scenario: Scenario) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre in C, and inertia about it of the pair."""
    parts = list(bodies(scenario))
    m = sum(part[0] for part in parts)
    c = sum(part[0] * part[1] for part in parts) / m
    J = sum(I + mass * cross(r - c) @ cross(r - c).T for mass, r, I in parts)
    return m, c, J


def test_the_inertia_of_the_latched_pair_is_that_of_both_bodies(run, scenario):
    """Each moment within 0.1 %, products within that of the least moment.  Latches yield to
    centrifugal forces, 0.1 N over 2e4 N/m: 1e-5 of it."""
    found = identified(run, scenario)
    m, c = found[0], found[1:4] / found[0]
    J = np.zeros((3, 3))
    for value, (i, j) in zip(found[4:], SYMMETRIC, strict=True):
        J[i, j] = J[j, i] = value
    J -= m * cross(c) @ cross(c).T
    mass, centre, inertia = composed(scenario)
    assert m == pytest.approx(mass, rel=1e-3)
    assert c == pytest.approx(centre, abs=1e-3)
    assert np.diag(J) == pytest.approx(np.diag(inertia), rel=1e-3)
    assert pytest.approx(inertia, abs=1e-3 * np.diag(inertia).min()) == J
