"""Rows of the bus for tests: flat arrays, and where fields stand in them."""

from collections.abc import Iterable

from proxops.bus.bus import T
from proxops.bus.fields import Field, Layout
from proxops.sensors.sensor import Chaser, block_fields
from proxops.sensors.shipped import SHIPPED


class Columns:
    """Columns of a row by names of fields: an index for a number, a slice for an array."""

    def __init__(self, fields: Iterable[Field]) -> None:
        self.layout = Layout(fields)
        self.size = self.layout.size
        self._numbers = {each.name for each in self.layout if not each.shape}

    def __getitem__(self, name: str) -> int | slice:
        where = self.layout.where(name)
        return where.start if name in self._numbers else where

    def block(self, name: str) -> slice:
        """Of all fields of a sensor."""
        names = [each.name for each in self.layout if each.name.startswith(f"{name}.")]
        own = [self.layout.where(each) for each in names]
        return slice(own[0].start, own[-1].stop)


def measured(joints: int, thrusters: int) -> Columns:
    """What the shipped sensors say, of a chaser with so many joints and thrusters."""
    chaser = Chaser(joints, thrusters)
    return Columns((T, *(field for each in SHIPPED for field in block_fields(each, chaser))))
