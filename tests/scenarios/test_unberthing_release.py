"""The release of `unberthing`: with the separation that was commanded, on the drift that its true
state predicts, and never nearer again.

From position and velocity after the burn, in H, with the orbit's rate n and s, c of nt
(Clohessy and Wiltshire 1960):

    x = (4 - 3c) x₀ + s/n ẋ₀ + 2 (1 - c)/n ẏ₀
    y = 6 (s - nt) x₀ + y₀ - 2 (1 - c)/n ẋ₀ + (4s/n - 3t) ẏ₀
    z = c z₀ + s/n ż₀
"""

import numpy as np
import pytest

import proxops
from proxops.physics.orbit.attractors import ATTRACTORS
from proxops.results.run import Run
from tests.scenarios.flown import flown, group

MISSION = "unberthing"
SEPARATION = np.array([0.0, -0.025, 0.0])  # commanded of the servicer, in H [m/s]
ORBITS = 2.0
pytestmark = [group(MISSION), pytest.mark.slow]


@pytest.fixture(scope="module")
def run() -> Run:
    return flown(MISSION)


def start_of(run: Run, leg: str) -> float:
    return next(each.start_s for each in run.phases if each.name == leg)


def row_after_burn(run: Run) -> int:
    """The first at which thrusters have given all that they give."""
    t, spent = run["chaser.delta_v"]
    at = int(np.searchsorted(t, start_of(run, "depart")))
    while spent[at] != spent[at + 8]:  # pulses come every 20 ms, rows every 250 ms
        at += 1
    return at


def relative(run: Run) -> np.ndarray:
    """Servicer's centre of mass from the target's, in H (n, 3) [m]."""
    return run["chaser.p_HCcm"][1] - run["target.p_HTcm"][1]


def drift(p: np.ndarray, v: np.ndarray, n: float, t: np.ndarray) -> np.ndarray:
    """Position in H at the times t [s] (len(t), 3) [m]."""
    s, c, nt = np.sin(n * t), np.cos(n * t), n * t
    x = (4 - 3 * c) * p[0] + s / n * v[0] + 2 * (1 - c) / n * v[1]
    y = 6 * (s - nt) * p[0] + p[1] - 2 * (1 - c) / n * v[0] + (4 * s - 3 * nt) / n * v[1]
    return np.column_stack([x, y, c * p[2] + s / n * v[2]])


def rate_of_orbit() -> float:
    a = proxops.load(MISSION).mission.orbit.semi_major_axis_km * 1e3
    return float(np.sqrt(ATTRACTORS["earth"].mu / a**3))


def released(run: Run) -> tuple[int, np.ndarray, np.ndarray]:
    """Row after the burn, and the true relative state there; velocity from rows on both sides."""
    at, p = row_after_burn(run), relative(run)
    t = run["chaser.p_HCcm"][0]
    return at, p[at], (p[at + 1] - p[at - 1]) / (t[at + 1] - t[at - 1])


@pytest.fixture(scope="module")
def coast(run: Run) -> Run:
    """Two orbits on from after the burn, without software, the arm braked where it is."""
    at, n = row_after_burn(run) + 4, rate_of_orbit()
    t = run["chaser.p_HC"][0][at]
    changes = {key: run[key][1][at].tolist() for key in ("chaser.q_NC", "target.q_NT")}
    for name in ("chaser.w_NC_C", "target.w_NT_T"):
        changes[f"{name}_deg_s"] = np.degrees(run[name][1][at]).tolist()
    changes["chaser.p_HC_m"] = (run["chaser.p_HC"][1][at] - run["target.p_HT"][1][at]).tolist()
    changes["chaser.v_HC_m_s"] = (run["chaser.v_HC"][1][at] - run["target.v_HT"][1][at]).tolist()
    changes["chaser.arms.main.q_deg"] = np.degrees(run["chaser.arms.main.q"][1][at]).tolist()
    seconds = float(np.ceil(ORBITS * 2.0 * np.pi / n))
    return proxops.simulate(
        proxops.load(MISSION).replace(
            {
                **changes,
                "chaser.arms.main.brakes": "on",
                "chaser.appendages": {},  # they swing by less than a millimetre
                "target.appendages": {},
                **{f"chaser.arms.{name}": None for name in ("motor", "left", "right")},
                "chaser.grippers": {},
                "chaser.wheels": {},
                "contacts": {},
                "holds": {},
                "sensors": {},
                "obsw": {},
                "requirements": {},
                "orbit.true_anomaly_deg": float(np.degrees(n * t)),
                "time": {
                    "duration_s": seconds,
                    "control_rate_hz": 1.0,
                    "record_rate_hz": 0.25,
                    "phases": {"drift": {"until_s": seconds, "step_s": 1.0}},
                },
            }
        )
    )


def test_the_separation_is_the_commanded_one(run: Run) -> None:
    _, _, v = released(run)
    assert np.linalg.norm(v - SEPARATION) < 1e-3
    t, w = run["relative.w_CT_C"]
    open_at = start_of(run, "withdraw")
    assert np.linalg.norm(w[np.searchsorted(t, open_at)]) < np.radians(0.05)


def test_the_drift_is_that_of_the_true_state_at_the_release(coast: Run) -> None:
    """Over two orbits, within 2 % of how far it has come; HCW's own error, y²/2R, is 1e-4 of it."""
    t, p = coast["chaser.p_HCcm"][0], relative(coast)
    v = (p[1] - p[0]) / (t[1] - t[0])
    middle = 0.5 * (p[1] + p[0])
    predicted = drift(middle, v, rate_of_orbit(), t - 0.5 * (t[0] + t[1]))
    travelled = np.linalg.norm(p - p[0], axis=1)
    assert travelled[-1] > 500.0
    assert (np.linalg.norm(predicted - p, axis=1) <= 0.02 * travelled + 1e-3).all()


def test_hulls_are_never_nearer_than_at_the_release(run: Run, coast: Run) -> None:
    t, clearance = run["relative.clearance"]
    at_release = float(clearance[np.searchsorted(t, start_of(run, "withdraw"))].item())
    later = clearance[np.searchsorted(t, start_of(run, "depart")) :]
    assert later.min() >= at_release
    assert coast["relative.clearance"][1].min() >= at_release
    assert not [event for event in coast.events if event.name == "collision"]
