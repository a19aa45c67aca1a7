"""Sensors: noise has the size that was asked for, and every random number is used once.

Bounds are five standard deviations of what is estimated: with seeds that stay the same, a chance of
less than 1e-6 when they were chosen, none afterwards.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.sensor_cases import (
    CHASER,
    JOINTS,
    LOST,
    OWN,
    PUSH,
    SHIPPED,
    THRUSTERS,
    WIDTH,
    rows_of,
    turn_between,
    watched,
)
from tests.unit.sensor_cases import SEEN as at  # columns of what is seen

from proxops.core.random_rows import SENSORS, TELEMETRY, generator
from proxops.sensors import gyro
from proxops.sensors.camera import Camera
from proxops.sensors.draws import SensorDraws
from proxops.sensors.encoders import Encoders
from proxops.sensors.gyro import Gyro
from proxops.sensors.star_tracker import StarTracker
from proxops.sensors.telemetry import Telemetry
from proxops.sensors.timing import Timing
from proxops.sensors.wrist import Wrist

TICKS = 4000
FIVE = 5.0

STAR_NOISE = (7e-5, 7e-5, 3e-4)
WRIST_NOISE = (0.2, 0.3, 0.4, 0.02, 0.03, 0.04)
NOISY = {
    "star_tracker": StarTracker(noise=STAR_NOISE),
    "gyro": Gyro(Timing(0.001), noise=2e-5),
    "camera": Camera(noise=0.002, noise_per_range=0.001, angle_noise=2e-3),
    "wrist": Wrist(noise=WRIST_NOISE),
    "encoders": Encoders(noise=1e-4),
    "telemetry": Telemetry(noise=0.3),
}
GYRO_WALK = OWN["gyro"][3:]  # behind the numbers of its noise


@pytest.fixture(scope="module")
def noisy():
    """What is seen of a chaser at rest, 5 m from a target at rest."""
    return watched(NOISY, TICKS)


def assert_standard_normal(numbers):
    """Columns of independent standard normal numbers: mean, spread, and no column like another.

    Of n of them the mean is 0 ± 1/√n, the sum of squares chi-square with n degrees of freedom,
    n ± √(2n), and a product of two has the mean 0 ± 1/√n.
    """
    n, width = numbers.shape
    assert np.abs(numbers.mean(axis=0)).max() < FIVE / math.sqrt(n)
    squares = (numbers**2).sum(axis=0)
    assert np.abs(squares - n).max() < FIVE * math.sqrt(2.0 * n)
    products = numbers.T @ numbers / n - np.diag(squares / n)
    assert np.abs(products).max() < FIVE / math.sqrt(n)
    late = (numbers[1:] * numbers[:-1]).mean(axis=0)  # nor one sample like the next
    assert np.abs(late).max() < FIVE / math.sqrt(n - 1)
    assert width > 0


def errors(noisy):
    """All errors over their standard deviations, a column each."""
    turn = turn_between([1.0, 0.0, 0.0, 0.0], noisy[:, at["star.q"]])
    pose = turn_between([1.0, 0.0, 0.0, 0.0], noisy[:, at["camera.q"]])
    place = noisy[:, at["camera.p"]] - np.array([0.0, 0.0, 5.0])
    return np.hstack(
        [
            turn / np.array(STAR_NOISE),
            noisy[:, at["gyro.w"]] / (2e-5 / math.sqrt(1e-3)),
            place / (0.002 + 0.001 * 5.0),
            pose / 2e-3,
            noisy[:, at["wrist.wrench"]] / np.array(WRIST_NOISE),
            noisy[:, at["encoders.q"]] / 1e-4,
            (noisy[:, at["telemetry.thrust"]] - PUSH - np.arange(THRUSTERS)) / 0.3,
        ]
    )


def test_noise_is_white_independent_and_of_the_size_asked_for(noisy):
    assert_standard_normal(errors(noisy))


def test_each_error_is_its_own_random_number(noisy):
    """To the rounding of 5 m in the smallest error, and of small quaternions in the turns."""
    rows = rows_of(TICKS)[1:]
    slots = [slot for each in SHIPPED for slot in OWN[each.name] if slot not in GYRO_WALK]
    np.testing.assert_allclose(errors(noisy), rows[:, slots], atol=1e-9)


@pytest.mark.parametrize("ticks_a_sample", [1, 4])
def test_the_angle_random_walk_does_not_depend_on_the_rate(ticks_a_sample):
    """The angle after a time t is 0 ± N √t: sum over samples of w T."""
    N, runs, seconds = 3e-4, 100, 0.2
    period = ticks_a_sample * 1e-3
    ticks = round(seconds / 1e-3)
    angles = []
    for seed in range(runs):
        given = {"gyro": Gyro(Timing(period), noise=N)}
        found = watched(given, ticks, rows=rows_of(ticks, seed))[::ticks_a_sample]
        angles.append(found[:, at["gyro.w"]].sum(axis=0) * period)
    n = 3 * runs
    squares = (np.array(angles) ** 2).sum() / (N**2 * seconds)
    assert abs(squares - n) < FIVE * math.sqrt(2.0 * n)


def test_the_bias_walks_with_a_variance_that_grows_linearly():
    """K² t, from a start drawn with its own standard deviation; 100 runs of 200 samples."""
    K, start, runs, period = 2e-4, 1e-4, 100, 0.005
    given = {"gyro": Gyro(Timing(period), walk=K, bias_sigma=(start,) * 3)}
    bias = []
    for seed in range(runs):
        found = watched(given, 201, tick=5_000_000, rows=rows_of(201, seed))
        bias.append(found[:, at["gyro.w"]])
    bias = np.array(bias)
    n = 3 * runs
    for k in (0, 25, 50, 100, 200):
        expected = start**2 + K**2 * k * period
        assert abs((bias[:, k] ** 2).sum() / expected - n) < FIVE * math.sqrt(2.0 * n)
    steps = np.diff(bias, axis=1).reshape(-1, 3) / (K * math.sqrt(period))
    assert_standard_normal(steps)


def test_a_constant_error_is_drawn_once_around_the_given_one():
    rows = rows_of(3)
    given = {
        "star_tracker": StarTracker(bias=(1e-4, 2e-4, 3e-4), bias_sigma=(1e-4, 0.0, 2e-4)),
        "wrist": Wrist(bias=(1.0,) * 6, bias_sigma=(0.5,) * 6),
        "encoders": Encoders(bias_sigma=1e-3),
        "camera": Camera(bias_sigma=(0.01,) * 3 + (1e-3,) * 3),
    }
    found = watched(given, 3, rows=rows)
    for row in found:
        turn = turn_between([1.0, 0.0, 0.0, 0.0], row[at["star.q"]])
        drawn = np.array([1e-4, 0.0, 2e-4]) * rows[0, OWN["star_tracker"]]
        np.testing.assert_allclose(turn, np.array([1e-4, 2e-4, 3e-4]) + drawn, atol=1e-15)
        np.testing.assert_allclose(row[at["wrist.wrench"]], 1.0 + 0.5 * rows[0, OWN["wrist"]])
        np.testing.assert_allclose(row[at["encoders.q"]], 1e-3 * rows[0, OWN["encoders"]])
        place = np.array([0.0, 0.0, 5.0]) + 0.01 * rows[0, OWN["camera"][:3]]
        np.testing.assert_allclose(row[at["camera.p"]], place)


def test_samples_are_lost_as_often_and_in_bursts_as_long_as_asked_for():
    """Share p/(1 + p - p'), bursts of 1/(1 - p') samples; without p' singly, with the share p."""
    ticks = 20_000
    given = {
        "camera": Camera(Timing(loss_probability=0.05, burst_probability=0.8)),
        "star_tracker": StarTracker(Timing(loss_probability=0.2)),
        "gyro": Gyro(Timing(loss_probability=1.0)),
    }
    found = watched(given, ticks)
    lost = np.diff(found[:, [at["camera.count"], at["star.count"]]], axis=0) == 0.0
    n = len(lost)
    # Bursts end independently: their number is n p (1 - share), give or take its root.
    share = 0.05 / (1.0 + 0.05 - 0.8)
    bursts = np.sum(lost[1:, 0] & ~lost[:-1, 0])
    expected = n * 0.05 * (1.0 - share)
    assert abs(bursts - expected) < FIVE * math.sqrt(expected)
    # A burst's length has the mean 5 and the standard deviation √p'/(1 - p') = 4.5.
    assert abs(lost[:, 0].sum() / bursts - 5.0) < FIVE * 4.5 / math.sqrt(bursts)
    assert abs(lost[:, 1].mean() - 0.2) < FIVE * math.sqrt(0.2 * 0.8 / n)
    again = lost[1:, 1][lost[:-1, 1]]
    assert abs(again.mean() - 0.2) < FIVE * math.sqrt(0.2 * 0.8 / len(again))
    assert found[-1, at["gyro.count"]] == 0.0


# --- which number is whose -----------------------------------------------------------------------

ALL = {
    "star_tracker": StarTracker(Timing(0.001), noise=STAR_NOISE, bias_sigma=STAR_NOISE),
    "gyro": Gyro(Timing(0.001), noise=2e-5, walk=2e-3, bias_sigma=(1e-3,) * 3),
    "camera": Camera(noise=0.002, angle_noise=2e-3, bias_sigma=(0.01,) * 3 + (1e-3,) * 3),
    "wrist": Wrist(noise=WRIST_NOISE, corner=600.0, bias_sigma=WRIST_NOISE),
    "encoders": Encoders(noise=1e-4, bias_sigma=1e-4, corner=600.0),
    "telemetry": Telemetry(noise=0.3),
}


@pytest.mark.parametrize("row", [0, 1, 2])
def test_every_number_moves_its_own_sensor_alone_and_none_is_used_twice(row):
    """Of the start, and of two calls.  Were a number used twice, another would be idle or two would
    move the same things: the columns would not be independent."""
    rows, spread, columns = rows_of(3, seed=9), 1e-3, []
    no_constant_error = [*GYRO_WALK, *OWN["telemetry"]]
    for slot in range(WIDTH):
        moved = []
        for sign in (1.0, -1.0):
            changed = rows.copy()
            changed[row, slot] += sign * spread
            moved.append(watched(ALL, 3, rows=changed))
        column = (moved[0] - moved[1]) / (2.0 * spread)
        if slot in LOST.values() or (row == 0 and slot in no_constant_error):
            assert not column.any()
            continue
        assert column.any()
        (block,) = (each.block for each in SHIPPED if slot in OWN[each.name])
        column /= np.linalg.norm(column)
        assert not np.delete(column, at.block(block), axis=1).any()
        columns.append(column.ravel())
    assert np.linalg.svd(np.array(columns), compute_uv=False).min() > 0.1


def test_losing_samples_of_one_sensor_leaves_the_others_as_they_are(noisy):
    """Nor does its rate: every call uses up its row."""
    other = NOISY | {"camera": Camera(Timing(0.05, loss_probability=0.5), noise=0.1)}
    found = watched(other, 300)
    others = np.delete(np.arange(at.size), at.block("camera"))
    np.testing.assert_array_equal(found[:, others], noisy[:300, others])
    assert found[-1, at["camera.count"]] < 6


def test_the_same_rows_give_the_same_bits_and_others_do_not(noisy):
    np.testing.assert_array_equal(watched(NOISY, 300), noisy[:300])
    assert not np.array_equal(watched(NOISY, 300, rows=rows_of(300, seed=1)), noisy[:300])


# --- where the numbers of a run are from ---------------------------------------------------------


def drawn(seed, rows=7, sensors=SHIPPED):
    """Numbers of a run, and those of all sensors side by side: of the start, then of each row."""
    made = SensorDraws(seed, sensors, CHASER, rows)
    start = np.concatenate([made.start[each.name] for each in sensors])
    return made, start, np.hstack([made.rows[each.name] for each in sensors])


def test_a_sensor_that_no_number_changes_draws_none_and_changes_nobody_elses():
    every, deaf = (SensorDraws(3, SHIPPED, CHASER, 7, unheard) for unheard in ((), ("telemetry",)))
    for name, rows in every.rows.items():
        expected = np.zeros_like(rows) if name == "telemetry" else rows
        np.testing.assert_array_equal(deaf.rows[name], expected)
        np.testing.assert_array_equal(deaf.start[name], every.start[name])
    assert np.any(every.rows["telemetry"])


def test_a_run_has_a_number_of_its_own_for_each_error_of_each_sensor():
    """And one for whether a sample is lost; those of the telemetry are from a generator of its own,
    and it has no constant errors."""
    made, start, rows = drawn(3)
    for each in SHIPPED:
        assert made.start[each.name].shape == OWN[each.name].shape
        assert made.rows[each.name].shape == (7, 1 + len(OWN[each.name]))
    assert not made.start["telemetry"].any()
    numbers = np.concatenate([start[start != 0.0], rows.ravel()])
    assert len(np.unique(numbers)) == len(numbers) == WIDTH - 6 - THRUSTERS + 7 * WIDTH
    shared, own = generator(3, SENSORS), generator(3, SENSORS, TELEMETRY)
    width = WIDTH - 1 - THRUSTERS
    shared_ones = np.concatenate([start, rows[:, :width].ravel()])
    assert np.isin(shared_ones[shared_ones != 0.0], shared.standard_normal((8, width))).all()
    np.testing.assert_array_equal(made.rows["telemetry"], own.standard_normal((7, 1 + THRUSTERS)))


def test_the_numbers_of_a_run_stay_as_they_were_recorded():
    """In a row losses come first, by sensors, then the numbers of each: recordings depend on it."""
    made, _, _ = drawn(11)
    generated = generator(11, SENSORS).standard_normal((8, WIDTH - 1 - THRUSTERS))
    end = 5
    for loss, each in enumerate(SHIPPED[:-1]):
        own = np.s_[end : end + len(OWN[each.name])]
        np.testing.assert_array_equal(made.start[each.name], generated[0, own])
        np.testing.assert_array_equal(made.rows[each.name][:, 0], generated[1:, loss])
        np.testing.assert_array_equal(made.rows[each.name][:, 1:], generated[1:, own])
        end = own.stop
    assert end == generated.shape[1] == 26 + JOINTS


def test_numbers_go_on_alike_however_a_run_is_cut_into_calls():
    """Unused rows come first, new ones behind them; what is left is enough or made anew."""
    whole, _, _ = drawn(5, rows=40)
    cut, _, _ = drawn(5, rows=7)
    used = {name: [] for name in cut.rows}
    for calls in (3, 4, 1, 7, 5, 6, 2, 7):
        cut.refill(calls)
        for _ in range(calls):
            for name, rows in cut.rows.items():
                used[name].append(rows[cut.used[0]].copy())
            cut.used[0] += 1
    for name, rows in whole.rows.items():
        np.testing.assert_array_equal(np.array(used[name]), rows[:35])


def test_one_more_sensor_changes_no_numbers_of_others():
    one, two = (replace(gyro.SENSOR, name=name, block=name) for name in ("sun", "horizon"))
    plain, _, _ = drawn(5)
    more, _, _ = drawn(5, sensors=(one, *SHIPPED))
    both, _, rows = drawn(5, sensors=(*SHIPPED, two, one))
    for name, expected in plain.rows.items():
        np.testing.assert_array_equal(more.rows[name], expected)
        np.testing.assert_array_equal(both.rows[name], expected)
        np.testing.assert_array_equal(both.start[name], plain.start[name])
    np.testing.assert_array_equal(more.rows["sun"], both.rows["sun"])
    assert len(np.unique(rows)) == rows.size
