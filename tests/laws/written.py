"""Compiled functions as they were written: Python all the way down, so that nothing is compiled."""

from functools import cache
from types import FunctionType
from typing import Any


@cache
def written(function: Any) -> Any:
    """The Python function behind a compiled one, its callees being so too."""
    python = getattr(function, "function", function).py_func  # itself, of one that has an entry
    names = dict(python.__globals__)
    for name in python.__code__.co_names:
        if hasattr(names.get(name), "py_func"):
            names[name] = written(names[name])
    return FunctionType(python.__code__, names, python.__name__, python.__defaults__)
