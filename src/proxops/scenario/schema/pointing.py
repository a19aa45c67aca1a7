"""An attitude by where two axes point: "+z to target", "+x to -R-bar"."""

import re
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, Field

from proxops.core.text import nearest
from proxops.scenario.schema.base import Vector3, reject

# Directions of the Hill frame as rendezvous engineers name them, in H
BARS: dict[str, Vector3] = {
    "+V-bar": (0.0, 1.0, 0.0),
    "-V-bar": (0.0, -1.0, 0.0),
    "+R-bar": (-1.0, 0.0, 0.0),
    "-R-bar": (1.0, 0.0, 0.0),
    "+H-bar": (0.0, 0.0, -1.0),
    "-H-bar": (0.0, 0.0, 1.0),
}
AXES: dict[str, Vector3] = {
    "+x": (1.0, 0.0, 0.0),
    "-x": (-1.0, 0.0, 0.0),
    "+y": (0.0, 1.0, 0.0),
    "-y": (0.0, -1.0, 0.0),
    "+z": (0.0, 0.0, 1.0),
    "-z": (0.0, 0.0, -1.0),
}
OTHERS = ("target", "chaser")  # what an axis may point at
_FORM = re.compile(r"\s*(\S+)\s+to\s+(\S+)\s*")
_EXAMPLE = 'must be like "+z to target" or "+x to -R-bar"'


class Pointed(NamedTuple):
    """An axis of the spacecraft, and what it points along or at."""

    axis: str  # of AXES, or the name of a frame whose z axis it is
    direction: str  # of BARS or OTHERS


def parse_pointing(text: str) -> Pointed:
    """The two parts of a pointing; a ValueError says what is wrong with its form."""
    found = _FORM.fullmatch(text)
    if found is None:
        raise ValueError(f"{_EXAMPLE}, found {text[:60]!r}")
    axis, direction = found.groups()
    axis = f"+{axis}" if f"+{axis}" in AXES else axis
    direction = f"+{direction}" if f"+{direction}" in BARS else direction
    if direction not in (*BARS, *OTHERS):
        raise ValueError(f"no direction {direction[:60]!r}{nearest(direction, (*BARS, *OTHERS))}")
    return Pointed(axis, direction)


def _readable(given: tuple[str, str]) -> tuple[str, str]:
    for text in given:
        try:
            parse_pointing(text)
        except ValueError as error:
            raise reject(str(error)) from None
    return given


Pointing = Annotated[tuple[str, str], Field(strict=False), AfterValidator(_readable)]
