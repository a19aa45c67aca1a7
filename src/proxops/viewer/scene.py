"""The kinds of things that a scene is made of, as data.

Each says what it is and how it looks at a moment; `draw` puts each kind on the screen once and then
sends only what changes.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from proxops.core.description import ShapeDescription
from proxops.viewer.pose import HERE, Pose, back
from proxops.viewer.poses import CHASER, IN_CELL, NOMINAL, TARGET, Poses

Colour = tuple[int, int, int]

SCENE = "scene"  # the frame that never moves on the screen


@dataclass
class Look:
    """What the onlooker chose."""

    bending: float = 1.0  # how many times as much appendages are drawn bent
    newtons_per_metre: float = 1.0  # of force arrows
    size: float = 1.0  # how many times as large the spacecraft are drawn, at most
    near: float = 0.0  # how far apart their hubs are per time that they are drawn larger [m]
    follow: str = "target"  # frame at the origin of the scene; empty for the Hill frame's own
    X_SM: Pose = HERE  # where the nominal motion stands if that is followed: the scene is L then
    trails: bool = True
    zones: bool = True  # and the drift
    wakes: bool = True  # of multirotors
    labels: bool = True


class Moment(NamedTuple):
    """A row of the run, and where everything is in the scene."""

    row: np.ndarray
    poses: Poses
    look: Look


@dataclass(frozen=True)
class Solid:
    """A rigid shape, fixed in a frame."""

    name: str
    frame: str
    shape: ShapeDescription
    opacity: float = 1.0


@dataclass(frozen=True)
class Surface:
    """Triangles whose corners move: `vertices` gives them at a moment, in B, which is fixed in a
    frame."""

    name: str
    frame: str
    X_FB: Pose
    faces: np.ndarray  # (f, 3)
    vertices: Callable[[Moment], np.ndarray]  # (v, 3) [m]
    colour: Colour
    opacity: float = 1.0
    shown: Callable[[Look], bool] = lambda look: True  # whether the onlooker wants it
    stays: bool = False  # the corners are the same at every moment


@dataclass(frozen=True)
class Arrows:
    """Arrows in the axes of the scene: `ends` gives their starts and tips at a moment."""

    name: str
    ends: Callable[[Moment], np.ndarray]  # (n, 2, 3) [m]
    colour: Colour
    width: float  # of a shaft [m]


@dataclass(frozen=True)
class Axes:
    """The axes of a frame."""

    name: str
    frame: str
    length: float  # [m]


@dataclass(frozen=True)
class Label:
    """A short text above points that are fixed in a frame."""

    name: str
    frame: str
    text: str | Callable[[Moment], str]
    points: np.ndarray  # (n, 3) [m]
    of_detail: bool = False  # not worth reading where spacecraft are drawn larger than they are
    boxes: tuple[
        tuple[Pose, np.ndarray], ...
    ] = ()  # it stands just above these instead, half edges


@dataclass(frozen=True)
class Trail:
    """The way that a frame goes, over the whole run."""

    name: str
    frame: str
    signal: str  # its position in H, or in L if it is the lab's
    colour: Colour
    thickness: float = 3.0  # [pixels]
    ahead: bool = True  # also where it will be


@dataclass(frozen=True)
class Way:
    """The whole way of a position of a lab, over the run."""

    name: str
    signal: str  # in L
    colour: Colour
    thickness: float  # [pixels]


@dataclass(frozen=True)
class Lines:
    """Straight lines that are fixed in a frame; `which` of the colours they have at a moment."""

    name: str
    frame: str
    segments: np.ndarray  # (n, 2, 3) [m]
    thickness: float  # [pixels]
    colours: tuple[Colour, ...]
    which: Callable[[Moment], int] = lambda moment: 0


@dataclass(frozen=True)
class Wires:
    """Lines in the axes of the scene, about a point that may move: outlines of zones and the like,
    which the onlooker can hide."""

    name: str
    segments: Callable[[Moment], np.ndarray]  # (n, 2, 3) from that point [m]
    middle: Callable[[Moment], tuple[float, float, float]]
    thickness: float  # [pixels]
    colour: Colour
    stays: bool = True  # the segments are the same at every moment


@dataclass(frozen=True)
class Globe:
    """A ball, or a part of it, with a map on it, far away."""

    name: str
    vertices: np.ndarray  # (v, 3) [m]
    faces: np.ndarray  # (f, 3)
    uv: np.ndarray  # (v, 2), where each vertex is on the map: 0 to 1 from its lower left corner
    surface: Callable[[], bytes]  # makes the map, JPEG; what draws no planet needs none
    pose: Callable[[Moment], Pose]  # in the scene


@dataclass(frozen=True)
class Stars:
    """Points of light at a great distance."""

    name: str
    points: np.ndarray  # (n, 3) [m]
    colours: np.ndarray  # (n, 3), 0 to 255
    size: float  # of each [m]
    pose: Callable[[Moment], Pose]  # in the scene


@dataclass(frozen=True)
class Sunlight:
    """Parallel light: `shines` gives the direction it comes from and its intensity."""

    name: str
    shines: Callable[[Moment], tuple[np.ndarray, float]]


Far = Globe | Stars | Sunlight
Thing = Solid | Surface | Arrows | Axes | Label | Trail | Way | Lines | Wires | Far


@dataclass(frozen=True)
class Scene:
    """Everything that is drawn of a run."""

    things: tuple[Thing, ...]
    up: np.ndarray  # to the top of the screen
    outlines: Mapping[str, np.ndarray]  # in each frame that matters: outermost points (n, 3) [m]
    blocks: Mapping[str, tuple[tuple[Pose, np.ndarray], ...]]  # boxes on either hub: X_FB, half [m]
    # of each appendage: its largest bending over rows (n, ...), of its length
    sways: tuple[Callable[[np.ndarray], float], ...]

    def reach(self, craft: str) -> float:
        """How far a spacecraft reaches from its hub's origin, without arms; at least 0.1 m."""
        return max(float(np.linalg.norm(self.outlines[craft], axis=1).max()), 0.1)


def seen_from(poses: Poses, look: Look) -> Poses:
    """The poses with the followed frame at the origin, parts of a spacecraft moved away from its
    hub as much as it is enlarged.

    The nominal motion is followed in all six: X_SB = X_SM X_MB, and the scene has the axes of L;
    where a lab shows lengths smaller or larger, all of p_MB is drawn so.
    """
    if look.follow == NOMINAL:
        X_MH, shown = back(poses[NOMINAL]), {SCENE: HERE}
        for name, X in poses.items():
            shown[name] = X if in_lab(name) else look.X_SM @ _scaled(look.size, X_MH @ X)
        return shown
    ox, oy, oz = poses[look.follow].p if look.follow else HERE.p
    moved: Poses = {SCENE: HERE}
    for name, (p, q) in poses.items():
        hub = poses.get(name.partition("/")[0])
        if hub is not None and look.size != 1.0:
            hx, hy, hz = hub.p
            s = look.size
            p = (hx + s * (p[0] - hx), hy + s * (p[1] - hy), hz + s * (p[2] - hz))
        moved[name] = Pose((p[0] - ox, p[1] - oy, p[2] - oz), q)
    return moved


def as_drawn(look: Look, poses: Poses) -> Look:
    """The look with spacecraft as large as they are drawn at these poses: in whole times, less the
    nearer they are, so that they never reach into each other and touch true to scale."""
    if look.near == 0.0 or look.size <= 1.0:
        return look
    apart = math.dist(poses[CHASER].p, poses[TARGET].p)
    return replace(look, size=min(look.size, max(1.0, float(int(apart / look.near)))))


def in_lab(frame: str) -> bool:
    """Whether a frame is of a laboratory, where everything is drawn true to scale."""
    return frame.startswith(IN_CELL)


def _scaled(factor: float, X: Pose) -> Pose:
    x, y, z = X.p
    return Pose((factor * x, factor * y, factor * z), X.q)
