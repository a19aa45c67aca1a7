"""Back from the lab to the orbit, through commanded or measured carriers."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from proxops.assembly.build import build
from proxops.assembly.facility import load_facility
from proxops.assembly.facility_fit import reject_unloaded_wrist
from proxops.bus.bus import IdealViews, ideal_fields
from proxops.bus.fields import Layout, blank, views
from proxops.core.errors import InputError
from proxops.core.jit import kernel
from proxops.facility.common.mapping import see
from proxops.facility.common.representation import Representation, hub_in_orbit, put_hub, reproduced
from proxops.facility.common.rows import CHASER, TARGET
from proxops.facility.robot_cell.calibration import IN_LAB, ON_FLANGE, misplace
from proxops.facility.robot_cell.sensor_truth import see_through_lab
from proxops.physics.relative.motion import get_motion
from proxops.physics.relative.nominal_build import from_samples
from proxops.plant import layout
from proxops.scenario.load import load

DT = 1e-5  # of differences [s]


@kernel
def there_and_back(representation, nominal, hubs, noise, draws, seen):
    """Shows both hubs' flights in the lab, and sees them there."""
    M = get_motion(nominal)
    lab = seen  # each row is read before it is written
    for which in range(2):
        X, v, w = reproduced(representation, M, hub_in_orbit(hubs[which]))
        put_hub(lab[which], X, v, w)
    see(representation, M, lab, noise, draws, seen)


def tumbling():
    """A lab, a nominal motion that turns and drifts, and two hubs' motions in O."""
    rng = np.random.default_rng(23)
    turns = Rotation.random(4, random_state=rng).as_quat(scalar_first=True)
    X_LM = np.concatenate([rng.normal(0.0, 1.0, 3), turns[0]])
    nominal = np.concatenate([rng.normal(0.0, 3.0, 3), turns[1], rng.normal(0.0, 0.1, 12)])
    hubs = np.array(
        [[*rng.normal(0.0, 3.0, 3), *turn, *rng.normal(0.0, 0.1, 6)] for turn in turns[2:]]
    )
    representation = Representation(from_samples(np.eye(1, 14, 3)), 0, X_LM)
    return representation, nominal, hubs


def test_carriers_that_do_as_commanded_are_seen_as_the_plant_flies():
    representation, nominal, hubs = tumbling()
    seen = np.zeros((2, 13))
    there_and_back(representation, nominal, hubs, 0.0, np.ones(6), seen)
    # a quaternion may come back with the other sign
    seen[:, 3:7] *= np.sign(np.sum(seen[:, 3:7] * hubs[:, 3:7], axis=1))[:, np.newaxis]
    assert seen == pytest.approx(hubs, abs=1e-12)


def test_noise_of_a_carrier_moves_what_is_seen_along_the_labs_axes():
    representation, nominal, hubs = tumbling()
    draws, seen = np.array([1.0, -2.0, 0.5, 0.3, 0.0, -1.0]), np.zeros((2, 13))
    there_and_back(representation, nominal, hubs, 1e-3, draws, seen)
    R_OM, R_LM = (Rotation.from_quat(x[3:7], scalar_first=True)
                  for x in (nominal, representation.X_LM))  # fmt: skip
    off = (R_OM * R_LM.inv()).apply(1e-3 * draws.reshape(2, 3))
    for which in (TARGET, CHASER):
        assert seen[which, :3] - hubs[which, :3] == pytest.approx(off[which], abs=1e-12)


def test_a_misplaced_carrier_is_moved_on_both_sides_and_its_speed_follows_its_pose():
    """E X D, and its rate by differences: their error is DT² of the third derivative, 1e-10."""
    rng = np.random.default_rng(5)
    E, D, R_0 = (Rotation.from_rotvec(r) for r in rng.normal(0.0, 0.4, (3, 3)))
    e, d, p, v, w = rng.normal(0.0, 1.0, (5, 3))

    def placed(s):
        R, at = R_0 * Rotation.from_rotvec(s * w), p + s * v
        return E * R * D, e + E.apply(at + R.apply(d))

    misplaced = np.empty((2, 7))
    misplaced[IN_LAB] = *e, *E.as_quat(scalar_first=True)
    misplaced[ON_FLANGE] = *d, *D.as_quat(scalar_first=True)
    known = np.array([*p, *R_0.as_quat(scalar_first=True), *v, *w])
    true = np.empty(13)
    misplace(misplaced, known, true)
    R, at = placed(0.0)
    assert true[:3] == pytest.approx(at, abs=1e-12)
    assert (R.inv() * Rotation.from_quat(true[3:7], scalar_first=True)).magnitude() < 1e-12
    (R_1, at_1), (R_0_, at_0) = placed(DT), placed(-DT)
    assert true[7:10] == pytest.approx((at_1 - at_0) / (2.0 * DT), abs=1e-9)
    turned = (R_0_.inv() * R_1).as_rotvec() / (2.0 * DT)
    assert true[10:] == pytest.approx(turned, abs=1e-9)


def test_on_board_software_sees_the_chaser_where_the_lab_shows_it():
    """Not where the plant has it: attitude and rate come from the mapping's row."""
    _, _, hubs = tumbling()
    reproduced = views(IdealViews, blank(Layout(ideal_fields(joints=2))))
    see_through_lab.py_func(reproduced, hubs[CHASER])
    assert reproduced.ideal_q_NC.tolist() == hubs[CHASER, layout.Q : layout.V].tolist()
    assert reproduced.ideal_w_NC_C.tolist() == hubs[CHASER, layout.W :].tolist()


@pytest.mark.parametrize(("mission", "why"), [("contact-rig", "no arm"), ("touch", None)])
def test_a_wrist_that_contact_does_not_pass_cannot_feel_it(mission, why):
    facility = load_facility("oos-sim").facility.model_copy(update={"feedback_sensor": "wrist"})
    built = build(load(mission))
    if why is None:
        reject_unloaded_wrist(built, facility)
        return
    with pytest.raises(InputError, match=why):
        reject_unloaded_wrist(built, facility)
