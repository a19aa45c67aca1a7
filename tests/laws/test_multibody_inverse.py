"""Forces from accelerations agree with the matrices, piece by piece."""

import numpy as np
import pytest

from proxops.core.jit import kernel
from proxops.physics.multibody.entry import Motion, place_motion, push_all, twist_of
from proxops.physics.multibody.inverse import charge_base, charge_joints, gather
from proxops.physics.multibody.prescribed import base_acceleration
from tests.cross.chains import Craft, random_chain, random_loads, random_motion, relative

EXACT = 1e-12  # recursions against matrices, as against the peers
LAYOUTS = ["1", "3", "7", "branched"]


@kernel
def needed(tree, motion, base, qdd, loads, scratch):
    place_motion(tree, motion, scratch)
    charge_base(tree, twist_of(base), scratch)
    charge_joints(tree, qdd, scratch)
    gather(tree, loads, scratch)


@kernel
def accelerated(tree, motion, wrenches, qdd, loads, scratch):
    place_motion(tree, motion, scratch)
    push_all(wrenches, scratch)
    return base_acceleration(tree, qdd, loads, scratch)


def nu_rate_of(motion: Motion, base: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    """Rates of components: v̇ = a - w × v."""
    v, w = motion.twist[:3], motion.twist[3:]
    return np.concatenate([base[:3] - np.cross(w, v), base[3:], qdd])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", range(3))
def test_gathered_loads_are_those_of_the_matrices(layout: str, seed: int) -> None:
    """M ν̇ + C ν, but for the rotors, which load their own joints"""
    rng = np.random.default_rng(seed)
    chain = random_chain(layout, rng)
    craft, motion = Craft(chain), random_motion(chain, rng)
    base, qdd, loads = rng.uniform(-1, 1, 6), rng.uniform(-1, 1, craft.n), np.empty(craft.dof)
    needed(craft.tree, motion, base, qdd, loads, craft.scratch)
    expected = craft.mass_matrix(motion) @ nu_rate_of(motion, base, qdd) + craft.bias(motion)
    expected[6:] -= [body.rotor for body in chain[1:]] * qdd
    assert relative(loads, expected) < EXACT


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", range(3))
def test_a_base_whose_arm_is_measured_accelerates_as_with_the_free_arm(
    layout: str, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    chain = random_chain(layout, rng)
    craft, motion, loads = Craft(chain), random_motion(chain, rng), random_loads(chain, rng)
    free = craft.acceleration(motion, loads)
    base = np.concatenate(
        accelerated(
            craft.tree, motion, loads.wrenches, free[6:], np.empty(craft.dof), craft.scratch
        )
    )
    # what balances at the base are the wrenches: accelerations of a body of 100 kg under 100 N
    assert relative(nu_rate_of(motion, base, free[6:])[:6], free[:6], 1.0) < EXACT
