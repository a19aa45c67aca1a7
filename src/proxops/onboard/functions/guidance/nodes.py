"""Where a plan has its nodes."""

import numpy as np


def node_times(
    start: float, arrival: float, *, intervals: int, burn: float, every: float, near: int = 3
) -> np.ndarray:
    """Times of the nodes [s], (N + 1,), N ≤ intervals.

    The first `near` intervals are as long as the time between plans (`every`): what is flown before
    the next plan, is planned finely.  The others are even, and the last one is as long as a burn,
    so that thrust ends on arrival.  No interval is shorter than a burn; a short rest has fewer.
    """
    rest = arrival - start
    count = min(intervals, max(1, round(rest / burn)))
    if count == 1:
        return np.array([start, arrival])
    last = arrival - rest / count if count < intervals else arrival - burn
    even = np.linspace(start, last, count)
    if count <= near + 1 or even[1] - start <= every:
        return np.append(even, arrival)
    fine = start + every * np.arange(near)
    return np.concatenate([fine, np.linspace(start + every * near, last, count - near), [arrival]])
