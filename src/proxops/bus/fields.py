"""Fields: named numbers and arrays that cross between stages, each declared beside its maker.

A `Layout` puts fields side by side into one flat array of float64.  Where a field stands is nobody
else's business: compiled code has a named tuple of views, one for each field that it reads or
writes, and the names of that tuple say which.  So one more field moves others without compiling
anything, and what a function may write can be looked at before it runs.
"""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from proxops.core.errors import InputError
from proxops.core.text import nearest

Views = TypeVar("Views")


@dataclass(frozen=True)
class Field:
    """A number, or an array of some, with unit and axes.

    >>> proxops.Field("range", "m", title="Range to the target").size
    1
    >>> proxops.Field("w", "rad/s", "C", (3,)).size
    3
    """

    name: str  # dotted: whose it is, then what it is
    unit: str = "1"
    frame: str = ""
    shape: tuple[int, ...] = ()
    title: str = ""  # of plots and tables
    start: tuple[float, ...] = ()  # before anybody has written it; zeros if empty
    signal: str = ""  # the name that it is recorded by; empty: it is not
    parts: tuple[str, ...] = ()  # names of its entries, where they have any

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)

    @property
    def attribute(self) -> str:
        """What a named tuple of views calls it."""
        return _attribute(self.name)


def field_problem(field: Field) -> str | None:
    """What is wrong with a field as a user declares it, None if nothing is."""
    if not isinstance(field.name, str) or not field.name.isidentifier():
        return f"its name must be a word, found {field.name!r}"
    texts = {"unit": field.unit, "frame": field.frame, "title": field.title}
    for key, value in texts.items():
        if not isinstance(value, str):
            return f"{field.name}: {key} must be a string, found {value!r}"
    shape = field.shape
    if not isinstance(shape, tuple) or not all(type(n) is int and n > 0 for n in shape):
        return f"{field.name}: shape must be a tuple of whole numbers, as (3,), found {shape!r}"
    if len(field.start) not in (0, field.size):
        return f"{field.name}: start must have {field.size} numbers, found {len(field.start)}"
    return None


@lru_cache(maxsize=1024)
def _attribute(name: str) -> str:
    """A name as Python's names are."""
    return re.sub(r"\W", "_", name)


class Layout:
    """Fields side by side."""

    def __init__(self, fields: Iterable[Field]) -> None:
        self._slices: dict[str, slice] = {}
        self._fields: dict[str, Field] = {}
        self._owners: dict[str, str] = {}
        end = 0
        for each in fields:
            if each.attribute in self._slices:
                raise InputError(f"two fields are called {each.name!r}; rename one of them")
            self._slices[each.attribute] = slice(end, end + each.size)
            self._fields[each.attribute] = each
            self._owners[each.attribute] = each.attribute
            for i, part in enumerate(each.parts):
                name = f"{each.attribute}_{_attribute(part)}"
                self._slices[name] = slice(end + i, end + i + 1)
                self._owners[name] = each.attribute
            end += each.size
        self.size = end

    def __repr__(self) -> str:
        return f"Layout({', '.join(each.name for each in self)})"

    def __iter__(self) -> Iterator[Field]:
        return iter(self._fields.values())

    def __contains__(self, name: str) -> bool:
        return _attribute(name) in self._slices

    def where(self, name: str) -> slice:
        """Where a field stands in the array."""
        found = self._slices.get(_attribute(name))
        if found is None:
            known = [each.name for each in self]
            raise InputError(f"there is no field {name!r}{nearest(name, known)}")
        return found

    def owner(self, name: str) -> str:
        """The attribute of the field that a name is of, be it that of one of its parts."""
        return self._owners[_attribute(name)]

    def array(self) -> np.ndarray:
        """The array before anybody has written it."""
        made = np.zeros(self.size)
        for each in self:
            if each.start:
                made[self.where(each.name)] = each.start
        return made


@dataclass(frozen=True)
class Fields:
    """An array and what stands in it."""

    layout: Layout
    array: np.ndarray
    writable: frozenset[str] | None = None  # attributes of the fields that may be; None: all

    def __getitem__(self, name: str) -> np.ndarray:
        """View of a field; a number is an array of one."""
        view = self.array[self.layout.where(name)]
        if self.writable is not None and self.layout.owner(name) not in self.writable:
            view.flags.writeable = False
        return view

    def only(self, writable: Iterable[str]) -> "Fields":
        """The same, of which only some may be written."""
        return replace(self, writable=frozenset(map(_attribute, writable)))


def blank(layout: Layout) -> Fields:
    """A layout with its array."""
    return Fields(layout, layout.array())


def views(kind: type[Views], *sources: Fields) -> Views:
    """A named tuple of views: its names say which fields."""
    found = []
    names: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    for name in names:
        source = next((each for each in sources if name in each.layout), None)
        if source is None:
            known = [each.attribute for one in sources for each in one.layout]
            raise InputError(f"{kind.__name__}: there is no field {name!r}{nearest(name, known)}")
        found.append(source[name])
    made: Any = kind
    return made(*found)  # type: ignore[no-any-return]
