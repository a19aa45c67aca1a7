"""Meshes of a scenario, read from where they are; a recording keeps their paths only."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from proxops.core.errors import InputError
from proxops.scenario.files import hash_mesh


class Mesh(NamedTuple):
    """Triangles, in units of the file."""

    vertices: np.ndarray  # (v, 3)
    faces: np.ndarray  # (f, 3)


@cache
def is_file_of(file: str, sha256: str) -> bool:
    """Whether a file has that hash.  Who knows it knows the file: a recording that names a file of
    this machine with its hash learns nothing."""
    try:
        return hash_mesh(file, Path(".")) == sha256
    except InputError:
        return False


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
