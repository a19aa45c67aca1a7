"""Things as nodes of viser's scene tree: made once, then only what changes is sent.

Every frame of a scene is a node; solids hang in it and never move against it.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import viser

from proxops.viewer.draw_far import far
from proxops.viewer.pose import Pose, inverse, vector
from proxops.viewer.poses import Poses
from proxops.viewer.scene import (
    SCENE,
    Arrows,
    Axes,
    Colour,
    Globe,
    Label,
    Lines,
    Look,
    Moment,
    Scene,
    Solid,
    Stars,
    Sunlight,
    Surface,
    Thing,
    Trail,
    Way,
    Wires,
    as_drawn,
    in_lab,
    seen_from,
)
from proxops.viewer.shapes import way_out
from proxops.viewer.track import POINTS, Track

Show = Callable[[Moment], None]
_Scalable = viser.BoxHandle | viser.CylinderHandle | viser.IcosphereHandle | viser.MeshHandle

_CYLINDER_SIDES = 32
LABEL_SIZE = 1.15


class Spare(NamedTuple):
    """What a small file does without."""

    moves: float = 0.0  # of corners, of the size of what they belong to
    lines: int = 1  # moments from one change of trails and drift to the next


EVERYTHING = Spare()


class Canvas:
    """A scene on a server's canvas."""

    def __init__(
        self, api: viser.SceneApi, scene: Scene, track: Track, spare: Spare = EVERYTHING
    ) -> None:
        """`spare` is what need not be sent."""
        self._api = api
        self._spare = spare
        self._up = scene.up
        self._track = track
        self._frames: dict[str, viser.FrameHandle] = {}
        self._shows: list[Show] = []
        self.add(scene.things)

    def add(self, things: Sequence[Thing]) -> None:
        """Adds things to what is drawn."""
        for thing in things:
            if isinstance(thing, Solid):
                self._shows.append(self._solid(thing))
            elif isinstance(thing, Surface):
                self._shows.append(self._surface(thing))
            elif isinstance(thing, Arrows):
                self._shows.append(self._arrows(thing))
            elif isinstance(thing, Axes):
                self._axes(thing)
            elif isinstance(thing, Label):
                self._shows.append(self._label(thing))
            elif isinstance(thing, Lines):
                self._shows.append(self._lines(thing))
            elif isinstance(thing, Wires):
                self._shows.append(self._wires(thing))
            elif isinstance(thing, Way):
                self._shows.append(self._way(thing))
            elif isinstance(thing, Globe | Stars | Sunlight):
                self._shows.append(far(self._api, thing))
            else:
                self._shows.append(self._trail(thing))

    def show(self, row: np.ndarray, poses: Poses, look: Look) -> None:
        """Draws a row, with its frames as `Kinematics` gives them."""
        look = as_drawn(look, poses)
        moment = Moment(row, seen_from(poses, look), look)
        for name, handle in self._frames.items():
            pose = moment.poses[name]
            handle.position, handle.wxyz = pose.p, pose.q
        for show in self._shows:
            show(moment)

    def _node(self, frame: str, name: str) -> str:
        """Path of a node in a frame, which is made if it is the first in it."""
        path = f"/frames/{frame.replace('/', '.')}"
        if frame not in self._frames:
            self._frames[frame] = self._api.add_frame(path, show_axes=False)
        return f"{path}/{name.replace('/', '.')}"

    def _solid(self, thing: Solid) -> Show:
        shape = thing.shape
        name = self._node(thing.frame, thing.name)
        opacity = None if thing.opacity == 1.0 else thing.opacity
        handle: _Scalable
        if shape.kind in ("box", "panel"):
            handle = self._api.add_box(
                name, dimensions=shape.size, color=shape.colour, opacity=opacity, wxyz=shape.q
            )
        elif shape.kind == "cylinder":
            handle = self._api.add_cylinder(
                name,
                shape.size[0],
                shape.size[2],
                color=shape.colour,
                opacity=opacity,
                radial_segments=_CYLINDER_SIDES,
                wxyz=shape.q,
            )
        else:
            handle = self._api.add_icosphere(
                name, shape.size[0], color=shape.colour, opacity=opacity, wxyz=shape.q
            )
        return _enlarging(handle, thing.frame, Pose(shape.p, shape.q))

    def _surface(self, thing: Surface) -> Show:
        name = self._node(thing.frame, thing.name)
        count = int(thing.faces.max()) + 1
        handle = self._api.add_mesh_simple(
            name,
            np.zeros((count, 3)),
            thing.faces,
            color=thing.colour,
            opacity=None if thing.opacity == 1.0 else thing.opacity,
            flat_shading=True,
            side="double",
            wxyz=thing.X_FB.q,
            cast_shadow=False,
            receive_shadow=False,
        )
        enlarge = _enlarging(handle, thing.frame, thing.X_FB)
        drawn: np.ndarray | None = None

        def show(moment: Moment) -> None:
            nonlocal drawn
            shown = thing.shown(moment.look)
            if handle.visible != shown:
                handle.visible = shown
            if not shown:
                return
            if drawn is None or not thing.stays:
                now = thing.vertices(moment).astype(np.float32)
                if drawn is None or np.abs(now - drawn).max() > self._spare.moves * np.ptp(now):
                    handle.vertices = drawn = now
            enlarge(moment)

        return show

    def _arrows(self, thing: Arrows) -> Show:
        handle = self._api.add_arrows(
            f"/{thing.name}",
            np.zeros((1, 2, 3)),
            thing.colour,
            shaft_radius=0.5 * thing.width,
            head_radius=1.25 * thing.width,
            head_length=2.5 * thing.width,
            visible=False,
        )

        def show(moment: Moment) -> None:
            ends = thing.ends(moment)
            long = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) > 0.5 * thing.width
            handle.visible = bool(long.any())
            if handle.visible:
                handle.points = ends[long].astype(np.float32)

        return show

    def _axes(self, thing: Axes) -> None:
        name = self._node(thing.frame, thing.name)
        self._api.add_frame(name, axes_length=thing.length, axes_radius=0.02 * thing.length)

    def _label(self, thing: Label) -> Show:
        name = f"/labels/{thing.name.replace('/', '.')}"
        given = thing.text
        handle = self._api.add_label(
            name,
            given if isinstance(given, str) else "",
            anchor="bottom-center",
            font_screen_scale=LABEL_SIZE,
        )
        up = vector(self._up)

        def show(moment: Moment) -> None:
            pose = moment.poses[thing.frame]
            s = 1.0 if thing.frame == SCENE or in_lab(thing.frame) else moment.look.size
            above = Pose(pose.p, inverse(pose.q)).rotate(up)
            if len(thing.points) == 1 and not thing.boxes:
                handle.position = pose.act(vector(s * thing.points[0]))
            else:  # straight above the middle: out of the boxes, or as high as the highest point
                highest = float((thing.points @ np.array(above)).max())
                lift = s * (way_out(thing.boxes, above) if thing.boxes else highest)
                x, y, z = (a + lift * c for a, c in zip(pose.p, up, strict=True))
                handle.position = x, y, z
            if not isinstance(given, str):
                handle.text = given(moment)
            detail = thing.of_detail and moment.look.size != 1.0
            handle.visible = moment.look.labels and not detail

        return show

    def _lines(self, thing: Lines) -> Show:
        """A node for each colour, of which one is seen: viser draws changed colours wrong."""
        name = self._node(thing.frame, thing.name)
        drawn = {
            colour: self._api.add_line_segments(
                f"{name}.{number}",
                thing.segments,
                colour,
                thickness=thing.thickness,
                thickness_units="screen",
                visible=False,
            )
            for number, colour in enumerate(thing.colours)
        }

        def show(moment: Moment) -> None:
            now = thing.colours[thing.which(moment)]
            for colour, handle in drawn.items():
                if handle.visible != (colour == now):
                    handle.visible = colour == now

        return show

    def _wires(self, thing: Wires) -> Show:
        line = self._line(f"/{thing.name}", thing.colour, thing.thickness)
        drawn, seen = False, 0

        def show(moment: Moment) -> None:
            nonlocal drawn, seen
            line.visible = moment.look.zones
            if not line.visible:
                return
            line.position = thing.middle(moment)
            seen += 1
            if not (drawn and (thing.stays or seen % self._spare.lines)):
                segments = thing.segments(moment)
                line.visible = drawn = len(segments) > 0
                if drawn:
                    line.points = segments.astype(np.float32)

        return show

    def _trail(self, thing: Trail) -> Show:
        red, green, blue = thing.colour
        dark = red // 2, green // 2, blue // 2
        past = self._line(f"/{thing.name}/past", thing.colour, thing.thickness)
        ahead = self._line(f"/{thing.name}/ahead", dark, 0.5 * thing.thickness)
        seen = -1

        def show(moment: Moment) -> None:
            nonlocal seen
            seen += 1
            if seen % self._spare.lines:
                return
            points, count = self._track.path(thing.signal, float(moment.row[0]), moment.look)
            here = np.array([moment.poses[thing.frame].p])
            shown = moment.look.trails and len(points) > 1
            _lay(past, np.concatenate([points[:count], here]), shown)
            if thing.ahead:
                _lay(ahead, np.concatenate([here, points[count:]]), shown)

        return show

    def _way(self, thing: Way) -> Show:
        line, laid = self._line(f"/{thing.name}", thing.colour, thing.thickness), 0

        def show(moment: Moment) -> None:
            nonlocal laid
            points, _ = self._track.path(thing.signal, 0.0, moment.look)
            if laid != self._track.taken:
                _lay(line, points, True)
                laid = self._track.taken
            line.visible = moment.look.trails and len(points) > 1

        return show

    def _line(self, name: str, colour: Colour, thickness: float) -> viser.LineSegmentsHandle:
        return self._api.add_line_segments(
            name,
            np.zeros((1, 2, 3)),
            colour,
            thickness=thickness,
            thickness_units="screen",
            visible=False,
        )


def _lay(line: viser.LineSegmentsHandle, points: np.ndarray, shown: bool) -> None:
    """Draws a line through points (n, 3), always of as many strokes: of a line that grows the
    browser would go on drawing as many as it had at first."""
    line.visible = shown and len(points) > 1
    if line.visible:
        missing = max(0, POINTS + 1 - len(points))
        points = np.vstack([points, np.repeat(points[-1:], missing, axis=0)])
        line.points = np.stack([points[:-1], points[1:]], axis=1).astype(np.float32)


def _enlarging(handle: _Scalable, frame: str, X: Pose) -> Show:
    """Places a node in its frame, as large as the onlooker wants it."""
    drawn = 0.0  # nothing is: the first moment places it

    def show(moment: Moment) -> None:
        nonlocal drawn
        s = 1.0 if in_lab(frame) else moment.look.size
        if s != drawn:
            handle.position = (s * X.p[0], s * X.p[1], s * X.p[2])
            handle.scale = drawn = s

    return show
