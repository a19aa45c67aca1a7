"""The scene on top of a report: both spacecraft and the arm at the start and at the end."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from proxops.core.errors import ProxopsError
from proxops.report.page import GENERATOR
from proxops.report.raster import Raster
from proxops.results.run import Run
from proxops.scenario.load import Scenario
from proxops.viewer.bodies import body_of
from proxops.viewer.hardware import Hardware, hardware_of
from proxops.viewer.parts import scene_of
from proxops.viewer.playback import Playback
from proxops.viewer.pose import Pose
from proxops.viewer.poses import CHASER, TARGET, WORLD
from proxops.viewer.scene import Look, Moment, Scene, Solid, Surface, seen_from
from proxops.viewer.sky import sun_in_H
from proxops.viewer.start import start_row

WIDTH, HEIGHT, EDGE = 320, 230, 32  # pixels of a picture, and what is left free around it
TITLE = 20  # pixels above a picture in a file
DETAIL = 4  # pixels of the raster in a file for one of the picture
INK = "#22303c"
SIDES = 14  # of round bodies
FAR = 18.0  # reaches of the larger spacecraft: farther apart, both also get a mark
CORNER = 130  # pixels beside scale and directions that a name keeps
LONGEST_BAR = 0.3  # of the width
COLOURS = {CHASER: "#2f8be6", TARGET: "#d18a00"}
LEFT_OUT = ("/edges",)  # finer than a pixel


@dataclass(frozen=True)
class View:
    """Where a picture is taken from: the directions to its right and to its top."""

    title: str
    right: tuple[float, float, float]
    up: tuple[float, float, float]
    names: tuple[str, str]  # of these directions

    def axes(self) -> np.ndarray:
        """Rows: right, up, to the viewer."""
        return np.array([self.right, self.up, np.cross(self.right, self.up)])


IN_ORBIT = (
    View("orbital plane", (0, 1, 0), (1, 0, 0), ("V-bar", "away from {planet}")),
    View("from above", (0, 1, 0), (0, 0, 1), ("V-bar", "orbit normal")),
    View("along V-bar", (0, 0, 1), (1, 0, 0), ("orbit normal", "away from {planet}")),
)
WITHOUT = (
    View("from the side", (1, 0, 0), (0, 0, 1), ("x", "z")),
    View("from above", (1, 0, 0), (0, 1, 0), ("x", "y")),
    View("along x", (0, 1, 0), (0, 0, 1), ("y", "z")),
)


def pictures(run: Run) -> str:
    """Four small pictures with their scales as HTML; empty where a run cannot be drawn."""
    try:
        hardware = hardware_of(run.provenance, run.signals())
        playback = Playback(hardware, run.rows)
        return _pictures(hardware, playback, {"Start": 0.0, "End": playback.end})
    except (ProxopsError, KeyError, TypeError, ValueError, IndexError):
        return ""  # a scenario of another version, or rows that are no numbers


def start_pictures(scenario: Scenario) -> str:
    """Two small pictures of a mission before any run, as HTML."""
    return _pictures(*_at_start(scenario), {"Start": 0.0})


def start_file(scenario: Scenario) -> str:
    """The same two beside each other, larger, as the text of an SVG file."""
    drawings = _drawings(*_at_start(scenario), {"Start": 0.0}, DETAIL)
    width, height = len(drawings) * WIDTH, HEIGHT + TITLE
    inner = "".join(
        f'<g transform="translate({number * WIDTH})">'
        f'<text x="{EDGE / 2:g}" y="14" class="title">{escape(title)}</text>'
        f'<g transform="translate(0 {TITLE})">{drawing}</g></g>'
        for number, (title, drawing) in enumerate(drawings.items())
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" data-generator="{GENERATOR}" '
        f'viewBox="0 0 {width} {height}" width="{2 * width}" height="{2 * height}" '
        f'color="{INK}"><title>{escape(f"{scenario.name}: {scenario.mission.title}")}</title>'
        f"<style>text {{ font: 11px sans-serif; fill: currentColor }} .title {{ opacity: .75 }}"
        f'</style><rect width="100%" height="100%" fill="#fff"/>{inner}</svg>\n'
    )


def _at_start(scenario: Scenario) -> tuple[Hardware, Playback]:
    signals, row = start_row(scenario)
    hardware = hardware_of({"scenario": scenario.to_dict()}, signals)
    return hardware, Playback(hardware, row[None])


def _pictures(hardware: Hardware, playback: Playback, instants: Mapping[str, float]) -> str:
    """Both views at each of these times [s], by what they are called, as HTML."""
    found = "".join(
        f'<figure><figcaption>{escape(title)}</figcaption><svg viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" aria-label="{escape(title)}">{drawing}</svg></figure>'
        for title, drawing in _drawings(hardware, playback, instants).items()
    )
    return f'<div class="scene">{found}</div>' if found else ""


def _drawings(
    hardware: Hardware, playback: Playback, instants: Mapping[str, float], detail: int = 1
) -> dict[str, str]:
    """Both views at each of these times [s], as contents of an SVG by their titles."""
    scene, look = scene_of(hardware), Look(follow=WORLD)
    moments = {}
    for word, t in instants.items():
        row, poses = playback.at(t)
        if np.isfinite([each for frame in (CHASER, TARGET) for each in poses[frame].p]).all():
            moments[word] = Moment(row, seen_from(poses, look), look)
    views = _views(WITHOUT if hardware.orbit is None else IN_ORBIT, list(moments.values()))
    return {
        f"{word}, {float(moment.row[0]):g} s: {view.title}": _drawing(
            hardware, scene, moment, view, detail
        )
        for word, moment in moments.items()
        for view in views
    }


def _views(views: Sequence[View], moments: Sequence[Moment]) -> list[View]:
    """All but the view in which one spacecraft most hides the other."""

    def hidden(view: View) -> float:
        """Cosine of the angle between the line of sight and the line between the hubs, at most."""
        lines = [
            np.array(each.poses[CHASER].p) - np.array(each.poses[TARGET].p) for each in moments
        ]
        sight = view.axes()[2]
        return max((abs(sight @ p) / (np.linalg.norm(p) or 1.0) for p in lines), default=0.0)

    worst = max(reversed(views), key=hidden)  # of those alike, the last
    return [view for view in views if view is not worst]


def _drawing(hardware: Hardware, scene: Scene, moment: Moment, view: View, detail: int) -> str:
    """One picture: bodies (so many times as many pixels), marks where they are too small to be
    seen, scale, planet and Sun."""
    axes = view.axes()
    bodies = _bodies(scene, moment)
    hubs = {craft: axes @ np.array(moment.poses[craft].p) for craft in (CHASER, TARGET)}
    outlines = [_outline(scene, moment, craft) @ axes.T for craft in hubs]
    points = np.vstack(outlines)[:, :2]
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.array([WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE])
    scale = float((room / np.maximum(high - low, 1e-3)).min())  # pixels a metre
    middle = 0.5 * (low + high)

    def placed(p: np.ndarray) -> np.ndarray:
        flat = np.array([WIDTH, HEIGHT]) / 2.0 + scale * (p[:, :2] - middle)
        return np.column_stack([flat, scale * p[:, 2]])

    raster, finer = Raster(detail * WIDTH, detail * HEIGHT), np.array([detail, detail, 1.0])
    for vertices, faces, colour in bodies:
        raster.draw(placed(vertices @ axes.T) * finer, faces, colour)
    reach = max(scene.reach(craft) for craft in hubs)
    apart = float(np.linalg.norm(hubs[CHASER] - hubs[TARGET]))
    lower = min(hubs, key=lambda craft: float(hubs[craft][1]))
    marks = "".join(
        _mark(
            craft,
            placed(p[None])[0],
            outline=placed(outline),
            ring=apart > FAR * reach,
            below=craft == lower,
        )
        for (craft, p), outline in zip(hubs.items(), outlines, strict=True)
    )
    return (
        f'<image width="{WIDTH}" height="{HEIGHT}" href="{raster.png()}"/>'
        f"{marks}{_bar(scale)}{_directions(hardware, moment, view)}"
    )


def _bodies(
    scene: Scene, moment: Moment
) -> list[tuple[np.ndarray, np.ndarray, tuple[int, int, int]]]:
    """Corners in the scene, faces and colour of everything solid on either spacecraft."""
    found = []
    for thing in scene.things:
        if not isinstance(thing, Solid | Surface):
            continue
        if not thing.frame.startswith((CHASER, TARGET)) or thing.name.endswith(LEFT_OUT):
            continue
        if isinstance(thing, Solid):
            vertices, faces = body_of(thing.shape, SIDES)
            X, colour = Pose(thing.shape.p, thing.shape.q), thing.shape.colour
        else:
            vertices, faces = thing.vertices(moment), thing.faces
            X, colour = thing.X_FB, thing.colour
        found.append((_moved(moment.poses[thing.frame] @ X, vertices), faces, colour))
    return found


def _outline(scene: Scene, moment: Moment, craft: str) -> np.ndarray:
    """Points (n, 3) that hold a spacecraft with its arms [m]."""
    arms = [X.p for frame, X in moment.poses.items() if frame.startswith(f"{craft}/")]
    return np.vstack(
        [
            _moved(moment.poses[craft], scene.outlines[craft]),
            np.array([*arms, moment.poses[craft].p]),
        ]
    )


def _moved(X: Pose, points: np.ndarray) -> np.ndarray:
    columns = [X.rotate(axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
    return np.asarray(points @ np.array(columns) + np.array(X.p))


def _mark(craft: str, at: np.ndarray, outline: np.ndarray, ring: bool, below: bool) -> str:
    """The name of a spacecraft above or below it, with a ring around it where it is small."""
    x, y = float(at[0]), HEIGHT - float(at[1])
    top, bottom = (HEIGHT - float(each(outline[:, 1])) for each in (np.max, np.min))
    colour = COLOURS[craft]
    drawn = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7" fill="none" stroke="{colour}"/>' if ring else ""
    )
    if ring:
        top, bottom = min(top, y - 8.0), max(bottom, y + 8.0)
    free = HEIGHT - (0.0 if CORNER < x < WIDTH - CORNER else EDGE)  # of scale and directions
    beneath = below and bottom + 14.0 < free
    height = bottom + 14.0 if beneath else max(top - 5.0, 12.0)
    place = min(max(x, 30.0), WIDTH - 30.0)
    return (
        f'{drawn}<text x="{place:.1f}" y="{height:.1f}" text-anchor="middle" '
        f'style="fill:{colour}">{craft}</text>'
    )


def _bar(scale: float) -> str:
    """A length that is easy to read, as a line."""
    longest = LONGEST_BAR * WIDTH / scale
    power = 10.0 ** math.floor(math.log10(longest))
    length = power * max(step for step in (1.0, 2.0, 5.0) if step * power <= longest * (1 + 1e-9))
    end, y = 12.0 + scale * length, HEIGHT - 10
    text = f"{length:g} m" if length < 1e3 else f"{length / 1e3:g} km"
    return (
        f'<path d="M12 {y - 4}v4H{end:.1f}v-4" fill="none" stroke="currentColor"/>'
        f'<text x="{end + 6:.1f}" y="{y}">{text}</text>'
    )


def _directions(hardware: Hardware, moment: Moment, view: View) -> str:
    """What is to the right and above, and where the Sun is."""
    right, up = view.names
    given = hardware.scenario.mission.orbit
    up = up.format(planet="" if given is None else given.attractor.capitalize())
    x, y = WIDTH - 12, HEIGHT - 10
    lines = [
        f'<text x="{x}" y="{y}" text-anchor="end">{escape(right)} →</text>',
        f'<text x="{x}" y="{y - 15}" text-anchor="end">{escape(up)} ↑</text>',
    ]
    sun = sun_in_H(hardware, float(moment.row[0]))
    if sun is not None:
        a, b, depth = (float(each) for each in view.axes() @ sun)
        ox, oy = WIDTH - 34, 34
        where = "before" if depth > 0.0 else "behind"
        lines.append(
            f'<circle cx="{ox + 24 * a:.1f}" cy="{oy - 24 * b:.1f}" r="5" fill="#e6a700"/>'
            f'<path d="M{ox} {oy}L{ox + 24 * a:.1f} {oy - 24 * b:.1f}" stroke="#e6a700"/>'
            f"<title>The Sun is {where} the picture</title>"
            f'<text x="{ox - 30}" y="{oy + 4}" text-anchor="end">Sun</text>'
        )
    return "".join(lines)
