"""Histograms of what a requirement came to in the cases of a campaign."""

import math

import numpy as np

from proxops.campaigns.result import Spread
from proxops.core.plot import COLUMNS, Curve, Figure, Level
from proxops.report.tables import number

FEWEST, MOST = 6, 30  # columns
FAR = 2.0  # spans of the values: a limit farther away is not drawn
MARGIN = 0.04  # of an axis, beside what is drawn
MET, FAILED = 0, 1  # colours


def histogram(spread: Spread, values: np.ndarray) -> Figure:
    """Cases by value, with the limit; `values` of all cases, not a number where there is none."""
    finite = values[np.isfinite(values)]
    met = meets(spread, finite)
    edges = edges_of(finite, spread.limit)
    curves = [
        Curve(label, np.stack([edges[:-1], edges[1:]], axis=1), counts, COLUMNS, colour)
        for label, counts, colour in (
            ("meets the limit", np.histogram(finite[met], edges)[0], MET),
            ("does not", np.histogram(finite[~met], edges)[0], FAILED),
        )
        if counts.any()
    ]
    unit = "" if spread.unit in ("", "1") else f" {spread.unit}"
    limit = f"limit {spread.comparison} {number(spread.limit)}{unit}"
    low, high = float(edges[0]), float(edges[-1])
    if is_far(edges, spread.limit):
        limit += f" (off to the {'left' if spread.limit < low else 'right'})"
    else:
        low, high = min(low, spread.limit), max(high, spread.limit)
    edge = MARGIN * (high - low)
    top = float(np.histogram(finite, edges)[0].max())
    missed = f"{spread.failed} do not meet the limit" if spread.failed else "all meet the limit"
    return Figure(
        spread.name,
        "cases",
        tuple(curves),
        f"{spread.name} [{spread.unit or '1'}]",
        f"{len(finite)} of {len(values)} cases have a value; {missed}.",
        instants=(Level(limit, spread.limit),),
        linked=False,
        window=((low - edge, high + edge), (0.0, (1.0 + MARGIN) * top)),
    )


def meets(spread: Spread, values: np.ndarray) -> np.ndarray:
    """Which of the values meet the limit."""
    return values <= spread.limit if spread.comparison == "<=" else values >= spread.limit


def edges_of(values: np.ndarray, limit: float) -> np.ndarray:
    """Edges of columns of equal width over the values; the limit is one of them where it is near,
    so that no column is on both of its sides."""
    low, high = float(values.min()), float(values.max())
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        half = 0.05 * abs(low) or 0.5
        low, high = low - half, high + half
    count = min(MOST, max(FEWEST, math.ceil(math.sqrt(len(values)))))
    width = (high - low) / count
    if is_far(np.array([low, high]), limit):
        return np.linspace(low, high, count + 1)
    first, last = math.floor((low - limit) / width), math.ceil((high - limit) / width)
    return limit + width * np.arange(first, max(last, first + 1) + 1)


def is_far(edges: np.ndarray, limit: float) -> bool:
    """Whether the columns would be a thin line if the limit was drawn too."""
    span = float(edges[-1] - edges[0])
    return max(float(edges[0]) - limit, limit - float(edges[-1])) > FAR * span
