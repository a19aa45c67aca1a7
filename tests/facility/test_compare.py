"""Two motions compared after their delay is taken out."""

import cmath
import math

import numpy as np
import pytest

from proxops.facility.rendered.build import RobotDescription, loop_of
from proxops.facility.rendered.compare import align
from proxops.physics.flexible import linear
from proxops.validation import flexible as client
from proxops.validation.rig import CARRIER, Rig

DT = 5e-3  # [s]


def swing(t):
    return 0.02 * np.exp(-0.05 * t) * np.sin(5.2 * t)


def test_a_delayed_copy_is_found_late_and_otherwise_equal():
    """To the tenth of a sample that is tried; interpolating costs (ω dt)²/8 ≈ 1e-4."""
    t = DT * np.arange(2000)
    found = align(swing(t), swing(t - 0.0435), DT, 0.2)
    assert found.delay == pytest.approx(0.0435, abs=0.051 * DT)
    assert found.difference < 3e-4


def test_what_a_copy_lacks_in_amplitude_is_the_difference_left():
    t = DT * np.arange(2000)
    found = align(swing(t), 0.9 * swing(t - 0.02) + 0.3 + 0.01 * t, DT, 0.2)
    assert found.difference == pytest.approx(0.1, abs=1e-3)


def test_a_heavy_hub_is_shown_late_by_the_phase_of_the_robot():
    """arg G(iω)/ω with the hold's half period in it; the start's transient and the tenth of a
    sample leave some 2 % of 0.09 s."""
    mass, q = 2000.0, 1e-2
    robot = RobotDescription(1, 2.0 * math.pi * 2.5, delay=0.03)
    beams = client.beams((q, q))
    rig = Rig(client.satellite(mass, ()), beams, robot, 1e-3)
    rows = rig.go(client.DURATION)
    meant = client.simulated(mass, (q, q))[0].samples
    shown = rows[::5, CARRIER + 2]
    found = align(meant[: len(shown)], shown, client.STEP, 0.3)
    s = linear.free_roots(linear.flexible(client.hub(mass), beams))[0].s
    expected = -cmath.phase(linear.response(loop_of(rig.model, 1e-3), s)) / s.imag
    assert found.delay == pytest.approx(expected, rel=0.02)
    assert found.difference < 0.05
