"""The published commands by themselves: they obey Newton, and their drift has a sign."""

from dataclasses import replace

import numpy as np
import pytest

import proxops
from proxops.assembly.build import build
from proxops.assembly.nominal import target_state
from proxops.assembly.representation import represent, start_nominal
from proxops.core.frame import Frame, frame
from proxops.facility.common.representation import LAB_P, LAB_Q
from proxops.facility.common.rows import CHASER, TARGET
from proxops.facility.robot_cell.arms import links_of
from proxops.physics.relative.motion import MOTION_WIDTH, TWIST, P, Q
from proxops.physics.relative.published import SHOWN
from proxops.plant.model import DRIVE_FORCE, DRIVE_WIDTH
from proxops.validation.published_commands import advance_published, start_published
from proxops.validation.published_drift import DRIFT, TURN, drift_from

STEP, STEPS = 0.01, 100
LAB = frame((0.3, -0.2, 1.5), (0.5, 0.5, -0.5, 0.5))
STILL = {
    "target.w_NT_T_deg_s": [0.0, 0.0, 0.0],
    "chaser.w_NC_C_deg_s": [0.0, 0.0, 0.0],
    "chaser.v_HC_m_s": [0.0, 0.0, 0.0],
}


@pytest.fixture
def case():
    """Both at rest: then M rests too, and what moves is moved by what acts."""
    built = build(proxops.load("touch").replace(STILL))
    shows = represent(built, "relative", LAB)
    M = start_nominal(built, shows.nominal)
    target, chaser = (LAB @ hub for hub in hubs(built))
    motions = np.array([np.concatenate([X.row(), np.zeros(6)]) for X in (target, chaser)])
    return built, shows, M, start_published(built, shows, M.y, motions)


def hubs(built):
    """X_TT and X_TC at the start."""
    X_OT = frame(target_state(built)[P:Q], target_state(built)[Q : Q + 4])
    X_OC = frame(built.y[P:Q], built.y[Q : Q + 4])
    return Frame(np.eye(3), np.zeros(3)), X_OT.inverse() @ X_OC


def drive_of(built):
    return np.zeros((len(built.plant.chaser) + 1, DRIVE_WIDTH))


def command(published, which):
    y = published.y[which, SHOWN:]
    return frame(y[P:Q], y[Q : Q + 4])


def test_a_steady_force_carries_the_target_by_half_of_it_over_the_mass(case):
    built, _, _, published = case
    drive, qdd = drive_of(built), np.zeros(7)
    drive[-1, DRIVE_FORCE + 1] = 80.0
    for i in range(STEPS):
        advance_published(published, drive, built.y, qdd, STEP * i, STEP)
    t = STEP * STEPS
    expected = [0.0, 0.5 * 80.0 / built.target.mass * t * t, 0.0]
    np.testing.assert_allclose(command(published, TARGET).p, expected, atol=1e-12)
    # and the chaser feels nothing of it
    np.testing.assert_allclose(command(published, CHASER).p, hubs(built)[1].p, atol=1e-12)


def test_the_chasers_centre_of_mass_stays_while_its_arm_moves(case):
    """q̈ of the step as the joints do it, so that (18) has no error but that of RK4, 1e-10."""
    built, _, _, published = case
    mounted, start = built.chaser.arms[0], hubs(built)[1]
    drive, z = drive_of(built), built.y.copy()
    q, qd, qdd = mounted.q.copy(), np.zeros(7), np.linspace(0.4, -0.3, 7)
    for i in range(STEPS):
        z[13:20], z[20:27] = q, qd
        advance_published(published, drive, z, qdd, STEP * i, STEP)
        q, qd = q + STEP * qd + 0.5 * STEP**2 * qdd, qd + STEP * qdd
    moved = centre(built, command(published, CHASER), q) - centre(built, start, mounted.q)
    assert np.linalg.norm(command(published, CHASER).p - start.p) > 1e-4  # the base gives way
    np.testing.assert_allclose(moved, 0.0, atol=1e-9)


def centre(built, X_MC, q):
    """Of hub and arm, in M."""
    mounted = replace(built.chaser.arms[0], q=q)
    links = links_of([mounted])
    mass = built.chaser.mass + sum(link.mass for link in links)
    first = sum(link.mass * link.com for link in links)
    return X_MC.p + X_MC.R @ (first / mass)


def test_drift_is_from_the_command_that_is_followed_to_the_published_one(case):
    built, shows, M, published = case
    published.y[CHASER, SHOWN + P : SHOWN + Q] += [0.01, 0.0, 0.002]
    half = 0.5 * 0.003
    published.y[CHASER, SHOWN + Q : SHOWN + Q + 4] = [np.cos(half), 0.0, np.sin(half), 0.0]
    nominal = np.zeros(MOTION_WIDTH)
    nominal[P:TWIST] = M.y[P:TWIST]
    row = drift_from(shows, nominal, published.y[CHASER, SHOWN:], built.y)
    assert (shows.X_LM[LAB_P:LAB_Q] == LAB.p).all()
    np.testing.assert_allclose(row[DRIFT:TURN], LAB.R @ [0.01, 0.0, 0.002], atol=1e-14)
    np.testing.assert_allclose(row[TURN:], [0.0, 0.003, 0.0], atol=1e-14)
