"""What the ground sends, from the scenario."""

import math
from collections.abc import Iterable

from proxops.scenario.schema.ground import Ground
from proxops.scenario.schema.sampled import Window

Windows = list[tuple[float, float]]


def ground_windows(given: Ground) -> tuple[Windows, Windows]:
    """When there is a go, and when the link is lost, from and until [s]."""
    return _of(given.go), _of(given.link_lost)


def _of(windows: Iterable[Window]) -> Windows:
    return [(each.from_s, math.inf if each.until_s is None else each.until_s) for each in windows]
