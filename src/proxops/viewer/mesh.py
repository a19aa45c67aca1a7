"""Meshes of a scenario, read from where they are; a recording keeps their paths only."""

from functools import cache
from typing import NamedTuple

import numpy as np


class Mesh(NamedTuple):
    """Triangles, in units of the file."""

    vertices: np.ndarray  # (v, 3)
    faces: np.ndarray  # (f, 3)


@cache
def read_mesh(file: str) -> Mesh | None:
    """The triangles of a file; None where it is gone or is no mesh: a run can be looked at on
    another machine."""
    import trimesh

    try:
        found = trimesh.load_mesh(file)
        vertices, faces = np.asarray(found.vertices), np.asarray(found.faces)
    except Exception:  # readers of a dozen formats, each with its own ways to fail
        return None
    sound = len(vertices) and len(faces) and np.isfinite(vertices).all()
    return Mesh(vertices, faces) if sound else None
