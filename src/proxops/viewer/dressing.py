"""Details that every spacecraft gets: edges of boxes, cells of panels, nozzles of thrusters."""

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from proxops.assembly.bend import STATIONS, Strip
from proxops.core.description import ShapeDescription
from proxops.core.frame import z_onto
from proxops.viewer.bodies import Triangles, block, joined, placed, turned
from proxops.viewer.hardware import Hardware
from proxops.viewer.pose import HERE, Pose, pose_of
from proxops.viewer.poses import CHASER
from proxops.viewer.scene import Colour, Moment, Surface, Thing

CELLS: Colour = (28, 48, 112)
FRAME: Colour = (178, 184, 196)
NOZZLE: Colour = (70, 74, 84)
EDGE = 0.008  # width of the bars along a box, of its middle edge
GAP = 0.025  # between cells, of their pitch
FINEST = 0.4  # least length of a cell, of the panel's shorter edge
MOST_CELLS = 24  # along an edge
NOZZLE_SIDES = 14
NOZZLE_AT_1_N, NOZZLE_POWER = 0.022, 0.36  # radius [m] of a nozzle, and how it grows with thrust


def details(name: str, frame: str, shape: ShapeDescription, opacity: float) -> list[Thing]:
    """What is drawn beside a shape of a hub."""
    X = Pose(shape.p, shape.q)
    if shape.kind == "panel":
        return [_still(f"{name}/cells", frame, X, _cells(shape.size), CELLS, opacity)]
    if shape.kind == "box":
        dark = _darker(shape.colour)
        return [_still(f"{name}/edges", frame, X, _edges(shape.size), dark, opacity)]
    return []


def nozzles(hardware: Hardware) -> list[Thing]:
    """Every thruster as a nozzle, larger with more thrust."""
    if not hardware.thrusters:
        return []
    found = []
    for each in hardware.thrusters:
        r = NOZZLE_AT_1_N * each.thrust**NOZZLE_POWER
        throat, mouth = 0.45 * r, 2.0 * r
        line = [(0.0, -throat), (throat, -throat), (throat, 0.0), (r, mouth), (throat, 0.1 * mouth)]
        bell = turned(line, NOZZLE_SIDES)
        found.append(placed(bell, pose_of(z_onto(-each.direction), each.p_C)))
    return [_still(f"{CHASER}/nozzles", CHASER, HERE, joined(found), NOZZLE)]


def panel_of(strip: Strip, width: float | None) -> Strip:
    """An appendage's strip as a panel: `width` [m] wide along its y and thin, if that is given."""
    if width is None:
        return strip
    middle = strip.rest.reshape(STATIONS, -1, 3).mean(axis=1, keepdims=True)
    across = strip.rest.reshape(STATIONS, -1, 3) - middle
    size = np.ptp(across[0], axis=0)[1:]
    across[..., 1] *= width / size[0]
    across[..., 2] *= 0.01 * width / size[1]
    rest = (middle + across).reshape(-1, 3)
    return Strip(strip.p, strip.q, rest, strip.shapes, strip.faces, strip.length)


def cells_of(
    name: str, frame: str, strip: Strip, bent: Callable[[Moment], np.ndarray]
) -> list[Thing]:
    """Cells on both sides of a strip, which bend with it; none where it is as thick as wide."""
    corners = strip.rest.reshape(STATIONS, -1, 3)
    side, up = corners[0, 1] - corners[0, 0], corners[0, 3] - corners[0, 0]
    wide, thick = sorted((float(np.linalg.norm(side)), float(np.linalg.norm(up))), reverse=True)
    if thick > 0.5 * wide:
        return []
    flat = np.linalg.norm(side) >= np.linalg.norm(up)  # cells lie along side, else along up
    count = _count(strip.length, wide)
    along = np.linspace(0.0, 1.0, count + 1)
    spans = [(a + GAP / count, b - GAP / count) for a, b in pairwise(along)]
    stations = np.array([place for span in spans for place in span]) * (STATIONS - 1)
    low = np.minimum(stations.astype(int), STATIONS - 2)
    share = (stations - low)[:, None, None]
    quads = np.arange(4 * count * 2).reshape(-1, 4)
    faces = np.vstack([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])

    def vertices(moment: Moment) -> np.ndarray:
        v = bent(moment).reshape(STATIONS, 4, 3)
        here = (1.0 - share) * v[low] + share * v[low + 1]  # (2 count, 4, 3)
        edges = here if flat else here[:, [1, 2, 3, 0]]  # pairs 0-1 and 3-2 lie along the width
        found = []
        for one, two, other in ((0, 1, 3), (3, 2, 0)):
            a, b = edges[:, one], edges[:, two]
            lift = 0.1 * (a - edges[:, other])
            a, b = a + GAP * (b - a) + lift, b - GAP * (b - a) + lift
            found.append(np.stack([a[0::2], b[0::2], b[1::2], a[1::2]], axis=1).reshape(-1, 3))
        return np.vstack(found)

    return [Surface(f"{name}/cells", frame, Pose(strip.p, strip.q), faces, vertices, CELLS)]


def _still(
    name: str, frame: str, X: Pose, body: Triangles, colour: Colour, opacity: float = 1.0
) -> Surface:
    return Surface(name, frame, X, body.faces, lambda _: body.vertices, colour, opacity, stays=True)


def _cells(size: tuple[float, float, float]) -> Triangles:
    """Cells in rows on both sides of a panel."""
    x, y, thick = size
    across, along = _count(x, y), _count(y, x)
    dx, dy = x / across, y / along
    found = []
    for i in range(across):
        for j in range(along):
            middle = ((i + 0.5) * dx - 0.5 * x, (j + 0.5) * dy - 0.5 * y, 0.0)
            gap = GAP * min(dx, dy) * 2.0
            found.append(block((dx - gap, dy - gap, 1.3 * thick), middle))
    return joined(found)


def _count(length: float, other: float) -> int:
    """How many cells lie along an edge [m] of a panel."""
    return max(1, min(MOST_CELLS, round(length / (FINEST * min(length, other)))))


def _edges(size: tuple[float, float, float]) -> Triangles:
    """Bars along the twelve edges of a box."""
    width = EDGE * sorted(size)[1]
    bars = []
    for axis in range(3):
        one, two = (axis + 1) % 3, (axis + 2) % 3
        for a in (-0.5, 0.5):
            for b in (-0.5, 0.5):
                edges, middle = np.full(3, width), np.zeros(3)
                edges[axis] = size[axis] + width
                middle[one], middle[two] = a * size[one], b * size[two]
                bars.append(block(edges.tolist(), middle.tolist()))
    return joined(bars)


def _darker(colour: Colour) -> Colour:
    red, green, blue = (math.floor(0.55 * each) for each in colour)
    return red, green, blue
