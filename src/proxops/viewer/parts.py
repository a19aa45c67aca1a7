"""Which things the scene of a run has, one function for each kind of hardware."""

import math
from collections.abc import Callable

import numpy as np

from proxops.core.description import ContactDescription, ShapeDescription, ThrusterDescription
from proxops.scenario.geometry import shapes_of
from proxops.scenario.urdf import z_onto
from proxops.scenario.urdf_visual import arm_shapes
from proxops.viewer.bend import strip_of
from proxops.viewer.pose import HERE, Pose, pose_of, vector
from proxops.viewer.poses import (
    CHASER,
    GRAPPLE,
    MOCK_UP,
    PROBE,
    TARGET,
    effector_frame,
    joint_frame,
)
from proxops.viewer.scene import (
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
from proxops.viewer.subject import Subject

CHASER_COLOUR: Colour = (90, 170, 255)
TARGET_COLOUR: Colour = (255, 196, 87)
FORCE: Colour = (255, 86, 64)
PAD_FORCE: Colour = (255, 214, 64)
PANEL: Colour = (58, 96, 178)
PLUME: Colour = (255, 150, 60)
GHOST: Colour = (120, 230, 190)
GHOSTLY = 0.3  # opacity of what is shown beside the modelled target
SEE_THROUGH = 0.45  # opacity of a hub that would hide its own appendages
PLUME_SIDES = 12


def scene_of(subject: Subject) -> Scene:
    """The scene of a run."""
    things = tuple(thing for source in SOURCES for thing in source(subject))
    return Scene(things, {craft: _reach(things, craft) for craft in (CHASER, TARGET)})


def hubs(subject: Subject) -> list[Thing]:
    """Both spacecraft without arms and appendages, with their names and ways."""
    mission = subject.scenario.mission
    things: list[Thing] = []
    for frame, craft, colour, signal in (
        (CHASER, mission.chaser, CHASER_COLOUR, "chaser.p_HC"),
        (TARGET, mission.target, TARGET_COLOUR, "target.p_HT"),
    ):
        shapes = shapes_of(craft)
        opacity = SEE_THROUGH if _hides_appendages(shapes, craft.appendages) else 1.0
        things += [
            Solid(f"{frame}/hub/{name}", frame, shape, opacity) for name, shape in shapes.items()
        ]
        things.append(Label(f"{frame}/label", frame, frame))
        things.append(Trail(f"trails/{frame}", frame, signal, colour))
    return things


def arms(subject: Subject) -> list[Thing]:
    """Arms, with the end effector of the first, and the grapple frame that it is held against."""
    things: list[Thing] = []
    for mounted in subject.chaser.arms:
        given = subject.scenario.mission.chaser.arms[mounted.name]
        text = subject.scenario.files[given.urdf]
        for count, (number, shape) in enumerate(arm_shapes(mounted.arm, text)):
            frame = joint_frame(mounted.name, number)
            things.append(Solid(f"{frame}/{count}", frame, shape))
    if subject.chaser.arms:
        first = subject.chaser.arms[0]
        ways = [*(joint.p_PJ for joint in first.arm.joints), first.arm.p_JE]
        length = 0.12 * sum(float(np.linalg.norm(way)) for way in ways)
        effector = effector_frame(first.name)
        things += [
            Axes(f"{effector}/axes", effector, length),
            Label(f"{effector}/label", effector, "E"),
            Axes(f"{GRAPPLE}/axes", GRAPPLE, 2.0 * length),
            Label(f"{GRAPPLE}/label", GRAPPLE, "G"),
        ]
    return things


def appendages(subject: Subject) -> list[Thing]:
    """Strips that bend, where their modal coordinates are recorded."""
    mission = subject.scenario.mission
    things: list[Thing] = []
    for frame, craft in ((CHASER, mission.chaser), (TARGET, mission.target)):
        for name, given in craft.appendages.items():
            signal = f"{frame}.appendages.{name}.q_f"
            if not subject.has(signal):
                continue
            strip = strip_of(given)
            carrier = frame
            if frame == TARGET and mission.robot is not None and mission.robot.renders == "hub":
                carrier = MOCK_UP  # they are real, on the flange
            columns = subject.columns[signal]
            vertices = _bent(strip.vertices, columns)
            X_FB = Pose(strip.p, strip.q)
            path = f"{carrier}/appendages/{name}"
            things.append(Surface(path, carrier, X_FB, strip.faces, vertices, PANEL))
    return things


def contacts(subject: Subject) -> list[Thing]:
    """Forces on the target: one arrow for each contact, and one for each pad."""
    things: list[Thing] = []
    for each in subject.contacts:
        total, f_n = f"contacts.{each.name}.f", f"contacts.{each.name}.f_n"
        width = 0.06 * _spread(each)
        if subject.has(total):
            ends = _force_at(each, subject.columns[total])
            things.append(Arrows(f"contacts/{each.name}/total", ends, FORCE, width))
        if subject.has(f_n) and each.ball_radius == 0.0:
            ends = _pad_forces(each, subject.columns[f_n])
            things.append(Arrows(f"contacts/{each.name}/pads", ends, PAD_FORCE, 0.5 * width))
    return things


def thrusters(subject: Subject) -> list[Thing]:
    """Jets, as long as their thrust is large."""
    signal = "chaser.thrusters.thrust"
    if not subject.has(signal):
        return []
    shapes = shapes_of(subject.scenario.mission.chaser).values()
    length = 0.8 * max((max(shape.size) for shape in shapes), default=1.0)
    faces = np.array([(0, 1 + side, 1 + (side + 1) % PLUME_SIDES) for side in range(PLUME_SIDES)])
    things: list[Thing] = []
    for number, each in enumerate(subject.thrusters):
        column = subject.columns[signal].start + number
        vertices = _plume(each, column, length)
        X_CB = pose_of(z_onto(-each.direction), each.p_C)
        path = f"{CHASER}/thrusters/{each.name}"
        things.append(Surface(path, CHASER, X_CB, faces, vertices, PLUME, 0.65))
    return things


def lab(subject: Subject) -> list[Thing]:
    """The mock-up that a robot moves, as a ghost of the modelled target, and the probe."""
    robot = subject.scenario.mission.robot
    if robot is None:
        return []
    things: list[Thing] = []
    for name, shape in shapes_of(subject.scenario.mission.target).items():
        ghost = ShapeDescription(shape.kind, shape.size, shape.p, shape.q, GHOST, shape.mesh)
        things.append(Solid(f"{MOCK_UP}/{name}", MOCK_UP, ghost, GHOSTLY))
    if robot.probe is not None:
        length = 0.4
        rod = ShapeDescription(
            "cylinder", (0.02, 0.02, length), (0.0, 0.0, -0.5 * length), HERE.q, (200, 90, 200)
        )
        things.append(Solid(f"{PROBE}/rod", PROBE, rod))
        things.append(Label(f"{PROBE}/label", PROBE, "probe", (0.0, 0.0, 0.1)))
    return things


SOURCES: tuple[Callable[[Subject], list[Thing]], ...] = (
    hubs,
    arms,
    appendages,
    contacts,
    thrusters,
    lab,
)


def _bent(
    vertices: Callable[[np.ndarray, float], np.ndarray], columns: slice
) -> Callable[[Moment], np.ndarray]:
    return lambda moment: vertices(moment.row[columns], moment.look.bending)


def _force_at(contact: ContactDescription, columns: slice) -> Callable[[Moment], np.ndarray]:
    """The force on the target, its tip at the middle of the pads."""
    middle = vector(contact.pads.mean(axis=0))
    frame = _pad_frame(contact)

    def ends(moment: Moment) -> np.ndarray:
        tip = np.array(moment.poses[frame].act(middle))
        f = np.array(moment.poses[TARGET].turn(vector(moment.row[columns])))
        return np.array([[tip - f / moment.look.newtons_per_metre, tip]])

    return ends


def _pad_forces(contact: ContactDescription, columns: slice) -> Callable[[Moment], np.ndarray]:
    """The normal forces on the target, their tips at the pads."""
    pads = [vector(pad) for pad in contact.pads]
    frame, face = _pad_frame(contact), _face_frame(contact)
    # out of the body that has the face: into the target if the face is the chaser's
    sign = -1.0 if contact.pads_on_chaser else 1.0

    def ends(moment: Moment) -> np.ndarray:
        normal = np.array(moment.poses[face].turn(vector(sign * contact.normal)))
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


def _hides_appendages(shapes: dict[str, ShapeDescription], given: dict[str, object]) -> bool:
    """Whether more than a quarter of an appendage is inside a box of the hub."""
    for appendage in given.values():
        strip = strip_of(appendage)  # type: ignore[arg-type]
        points = np.array([Pose(strip.p, strip.q).act(vector(each)) for each in strip.rest])
        for shape in shapes.values():
            inside = np.abs(points - np.array(shape.p)) < 0.5 * np.array(shape.size)
            if shape.kind == "box" and inside.all(axis=1).mean() > 0.25:
                return True
    return False


def _reach(things: tuple[Thing, ...], craft: str) -> float:
    """How far a spacecraft's hub and appendages reach from its hub's origin [m]."""
    reach = 0.1
    for thing in things:
        if isinstance(thing, Solid) and thing.frame == craft:
            half = 0.5 * math.hypot(*thing.shape.size)
            reach = max(reach, math.hypot(*thing.shape.p) + half)
    return reach
