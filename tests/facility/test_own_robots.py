"""Robots of a facility file's own: by their data sheet, as the shipped one is."""

import math

import numpy as np
import pytest

from proxops.assembly.cell import build_cell
from proxops.assembly.cell_guard import guarded_shapes
from proxops.assembly.describe import describe
from proxops.assembly.facility import fit_out, load_facility
from proxops.core.errors import InputError
from proxops.facility.robot_cell.industrial.kr120 import KR120
from proxops.facility.robot_cell.industrial.robot import OFFSET
from proxops.scenario.load import load


def degrees(angles):
    return [math.degrees(each) for each in angles]


def sheet(**changes):
    """The data sheet of the shipped robot as a file has it, but for some keys."""
    whole = {
        **{f"{key}_m": getattr(KR120, key) for key in ("a1", "d1", "a2", "a3", "d4", "d6")},
        "signs": list(KR120.signs),
        "lower_deg": degrees(KR120.lower),
        "upper_deg": degrees(KR120.upper),
        "speed_deg_s": degrees(KR120.speed),
        "acceleration_deg_s2": degrees(KR120.acceleration),
        "jerk_deg_s3": degrees(KR120.jerk),
        "payload_kg": KR120.payload,
        "moment_N_m": KR120.moment,
        "inertia_kg_m2": KR120.inertia,
    }
    return {**whole, **changes}


def cell(tmp_path, model="ours", **changes):
    """oos-sim with the target's robot by its data sheet."""
    lines = ['extends = "oos-sim"', 'title = "Ours"', f'robots.target.model = "{model}"']
    radii = changes.pop("radii", {})
    lines.append("[robot_models.ours]")
    lines += [f"{key} = {value!r}" for key, value in sheet(**changes).items()]
    lines.append("[robot_models.ours.radii]")
    lines += [f"{key} = {value!r}" for key, value in radii.items()]
    file = tmp_path / "cell.toml"
    file.write_text("\n".join(lines) + "\n")
    return file


def test_the_shipped_robot_by_its_data_sheet_is_the_shipped_robot(tmp_path):
    touch = load("touch")
    shipped = fit_out(load_facility("oos-sim").facility, touch).target
    ours = fit_out(load_facility(cell(tmp_path)).facility, touch).target
    for name, value in shipped._asdict().items():
        np.testing.assert_allclose(getattr(ours, name), value, rtol=1e-14, err_msg=name)


def test_makers_count_their_axes_from_elsewhere(tmp_path):
    offsets = [10.0, -90.0, 0.0, 5.0, 0.0, 180.0]
    lab = load_facility(cell(tmp_path, offsets_deg=offsets)).facility
    found = fit_out(lab, load("touch")).target.joints[:, OFFSET]
    np.testing.assert_allclose(found, np.radians(offsets))


def test_a_smaller_robot_reaches_less_far(tmp_path):
    small = {"a2_m": 0.5, "d4_m": 0.5}
    lab = load_facility(cell(tmp_path, **small)).facility
    with pytest.raises(InputError, match=r"the target's robot: the start is out of reach by 0\.\d"):
        build_cell(load("touch"), lab, "relative")


def test_the_guard_keeps_its_own_thickness_apart(tmp_path):
    touch, lab = load("touch"), load_facility(cell(tmp_path, radii={"forearm_m": 0.07})).facility
    chaser, _, _ = describe(touch)
    shapes = guarded_shapes(lab, fit_out(lab, touch), (chaser, ()))
    radius = {shape.name: shape.radius for shape in shapes}
    assert radius["forearm of the target's robot"] == 0.07
    assert radius["forearm of the chaser's robot"] == 0.18


@pytest.mark.parametrize(
    ("model", "changes", "says"),
    [
        ("our", {}, r"robots\.target\.model: no model 'our'; did you mean 'ours'"),
        ("ours", {"a2_m": 0.0}, r"robot_models\.ours\.a2_m: must be greater than 0"),
        ("ours", {"upper_deg": [-185.0] * 6}, r"upper_deg: axis 1: -185 to -185 deg is no range"),
        ("ours", {"signs": [1.0, 2.0, 1.0, 1.0, 1.0, 1.0]}, r"signs: must be 1 or -1"),
        ("ours", {"jerk_deg_s3": [0.0] * 6}, r"jerk_deg_s3: must be greater than 0 for each axis"),
    ],
)
def test_a_data_sheet_that_is_none_is_rejected_with_its_place(tmp_path, model, changes, says):
    with pytest.raises(InputError, match=says):
        load_facility(cell(tmp_path, model, **changes))
