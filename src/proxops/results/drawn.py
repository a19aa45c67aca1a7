"""What was drawn for a dispersed case, in words and units."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

# Ends of keys' names, longest first where one ends in another
_UNITS = {
    "_N_m_s_rad": "N m s/rad",
    "_N_m_rad": "N m/rad",
    "_kg_m2": "kg m2",
    "_N_m_s": "N m s",
    "_N_s_m": "N s/m",
    "_N_m2": "N m2",
    "_deg_s": "deg/s",
    "_m_s": "m/s",
    "_N_m": "N m",
    "_deg": "deg",
    "_km": "km",
    "_kg": "kg",
    "_hz": "Hz",
    "_m": "m",
    "_s": "s",
    "_N": "N",
}
_PER_LENGTH = "stiffness"  # of a contact along a line: its N_m is N/m
_LONGEST = 4  # numbers of a value that are listed


class DrawnText(NamedTuple):
    """A draw for people."""

    name: str  # of the dispersion
    key: str
    by: str  # such as "times 0.9974"
    value: str  # that is true then; empty where it is long


def drawn_texts(drawn: Mapping[str, Any], provenance: Mapping[str, Any]) -> list[DrawnText]:
    """The draws of a case; the provenance of its run or campaign has the dispersions."""
    scenario = provenance.get("scenario", {})
    believed = scenario.get("case", {}).get("believed") or scenario.get("mission", {})
    dispersions = believed.get("dispersions") or {}
    return [
        DrawnText(name, each["key"], _by(each, dispersions.get(name) or {}), _value(each))
        for name, each in drawn.items()
    ]


def _by(each: Mapping[str, Any], declared: Mapping[str, Any]) -> str:
    numbers = np.atleast_1d(each["by"])
    text = ", ".join(f"{number:.5g}" for number in numbers)
    unit = _unit(each["key"])
    if declared.get("scale") is not None:
        return f"times {text}"
    if declared.get("shift") is not None:
        return _with_unit(", ".join(f"{number:+.5g}" for number in numbers), unit)
    if declared.get("rotation_deg") is not None:
        return f"rotated by {text} deg"
    if declared.get("isotropic") is not None:
        return f"length {_with_unit(text, unit)}"
    return f"choice {text}"


def _value(each: Mapping[str, Any]) -> str:
    value = each["value"]
    if isinstance(value, bool | str):
        return str(value)
    numbers = np.array(value, dtype=object)
    if numbers.ndim > 1 or numbers.size > _LONGEST:
        return ""
    text = ", ".join(f"{float(number):.5g}" for number in np.atleast_1d(numbers))
    return _with_unit(text, _unit(each["key"]))


def _unit(key: str) -> str:
    """The unit that the name of a key ends in; empty if none."""
    name = next((part for part in reversed(key.split(".")) if not part.isdigit()), key)
    unit = next((unit for end, unit in _UNITS.items() if name.endswith(end)), "")
    return "N/m" if unit == "N m" and _PER_LENGTH in name else unit


def _with_unit(text: str, unit: str) -> str:
    return f"{text} {unit}" if unit else text
