"""Arenas and missions that cannot be flown are refused in words, before anybody takes off."""

import copy
import math

import numpy as np
import pytest

import proxops
from proxops.assembly.arena import arena_of, fence_of, load_arena, mapping_of
from proxops.core.errors import InputError
from proxops.facility.arena.lab import Drawn, arena_lab
from proxops.facility.arena.procedure import prepare
from proxops.facility.arena.vehicle import flight
from proxops.scenario.schema.arena import InArena
from tests.facility.arena_cases import shipped, stored

FAULTS = {
    "weak": {"kind": "weak-rotor", "vehicle": "chaser", "rotor": 3, "share": 0.8, "from_s": 1.0},
    "gust": {"kind": "gust", "wind_m_s": [1.0, 0.0, 0.0], "from_s": 1.0, "until_s": 2.0},
    "cells": {"kind": "low-battery", "vehicle": "chaser", "charge": 0.5, "from_s": 1.0},
}


def numbers(value, path=()):
    """Paths of all numbers in plain data."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from numbers(each, (*path, key))
    elif isinstance(value, list | tuple):
        for i, each in enumerate(value):
            yield from numbers(each, (*path, i))
    elif isinstance(value, float):
        yield path


def test_a_value_that_is_no_number_is_refused_wherever_it_stands():
    document = stored(faults=FAULTS)
    document["file"]["p_min_m"] = list(document["file"]["p_min_m"])
    places = list(numbers(document["file"]))
    assert len(places) > 45
    for path in places:
        for value in (math.nan, math.inf):
            broken = copy.deepcopy(document)
            section = broken["file"]
            for key in path[:-1]:
                section[key] = section = (
                    list(section[key]) if isinstance(section[key], tuple) else section[key]
                )
            section[path[-1]] = value
            name = [key for key in path if isinstance(key, str)][-1]
            with pytest.raises(InputError, match=name):
                load_arena(broken)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"vehicle__alpha_deg": 0.0, "vehicle__beta_deg": 20.0}, "the mixer has rank"),
        ({"vehicle__mass_kg": 8.0}, "a hover takes"),
        ({"vehicle__min_thrust_N": 5.0}, "a hover takes"),
        ({"vehicle__battery": None, "faults": {"one": FAULTS["cells"]}}, "give vehicle.battery"),
        ({"faults": {"one": FAULTS["gust"] | {"until_s": None}}}, "say when it ends"),
        ({"faults": {"one": FAULTS["gust"] | {"until_s": 0.5}}}, "not after from_s"),
        ({"faults": {"one": FAULTS["weak"] | {"rotor": 7}}}, "rotor"),
        ({"faults": {"one": FAULTS["weak"] | {"vehicle": "servicer"}}}, "vehicle"),
        ({"faults": {"one": {"kind": "strike"}}}, "kind"),
    ],
)
def test_an_arena_that_cannot_be_is_refused_in_words(changes, words):
    with pytest.raises(InputError, match=words):
        load_arena(stored(**changes))


@pytest.mark.parametrize("key", ["length_scale", "time_scale", "heading_deg"])
@pytest.mark.parametrize("value", [math.nan, math.inf, -1e9])
def test_scales_and_headings_that_are_none_are_refused(key, value):
    with pytest.raises(InputError, match=key):
        proxops.load("arena-approach").replace({f"arena.{key}": value})


def begin(goal: np.ndarray, **changes) -> None:
    """Has vehicles take off for a motion that begins so (2, 16)."""
    given = shipped(**changes)
    arena, drawn = arena_of(given), Drawn(0, 4000)
    state = flight(arena, goal[:, :3], np.zeros(2))
    lab = arena_lab(arena, state, mapping_of(given, InArena()), fence_of(given), drawn)
    lab.commands[:] = goal
    prepare(lab, drawn)


def goal(apart, lean_deg: float = 0.0) -> np.ndarray:
    targets, half = np.zeros((2, 16)), math.radians(0.5 * lean_deg)
    targets[:, 2], targets[:, 9] = 3.0, 1.0
    targets[1, :3] += apart
    targets[1, 9:11] = math.cos(half), math.sin(half)
    return targets


@pytest.mark.parametrize(
    ("start", "changes", "words"),
    [
        (goal([0.74, 0.0, 0.0]), {}, "closer than 1.38 m horizontally"),
        (goal([0.0, 0.0, 3.0]), {}, "closer than 1.38 m horizontally"),
        (goal([12.0, 0.0, 0.0]), {}, "outside the arena's box"),
        (goal([2.0, 0.0, 0.0], 12.0), {"vehicle__alpha_deg": 20.0}, r"leans .* by 12\.0 deg"),
        (goal([2.0, 0.0, 0.0], 5.0), {"vehicle__alpha_deg": 0.0}, "upright ones cannot"),
    ],
)
def test_a_start_that_cannot_be_flown_is_refused(start, changes, words):
    with pytest.raises(InputError, match=words):
        begin(start, **changes)
