"""Standard normal numbers in store for compiled loops, which draw none themselves."""

import numpy as np

# Keys of random numbers among those of a scenario's seed
FACILITY = 1
SENSORS = 2
TELEMETRY = 1  # among those of sensors


def generator(seed: int, *key: int) -> np.random.Generator:
    """The generator of one of the keys of a seed."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


class RandomRows:
    """Rows of standard normal numbers, to be used up one after the other."""

    def __init__(self, count: int, *parts: tuple[np.random.Generator, tuple[int, ...]]) -> None:
        """So many rows; parts of one come from a generator each, so that none changes others."""
        self._parts = parts
        self.rows = self._draw(count)
        self.used = np.zeros(1, dtype=np.int64)  # how many, one entry

    def _draw(self, count: int) -> np.ndarray:
        drawn = [rng.standard_normal((count, *shape)) for rng, shape in self._parts]
        return np.concatenate(drawn, axis=-1)

    def refill(self, needed: int) -> None:
        """Puts new rows behind the unused ones where fewer than needed are left: how the run is
        cut into calls does not show."""
        used = self.used[0]
        if used + needed <= len(self.rows):
            return
        left = self.rows[used:].copy()
        self.rows[: len(left)] = left
        self.rows[len(left) :] = self._draw(used)
        self.used[0] = 0
