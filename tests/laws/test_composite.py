"""The tide on a craft as one rigid body, compared with that on each of its links."""

import numpy as np
import pytest

from proxops.physics.multibody.composite import place_composite, tide_on_composite
from proxops.physics.multibody.tide import pull_of_tide
from proxops.physics.multibody.tree import scratch_for
from proxops.validation import relative_pair as pair

MU, R = 3.986e14, np.array([4.2e6, 5.6e6, 0.0])
P = np.array([30.0, -20.0, 10.0])  # of the base from O [m]
L = 3.0  # no link is farther from the centre of mass [m]


@pytest.mark.parametrize("seed", range(3))
def test_the_tide_pulls_at_the_craft_as_at_its_links(seed):
    """What a point mass leaves out of the force is 3 (L/|R|)² of gravity, the first term that is
    left out of the torque L/|R| of 3 μ/|R|³ m L²."""
    tree = pair.chaser()[0]
    q, qd = np.random.default_rng(seed).uniform(-2.0, 2.0, (2, len(tree.topology)))
    links, sky = scratch_for(tree), (MU, tuple(R.tolist()), tuple(P.tolist()))
    composite = place_composite(tree, q.copy(), qd.copy(), links)
    force, torque, _ = pull_of_tide(tree, sky, links)
    f, t = tide_on_composite(composite, sky)
    far = np.linalg.norm(R)
    m = tree.bodies[:, 0].sum()
    assert composite.mass == pytest.approx(m, rel=1e-14)
    of_force = 3.0 * (L / far) ** 2 * MU / far**2 * m
    assert np.linalg.norm(force) > 1e6 * of_force
    assert f == pytest.approx(force, abs=of_force)
    of_torque = L / far * 3.0 * MU / far**3 * m * L**2
    assert t == pytest.approx(torque, abs=of_torque + L * of_force)
