"""Triangles of simple bodies, for what a browser has no shape for and for pictures without one."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from proxops.core.description import ShapeDescription
from proxops.viewer.pose import Pose, vector

SIDES = 32  # of round bodies


class Triangles(NamedTuple):
    """Corners and which three make a face, seen from outside counter-clockwise."""

    vertices: np.ndarray  # (v, 3) [m]
    faces: np.ndarray  # (f, 3)


def body_of(shape: ShapeDescription, sides: int = SIDES) -> Triangles:
    """A shape in its own frame; a mesh has none."""
    a, b, c = shape.size
    half = 0.5 * c
    if shape.kind in ("box", "panel"):
        return block(shape.size)
    if shape.kind == "sphere":
        angle = np.linspace(-0.5 * math.pi, 0.5 * math.pi, sides // 2 + 1)
        return turned([(a * math.cos(each), a * math.sin(each)) for each in angle], sides)
    if shape.kind == "ring":
        return turned([(b, -half), (a, -half), (a, half), (b, half), (b, -half)], sides)
    return turned([(0.0, -half), (a, -half), (b, half), (0.0, half)], sides)


def block(size: Sequence[float], middle: Sequence[float] = (0.0, 0.0, 0.0)) -> Triangles:
    """A box of these edges [m] about a point."""
    signs = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    faces = [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]
    return Triangles(signs * np.array(size) + np.array(middle), np.array(faces))


def turned(profile: Sequence[tuple[float, float]], sides: int = SIDES) -> Triangles:
    """The body that a line of points (radius, z) [m] makes when it turns about z; the line goes up
    on the outside."""
    angle = np.linspace(0.0, math.tau, sides, endpoint=False)
    rings = [
        np.column_stack([r * np.cos(angle), r * np.sin(angle), np.full(sides, z)])
        for r, z in profile
    ]
    i = np.arange(sides)
    j = (i + 1) % sides
    faces = []
    for number, ((below, _), (above, _)) in enumerate(pairwise(profile)):
        low, high = number * sides, (number + 1) * sides
        if below > 0.0:
            faces.append(np.column_stack([low + i, low + j, high + j]))
        if above > 0.0:
            faces.append(np.column_stack([low + i, high + j, high + i]))
    return Triangles(np.vstack(rings), np.vstack(faces))


def joined(bodies: Sequence[Triangles]) -> Triangles:
    """Several bodies as one."""
    counts = np.cumsum([0, *(len(each.vertices) for each in bodies)])
    faces = [each.faces + start for each, start in zip(bodies, counts, strict=False)]
    return Triangles(np.vstack([each.vertices for each in bodies]), np.vstack(faces))


def placed(body: Triangles, X: Pose) -> Triangles:
    """A body at a pose."""
    return body._replace(vertices=np.array([X.act(vector(each)) for each in body.vertices]))
