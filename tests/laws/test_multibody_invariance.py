"""The answer does not depend on how the craft was described."""

from dataclasses import replace

import numpy as np
import pytest

from proxops.physics.multibody import entry
from proxops.physics.multibody.entry import Loads, Motion
from tests.cross.chains import (
    LAYOUTS,
    Body,
    Craft,
    random_chain,
    random_loads,
    random_motion,
    random_rotation,
    relative,
)

ROUNDING = 1e-12  # as between two implementations of the same recursion


def redescribed(base: Body, R_AB: np.ndarray, p_AB: np.ndarray) -> Body:
    """The same base in a frame A in which the old frame B stands at (R_AB, p_AB)."""
    return replace(base, com=p_AB + R_AB @ base.com, inertia=R_AB @ base.inertia @ R_AB.T)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", range(5))
def test_base_frame_may_stand_anywhere(layout: str, seed: int) -> None:
    """Another origin and other axes for the base: same joints, same motion of the old origin."""
    rng = np.random.default_rng(seed)
    chain = random_chain(layout, rng)
    motion = random_motion(chain, rng)
    loads = random_loads(chain, rng)
    R_AB = random_rotation(rng)
    p_AB = rng.uniform(-1.0, 1.0, 3)
    other = [redescribed(chain[0], R_AB, p_AB)] + [
        body if body.parent else replace(body, R_PJ=R_AB @ body.R_PJ, p_PJ=p_AB + R_AB @ body.p_PJ)
        for body in chain[1:]
    ]
    v, w = motion.twist[:3], motion.twist[3:]
    w_A = R_AB @ w
    v_A = R_AB @ v - np.cross(w_A, p_AB)
    wrenches = loads.wrenches.copy()
    f, t = wrenches[0, :3].copy(), wrenches[0, 3:].copy()
    wrenches[0, :3] = R_AB @ f
    wrenches[0, 3:] = R_AB @ t + np.cross(p_AB, R_AB @ f)

    here = Craft(chain).acceleration(motion, loads)
    there = Craft(other).acceleration(
        Motion(np.concatenate([v_A, w_A]), motion.q, motion.qd), Loads(loads.tau, wrenches)
    )

    # v_B = R_ABᵀ (v_A + w_A × p_AB) with constant R_AB and p_AB, so its rate is just as linear
    alpha = there[3:6]
    assert relative(alpha, R_AB @ here[3:6]) < ROUNDING
    assert relative(there[:3] + np.cross(alpha, p_AB), R_AB @ here[:3]) < ROUNDING
    assert relative(there[6:], here[6:]) < ROUNDING


@pytest.mark.parametrize("seed", range(5))
def test_joints_of_two_arms_may_be_numbered_alternately(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chain = random_chain("3+2", rng)
    motion = random_motion(chain, rng)
    loads = random_loads(chain, rng)
    order = np.array([0, 4, 1, 5, 2, 3])  # old body that stands at each new place
    place = np.argsort(order)
    other = [replace(chain[old], parent=int(place[chain[old].parent])) for old in order]
    joints = order[1:] - 1
    renumbered = Motion(motion.twist, motion.q[joints], motion.qd[joints])
    here, there = Craft(chain), Craft(other)
    columns = np.concatenate([np.arange(6), 6 + joints])
    square = np.ix_(columns, columns)

    nu_rate = there.acceleration(renumbered, Loads(loads.tau[joints], loads.wrenches[order]))
    assert relative(nu_rate, here.acceleration(motion, loads)[columns]) < ROUNDING
    assert relative(there.mass_matrix(renumbered), here.mass_matrix(motion)[square]) < ROUNDING
    assert relative(there.coriolis(renumbered), here.coriolis(motion)[square]) < ROUNDING
    assert relative(there.bias(renumbered), here.bias(motion)[columns]) < ROUNDING


def test_kernels_see_one_signature_whatever_the_craft() -> None:
    """A craft without joints and one with fourteen compile nothing twice."""
    rng = np.random.default_rng(0)
    for layout in ("0", "7+7"):
        chain = random_chain(layout, rng)
        Craft(chain).acceleration(random_motion(chain, rng), random_loads(chain, rng))
    assert len(entry.forward_dynamics.signatures) == 1
