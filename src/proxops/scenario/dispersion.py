"""Dispersed cases: what is drawn for each, and which dispersions cannot be.

    scale      x (1 + s u)                     one u for all numbers of x
    shift      xᵢ + bᵢ uᵢ                      one uᵢ for each
    rotation   v rotated by a u about k ⟂ v,   k even over all directions
               q turned by a u about k;        and a v with the numbers of a q likewise
    isotropic  l k in place of v               l even in [low, high], k even over all directions

with every u even in [-1, 1].
"""

import math
import operator
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from pydantic import ValidationError

from proxops.core.errors import InputError
from proxops.core.text import nearest
from proxops.scenario.keys import put, value_at
from proxops.scenario.problems import explain, shown, shown_path
from proxops.scenario.schema import Dispersion, Mission
from proxops.scenario.schema.base import Problem
from proxops.scenario.schema.dispersion import METHODS
from proxops.scenario.schema.mission import MAX_SEED

if TYPE_CHECKING:
    from proxops.scenario.load import Scenario

DISPERSION = 3  # key of these random numbers among those of a seed
SETTLED = ("title", "seed", "time", "obsw", "requirements", "dispersions")  # in every case the same
_UNIT = 1e-9  # a quaternion that was checked is within it of norm 1


@dataclass(frozen=True)
class Drawn:
    """What a dispersion has come to in a case."""

    key: str
    by: float | list[float]  # factor, shifts or length in the key's unit, or angle [deg]
    value: Any  # that is true then


@dataclass(frozen=True)
class Case:
    """Which case of which scenario a dispersed one is."""

    seed: int
    believed: "Scenario"
    drawn: Mapping[str, Drawn]

    def plain_draws(self) -> dict[str, Any]:
        """What was drawn, as plain data."""
        return {name: asdict(each) for name, each in self.drawn.items()}


def integer_seed(seed: SupportsIndex) -> int:
    """The seed of a case, or an error if it is none."""
    try:
        whole = operator.index(seed)
    except TypeError:
        whole = -1
    if not 0 <= whole < MAX_SEED:
        raise InputError(f"seed of a case: must be a whole number from 0, found {shown(seed)}")
    return whole


def stored_case(data: Any) -> tuple[int, dict[str, Drawn], dict[str, Any]]:
    """Seed, draws and believed mission of a case that was stored with its scenario."""
    match data:
        case {"seed": int(seed), "drawn": dict(drawn), "believed": dict(believed)}:
            draws = {name: _stored_draw(each) for name, each in drawn.items()}
            return integer_seed(seed), draws, believed
    raise InputError("stored scenario: its case must have a seed, draws and a mission")


def _stored_draw(data: Any) -> Drawn:
    match data:
        case {"key": str(key), "by": by, "value": value}:
            return Drawn(key, by, value)
    raise InputError(f"stored scenario: {shown(data)} is not a draw of a case")


def draw(mission: Mission, seed: int) -> dict[str, Drawn]:
    """What each dispersion of a mission comes to in the case of that seed.

    Every dispersion has random numbers of its own, named after it, unless it takes another's:
    another one beside it changes none of them.  Several at one key follow one another in the order
    of the file.
    """
    document = mission.model_dump(mode="json", exclude_none=True)
    by: dict[str, float | list[float]] = {}
    for name, each in mission.dispersions.items():
        whose = each.same_draw_as or name
        key = np.random.SeedSequence(seed, spawn_key=(DISPERSION, *whose.encode()))
        rng = np.random.default_rng(key)
        rigid = _is_quaternion(value_at(document, mission.dispersions[whose].key))
        by[name], value = _moved(each, value_at(document, each.key), rng, rigid=rigid)
        put(document, each.key, value)
    return {
        name: Drawn(each.key, by[name], value_at(document, each.key))
        for name, each in mission.dispersions.items()
    }


def dispersion_problems(mission: Mission) -> list[Problem]:
    """Dispersions of what does not exist or cannot change so, each tried at both its ends."""
    # As a case is: without dispersions of its own
    document = mission.model_dump(mode="json", exclude_none=True, exclude={"dispersions"})
    problems: list[Problem] = []
    for name, each in mission.dispersions.items():
        at = ("dispersions", name)
        problems += [((*at, "same_draw_as"), text) for text in _unlike(name, mission.dispersions)]
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
    return problems


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
    if each.rotation_deg is not None:
        return []
    return [_linear(each, value, np.full(np.shape(value), end))[1] for end in (-1.0, 1.0)]


def _moved(
    each: Dispersion, value: Any, rng: np.random.Generator, *, rigid: bool
) -> tuple[float | list[float], Any]:
    """By how much a value is moved, and where it then is; `rigid` if it turns as a quaternion
    does."""
    if each.isotropic is not None:
        k, length = rng.standard_normal(3), float(rng.uniform(*each.isotropic))
        return length, (length / np.linalg.norm(k) * k).tolist()
    if each.rotation_deg is None:
        size = () if each.scale is not None else np.shape(value)
        return _linear(each, value, rng.uniform(-1.0, 1.0, size))
    axis = rng.standard_normal(3)
    angle = each.rotation_deg * float(rng.uniform(-1.0, 1.0))
    turned = _turned_across if len(value) == 3 and not rigid else _turned
    return angle, turned(np.array(value), axis, math.radians(angle)).tolist()


def _linear(each: Dispersion, value: Any, u: np.ndarray) -> tuple[float | list[float], Any]:
    if each.scale is not None:
        factor = 1.0 + each.scale * float(u.flat[0] if np.ndim(u) else u)
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
