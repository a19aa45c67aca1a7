"""An arm that nothing controls moves on carriers that follow exactly as it does in orbit."""

import re
from importlib import resources
from itertools import pairwise

import numpy as np
import pytest

import proxops
from proxops.assembly.facility import load_facility
from proxops.facility.robot_cell.ground_torque import extrapolate, none_yet
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.plant.model import DRIVE_MOTOR, DRIVE_WIDTH
from proxops.rehearsal import on_facility

SECONDS = 5.0
FRICTION = re.compile("<dynamics .*/>")


@pytest.fixture(scope="module")
def mission(tmp_path_factory):
    """By its step: the arm of `touch` on its turning base, in motion, without motors, friction and
    contact."""
    arm = tmp_path_factory.mktemp("arms") / "free.urdf"
    shipped = resources.files("proxops.scenario") / "library" / "arms" / "light-arm.urdf"
    arm.write_text(FRICTION.sub("", shipped.read_text("utf-8")), "utf-8")

    def with_step(step):
        time = {
            "duration_s": SECONDS,
            "control_rate_hz": 250.0,
            "record_rate_hz": 50.0,
            "phases": {"free": {"until_s": SECONDS, "step_s": step}},
        }
        moving = {
            "chaser.arms.main.urdf": str(arm),
            "chaser.arms.main.qd_deg_s": [3.0, -2.0, 3.0, 3.0, -3.0, 2.0, 3.0],
        }
        changes = {"time": time, "contacts": None, "obsw": None, "requirements": {}}
        return proxops.load("touch").replace(changes | moving)

    return with_step


def test_a_free_arm_drifts_from_the_orbit_with_the_second_order_of_the_step(mission):
    """Held over the step, gravity compensation is late by half of it and makes this the first
    order: 2.6 mrad at 1 ms, ratios of 2."""
    errors = []
    for step in (0.004, 0.002, 0.001, 0.0005):
        orbit = proxops.simulate(mission(step))["chaser.arms.main.q"][1]
        run = on_facility(mission(step), load_facility("ideal"), "relative").run()
        assert run.ledger.closed
        assert np.ptp(orbit, axis=0).max() > 0.2
        errors.append(np.abs(run["chaser.arms.main.q"][1] - orbit).max())
    for coarse, fine in pairwise(errors):
        assert coarse / fine == pytest.approx(4.0, abs=0.1)
    assert errors[2] < 1e-6


def test_a_torque_that_changes_evenly_is_met_half_way_through_the_step():
    """τ = 3 t: what is given for the step from t to t + h is 3 (t + h/2), once its change is known;
    also where the step before was another."""
    ground, drive = none_yet(1), np.zeros((2, DRIVE_WIDTH))
    loads = np.zeros(BASE_DOF + 1)
    given = []
    for t, h in ((0.0, 0.1), (0.1, 0.1), (0.2, 0.4), (0.6, 0.2)):
        loads[BASE_DOF] = drive[1, DRIVE_MOTOR] = 3.0 * t
        extrapolate.py_func(ground, loads, drive, t, h)
        given.append(drive[1, DRIVE_MOTOR])
    assert given == pytest.approx([0.0, 3.0 * 0.15, 3.0 * 0.4, 3.0 * 0.7], abs=1e-15)
