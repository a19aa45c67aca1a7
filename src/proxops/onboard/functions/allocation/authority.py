"""How much force thrusters can give whatever the direction."""

import numpy as np

_PARALLEL = 1e-9  # sine of the angle below which two thrusters span no plane


def force_in_any_direction(forces: np.ndarray) -> float:
    """The largest force that can be given in every direction [N]; forces (n, 3) are those of the
    thrusters at full thrust.

    What they can give together, {Σ uᵢ fᵢ, 0 ≤ u ≤ 1}, is a convex body whose faces are spanned by
    two thrusters each.  With the normal n of a face, the body reaches Σ max(0, n·fᵢ) beyond the
    origin along n; the least of these is the radius of the largest ball around the origin inside.
    """
    first, second = np.triu_indices(len(forces), 1)
    normals = np.cross(forces[first], forces[second])
    sizes = np.linalg.norm(normals, axis=1)
    lengths = np.linalg.norm(forces, axis=1)
    spans = sizes > _PARALLEL * lengths[first] * lengths[second]
    along = (normals[spans] / sizes[spans, None]) @ forces.T
    reaches = np.minimum(np.maximum(along, 0.0).sum(axis=1), np.maximum(-along, 0.0).sum(axis=1))
    return float(reaches.min(initial=np.inf)) if reaches.size else 0.0


def authority_without_each(forces: np.ndarray) -> np.ndarray:
    """Share of that force that is left without each of the thrusters (n,); 1 where none is left: a
    manoeuvre then does what it can in the time that it would have taken."""
    full = force_in_any_direction(forces)
    left = [force_in_any_direction(np.delete(forces, i, axis=0)) for i in range(len(forces))]
    return np.array([each / full if each > 0.0 else 1.0 for each in left])
