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

from proxops.core.by_address import Ref
from proxops.core.lanes.number import Lanes, named_tuple_of

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


class Arena:
    """One stretch of memory for many arrays: what holds a state is copied as a whole."""

    def __init__(self, numbers: np.ndarray, kind: Any = np.float64) -> None:
        self.numbers, self.kind, self._used = numbers, kind, 0

    def take(self, shape: tuple[int, ...]) -> np.ndarray:
        """The next so many numbers, as an array."""
        size = int(np.prod(shape))
        part = self.numbers[self._used : self._used + size]
        if len(part) < size:
            raise MemoryError("an arena is too small for its arrays")
        self._used += size
        return part.reshape(shape)

    @property
    def used(self) -> np.ndarray:
        """What is taken."""
        return self.numbers[: self._used]


def aligned(size: int) -> np.ndarray:
    """So many zeros, the first where a register's may be."""
    spare = np.zeros(size + _ALIGNED // 8)
    start = (-spare.ctypes.data // 8) % (_ALIGNED // 8)
    return spare[start : start + size]


def sizes_of(value: Any) -> tuple[int, int]:
    """How many numbers and whole numbers the arrays of a value hold."""
    if isinstance(value, tuple):
        each = [sizes_of(one) for one in value]
        return sum(size for size, _ in each), sum(size for _, size in each)
    if isinstance(value, np.ndarray):
        return (value.size, 0) if value.dtype == np.float64 else (0, value.size)
    return 0, 0


class UnlikeError(ValueError):
    """Cases have arrays of other shapes, or other whole numbers: topology, counts, times."""


class Interleaved:
    """Interleaves what several cases have, and views of the same arrays as views of the same.
    Numbers go side by side, whole numbers, which cases must share, are copied once."""

    def __init__(self) -> None:
        self._known: list[tuple[Sequence[np.ndarray], np.ndarray]] = []
        self._places: list[tuple[int, int, np.ndarray]] = []  # of the first case's: from, to, made
        self.shapes: list[tuple[int, ...]] = []  # of all arrays, in their order

    def refresh(self) -> None:
        """Reads the arrays of all cases again."""
        for cases, made in self._known:
            if cases[0].dtype == np.float64:
                np.stack(cases, axis=-1, out=made)

    def __call__(self, cases: Sequence[Any], numbers: Arena, whole: Arena) -> Any:
        """The same named tuples or arrays of several cases as one."""
        first = cases[0]
        if isinstance(first, tuple):
            each = [self(one, numbers, whole) for one in zip(*cases, strict=True)]
            return type(first)(*each) if hasattr(first, "_fields") else tuple(each)
        if isinstance(first, np.ndarray) and first.dtype == np.float64:
            made = self._view(first, len(cases))
            if made is None:
                if any(each.shape != first.shape for each in cases):
                    raise UnlikeError("cases in lanes must have arrays of the same shapes")
                made = numbers.take((*first.shape, len(cases)))
                np.stack(cases, axis=-1, out=made)
                self._keep(cases, made)
            return LaneArray(made)
        if not all(np.array_equal(first, each) for each in cases):
            raise UnlikeError("cases in lanes must share whole numbers: topology, counts, times")
        if not isinstance(first, np.ndarray):
            return first
        copy = self._view(first, 0)
        if copy is None:
            copy = whole.take(first.shape)
            copy[...] = first
            self._keep(cases, copy)
        return copy

    def _keep(self, cases: Sequence[np.ndarray], made: np.ndarray) -> None:
        self.shapes.append(cases[0].shape)
        if cases[0].size:
            self._known.append((tuple(cases), made))
            start = cases[0].ctypes.data
            self._places.append((start, start + cases[0].nbytes, made))

    def _view(self, first: np.ndarray, lanes: int) -> np.ndarray | None:
        """Of what was made of an array of which this is a stretch; None if there is none."""
        if not first.size or not first.flags.c_contiguous:
            return None
        start = first.ctypes.data
        for begin, end, made in self._places:
            if begin <= start and start + first.nbytes <= end:
                flat, offset = made.reshape((-1, lanes) if lanes else -1), (start - begin) // 8
                part = flat[offset : offset + first.size]
                return part.reshape(*first.shape, lanes) if lanes else part.reshape(first.shape)
        return None


def lanes_of(cases: Sequence[Any]) -> Any:
    """The same, of arrays that no others view."""
    numbers, whole = sizes_of(cases[0])
    arenas = Arena(aligned(numbers * len(cases))), Arena(np.zeros(whole, dtype=np.int64))
    return Interleaved()(cases, *arenas)


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
