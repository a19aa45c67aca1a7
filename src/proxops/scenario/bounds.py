"""What no scenario, facility or change of one may hold, whatever its keys mean."""

import math
from collections.abc import Mapping
from typing import Any

from proxops.scenario.schema.base import Path, Problem

DEEPEST = 40  # tables and lists in each other; ours have six
LARGEST = 1e20  # of any number, in any unit: products of a few of them must stay finite


def bound_problems(document: object) -> list[Problem]:
    """Numbers that are too large, and the first place that is nested too deeply.  What is no number
    at all the schema finds."""
    problems: list[Problem] = []
    todo: list[tuple[Path, Any]] = [((), document)]
    while todo:
        path, node = todo.pop()
        if isinstance(node, (int, float)):  # most are: asked first, half of the time is saved
            if LARGEST < abs(node) < math.inf:
                large = _large(node)
                problems.append((path, f"must not be larger than {LARGEST:g}, found {large}"))
        elif isinstance(node, (Mapping, list, tuple)):
            if len(path) >= DEEPEST:
                return [(path[:3], f"must not be nested deeper than {DEEPEST} levels")]
            items = node.items() if isinstance(node, Mapping) else enumerate(node)
            todo += [((*path, key), value) for key, value in items]
    return problems


def _large(number: float) -> str:
    """A number that may have thousands of digits."""
    try:
        return f"{number:g}"
    except OverflowError:  # an integer that no float can hold
        return "a number beyond 1e308"
