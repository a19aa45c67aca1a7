"""The flight arena of a rehearsal: its room, both multirotors with their wakes, and their ways.

A vehicle is drawn from the facility's file: arms as long as they are, each rotor as the disc of its
propeller, tilted as it is.  What the vehicles carry is left out; what they stand for is above them.
"""

import math
from collections.abc import Callable

import numpy as np

from proxops.core.description import ShapeDescription
from proxops.core.frame import z_onto
from proxops.facility.arena.memory import FLYING, LANDED, LANDING
from proxops.physics.multirotor.mixer import ROTORS, rotor_positions, thrust_directions
from proxops.physics.multirotor.wake import jet
from proxops.results.flight_figures import thrust_margin
from proxops.viewer.hardware import Flown, Hardware
from proxops.viewer.pose import HERE, Pose, Vector, pose_of
from proxops.viewer.poses import CELL, CELL_CHASER, CELL_TARGET, CRAFTS, vehicle_frame
from proxops.viewer.room import edges, room
from proxops.viewer.scene import Colour, Label, Lines, Moment, Solid, Surface, Thing, Trail, Way

FRAME: Colour = (60, 64, 72)
COLOURS: dict[str, Colour] = {"target": (255, 196, 87), "chaser": (90, 170, 255)}
FRONT: Colour = (235, 70, 60)  # of the rotor on the x axis
REFERENCE: Colour = (235, 240, 245)
FENCE: Colour = (96, 106, 118)
AIR: Colour = (150, 200, 235)
THIN_AIR = 0.16  # opacity of a wake
SIDES = 20  # of a wake
# Of the length of an arm: what the facility's file does not say
HUB, TUBE, MOTOR, BLADE = 0.28, 0.035, 0.07, 0.03

# What both vehicles do, and the colour that says so
MODES: dict[int, tuple[str, Colour]] = {
    FLYING: ("flying", (20, 130, 45)),
    LANDING: ("landing", (235, 130, 0)),
    LANDED: ("landed", (130, 138, 148)),
}


def arena(hardware: Hardware) -> list[Thing]:
    """All that is in the arena of a rehearsal."""
    flown = hardware.arena
    if flown is None:
        return []
    things = _surroundings(hardware, flown)
    for craft, hub, signal in zip(
        CRAFTS, (CELL_TARGET, CELL_CHASER), ("lab.p_LTl", "lab.p_LCl"), strict=True
    ):
        things += [
            *_vehicle(flown, craft),
            _wake(flown, craft),
            Way(f"ways/{craft}", f"lab.vehicles.{craft}.p_ref", REFERENCE, 1.5),
            Trail(f"trails/{hub}", hub, signal, COLOURS[craft], 3.0, ahead=False),
        ]
    return things


def flight_state(hardware: Hardware) -> Callable[[np.ndarray], tuple[str, Colour]]:
    """What the vehicles do at a row, in a word and a colour: that of the one which is farther on
    its way to the ground."""
    columns = [hardware.columns[f"lab.vehicles.{craft}.mode"].start for craft in CRAFTS]
    return lambda row: MODES[int(min(max(row[columns].max(), FLYING), LANDED))]


def flight_facts(hardware: Hardware) -> Callable[[np.ndarray], list[str]]:
    """What a row says of the flight, in words: gap, and of each vehicle error, thrust margin and
    what it does."""
    assert hardware.arena is not None
    given = hardware.arena.file.vehicle

    def facts(row: np.ndarray) -> list[str]:
        said = [f"gap between tips {float(hardware.of('lab.gap', row)[0]):.3f} m"]
        for craft in CRAFTS:
            error, thrust, mode = (
                hardware.of(f"lab.vehicles.{craft}.{field}", row)
                for field in ("error", "thrust", "mode")
            )
            left = float(thrust_margin(thrust, given.min_thrust_N, given.max_thrust_N))
            word = MODES.get(int(mode[0]), MODES[LANDED])[0]
            said.append(
                f"{craft}'s vehicle {word}, error {1e3 * error[0]:.1f} mm, "
                f"thrust margin {left:.2f} N"
            )
        return said

    return facts


def room_of(flown: Flown) -> np.ndarray:
    """Lowest and highest corner (2, 3) of the arena in L [m]."""
    return np.array([flown.file.p_min_m, flown.file.p_max_m])


def _surroundings(hardware: Hardware, flown: Flown) -> list[Thing]:
    """Room, and the box that flights keep; targets keep more."""
    state, box = flight_state(hardware), room_of(flown)
    inset = flown.file.limits.walls_m * np.array([[1.0], [-1.0]])
    lights = tuple(colour for _, colour in MODES.values())

    def text(moment: Moment) -> str:
        return f"arena {flown.name}: {state(moment.row)[0]}"

    fence = Lines("cell/fence", CELL, edges(box + inset), 1.0, (FENCE,))
    return [*room(box, text, state, lights), fence]


def _vehicle(flown: Flown, craft: str) -> list[Thing]:
    """Hub, arms, motors and the discs of the rotors, the one in front red."""
    from proxops.assembly.arena import geometry_of  # brings the autopilots with it

    given, frame = flown.file.vehicle, vehicle_frame(craft)
    geometry, arm = geometry_of(given), given.arm_m
    plate = (HUB * arm, HUB * arm, 0.5 * HUB * arm)
    name, colour = f"cell/{craft}'s vehicle", COLOURS[craft]
    things: list[Thing] = [_cylinder(f"{name}/hub", frame, plate, HERE, colour)]
    places, axes = rotor_positions(geometry), thrust_directions(geometry)
    for number, (place, axis) in enumerate(zip(places, axes, strict=True)):
        along = pose_of(z_onto(place / arm), 0.5 * place)
        upright = pose_of(z_onto(axis), place)
        under = Pose(upright.act((0.0, 0.0, 0.5 * MOTOR * arm)), upright.q)
        tube, motor = (TUBE * arm, TUBE * arm, arm), (MOTOR * arm, MOTOR * arm, 2 * MOTOR * arm)
        radius = 0.5 * given.propeller_m
        disc = radius, radius, BLADE * arm
        tint = FRONT if number == 0 else colour
        things += [
            _cylinder(f"{name}/arm-{number}", frame, tube, along, FRAME),
            _cylinder(f"{name}/motor-{number}", frame, motor, under, FRAME),
            _cylinder(f"{name}/rotor-{number}", frame, disc, _above(upright, arm), tint),
        ]
    above = np.array([[0.0, 0.0, arm]])
    things.append(Label(f"{name}/label", frame, f"{craft}'s vehicle", above))
    return things


def _above(rotor: Pose, arm: float) -> Pose:
    """Where a disc is: clear of its arm."""
    return Pose(rotor.act((0.0, 0.0, 1.5 * MOTOR * arm)), rotor.q)


def _cylinder(name: str, frame: str, size: Vector, X: Pose, colour: Colour) -> Solid:
    return Solid(name, frame, ShapeDescription("cylinder", size, X.p, X.q, colour))


def _wake(flown: Flown, craft: str) -> Surface:
    """The column of a wake from the rotors down to the floor, as wide as its speed has fallen to
    1/e of that on its axis: b = b₀ + k d, along -z of the vehicle (`physics.multirotor.wake`)."""
    given, frame = flown.file, vehicle_frame(craft)
    blown = jet(ROTORS, 0.5 * given.vehicle.propeller_m)
    floor = given.p_min_m[2]
    angle = np.linspace(0.0, math.tau, SIDES, endpoint=False)
    ring = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(SIDES)])
    first = np.arange(SIDES)
    following = (first + 1) % SIDES
    faces = np.vstack(
        [
            np.column_stack([first, following, first + SIDES]),
            np.column_stack([following, following + SIDES, first + SIDES]),
        ]
    )

    def vertices(moment: Moment) -> np.ndarray:
        X = moment.poses[frame]
        steep = max(X.rotate((0.0, 0.0, 1.0))[2], 0.1)
        depth = round(max(X.p[2] - floor, 0.0) / steep, 2)
        end = (blown.width + blown.spread * depth) * ring - [0.0, 0.0, depth]
        return np.vstack([blown.width * ring, end])

    name = f"cell/{craft}'s vehicle/wake"
    return Surface(name, frame, HERE, faces, vertices, AIR, THIN_AIR, lambda look: look.wakes)
