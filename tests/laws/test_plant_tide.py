"""The tide on a spacecraft with arms is the sum of the tide on all its matter.

Every body is replaced by six point masses with the same mass, centre of mass and inertia, and each
of them feels the exact tide at its own place.  What is left out for the size of a body is far
below the tolerance at the radius of an orbit.
"""

import numpy as np
import pytest

from proxops.core.jit import kernel
from proxops.core.spatial.vector import get3
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.kinematics import place
from proxops.physics.multibody.tide import pull_of_tide
from proxops.physics.multibody.tree import Tree
from proxops.plant import layout
from tests.laws.plants import Bench

MU = 3.986004418e14


@kernel
def tide_on(tree, y, sky, scratch):
    """Force, torque about the hub and power of the tide on a placed spacecraft, hub axes."""
    joints = tree.topology.shape[0]
    q = y[layout.JOINTS : layout.JOINTS + joints]
    qd = y[layout.JOINTS + joints : layout.JOINTS + 2 * joints]
    place(tree, (get3(y, layout.V), get3(y, layout.W)), q, qd, scratch)
    return pull_of_tide(tree, sky, scratch)


def points_of(row, scratch_row):
    """Masses, places and velocities of six points that weigh as the body does; hub axes."""
    m = row[at.MASS]
    R = scratch_row[at.R : at.R + 9].reshape(3, 3)
    xx, yy, zz, xy, xz, yz = row[at.INERTIA : at.INERTIA + 6]
    I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    com = row[at.COM : at.COM + 3]
    about = I - m * (com @ com * np.eye(3) - np.outer(com, com))
    spread = 0.5 * np.trace(about) * np.eye(3) - about  # ∫ r rᵀ dm
    values, axes = np.linalg.eigh(spread)
    arms = [
        s * np.sqrt(3.0 * value / m) * axes[:, i] for i, value in enumerate(values) for s in (1, -1)
    ]
    places = [scratch_row[at.P : at.P + 3] + R @ (com + arm) for arm in arms]
    origin, v, w = (scratch_row[k : k + 3] for k in (at.P, at.V, at.W))
    return m / 6.0, places, [v + np.cross(w, place - origin) for place in places]


def exact(R, r):
    """Tide at r; cancellation costs 1e-16 |g| ≈ 1e-15 m/s2, far below the tide of 1e-6 r."""
    d = R + r
    return -MU * (d / np.linalg.norm(d) ** 3 - R / np.linalg.norm(R) ** 3)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_tide_on_links_is_the_sum_over_their_matter(seed):
    bench = Bench(seed, joints=4)
    tree = Tree(bench.plant.chaser, bench.plant.chaser_topology)
    y = bench.y[layout.slices(bench.plant)[0]].copy()
    rng = np.random.default_rng(seed)
    R = 7.0e6 * rng.normal(size=3)
    R *= 7.0e6 / np.linalg.norm(R)
    p = rng.uniform(-20.0, 20.0, 3)
    scratch = np.zeros((len(tree.bodies), at.SCRATCH_WIDTH))
    force, torque, power = tide_on(tree, y, (MU, tuple(R), tuple(p)), scratch)
    f, t, P = np.zeros(3), np.zeros(3), 0.0
    for row, placed in zip(tree.bodies, scratch, strict=True):
        m, places, speeds = points_of(row, placed)
        for r, v in zip(places, speeds, strict=True):
            pull = m * exact(R, p + r)
            f, t, P = f + pull, t + np.cross(r, pull), P + pull @ v
    # left out: 3 (L/R)² of m g per body, 1e-13 of 7000 N; rounding of `exact`: 1e-15 × 900 kg
    assert force == pytest.approx(f, abs=2e-9)
    assert torque == pytest.approx(t, abs=2e-9)
    assert power == pytest.approx(P, abs=2e-10)
    # and the parts that are asked for here are far larger: torque of the gradient on links alone
    assert np.linalg.norm(t) > 1e-4
