"""Fewer samples of a curve, none of its extremes lost."""

import numpy as np


def decimate(values: np.ndarray, max_points: int) -> np.ndarray:
    """Numbers of the samples to draw of a curve (n,), in order, at most `max_points` (from 5 on).

    The samples are parted into stretches of equal count.  Of each, the first lowest and the first
    highest are kept, and where some are not finite the first of those, which leaves a gap; and the
    two ends of all.  What is drawn misses no peak and shows none that was not recorded.
    """
    n = len(values)
    if n <= max_points:
        return np.arange(n)
    finite = np.isfinite(values)
    of_each = 2 if finite.all() else 3
    width = -(-n // max(1, (max_points - 2) // of_each))
    starts = np.arange(0, n, width)
    # The last stretch is filled with its last sample, which its own first occurrence outranks.
    at = np.minimum(starts[:, np.newaxis] + np.arange(width), n - 1)
    samples, sound = values[at], finite[at]
    kept = [
        starts + np.where(sound, samples, np.inf).argmin(axis=1),
        starts + np.where(sound, samples, -np.inf).argmax(axis=1),
        (starts + sound.argmin(axis=1))[~sound.all(axis=1)],
        np.array([0, n - 1]),
    ]
    return np.unique(np.concatenate(kept))
