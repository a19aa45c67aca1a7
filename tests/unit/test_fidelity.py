"""Differences between a rehearsal and the orbit: sizes, angles and lateness, by hand."""

import numpy as np
import pytest

from proxops.results.fidelity import compare, difference
from proxops.results.run import Ledger, Run, Signal

T = np.arange(0.0, 80.0, 0.02)
RATE = np.radians(-2.5)  # of a tumble that turns by more than half a circle
TABLE = (
    Signal("chaser.p_HC", "m", "H", (3,)),
    Signal("target.p_HT", "m", "H", (3,)),
    Signal("relative.p_CT", "m", "C", (3,)),
    Signal("relative.p_GE", "m", "G", (3,)),
    Signal("relative.q_CT", "1", "T to C, wxyz", (4,)),
    Signal("relative.w_CT_C", "rad/s", "C", (3,)),
    Signal("lab.p_LTl", "m", "L", (3,)),
    Signal("lab.p_LCl", "m", "L", (3,)),
    Signal("lab.q_LCl", "1", "Cl to L, wxyz", (4,)),
)


def tumbling(late=0.0, tilt=0.0):
    """A run whose target turns about y, that much later [s], tilted about z [rad]."""
    half = 0.5 * RATE * (T - late)
    q = np.stack([np.cos(half), 0.0 * half, np.sin(half), 0.0 * half], axis=1)
    c, s = np.cos(0.5 * tilt), np.sin(0.5 * tilt)
    w, x, y, z = q.T
    q = np.stack([c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w], axis=1)
    q *= np.where(q[:, :1] < 0.0, -1.0, 1.0)  # as recordings have it
    still, upright = np.zeros((len(T), 3)), np.tile([1.0, 0.0, 0.0, 0.0], (len(T), 1))
    rows = np.hstack([T[:, np.newaxis], *([still] * 4), q, *([still] * 3), upright])
    return Run("made-up", {}, TABLE, rows, (), (), (), Ledger(0.0, 0.0, 0.0, True), "passed")


def attitude(late, tilt=0.0):
    rows = {row.name: row for row in compare(tumbling(), tumbling(late, tilt))}
    return rows["relative attitude"]


def test_a_late_tumble_is_off_by_the_angle_that_it_lags_and_by_nothing_once_aligned():
    row = attitude(0.05)
    assert row.largest == pytest.approx(abs(RATE) * 0.05, rel=1e-6)
    assert row.rms == pytest.approx(abs(RATE) * 0.05, rel=1e-6)
    assert row.late_s == pytest.approx(0.05, abs=0.02 / 64)
    assert row.aligned < abs(RATE) * 0.02 / 64


def test_a_tilt_is_the_same_angle_all_the_way_round():
    row = attitude(0.0, np.radians(0.1))
    assert row.largest == pytest.approx(np.radians(0.1), rel=1e-6)
    assert row.rms == pytest.approx(np.radians(0.1), rel=1e-6)


def test_a_drift_is_not_taken_for_lateness():
    ours = np.stack([np.sin(T), np.cos(T), 0.0 * T], axis=1)
    row = difference("drift", "m", T, ours, ours + 1e-3 * T[:, np.newaxis])
    assert row.late_s == 0.0
    assert row.aligned == row.largest == pytest.approx(np.sqrt(3.0) * 1e-3 * T[-1])
