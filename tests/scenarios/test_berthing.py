"""Berthing when something goes wrong: each leg that cannot be done is given up, with its reason."""

import re

import numpy as np
import pytest

import proxops
from proxops.validation.twin import GRASP

pytestmark = pytest.mark.slow

MISSION = "berthing"


def grasping(**changes):
    """Only the grasp, from 50 mm before the bar."""
    return proxops.load(MISSION).replace(
        {**GRASP, "time.ends_on": None, "time.duration_s": 60.0,
         **changes}
    )  # fmt: skip


def told(run, name):
    return [event for event in run.events if event.name == name]


def test_a_gripper_that_closes_on_nothing_says_so_and_the_plan_stops():
    """The bar is not where it was believed to be: its sides are a metre away."""
    away = {
        f"contacts.{side}.face.p_m": [1.0, y, 0.68]
        for side, y in (("left", 0.01), ("right", -0.01))
    }
    run = proxops.simulate(grasping(**away))
    (abort,) = told(run, "arm-aborts")
    assert "closed on nothing" in abort.detail
    assert not told(run, "gripped")
    assert told(run, "stop")
    assert run.ledger.closed


def test_a_part_that_is_too_thick_is_not_taken_for_the_bar():
    thick = {
        f"contacts.{side}.face.p_m": [0.0, y, 0.68]
        for side, y in (("left", 0.018), ("right", -0.018))
    }
    run = proxops.simulate(grasping(**thick))
    (abort,) = told(run, "arm-aborts")
    assert "another size" in abort.detail
    assert told(run, "touch-down")
    assert not told(run, "gripped")


def test_a_joint_that_is_stuck_ends_the_carry_with_the_target_in_the_hand():
    stuck = {"kind": "stuck-joint", "arm": "main", "joint": "elbow_pitch", "from_s": 140.0}
    scenario = proxops.load(MISSION).replace(
        {
            "time.duration_s": 200.0,
            "requirements": {},
            "faults": {"elbow": stuck},
        }
    )
    run = proxops.simulate(scenario)
    (abort,) = told(run, "arm-aborts")
    assert "does not follow" in abort.detail
    assert told(run, "stop")[0].t_s == pytest.approx(abort.t_s, abs=0.1)
    assert len(told(run, "gripper-opens")) < len(told(run, "gripper-closes"))  # it still holds
    assert not told(run, "collision")


def test_triggers_as_published_close_the_gripper_although_errors_were_never_small_together():
    """Each stays raised once it was.  A wrist that is held softly is stuck by its friction, some
    milliradians off: as the arm set out the angle was small, and now the distance is."""
    soft = {
        "obsw.berthing.impedance.stiffness_N_m_rad": 60.0,
        "obsw.berthing.impedance.damping_N_m_s_rad": 60.0,
        "time.ends_on": "gripper-closes",
    }
    latched = proxops.simulate(grasping(**soft, **{"obsw.berthing.triggers.kind": "latched"}))
    assert told(latched, "gripper-closes")
    assert latched["obsw.berthing.angle_error"][1][-1] > 1.5e-3
    level = proxops.simulate(grasping(**soft))
    assert told(level, "gripper-closes")[0].t_s > told(latched, "gripper-closes")[0].t_s
    assert level["obsw.berthing.place_error"][1][-1] < 2e-3
    assert level["obsw.berthing.angle_error"][1][-1] < 1e-3


def test_a_grip_presses_with_what_friction_needs_to_carry_the_target():
    """F = c m a / μ of both clamps together, 80 N: half of it each."""
    run = proxops.simulate(grasping(**{"time.ends_on": "gripped"}))
    for side in ("left", "right"):
        assert np.linalg.norm(run[f"contacts.{side}.f"][1][-1]) == pytest.approx(40.0, rel=0.03)


def withdrawing(**changes):
    """The gripper closes on nothing, and the hand draws back; brakes hold the arm before and
    after."""
    away = {
        f"contacts.{side}.face.p_m": [1.0, y, 0.68]
        for side, y in (("left", 0.01), ("right", -0.01))
    }
    legs = dict(GRASP["obsw.plan.legs"])
    legs["grapple"] = legs["grapple"] | {"on_abort": "draw_back"}
    legs["draw_back"] = {
        "does": "retreat", "timeout_s": 60.0, "next": "hold_off", "on_abort": "stop"
    }  # fmt: skip
    legs["hold_off"] = {"does": "station-keep"}
    own = {"time.duration_s": 75.0, "obsw.plan.legs": legs, "obsw.berthing.reach_s": 15.0}
    return grasping(**away, **own, **changes)


@pytest.fixture(scope="module")
def drawn_back():
    return proxops.simulate(withdrawing())


def test_a_hand_that_cannot_draw_back_says_so(drawn_back):
    """The arm has no power from the middle of its way on."""
    begins = told(drawn_back, "draw_back")[0].t_s
    lost = {"kind": "power-loss", "arm": "main", "from_s": begins + 5.0}
    run = proxops.simulate(withdrawing(faults={"bus": lost}))
    *_, abort = told(run, "arm-aborts")
    assert re.search(r"has not drawn back, 0\.\d+ m from .*, limit 0\.04 m", abort.detail)
    assert not told(run, "hold_off")
    assert told(run, "stop")


def test_an_aborted_hand_draws_back_along_its_line_of_approach_and_the_place_is_kept(drawn_back):
    run = drawn_back
    (abort,) = told(run, "arm-aborts")
    assert "closed on nothing" in abort.detail
    assert told(run, "draw_back")[0].t_s == pytest.approx(abort.t_s, abs=0.1)
    assert told(run, "hold_off")
    assert not told(run, "collision")
    # E in G: 98 mm above the middle of the bar as it grasps, 0.4 m further out as it has drawn back
    t, p_GE = run["relative.p_GE"]
    on_the_way = (t > abort.t_s) & (t < told(run, "hold_off")[0].t_s + 1.0)
    assert np.abs(p_GE[on_the_way, :2]).max() < 0.01
    assert p_GE[on_the_way, 2][-1] == pytest.approx(0.0978 + 0.4, abs=0.01)
    assert (p_GE[t > told(run, "hold_off")[0].t_s, 2] > 0.45).all()  # it stays away
    assert run.ledger.closed


def test_brakes_hold_the_joints_in_legs_that_do_not_move_the_arm(drawn_back):
    run = drawn_back
    (released,) = told(run, "brakes-released")
    first, last = told(run, "brakes-set")
    assert first.t_s < released.t_s < last.t_s
    assert released.t_s == pytest.approx(told(run, "grapple")[0].t_s, abs=0.05001)
    assert last.t_s == pytest.approx(told(run, "hold_off")[0].t_s, abs=0.05001)
    t, q = run["chaser.arms.main.q"]
    for braked in ((t > first.t_s) & (t < released.t_s), t > last.t_s):
        assert np.ptp(q[braked], axis=0).max() == 0.0
    assert np.ptp(q, axis=0).max() > 0.1
    paces = [event.detail.split()[0] for event in told(run, "pace")]
    assert paces == ["flight", "arm", "flight"]
