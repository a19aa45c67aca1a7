"""The port of a rehearsal by itself: mobilities, giving way, and what is refused."""

import math

import numpy as np
import pytest

import proxops
from proxops.assembly.build import build
from proxops.assembly.energy_port import body_frame, mobilities, start_port, stiff_chaser
from proxops.assembly.facility_fit import reject_unfit
from proxops.assembly.touching_body import touched_body
from proxops.core.frame import frame
from proxops.facility.common.passivity import energy_port as passing
from proxops.facility.common.passivity.controller import control_of
from proxops.facility.common.passivity.late_spring import mass_at
from proxops.facility.common.rows import CHASER, TARGET
from proxops.physics.multibody import tree as at
from proxops.plant.build import whole_hub
from proxops.plant.contacts import Link
from tests.facility.test_passivity_pair import tilde


def test_a_push_at_the_touched_body_meets_the_mass_of_the_whole_chaser_there():
    """Along random lines through the link's origin, against 1/m = Jᵀ M⁻¹ J about the hub's."""
    built = build(proxops.load("touch"))
    body = touched_body(built)
    assert body == len(built.chaser.arms[0].arm.joints)
    found = mobilities(built, body)
    X_CB = body_frame(built.chaser, body)
    whole = stiff_chaser(built.chaser, built.chaser.arms)
    for n in np.random.default_rng(3).standard_normal((5, 3)):
        n_B = n / np.linalg.norm(n)
        felt = 1.0 / (n_B @ found[CHASER, :3, :3] @ n_B)
        assert felt == pytest.approx(mass_at(whole, X_CB.p, X_CB.R @ n_B), rel=1e-12)
        target = 1.0 / (n_B @ found[TARGET, :3, :3] @ n_B)
        assert target == pytest.approx(mass_at(whole_hub(built.target), np.zeros(3), n_B))


def test_a_hub_without_arm_is_touched_itself():
    built = build(proxops.load("contact-rig"))
    assert touched_body(built) == 0
    inverse = np.diag([0.01, 0.01, 0.01, 1.0 / 60.0, 1.0 / 60.0, 1.0 / 40.0])
    assert mobilities(built, 0)[CHASER] == pytest.approx(inverse, abs=1e-15)


def test_a_pair_that_moves_as_one_is_given_nothing():
    """Whatever is felt: wrench and twist of both rows, summed, for random poses and motions; to
    the rounding of some ten products of order 10."""
    rng = np.random.default_rng(7)
    for _ in range(5):
        felt, (v, w), p = rng.standard_normal(6), rng.standard_normal((2, 3)), rng.normal(size=3)
        q = rng.standard_normal(4)
        R_TB = frame((0.0, 0.0, 0.0), q / np.linalg.norm(q)).R
        numbers = (R_TB.ravel(), p, v + np.cross(w, p), w)
        link = Link(*(tuple(map(float, each)) for each in numbers))
        wrenches, twists = np.zeros((2, 2, 6))
        passing.put_wrenches.py_func(link, felt, wrenches)
        passing.put_twists.py_func(link, (tuple(v), tuple(w)), twists)
        assert np.abs((wrenches * twists).sum(axis=1)).max() > 0.1
        assert (wrenches * twists).sum() == pytest.approx(0.0, abs=1e-13)


def test_smoothed_giving_way_is_that_of_a_critically_damped_lag_and_keeps_its_integral():
    """1 - (1 + Ωt) exp(-Ωt) after a step, exactly; and what was asked for is given in the end, but
    for the rectangles of its sum, half a step of what is left at the end."""
    corner, h = 40.0, 1e-3
    asked, change, hurry = np.ones(6), np.zeros(6), np.zeros(6)
    given = 0.0
    for step in range(1000):
        if step == 300:
            asked = np.zeros(6)
        passing.smooth.py_func(corner, asked, change, hurry, h)
        given += h * change[0]
        if step == 49:
            expected = 1.0 - (1.0 + corner * 0.05) * math.exp(-corner * 0.05)
            assert change[0] == pytest.approx(expected, rel=1e-12)
    assert given == pytest.approx(0.3, rel=1e-3)


def test_pose_and_velocity_of_a_command_that_gives_way_belong_together():
    """Central differences of the commanded pose against the commanded velocity, both hubs turning:
    second order in the step of 1 ms, with rates of order 1 and second derivatives of theirs."""
    rng, h = np.random.default_rng(5), 1e-3
    control = control_of(np.tile(np.eye(6), (2, 1, 1)), yields=True)
    port, state = passing.Port(control, 0, 0.0), start_port()
    scratch = np.zeros((1, at.SCRATCH_WIDTH))
    scratch[0, at.R : at.R + 9] = np.eye(3).ravel()  # the touched body is the hub
    state.controlled.change[:] = 0.3 * rng.standard_normal((2, 6))
    twists = 0.5 * rng.standard_normal((2, 6))
    for _ in range(200):  # so that D is far from nothing
        passing.stray.py_func(port, state, scratch, h)
    rows = []
    for step in range(3):
        passing.stray.py_func(port, state, scratch, h)
        commands = np.array([moving(twist, step * h) for twist in twists])
        passing.lead_away.py_func(port, state, commands)
        rows.append(commands)
    before, now, after = rows
    v = (after[:, :3] - before[:, :3]) / (2.0 * h)
    assert now[:, 7:10] == pytest.approx(v, abs=1e-5)
    for which in range(2):
        first, middle, last = (frame(row[which, :3], row[which, 3:7]).R for row in rows)
        rate = middle.T @ (last - first) / (2.0 * h)
        assert rate == pytest.approx(tilde(now[which, 10:]), abs=1e-5)


def test_a_carrier_that_gives_way_is_accelerated_by_that_too():
    """Central differences of what the commanded twist has more than the base's, in hub axes, are
    dΔV/dt - ad_ΔV V.  Left out are h² Ω² dΔV/dt/6 = 3e-7 and D, h ΔV = 1e-5 of the base's own."""
    rng, h = np.random.default_rng(6), 1e-4
    control = control_of(np.tile(np.eye(6), (2, 1, 1)), yields=True)
    port, state = passing.Port(control, 0, 40.0), start_port()
    scratch = np.zeros((1, at.SCRATCH_WIDTH))
    scratch[0, at.R : at.R + 9] = np.eye(3).ravel()  # the touched body is the hub
    state.change[:], state.hurry[:] = 0.1 * rng.standard_normal((2, 2, 6))
    twist, more, found = rng.standard_normal(6), [], []
    for step in range(3):
        passing.stray.py_func(port, state, scratch, h)
        base = moving(twist, step * h)
        commands = np.array([base, base])
        passing.lead_away.py_func(port, state, commands)
        V_s, V_b = in_hub_axes(commands[CHASER]), in_hub_axes(base)
        more.append(V_s - V_b)
        found.append(np.concatenate(passing.yielding_rate.py_func(state, (V_b[:3], V_b[3:]))))
    rate = (more[2] - more[0]) / (2.0 * h)
    assert np.abs(rate).max() > 0.1
    assert found[1] == pytest.approx(rate, abs=2e-4)


def in_hub_axes(motion):
    """Twist of a motion (p, q, v, w)."""
    p, q, v, w = np.split(motion, [3, 7, 10])
    return np.concatenate([frame(p, q).R.T @ v, w])


def test_what_comes_after_the_guard_has_stopped_is_told_but_does_not_count():
    state = start_port()
    state.observer.model[TARGET, 0] = 2.0
    passing.note.py_func(state, True)
    state.observer.model[TARGET, 0] = 1.0
    passing.note.py_func(state, True)
    state.observer.model[TARGET, 0] = 3.0
    passing.note.py_func(state, False)
    assert state.now[passing.CONTACT] == 3.0
    assert state.largest[passing.CONTACT] == 2.0


def moving(twist, t):
    """Motion (p, q, v, w) of a hub that turns evenly and goes straight."""
    v, w = twist[:3], twist[3:]
    angle = np.linalg.norm(w) * t
    q = np.array([math.cos(0.5 * angle), *(math.sin(0.5 * angle) * w / np.linalg.norm(w))])
    return np.concatenate([v * t, q, v, w])


def test_a_boost_that_measures_its_pads_is_refused():
    with pytest.raises(proxops.InputError, match="separation_rule"):
        reject_unfit(build(proxops.load("deorbit-boost")))


def test_a_mission_that_no_robot_can_show_names_limits_and_the_one_that_fits():
    with pytest.raises(proxops.InputError) as found:
        proxops.check(proxops.load("berthing"), facility="oos-sim")
    assert "chaser.appendages: a rehearsal knows none" in str(found.value)
    assert "rehearse berthing-ground on oos-sim-upright" in str(found.value)
    assert "925 N m (limit 425 N m)" in str(found.value)
