"""The same tumble in Basilisk: recorded (see make_basilisk_reference), and live."""

import numpy as np
import pytest
from benchmarks.peers.proxops_peer import ProxopsPeer
from tests.cross.make_basilisk_reference import HOLD_S, load
from tests.cross.tumbles import allowed, apart, flight, live_peer


def test_the_plant_tumbles_as_basilisk_did_within_the_integrators_errors():
    ours, theirs = flight(ProxopsPeer, HOLD_S), load()
    assert np.all(apart(ours[0], theirs[0]) <= allowed(ours, theirs, HOLD_S))


@pytest.mark.peers
def test_basilisk_still_flies_the_recorded_tumble():
    live, recorded = flight(live_peer("basilisk_peer", "BasiliskPeer"), HOLD_S), load()
    assert np.all(apart(live[0], recorded[0]) <= allowed(live, recorded, HOLD_S))


@pytest.mark.peers
def test_the_plant_tumbles_as_drake_does_within_the_integrators_errors():
    ours = flight(ProxopsPeer, HOLD_S)
    theirs = flight(live_peer("drake_peer", "DrakePeer"), HOLD_S)
    assert np.all(apart(ours[0], theirs[0]) <= allowed(ours, theirs, HOLD_S))
