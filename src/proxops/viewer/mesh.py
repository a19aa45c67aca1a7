"""Meshes of a scenario, read from where they are; a recording keeps their paths only."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from proxops.core.errors import InputError
from proxops.scenario.files import hash_mesh
from proxops.viewer.collada import read_collada

_CELLS = 400  # of the finest grid along the longest edge


class Mesh(NamedTuple):
    """Triangles, in units of the file."""

    vertices: np.ndarray  # (v, 3)
    faces: np.ndarray  # (f, 3)

    def coarse(self, most: int) -> "Mesh":
        """The same with no more than `most` faces: vertices in one cell of a grid become one, in
        their middle; the grid is the finest of those tried that does."""
        mesh, cells = self, float(_CELLS - 1)
        lowest = self.vertices.min(axis=0)
        extent = float((self.vertices - lowest).max())
        while len(mesh.faces) > most and cells > 1.0 and extent > 0.0:
            x, y, z = ((self.vertices - lowest) * (cells / extent)).astype(np.int64).T
            key = (x * _CELLS + y) * _CELLS + z
            _, cell, counts = np.unique(key, return_inverse=True, return_counts=True)
            sums = [np.bincount(cell, weights=along) for along in self.vertices.T]
            faces = cell[self.faces]
            a, b, c = faces.T
            mesh = Mesh(
                np.stack(sums, axis=1) / counts[:, None], faces[(a != b) & (b != c) & (c != a)]
            )
            cells *= 0.75
        return mesh


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
    try:
        if file.lower().endswith(".dae"):
            vertices, faces = read_collada(Path(file).read_bytes())
        else:
            import trimesh

            found = trimesh.load_mesh(file)
            vertices, faces = np.asarray(found.vertices), np.asarray(found.faces)
    except Exception:  # readers of a dozen formats, each with its own ways to fail
        return None
    sound = len(vertices) and len(faces) and np.isfinite(vertices).all()
    return Mesh(vertices, faces) if sound else None
