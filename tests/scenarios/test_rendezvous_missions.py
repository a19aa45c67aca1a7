"""What the R-bar approach and the inspection do, besides what their requirements say."""

import numpy as np
import pytest
from benchmarks.passive_safety import REACH, again, avoided

import proxops
from proxops.physics.orbit.forced import rbar_hold_delta_v
from tests.scenarios.flown import flown, group

pytestmark = pytest.mark.slow

INSPECTION = "fly-around-inspection"

N = np.sqrt(3.986004418e14 / 6778137.0**3)  # of both orbits [rad/s]


def during(run, leg, name):
    """A signal in a leg, and the leg."""
    phase = next(each for each in run.phases if each.name == leg)
    t, values = run[name]
    return values[(t >= phase.start_s) & (t < phase.end_s)], phase


def test_a_hold_on_r_bar_costs_what_gravity_takes():
    """3n² x for two minutes at 250 m, and some for errors: 0.115 m/s."""
    changes = {"time.duration_s": 1200.0, "requirements": None}
    run = proxops.simulate(proxops.load("approach-rbar").replace(changes))
    spent, phase = during(run, "hold_250", "chaser.delta_v")
    least = rbar_hold_delta_v(N, 250.0, phase.end_s - phase.start_s)
    assert 0.97 * least < spent[-1].item() - spent[0].item() < 1.2 * least


@pytest.fixture(scope="module")
def inspection():
    return flown(INSPECTION)


@group(INSPECTION)
def test_the_inspection_sees_the_target_from_all_around(inspection):
    names = [phase.name for phase in inspection.phases]
    assert names == [
        "acquire", "to_150", "hold_150", "to_80", "under", "over", "leave", "park",
    ]  # fmt: skip
    below, _ = during(inspection, "under", "chaser.p_HCcm")
    above, _ = during(inspection, "over", "chaser.p_HCcm")
    p = np.vstack([below, above])
    seen = np.unwrap(np.arctan2(p[:, 0], -p[:, 1]))
    assert np.ptp(seen) == pytest.approx(2.0 * np.pi, abs=0.05)
    assert np.diff(seen).max() < 1e-3  # always the way of free motion, below the target ahead
    # 30 deg out of the orbit plane
    assert p[:, 2].max() == pytest.approx(40.0, abs=0.3)
    assert p[:, 2].min() == pytest.approx(-40.0, abs=0.3)
    # the camera looks along y of C
    line = np.vstack([during(inspection, leg, "relative.p_CT")[0] for leg in ("under", "over")])
    assert np.degrees(np.arctan2(np.hypot(line[:, 0], line[:, 2]), line[:, 1])).max() < 0.2


@group(INSPECTION)
def test_a_flight_by_two_burns_coasts_between_them(inspection):
    """Control corrects what navigation errs, a few mm/s in all."""
    spent, _ = during(inspection, "to_150", "chaser.delta_v")
    total = spent[-1].item() - spent[0].item()
    coast = spent[-250].item() - spent[250].item()
    assert coast < 0.25 * total


@group(INSPECTION)
@pytest.mark.parametrize("leg", ["under", "over"])
@pytest.mark.parametrize("after", [20.0, 800.0, 1600.0, 2000.0, 2250.0])
def test_evading_from_the_circle_leads_away_without_coming_nearer(inspection, leg, after):
    """By the way out of its leg, from where the flight was then."""
    scenario = proxops.load(INSPECTION)
    begins = next(each.start_s for each in inspection.phases if each.name == leg)
    way_out = scenario.mission.obsw.plan.legs[leg].on_abort
    case = again(inspection, scenario, begins + after, None, way_out)
    least, orbit, _ = avoided(scenario, case, REACH)
    assert least > 0.9
    assert orbit > 200.0
