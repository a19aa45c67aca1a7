"""Rehearsals with the published commands beside them: how far these get, and why."""

from functools import cache

import numpy as np
import pytest

from proxops.assembly.facility import load_facility
from proxops.core.errors import InputError
from proxops.results.fidelity import compare
from proxops.validation.published_drift import drift_rows
from proxops.validation.published_world import rehearse_as_published
from tests.facility.test_rehearsal import in_orbit, mission, rehearsed

STEP = 0.001  # [s]


@cache
def published(step, orbit, flexible):
    scenario = mission(step, orbit=orbit, flexible=flexible)
    return rehearse_as_published(scenario, load_facility("ideal"))


@pytest.mark.parametrize("orbit", [False, True])
def test_as_published_a_rigid_target_moves_as_the_plant_has_it(orbit):
    """(11) under the measured wrench; both are RK4 with the same step, and 1e3 of them round."""
    run = published(STEP, orbit, False)
    assert np.abs(run["lab.measured_wrench"][1]).max() > 10.0
    assert np.abs(run["lab.published.target.drift"][1]).max() < 1e-14
    assert np.abs(run["lab.published.target.turn"][1]).max() < 1e-14


def test_as_published_the_chaser_errs_by_the_age_of_its_joint_accelerations():
    """(18) takes q̈ a step late, so that the base is behind by M_b⁻¹ M_bq q̇ h: first order."""

    def drift(step):
        apart = published(step, False, False)["lab.published.chaser.drift"][1]
        return np.linalg.norm(apart, axis=1).max()

    assert 0.0 < drift(0.001) < 1e-6
    assert drift(0.002) / drift(0.001) == pytest.approx(2.0, abs=0.5)


def test_the_drift_is_named_by_its_equation_and_by_what_that_leaves_out():
    run = published(STEP, False, True)
    rows = {row.name: row for row in drift_rows(run)}
    drift = np.linalg.norm(run["lab.published.target.drift"][1], axis=1)
    row = rows["published (11) target, rigid"]
    assert (row.largest, row.unit) == (drift.max(), "m")
    assert row.largest > 1e-7  # the array swings
    assert "published (18) chaser" in rows


def test_the_published_commands_change_nothing_and_a_rehearsal_has_none_of_them():
    usual, run = rehearsed(STEP, False, False), published(STEP, False, False)
    assert not [name for name in usual if name.startswith("lab.published")]
    for name in usual:
        np.testing.assert_array_equal(usual[name][1], run[name][1])
    names = [row.name for row in compare(in_orbit(STEP, False, False), run)]
    assert not [name for name in names if name.startswith("published")]


def test_sub_steps_are_rejected():
    changes = {"time.phases.touch.substeps": 2}
    with pytest.raises(InputError, match=r"time.phases.touch.substeps: 2; .* possible is 1"):
        rehearse_as_published(mission(STEP).replace(changes), load_facility("ideal"))
