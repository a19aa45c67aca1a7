"""What requirements of cases have left, as a search takes it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from proxops.campaigns.worst import margin, sizes_of
from proxops.results.run import COLLIDES

_WORST = -1.0  # a collision, or a value that was never reached: as far beyond its limit as that is


def margins_of(cases: Sequence[Mapping[str, Any]], names: Collection[str]) -> np.ndarray:
    """A row for each case, a column for each requirement: its margin as a share of the limit; not a
    number for a case that was not flown, and `_WORST` at most after a collision."""
    found = np.full((len(cases), max(1, len(names))), np.nan)
    sizes = sizes_of(cases)
    for row, case in zip(found, cases, strict=True):
        if case.get("hash", "") is None:
            continue
        row[:] = 0.0 if case["passed"] else _WORST
        items = {item["name"]: item for item in case["requirements"]}
        for column, name in enumerate(names):
            if name in items:
                row[column] = max(margin(items[name], sizes), _WORST)
        if str(case["cause"]).startswith(f"{COLLIDES}:"):
            row[:] = np.minimum(row, _WORST)
    return found
