"""Arm, gripper and latches push the two spacecraft against each other only: without tide and
thrusters the pair keeps its momentum from capture to release, whatever happens between them."""

import numpy as np
import pytest

import proxops
from proxops.results.run import Run
from tests.scenarios.berthing_cases import quick

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def run() -> Run:
    changes = {
        "orbit.inside": {"radius_m": 100.0, "drop": "tide"},
        "chaser.v_HC_m_s": [0.0005, 0.001, -0.0005],
        "target.w_NT_T_deg_s": [0.02, -0.01, 0.0648225],
    }
    return proxops.simulate(quick(changes))


def test_the_pair_is_taken_carried_latched_and_let_go(run: Run) -> None:
    named = [event.name for event in run.events]
    for name in ("gripped", "hold-closes", "gripper-opens", "hold-opens", "stop"):
        assert name in named
    assert not {"arm-aborts", "collision"} & set(named)
    assert run["chaser.thrusters.impulse"][1].max() == 0.0


@pytest.mark.parametrize("name", ["momentum", "angular_momentum"])
def test_the_momentum_of_the_pair_stays_as_it_was(run: Run, name: str) -> None:
    """About O's origin, which moves with the pair's centre: with its momentum P it keeps the moment
    about its centre of mass too, L - r × P.  Scale: Σ m|v| and Σ |h| of all bodies."""
    has = run[f"ledger.{name}"][1]
    scale = run[f"ledger.sum_{name}"][1].max()
    assert np.linalg.norm(has - has[0], axis=1).max() < 1e-10 * scale
    assert np.linalg.norm(has[0]) > 0.01 * scale  # it is not zero
