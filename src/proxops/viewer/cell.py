"""The cell of a rehearsal: floor, sides, both robots, what they carry and the measured force.

Robots and mock-ups are drawn as the capsules that the guard keeps apart.  Of the spacecraft only
what is near the flange is built in a lab, so only that is drawn.
"""

from collections.abc import Callable

import numpy as np

from proxops.core.description import ContactDescription, ShapeDescription
from proxops.facility.common.guard import table as guarding
from proxops.facility.common.rows import PAIR
from proxops.facility.robot_cell.fence import PARTS, STANDING
from proxops.facility.robot_cell.industrial.forward import FRAMES, LINK_3
from proxops.viewer.arm_solids import arm_solids
from proxops.viewer.hardware import Hardware, Rehearsed
from proxops.viewer.pose import HERE, vector
from proxops.viewer.poses import (
    CELL,
    CELL_CHASER,
    CELL_TARGET,
    CRAFTS,
    effector_frame,
    robot_frame,
)
from proxops.viewer.room import room
from proxops.viewer.scene import Arrows, Axes, Colour, Label, Moment, Solid, Thing
from proxops.viewer.shapes import capsule, corners, drawn

ORANGE: Colour = (235, 105, 30)
CAST: Colour = (74, 78, 86)  # base and hand
MOUNT: Colour = (150, 156, 166)
MEASURED: Colour = (235, 60, 170)
PAD: Colour = (240, 240, 245)
NEAR = 0.9  # [m] from where a robot carries it: the part of a spacecraft that a lab builds
SEE_THROUGH = 0.5  # opacity of mock-ups: what is bolted to them stands inside
LEAST_PAD = 0.02  # [m]
AROUND = 1.0  # of the floor about robots in a cell without sides [m]
MEASURED_WIDTH = 0.08  # of an arrow: it must be seen around the arm [m]

# What the guard does, and the colour that says so
MODES: dict[int, tuple[str, Colour]] = {
    guarding.RUNNING: ("running", (20, 130, 45)),
    guarding.BRAKING: ("braking", (235, 130, 0)),
    guarding.STOPPED: ("stopped", (220, 20, 20)),
}
UNGUARDED: tuple[str, Colour] = ("", (130, 138, 148))


def cell(hardware: Hardware) -> list[Thing]:
    """All that stands in the cell of a rehearsal."""
    given = hardware.cell
    if given is None:
        return []
    things = _surroundings(hardware, given)
    if hardware.cell_robots is not None:
        things += _robots(hardware)
    return [*things, *_mock_ups(hardware), *_arms(hardware), *_contact(hardware)]


def guard_state(hardware: Hardware) -> Callable[[np.ndarray], tuple[str, Colour]]:
    """What the guard does at a row, in a word and a colour; an empty word where there is none."""
    if not hardware.has("lab.guard.mode"):
        return lambda row: UNGUARDED
    column = hardware.columns["lab.guard.mode"].start
    return lambda row: MODES.get(int(row[column]), (f"mode {row[column]:g}", UNGUARDED[1]))


def sides(given: Rehearsed) -> np.ndarray | None:
    """Lowest and highest corner (2, 3) of the cell in L [m], None where there are no sides."""
    guard = given.facility.guard
    if given.facility.robots is None or guard.p_min_m is None or guard.p_max_m is None:
        return None
    return np.array([guard.p_min_m, guard.p_max_m])


def _floor(given: Rehearsed) -> np.ndarray | None:
    """The same of the floor about both robots, where the cell has no sides; None without robots."""
    robots = given.facility.robots
    if robots is None:
        return None
    feet = np.array([robots.target.p_LB_m, robots.chaser.p_LB_m])
    feet[:, 2] = 0.0
    around = np.array([AROUND, AROUND, 0.0])
    return np.array([feet.min(axis=0) - around, feet.max(axis=0) + around])


def _surroundings(hardware: Hardware, given: Rehearsed) -> list[Thing]:
    """Floor and edges, in the colour of the guard."""
    state, name = guard_state(hardware), f"cell {given.name}, {given.representation}"
    box = sides(given)
    if box is None:
        box = _floor(given)
    if box is None:
        return [Label("cell/label", CELL, name, np.zeros((1, 3)))]

    def text(moment: Moment) -> str:
        word = state(moment.row)[0]
        return f"{name}: guard {word}" if word else name

    lights = (*(colour for _, colour in MODES.values()), UNGUARDED[1])
    return room(box, text, state, lights)


def _robots(hardware: Hardware) -> list[Thing]:
    """Both robots as the guard's capsules, in the colours of their kind."""
    things: list[Thing] = []
    for shape in hardware.guarded():
        which, frame = divmod(shape.frame, FRAMES)
        if which >= PAIR:
            continue  # the arm's links are drawn as they look
        part = next(part for part in PARTS if shape.name.startswith(part))
        held = part == PARTS[-1]
        colour = MOUNT if held else CAST if part in (STANDING[0], "hand") else ORANGE
        opacity = SEE_THROUGH if held else 1.0
        where = robot_frame(CRAFTS[which], frame)
        for count, solid in enumerate(capsule(shape.ends, shape.radius, colour)):
            things.append(Solid(f"cell/{shape.name}/{count}", where, solid, opacity))
    for craft in CRAFTS:
        above = np.array([[0.0, 0.0, 0.35]])
        text = f"{craft}'s robot"
        things.append(Label(f"cell/{text}", robot_frame(craft, LINK_3), text, above))
    return things


def _mock_ups(hardware: Hardware) -> list[Thing]:
    """The shapes of either spacecraft that are near where its robot carries it; of a chaser without
    an arm, whose z points out of the flange, those before C: behind it stands the robot."""
    mission, arms = hardware.scenario.mission, hardware.chaser.arms
    things: list[Thing] = []
    for frame, craft, held in (
        (CELL_TARGET, mission.target, np.array(mission.target.grapple.p_TG_m)),
        (CELL_CHASER, mission.chaser, arms[0].p_CA if arms else np.zeros(3)),
    ):
        for name, shape in hardware.shapes(craft).items():
            reach = corners(shape)
            if craft is mission.chaser and not arms and reach[:, 2].min() < 0.0:
                continue
            if np.linalg.norm(reach - held, axis=1).max() <= NEAR:
                things += drawn(f"{frame}/hub/{name}", frame, shape, 1.0)
    return things


def _arms(hardware: Hardware) -> list[Thing]:
    """The real arm on the chaser's mock-up."""
    things = arm_solids(hardware, CELL_CHASER)
    for first in hardware.chaser.arms[:1]:
        effector = effector_frame(first.name, CELL_CHASER)
        things.append(Axes(f"{effector}/axes", effector, 0.15))
    return things


def _contact(hardware: Hardware) -> list[Thing]:
    """Pads, and the force that the models feel, as the sensor has it."""
    things: list[Thing] = []
    for each in hardware.contacts:
        radius = max(each.ball_radius, LEAST_PAD)
        for number, pad in enumerate(each.pads):
            ball = ShapeDescription("sphere", (radius,) * 3, vector(pad), HERE.q, PAD)
            things.append(Solid(f"cell/{each.name}/pad-{number}", pad_frame(each), ball))
    if hardware.has("lab.measured_wrench"):
        things.append(Arrows("cell/felt", _measured_force(hardware), MEASURED, MEASURED_WIDTH))
    return things


def _measured_force(hardware: Hardware) -> Callable[[Moment], np.ndarray]:
    """The measured force on the target's mock-up, its tip at the first contact, else at G."""
    columns = slice(
        hardware.columns["lab.measured_wrench"].start,
        hardware.columns["lab.measured_wrench"].start + 3,
    )
    if hardware.contacts:
        frame, point = pad_frame(hardware.contacts[0]), hardware.contacts[0].pads.mean(axis=0)
    else:
        frame, point = CELL_TARGET, np.array(hardware.scenario.mission.target.grapple.p_TG_m)
    at = vector(point)

    def ends(moment: Moment) -> np.ndarray:
        tip = np.array(moment.poses[frame].act(at))
        f = np.array(moment.poses[CELL_TARGET].rotate(vector(moment.row[columns])))
        return np.array([[tip - f / moment.look.newtons_per_metre, tip]])

    return ends


def pad_frame(
    contact: ContactDescription, chaser: str = CELL_CHASER, target: str = CELL_TARGET
) -> str:
    """The frame that a contact's pads are fixed in, in the cell or of those two hubs."""
    if not contact.pads_on_chaser:
        return target
    return effector_frame(contact.arm, chaser) if contact.arm else chaser


def tip(hardware: Hardware, chaser: str, target: str) -> tuple[str, np.ndarray]:
    """What the chaser reaches out with: a frame and points (n, 3) in it [m].  The end effector of
    its first arm; without an arm, pads; without these, the hub."""
    if hardware.chaser.arms:
        return effector_frame(hardware.chaser.arms[0].name, chaser), np.zeros((1, 3))
    if hardware.contacts:
        return pad_frame(hardware.contacts[0], chaser, target), hardware.contacts[0].pads
    return chaser, np.zeros((1, 3))
