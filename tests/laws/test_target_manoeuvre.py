"""A manoeuvre of the target: its force in the target's own axes, and its impulse."""

import numpy as np
import pytest

from proxops.actuators import faults
from proxops.actuators.target_manoeuvre import push_target
from proxops.core.clock import NS_PER_S
from proxops.core.fault_description import PUSH, FaultDescription
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.physics.orbit.reference import MU, ORBIT_WIDTH, R0, V0
from tests.laws.written import written

FORCE = np.array([30.0, -20.0, 10.0])  # in H [N]
BEGIN, END = 2.03, 3.57  # [s]
PUSHES = faults.build(
    [
        FaultDescription(
            PUSH, 0, round(BEGIN * NS_PER_S), round(END * NS_PER_S), numbers=tuple(FORCE)
        )
    ],
    0.1,
)


def orbit_at(seed):
    """An orbit with any plane, whose Hill frame at t = 0 is known."""
    rng = np.random.default_rng(seed)
    x, y, _ = np.linalg.qr(rng.normal(size=(3, 3)))[0].T
    row = np.zeros(ORBIT_WIDTH)
    row[MU], row[R0 : R0 + 3], row[V0 : V0 + 3] = 3.986e14, 7e6 * x, 7546.0 * y
    return row, np.column_stack([x, y, np.cross(x, y)])


def impulse(orbit, q_NT, steps):
    """Of the force in the target's axes, over steps of those lengths from t = 0 on [N s]."""
    total, t = np.zeros(3), 0.0
    for h in steps:
        force = np.zeros(3)
        written(push_target)(PUSHES, orbit, q_NT, t, h, force)
        total += h * force
        t += h
    return total


@pytest.mark.parametrize("seed", range(3))
def test_its_impulse_is_that_of_the_hill_frame_in_the_targets_axes(seed):
    orbit, R_NH = orbit_at(seed)
    q = np.random.default_rng(seed + 10).normal(size=4)
    q /= np.linalg.norm(q)
    R_NT = np.array(quat_to_rotation.py_func(tuple(q))).reshape(3, 3)
    shall = R_NT.T @ R_NH @ FORCE * (END - BEGIN)
    # The Hill frame turns by 1.08e-3 rad/s × 3.6 s
    assert impulse(orbit, q, np.full(50, 0.1)) == pytest.approx(shall, abs=4e-3 * 58.0)


@pytest.mark.parametrize("step", [0.1, 0.25, 1.0, 5.0])
def test_its_impulse_does_not_depend_on_the_steps(step):
    """Without an orbit, where H has the axes of N."""
    found = impulse(
        np.zeros(ORBIT_WIDTH), np.array([1.0, 0.0, 0.0, 0.0]), np.full(round(5.0 / step), step)
    )
    assert found == pytest.approx(FORCE * (END - BEGIN), rel=1e-9)
