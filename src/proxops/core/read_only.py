"""Records that many share, with arrays that none of them can write to."""

from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

import numpy as np

_T = TypeVar("_T")


def read_only(record: _T) -> _T:
    """The record itself, a dataclass or a tuple, with all arrays in it closed to writing."""
    waiting: list[Any] = [record]
    while waiting:
        each = waiting.pop()
        if isinstance(each, np.ndarray):
            each.flags.writeable = False
        elif isinstance(each, tuple):
            waiting += each
        else:
            kind: Any = type(each)
            waiting += [getattr(each, name) for name in _names(kind)]
    return record


@cache
def _names(kind: Any) -> tuple[str, ...]:
    """Fields of a dataclass; nothing else has any."""
    return tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()
