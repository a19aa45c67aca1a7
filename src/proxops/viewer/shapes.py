"""Shapes of a hub, and capsules, as things to draw."""

from collections.abc import Sequence

import numpy as np

from proxops.core.description import ShapeDescription
from proxops.core.frame import z_onto
from proxops.viewer.bodies import body_of
from proxops.viewer.mesh import read_mesh
from proxops.viewer.pose import HERE, Pose, Vector, inverse, pose_of, vector
from proxops.viewer.scene import Colour, Solid, Surface, Thing


def drawn(
    name: str,
    frame: str,
    shape: ShapeDescription,
    opacity: float = 1.0,
    max_faces: int | None = None,
) -> list[Thing]:
    """A shape; nothing for a mesh that cannot be read.  One with more than `max_faces` faces is
    drawn coarser."""
    if shape.kind in ("ring", "cone"):
        vertices, faces = body_of(shape)
    elif shape.kind == "mesh":
        mesh = read_mesh(shape.mesh)
        if mesh is None:
            return []
        mesh = mesh if max_faces is None else mesh.coarse(max_faces)
        vertices, faces = mesh.vertices * np.array(shape.size), mesh.faces
    else:
        return [Solid(name, frame, shape, opacity)]
    X = Pose(shape.p, shape.q)
    return [Surface(name, frame, X, faces, lambda _: vertices, shape.colour, opacity, stays=True)]


def corners(shape: ShapeDescription) -> np.ndarray:
    """Corners (8, 3) of the box around a shape, on the hub [m]."""
    X, half = box_around(shape)
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return np.array([X.act(vector(corner)) for corner in signs * half])


def box_around(shape: ShapeDescription) -> tuple[Pose, np.ndarray]:
    """The box around a shape: its middle on the hub, and half of its edges [m]."""
    half = np.array(shape.size) * (1.0 if shape.kind == "sphere" else 0.5)
    middle = np.zeros(3)
    if shape.kind in ("cylinder", "ring", "cone"):
        half[:2] = max(shape.size[:2])
    elif shape.kind == "mesh":
        mesh = read_mesh(shape.mesh)
        found = np.zeros((1, 3)) if mesh is None else mesh.vertices * np.array(shape.size)
        half, middle = 0.5 * np.ptp(found, axis=0), 0.5 * (found.min(axis=0) + found.max(axis=0))
    return Pose(shape.p, shape.q) @ Pose(vector(middle), HERE.q), half


def way_out(boxes: Sequence[tuple[Pose, np.ndarray]], direction: Vector) -> float:
    """How far a ray from the frame's origin goes until it has left the last box that it meets [m];
    zero if it meets none."""
    far = 0.0
    for X, half in boxes:
        back = inverse(X.q)
        start = -np.array(Pose(HERE.p, back).rotate(X.p))
        along = np.array(Pose(HERE.p, back).rotate(direction))
        along = np.where(np.abs(along) < 1e-12, 1e-12, along)
        one, two = (-half - start) / along, (half - start) / along
        enters, leaves = np.minimum(one, two).max(), np.maximum(one, two).min()
        if leaves > max(enters, far):
            far = float(leaves)
    return far


def capsule(ends: tuple[Vector, Vector], radius: float, colour: Colour) -> list[ShapeDescription]:
    """All points within a radius [m] of a segment: a ball at either end, a cylinder between."""
    first, last = np.array(ends[0]), np.array(ends[1])
    length = float(np.linalg.norm(last - first))
    balls = [
        ShapeDescription("sphere", (radius,) * 3, end, HERE.q, colour)
        for end in dict.fromkeys(ends)
    ]
    if length == 0.0:
        return balls
    q = pose_of(z_onto((last - first) / length), first).q
    size = (radius, radius, length)
    middle = vector(0.5 * (first + last))
    return [*balls, ShapeDescription("cylinder", size, middle, q, colour)]
