"""The clock of a scene, what can be jumped to, and where to look from."""

import math

import numpy as np
import pytest

from proxops.results.run import Event, Phase
from proxops.viewer.cameras import FIELD_OF_VIEW, Framing, view_of
from proxops.viewer.framing import nice, nice_above
from proxops.viewer.timeline import (
    SHOWN,
    SPEEDS,
    Clock,
    clock_text,
    marks,
    phase_at,
    speed_for,
)

PHASES = (Phase("drift", 0.0, 3.0), Phase("unfold", 3.0, 30.0))


def test_the_clock_goes_on_at_its_speed_and_stops_at_the_end():
    clock = Clock(end=10.0, speed=2.0)
    clock.advance(1.0)
    assert clock.t == 0.0
    clock.toggle()
    clock.advance(1.5)
    assert (clock.t, clock.playing) == (3.0, True)
    clock.advance(100.0)
    assert (clock.t, clock.playing) == (10.0, False)


def test_playing_at_the_end_starts_again():
    clock = Clock(end=10.0, t=10.0)
    clock.toggle()
    assert (clock.t, clock.playing) == (0.0, True)


@pytest.mark.parametrize(("duration", "speed"), [(20.0, 1.0), (150.0, 5.0), (5828.0, 100.0)])
def test_a_run_can_be_watched_in_a_minute(duration, speed):
    assert speed_for(duration) == speed
    assert speed in SPEEDS


def test_thousands_of_events_make_a_short_list_that_ends_with_the_last():
    events = [Event(0.01 * i, "lift-off", f"contacts.ring pad {i % 6}") for i in range(3000)]
    events += [Event(0.01 * i + 0.005, "touch-down", "contacts.ring pad 0") for i in range(3000)]
    events.append(Event(12.0, "boost-ends", "obsw.boost"))
    listed = marks(events, PHASES)
    assert len(listed) <= SHOWN
    assert [mark.t for mark in listed] == sorted(mark.t for mark in listed)
    texts = [mark.text for mark in listed]
    assert "phase unfold" in texts
    assert "boost-ends: obsw.boost" in texts
    assert "lift-off of contacts.ring: last of 3000" in texts


def test_a_few_events_are_all_listed():
    events = [Event(float(i), "joint-stop", str(i)) for i in range(5)]
    assert [mark.text for mark in marks(events, ())] == [f"joint-stop: {i}" for i in range(5)]


def test_many_kinds_of_events_do_not_make_a_long_list():
    events = [Event(float(i), f"kind-{i % 40}", "") for i in range(400)]
    assert len(marks(events, PHASES)) <= 2 + 2 * 40


def test_the_phase_at_an_instant_is_the_last_that_began():
    assert [phase_at(PHASES, t) for t in (0.0, 2.99, 3.0, 99.0)] == ["drift"] * 2 + ["unfold"] * 2
    assert phase_at((), 1.0) == ""


def test_times_have_the_digits_that_the_run_needs():
    assert clock_text(1.23456, 2.0) == "1.235 s"
    assert clock_text(1.23456, 35.0) == "1.23 s"
    assert clock_text(2914.3, 5828.5) == "2914 s"


@pytest.mark.parametrize(
    ("value", "below", "above"), [(1.0, 1, 1), (37.0, 20, 50), (999, 500, 1000)]
)
def test_nice_numbers_enclose_a_value(value, below, above):
    assert nice(value) == pytest.approx(below)
    assert nice_above(value) == pytest.approx(above)


@pytest.mark.parametrize("aspect", [0.5, 1.12, 1.8])
@pytest.mark.parametrize("seed", range(5))
def test_every_point_of_a_framing_is_in_the_picture(seed, aspect):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(60, 3)) * rng.uniform(0.1, 50.0, size=3)
    across = rng.normal(size=(2, 3))
    up = np.eye(3)[seed % 3]
    framing = Framing(points, 0.0, across, across[0], "target")
    view = view_of(framing, up, aspect)
    away = np.array(view.position) - np.array(view.look_at)
    away /= np.linalg.norm(away)
    right = np.cross(up, away)
    right /= np.linalg.norm(right)
    above = np.cross(away, right)
    seen = points - np.array(view.position)
    depth = -seen @ away
    tangent = math.tan(0.5 * FIELD_OF_VIEW)
    assert depth.min() > 0.0
    assert (np.abs(seen @ right) / depth).max() <= tangent * aspect
    assert (np.abs(seen @ above) / depth).max() <= tangent
    # and it is not needlessly far: something comes within a fifth of the edge
    near = max(
        (np.abs(seen @ right) / depth).max() / (tangent * aspect),
        (np.abs(seen @ above) / depth).max() / tangent,
    )
    assert near > 0.8


def test_where_the_lower_part_is_covered_all_points_are_in_the_upper_one():
    rng = np.random.default_rng(3)
    points = rng.normal(size=(60, 3))
    framing = Framing(points, 0.0, np.eye(3)[:1], np.eye(3)[0], "target")
    up = np.array([0.0, 0.0, 1.0])
    view = view_of(framing, up, 0.46, free=0.4)
    away = np.array(view.position) - np.array(view.look_at)
    away /= np.linalg.norm(away)
    right = np.cross(up, away)
    above = np.cross(away, right / np.linalg.norm(right))
    seen = points - np.array(view.position)
    height = (seen @ above) / (-seen @ away) / math.tan(0.5 * FIELD_OF_VIEW)
    assert height.min() >= 1.0 - 2.0 * 0.4
    assert height.max() <= 1.0
