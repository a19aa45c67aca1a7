"""Which things the scene of a run has, one function for each kind of hardware."""

import math
from collections.abc import Callable

import numpy as np

from proxops.assembly.bend import Strip, strip_of
from proxops.core.description import ContactDescription, ShapeDescription, ThrusterDescription
from proxops.core.frame import z_onto
from proxops.viewer.arena import arena
from proxops.viewer.arm_solids import arm_outlines, arm_solids
from proxops.viewer.cell import cell
from proxops.viewer.dressing import FRAME, cells_of, details, nozzles, panel_of
from proxops.viewer.hardware import Hardware
from proxops.viewer.planet import surroundings
from proxops.viewer.pose import HERE, Pose, inverse, pose_of, vector
from proxops.viewer.poses import (
    CHASER,
    GRAPPLE,
    MOCK_UP,
    PROBE,
    TARGET,
    effector_frame,
)
from proxops.viewer.scene import (
    SCENE,
    Arrows,
    Axes,
    Colour,
    Label,
    Moment,
    Scene,
    Solid,
    Surface,
    Thing,
    Trail,
)
from proxops.viewer.shapes import box_around, corners, drawn
from proxops.viewer.zones import zones

CHASER_COLOUR: Colour = (90, 170, 255)
TARGET_COLOUR: Colour = (255, 196, 87)
FORCE: Colour = (210, 25, 15)
PAD_FORCE: Colour = (230, 170, 10)
PANEL: Colour = (58, 96, 178)
PLUME: Colour = (255, 150, 60)
AXES: tuple[Colour, ...] = ((225, 45, 45), (50, 180, 50), (50, 90, 235))
PLANET: Colour = (80, 190, 230)
GHOST: Colour = (120, 230, 190)
PROBING: Colour = (200, 90, 200)
PROBE_LENGTH = 0.3  # [m]
GHOSTLY = 0.3  # opacity of what is shown beside the modelled target
SEE_THROUGH = 0.4  # opacity of a hub that would hide its own appendages, or forces on its pads
LEAST_ARROW = 0.25  # [m]: thinner ones cannot be seen beside a spacecraft
PLUME_SIDES = 12
BEYOND = 1.25  # where the name of an axis stands, of its length


def scene_of(hardware: Hardware) -> Scene:
    """The scene of a run."""
    things = tuple(thing for source in SOURCES for thing in source(hardware))
    outlines = {craft: _outline(hardware, craft) for craft in (CHASER, TARGET)}
    outlines |= arm_outlines(hardware, CHASER)
    mission = hardware.scenario.mission
    if mission.robot is not None and mission.robot.probe is not None:
        outlines[PROBE] = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, -PROBE_LENGTH]])
    sways = tuple(_sway(strip, columns) for _, _, strip, columns in _strips(hardware))
    crafts = ((CHASER, mission.chaser), (TARGET, mission.target))
    blocks = {
        frame: tuple(box_around(shape) for shape in hardware.shapes(craft).values())
        for frame, craft in crafts
    }
    return Scene(things, up_of(hardware), outlines, blocks, sways)


def hubs(hardware: Hardware) -> list[Thing]:
    """Both spacecraft without arms and appendages, with their names and ways."""
    mission = hardware.scenario.mission
    things: list[Thing] = []
    for frame, craft, colour, signal in (
        (CHASER, mission.chaser, CHASER_COLOUR, "chaser.p_HC"),
        (TARGET, mission.target, TARGET_COLOUR, "target.p_HT"),
    ):
        for name, shape in hardware.shapes(craft).items():
            pressed = frame == CHASER and any(not each.arm for each in hardware.contacts)
            hides = pressed or _hidden(hardware, frame, shape)
            opacity = SEE_THROUGH if hides else 1.0
            things += drawn(f"{frame}/hub/{name}", frame, shape, opacity)
            things += details(f"{frame}/hub/{name}", frame, shape, opacity)
        shown_twice = frame == TARGET and mission.robot is not None
        text = "target, green: its mock-up" if shown_twice else frame
        boxes = tuple(box_around(shape) for shape in hardware.shapes(craft).values())
        things.append(Label(f"{frame}/label", frame, text, np.zeros((1, 3)), boxes=boxes))
        things.append(Trail(f"trails/{frame}", frame, signal, colour))
    return things


def arms(hardware: Hardware) -> list[Thing]:
    """Arms, with the end effector of the first, and the grapple frame that it is compared with."""
    things = arm_solids(hardware, CHASER)
    if hardware.chaser.arms:
        first = hardware.chaser.arms[0]
        offsets = [*(joint.p_PJ for joint in first.arm.joints), first.arm.p_JE]
        length = 0.12 * sum(float(np.linalg.norm(offset)) for offset in offsets)
        effector = effector_frame(first.name)
        things += [
            Axes(f"{effector}/axes", effector, length),
            Label(f"{effector}/label", effector, "E", np.zeros((1, 3)), of_detail=True),
            Axes(f"{GRAPPLE}/axes", GRAPPLE, 2.0 * length),
            Label(f"{GRAPPLE}/label", GRAPPLE, "G", np.zeros((1, 3)), of_detail=True),
        ]
    return things


def appendages(hardware: Hardware) -> list[Thing]:
    """Strips that bend, where their modal coordinates are recorded."""
    robot = hardware.scenario.mission.robot
    things: list[Thing] = []
    for frame, name, strip, columns in _strips(hardware):
        on_robot = frame == TARGET and robot is not None and robot.renders == "hub"
        carrier = MOCK_UP if on_robot else frame
        X_FB = Pose(strip.p, strip.q)
        path = f"{carrier}/appendages/{name}"
        bent = _bent(strip, columns)
        cells = cells_of(path, carrier, strip, bent)
        colour = FRAME if cells else PANEL
        things += [Surface(path, carrier, X_FB, strip.faces, bent, colour), *cells]
    return things


def contacts(hardware: Hardware) -> list[Thing]:
    """Forces on the target: one arrow for each contact, and one for each pad."""
    things: list[Thing] = []
    for each in hardware.contacts:
        total, f_n = f"contacts.{each.name}.f", f"contacts.{each.name}.f_n"
        width = 0.14 * max(_spread(each), LEAST_ARROW)
        if hardware.has(total):
            ends = _force_at(each, hardware.columns[total])
            things.append(Arrows(f"contacts/{each.name}/total", ends, FORCE, width))
        for number, pad in enumerate(each.pads):
            ball = ShapeDescription(
                "sphere", (0.4 * width,) * 3, vector(pad), HERE.q, (90, 96, 108)
            )
            things.append(Solid(f"contacts/{each.name}/pad-{number}", _pad_frame(each), ball))
        if hardware.has(f_n) and each.ball_radius == 0.0:
            ends = _pad_forces(each, hardware.columns[f_n])
            things.append(Arrows(f"contacts/{each.name}/pads", ends, PAD_FORCE, 0.5 * width))
    return things


def thrusters(hardware: Hardware) -> list[Thing]:
    """Nozzles, and jets as long as their thrust is large."""
    signal = "chaser.thrusters.thrust"
    if not hardware.has(signal):
        return nozzles(hardware)
    length = _plume_length(hardware)
    faces = np.array([(0, 1 + side, 1 + (side + 1) % PLUME_SIDES) for side in range(PLUME_SIDES)])
    things = nozzles(hardware)
    for number, each in enumerate(hardware.thrusters):
        column = hardware.columns[signal].start + number
        vertices = _plume(each, column, length)
        X_CB = pose_of(z_onto(-each.direction), each.p_C)
        path = f"{CHASER}/thrusters/{each.name}"
        things.append(Surface(path, CHASER, X_CB, faces, vertices, PLUME, 0.65))
    return things


def lab(hardware: Hardware) -> list[Thing]:
    """The mock-up that a robot moves, as a ghost of the modelled target, and the probe."""
    robot = hardware.scenario.mission.robot
    if robot is None:
        return []
    things: list[Thing] = []
    for name, shape in hardware.shapes(hardware.scenario.mission.target).items():
        ghost = ShapeDescription(shape.kind, shape.size, shape.p, shape.q, GHOST, shape.mesh)
        things += drawn(f"{MOCK_UP}/{name}", MOCK_UP, ghost, GHOSTLY)
    if robot.probe is not None:
        middle = (0.0, 0.0, -0.5 * PROBE_LENGTH)
        rod = ShapeDescription("cylinder", (0.02, 0.02, PROBE_LENGTH), middle, HERE.q, PROBING)
        things.append(Solid(f"{PROBE}/rod", PROBE, rod))
        things.append(
            Label(f"{PROBE}/label", PROBE, "probe", np.array([[0.0, 0.0, -0.5 * PROBE_LENGTH]]))
        )
    return things


def compass(hardware: Hardware, place: np.ndarray, length: float) -> list[Thing]:
    """The axes of the scene at a place of it, [m] long, and the way to the planet."""
    orbit = hardware.scenario.mission.orbit
    names = ("x", "y", "z") if orbit is None else ("radial", "along-track", "normal")
    things: list[Thing] = []
    for name, axis, colour in zip(names, np.eye(3), AXES, strict=True):
        ends = _standing(place, place + length * axis)
        things.append(Arrows(f"compass/{name}", ends, colour, 0.07 * length))
        beyond = place + BEYOND * length * axis
        things.append(Label(f"compass/{name}", SCENE, name, beyond[None]))
    if orbit is not None:
        down = place - 0.9 * length * np.eye(3)[0]
        things.append(Arrows("compass/planet", _standing(place, down), PLANET, 0.1 * length))
        text = f"to {orbit.attractor.capitalize()}"
        beyond = place + BEYOND * (down - place)
        things.append(Label("compass/planet", SCENE, text, beyond[None]))
    return things


def up_of(hardware: Hardware) -> np.ndarray:
    """Away from the planet with an orbit, else z; in a rehearsal z of the lab."""
    if hardware.rehearsed:
        return np.array([0.0, 0.0, 1.0])
    return np.array([1.0, 0.0, 0.0]) if hardware.orbit is not None else np.array([0.0, 0.0, 1.0])


def _standing(start: np.ndarray, tip: np.ndarray) -> Callable[[Moment], np.ndarray]:
    ends = np.array([[start, tip]])
    return lambda moment: ends


SOURCES: tuple[Callable[[Hardware], list[Thing]], ...] = (
    hubs,
    arms,
    appendages,
    contacts,
    thrusters,
    lab,
    cell,
    arena,
    zones,
    surroundings,
)


def _strips(hardware: Hardware) -> list[tuple[str, str, Strip, slice]]:
    """Craft, name, strip and columns of every appendage whose bending is recorded."""
    mission = hardware.scenario.mission
    found = []
    for craft, given in ((CHASER, mission.chaser), (TARGET, mission.target)):
        for name, appendage in given.appendages.items():
            signal = f"{craft}.appendages.{name}.q_f"
            if hardware.has(signal):
                strip = panel_of(strip_of(appendage), getattr(appendage, "drawn_width_m", None))
                found.append((craft, name, strip, hardware.columns[signal]))
    return found


def _bent(strip: Strip, columns: slice) -> Callable[[Moment], np.ndarray]:
    return lambda moment: strip.vertices(moment.row[columns], moment.look.bending)


def _sway(strip: Strip, columns: slice) -> Callable[[np.ndarray], float]:
    return lambda rows: strip.largest(rows[:, columns]) / strip.length


def _force_at(contact: ContactDescription, columns: slice) -> Callable[[Moment], np.ndarray]:
    """The force on the target, its tip at the middle of the pads."""
    middle = vector(contact.pads.mean(axis=0))
    frame = _pad_frame(contact)

    def ends(moment: Moment) -> np.ndarray:
        tip = np.array(moment.poses[frame].act(middle))
        f = np.array(moment.poses[TARGET].rotate(vector(moment.row[columns])))
        return np.array([[tip - f / moment.look.newtons_per_metre, tip]])

    return ends


def _pad_forces(contact: ContactDescription, columns: slice) -> Callable[[Moment], np.ndarray]:
    """The normal forces on the target, their tips at the pads."""
    pads = [vector(pad) for pad in contact.pads]
    frame, face = _pad_frame(contact), _face_frame(contact)
    # out of the body that has the face: into the target if the face is the chaser's
    sign = -1.0 if contact.pads_on_chaser else 1.0

    def ends(moment: Moment) -> np.ndarray:
        normal = np.array(moment.poses[face].rotate(vector(sign * contact.normal)))
        tips = np.array([moment.poses[frame].act(pad) for pad in pads])
        lengths = moment.row[columns] / moment.look.newtons_per_metre
        return np.stack([tips - lengths[:, None] * normal, tips], axis=1)

    return ends


def _pad_frame(contact: ContactDescription) -> str:
    return _on_chaser(contact) if contact.pads_on_chaser else TARGET


def _face_frame(contact: ContactDescription) -> str:
    return TARGET if contact.pads_on_chaser else _on_chaser(contact)


def _on_chaser(contact: ContactDescription) -> str:
    return effector_frame(contact.arm) if contact.arm else CHASER


def _spread(contact: ContactDescription) -> float:
    """Size of a contact [m]."""
    radii = np.linalg.norm(contact.pads - contact.pads.mean(axis=0), axis=1)
    return max(float(radii.max()), contact.radius, contact.ball_radius, 0.1)


def _plume(
    thruster: ThrusterDescription, column: int, length: float
) -> Callable[[Moment], np.ndarray]:
    """A cone from the thruster along its jet, z of its frame."""
    angle = np.linspace(0.0, 2.0 * math.pi, PLUME_SIDES, endpoint=False)
    rim = np.column_stack([0.18 * np.cos(angle), 0.18 * np.sin(angle), np.ones(PLUME_SIDES)])
    cone = length * np.vstack([np.zeros(3), rim])

    def vertices(moment: Moment) -> np.ndarray:
        return np.asarray(moment.row[column] / thruster.thrust * cone)

    return vertices


def _plume_length(hardware: Hardware) -> float:
    """How long a jet of full thrust is drawn [m]."""
    shapes = hardware.shapes(hardware.scenario.mission.chaser).values()
    return 0.8 * max((max(shape.size) for shape in shapes), default=1.0)


def _hidden(hardware: Hardware, craft: str, shape: ShapeDescription) -> bool:
    """Whether a box holds more than a quarter of an appendage."""
    if shape.kind != "box":
        return False
    turned_back = Pose((0.0, 0.0, 0.0), inverse(shape.q))
    for frame, _, strip, _ in _strips(hardware):
        if frame == craft:
            points = strip.rest[:, None].reshape(-1, 3).tolist()
            on_hub = [Pose(strip.p, strip.q).act((x, y, z)) for x, y, z in points]
            in_box = [turned_back.rotate(vector(np.subtract(p, shape.p))) for p in on_hub]
            inside = (np.abs(in_box) < 0.5 * np.array(shape.size)).all(axis=1)
            if inside.mean() > 0.25:
                return True
    return False


def _outline(hardware: Hardware, craft: str) -> np.ndarray:
    """Corners (n, 3) of a spacecraft's shapes and appendages, hub axes [m]."""
    mission = hardware.scenario.mission
    given = mission.chaser if craft == CHASER else mission.target
    points = [corners(shape) for shape in hardware.shapes(given).values()]
    for frame, _, strip, _ in _strips(hardware):
        if frame == craft:
            ends = strip.rest[[0, 1, 2, 3, -4, -3, -2, -1]]
            placed = Pose(strip.p, strip.q)
            points.append(np.array([placed.act(vector(end)) for end in ends]))
    if craft == CHASER:
        length = _plume_length(hardware)
        points += [each.p_C[None] - length * each.direction for each in hardware.thrusters]
    return np.vstack(points or [np.zeros((1, 3))])
