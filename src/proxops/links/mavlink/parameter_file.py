"""Parameter files of ground stations: a name and a value a line, `#` begins a comment."""

import math

from proxops.core.errors import InputError

NAME_SIZE = 16  # characters that PARAM_VALUE has room for


def parse(text: str, where: str) -> dict[str, float]:
    """Values by name; `where` names the file in errors."""
    values: dict[str, float] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split("#", 1)[0].replace(",", " ").split()
        if not words:
            continue
        place = f"{where}, line {number}"
        if len(words) != 2:
            raise InputError(f"{place}: write a name and a value, found {line.strip()!r}")
        name, value = words
        if not (name.isascii() and len(name) <= NAME_SIZE):
            raise InputError(f"{place}: {name!r} is no name of at most {NAME_SIZE} characters")
        if name in values:
            raise InputError(f"{place}: {name} is given twice")
        values[name] = _number(value, place, name)
    return values


def _number(text: str, place: str, name: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{place}: {name} must be a finite number, found {text!r}")
    return value
