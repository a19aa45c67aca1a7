"""How the hubs of a scenario look."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from proxops.assembly.bend import STATIONS, Strip, strip_of
from proxops.core.description import ShapeDescription, SolidDescription
from proxops.core.frame import frame, quaternion_of
from proxops.scenario.schema import Arm, Chaser, Target
from proxops.scenario.schema.appendage import ChaserAppendage, TargetAppendage
from proxops.scenario.schema.shape import (
    LONGEST_M,
    SHORTEST_M,
    Box,
    ChaserShape,
    Mesh,
    TargetShape,
)
from proxops.scenario.urdf import CACHE_SIZE, parse_urdf
from proxops.scenario.urdf_visual import arm_shapes

HUB = "hub"  # name of the box that stands for a hub without shapes
_THINNEST = 0.01  # of its longest edge: what is thinner could not be seen
_STRETCHES = 6  # of an appendage, each a box that moves as its middle does
_PANEL = (43, 74, 139)  # colour of an appendage

_Vector = tuple[float, float, float]


def shapes_of(craft: Chaser | Target) -> dict[str, ShapeDescription]:
    """Shapes of a craft's hub by name: those given in the scenario, else one box of its mass and
    inertia."""
    if not craft.shapes:
        return {HUB: homogeneous_box(craft.mass_kg, np.array(craft.inertia_kg_m2))}
    return {name: _described(shape) for name, shape in craft.shapes.items()}


def hub_solids(
    craft: str, shapes: Mapping[str, ChaserShape | TargetShape]
) -> tuple[SolidDescription, ...]:
    """Shapes of a hub as bodies that have a distance, but for those that are to be touched.  Rings
    and cones count as the cylinders that hold them.  Meshes are left out: a recording keeps none of
    their files."""
    return tuple(
        SolidDescription(_convex(_described(shape)), f"{craft}.shapes.{name}")
        for name, shape in shapes.items()
        if not isinstance(shape, Mesh) and not getattr(shape, "exclude_from_clearance", False)
    )


def appendage_solids(
    craft: str, appendages: Mapping[str, ChaserAppendage] | Mapping[str, TargetAppendage]
) -> tuple[SolidDescription, ...]:
    """Appendages as they are drawn, in stretches that move with their modes."""
    solids: list[SolidDescription] = []
    for name, given in appendages.items():
        for shape, bends in _stretches(strip_of(given)):
            part = f"{craft}.appendages.{name}"
            solids.append(SolidDescription(shape, part, appendage=name, bends=bends))
    return tuple(solids)


def _stretches(strip: Strip) -> Iterator[tuple[ShapeDescription, tuple[_Vector, ...]]]:
    """Boxes one after the other along a strip, and by how much the middle of each moves per unit of
    each modal coordinate; hub axes [m]."""
    X_FB = frame(strip.p, strip.q)
    corners = strip.rest.reshape(STATIONS, -1, 3)
    middles = corners.mean(axis=1)
    moves = strip.shapes.reshape(len(strip.shapes), STATIONS, -1, 3).mean(axis=2)
    step = (STATIONS - 1) // _STRETCHES
    for first in range(0, STATIONS - 1, step):
        here = corners[first]
        edges = (middles[first + step] - middles[first], here[1] - here[0], here[3] - here[0])
        size = np.linalg.norm(edges, axis=1)
        x, y = edges[0] / size[0], edges[1] / size[1]
        w, *axis = quaternion_of(X_FB.R @ np.column_stack([x, y, np.cross(x, y)])).tolist()
        p = X_FB.p + X_FB.R @ middles[first + step // 2]
        shape = ShapeDescription("box", _vector(size), _vector(p), (w, *axis), _PANEL)
        yield shape, tuple(_vector(X_FB.R @ each) for each in moves[:, first + step // 2])


def _vector(values: np.ndarray) -> _Vector:
    x, y, z = values.tolist()
    return x, y, z


def arm_solids(name: str, arm: Arm, text: str) -> tuple[SolidDescription, ...]:
    """The links of an arm of that name as they are drawn from the text of its URDF file."""
    return _solids_of(name, text, arm.urdf, arm.tip)


@lru_cache(CACHE_SIZE)
def _solids_of(name: str, text: str, urdf: str, tip: str | None) -> tuple[SolidDescription, ...]:
    return tuple(
        SolidDescription(shape, f"chaser.arms.{name} {link}", name, joint)
        for joint, shape, link in arm_shapes(parse_urdf(text, urdf, tip), text)
    )


def homogeneous_box(mass: float, inertia: np.ndarray) -> ShapeDescription:
    """The box of even density with this mass [kg] and inertia about its centre [kg m2].

        I₁ = m (b² + c²)/12  and so on round:   a² = 6 (I₂ + I₃ - I₁)/m

    along the principal axes.  Every inertia that a body can have gives a box.  One that is thin is
    drawn with a hundredth of its longest edge, and edges end at the bounds of the schema.  Where
    little mass is far out, as in long arrays, the box is larger than the hub itself.
    """
    scale = float(np.max(np.abs(inertia)))  # moments are of order 1: any number may be given
    moments, axes = np.linalg.eigh(inertia / scale)
    squares = 6.0 * (moments.sum() - 2.0 * moments)
    # capped where even the thinnest edge is at its bound
    size = min(math.sqrt(scale) / math.sqrt(mass), LONGEST_M / _THINNEST)
    edges = size * np.sqrt(np.maximum(squares, 0.0))
    edges = np.clip(np.maximum(edges, _THINNEST * edges.max()), SHORTEST_M, LONGEST_M)
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] *= -1.0
    a, b, c = (float(edge) for edge in edges)
    w, x, y, z = (float(each) for each in quaternion_of(axes))
    box = Box(kind="box", size_m=(a, b, c))
    return ShapeDescription(box.kind, box.size(), (0.0, 0.0, 0.0), (w, x, y, z), box.rgb())


def _convex(shape: ShapeDescription) -> ShapeDescription:
    """The shape itself, of a ring or a cone the cylinder that holds it."""
    if shape.kind not in ("ring", "cone"):
        return shape
    radius = max(shape.size[:2])
    return replace(shape, kind="cylinder", size=(radius, radius, shape.size[2]))


def _described(shape: ChaserShape | TargetShape) -> ShapeDescription:
    p, q = shape.pose()
    mesh = shape.file if isinstance(shape, Mesh) else ""
    return ShapeDescription(shape.kind, shape.size(), p, q, shape.rgb(), mesh)
