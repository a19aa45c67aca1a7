"""Guard conditions: "control.position_error < 1 m" as numbers that compiled code reads.

A condition compares a field of the bus with a limit: a number, one component of an array
("orbital.p_HC[1] > -30 m"), or the Euclidean norm of a whole array.
"""

from dataclasses import dataclass

import numpy as np

from proxops.bus.bus import Bus
from proxops.bus.fields import Field
from proxops.core.errors import InputError
from proxops.core.jit import helper
from proxops.core.text import nearest
from proxops.core.units import UNITS
from proxops.onboard.functions.plan.condition_text import parse_condition

# Columns of the conditions' array
SOURCE = 0  # MEASUREMENTS or ESTIMATES
START = 1  # where the field stands there
COUNT = 2  # of its numbers; their norm counts if there are several
SIGN = 3  # 1: above the limit, -1: below it
LIMIT = 4  # in SI units
INCLUSIVE = 5  # 1: the limit itself fulfils it
WIDTH = 6

MEASUREMENTS, ESTIMATES = 0.0, 1.0


@helper
def value_of(row, measurements, estimates):
    """The quantity of a condition, in SI units."""
    values = estimates if row[SOURCE] == ESTIMATES else measurements
    start, count = int(row[START]), int(row[COUNT])
    if count == 1:
        return values[start]
    total = 0.0
    for i in range(start, start + count):
        total += values[i] * values[i]
    return total**0.5


@helper
def holds(row, value):
    """Whether the condition holds; what is not a number fulfils none."""
    beyond = row[SIGN] * (value - row[LIMIT])
    return beyond > 0.0 or (beyond == 0.0 and row[INCLUSIVE] == 1.0)


@dataclass(frozen=True)
class Condition:
    """A condition as it is written, and what it means."""

    text: str
    quantity: str
    unit: str  # as it is written
    per_unit: float  # in SI units
    row: tuple[float, ...]

    def said(self, value: float) -> str:
        """The value that decided, beside the limit."""
        sign = (">" if self.row[SIGN] > 0.0 else "<") + "=" * int(self.row[INCLUSIVE])
        unit = "" if self.unit == "1" else f" {self.unit}"
        limit = self.row[LIMIT] / self.per_unit
        return f"{self.quantity} {value / self.per_unit:.4g}{unit}, limit {sign} {limit:.4g}{unit}"


def read_condition(text: str, bus: Bus, where: str) -> Condition:
    """A condition on the fields of a bus; InputError names what is wrong with it."""
    name, component, sign, limit, unit = parse_condition(text, where)
    source, layout = MEASUREMENTS, bus.measurements.layout
    if name not in layout:
        source, layout = ESTIMATES, bus.estimates.layout
    if name not in layout:
        known = [
            each.name for fields in (bus.measurements, bus.estimates) for each in fields.layout
        ]
        raise InputError(f"{where}: there is no quantity {name!r} on board{nearest(name, known)}")
    field = next(each for each in layout if each.attribute == layout.owner(name))
    place = layout.where(name)
    start, count = place.start, place.stop - place.start
    if component is not None:
        if component >= count:
            raise InputError(f"{where}: {name} has {count} components, found [{component}]")
        start, count = start + component, 1
    own = _unit(field, start - layout.where(field.name).start, count)
    if UNITS[unit][0] != own:
        fit = [each for each, (si, _) in UNITS.items() if si == own]
        raise InputError(f"{where}: {name} is in {' or '.join(fit) or own}; found {unit[:40]!r}")
    per_unit = UNITS[unit][1]
    signed, inclusive = 1.0 if sign[0] == ">" else -1.0, float(sign.endswith("="))
    row = (source, float(start), float(count), signed, limit * per_unit, inclusive)
    quantity = name if component is None else f"{name}[{component}]"
    return Condition(text, quantity, unit, per_unit, row)


def _unit(field: Field, first: int, count: int) -> str:
    """Unit of some numbers of a field, which has one for all, or one for each."""
    units = field.unit.split(",")
    return units[first] if len(units) > 1 and count == 1 else field.unit


def rows_of(conditions: list[Condition]) -> np.ndarray:
    """The conditions' array."""
    return np.array([each.row for each in conditions], dtype=float).reshape(-1, WIDTH)
