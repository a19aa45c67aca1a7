"""How much force thrusters can give whatever the direction."""

import itertools

import numpy as np

_PARALLEL = 1e-9  # sine of the angle below which two thrusters span no plane


def force_in_any_direction(forces: np.ndarray) -> float:
    """The largest force that can be given in every direction [N]; forces (n, 3) are those of the
    thrusters at full thrust.

    What they can give together, {Σ uᵢ fᵢ, 0 ≤ u ≤ 1}, is a convex body whose faces are spanned by
    two thrusters each.  With the normal n of a face, the body reaches Σ max(0, n·fᵢ) beyond the
    origin along n; the least of these is the radius of the largest ball around the origin inside.
    """
    reaches = []
    for a, b in itertools.combinations(forces, 2):
        normal = np.cross(a, b)
        size = float(np.linalg.norm(normal))
        if size <= _PARALLEL * float(np.linalg.norm(a) * np.linalg.norm(b)):
            continue
        along = forces @ (normal / size)
        reaches += [float(np.maximum(along, 0.0).sum()), float(np.maximum(-along, 0.0).sum())]
    return min(reaches, default=0.0)
