"""Bent appendages: a strip that follows the modal coordinates."""

from dataclasses import dataclass

import numpy as np

from proxops.physics.flexible import beam
from proxops.scenario.schema.appendage import ChaserAppendage, Modal, TargetAppendage

STATIONS = 25  # along an appendage
_WIDE = 0.16  # width of a beam's strip, of its length
_THIN = 0.012  # its thickness, of its length
# Corners of the cross-section, and the quadrilaterals between two of them
_CORNERS = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))


@dataclass(frozen=True)
class Strip:
    """An appendage in its root frame B: corners when straight, and what each mode adds to them.

    vertices = rest + factor Σ q_f shapes
    """

    p: tuple[float, float, float]  # of B on the hub [m]
    q: tuple[float, float, float, float]
    rest: np.ndarray  # (v, 3) [m]
    shapes: np.ndarray  # (modes, v, 3) [m per unit of q_f]
    faces: np.ndarray  # (f, 3)
    length: float  # [m]

    def vertices(self, q_f: np.ndarray, factor: float) -> np.ndarray:
        """Corners (v, 3) in B with those modal coordinates, bent `factor` times as much [m]."""
        return np.asarray(self.rest + factor * np.tensordot(q_f, self.shapes, axes=1))

    def largest(self, q_f: np.ndarray) -> float:
        """Largest displacement of any corner over rows q_f (n, modes) [m]."""
        moved = np.einsum("nm,mvx->nvx", q_f, self.shapes[:, -len(_CORNERS) :])
        return float(np.sqrt((moved**2).sum(axis=2)).max(initial=0.0))


def strip_of(given: ChaserAppendage | TargetAppendage) -> Strip:
    """The strip of an appendage."""
    p, q = given.root()
    if isinstance(given, Modal):
        return _modal(given, p, q)
    length = given.length_m
    s = np.linspace(0.0, length, STATIONS)
    thin = "xyz".index(given.axes[0])  # it is flat where it bends
    size = np.full(3, _WIDE * length)
    size[thin] = _THIN * length
    if len(given.axes) > 1:
        size[1:] = 0.5 * _WIDE * length
    shapes = []
    for number in range(1, given.shapes + 1):
        form = np.repeat(beam.deflection(number, s, length), len(_CORNERS))
        for axis in given.axes:
            shapes.append(np.outer(form, np.eye(3)["xyz".index(axis)]))
    along = np.column_stack([s, np.zeros(STATIONS), np.zeros(STATIONS)])
    rest = _slab(along, np.eye(3)[1] * size[1], np.eye(3)[2] * size[2])
    return Strip(p, q, rest, np.array(shapes), _faces(), length)


def _modal(
    given: Modal, p: tuple[float, float, float], q: tuple[float, float, float, float]
) -> Strip:
    """A plate with the appendage's mass and inertia.  Modal data say how a mode pushes its root,
    not how it looks: it is drawn as the parabola and the twist that push alike.

        φ(ξ) = 3 ξ² S/m + 2 ξ (h/J) x × r,   h = x·(H - c × S),  J = inertia about x

    ξ goes from 0 at the root to 1 at the tip, along x; S and H are the participations.
    """
    m, com = given.mass_kg, np.array(given.com_m)
    values, axes = np.linalg.eigh(np.array(given.inertia_kg_m2))
    size = np.sqrt(np.maximum(6.0 / m * (values.sum() - 2.0 * values), 0.0))  # largest first
    length = float(max(size[0], 1e-3))
    across = [max(float(each), _THIN * length) for each in size[1:]]
    x = axes[:, 0] if axes[:, 0] @ com >= 0.0 else -axes[:, 0]
    xi = np.linspace(0.0, 1.0, STATIONS)
    along = com + length * np.outer(xi - 0.5, x)
    rest = _slab(along, across[0] * axes[:, 1], across[1] * axes[:, 2])
    share = np.repeat(xi, len(_CORNERS))[:, None]
    inertia_x = max(float(values[0]), 1e-9 * m * length**2)
    shapes = []
    for mode in given.modes:
        S, H = np.array(mode.translation), np.array(mode.rotation)
        h = x @ (H - np.cross(com, S))
        twist = np.cross(x, rest - np.repeat(along, len(_CORNERS), axis=0))
        shapes.append(3.0 * share**2 * S / m + 2.0 * share * (h / inertia_x) * twist)
    return Strip(p, q, rest, np.array(shapes), _faces(), length)


def _slab(along: np.ndarray, side: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Corners (4 n, 3) of a slab around points (n, 3), its cross-section spanned by two edges."""
    corners = np.array([a * side + b * up for a, b in _CORNERS])
    return np.asarray((along[:, None, :] + corners[None, :, :]).reshape(-1, 3))


def _faces() -> np.ndarray:
    """Triangles of a slab, seen from outside, with both ends closed."""
    k = len(_CORNERS)
    triangles = [(0, 2, 1), (0, 3, 2)]
    for station in range(STATIONS - 1):
        here, there = station * k, (station + 1) * k
        for a in range(k):
            b = (a + 1) % k
            triangles += [(here + a, here + b, there + b), (here + a, there + b, there + a)]
    end = (STATIONS - 1) * k
    triangles += [(end, end + 1, end + 2), (end, end + 2, end + 3)]
    return np.array(triangles)
