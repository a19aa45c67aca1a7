"""Standard normal numbers for sensors: rows of whether a sample is lost, then a sensor's own.

A row is used up by each instant, whether or not a sensor is due, so that one sensor's rate changes
no other sensor's noise.  Sensors that came later have a generator each, by their names: one more
sensor changes nobody's noise either.
"""

from collections.abc import Collection, Sequence
from zlib import crc32

import numpy as np

from proxops.core.random_rows import SENSORS, TELEMETRY, generator
from proxops.sensors.sensor import Chaser, SensorKind

_BY_NAME = 2  # key of random numbers, among those of sensors
# These share a generator, as they have from the start: another order would be another noise
_FIRST = ("star_tracker", "gyro", "camera", "wrist", "encoders")
_TELEMETRY = "telemetry"  # has one of its own


class SensorDraws:
    """The numbers of all sensors for so many instants, made anew as they are used up."""

    def __init__(
        self,
        seed: int,
        sensors: Sequence[SensorKind],
        chaser: Chaser,
        rows: int,
        unheard: Collection[str] = (),
    ) -> None:
        """So many rows; zeros for groups of sensors that are all `unheard`: no number of theirs
        changes what they say."""
        self.used = np.zeros(1, dtype=np.int64)  # how many rows, one entry
        self.start: dict[str, np.ndarray] = {}  # for constant errors, by sensor
        self.rows: dict[str, np.ndarray] = {}
        self._groups: list[tuple[np.random.Generator, int, dict[str, np.ndarray]]] = []
        self._count = rows
        for rng, members in _groups(seed, sensors):
            if all(each.name in unheard for each in members):
                for each in members:
                    size = each.draws(chaser)
                    self.start[each.name] = np.zeros(size)
                    self.rows[each.name] = np.zeros((rows, 1 + size))
                continue
            own, end = {}, len(members)  # in a group's row the losses come first
            for loss, each in enumerate(members):
                size = each.draws(chaser)
                own[each.name] = np.array([loss, *range(end, end + size)])
                end += size
            self._groups.append((rng, end, own))
            # What has no constant errors draws none
            biased = members[0].name in _FIRST or members[0].constant_errors
            first = rng.standard_normal(end) if biased else np.zeros(end)
            drawn = rng.standard_normal((rows, end))
            for name, columns in own.items():
                self.start[name] = first[columns[1:]]
                self.rows[name] = drawn.take(columns, axis=1)

    def refill(self, needed: int) -> None:
        """Puts new rows behind the unused ones where fewer than needed are left: how the run is
        cut into calls does not show."""
        used = int(self.used[0])
        if used + needed <= self._count:
            return
        for rng, width, own in self._groups:
            drawn = rng.standard_normal((used, width))
            for name, columns in own.items():
                rows = self.rows[name]
                rows[: self._count - used] = rows[used:].copy()
                drawn.take(columns, axis=1, out=rows[self._count - used :], mode="clip")
        self.used[0] = 0


def _groups(
    seed: int, sensors: Sequence[SensorKind]
) -> list[tuple[np.random.Generator, list[SensorKind]]]:
    """Generators, and the sensors that share each."""
    groups = [
        (generator(seed, SENSORS), [each for each in sensors if each.name in _FIRST]),
        (generator(seed, SENSORS, TELEMETRY), [e for e in sensors if e.name == _TELEMETRY]),
    ]
    for each in sensors:
        if each.name not in (*_FIRST, _TELEMETRY):
            key = crc32(each.name.encode())
            groups.append((generator(seed, SENSORS, _BY_NAME, key), [each]))
    return [(rng, members) for rng, members in groups if members]
