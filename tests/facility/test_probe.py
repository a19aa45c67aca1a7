"""The probe: how it moves, and that it only pushes."""

import numpy as np
import pytest

from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.facility.rendered.probe import Probe, no_probe, push_of_probe, reach

TURN = np.array([0.8, 0.1, -0.5, 0.3]) / np.linalg.norm([0.8, 0.1, -0.5, 0.3])
R = quat_to_rotation.py_func(TURN)  # mock-up to lab, row by row
P = (0.3, -0.2, 0.1)
NO_MOTION = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
POINT = np.array([0.4, -0.5, 0.2])
ALONG = np.array([0.0, 0.6, -0.8])


def probe(depth=0.0, stiffness=200.0, damping=30.0):
    """Drawn back to that depth beyond the point of the mock-up at P, R; starts out at 1 s."""
    there = np.array(P) + np.array(R).reshape(3, 3) @ POINT
    origin = float(ALONG @ there) + depth
    return Probe(POINT, ALONG, origin, 1.0, 0.1, 0.05, 2.0, stiffness, damping)


def push(given, t=0.0, motion=NO_MOTION):
    f, torque = push_of_probe.py_func(given, t, (P, R), motion)
    return np.array(R).reshape(3, 3) @ f, np.array(f), np.array(torque)


@pytest.mark.parametrize(
    ("t", "out", "speed"),
    [
        (0.5, 0.0, 0.0),
        (1.2, 0.02, 0.1),
        (1.5, 0.05, 0.0),
        (3.4, 0.05, 0.0),
        (3.6, 0.04, -0.1),
        (4.1, 0.0, 0.0),
    ],
)
def test_it_comes_out_waits_and_goes_back(t, out, speed):
    assert reach.py_func(probe(), t) == pytest.approx((out, speed), abs=1e-12)


def test_it_pushes_along_its_line_at_its_point():
    in_lab, f, torque = push(probe(depth=0.03))
    np.testing.assert_allclose(in_lab, 6.0 * ALONG, atol=1e-12)
    np.testing.assert_allclose(torque, np.cross(POINT, f), atol=1e-15)


def test_the_damper_feels_how_fast_tip_and_point_approach_each_other():
    """In the lab the point moves with v + w × R p_TA."""
    v, w = np.array([0.1, 0.02, -0.04]), np.array([0.2, -0.3, 0.1])
    point = v + np.cross(w, np.array(R).reshape(3, 3) @ POINT)
    in_lab, _, _ = push(probe(depth=0.03), 1.2, (tuple(v), tuple(w)))
    expected = 200.0 * (0.03 + 0.02) + 30.0 * (0.1 - ALONG @ point)
    np.testing.assert_allclose(in_lab, expected * ALONG, atol=1e-12)


def test_it_never_pulls():
    apart, _, _ = push(probe(depth=-0.01), 0.0, (tuple(-ALONG), (0.0, 0.0, 0.0)))
    assert not apart.any()
    leaving, _, _ = push(probe(depth=0.03), 0.0, (tuple(ALONG), (0.0, 0.0, 0.0)))
    assert not leaving.any()


def test_where_there_is_none_nothing_pushes():
    assert not np.any(push(no_probe(), 3.0))
