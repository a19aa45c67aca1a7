"""Modes that Basilisk knows as well: masses on springs, beside a moving arm."""

import numpy as np
import pytest
from benchmarks.peers.model import sliders
from benchmarks.peers.proxops_peer import ProxopsPeer
from tests.cross.tumbles import allowed, apart, flight, live_peer

HOLD_S = 5e-3
SLIDERS = sliders(4)


def _ours(chain, dt):
    return ProxopsPeer(chain, dt, SLIDERS)


def _theirs(chain, dt):
    sliding = live_peer("basilisk_modes", "sliding")
    return live_peer("basilisk_peer", "BasiliskPeer")(chain, dt, sliding(SLIDERS))


@pytest.mark.peers
def test_modes_shake_the_tumbling_chaser_as_springs_do_in_basilisk():
    ours, theirs = flight(_ours, HOLD_S), flight(_theirs, HOLD_S)
    assert np.all(apart(ours[0], theirs[0]) <= allowed(ours, theirs, HOLD_S))


def test_the_chaser_is_shaken_by_more_than_the_errors():
    """Else the comparison would prove little: springs move it by a millimetre."""
    shaken, still = flight(_ours, HOLD_S)[0], flight(ProxopsPeer, HOLD_S)[0]
    assert np.all(apart(shaken, still) > 1e-4)
