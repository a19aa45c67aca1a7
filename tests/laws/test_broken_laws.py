"""Short runs in which all laws act close their ledger.  `make mutants` breaks these laws one by
one, by a hundredth, and each opens it: a scale that is right for rounding still shows them."""

from typing import Any

import numpy as np
import pytest

import proxops
from tests.laws.scenes import EMPTY

TURN = [0.9, 0.1, -0.3, 0.3]  # a quaternion, nearly of unit length
Q = (np.array(TURN) / np.linalg.norm(TURN)).tolist()
ORBIT = {"orbit": proxops.load("fly-around").to_dict()["mission"]["orbit"]}


def timed(duration: float, step: float) -> dict[str, Any]:
    """One phase, with ten rows."""
    return {
        "time": {
            "duration_s": duration,
            "control_rate_hz": 1.0 / step,
            "record_rate_hz": 10.0 / duration,
            "phases": {"only": {"until_s": duration, "step_s": step}},
        },
        "requirements": {},
    }


def tumble() -> proxops.Scenario:
    """An arm that is driven, with friction in its joints, on a hub that tumbles."""
    waypoints = [{"t_s": 1.0, "q_deg": [10.0] * 7}]
    return proxops.load("free-tumble").replace(
        timed(0.05, 0.0025) | {"obsw.joints.main.waypoints": waypoints}
    )


def touching() -> proxops.Scenario:
    """A chaser held and pressed on a face, sliding and turning on it, an engine beside its centre
    of mass."""
    hold = {
        "p_TB_m": [-2.0, 0.1, 0.0],
        "stiffness_N_m_rad": [3e3, 2e3, 4e3],
        "damping_N_m_s_rad": [50.0, 60.0, 40.0],
        "stiffness_N_m": [0.0, 2e3, 3e3],
        "pull_N": [900.0, 0.0, 0.0],
    }
    contact = {
        "pads": {"on": "chaser", "centres_m": [[1.0, 0.5, 0.1], [1.0, -0.5, 0.2], [1.0, 0, -0.5]]},
        "face": {"on": "target", "p_m": [-2.0, 0.0, 0.0], "normal": [-1.0, 0.0, 0.0]},
        "normal": {"kind": "spring", "stiffness_N_m": 1e5, "damping_N_s_m": 2e3},
        "friction": {
            "mu_static": 0.3,
            "mu_kinetic": 0.2,
            "stiffness_N_m": 1e5,
            "damping_N_s_m": 1e3,
        },
    }
    engine = {"p_C_m": [-1.0, 0.3, -0.2], "direction_C": [0.0, 0.6, 0.8], "thrust_N": 200.0}
    boost = {"engines": ["engine"], "duration_s": 1.0, "modulation": "none"}
    return EMPTY.replace(
        timed(0.05, 0.001)
        | {
            "chaser.mass_kg": 400.0,
            "chaser.inertia_kg_m2": np.diag([90.0, 120.0, 100.0]).tolist(),
            "chaser.p_HC_m": [-2.997, 0.1, 0.2],
            "chaser.v_HC_m_s": [0.02, 0.15, -0.1],
            "chaser.w_NC_C_deg_s": [5.0, 0.3, -0.4],
            "chaser.thrusters": {"engine": engine},
            "obsw": {"boost": boost},
            "contacts": {"pads": contact},
            "holds": {"grip": hold},
        }
    )


def circling() -> proxops.Scenario:
    """Two bodies that tumble in orbit, with a swinging beam on the target."""
    beam = {
        "kind": "beam",
        "mass_kg": 200.0,
        "length_m": 8.0,
        "EI_N_m2": 2e4,
        "damping_ratio": 0.01,
        "shapes": 2,
        "axes": "yz",
        "p_TB_m": [1.0, 0.5, 0.0],
        "q_TB": Q,
        "q_f_m": [0.1, -0.05, 0.01, 0.0],
    }
    return EMPTY.replace(
        timed(0.5, 0.005)
        | ORBIT
        | {
            "chaser.p_HC_m": [20.0, -100.0, 30.0],
            "chaser.w_NC_C_deg_s": [3.0, -2.0, 1.0],
            "target.mass_kg": 2000.0,
            "target.inertia_kg_m2": np.diag([4000.0, 15000.0, 12000.0]).tolist(),
            "target.q_NT": Q,
            "target.w_NT_T_deg_s": [1.0, 2.0, -3.0],
            "target.appendages": {"boom": beam},
        }
    )


SHORT = {"tumble": tumble, "touching": touching, "circling": circling}


@pytest.mark.parametrize("scene", SHORT)
def test_a_short_run_closes_its_ledger(scene):
    run = proxops.simulate(SHORT[scene]())
    assert run.ledger.closed, run.ledger
