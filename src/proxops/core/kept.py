"""What is made of equal things is made once; kept by content, and never handed out itself: what a
caller writes into its own, no other sees."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

KEPT = 8  # results of each function

_T = TypeVar("_T")
_P = ParamSpec("_P")


def kept_by_arrays(make: Callable[_P, _T]) -> Callable[_P, _T]:
    """A function of arrays, which returns arrays and numbers in tuples: run once for equal ones."""
    run: Any = make

    @lru_cache(KEPT)
    def made(*given: tuple[bytes, tuple[int, ...], str]) -> Any:
        return run(*(np.frombuffer(data, kind).reshape(shape) for data, shape, kind in given))

    @wraps(make)
    def handed_out(*arrays: np.ndarray) -> Any:
        return own_copy(made(*((each.tobytes(), each.shape, each.dtype.str) for each in arrays)))

    typed: Any = handed_out
    return typed  # type: ignore[no-any-return]


def own_copy(value: Any) -> Any:
    """Tuples with copies of all arrays in them; TypeError for what could be shared and written
    to."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, tuple):
        parts = [own_copy(each) for each in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, bool | int | float | str | None):
        return value
    raise TypeError(f"{type(value).__name__} cannot be kept: it may be written to")
