"""Sensors: when samples come, and what they are without noise."""

import math
import re

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tests.unit.sensor_cases import (
    CHASER,
    NS_PER_S,
    PUSH,
    SHIPPED,
    TICK,
    Sensing,
    made,
    rows_of,
    truth_at,
    turn_between,
    watched,
)
from tests.unit.sensor_cases import SEEN as at  # columns of what is seen

from proxops import InputError
from proxops.core.frame import Frame, quaternion_of, rotation_of
from proxops.sensors import camera
from proxops.sensors.camera import Camera, is_in_view
from proxops.sensors.encoders import Encoders
from proxops.sensors.gyro import Gyro
from proxops.sensors.star_tracker import StarTracker
from proxops.sensors.telemetry import Telemetry
from proxops.sensors.timing import Timing
from proxops.sensors.wrist import Wrist, filter_weights

BLOCKS = [each.block for each in SHIPPED]
TIMES = [at[f"{block}.t"] for block in BLOCKS]
COUNTS = [at[f"{block}.count"] for block in BLOCKS]
Q, QD, WRENCH = (at[name].start for name in ("encoders.q", "encoders.qd", "wrist.wrench"))
ZERO = (0.0, 0.0, 0.0)


def ramped(now):
    """A wrench that tells the time in ticks."""
    return truth_at(now, wrench=now / TICK, q=now / TICK)


# --- ideal ---------------------------------------------------------------------------------------


def test_sensors_that_are_not_given_tell_the_truth_at_once():
    w = (0.01, -0.04, 0.02)
    found = watched({}, 50, lambda now: truth_at(now, w=w, wrench=3.0, q=0.4, qd=-0.2, late=0.3))
    now = np.arange(50) * TICK / NS_PER_S
    np.testing.assert_array_equal(found[:, TIMES], np.tile(now[:, None], 6))
    np.testing.assert_array_equal(found[:, COUNTS], np.tile(np.arange(1, 51)[:, None], 6))
    last = found[-1]
    turned = turn_between([1.0, 0.0, 0.0, 0.0], last[at["star.q"]])
    np.testing.assert_allclose(turned, np.array(w) * now[-1], rtol=1e-13)
    np.testing.assert_array_equal(last[at["gyro.w"]], w)
    np.testing.assert_array_equal(last[at["wrist.wrench"]], 3.0)
    np.testing.assert_array_equal(last[at["encoders.q"]], [0.4, 0.4])
    np.testing.assert_array_equal(last[at["encoders.qd"]], [-0.2, -0.2])
    assert last[at["telemetry.lateness"]] == 0.3
    np.testing.assert_array_equal(last[at["telemetry.thrust"]], [PUSH, PUSH + 1.0])


def test_kernels_are_compiled_once_for_all_sensors():
    windows = ((0.0, 1.0),)
    wrist = Wrist(noise=(1, 1, 1, 1, 1, 1), corner=3, spikes=((windows[0], (1, 0, 0, 0, 0, 0)),))
    watched({"wrist": wrist, "gyro": Gyro(Timing(0.01), noise=1, frozen=windows)}, 1)
    watched({}, 1)
    assert [len(each.sample.signatures) for each in SHIPPED] == [1] * len(SHIPPED)


# --- time ----------------------------------------------------------------------------------------


def test_a_sensor_samples_at_multiples_of_its_period_and_counts_what_arrives():
    found = watched({"camera": Camera(Timing(period=0.02))}, 101)
    ticks = np.arange(101)
    np.testing.assert_array_equal(found[:, at["camera.count"]], ticks // 20 + 1)
    np.testing.assert_allclose(found[:, at["camera.t"]], 0.02 * (ticks // 20), rtol=1e-15)


@pytest.mark.parametrize(("period", "delay"), [(0, 0), (0, 250), (1, 3), (5, 35), (20, 100)])
def test_a_sample_arrives_after_its_delay_to_the_tick_with_the_time_of_its_exposure(period, delay):
    """In ticks.  A period of zero is every tick."""
    timing = Timing(period=period * 1e-3, delay=delay * 1e-3)
    found = watched({"wrist": Wrist(timing)}, 400, ramped)
    newest = (np.arange(400) - delay) // max(period, 1) * max(period, 1)
    come = newest >= 0
    np.testing.assert_array_equal(found[:, at["wrist.count"]] > 0, come)
    np.testing.assert_array_equal(found[come, WRENCH], newest[come])
    np.testing.assert_array_equal(found[come, at["wrist.t"]], newest[come] * TICK / NS_PER_S)
    counts = newest // max(period, 1) + 1
    np.testing.assert_array_equal(found[come, at["wrist.count"]], counts[come])


def test_every_sensor_has_its_own_rate_and_delay():
    late = [(10, 100), (10, 0), (100, 40), (1, 2), (5, 5), (20, 10)]
    kinds = (StarTracker, Gyro, Camera, Wrist, Encoders, Telemetry)
    names = ("star_tracker", "gyro", "camera", "wrist", "encoders", "telemetry")
    given = {
        name: kind(Timing(period * 1e-3, delay * 1e-3))
        for name, kind, (period, delay) in zip(names, kinds, late, strict=True)
    }
    found = watched(given, 300, ramped)
    ticks = np.arange(300)
    for count, (period, delay) in zip(COUNTS, late, strict=True):
        expected = np.maximum((ticks - delay) // period + 1, 0)
        np.testing.assert_array_equal(found[:, count], expected)


def test_longer_steps_later_in_the_run_meet_the_same_instants():
    """Calls at 1 ms, then at 10 ms: the clock counts, not the calls."""
    sensing = Sensing(made({"wrist": Wrist(Timing(0.02, 0.03))}, rows_of(200)))
    for now in [*range(100), *range(100, 300, 10)]:
        sensing.look(ramped(now * TICK))
    assert sensing.seen[at["wrist.t"]] == 0.26
    assert sensing.seen[at["wrist.count"]] == 14  # 0, 20, ... 260 ms


@pytest.mark.parametrize(
    ("timing", "says"),
    [
        (Timing(period=1 / 300), "period of 0.00333333333333 s is not a whole number of ns"),
        (Timing(period=0.0015), "period of 0.0015 s is not a whole number of steps of 0.001 s"),
        (Timing(delay=0.0004), "delay of 0.0004 s is not a whole number of steps of 0.001 s"),
        (Timing(delay=-0.1), "delay is -0.1 s; it cannot be negative"),
    ],
)
def test_what_does_not_fit_the_tick_is_refused_with_both_numbers(timing, says):
    with pytest.raises(InputError, match=re.escape(f"sensors.camera: its {says}")):
        made({"camera": Camera(timing)}, rows_of(1))


def test_a_copied_state_goes_on_with_the_same_bits():
    given = {
        "star_tracker": StarTracker(
            Timing(0.01, 0.05, loss_probability=0.3), noise=(1e-4, 1e-4, 3e-4)
        ),
        "gyro": Gyro(Timing(0.01), noise=1e-5, walk=1e-6),
        "wrist": Wrist(Timing(delay=0.02), corner=600.0, noise=(0.2,) * 6),
        "encoders": Encoders(resolution=1e-5, corner=300.0),
    }

    def go_on(sensing, since, until):
        for k in range(since, until):
            sensing.look(truth_at(k * TICK, w=(0.0, 0.1, 0.0)))

    sensing = Sensing(made(given, rows_of(200)))
    go_on(sensing, 0, 90)
    copy = sensing.copied()
    go_on(sensing, 90, 200)
    assert not np.array_equal(sensing.seen, copy.seen)
    go_on(copy, 90, 200)
    np.testing.assert_array_equal(sensing.seen, copy.seen)


# --- dropouts and other scripted faults ----------------------------------------------------------


def test_nothing_is_exposed_in_a_dropout_and_what_is_on_its_way_arrives():
    """From 30 to 60 ms, exposures every 10 ms, 25 ms late: 20 ms arrives at 45, then 60 at 85."""
    timing = Timing(0.01, 0.025, dropouts=((0.03, 0.06), (0.2, math.inf)))
    found = watched({"camera": Camera(timing)}, 400)
    times = np.round(found[:, at["camera.t"]] * NS_PER_S / TICK).astype(int)
    assert times[45] == times[84] == 20
    assert times[85] == 60
    assert times[-1] == 190  # the second window never ends
    assert found[-1, at["camera.count"]] == 17


def test_a_frozen_gyro_repeats_its_last_value_with_new_times():
    gyro = Gyro(Timing(0.01), noise=1e-4, walk=1e-4, frozen=((0.1, 0.2),))
    found = watched({"gyro": gyro}, 300)[::10]
    w = found[:, at["gyro.w"].start]
    assert (w[10:20] == w[9]).all()
    assert (np.diff(w[:10]) != 0.0).all()
    assert (np.diff(w[19:]) != 0.0).all()
    np.testing.assert_array_equal(found[:, at["gyro.count"]], np.arange(1, 31))
    np.testing.assert_allclose(found[:, at["gyro.t"]], np.arange(30) * 0.01, rtol=1e-15)


def test_a_spike_is_added_to_the_samples_of_its_window():
    """Behind the filter: it begins and ends at once."""
    size = (0.0, 0.0, 400.0, 0.0, -30.0, 0.0)
    wrist = Wrist(corner=600.0, spikes=(((0.05, 0.053), size), ((0.07, 0.071), (1.0,) * 6)))
    force = watched({"wrist": wrist}, 100, lambda now: truth_at(now, wrench=2.0))
    felt = force[:, at["wrist.wrench"]] - 2.0
    expected = np.zeros((100, 6))
    expected[50:53], expected[70] = size, 1.0
    np.testing.assert_allclose(felt, expected, atol=1e-12)


def test_a_star_tracker_says_nothing_while_it_turns_too_fast():
    def turning(now):
        return truth_at(now, w=(0.0, 0.0, 0.1 if 20 <= now / TICK < 40 else 0.05))

    found = watched({"star_tracker": StarTracker(fastest=0.0999)}, 60, turning)
    counts = found[:, at["star.count"]]
    np.testing.assert_array_equal(np.diff(counts)[19:39], 0.0)
    assert counts[-1] == 40
    found = watched({"star_tracker": StarTracker(fastest=0.1)}, 60, turning)
    assert found[-1, at["star.count"]] == 60


# --- star tracker --------------------------------------------------------------------------------


def test_a_trackers_error_turns_what_is_measured_about_the_trackers_axes():
    """A bias about the line of sight: z of S, which is x of C here."""
    root = math.sqrt(0.5)
    bias = (0.0, 0.0, 2e-4)
    tracker = StarTracker(q_CS=(root, 0.0, root, 0.0), bias=bias)
    truth = truth_at(TICK, w=(300.0, 500.0, -800.0))
    found = watched({"star_tracker": tracker}, 1, lambda now: truth)[0]
    error = turn_between(truth.q_NC, found[at["star.q"]])
    np.testing.assert_allclose(error, [2e-4, 0.0, 0.0], atol=1e-15)


def test_quaternions_are_told_with_a_scalar_part_that_is_not_negative():
    """A whole turn and a half: the sign changes, the attitude does not."""
    w = (0.0, 0.0, 30.0)
    found = watched({}, 320, lambda now: truth_at(now, w=w, p_CT=(0.0, 0.0, 1.0)))
    true = np.array([truth_at(k * TICK, w=w).q_NC for k in range(320)])
    assert (true[:, 0] < 0.0).any()
    for name in ("star.q", "camera.q"):
        assert (found[:, at[name].start] >= 0.0).all()
    measurements = found[:, at["star.q"]]
    np.testing.assert_allclose(turn_between(true, measurements), 0.0, atol=4e-15)


# --- gyro ----------------------------------------------------------------------------------------


def test_what_a_gyro_says_adds_up_to_the_true_turn():
    """A coning motion, whose rate in the middle of each interval adds up to another turn."""
    half, pace = 0.2, 2.0 * math.pi * 7.0

    def coning(now):
        t = now / NS_PER_S
        truth = truth_at(now)
        truth.q_NC[:] = [
            math.cos(half),
            math.sin(half) * math.cos(pace * t),
            math.sin(half) * math.sin(pace * t),
            0.0,
        ]
        return truth

    found = watched({"gyro": Gyro(Timing(0.02))}, 1001, coning)
    turned = Rotation.from_quat(coning(0).q_NC, scalar_first=True)
    for row in found[20::20]:
        turned *= Rotation.from_rotvec(0.02 * row[at["gyro.w"]])
    true = rotation_of(coning(1_000_000_000).q_NC)
    # Fifty products, each of a few 1e-16.
    np.testing.assert_allclose(turned.as_matrix(), true, atol=1e-13)


def test_a_steady_rate_is_told_as_it_is_with_the_bias_on_it():
    w, bias = np.array([0.02, -0.5, 0.3]), np.array([1e-3, 2e-3, -3e-3])
    gyro = Gyro(Timing(0.01), bias=tuple(bias))
    found = watched({"gyro": gyro}, 100, lambda now: truth_at(now, w=tuple(w)))
    # From attitudes whose digits end at 1e-16, over 10 ms.
    np.testing.assert_allclose(found[:, at["gyro.w"]] - (w + bias), 0.0, atol=2e-13)


def test_noise_of_a_gyro_without_a_rate_is_refused():
    with pytest.raises(InputError, match="it needs a rate"):
        made({"gyro": Gyro(noise=1e-5)}, rows_of(1))


# --- camera --------------------------------------------------------------------------------------


def test_a_camera_sees_the_grapple_frame_from_its_own():
    rng = np.random.default_rng(5)
    for _ in range(20):
        X_OC, X_CK, X_OT, X_TG = (
            Frame(rotation_of(q / np.linalg.norm(q)), rng.normal(size=3))
            for q in rng.normal(size=(4, 4))
        )
        truth = truth_at(0)
        truth.p_OC[:], truth.q_NC[:] = X_OC.p, X_OC.row()[3:]
        truth.p_OT[:], truth.q_NT[:] = X_OT.p, X_OT.row()[3:]
        given = Camera(X_CK=tuple(X_CK.row()), X_TG=tuple(X_TG.row()))
        found = watched({"camera": given}, 1, lambda now, truth=truth: truth)[0]
        X_KG = (X_OC @ X_CK).inverse() @ X_OT @ X_TG
        np.testing.assert_allclose(found[at["camera.p"]], X_KG.p, atol=1e-14)
        np.testing.assert_allclose(rotation_of(found[at["camera.q"]]), X_KG.R, atol=1e-14)


def test_a_cameras_constant_error_shifts_in_its_axes_and_turns_about_the_grapples():
    q_TG = np.array([0.5, 0.5, -0.5, 0.5])
    bias = (0.01, -0.02, 0.03, 1e-3, 2e-3, -3e-3)
    given = Camera(X_CK=(0, 0, 0, 0, 1, 0, 0), X_TG=(0, 0, 0, *q_TG), bias=bias)
    found = watched({"camera": given}, 1)[0]
    np.testing.assert_allclose(found[at["camera.p"]], [0.01, -0.02, -5.0 + 0.03], rtol=1e-14)
    true = quaternion_of(rotation_of((0, 1, 0, 0)).T @ rotation_of(q_TG))
    error = turn_between(true, found[at["camera.q"]])
    np.testing.assert_allclose(error, bias[3:], atol=1e-14)


@pytest.mark.parametrize(
    ("angle_deg", "far", "is_seen"),
    [
        (0.0, 0.2, True),
        (0.0, 0.1999, False),
        (0.0, 20.0, True),
        (0.0, 20.001, False),
        (29.999, 5.0, True),
        (30.001, 5.0, False),
        (-29.999, 5.0, True),
        (180.0, 5.0, False),
    ],
)
def test_a_camera_sees_within_its_half_angle_and_range(angle_deg, far, is_seen):
    given = Camera(half_view=math.radians(30.0), nearest=0.2, farthest=20.0)
    numbers = camera.law(given, CHASER).numbers
    for turn in (0.0, 1.0, 4.0):
        across = far * math.sin(math.radians(angle_deg))
        along = far * math.cos(math.radians(angle_deg))
        p = (across * math.cos(turn), across * math.sin(turn), along)
        assert is_in_view.py_func(numbers, p) == is_seen


def test_a_camera_without_limits_sees_all_around():
    numbers = camera.law(Camera(), CHASER).numbers
    for p in ((0.0, 0.0, -3.0), (1e-9, 0.0, 0.0), ZERO, (1e6, -1e6, -1e6)):
        assert is_in_view.py_func(numbers, p)


def test_pictures_stop_when_the_grapple_point_leaves_the_field_of_view():
    def leaving(now):
        return truth_at(now, p_CT=(now / TICK * 0.1, 0.0, 5.0))  # tan 30 deg is at 2.887 m

    given = Camera(Timing(0.002), half_view=math.radians(30.0))
    found = watched({"camera": given}, 60, leaving)
    assert found[-1, at["camera.t"]] == pytest.approx(0.028, rel=1e-14)
    assert found[-1, at["camera.count"]] == 15


# --- wrist ---------------------------------------------------------------------------------------


def test_the_filter_answers_exactly_to_a_wrench_that_goes_straight():
    """F = t from rest: F_f = t - (1 - e^(-Ωt))/Ω; to rounding, whatever the step."""
    corner = 2.0 * math.pi * 100.0
    found = watched(
        {"wrist": Wrist(corner=corner)}, 50, lambda now: truth_at(now, wrench=now / NS_PER_S)
    )
    t = np.arange(50) * TICK / NS_PER_S
    exact = t + np.expm1(-corner * t) / corner
    np.testing.assert_allclose(found[:, WRENCH + 4], exact, rtol=1e-12, atol=1e-18)


def test_the_filter_passes_what_is_steady_and_halves_the_power_at_its_corner():
    assert sum(filter_weights.py_func(0.3)) == pytest.approx(1.0, rel=1e-15)
    corner = 2.0 * math.pi * 20.0

    def wave(now):
        return truth_at(now, wrench=math.sin(corner * now / NS_PER_S))

    found = watched({"wrist": Wrist(corner=corner)}, 1000, wave)[500:, WRENCH]
    # Straight lines between samples of the wave take (Ωh)²/12 = 1.3e-3 off its amplitude.
    assert 2.0 * np.mean(found**2) == pytest.approx(0.5, rel=5e-3)


# --- encoders ------------------------------------------------------------------------------------


def test_an_encoder_tells_the_nearest_whole_number_of_steps():
    step = 1e-3

    def creeping(now):
        return truth_at(now, q=1.7e-4 * now / TICK - 0.02, qd=0.17)

    found = watched({"encoders": Encoders(resolution=step)}, 300, creeping)
    read = found[:, Q]
    true = np.array([creeping(k * TICK).q[0] for k in range(300)])
    np.testing.assert_allclose(read / step, np.round(read / step), atol=1e-12)
    assert np.abs(read - true).max() <= 0.5 * step * (1.0 + 1e-9)
    assert np.mean(read - true) == pytest.approx(0.0, abs=0.02 * step)  # nearest, not below
    np.testing.assert_array_equal(found[:, QD], 0.17)


def test_a_rate_from_differences_follows_with_the_filters_lag():
    """From rest to an even rate r after the first sample: r (1 - e^(-Ωt)), at every period."""
    corner, rate = 300.0, 0.4

    def starting(now):
        return truth_at(now, q=rate * now / NS_PER_S)

    given = Encoders(Timing(0.005), corner=corner)
    found = watched({"encoders": given}, 100, starting)[::5, QD]
    t = np.arange(20) * 0.005
    np.testing.assert_allclose(found, -rate * np.expm1(-corner * t), rtol=1e-12)
