"""Guard conditions as they are written, "control.position_error < 1 m": their form alone."""

import re
from typing import NamedTuple

from proxops.core.errors import InputError
from proxops.core.text import nearest
from proxops.core.units import UNITS, unit_named

_FORM = re.compile(r"\s*([A-Za-z_][\w.]*)(?:\[(\d+)\])?\s*([<>]=?)\s*([-+.\deE]+)\s*(.*?)\s*")
_EXAMPLE = 'must be like "control.position_error < 1 m"'


class ConditionText(NamedTuple):
    """The parts of a condition."""

    name: str  # of a field
    component: int | None  # of it; none: all, by their norm if there are several
    sign: str
    limit: float  # in `unit`
    unit: str  # of UNITS, "1" for none


def parse_condition(text: str, where: str) -> ConditionText:
    """A condition in its parts; InputError names what is wrong with its form, number or unit."""
    found = _FORM.fullmatch(text)
    if found is None:
        raise InputError(f"{where}: {_EXAMPLE}; found {text[:80]!r}")
    name, component, sign, number, unit = found.groups()
    try:
        limit = float(number)
    except ValueError:
        raise InputError(f"{where}: {number!r} is not a number; {_EXAMPLE}") from None
    named = unit_named(unit or "1")
    if named is None:
        raise InputError(f"{where}: there is no unit {unit[:40]!r}{nearest(unit, list(UNITS))}")
    return ConditionText(name, None if component is None else int(component), sign, limit, named)
