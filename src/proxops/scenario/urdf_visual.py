"""How an arm looks: the <visual> elements of its URDF file."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from xml.etree.ElementTree import Element

import numpy as np

from proxops.core.description import ArmDescription, ShapeDescription
from proxops.core.frame import quaternion_of, z_onto
from proxops.scenario.urdf import CACHE_SIZE, place_links
from proxops.scenario.urdf_elements import ElementError, Pose, number_of, numbers_of, origin_of

SHELL = (222, 224, 228)  # of links that name no colour
JOINT = (96, 104, 116)
_SLENDER = 0.03  # radius of a drawn link, of the arm's reach

Drawn = tuple[int, ShapeDescription, str]  # number of the joint frame, shape, link


def arm_shapes(arm: ArmDescription, text: str) -> list[Drawn]:
    """Shapes of an arm, each with the number of the joint frame that it is given in (0 for the
    arm's root frame A) and the name of its link: those of the file, or rods from joint to joint if
    it has none.

    Meshes are left out: a recording keeps the text of the file, not what it points to.
    """
    shapes, links = _drawn(text, arm.name)
    return [*shapes] or [(number, shape, links[number]) for number, shape in _rods(arm)]


@lru_cache(CACHE_SIZE)
def _drawn(text: str, where: str) -> tuple[tuple[Drawn, ...], Mapping[int, str]]:
    """The shapes of the file, and the first link in each joint frame: what its joint moves."""
    shapes: list[Drawn] = []
    links: dict[int, str] = {}
    for element, number, X_JL in place_links(text, where):
        links.setdefault(number, element.get("name", ""))
        for visual in element.findall("visual"):
            try:
                shape = _shape(visual, X_JL)
            except ElementError:
                continue  # looks are not worth refusing a scenario for
            if shape is not None:
                shapes.append((number, shape, element.get("name", "")))
    return tuple(shapes), MappingProxyType(links)


def _shape(visual: Element, X_JL: Pose) -> ShapeDescription | None:
    """The shape of a <visual>; None for a mesh."""
    geometry = visual.find("geometry")
    found = None if geometry is None or not len(geometry) else geometry[0]
    if found is None:
        return None
    if found.tag == "box":
        kind, size = "box", numbers_of(found, "size", "")
    elif found.tag == "cylinder":
        radius = number_of(found, "radius")
        kind, size = "cylinder", np.array([radius, radius, number_of(found, "length")])
    elif found.tag == "sphere":
        kind, size = "sphere", np.full(3, number_of(found, "radius"))
    else:
        return None
    return _placed(kind, size, X_JL @ origin_of(visual), _colour(visual))


def _placed(kind: str, size: np.ndarray, X: Pose, colour: tuple[int, int, int]) -> ShapeDescription:
    x, y, z = size.tolist()
    px, py, pz = X.p.tolist()
    w, qx, qy, qz = quaternion_of(X.R).tolist()
    return ShapeDescription(kind, (x, y, z), (px, py, pz), (w, qx, qy, qz), colour)


def _colour(visual: Element) -> tuple[int, int, int]:
    element = visual.find("material/color")
    words = "" if element is None else element.get("rgba", "")
    try:
        red, green, blue, _ = (float(word) for word in words.split())
    except ValueError:  # not given, or not four numbers
        return SHELL
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
