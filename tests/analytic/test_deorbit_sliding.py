"""The plant's bodies slide on frictionless pads as the linear predictions say.

Three figures of a swing exp(st): natural frequency |s|/2π, damped frequency Im s/2π, damping ratio
-Re s/|s|.  The simple law states the natural frequency, √(N D/(I_s + I_t)), and the damping.
"""

import functools

import numpy as np
import pytest

import proxops
from proxops.physics.boost.pair import ring
from proxops.physics.boost.sliding import Pads, Robot, Root, simple_root, sliding, sliding_root
from proxops.validation.deorbit import study
from proxops.validation.ringing import ringing

SMALL = 1e-3  # [m] that the thrust misses the target's centre by, in y and in z
STIFFNESS, DAMPING = 1e4, 3e3  # of the study's pads
ROBOT = {"y": 75.0, "z": 25.0}  # [N s/m]
RATE = 20.0  # rows a second
FROM = 5.0  # [s]: what the begin of the thrust stirs in the pads has died away


@functools.cache
def swings(stiffer):
    """The root of the slide along each axis, on pads so many times stiffer and damped."""
    scenario = proxops.load("deorbit-sliding").replace(
        {
            "chaser.p_HC_m": [-6.225, -SMALL, -SMALL],
            "contacts.ring.face.p_m": [-SMALL, 5.0, -SMALL],
            "contacts.ring.normal.stiffness_N_m": stiffer * STIFFNESS,
            "contacts.ring.normal.damping_N_s_m": stiffer * DAMPING,
            "holds.arm.p_TB_m": [2.5 - SMALL, 5.0, 2.0 - SMALL],
            "requirements": {},
        }
    )
    run = proxops.simulate(scenario)
    assert run.ledger.closed
    t, p_CT = run["relative.p_CT"]
    seen = p_CT[t >= FROM]
    # six terms: a pair for the slide, one for the slide along the other axis, an offset
    roots = {axis: ringing(seen[:, i], 1.0 / RATE, 6)[0] for axis, i in (("y", 1), ("z", 2))}
    return {axis: Root(s, np.zeros(6)) for axis, s in roots.items()}


def yielding(stiffer):
    """The linearisation with tilt."""
    pads = Pads(ring(6, 0.8), stiffer * STIFFNESS, stiffer * DAMPING)
    robot = Robot(np.array([0.0, *ROBOT.values()]), np.array([0.0, 2.5, 2.0]), 1e5, 5e3)
    return sliding(study(), pads, robot)


@pytest.mark.parametrize("axis", ["y", "z"])
@pytest.mark.slow
def test_on_the_studys_pads_the_slide_is_nearly_the_simple_law(axis):
    """Within 1 % in frequency and 10 % in damping.  Tilt damps along y by 8.6 % more, so that the
    *damped* frequency there, lower by √(1 - ζ²) as well, is 1.04 % below the simple law's."""
    seen, law = swings(1.0)[axis], simple_root(study(), axis, ROBOT[axis])
    assert seen.natural_frequency == pytest.approx(law.natural_frequency, rel=0.01)
    assert seen.frequency == pytest.approx(law.frequency, rel=0.011)
    assert seen.damping == pytest.approx(law.damping, rel=0.10)


@pytest.mark.slow
@pytest.mark.parametrize("axis", ["y", "z"])
def test_on_pads_ten_times_stiffer_and_damped_the_slide_is_the_simple_law(axis):
    seen, law = swings(10.0)[axis], simple_root(study(), axis, ROBOT[axis])
    assert seen.natural_frequency == pytest.approx(law.natural_frequency, rel=0.01)
    assert seen.frequency == pytest.approx(law.frequency, rel=0.01)
    assert seen.damping == pytest.approx(law.damping, rel=0.01)


@pytest.mark.parametrize("axis", ["y", "z"])
@pytest.mark.parametrize("stiffer", [1.0, 10.0])
@pytest.mark.slow
def test_the_slide_is_that_with_tilt_and_nothing_is_left_but_what_is_not_linear(stiffer, axis):
    """The robot acts at its grasp point, as in the linearisation.  A millimetre over the 6.2 m
    between the centres turns the bodies by 1e-3 rad, of which the square, 1e-6, remains."""
    law = sliding_root(yielding(stiffer), axis)
    assert abs(swings(stiffer)[axis].s - law.s) < 1e-6 * abs(law.s)
