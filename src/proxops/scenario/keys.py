"""Dotted keys of a scenario: what stands there, and how it is changed."""

import copy
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from proxops.core.text import nearest
from proxops.scenario.bounds import bound_problems
from proxops.scenario.problems import annotation_below, place_in, section_of, shown_path
from proxops.scenario.schema import Mission
from proxops.scenario.schema.base import Problem, alternatives_to


def value_at(document: Mapping[str, Any], key: str) -> Any:
    """What stands at a dotted key of a document; KeyError with a problem if it leads nowhere."""
    node: Any = document
    annotation: Any = Mission
    path: tuple[str | int, ...] = ()
    for part in key.split("."):
        problem = _unknown(annotation, node, path, part)
        if problem is None and isinstance(node, dict) and part not in node:
            instead = [other for other in sorted(alternatives_to(part)) if other in node]
            text = f"is not given, {instead[0]} is" if instead else "is not given"
            problem = (*path, part), text
        if problem:
            raise KeyError(problem)
        annotation = annotation_below(annotation, node, part)
        node = node[int(part)] if isinstance(node, list) else node[part]
        path += (part,)
    return node


def put(
    document: dict[str, Any], key: str, value: Any, root: type[BaseModel] = Mission
) -> list[Problem]:
    """Sets the value at a dotted key of a document of that kind; says what is wrong with the key if
    it leads nowhere."""
    *parents, last = key.split(".")
    problems = bound_problems(value)
    if problems:
        return [((*key.split("."), *path), text) for path, text in problems]
    node: Any = document
    annotation: Any = root
    path: tuple[str | int, ...] = ()
    for part in parents:
        problem = _unknown(annotation, node, path, part)
        if problem:
            return [problem]
        annotation = annotation_below(annotation, node, part)
        node = node[int(part)] if isinstance(node, list) else node.setdefault(part, {})
        path += (part,)
    problem = _unknown(annotation, node, path, last, new=isinstance(value, Mapping))
    if problem:
        return [problem]
    if isinstance(node, list):
        node[int(last)] = _plain(value)
    elif value is None:
        node.pop(last, None)
    else:
        node[last] = _plain(value)
        for other in alternatives_to(last):
            node.pop(other, None)
    return []


def put_all(
    document: dict[str, Any], changes: Mapping[str, Any], root: type[BaseModel] = Mission
) -> list[Problem]:
    """The same for several keys at once, of which no two may say the same thing."""
    problems: list[Problem] = []
    for key, value in changes.items():
        problems += put(document, key, value, root)
    for key, value in changes.items():
        *parents, last = key.split(".")
        for other in sorted(alternatives_to(last)):
            there = ".".join((*parents, other))
            if last < other and value is not None and changes.get(there) is not None:
                problems.append(((*parents, last), f"give {last} or {other}, one alone"))
    return problems


def _unknown(
    annotation: Any, node: Any, path: tuple[str | int, ...], part: str, new: bool = False
) -> Problem | None:
    """Why a node with that annotation has no such part; `new` allows a table's new entry."""
    here = (*path, part)
    if isinstance(node, list):
        if place_in(part, len(node)):
            return None
        return here, f"no such place; {shown_path(path)} has {len(node)}, counted from 0"
    if not isinstance(node, dict):
        return here, f"unknown key; {shown_path(path)} is a single value"
    section = section_of(annotation, node)
    known = section.model_fields if section else node
    if part in known or (new and not section):
        return None
    return here, "unknown key" + nearest(part, known)


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's; the caller's own tables are left alone."""
    return value.tolist() if hasattr(value, "tolist") else copy.deepcopy(value)
