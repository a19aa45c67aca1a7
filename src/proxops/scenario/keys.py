"""Dotted keys of a scenario: what stands there, and how it is changed."""

import copy
from collections.abc import Mapping
from typing import Any

from proxops.core.text import nearest
from proxops.scenario.bounds import bound_faults
from proxops.scenario.problems import place_in, section_at, shown_path
from proxops.scenario.schema.base import Fault


def value_at(document: Mapping[str, Any], key: str) -> Any:
    """What stands at a dotted key of a document; KeyError with a fault if it leads nowhere."""
    node: Any = document
    path: tuple[str | int, ...] = ()
    for part in key.split("."):
        fault = _unknown(document, node, path, part)
        if fault is None and isinstance(node, dict) and part not in node:
            fault = (*path, part), "is not given"
        if fault:
            raise KeyError(fault)
        node = node[int(part)] if isinstance(node, list) else node[part]
        path += (part,)
    return node


def put(document: dict[str, Any], key: str, value: Any) -> list[Fault]:
    """Sets the value at a dotted key; says what is wrong with the key if it leads nowhere."""
    *parents, last = key.split(".")
    faults = bound_faults(value)
    if faults:
        return [((*key.split("."), *path), text) for path, text in faults]
    node: Any = document
    path: tuple[str | int, ...] = ()
    for part in parents:
        fault = _unknown(document, node, path, part)
        if fault:
            return [fault]
        node = node[int(part)] if isinstance(node, list) else node.setdefault(part, {})
        path += (part,)
    fault = _unknown(document, node, path, last, new=isinstance(value, Mapping))
    if fault:
        return [fault]
    if isinstance(node, list):
        node[int(last)] = _plain(value)
    elif value is None:
        node.pop(last, None)
    else:
        node[last] = _plain(value)
    return []


def _unknown(
    document: object, node: Any, path: tuple[str | int, ...], part: str, new: bool = False
) -> Fault | None:
    """Why a node of the document has no such part; `new` allows a table's new entry."""
    here = (*path, part)
    if isinstance(node, list):
        if place_in(part, len(node)):
            return None
        return here, f"no such place; {shown_path(path)} has {len(node)}, counted from 0"
    if not isinstance(node, dict):
        return here, f"unknown key; {shown_path(path)} is a single value"
    section = section_at(path, document)
    known = section.model_fields if section else node
    if part in known or (new and not section):
        return None
    return here, "unknown key" + nearest(part, known)


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's; the caller's own tables are left alone."""
    return value.tolist() if hasattr(value, "tolist") else copy.deepcopy(value)
