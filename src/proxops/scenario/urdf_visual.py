"""How an arm looks: the <visual> elements of its URDF file."""

import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple
from xml.etree.ElementTree import Element

import numpy as np

from proxops.core.description import ArmDescription, ShapeDescription
from proxops.core.frame import quaternion_of, z_onto
from proxops.scenario.schema.shape import MESH_KINDS
from proxops.scenario.urdf import CACHE_SIZE, place_links
from proxops.scenario.urdf_elements import ElementError, Pose, number_of, numbers_of, origin_of

SHELL = (222, 224, 228)  # of links that name no colour
JOINT = (96, 104, 116)
_SLENDER = 0.03  # radius of a drawn link, of the arm's reach
_NO_SCALE = "1 1 1"

_Colour = tuple[int, int, int]
Drawn = tuple[int, ShapeDescription, str]  # number of the joint frame, shape, link


class Looks(NamedTuple):
    """What a file says of the looks of a link."""

    number: int  # of the joint frame
    link: str
    shapes: tuple[ShapeDescription, ...]  # boxes, cylinders, spheres
    meshes: tuple[ShapeDescription, ...]
    collisions: tuple[ShapeDescription, ...]  # meshes too, mostly coarser ones


def arm_shapes(
    arm: ArmDescription, text: str, can_draw: Callable[[str], bool] = lambda file: False
) -> list[Drawn]:
    """Shapes of an arm, each with the number of the joint frame that it is given in (0 for the
    arm's root frame A) and the name of its link.

    Of the meshes in the file those that `can_draw`; for a link with others, its <collision> meshes;
    where none can be drawn either, rods from joint to joint, as for a file without any shape.
    Without `can_draw` no mesh is among them: they have no distance.
    """
    found: list[Drawn] = []
    bare: set[int] = set()  # frames with a mesh that is not drawn
    links: dict[int, str] = {}  # the first in each frame: what its joint moves
    for looks in looks_of(text, arm.name, arm.tip):
        links.setdefault(looks.number, looks.link)
        shapes = [*looks.shapes, *(each for each in looks.meshes if can_draw(each.mesh))]
        if len(shapes) < len(looks.shapes) + len(looks.meshes):
            instead = [each for each in looks.collisions if can_draw(each.mesh)]
            shapes = [*looks.shapes, *instead] if instead else shapes
            bare.add(looks.number)
        found += [(looks.number, shape, looks.link) for shape in shapes]
    bare = bare - {number for number, _, _ in found} if found else {*links}
    rods = [(number, shape, links[number]) for number, shape in _rods(arm) if number in bare]
    return found + rods


def mesh_names(arm: ArmDescription, text: str) -> set[str]:
    """The meshes that the file of an arm would have it drawn with: paths of those that were found,
    the names in the file of others."""
    return {shape.mesh for each in looks_of(text, arm.name, arm.tip) for shape in each.meshes}


def mesh_files(arm: ArmDescription, text: str) -> set[str]:
    """Paths of the meshes of an arm that may be drawn: files that were found, of kinds that are
    read."""
    looks = looks_of(text, arm.name, arm.tip)
    named = {shape.mesh for each in looks for shape in (*each.meshes, *each.collisions)}
    return {
        file
        for file in named
        if os.path.isabs(file) and os.path.splitext(file)[1].lower() in MESH_KINDS
    }


@lru_cache(CACHE_SIZE)
def looks_of(text: str, where: str, tip: str) -> tuple[Looks, ...]:
    """What a file says of the looks of each link, joints off the way to the tip at zero."""
    document, placed = place_links(text, where, tip)
    colours = {
        each.get("name", ""): _rgb(each, SHELL) for each in document.iterfind("material[color]")
    }
    found = []
    for element, number, X_JL in placed:
        visuals = _shapes(element, "visual", X_JL, colours)
        colour = visuals[0].colour if visuals else SHELL
        collisions = _shapes(element, "collision", X_JL, {"": colour})
        found.append(
            Looks(
                number,
                element.get("name", ""),
                tuple(each for each in visuals if each.kind != "mesh"),
                tuple(each for each in visuals if each.kind == "mesh"),
                tuple(each for each in collisions if each.kind == "mesh"),
            )
        )
    return tuple(found)


def _shapes(
    link: Element, tag: str, X_JL: Pose, colours: Mapping[str, _Colour]
) -> list[ShapeDescription]:
    """The shapes of the elements of a link with that tag."""
    shapes = []
    for element in link.iterfind(tag):
        try:
            shape = _shape(element, X_JL, colours)
        except ElementError:
            continue  # looks are not worth rejecting a scenario for
        if shape is not None:
            shapes.append(shape)
    return shapes


def _shape(element: Element, X_JL: Pose, colours: Mapping[str, _Colour]) -> ShapeDescription | None:
    """The shape of a <visual> or <collision>; None where it has none that can be drawn."""
    geometry = element.find("geometry")
    found = None if geometry is None or not len(geometry) else geometry[0]
    if found is None:
        return None
    file = ""
    if found.tag == "box":
        kind, size = "box", numbers_of(found, "size", "")
    elif found.tag == "cylinder":
        radius = number_of(found, "radius")
        kind, size = "cylinder", np.array([radius, radius, number_of(found, "length")])
    elif found.tag == "sphere":
        kind, size = "sphere", np.full(3, number_of(found, "radius"))
    elif found.tag == "mesh":
        file = found.get("filename", "")
        kind, size = "mesh", numbers_of(found, "scale", _NO_SCALE)
    else:
        return None
    return _placed(kind, size, X_JL @ origin_of(element), _colour(element, colours), file)


def _placed(
    kind: str, size: np.ndarray, X: Pose, colour: _Colour, file: str = ""
) -> ShapeDescription:
    x, y, z = size.tolist()
    px, py, pz = X.p.tolist()
    w, qx, qy, qz = quaternion_of(X.R).tolist()
    return ShapeDescription(kind, (x, y, z), (px, py, pz), (w, qx, qy, qz), colour, file)


def _colour(element: Element, colours: Mapping[str, _Colour]) -> _Colour:
    material = element.find("material")
    named = "" if material is None else material.get("name", "")
    default = colours.get(named, SHELL)
    return default if material is None else _rgb(material, default)


def _rgb(material: Element, default: _Colour) -> _Colour:
    element = material.find("color")
    words = "" if element is None else element.get("rgba", "")
    try:
        red, green, blue, _ = (float(word) for word in words.split())
    except ValueError:  # not given, or not four numbers
        return default
    return _byte(red), _byte(green), _byte(blue)


def _byte(share: float) -> int:
    return round(255.0 * max(0.0, min(1.0, share)))  # in this order NaN, too, gives a number


def _rods(arm: ArmDescription) -> list[tuple[int, ShapeDescription]]:
    """A rod in every joint frame to the next one, and a ball at each joint."""
    offsets = [each.p_PJ for each in arm.joints] + [arm.p_JE]
    radius = _SLENDER * sum(float(np.linalg.norm(offset)) for offset in offsets)
    shapes = []
    for number, offset in enumerate(offsets):
        length = float(np.linalg.norm(offset))
        if number > 0:
            ball = Pose(np.eye(3), np.zeros(3))
            shapes.append((number, _placed("sphere", np.full(3, 1.3 * radius), ball, JOINT)))
        if length > radius:
            middle = Pose(z_onto(offset / length), 0.5 * offset)
            size = np.array([radius, radius, length])
            shapes.append((number, _placed("cylinder", size, middle, SHELL)))
    return shapes
