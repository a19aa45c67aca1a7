"""A gripper that closes on the target: in orbit, and rehearsed with real fingers."""

from functools import cache

import numpy as np
import pytest

import proxops
from proxops.assembly.cell import build_cell
from proxops.assembly.facility import load_facility
from proxops.core.frame import frame
from proxops.facility.common.rows import CHASER, FLANGE, TARGET, WRIST
from proxops.facility.robot_cell.arms import arm_frames, posed
from proxops.facility.robot_cell.wrist import put_wrist_wrench
from proxops.plant import hold_array, layout
from proxops.plant.holds import command_hold
from proxops.plant.step import begin as settle_at
from proxops.plant.switching import look
from proxops.sim.simulation import Simulation
from proxops.sim.worlds.rehearsed import CellWorld
from tests.facility.grip_cases import ASIDE, BOSS_X, BOSS_Y, E_Z, HALF, PAD, SPRING, STEP, gripping

SIGNALS = tuple(
    f"{what}.{side}.{of}"
    for side in ("left", "right")
    for what, of in (("chaser.arms", "q"), ("contacts", "f"))
)


@cache
def in_orbit(step):
    return proxops.simulate(gripping(step))


@cache
def rehearsed(step):
    """The run on the ideal facility, and what stands there at its end."""
    stage = CellWorld(gripping(step), load_facility("ideal"), "relative")
    return Simulation(gripping(step), stage).run(), stage


def apart(name, step):
    return float(np.abs(in_orbit(step)[name][1] - rehearsed(step)[0][name][1]).max())


def test_fingers_close_on_the_boss_and_hold_it_between_them():
    """Both press as deep as their law has it for what fingers have closed beyond touching, taken
    alike: F (δ/δ₀)^1.5; one presses by a tenth more, which moves the mean of forces by 1e-3, and
    what still creeps at 1 mm/s adds χ of that, 4e-3."""
    run = in_orbit(STEP)
    touched = [event.detail for event in run.events if event.name == "touch-down"]
    assert touched == ["contacts.right pad 0", "contacts.left pad 0"]
    left, right = (run[f"contacts.{side}.f"][1][-1] for side in ("left", "right"))
    closed = sum(run[f"chaser.arms.{side}.q"][1][-1, 0] for side in ("left", "right"))
    depth = 0.5 * closed - (ASIDE - HALF - PAD)
    force = SPRING["force_N"] * (depth / SPRING["depth_m"]) ** 1.5
    assert 0.5 * (left[1] - right[1]) == pytest.approx(force, rel=1e-2)


@pytest.mark.parametrize("name", SIGNALS)
def test_rehearsed_fingers_move_and_press_as_in_orbit_but_for_the_step(name):
    """What is felt acts one step late, so that all differences are of first order: e = a h + b h²,
    with b/a of the fastest motion, the 1/13 ms of a damped finger: 2 (1 ± h/13 ms)."""
    errors = [apart(name, step) for step in (4.0 * STEP, 2.0 * STEP, STEP)]
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=2.0 * 4e-3 / 13e-3)
    assert errors[1] / errors[2] == pytest.approx(2.0, abs=2.0 * 2e-3 / 13e-3)


def test_the_size_of_the_difference_is_what_a_late_wrench_does():
    """A wrench that is late by h changes speeds late by h, so that the boss is displaced by at most
    h Δv, Δv being all that contact has changed of its speed between the fingers; pads press by
    that more, at n F/δ₀ of the law's slope."""
    run = in_orbit(STEP)
    t, p = run["relative.p_GE"]
    v = np.gradient(p, t, axis=0)
    change = np.linalg.norm(v - v[0], axis=1).max()
    slope = 1.5 * SPRING["force_N"] / SPRING["depth_m"]
    for side in ("left", "right"):
        assert apart(f"contacts.{side}.f", STEP) < slope * STEP * change
        assert apart(f"chaser.arms.{side}.q", STEP) < STEP * change
    assert rehearsed(STEP)[0].ledger.closed


def test_perfect_sensors_agree_on_what_the_fingers_do():
    """The flange feels all contact, the wrist what both fingers bring: rounding of 15 N m."""
    run, _ = rehearsed(STEP)
    assert np.abs(run["lab.measured_wrench"][1]).max() > 1.0
    assert np.abs(run["lab.mismatch"][1]).max() < 1e-12


def test_robots_show_the_grip_late_and_check_says_for_how_long():
    run = proxops.rehearse(gripping(), "oos-sim")
    assert run.outcome == "passed"
    assert run.ledger.closed
    assert run.fidelity is not None
    rows = {row.name: row for row in run.fidelity.rows}
    assert all(np.isfinite(row.largest) for row in rows.values())
    for side in ("left", "right"):  # a grip, not a chatter
        row = rows[f"contact force {side}"]
        assert row.largest < 0.1 * row.scale
    assert [loop.name for loop in run.fidelity.port.contacts] == ["left", "right"]
    found = proxops.check(in_orbit(STEP), facility="oos-sim")
    assert found.outcome == "passed"
    assert found.answers[0].lasts == pytest.approx(1.2)


def at_effector(made, touching, F):
    """A wrench on the target about To, in T, as its opposite on E about Eo, in E."""
    cell, state = made.cell, made.state
    X_LC, X_LT = (frame(row[:3], row[3:7]) for row in state.motions[[CHASER, TARGET]])
    q = state.y[layout.JOINTS : layout.JOINTS + len(cell.plant.chaser_topology)]
    X_CE = arm_frames(posed(touching.chaser.arms, q))["main"][-1]
    X_TE = X_LT.inverse() @ X_LC @ X_CE
    f, t = np.split(F, 2)
    return np.concatenate([-X_TE.R.T @ f, -X_TE.R.T @ (t - np.cross(X_TE.p, f))])


def measured(made, ports):
    """What `put_wrist_wrench` writes."""
    wrench = np.empty(6)
    scratch = made.workspace.work.scratch
    look.py_func(made.cell.plant, made.state.y, scratch)
    put_wrist_wrench.py_func(made.cell, made.state, ports, scratch, wrench)
    return wrench


def test_a_reading_of_the_wrist_is_told_at_the_end_effector_as_what_acts_there():
    """Rounding of 100 N m; the flange's reading is not asked."""
    made = build_cell(gripping(), load_facility("ideal").facility, "relative")
    reading = np.array([10.0, -20.0, 30.0, 1.0, 2.0, -3.0])
    made.state.readings[WRIST], made.state.readings[FLANGE] = reading, np.nan
    expected = at_effector(made, made.touching, reading)
    assert measured(made, made.touching.ports) == pytest.approx(expected, abs=1e-12)


def test_a_static_push_is_told_as_it_is():
    """At the end fingers hold the target between them, all but at rest.  On the ideal facility what
    is told is the true wrench of all contact, 2.6 N and 5 N m about To: to rounding."""
    run, stage = rehearsed(STEP)
    true = stage.made.state.wrench
    forces = [run[f"contacts.{side}.f"][1][-1] for side in ("left", "right")]
    assert np.linalg.norm(true[:3]) > 1.0
    assert true[:3] == pytest.approx(sum(forces), abs=1e-12)
    expected = at_effector(stage.made, stage.touching, true)
    assert measured(stage.made, stage.touching.ports) == pytest.approx(expected, abs=1e-12)


def test_a_commanded_hold_of_the_lab_closes_when_it_is_told_and_opens_again():
    hold = {
        "arm": "main",
        "p_TB_m": [BOSS_X, BOSS_Y, E_Z],
        "stiffness_N_m": [1000.0] * 3,
        "damping_N_s_m": [50.0] * 3,
        "reach_m": 0.1,
        "commanded": True,
    }
    made = build_cell(gripping(holds={"latch": hold}), load_facility("ideal").facility, "relative")
    cell, state, workspace = made.cell, made.state, made.workspace
    engaged = layout.holds_start.py_func(cell.plant) + hold_array.ENGAGED
    seen = []
    for step, closed in enumerate((0.0, 1.0, 1.0, 0.0)):
        command_hold.py_func(cell.plant, state.y, 0, closed)
        settle_at(cell.plant, workspace.work, state.y, step * STEP)
        seen.append(state.y[engaged])
    assert seen == [hold_array.OPEN, hold_array.HOLDING, hold_array.HOLDING, hold_array.OPEN]
