"""The choice of a nominal motion: names, files, and what becomes of them."""

import json
import re

import numpy as np
import pytest

import proxops
from proxops.assembly.build import build
from proxops.assembly.nominal import (
    COLUMNS,
    UNFORCED,
    check_nominal,
    load_nominal,
    nominal_of,
    target_state,
)
from proxops.core.description import point_inertia
from proxops.core.errors import InputError
from proxops.core.frame import frame, rotation_of
from proxops.core.spatial.quaternion import quat_exp, quat_mul
from proxops.physics.multibody import tree as at
from proxops.physics.relative.motion import SPIN, STATE_WIDTH, VELOCITY, P, Q
from proxops.physics.relative.samples import TIME
from proxops.plant.build import whole_hub

HEADER = ",".join(COLUMNS)
UPRIGHT = "0,1,0,0,0,0,0,0,0"
STILL = [1.0, 0.0, 0.0, 0.0]


def csv_of(rows):
    return "\n".join([HEADER, *(",".join(f"{x:.17g}" for x in row) for row in rows)]) + "\n"


def turning(t):
    """Time and state in H of a frame that turns about an axis of its own and gains speed."""
    w = np.array([0.02, -0.03, 0.01])
    turn = quat_exp.py_func(tuple(t * w))
    q = quat_mul.py_func((0.5, 0.5, -0.5, 0.5), turn)
    return np.array([t, 3.0 + 0.01 * t * t, -2.0, 0.5 * t, *q, 0.02 * t, 0.0, 0.5, *w])


def two_rows(t, p=(0.0, 0.0, 0.0), q=STILL, v=0.0, w=0.0):
    """A file with an empty line: at rest at first; at p, q after a time t, with v along x and w
    about it in both rows."""
    rates = [v, 0.0, 0.0, w, 0.0, 0.0]
    rows = [[0.0, 0.0, 0.0, 0.0, *STILL, *rates], [t, *p, *q, *rates]]
    header, first, second = csv_of(rows).splitlines()
    return {"name": "x.csv", "text": f"{header}\n{first}\n\n{second}\n"}


def half_angle(turn):
    return [np.cos(0.5 * turn), np.sin(0.5 * turn), 0.0, 0.0]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (two_rows(1e-300), "follows the row before within less than 1e-09 s"),
        (two_rows(1.0, q=half_angle(np.pi), w=np.pi), "half a turn or more"),
        (two_rows(10.0, q=half_angle(0.1), w=0.7), "half a turn or more"),
        (two_rows(1e-3, p=[10.0, 0.0, 0.0]), "velocities do not lead here"),
        (two_rows(1.0, p=[-0.1, 0.0, 0.0], v=0.1), "velocities do not lead here"),
        (two_rows(1.0, q=half_angle(0.05), w=np.degrees(0.05)), "rates do not turn"),
        (two_rows(1.0, q=half_angle(-0.05), w=0.05), "rates do not turn"),
    ],
)
def test_rows_that_no_smooth_motion_joins_are_refused_with_their_line(given, says):
    with pytest.raises(InputError, match=rf"^x\.csv, line 4: .*{says}"):
        load_nominal(given)


def test_rows_that_rates_join_are_taken_whatever_the_sign_of_their_quaternions():
    turned = [-x for x in half_angle(3.0)]
    given = two_rows(2.0, p=[1.0, 0.0, 0.0], q=turned, v=0.5, w=1.5)
    assert load_nominal(given).text == given["text"]


@pytest.mark.parametrize("name", ["unforced", "constant-rate"])
def test_a_name_is_kept_as_it_is_and_comes_back_from_storage(name):
    choice = load_nominal(name)
    assert load_nominal(choice) == choice
    assert load_nominal(json.loads(json.dumps(choice.to_dict()))) == choice


def test_a_file_is_kept_with_its_text(tmp_path):
    file = tmp_path / "course.csv"
    file.write_text(csv_of([turning(0.0), turning(1.0)]))
    choice = load_nominal(file)
    assert choice.name == "course.csv"
    file.unlink()
    assert load_nominal(json.loads(json.dumps(choice.to_dict()))) == choice


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("constant", "no choice and no file that ends in .csv; did you mean 'constant-rate'?"),
        ("absent.csv", "absent.csv: cannot be read"),
        ({"name": 3}, "stored nominal motion"),
        ({"name": "nonsense"}, "nominal 'nonsense': no choice"),
        ({"name": "x.csv", "text": "t_s\n0"}, "x.csv: first line lacks x_m"),
        ({"name": "x.csv", "text": f"{HEADER}\n1,{'0,' * 3}{UPRIGHT},0\n2,0,0"}, "line 3"),
        (
            {"name": "x.csv", "text": csv_of([turning(1.0), turning(2.0)])},
            "x.csv: begins at 1 s; must begin at 0 s",
        ),
        (
            {"name": "x.csv", "text": csv_of([turning(0.0), 2.0 * turning(1.0)])},
            "x.csv: at 2 s the quaternion has length 2, not 1",
        ),
    ],
)
def test_what_is_no_nominal_motion_is_refused_in_one_line(given, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=re.escape(says)) as caught:
        load_nominal(given)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("representation", ["absolute", "target-fixed"])
def test_only_the_relative_representation_takes_a_choice(representation):
    check_nominal(UNFORCED, representation)
    with pytest.raises(InputError, match=f"only the relative .* not {representation}"):
        check_nominal(load_nominal("constant-rate"), representation)
    with pytest.raises(InputError, match="only the relative"):
        proxops.rehearse(
            proxops.load("touch"), "ideal", representation=representation, nominal="constant-rate"
        )


def test_at_a_constant_rate_the_target_turns_alike_about_every_axis_of_its_centre():
    built = build(proxops.load("touch-flexible"))
    body = nominal_of(load_nominal("constant-rate"), built).body.bodies[0]
    whole = whole_hub(built.target)
    com = body[at.COM : at.COM + 3]
    np.testing.assert_allclose(com, whole.com)
    assert abs(com[0]) > 0.4  # off T: otherwise this tells nothing
    assert body[at.MASS] == whole.mass
    xx, yy, zz, xy, xz, yz = body[at.INERTIA : at.INERTIA + 6]
    about_com = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) - point_inertia(
        whole.mass, com
    )
    np.testing.assert_allclose(about_com, about_com[0, 0] * np.eye(3), atol=1e-9 * xx)


def test_data_begin_where_the_target_is_and_move_as_one_body():
    """The frame that is sampled is fixed on the one that is given: same rate, same axis, and every
    pose apart by the same X."""
    built = build(proxops.load("touch"))
    rows = np.array([turning(t) for t in (0.0, 1.0, 4.0, 30.0)])
    choice = load_nominal({"name": "course.csv", "text": csv_of(rows)})
    samples = nominal_of(choice, built).samples
    start = target_state(built)
    np.testing.assert_allclose(samples[0, :VELOCITY], start[:VELOCITY], atol=1e-14)
    np.testing.assert_array_equal(samples[:, TIME], rows[:, 0])
    given = [frame(row[1 + P : 1 + Q], row[1 + Q : 1 + VELOCITY]) for row in rows]
    taken = [frame(row[P:Q], row[Q:VELOCITY]) for row in samples]
    apart = given[0].inverse() @ taken[0]
    for row, sample, F, M in zip(rows, samples, given, taken, strict=True):
        np.testing.assert_allclose((F @ apart).p, M.p, atol=1e-13)
        np.testing.assert_allclose((F @ apart).R, M.R, atol=1e-13)
        w_O = F.R @ row[1 + SPIN :]
        np.testing.assert_allclose(
            rotation_of(sample[Q:VELOCITY]) @ sample[SPIN:STATE_WIDTH], w_O, atol=1e-15
        )
        v = row[1 + VELOCITY : 1 + SPIN] + np.cross(w_O, M.p - F.p)
        np.testing.assert_allclose(sample[VELOCITY:SPIN], v, atol=1e-14)
