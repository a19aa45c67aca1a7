"""A figure before anyone draws it: curves with their units, and what they are compared with."""

from dataclasses import dataclass

import numpy as np

LINE, DASHED, POINTS, RINGS, BARS, TICKS = "line", "dashed", "points", "rings", "bars", "ticks"
AREA, BOLD, MARKS, COLUMNS = "area", "bold", "marks", "columns"


@dataclass(frozen=True, eq=False)
class Curve:
    """Samples y over x, in the units of the figure's axes; samples that are not finite leave gaps.

    Points are (n,); of BARS, x is (n, 2): from where to where, at the height y; of COLUMNS as well,
    and they stand on zero.
    """

    label: str
    x: np.ndarray
    y: np.ndarray
    kind: str = LINE  # or BOLD, DASHED, POINTS, RINGS, BARS; TICKS are upright, an AREA is filled
    colour: int | None = None  # number in the palette; by order if not given
    notes: tuple[str, ...] = ()  # of each point, shown when it is pointed at; of MARKS, always


@dataclass(frozen=True)
class Level:
    """A value that curves are compared with: a limit, or what was published."""

    label: str
    value: float
    window: tuple[float, float] | None = None  # on the other axis; all of it if not given


@dataclass(frozen=True, eq=False)
class Figure:
    """Curves that share their axes."""

    title: str
    y: str  # title of the axis, with frame and unit
    curves: tuple[Curve, ...]
    x: str = "time [s]"
    caption: str = ""
    levels: tuple[Level, ...] = ()  # on the y axis
    instants: tuple[Level, ...] = ()  # on the x axis
    log: bool = False
    rows: tuple[str, ...] = ()  # words at y = 0, 1, 2, ... where the axis has no numbers
    equal: bool = False  # both axes to the same scale
    wide: bool = False
    linked: bool = True  # its x axis is the page's time
    down: bool = False  # the y axis grows downwards
    window: tuple[tuple[float, float], tuple[float, float]] | None = None  # seen first of x and y
