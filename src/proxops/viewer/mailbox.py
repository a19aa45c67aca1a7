"""The newest row of a run that goes on, between two processes."""

from multiprocessing import get_context

import numpy as np

_TRIES = 8  # to read a row that is not being written

# Entries of the counters
_WRITES = 0  # odd while a row is being written
_ROWS = 1  # how many have come


class Mailbox:
    """Holds the first and the newest row, nothing between; whoever writes never waits.

    A reader that meets a row half-written reads again: the count of writes is odd meanwhile.
    """

    def __init__(self, width: int) -> None:
        shared = get_context("spawn")
        self._counters = shared.RawArray("q", 2)
        self._values = shared.RawArray("d", 2 * width)
        self._width = width

    def write(self, rows: np.ndarray) -> None:
        """Takes rows (n, width), of which it keeps the last."""
        if not len(rows):
            return
        counters, (first, newest) = self._arrays()
        if counters[_ROWS] == 0:
            first[:] = rows[0]
        counters[_WRITES] += 1
        newest[:] = rows[-1]
        counters[_ROWS] += len(rows)
        counters[_WRITES] += 1

    def count(self) -> int:
        """How many rows have come."""
        return int(self._arrays()[0][_ROWS])

    def first(self) -> np.ndarray:
        """The first row."""
        return np.array(self._arrays()[1][0])

    def newest(self) -> np.ndarray | None:
        """The last row; None if it is being written all the time."""
        counters, (_, newest) = self._arrays()
        for _ in range(_TRIES):
            before = int(counters[_WRITES])
            row = np.array(newest)
            if before % 2 == 0 and counters[_WRITES] == before:
                return row
        return None

    def _arrays(self) -> tuple[np.ndarray, np.ndarray]:
        values = np.frombuffer(self._values).reshape(2, self._width)
        return np.frombuffer(self._counters, np.int64), values
