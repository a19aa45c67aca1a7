"""What a report draws is what was recorded: no peak lost, none made up, no signal left out."""

import base64

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from tests.unit.report_cases import run_of, with_scenario

from proxops import api
from proxops.core.spatial.quaternion import quat_exp
from proxops.report.curves import component_names, shown_unit
from proxops.report.draw import packed
from proxops.report.limits import WHOLE, Limit, far_text, levels, limits_of, of_columns
from proxops.report.plan import REST, TIMELINE, claims
from proxops.report.quaternions import aligned, conjugate, product, rotation_vector
from proxops.report.sections import sections_of
from proxops.report.theme import GROUND, PALETTE
from proxops.results.decimate import decimate
from proxops.scenario.load import load, shipped

samples = arrays.arrays(
    np.float64, st.integers(0, 400), elements=st.floats(allow_nan=True, allow_infinity=True)
)


@given(samples, st.integers(5, 100))
def test_decimation_keeps_the_extremes_of_every_stretch(values, max_points):
    kept = decimate(values, max_points)
    assert len(kept) <= max(max_points, 5)
    assert np.all(np.diff(kept) > 0)
    if len(values) <= max_points:
        assert len(kept) == len(values)
        return
    assert {0, len(values) - 1} <= set(kept)
    of_each = 2 if np.isfinite(values).all() else 3
    width = -(-len(values) // max(1, (max_points - 2) // of_each))
    for start in range(0, len(values), width):
        part = values[start : start + width]
        shown = values[kept[(kept >= start) & (kept < start + width)]]
        sound = part[np.isfinite(part)]
        if len(sound):
            assert np.nanmin(shown[np.isfinite(shown)]) == sound.min()
            assert np.nanmax(shown[np.isfinite(shown)]) == sound.max()
        assert np.isfinite(part).all() == np.isfinite(shown).all()


@given(samples)
def test_packed_numbers_differ_by_less_than_a_screen_shows(values):
    with np.errstate(over="ignore"):
        told = packed(values)
    back = np.frombuffer(base64.b64decode(told["bdata"]), f"<{told['dtype']}").astype(float)
    sound = np.isfinite(values)
    with np.errstate(over="ignore"):
        span = np.ptp(values[sound]) if sound.any() else 0.0
        assert np.all(np.abs(back[sound] - values[sound]) <= 1e-5 * span)
    assert np.array_equal(np.isfinite(back), sound)


@pytest.mark.parametrize("name", shipped())
def test_every_signal_of_a_shipped_scenario_has_its_place(name):
    table = api.ready(load(name), None).signals
    found = claims(table)
    taken = {signal.name for _, plots in found for _, signals in plots for signal in signals}
    assert taken == {signal.name for signal in table} - set(TIMELINE)
    assert REST not in [section for section, _ in found]


def test_a_signal_that_no_plot_takes_is_shown_at_the_end():
    last = sections_of(run_of())[-1]
    assert last.title == REST.title
    assert [figure.title for figure in last.figures] == ["sensors.camera.noise"]
    assert [curve.label for curve in last.figures[0].curves] == [
        "[0][0]",
        "[0][1]",
        "[1][0]",
        "[1][1]",
    ]


def test_figures_show_the_samples_in_the_unit_of_their_axis():
    run = run_of()
    figures = {figure.title: figure for section in sections_of(run) for figure in section.figures}
    joints = figures["Joint positions of arm main"]
    assert joints.y == "q [deg]"
    assert np.array_equal(joints.curves[3].y, np.degrees(1.0) * run["chaser.arms.main.q"][1][:, 3])
    assert figures["Measured wrench [N]"].y == "measured_wrench in T [N]"
    assert figures["Measured wrench [N m]"].y == "measured_wrench in T [N m]"
    assert figures["Friction cone used by ring"].y == "cone [%]"


def test_what_never_changes_is_told_and_not_drawn():
    run = run_of()
    run["holds.arm.t"][1][:] = (0.0, 1.5, 0.0)
    (contact,) = [section for section in sections_of(run) if section.title == "Contact"]
    assert ("holds.arm.t", "(0, 1.5, 0) N m") in contact.constant
    assert not [figure for figure in contact.figures if figure.title.startswith("Torque of hold")]


def test_curves_bear_the_names_of_joints_and_engines():
    known = component_names(with_scenario(run_of(), "free-tumble"))
    assert known["chaser.arms.main.q"][:2] == ("shoulder_yaw", "shoulder_pitch")
    assert component_names(run_of()) == {}  # of a scenario that this version cannot read


def test_limits_are_drawn_where_and_when_they_hold():
    limits = limits_of(with_scenario(run_of(), "free-tumble"))
    (torque,) = limits["chaser.arms.main.tau"]
    assert (torque.value, torque.both, torque.window) == (10.0, True, None)
    (rest,) = limits["chaser.arms.main.qd"]
    assert rest.window[0] == 34.0


def test_units_follow_the_size():
    assert shown_unit("rad", 3.0) == ("deg", np.degrees(1.0))
    assert shown_unit("m", 0.02) == ("mm", 1e3)
    assert shown_unit("m", 5.0) == ("m", 1.0)
    assert shown_unit("J", 2e6) == ("kJ", 1e-3)
    assert shown_unit("furlong", 5.0) == ("furlong", 1.0)


@given(arrays.arrays(np.float64, (5, 3), elements=st.floats(-1.8, 1.8)))
def test_a_rotation_vector_is_the_logarithm_either_sign_of_its_quaternion(vectors):
    q = np.array([quat_exp.py_func(tuple(vector)) for vector in vectors])
    # arctan and the norm round to a few 1e-16 of angles below pi
    assert np.allclose(rotation_vector(q), vectors, atol=1e-14)
    assert np.allclose(rotation_vector(-q), vectors, atol=1e-14)
    assert np.allclose(rotation_vector(product(conjugate(q), q)), 0.0, atol=1e-14)
    assert np.array_equal(np.abs(aligned(q)), np.abs(q))


def test_every_colour_stands_out_from_its_ground():
    def luminance(colour):
        parts = [int(colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for theme, palette in PALETTE.items():
        ground = luminance(GROUND[theme])
        for colour in palette:
            low, high = sorted((ground, luminance(colour)))
            assert (high + 0.05) / (low + 0.05) >= 3.0, (theme, colour)  # WCAG, graphical objects


def test_a_limit_on_the_length_of_one_number_is_drawn_and_a_far_one_is_named():
    gently = Limit("gently", WHOLE, 25.0, False, None)
    one, three = np.array([[0.0], [18.0]]), np.array([[0.0, 1.0, 2.0], [18.0, 1.0, 2.0]])
    near = levels([gently], (0,), one, np.zeros(1))
    assert [value for _, value in near] == [25.0]  # -25 is too far from 0 to 18
    assert levels([gently], (0, 1, 2), three, np.zeros(3)) == []  # its length is not drawn
    far = gently._replace(name="far", value=90.0)
    both = [*of_columns([gently, far], (0,), np.zeros(1))]
    assert far_text(both, near, "N", 1.0) == "Limit far, 90 N, is beyond the plot."
    assert [*of_columns([gently], (0, 1, 2), np.zeros(3))] == []
