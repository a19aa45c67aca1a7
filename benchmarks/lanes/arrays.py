"""Arrays of lanes: the arrays of several cases, interleaved so that a register fills in one load.

Entry i of an array of lanes is entry i of every case, side by side in memory.  To Numba it is an
ordinary array whose numbers are lanes: indices, slices and shapes are those of one case.
"""

from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.extending import typeof_impl

from benchmarks.lanes.number import Lanes, named_tuple_of
from proxops.core.by_address import Ref

_ALIGNED = 64  # bytes of the widest register, and of a cache line


class LaneArray:
    """The arrays of several cases; `data` has one axis more than they, the last, over the cases."""

    def __init__(self, data: np.ndarray) -> None:
        self.data = data

    @classmethod
    def of(cls, cases: Sequence[np.ndarray]) -> "LaneArray":
        """Interleaved copies."""
        shape = (*cases[0].shape, len(cases))
        spare = np.zeros(int(np.prod(shape)) + _ALIGNED)
        start = (-spare.ctypes.data // 8) % (_ALIGNED // 8)
        data = spare[start : start + int(np.prod(shape))].reshape(shape)
        data[...] = np.stack(cases, axis=-1)
        return cls(data)

    def case(self, lane: int) -> np.ndarray:
        """The array of one case, a copy."""
        return np.ascontiguousarray(self.data[..., lane])


class Interleaved:
    """Interleaves what several cases have, and views of the same arrays as views of the same."""

    def __init__(self) -> None:
        self._known: list[tuple[Sequence[np.ndarray], LaneArray]] = []

    def refresh(self) -> None:
        """Reads the arrays of all cases again."""
        for cases, lanes in self._known:
            np.stack(cases, axis=-1, out=lanes.data)

    def __call__(self, cases: Sequence[Any]) -> Any:
        """The same named tuples or arrays of several cases as one, floats interleaved; whole
        numbers, which all cases must share, as they are."""
        first = cases[0]
        if isinstance(first, tuple):
            each = map(self, zip(*cases, strict=True))
            return type(first)(*each)  # type: ignore[call-arg]
        if isinstance(first, np.ndarray) and first.dtype == np.float64:
            return self._array(cases)
        if not all(np.array_equal(first, each) for each in cases):
            raise ValueError("cases in lanes must share whole numbers: topology, counts, times")
        return first

    def _array(self, cases: Sequence[np.ndarray]) -> LaneArray:
        first = cases[0]
        for (whole, *_), lanes in self._known:
            offset = (first.ctypes.data - whole.ctypes.data) // 8
            if first.ndim == whole.ndim == 1 and 0 <= offset <= whole.size - first.size:
                return LaneArray(lanes.data[offset : offset + first.size])
        made = LaneArray.of(cases)
        if first.size:
            self._known.append((tuple(cases), made))
        return made


def lanes_of(cases: Sequence[Any]) -> Any:
    """The same, of arrays that no others view."""
    return Interleaved()(cases)


class PinnedLanes:
    """A named tuple with arrays of lanes, in memory, for kernels that take it by address."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.ref = Ref(type_of(value))
        self._words = np.array(list(_words(value)), dtype=np.int64)
        self.address = int(self._words.ctypes.data)


def type_of(value: Any) -> Any:
    """As compiled code sees it."""
    if isinstance(value, LaneArray):
        return types.Array(Lanes(value.data.shape[-1]), value.data.ndim - 1, "C")
    if isinstance(value, tuple):
        return named_tuple_of([type_of(each) for each in value], type(value))
    return numba.typeof(value)


def _words(value: Any) -> Any:
    """The words that stand for a value in compiled code, see proxops.core.by_address."""
    if isinstance(value, tuple):
        for each in value:
            yield from _words(each)
    elif isinstance(value, LaneArray | np.ndarray):
        array, own = (value.data, -1) if isinstance(value, LaneArray) else (value, None)
        shape, strides = array.shape[:own], array.strides[:own]  # without the axis over the cases
        width = array.itemsize * (1 if own is None else array.shape[own])
        yield from (0, 0, int(np.prod(shape)), width, array.ctypes.data)
        yield from shape
        yield from strides
    elif isinstance(value, float):
        yield int(np.float64(value).view(np.int64))
    else:
        yield int(value)


@typeof_impl.register(PinnedLanes)
def _typeof(value: PinnedLanes, context: Any) -> Ref:
    return value.ref
