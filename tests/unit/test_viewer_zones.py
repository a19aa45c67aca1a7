"""Zones and drift in the scene: where they stand, and how large."""

from pathlib import Path

import numpy as np
import pytest

import proxops
from proxops.viewer.hardware import hardware_of
from proxops.viewer.parts import scene_of
from proxops.viewer.playback import Playback
from proxops.viewer.scene import Look, Moment, Wires, seen_from

DRIFT = Path(__file__).parents[2] / "examples" / "drift.toml"


@pytest.fixture(scope="module")
def run():
    return proxops.simulate(proxops.load(DRIFT))


def wires(run, t=0.0, **look):
    hardware = hardware_of(run.provenance, run.signals())
    found = {each.name: each for each in scene_of(hardware).things if isinstance(each, Wires)}
    row, poses = Playback(hardware, run.rows).at(t)
    chosen = Look(**look)
    return found, Moment(row, seen_from(poses, chosen), chosen)


def test_zones_stand_about_the_target_at_their_sizes(run):
    found, moment = wires(run, follow="chaser")
    sphere = found["zones/keep_out"]
    np.testing.assert_allclose(np.linalg.norm(sphere.segments(moment), axis=2), 50.0, rtol=1e-12)
    # seen from the chaser, the target is 200 m ahead
    assert sphere.middle(moment) == pytest.approx((0.0, 200.0, 0.0), abs=1e-9)
    shell = found["zones/approach_ellipsoid"].segments(moment).reshape(-1, 3)
    assert np.abs(shell).max(axis=0) == pytest.approx([100.0, 200.0, 100.0])
    cone = found["zones/corridors/v_bar"].segments(moment).reshape(-1, 3)
    assert cone[:, 1].min() == pytest.approx(-150.0)
    assert cone[:, 1].max() == 0.0
    assert cone[:, 0].max() == pytest.approx(150.0 * np.tan(np.radians(15.0)))


def test_the_drift_begins_at_the_chaser_and_comes_as_near_as_was_recorded(run):
    for t in (0.0, 900.0):
        found, moment = wires(run, t)
        path = found["zones/drift"].segments(moment)
        at = np.searchsorted(run.rows[:, 0], t)
        np.testing.assert_allclose(path[0, 0], run["relative.p_TcmCcm_H"][1][at], atol=1e-6)
        # points are 46 s apart, at 0.15 m/s at most: 3.5 m from the nearest one
        least = np.linalg.norm(path[:, 0], axis=1).min()
        assert least == pytest.approx(run["safety.drift_distance"][1][at], abs=3.5)


def test_a_run_without_zones_has_no_wires():
    run = proxops.simulate(proxops.load(DRIFT).replace({"zones": None, "requirements": {}}))
    assert wires(run)[0] == {}
