"""How well a robot shows a motion, once its delay is taken out."""

from typing import NamedTuple

import numpy as np

FINER = 10  # delays are tried at a tenth of a sample


class Alignment(NamedTuple):
    """A shown motion beside the one that was meant."""

    delay: float  # by which the shown one is late [s]
    difference: float  # what is left between them, over the meant one; both root-mean-square [-]


def align(meant: np.ndarray, shown: np.ndarray, dt: float, longest: float) -> Alignment:
    """The delay up to `longest` [s] that makes two motions, sampled alike, most alike.

        difference = min over τ of |shown(t) - meant(t - τ)| / |meant(t - τ)|

    taken from the moment on where every tried delay has data, each motion without its mean and its
    drift: uniform motion is carried without error, so that they only depend on how it was started.
    """
    t = dt * np.arange(len(meant))
    late = t >= longest
    best = Alignment(0.0, np.inf)
    for delay in np.arange(0.0, longest + 0.5 * dt / FINER, dt / FINER):
        moved = swinging(np.interp(t[late] - delay, t, meant))
        left = swinging(shown[late]) - moved
        difference = float(np.linalg.norm(left) / np.linalg.norm(moved))
        if difference < best.difference:
            best = Alignment(float(delay), difference)
    return best


def swinging(samples: np.ndarray) -> np.ndarray:
    """A motion without its straight line of best fit."""
    t = np.linspace(-1.0, 1.0, len(samples))
    return np.asarray(samples - samples.mean() - t * (t @ samples) / (t @ t))
