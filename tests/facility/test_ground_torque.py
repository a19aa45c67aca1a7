"""An arm that nothing controls moves on carriers that follow exactly as it does in orbit."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import proxops
from proxops.facility.cell.ground_torque import extrapolate, none_yet
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.relative.ground_arm import DIFFERENCE, LOAD_ROWS
from proxops.plant.model import DRIVE_MOTOR, DRIVE_WIDTH
from proxops.rehearsal import on_facility
from proxops.scenario.facility import load_facility

SECONDS = 8.0


def mission(step):
    """The arm of `touch` on its turning base, without motors and contact."""
    time = {
        "duration_s": SECONDS,
        "control_rate_hz": 250.0,
        "record_rate_hz": 50.0,
        "phases": {"free": {"until_s": SECONDS, "step_s": step}},
    }
    changes = {"time": time, "contacts": None, "obsw": None, "requirements": {}}
    return proxops.load("touch").replace(changes)


@cache
def apart(step):
    """Largest difference of the joints from those in orbit [rad], and how far they move."""
    orbit = proxops.simulate(mission(step))["chaser.arms.main.q"][1]
    run = on_facility(mission(step), load_facility("ideal"), "relative").run()
    assert run.ledger.closed
    there = run["chaser.arms.main.q"][1]
    return np.abs(there - orbit).max(), np.ptp(orbit, axis=0).max()


def test_a_free_arm_drifts_from_the_orbit_with_the_second_order_of_the_step():
    # Held over the step, gravity compensation would make it the first: ratios of 2.
    errors = [apart(step)[0] for step in (0.004, 0.002, 0.001, 0.0005)]
    assert apart(0.001)[1] > 0.1
    for coarse, fine in pairwise(errors):
        assert coarse / fine == pytest.approx(4.0, abs=0.5)


def test_a_torque_that_changes_evenly_is_met_half_way_through_the_step():
    """τ = 3 t: what is given for the step from t to t + h is 3 (t + h/2), once its change is known;
    also where the step before was another."""
    ground, drive = none_yet(1), np.zeros((2, DRIVE_WIDTH))
    loads = np.zeros((LOAD_ROWS, BASE_DOF + 1))
    given = []
    for t, h in ((0.0, 0.1), (0.1, 0.1), (0.2, 0.4), (0.6, 0.2)):
        loads[DIFFERENCE, BASE_DOF] = drive[1, DRIVE_MOTOR] = 3.0 * t
        extrapolate.py_func(ground, loads, drive, t, h)
        given.append(drive[1, DRIVE_MOTOR])
    assert given == pytest.approx([0.0, 3.0 * 0.15, 3.0 * 0.4, 3.0 * 0.7], abs=1e-15)
