"""Where a plan has its nodes."""

import numpy as np


def node_times(
    start: float, arrival: float, *, intervals: int, burn: float, every: float, near: int = 3
) -> np.ndarray:
    """Times of the nodes [s], (N + 1,), N ≤ intervals.

    The first `near` intervals are as long as the time between plans (`every`): what is flown before
    the next plan, is planned finely.  The others are even and no shorter than a burn, and the last
    one is as long as a burn, so that thrust ends on arrival; a short rest has fewer.
    """
    even = _even(start, arrival, intervals, burn)
    if even.size <= near + 2 or even[1] - start <= every:
        return even
    fine = start + every * np.arange(near)
    return np.concatenate([fine, _even(start + every * near, arrival, intervals - near, burn)])


def _even(start: float, arrival: float, intervals: int, burn: float) -> np.ndarray:
    """At most so many intervals, none shorter than a burn and the last one as long."""
    rest = arrival - start
    count = min(intervals, max(1, round(rest / burn)))
    if count == 1:
        return np.array([start, arrival])
    last = arrival - rest / count if count < intervals else arrival - burn
    return np.append(np.linspace(start, last, count), arrival)
