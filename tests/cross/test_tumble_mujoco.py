"""A 35 s tumble with a moving arm, flown by our plant and by MuJoCo."""

import numpy as np
import pytest
from benchmarks.peers.model import tumbling
from benchmarks.peers.mujoco_peer import MujocoPeer
from benchmarks.peers.proxops_peer import ProxopsPeer
from tests.cross.tumbles import CHAIN, allowed, apart, flight, momenta


# At 1 ms both engines are down to their rounding; at 20 ms what is left of the fourth power of the
# step stands a thousand times above it.
@pytest.mark.parametrize("hold_s", [1e-3, 20e-3])
def test_the_plant_tumbles_as_mujoco_does_within_the_integrators_errors(hold_s):
    ours, theirs = flight(ProxopsPeer, hold_s), flight(MujocoPeer, hold_s)
    assert np.all(apart(ours[0], theirs[0]) <= allowed(ours, theirs, hold_s))


def test_the_arm_swings_while_the_base_turns():
    """Else the comparison would prove little."""
    start, states = tumbling(CHAIN), flight(MujocoPeer, 20e-3)[0]
    moved = np.max([np.abs(state.q - start.q) for state in states], axis=0)
    assert np.all(moved > 0.3)
    assert max(np.linalg.norm(state.w) for state in states) > np.radians(3.0)


def test_momentum_of_the_tumbling_chaser_stays():
    """The drift allowed is 1e-12; rounding alone makes some 1e-14 in 35000 steps."""
    linear, angular, sum_linear, sum_angular = momenta(tumbling(CHAIN))
    for state in flight(ProxopsPeer, 1e-3)[0]:
        now = momenta(state)
        assert np.linalg.norm(now[0] - linear) <= 1e-12 * sum_linear
        assert np.linalg.norm(now[1] - angular) <= 1e-12 * sum_angular


def test_the_plants_step_is_of_fourth_order():
    """Halving the step divides the change it makes by 2⁴, but for terms of the next power: a
    step of 1/16 s against a motion of some 1 rad/s bends the exponent by a few hundredths."""
    coarse, medium, fine = (_after_two_seconds(steps) for steps in (32, 64, 128))
    ratio = apart([coarse], [medium]) / apart([medium], [fine])
    np.testing.assert_allclose(np.log2(ratio), 4.0, atol=0.06)


def _after_two_seconds(steps):
    """With constant torques: held ones would make the motion less smooth than the order needs."""
    engine = ProxopsPeer(CHAIN, 2.0 / steps)
    engine.set_state(tumbling(CHAIN))
    for _ in range(steps):
        engine.step(np.array([4.0, -6.0, 1.0, -2.0, 0.05, -0.1, 0.005]))
    return engine.state()
