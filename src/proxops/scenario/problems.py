"""Faults of a scenario as lines that a person can act on: where, what, what was possible."""

import re
import reprlib
import typing
from collections.abc import Iterator, Sequence
from types import UnionType
from typing import Any

from pydantic import BaseModel, ValidationError

from proxops.core.errors import InputError
from proxops.core.text import nearest
from proxops.scenario.schema import Mission
from proxops.scenario.schema.base import PROBLEM, PROBLEMS, Path, Problem

KINDS = ("kind", "does")  # keys that say which of several sections a table is
_SHOWN = 20  # lines: a message fits on one screen
_LINE = 300  # characters
_DIGITS = 10  # of a place in a list; Python refuses to read a number of thousands

_short = reprlib.Repr()
_short.maxstring = _short.maxother = _short.maxlong = 60

_SAYINGS = {
    "float_type": "must be a number",
    "int_type": "must be a whole number",
    "string_type": "must be a string",
    "tuple_type": "must be a list",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "model_attributes_type": "must be a table",
}


def shown(value: object) -> str:
    """A value as it appears in a message, cut short."""
    return _short.repr(value)


def shown_path(path: Path) -> str:
    """A dotted path; parts that are no plain words are quoted."""
    parts = (str(part) for part in path)
    return ".".join(part if re.fullmatch(r"[\w-]{1,60}", part) else shown(part) for part in parts)


def message(where: str, problems: Sequence[Problem]) -> str:
    """All problems, one line each, at most a screen of them."""
    lines = list(dict.fromkeys(f"{shown_path(path)}: {text}" for path, text in problems))
    head = f"{where}: {len(lines)} problem" + ("s" if len(lines) > 1 else "")
    short = [line if len(line) <= _LINE else line[: _LINE - 3] + "..." for line in lines[:_SHOWN]]
    rest = [f"and {len(lines) - _SHOWN} more"] if len(lines) > _SHOWN else []
    return "\n  ".join([head, *short, *rest])


def raise_problems(where: str, problems: Sequence[Problem]) -> None:
    """Raises one InputError with every problem, if there is any."""
    if problems:
        raise InputError(message(where, problems))


def explain(
    error: ValidationError, document: object, root: type[BaseModel] = Mission
) -> list[Problem]:
    """What pydantic found wrong with a document, in our words."""
    items = error.errors(include_url=False)
    return [problem for item in items for problem in _problems(item, document, root)]


def section_at(
    path: Path, document: object, root: type[BaseModel] = Mission
) -> type[BaseModel] | None:
    """The section of the schema that a path of keys leads to, None where it leads elsewhere.
    Where it could be of several kinds, the document says which."""
    annotation: Any = root
    node = document
    for part in path:
        annotation, node = annotation_below(annotation, node, part), _child(node, part)
    return section_of(annotation, node)


def annotation_below(annotation: Any, node: object, part: str | int) -> Any:
    """That of a part of a node with that annotation."""
    section = section_of(annotation, node)
    if section is not None:
        field = section.model_fields.get(str(part))
        return field.annotation if field else None
    return _element(annotation)  # a table of sections by name, or a list of them


def section_of(annotation: Any, node: object) -> type[BaseModel] | None:
    """The section that a node with that annotation is, None where it is none."""
    if typing.get_origin(annotation) is typing.Annotated:
        annotation = typing.get_args(annotation)[0]
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if typing.get_origin(annotation) not in (typing.Union, UnionType):
        return None
    sections = [section_of(each, node) for each in typing.get_args(annotation)]
    possible = [section for section in sections if section is not None]
    if len(possible) > 1:
        possible = [each for each in possible if _is_kind(each, node)]
    return possible[0] if possible else None


def _is_kind(section: type[BaseModel], node: object) -> bool:
    """Whether a table says that it is this section."""
    key = next(each for each in KINDS if each in section.model_fields)
    own = typing.get_args(section.model_fields[key].annotation)[0]
    return isinstance(node, dict) and node.get(key) == own


def _child(node: object, part: str | int) -> object:
    if isinstance(node, dict):
        return node.get(part)
    if isinstance(node, (list, tuple)) and place_in(str(part), len(node)):
        return node[int(part)]
    return None


def place_in(part: str, count: int) -> bool:
    """Whether a part of a key is a place in a list of so many."""
    return part.isascii() and part.isdecimal() and len(part) < _DIGITS and int(part) < count


def _element(annotation: Any) -> Any:
    if typing.get_origin(annotation) is dict:
        return typing.get_args(annotation)[1]
    if typing.get_origin(annotation) is tuple:
        return typing.get_args(annotation)[0]
    return None


def _real_path(location: Path, document: object) -> Path:
    """The location without pydantic's own marks (tags of unions, "[key]")."""
    path: list[str | int] = []
    node = document
    chosen = False  # the mark of a section's kind comes once, before its keys
    for part in location:
        if isinstance(node, dict):
            if part == "[key]" and part not in node:
                continue
            if not chosen and part in [node.get(each) for each in KINDS]:
                chosen = True
                continue
        elif not (isinstance(part, int) and isinstance(node, (list, tuple))):
            continue
        path.append(part)
        node = _child(node, part)
        chosen = False
    return tuple(path)


def _key_of(item: Any) -> str:
    """The key that should have said which section a table is."""
    return str(item["ctx"]["discriminator"]).strip("'")


def _problems(item: Any, document: object, root: type[BaseModel]) -> Iterator[Problem]:
    path = _real_path(item["loc"], document)
    kind, found = item["type"], item["input"]
    if kind == PROBLEMS:
        yield from ((path + inner, text) for inner, text in item["ctx"]["problems"])
    elif kind == PROBLEM:
        yield path, item["msg"]
    elif kind == "extra_forbidden":
        section = section_at(path[:-1], document, root)
        known = section.model_fields if section else ()
        yield path, "unknown key" + nearest(str(path[-1]), known)
    elif kind == "missing" and isinstance(found, (list, tuple)):
        yield path[:-1], f"too few numbers, found {shown(found)}"
    elif kind == "missing":
        section = section_at(path[:-1], document, root)
        field = section.model_fields.get(str(path[-1])) if section else None
        about = f"; {field.description}" if field and field.description else ""
        yield path, "missing" + about
    elif kind == "too_short" and isinstance(found, (list, tuple)):
        least = item["ctx"]["min_length"]
        if len(found) < least:  # else its entries have problems of their own, reported already
            yield path, f"must have {least} or more entries, found {len(found)}"
    elif kind == "too_long" and isinstance(found, (list, tuple)):
        yield path, f"must have {item['ctx']['max_length']} numbers, found {len(found)}"
    elif kind == "too_long" and isinstance(found, dict):
        yield path, f"must have {item['ctx']['max_length']} entries or fewer, found {len(found)}"
    elif kind == "union_tag_not_found":
        yield (*path, _key_of(item)), "missing; it determines the other keys"
    elif kind == "union_tag_invalid":
        possible = item["ctx"]["expected_tags"].replace(", ", " or ")
        key = _key_of(item)
        yield (*path, key), f"must be {possible}, found {shown(found[key])}"
    elif item["loc"][-1:] == ("[key]",):
        yield path, "a name is made of a-z, 0-9 and _, beginning with a letter"
    else:
        saying = _SAYINGS.get(kind) or item["msg"].replace("Input should be", "must be")
        yield path, f"{saying}, found {shown(found)}"
