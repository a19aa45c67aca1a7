"""Where in the declared bounds a mission comes nearest to failing: the next points to fly.

Each requirement's margin has a surrogate through the points that were flown; the next point is
where the least of them, less what it may be off by, is smallest (lower confidence bound).  Points
of one batch are chosen one after the other, each as if those before it had come out as predicted.
"""

from collections.abc import Sequence

import numpy as np

from proxops.campaigns.surrogate import Surrogate, fitted

_FAR = 2.0  # margins are cut off here: how much worse than that does not matter
_SIGMAS = 1.5  # that a surrogate may be off by
_SCATTERED, _ROUNDS, _BEST, _NEAR = 1024, 6, 16, 32
_APART = 1e-4  # least distance of two points


def proposed(x: np.ndarray, margins: np.ndarray, numbers: int, seed: int, batch: int) -> np.ndarray:
    """The next points in the unit cube of so many numbers, a batch.

    Rows of x are the points that were flown; those of `margins` what their requirements had left,
    negative where they failed, not a number where there is none.
    """
    rng = np.random.default_rng((seed, len(x)))
    if not len(x):
        return np.vstack((np.full((1, numbers), 0.5), rng.random((batch - 1, numbers))))
    known = x[np.isfinite(margins).all(1)]
    values = np.clip(margins[np.isfinite(margins).all(1)], -_FAR, _FAR)
    if len(known) < 2 or not np.ptp(values):
        return rng.random((batch, numbers))
    points: list[np.ndarray] = []
    for _ in range(batch):
        models = [fitted(known, column) for column in values.T if np.ptp(column)]
        taken = np.vstack((x, *points)) if points else x
        point = _lowest(models, known[np.argsort(values.min(1))][:_BEST], taken, rng)
        predicted = [model.at(point[None, :])[0][0] for model in models]
        constant = iter(predicted)
        row = [next(constant) if np.ptp(column) else column[0] for column in values.T]
        known, values = np.vstack((known, point)), np.vstack((values, row))
        points.append(point)
    return np.array(points)


def _lowest(
    models: Sequence[Surrogate], best: np.ndarray, taken: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """The point with the smallest bound, away from those that were flown."""

    def bound(points: np.ndarray) -> np.ndarray:
        pairs = [model.at(points) for model in models]
        return np.asarray(np.min([mean - _SIGMAS * off for mean, off in pairs], axis=0))

    numbers = taken.shape[1]
    found = np.vstack((rng.random((_SCATTERED, numbers)), best))
    values = bound(found)
    for step in 0.5 ** np.arange(1, _ROUNDS + 1):
        order = np.argsort(values)[:_BEST]
        found, values = found[order], values[order]
        moves = step * rng.standard_normal((len(found), _NEAR, numbers))
        moves *= rng.random(moves.shape) < max(0.3, 2.0 / numbers)
        near = np.clip((found[:, None, :] + moves).reshape(-1, numbers), 0.0, 1.0)
        found, values = np.vstack((found, near)), np.concatenate((values, bound(near)))
    for i in np.argsort(values):
        if np.abs(taken - found[i]).max(1).min() > _APART:
            return np.asarray(found[i])
    return np.asarray(rng.random(numbers))
