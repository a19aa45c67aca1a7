"""How easily a body gives way, against the mass matrix and against a lone body."""

import numpy as np
import pytest

from proxops.physics.multibody import entry
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.entry import Motion, Mount
from proxops.physics.multibody.tree import scratch_for
from proxops.plant.mobility import mobility, stance
from tests.cross.chains import (
    LAYOUTS,
    P,
    R,
    random_chain,
    random_motion,
    relative,
    to_tree,
)
from tests.laws.written import written

ROUNDING = 1e-11  # mass matrices of 1 to 2000 kg are solved, a few hundred operations
LAYOUTS["gripper"] = [(i, R) for i in range(7)] + [(7, P), (7, P)]

pytestmark = pytest.mark.parametrize("seed", range(3))


@pytest.mark.parametrize("layout", ["0", "3", "branched", "gripper"])
def test_mobility_is_J_over_M_of_every_body(layout: str, seed: int) -> None:
    """J M⁻¹ Jᵀ with the recursions of the multibody laws, at each centre of mass, base axes."""
    rng = np.random.default_rng(seed)
    chain = random_chain(layout, rng)
    tree, motion = to_tree(chain), random_motion(chain, rng)
    scratch, dof = scratch_for(tree), 6 + len(motion.q)
    still = Motion(np.zeros(6), motion.q, np.zeros(len(motion.q)))
    M = np.zeros((dof, dof))
    written(entry.mass_matrix)(tree, still, M, scratch)
    here = stance(tree, motion.q)
    for body, one in enumerate(chain):
        J, J_rate = np.zeros((2, 6, dof))
        mount = Mount(body, np.concatenate([[1.0, 0.0, 0.0, 0.0], one.com]))
        written(entry.frame_jacobian)(tree, still, mount, J, J_rate, scratch)
        # from the body's axes to the base's
        turned = np.kron(np.eye(2), scratch[body, at.R : at.R + 9].reshape(3, 3)) @ J
        expected = turned @ np.linalg.solve(M, turned.T)
        assert relative(mobility(tree, here, body), expected) < ROUNDING


def test_a_lone_body_gives_way_by_its_mass_and_inertia(seed: int) -> None:
    rng = np.random.default_rng(seed)
    (base,) = random_chain("0", rng)
    tree = to_tree([base])
    expected = np.zeros((6, 6))
    expected[:3, :3] = np.eye(3) / base.mass
    expected[3:, 3:] = np.linalg.inv(base.inertia)
    found = mobility(tree, stance(tree, np.zeros(0)), 0)
    assert relative(found, expected) < ROUNDING


def test_whatever_hangs_on_a_body_makes_it_give_way_less(seed: int) -> None:
    """Joints are free, so that it is never less than the whole craft's as one rigid body."""
    rng = np.random.default_rng(seed)
    chain = random_chain("gripper", rng)
    tree, q = to_tree(chain), random_motion(chain, rng).q
    found = mobility(tree, stance(tree, q), 0)
    alone = mobility(to_tree(chain[:1]), stance(to_tree(chain[:1]), np.zeros(0)), 0)
    M = np.zeros((6 + len(q), 6 + len(q)))
    still = Motion(np.zeros(6), q, np.zeros(len(q)))
    written(entry.mass_matrix)(tree, still, M, scratch_for(tree))
    shift = np.eye(6)
    shift[:3, 3:] = -np.cross(np.eye(3), chain[0].com)
    rigid = shift @ np.linalg.inv(M[:6, :6]) @ shift.T
    least = -ROUNDING * np.abs(alone).max()
    assert np.linalg.eigvalsh(alone - found)[0] > least
    assert np.linalg.eigvalsh(found - rigid)[0] > least
