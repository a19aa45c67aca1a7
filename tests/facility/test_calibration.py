"""A cell that is not as it is believed to be."""

from functools import cache

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.spatial.transform import Rotation

from proxops.assembly.cell import build_cell
from proxops.assembly.facility import Lab, load_facility, start_pose, without_each
from proxops.core.errors import InputError
from proxops.core.frame import Frame, frame, rotation_of
from proxops.facility.common.rows import FLANGE, WRIST
from proxops.facility.robot_cell.contact_wrench import contact_wrench, wrench_by
from proxops.facility.robot_cell.industrial.robot import FLANGE_ON_MOCK_UP, MASS
from proxops.facility.robot_cell.sensing import KNOWN, TRUE
from proxops.plant.step import touch_at_start
from proxops.rehearsal import on_facility
from proxops.results.fidelity import sensed
from proxops.scenario.load import load
from proxops.scenario.schema.facility import Facility

G = 9.80665  # [m/s2]
SHIFT = {"p_m": [1e-3, 0.0, 0.0]}
TURN = {"turn_rad": [0.0, 0.0, 1e-3]}


def believing(calibration=None, **changes):
    """`oos-sim` with errors of calibration."""
    given = load_facility("oos-sim").facility.model_dump(mode="json", exclude_none=True)
    return Lab("off", Facility.model_validate(given | {"calibration": calibration or {}} | changes))


def mission():
    """The first tenth of a second of `touch`: nothing touches yet."""
    held = [{"t_s": 0.1, "q_deg": [0.0, -60.0, 0.0, 100.0, 0.0, -40.0, 0.0]}]
    return load("touch").replace(
        {
            "time.duration_s": 0.1,
            "time.record_rate_hz": 1000.0,
            "time.phases.touch.until_s": 0.1,
            "obsw.joints.main.waypoints": held,
        }
    )


@cache
def as_believed():
    return on_facility(mission(), believing(), "relative").run()


def rehearsed(lab):
    return on_facility(mission(), lab, "relative").run()


def apart(run):
    """p_CT in C as the mock-ups show it (n, 3)."""
    R = np.moveaxis(rotation_of(tuple(run["lab.q_LCl"][1].T)), -1, 0)
    return np.einsum("nji,nj->ni", R, run["lab.p_LTl"][1] - run["lab.p_LCl"][1])


def test_a_robot_that_stands_a_millimetre_aside_shows_a_millimetre_and_nobody_sees_it():
    """The base has the lab's axes; the mock-ups are apart by that much less along x of L."""
    run = rehearsed(believing({"chaser_base": SHIFT}))
    assert run["lab.p_LCl"][1] - as_believed()["lab.p_LCl"][1] == pytest.approx(
        np.tile([1e-3, 0.0, 0.0], (len(run.rows), 1)), abs=1e-12
    )
    shown = np.linalg.norm(apart(run) - apart(as_believed()), axis=1)
    assert shown == pytest.approx(np.full(len(run.rows), 1e-3), abs=1e-12)
    for name in ("lab.measured.p_CT", "relative.p_CT", "lab.arms.main.tau_q"):
        assert run[name][1] == pytest.approx(as_believed()[name][1], abs=1e-11)


def test_mock_ups_are_off_where_they_are_mounted_not_where_their_hubs_are():
    """G is shifted by what the mock-up is, and turned about itself: its place then stays."""
    lab = load_facility("oos-sim")
    X_LG = frame(lab.facility.start.p_LG_m, lab.facility.start.q_LG)
    X_TG = start_pose(lab.facility, mission()).inverse() @ X_LG

    def grapple(calibration):
        run = rehearsed(believing(calibration))
        p, q = (run[f"lab.{name}_LTl"][1][0] for name in "pq")
        return frame(p, q) @ X_TG

    shifted, turned = grapple({"target_mock_up": SHIFT}), grapple({"target_mock_up": TURN})
    right = grapple({})
    assert right.R.T @ (shifted.p - right.p) == pytest.approx(SHIFT["p_m"], abs=1e-12)
    assert turned.p == pytest.approx(right.p, abs=1e-12)
    by = Rotation.from_matrix(right.R.T @ turned.R).as_rotvec()
    assert by == pytest.approx(TURN["turn_rad"], abs=1e-12)


def test_a_mock_up_believed_too_heavy_pulls_the_target_up_and_a_tare_stops_that():
    """0.2 kg, in the lab's axes; the mock-up's motion adds 1e-3 of that."""
    heavy = {"flange_tool": {"mass_kg": 0.2}}
    run = rehearsed(believing(heavy, procedure={"tare_s": 0.0}))
    arrived = run.rows[:, 0] > 0.004
    R = np.moveaxis(rotation_of(tuple(run["lab.q_LTl"][1].T)), -1, 0)
    pull = np.einsum("nij,nj->ni", R, run["lab.measured_wrench"][1][:, :3])[arrived]
    assert pull == pytest.approx(np.tile([0.0, 0.0, 0.2 * G], (len(pull), 1)), abs=0.01)
    by_name = {(row.name, row.unit): row for row in sensed(run)}
    found = by_name["flange against wrist sensor", "N"]
    assert found.largest == pytest.approx(0.2 * G, abs=0.01)
    tared = rehearsed(believing(heavy))
    assert np.abs(tared["lab.measured_wrench"][1][:, :3]).max() < 0.01


def test_measured_positions_scatter_as_the_servos_do():
    """1e-3 m each for both mock-ups: √2 of it between them; 101 samples of three axes, four sigma
    of their spread are 16 %."""
    servo = believing().facility.servo.model_dump() | {"noise_m": 1e-3}
    run = rehearsed(believing(servo=servo))
    off = run["lab.measured.p_CT"][1] - apart(run)
    assert off.std() == pytest.approx(np.sqrt(2.0) * 1e-3, rel=0.16)
    exact = rehearsed(believing(servo=servo, mapping="commanded"))
    seen = exact["lab.measured.p_CT"][1] - exact["relative.p_CT"][1]
    assert np.abs(seen).max() < 1e-12


def test_sensors_sit_on_the_flange_and_on_the_last_joint():
    lab = believing(
        {"flange_sensor": SHIFT, "target_mock_up": TURN, "wrist_tool": {"mass_kg": 0.5}}
    )
    made = build_cell(mission(), lab.facility, "relative")
    sensing = made.cell.sensing
    X_TK = made.cell.target_robot.poses[FLANGE_ON_MOCK_UP]
    assert np.array_equal(sensing.frames[KNOWN, FLANGE], X_TK)
    X_LK = frame([1.0, 2.0, 3.0], [0.5, 0.5, 0.5, 0.5])  # wherever the flange is
    carrier = lab.facility.robots.target
    X_KM = frame(carrier.p_KM_m, carrier.q_KM)
    X_MT = X_KM.inverse() @ frame(X_TK[:3], X_TK[3:]).inverse()
    turned = Frame(Rotation.from_rotvec(TURN["turn_rad"]).as_matrix(), np.zeros(3))
    X_LS = X_LK @ frame(SHIFT["p_m"], [1.0, 0.0, 0.0, 0.0])
    X_TS = (X_LK @ X_KM @ turned @ X_MT).inverse() @ X_LS
    found = frame(sensing.frames[TRUE, FLANGE, :3], sensing.frames[TRUE, FLANGE, 3:])
    assert found.p == pytest.approx(X_TS.p, abs=1e-12)
    assert np.abs(found.R - X_TS.R).max() < 1e-12
    assert sensing.body == len(made.cell.plant.chaser_topology)
    assert sensing.tools[KNOWN, WRIST, MASS] - sensing.tools[TRUE, WRIST, MASS] == pytest.approx(
        0.5
    )
    assert sensing.tools[TRUE, FLANGE, MASS] == 40.0


def test_calibration_is_a_cause_of_its_own_and_so_is_each_of_several_errors():
    assert "calibration" not in without_each(believing())
    one = {"chaser_base": SHIFT}
    alone, both = believing(one), believing(one | {"flange_tool": {"mass_kg": 0.2}})
    assert without_each(alone)["calibration"].facility == believing().facility
    causes = without_each(both)
    assert causes.keys() - without_each(alone).keys() == {
        "error of chaser base",
        "error of flange tool",
    }
    assert causes["error of flange tool"].facility == alone.facility


def test_lag_noise_and_bias_of_the_force_sensor_are_causes_of_their_own():
    lab = load_facility("oos-sim")
    noise = {"noise_N": [0.3, 0.3, 0.3], "bias_N_m": [0.0, 0.0, 0.1]}
    sensor = lab.facility.flange_sensor.model_copy(update=noise)
    noisy = Lab("noisy", lab.facility.model_copy(update={"flange_sensor": sensor}))
    causes = without_each(noisy)
    assert causes.keys() - without_each(lab).keys() == {"sensor noise", "sensor bias"}
    lags = {"filter_hz", "rate_hz", "delay_s"}
    for cause, gone in (
        ("sensor lag", lags),
        ("sensor noise", {"noise_N"}),
        ("sensor bias", {"bias_N_m"}),
    ):
        left = causes[cause].facility.flange_sensor
        changed = {
            name for name in type(left).model_fields if getattr(left, name) != getattr(sensor, name)
        }
        assert changed == gone


def test_the_wrist_feels_what_touches_the_last_link_alone():
    """The tip is 1 mm in the plate as the mission begins."""
    scenario = mission().replace({"chaser.p_HC_m": [-4.97, 0.0, 0.0]})
    made = build_cell(scenario, load_facility("ideal").facility, "relative")
    plant, y, work = made.cell.plant, made.state.y, made.workspace.work
    touch_at_start(plant, work, y, 0.0)
    whole = np.concatenate(contact_wrench(plant, y, work.scratch))
    assert np.linalg.norm(whole[:3]) > 1.0
    by_link = wrench_by(plant, y, work.scratch, made.cell.sensing.body)
    assert np.array_equal(np.concatenate(by_link), whole)
    assert not np.concatenate(wrench_by(plant, y, work.scratch, 0)).any()


def test_errors_that_mean_nothing_are_refused():
    with pytest.raises(ValidationError, match="needs robots"):
        Facility.model_validate({"title": "bare", "calibration": {"chaser_base": SHIFT}})
    with pytest.raises(ValidationError, match=r"at most 0\.5 rad"):
        Facility.model_validate(
            {"title": "x", "calibration": {"wrist_sensor": {"turn_rad": [0.0, 9.0, 0.0]}}}
        )
    light = Facility.model_validate(
        {"title": "x", "calibration": {"wrist_tool": {"mass_kg": -900.0}}}
    )
    with pytest.raises(InputError, match=r"calibration\.wrist_tool\.mass_kg: the load is of"):
        build_cell(mission(), light, "relative")
