"""A straight line through samples, and where a further sample would lie."""

from typing import NamedTuple

import numpy as np

SHARE = 0.95  # of further samples that lie inside


class LineFit(NamedTuple):
    """ŷ = offset + slope x, and half the width of the prediction interval there."""

    slope: float
    offset: float
    spread: float  # standard deviation of the samples about the line
    line: np.ndarray  # ŷ at the asked places (k,)
    half: np.ndarray  # half of the interval there (k,)


def fit_line(x: np.ndarray, y: np.ndarray, at: np.ndarray, share: float = SHARE) -> LineFit:
    """The least-squares line of samples (n,), n > 2, and its prediction interval at places (k,).

        b = Σ (x - x̄)(y - ȳ) / S,   S = Σ (x - x̄)²,   s² = Σ (y - ŷ)² / (n - 2)
        ŷ ± t s √(1 + 1/n + (x - x̄)²/S),   t the quantile (1 + share)/2 of Student's, n - 2

    for independent normal errors of one variance (Draper & Smith, Applied Regression Analysis,
    ch. 3).  One sample in twenty lies outside of 95 %, and the line's own error is in it.
    """
    from scipy.special import stdtrit

    n, middle = len(x), float(x.mean())
    off = x - middle
    extent = float(off @ off)
    slope = float(off @ y) / extent
    offset = float(y.mean()) - slope * middle
    left = y - offset - slope * x
    spread = float(np.sqrt(left @ left / (n - 2)))
    quantile = float(stdtrit(n - 2, 0.5 * (1.0 + share)))
    half = quantile * spread * np.sqrt(1.0 + 1.0 / n + (at - middle) ** 2 / extent)
    return LineFit(slope, offset, spread, offset + slope * at, np.asarray(half))
