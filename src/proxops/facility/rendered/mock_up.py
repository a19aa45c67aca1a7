"""Real appendages bolted to a flange whose motion is given."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.core.description import AppendageDescription, RigidInertia
from proxops.core.jit import helper
from proxops.core.spatial.vector import add, get3, put3, scale, sub
from proxops.facility.common.force_sensor import FORCE, TORQUE
from proxops.physics.flexible.modes import coupling, deflect, mode_count, put_back
from proxops.physics.flexible.table import modes_of
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.forward import load_inertia
from proxops.physics.multibody.inertia import inertia_mul
from proxops.physics.multibody.kinematics import place_base
from proxops.physics.multibody.tree import TOPOLOGY_WIDTH, Tree, body_row, load3


class MockUp(NamedTuple):
    """What the flange carries and the sensor feels, beyond a body whose weight and inertia are
    compensated: the tables of a spacecraft without its hub."""

    bodies: np.ndarray  # one row, all rigid mass together, as in physics.multibody.tree
    topology: np.ndarray  # no joints
    modes: np.ndarray  # as in physics.flexible.modes


def bolted(appendages: Sequence[AppendageDescription]) -> MockUp:
    """A mock-up with these appendages; without any, a rigid one that exerts no wrench."""
    rigid = RigidInertia(0.0, np.zeros(3), np.zeros((3, 3)))
    for each in appendages:
        rigid = rigid.joined(each.rigid)
    no_joints = np.zeros((0, TOPOLOGY_WIDTH), dtype=np.int64)
    return MockUp(np.array([body_row(rigid)]), no_joints, modes_of(appendages))


@helper
def swing(mock_up, motion, modal, scratch, wrench):
    """Writes the modes' accelerations, and the wrench that the appendages exert on the flange.

        η̈ = g - Dᵀ [a; α],     F = -(I [a; α] + Σ D η̈ - F_velocities)

    `motion` is (v, w, a, α) of the flange, inertial, in its axes; `modal` (η, η̇, room for η̈).
    """
    v, w, a, alpha = motion
    eta, eta_rate, eta_acceleration = modal
    modes = mock_up.modes
    place_base(Tree(mock_up.bodies, mock_up.topology), v, w, scratch)
    deflect(modes, eta, eta_rate, eta_acceleration, scratch)
    put_back(modes, eta, a, alpha, eta_acceleration)
    f, t = inertia_mul(load_inertia(scratch, 0), a, alpha)
    f, t = sub(load3(scratch, 0, at.FORCE), f), sub(load3(scratch, 0, at.TORQUE), t)
    for mode in range(mode_count(modes)):
        S, H = coupling(modes, mode + 1, eta)
        f = sub(f, scale(eta_acceleration[mode], S))
        t = sub(t, scale(eta_acceleration[mode], H))
    put3(wrench, FORCE, add(get3(wrench, FORCE), f))
    put3(wrench, TORQUE, add(get3(wrench, TORQUE), t))
