"""Dispersed cases: what is drawn for each, and which dispersions cannot be.

    scale      x (1 + s u)                     one u for all numbers of x
               x (1 + s)ᵘ                      where it is lognormal
    shift      xᵢ + bᵢ uᵢ                      one uᵢ for each
    rotation   v rotated by a u about k ⟂ v,   k even over all directions
               q turned by a u about k;        and a v with the numbers of a q likewise
    isotropic  l k in place of v               l even in [low, high], k even over all directions
    choice     one of some values              each as likely

with every u even in [-1, 1], or normal: ±1 are three sigma, and the rest is cut off.
"""

import copy
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from pydantic import ValidationError

from proxops.core.errors import InputError
from proxops.core.text import nearest
from proxops.scenario.case import Drawn, Point
from proxops.scenario.keys import put, value_at
from proxops.scenario.problems import explain, shown, shown_path
from proxops.scenario.random_numbers import (
    Given,
    Numbers,
    Seeded,
    correlated,
    count_of,
    lower_triangle,
    shaped,
)
from proxops.scenario.schema import Dispersion, Mission
from proxops.scenario.schema.base import Problem
from proxops.scenario.schema.dispersion import METHODS

DISPERSION = 3  # key of these random numbers among those of a seed
SETTLED = ("title", "seed", "time", "obsw", "requirements", "dispersions")  # in every case the same
_UNIT = 1e-9  # a quaternion that was checked is within it of norm 1


def draw(
    mission: Mission,
    seed: int,
    point: Point | None = None,
    document: dict[str, Any] | None = None,
) -> dict[str, Drawn]:
    """What each dispersion of a mission comes to in the case of that seed, or at a point; a
    `document`, the mission as plain data, is written to.

    Every dispersion has random numbers of its own, named after it, unless it takes another's:
    another one beside it changes none of them.  Several at one key follow one another in the order
    of the file.  What a point does not name stays as it is.
    """
    if document is None:
        document = mission.model_dump(mode="json", exclude_none=True)
    all_of_them = mission.dispersions
    if point is not None:
        _check_point(mission, document, point)
    linked = _linked(mission, document, seed, point)
    by: dict[str, float | list[float]] = {}
    for name, each in all_of_them.items():
        whose = each.same_draw_as or name
        if point is not None and whose not in point:
            continue
        rigid = _is_quaternion(value_at(document, all_of_them[whose].key))
        numbers = Given(linked[whose]) if whose in linked else _numbers(whose, seed, point)
        by[name], value = _moved(each, value_at(document, each.key), numbers, rigid=rigid)
        put(document, each.key, value)
    return {
        name: Drawn(all_of_them[name].key, moved, value_at(document, all_of_them[name].key))
        for name, moved in by.items()
    }


def numbers_of(mission: Mission) -> dict[str, int]:
    """How many numbers from 0 to 1 a point has for each dispersion that has numbers of its own."""
    return _counts(mission, mission.model_dump(mode="json", exclude_none=True))


def _counts(mission: Mission, document: dict[str, Any]) -> dict[str, int]:
    return {
        name: _count(mission, document, name)
        for name, each in mission.dispersions.items()
        if each.same_draw_as is None
    }


def _count(mission: Mission, document: dict[str, Any], name: str) -> int:
    each = mission.dispersions[name]
    value = value_at(document, each.key)
    return count_of(each, value, rigid=_is_quaternion(value))


def _numbers(name: str, seed: int, point: Point | None) -> Numbers:
    if point is not None:
        return Given(point[name])
    key = np.random.SeedSequence(seed, spawn_key=(DISPERSION, *name.encode()))
    return Seeded(np.random.default_rng(key))


def _linked(
    mission: Mission, document: dict[str, Any], seed: int, point: Point | None
) -> dict[str, list[float]]:
    """Points of correlated dispersions."""
    independent = {
        name: _numbers(name, seed, point).even(_count(mission, document, name))
        for name in _correlated_names(mission.dispersions)
        if point is None or name in point
    }
    return correlated(mission.dispersions, independent)


def _correlated_names(all_of_them: Mapping[str, Dispersion]) -> set[str]:
    pairs = [(name, *(each.correlated_with or ())) for name, each in all_of_them.items()]
    return {name for pair in pairs if len(pair) > 1 for name in pair}


def _check_point(mission: Mission, document: dict[str, Any], point: Point) -> None:
    """InputError unless the point names dispersions with numbers of their own, and has all of
    those."""
    counts = _counts(mission, document)
    for name, numbers in point.items():
        if name not in counts:
            raise InputError(
                f"point of a case: {name!r} is no dispersion with numbers of its own"
                f"{nearest(name, counts)}"
            )
        if len(numbers) != counts[name]:
            raise InputError(
                f"point of a case: {name} takes {counts[name]} numbers, found {len(numbers)}"
            )


def dispersion_problems(mission: Mission) -> list[Problem]:
    """Dispersions of what does not exist or cannot change so, each tried at both its ends."""
    if not mission.dispersions:
        return []
    # As a case is: without dispersions of its own
    document = mission.model_dump(mode="json", exclude_none=True, exclude={"dispersions"})
    problems: list[Problem] = []
    for name, each in mission.dispersions.items():
        at = ("dispersions", name)
        problems += [((*at, "same_draw_as"), text) for text in _unlike(name, mission.dispersions)]
        problems += [
            ((*at, "correlated_with"), text) for text in _unlinked(name, mission, document)
        ]
        if each.key.split(".")[0] in SETTLED:
            name = shown_path(tuple(each.key.split(".")))
            text = f"{name} is the same in every case; only the truth is dispersed"
            problems.append(((*at, "key"), text))
            continue
        try:
            value = value_at(document, each.key)
        except KeyError as error:
            path, text = error.args[0]
            problems.append(((*at, "key"), f"{shown_path(path)}: {text}"))
            continue
        method = next(method for method in METHODS if getattr(each, method) is not None)
        problem = _misfit(each, value)
        problems += (
            [((*at, method), problem)] if problem else _beyond(document, each, value, (*at, method))
        )
    if not problems:
        try:
            lower_triangle(mission.dispersions)
        except np.linalg.LinAlgError:
            text = "no numbers can have all these correlations at once; make them weaker"
            at = (
                "dispersions",
                next(n for n, d in mission.dispersions.items() if d.correlated_with),
            )
            problems.append(((*at, "correlated_with"), text))
    return problems


def _unlinked(name: str, mission: Mission, document: dict[str, Any]) -> list[str]:
    """Why the dispersion of that name cannot be correlated as it says."""
    all_of_them, problems = mission.dispersions, []
    each = all_of_them[name]
    for other in each.correlated_with or {}:
        if other == name:
            problems.append(f"{name!r} is this dispersion itself")
        elif other not in all_of_them:
            problems.append(f"there is no dispersion {other!r}{nearest(other, all_of_them)}")
        elif name in (all_of_them[other].correlated_with or {}):
            problems.append(f"{other!r} names {name!r} already; give each pair once")
        else:
            problems += _unlike_numbers(name, other, mission, document)
    return problems


def _unlike_numbers(name: str, other: str, mission: Mission, document: dict[str, Any]) -> list[str]:
    """Why two dispersions have no numbers that could be correlated one by one."""
    for one in (name, other):
        each = mission.dispersions[one]
        if each.same_draw_as is not None:
            return [f"{one!r} takes the numbers of {each.same_draw_as!r}; correlate that one"]
        if each.scale is None and each.shift is None:
            return [f"{one!r} must be scaled or shifted"]
    try:
        counts = [_count(mission, document, one) for one in (name, other)]
    except KeyError:
        return []  # a key that there is not is reported by itself
    if counts[0] != counts[1]:
        return [f"{name!r} has {counts[0]} numbers and {other!r} {counts[1]}; it takes as many"]
    return []


def _unlike(name: str, all_of_them: Mapping[str, Dispersion]) -> list[str]:
    """Why the dispersion of that name cannot take the random numbers of the one it is like."""
    others = {other: each for other, each in all_of_them.items() if other != name}
    whose = all_of_them[name].same_draw_as
    if whose is None:
        return []
    if whose == name:
        return [f"{name!r} is this dispersion itself; remove same_draw_as"]
    if whose not in others:
        return [f"there is no dispersion {whose!r}{nearest(whose, others)}"]
    first = others[whose].same_draw_as
    if first is None:
        return []
    return [f"{whose!r} takes those of {first!r}" + ("; name it" if first in others else "")]


def _misfit(each: Dispersion, value: Any) -> str | None:
    """Why a value is not of a kind that can be dispersed so."""
    if each.choice is not None:
        return None
    numbers = np.array(value, dtype=object).ravel()
    if not all(type(number) is float for number in numbers) or not numbers.size:
        return f"{each.key}: numbers were expected, found {shown(value)}"
    shape = np.shape(value)
    if each.scale is not None and not np.any(value):
        return f"{each.key} is zero and stays so; use shift"
    if isinstance(each.shift, tuple) and shape != (len(each.shift),):
        return f"{len(each.shift)} bounds, but {each.key} is {shown(value)}"
    if each.shift is not None and len(shape) > 1:
        return f"{each.key} is a table of numbers; use scale"
    if each.rotation_deg is not None and not (_is_vector(value) or _is_quaternion(value)):
        return f"{each.key}: a vector or a quaternion was expected, found {shown(value)}"
    if each.isotropic is not None and shape != (3,):
        return f"{each.key}: a vector was expected, found {shown(value)}"
    return None


def _beyond(
    document: dict[str, Any], each: Dispersion, value: Any, at: tuple[str, ...]
) -> list[Problem]:
    """What the schema has against either end of a dispersion; the document stays as it is."""
    for moved in _ends(each, value):
        put(document, each.key, moved)
        try:
            Mission.model_validate(document)
        except ValidationError as error:
            problems = explain(error, document)
            return [(at, f"may lead to {shown_path(path)}: {text}") for path, text in problems]
        finally:
            put(document, each.key, value)
    return []


def _ends(each: Dispersion, value: Any) -> list[Any]:
    """The value at the ends of a dispersion; turning it keeps its length, and has none."""
    if each.isotropic is not None:
        return [[length, 0.0, 0.0] for length in each.isotropic]
    if each.choice is not None:
        return list(each.choice)
    if each.rotation_deg is not None:
        return []
    return [_linear(each, value, np.full(np.shape(value), end))[1] for end in (-1.0, 1.0)]


def _moved(
    each: Dispersion, value: Any, numbers: Numbers, *, rigid: bool
) -> tuple[float | list[float], Any]:
    """By how much a value is moved, and where it then is; `rigid` if it turns as a quaternion
    does."""
    if each.choice is not None:
        share = 0.5 * (1.0 + float(numbers.even(1)[0]))
        which = min(int(share * len(each.choice)), len(each.choice) - 1)
        return which, copy.deepcopy(each.choice[which])
    if each.isotropic is not None:
        k = numbers.axis(None)
        length = numbers.between(*each.isotropic)
        return length, (length / np.linalg.norm(k) * k).tolist()
    if each.rotation_deg is None:
        u = shaped(each, numbers.even(count_of(each, value, rigid=rigid)))
        return _linear(each, value, u if each.scale is not None else u.reshape(np.shape(value)))
    tilts = len(value) == 3 and not rigid
    axis = numbers.axis(np.array(value) if tilts else None)
    angle = each.rotation_deg * float(numbers.even(1)[0])
    turned = _turned_across if tilts else _turned
    return angle, turned(np.array(value), axis, math.radians(angle)).tolist()


def _linear(each: Dispersion, value: Any, u: np.ndarray) -> tuple[float | list[float], Any]:
    if each.scale is not None:
        one = float(u.flat[0])
        lognormal = each.distribution == "lognormal"
        factor = (1.0 + each.scale) ** one if lognormal else 1.0 + each.scale * one
        return factor, (factor * np.array(value)).tolist()
    by = np.array(each.shift) * u
    return by.tolist(), (np.array(value) + by).tolist()


def _turned_across(v: np.ndarray, axis: np.ndarray, angle: float) -> np.ndarray:
    """A vector turned about what of the axis is across it: v' = v cos a + k × v sin a."""
    across = np.cross(v, axis)
    k = across / np.linalg.norm(across)
    return np.asarray(v * math.cos(angle) + np.cross(k, v) * math.sin(angle))


def _turned(value: np.ndarray, axis: np.ndarray, angle: float) -> np.ndarray:
    """A quaternion or a vector turned about the axis:

    q' = (cos a/2, k sin a/2) ∘ q,    v' = v cos a + k × v sin a + k (k · v) (1 - cos a)
    """
    k = axis / np.linalg.norm(axis)
    if len(value) == 3:
        across = value * math.cos(angle) + np.cross(k, value) * math.sin(angle)
        return np.asarray(across + k * (k @ value) * (1.0 - math.cos(angle)))
    c, s = math.cos(0.5 * angle), k * math.sin(0.5 * angle)
    w, v = value[0], value[1:]
    return np.array([c * w - s @ v, *(c * v + w * s + np.cross(s, v))])


def _is_vector(value: Any) -> bool:
    return np.shape(value) == (3,) and bool(np.any(value))


def _is_quaternion(value: Any) -> bool:
    return np.shape(value) == (4,) and abs(math.hypot(*value) - 1.0) <= _UNIT
