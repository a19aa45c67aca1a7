"""The rows of a run (n, width): in memory while they are few, else in a temporary file.

A long run would fill the memory: 6000 s of a capture at 100 Hz are a gigabyte.  So rows leave in
blocks, each stored column by column, and only the columns that somebody asks for come back.
"""

import itertools
import tempfile
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

IN_MEMORY = 8_000_000  # bytes that stay there
BLOCK = 1_000_000  # bytes of a block, about


class Rows:
    """Stands in for the array of all rows: `rows[:, 3:6]`, `rows[-1, 0]`, `rows[10:20]`."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._pending: list[np.ndarray] = []  # rows that are in no block yet
        self._starts = [0]  # first row of each block, and behind the last
        self._file: Any = None

    def append(self, rows: np.ndarray) -> None:
        """Adds rows, which are copied."""
        if len(rows) == 0:
            return
        self._pending.append(rows.copy())
        size = sum(each.nbytes for each in self._pending)
        if size > (IN_MEMORY if self._file is None else BLOCK):
            self._spill()

    def _spill(self) -> None:
        """Moves what is in memory to the file."""
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="proxops-rows-")  # noqa: SIM115
            weakref.finalize(self, self._file.close)
        held = np.concatenate(self._pending)
        self._pending = []
        max_rows = max(1, BLOCK // (8 * self._width))
        for first in range(0, len(held), max_rows):
            block = held[first : first + max_rows]
            self._file.seek(8 * self._width * self._starts[-1])
            self._file.write(np.ascontiguousarray(block.T).tobytes())
            self._starts.append(self._starts[-1] + len(block))

    def settled(self) -> Any:
        """All rows, to be read only: an array if they are few, else this."""
        if self._file is not None:
            return self
        if len(self._pending) != 1:
            self._pending = [np.concatenate([np.zeros((0, self._width)), *self._pending])]
        (rows,) = self._pending
        rows.flags.writeable = False
        return rows

    def __len__(self) -> int:
        return self._starts[-1] + sum(map(len, self._pending))

    ndim = 2

    @property
    def shape(self) -> tuple[int, int]:
        """As of an array."""
        return len(self), self._width

    def blocks(self) -> Iterator[np.ndarray]:
        """All rows, some at a time."""
        yield from self.columns(0, self._width)

    def columns(self, start: int, stop: int) -> Iterator[np.ndarray]:
        """Some columns of all rows, a block at a time."""
        for number in range(len(self._starts) - 1):
            yield self._block(number, start, stop)
        for rows in self._pending:
            yield rows[:, start:stop]

    def _block(self, number: int, start: int, stop: int) -> np.ndarray:
        """Some columns of a block."""
        first, end = self._starts[number : number + 2]
        self._file.seek(8 * (self._width * first + start * (end - first)))
        data = np.frombuffer(self._file.read(8 * (stop - start) * (end - first)))
        return np.ascontiguousarray(data.reshape(stop - start, end - first).T)

    def _some(self, first: int, end: int) -> np.ndarray:
        """Rows from first to end, of which the file has some."""
        parts = [np.zeros((0, self._width))]
        for number, (begin, until) in enumerate(itertools.pairwise(self._starts)):
            if begin < end and first < until:
                block = self._block(number, 0, self._width)
                parts.append(block[max(0, first - begin) : end - begin])
        begin = self._starts[-1]
        for rows in self._pending:
            parts.append(rows[max(0, first - begin) : max(0, end - begin)])
            begin += len(rows)
        return np.concatenate(parts)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice) and key.step in (None, 1):
            return self._some(*key.indices(len(self))[:2])
        which, columns = key if isinstance(key, tuple) else (key, slice(None))
        if isinstance(which, int | np.integer):
            (row,) = range(len(self))[which : which + 1 or None]
            return self._some(row, row + 1)[0, columns]
        if isinstance(columns, int | np.integer):
            (column,) = range(self._width)[columns : columns + 1 or None]
            return self._read(column, column + 1)[:, 0][which]
        if isinstance(columns, slice) and columns.step in (None, 1):
            start, stop, _ = columns.indices(self._width)
            return self._read(start, max(start, stop))[which]
        return np.asarray(self)[key]

    def _read(self, start: int, stop: int) -> np.ndarray:
        return np.concatenate(list(self.columns(start, stop)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self._read(0, self._width).astype(dtype or float, copy=False)


def blocks_of(rows: "np.ndarray | Rows") -> Iterator[np.ndarray]:
    """All rows, some at a time if they are not in memory."""
    if isinstance(rows, Rows):
        yield from rows.blocks()
    else:
        yield np.ascontiguousarray(rows)


def columns_of(rows: "np.ndarray | Rows", start: int, stop: int) -> Iterator[np.ndarray]:
    """Some columns of all rows, likewise."""
    if isinstance(rows, Rows):
        yield from rows.columns(start, stop)
    else:
        yield rows[:, start:stop]
