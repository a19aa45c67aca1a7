"""Fewer samples of a curve, none of its extremes lost."""

from itertools import pairwise

import numpy as np


def decimate(t: np.ndarray, values: np.ndarray, most: int) -> np.ndarray:
    """Numbers of the samples to draw of curves (n,) or (n, k), at most `most` where n is larger.

    The samples are parted into buckets of equal count; of each curve and bucket the first lowest
    and the first highest sample are kept, and the two ends of all: what is drawn never misses a
    peak, and never shows one that was not recorded.
    """
    n = len(t)
    curves = values.reshape(n, -1)
    if n <= most:
        return np.arange(n)
    buckets = max(1, (most - 2) // (2 * curves.shape[1]))
    edges = np.linspace(0, n, buckets + 1).astype(int)
    kept = {0, n - 1}
    for low, high in pairwise(edges.tolist()):
        part = curves[low:high]
        kept.update((low + part.argmin(axis=0)).tolist())
        kept.update((low + part.argmax(axis=0)).tolist())
    return np.array(sorted(kept))
