"""A capture by arm and gripper alone: what both spacecraft carry together stays."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import proxops
from proxops.assembly.describe import describe
from proxops.core.frame import rotation_of
from proxops.facility.robot_cell.arms import arm_frames
from tests.scenarios.capture_cases import without_actuators

ASIDE = 0.004  # [m] along the way of the fingers


@cache
def captured() -> proxops.Run:
    """Nothing pushes the base, and one finger touches before the other."""
    x, y, z = without_actuators().mission.chaser.p_HC_m
    return proxops.simulate(without_actuators({"chaser.p_HC_m": [x, y + ASIDE, z]}))


@pytest.mark.parametrize("kept", ["momentum", "angular_momentum"])
def test_fingers_hold_and_arm_leave_the_momentum_of_the_pair_alone(kept: str) -> None:
    """Through touch-down, grasp and hold.  The thrusters' 24e-12 N in 6 s are 1e-11 of it."""
    run = captured()
    happened = [event.name for event in run.events]
    assert happened.index("grasp") < happened.index("touch-down") < happened.index("hold-closes")
    value = run[f"ledger.{kept}"][1]
    scale = float(run[f"ledger.sum_{kept}"][1].max())
    assert np.linalg.norm(value - value[0], axis=1).max() < 1e-10 * scale


def test_the_two_did_push_each_other() -> None:
    """Else nothing could have been lost: the target's share of both has changed a million times
    more than the bound above."""
    run = captured()
    spins = run["target.w_NT_T"][1]
    before, after = run["target.v_HT"][1][[0, -1]]
    mass, inertia = 7527.867, 17023.3  # of its hub; the least of its inertias
    assert mass * np.linalg.norm(after - before) > 1e-4 * run["ledger.sum_momentum"][1].max()
    changed = inertia * np.abs(spins - spins[0]).max()
    assert changed > 1e-4 * run["ledger.sum_angular_momentum"][1].max()
    assert max(np.abs(run[f"contacts.{side}.f"][1]).max() for side in ("left", "right")) > 30.0


def test_the_ledger_closes_over_the_capture() -> None:
    run = captured()
    assert run.outcome == "passed"
    assert run.ledger.closed
    assert abs(run["ledger.work_motors"][1][-1]) > 0.1  # fingers were driven [J]


def test_the_wrist_feels_what_contacts_and_hold_do_to_the_end_effector() -> None:
    """With an ideal sensor: f_E = -R_EC R_CT Σ f, recorded forces being those on the target.  The
    sensors are not asked at the last instant."""
    run = captured()
    names = ("contacts.left.f", "contacts.right.f", "contacts.palm.f", "holds.grip.f")
    total = np.sum([run[name][1] for name in names], axis=0)[:-1]
    felt, joints = run["sensors.wrist"][1], run["chaser.arms.main.q"][1]
    q_CT = run["relative.q_CT"][1]
    arm = describe(without_actuators())[0].arms[0]
    touching = np.flatnonzero(np.abs(total).max(axis=1) > 0.0)
    assert np.linalg.norm(total[touching], axis=1).max() > 5.0
    for row in [*touching[:40], *touching[::50]]:
        R_CE = arm_frames([replace(arm, q=joints[row])])["main"][-1].R
        expected = -R_CE.T @ rotation_of(q_CT[row]) @ total[row]
        # 40 N of each finger nearly cancel; products of eight rotations are right to 1e-15
        assert felt[row, :3] == pytest.approx(expected, abs=1e-12)
