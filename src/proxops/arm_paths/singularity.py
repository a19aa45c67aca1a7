"""How far an arm is from postures in which it cannot move its end in every direction."""

import numpy as np

from proxops.arm_paths.arm import Arm, effector_jacobian, ranges

_SAMPLES = 4000  # postures among which the best is looked for
_REFINED = 40  # rounds of a search around it


def singular_values(arm: Arm, q: np.ndarray) -> np.ndarray:
    """Singular values (m, 6), largest first, of the Jacobian with lengths in parts of the arm's
    reach, for rows q (m, n) [rad or m].  The last is 0 in a singular posture; their product is
    Yoshikawa's manipulability."""
    J = effector_jacobian(arm, q)
    J[:, :3] /= arm.reach
    values = np.linalg.svd(J, compute_uv=False)
    missing = 6 - values.shape[1]  # an arm of fewer joints cannot move in all directions
    return np.pad(values, ((0, 0), (0, missing)))


def best_posture(arm: Arm) -> tuple[np.ndarray, float]:
    """The posture farthest from singular ones that a search over the joints' ranges finds, always
    the same: joints (n,) [rad or m] and smallest singular value [1]."""
    rng = np.random.default_rng(0)
    middle, half = ranges(arm)
    lower, upper = middle - half, middle + half
    postures = rng.uniform(lower, upper, (_SAMPLES, len(middle)))
    best = postures[np.argmax(singular_values(arm, postures)[:, -1])]
    width = 0.2 * half
    for _ in range(_REFINED):
        trials = np.clip(best + width * rng.uniform(-1.0, 1.0, (50, len(best))), lower, upper)
        trials = np.vstack([best, trials])
        best = trials[np.argmax(singular_values(arm, trials)[:, -1])]
        width = 0.85 * width
    return best, float(singular_values(arm, best[None])[0, -1])
