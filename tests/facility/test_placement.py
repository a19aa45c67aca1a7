"""Where in the lab a mission does best."""

import math
from dataclasses import replace

import numpy as np
import pytest

from proxops.feasibility.check import answer
from proxops.feasibility.guard_forecast import judge_of
from proxops.feasibility.reproduction import reproduce
from proxops.feasibility.start_pose import (
    BEGIN,
    HALF,
    Search,
    X_LG_at,
    best_placement,
    leaders,
    refined,
)
from tests.facility.check_cases import synchronous


def test_a_pattern_search_ends_within_a_step_of_the_top_and_stays_in_its_box():
    top, half, halvings = np.array([0.3, -0.62, 2.0]), np.array([1.0, 1.0, 1.0]), 6

    def score(at):
        return float(-np.sum((at - top) ** 2)), 0.0

    found = refined(score, np.zeros(3), half, halvings, score)
    last = 0.25 * 0.5**halvings
    assert np.abs(found - np.clip(top, -half, half)).max() <= last


def bumpy():
    """A score that is costly, one that is nowhere less, and where the costly one was asked for."""
    asked = set()

    def at_best(at):
        return float(-np.sum(np.abs(at))), 0.5

    def score(at):
        asked.add(tuple(at))
        lower = abs(math.sin(40.0 * float(at @ [1.0, 2.0, 3.0, 5.0])))
        return at_best(at)[0] - 0.4 * lower, 0.5

    return score, at_best, asked


def test_asking_only_where_it_can_help_finds_what_asking_everywhere_does():
    points = list(np.random.default_rng(5).uniform(-1.0, 1.0, (200, 4)) * HALF)
    score, at_best, asked = bumpy()
    found = leaders(points, score, at_best)
    assert len(asked) < len(points) / 2
    best = sorted(points, key=score, reverse=True)[:BEGIN]
    assert [tuple(at) for at in found] == [tuple(at) for at in best]
    for at in best:
        sparing, thorough = (refined(score, at, HALF, 3, bound) for bound in (at_best, score))
        assert score(sparing) == pytest.approx(score(thorough), abs=1e-12)


def test_a_turned_start_keeps_the_vertical():
    case = synchronous(2.5, 1.0)
    turned = X_LG_at(case, np.array([0.1, -0.2, 0.3, 0.7]))
    assert np.allclose(turned.p - case.X_LG.p, [0.1, -0.2, 0.3])
    assert np.allclose(turned.R[2], case.X_LG.R[2])  # heights over the floor of G's axes
    cosine = turned.R[0] @ case.X_LG.R[0]
    assert cosine == pytest.approx(np.cos(0.7))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["absolute", "relative"])
def test_the_found_pose_is_better_and_does_what_was_predicted(name):
    case, search = synchronous(2.5, 40.0), Search((3, 3, 1, 3), 2)
    place = best_placement(judge_of(case, reproduce(case, name)), None, search)
    here = answer(case, name)
    facility = case.lab.facility
    start = facility.start.model_copy(update={"p_LG_m": place.p_LG, "q_LG": place.q_LG})
    lab = replace(case.lab, facility=facility.model_copy(update={"start": start}))
    there = answer(replace(case, lab=lab), name)
    # the file's quaternion has 12 digits, which 3 m turn into 1e-11 m
    assert there.lasts == pytest.approx(place.lasts, abs=1e-6)
    if name == "absolute":
        assert place.lasts > here.lasts + 1.0
        assert there.limit.name == place.limit.name
    else:
        moving = ("joints", "speed", "acceleration", "singularities", "flange moment")
        least, before = (
            min(
                found.clearance.margin,
                *(robot.margins[group].margin for robot in found.robots for group in moving),
            )
            for found in (there, here)
        )
        assert least == pytest.approx(place.margin, abs=1e-6)
        assert least > before + 0.05
