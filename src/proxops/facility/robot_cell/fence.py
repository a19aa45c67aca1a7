"""Limits and shapes of the cell, for its guard.

Robots are capsules along their links.  Unless given, radii are assumed for the KR QUANTEC class,
generously: castings, motors and cables are inside.  The arm's links are capsules from joint to
joint.  A mock-up is a capsule from the flange to its mounted frame, where it ends; what the
chaser's touches with beyond that is a rod, see `rods`.
"""

import math
from dataclasses import dataclass
from itertools import product

import numpy as np

from proxops.core.description import CraftDescription
from proxops.facility.common.guard.build import (
    AxisLimits,
    GuardDescription,
    Pair,
    Plane,
    Shape,
    Watched,
)
from proxops.facility.robot_cell.guarded import ARM_FRAMES
from proxops.facility.robot_cell.industrial import robot as of
from proxops.facility.robot_cell.industrial.forward import (
    BASE,
    FLANGE,
    FRAMES,
    LINK_1,
    LINK_2,
    LINK_3,
    LINK_5,
)
from proxops.facility.robot_cell.industrial.robot import GRAVITY, Robot
from proxops.facility.robot_cell.rods import Piece, Rod, pieces, reach_of

NAMES = ("the target's robot", "the chaser's robot")

UPPER_ARM = 0.20  # [m]
ARM_RADIUS = 0.06

# What drives can do in an emergency, of the robots' own limits; assumed.  `acceleration_override`
# does not lower it: that spares what is carried, an emergency stop is there for people and the
# cell and stops as quickly as the machine can (IEC 60204-1, stop category 1).
HARDER = 2.0
NO_LIMIT = 1e9  # [N m] for a joint without one
AT_ROOT = 2  # links of the arm that are close to their own robot by design
AT_TIP = 2  # links of the arm that are meant to come close to the target
LONGEST_STOP = 2.0  # [s]

PARTS = ("base", "carousel", "upper arm", "forearm", "hand", "mock-up")
STANDING = PARTS[:2]  # these touch the floor, or nearly


@dataclass(frozen=True)
class Radii:
    """How thick the links of a robot are [m]."""

    base: float = 0.33
    carousel: float = 0.30
    upper_arm: float = UPPER_ARM
    forearm: float = 0.18
    hand: float = 0.13
    behind_elbow: float = 0.30  # by how much the motors stand out


@dataclass(frozen=True)
class Tool:
    """How large a mock-up is."""

    p_KM: np.ndarray  # where it ends, from the flange [m]
    radius: float  # [m]
    rods: tuple[Rod, ...] = ()  # on the chaser's
    radii: Radii = Radii()  # of the robot that carries it


@dataclass(frozen=True)
class Fence:
    """Limits of a cell, besides those of its robots."""

    measured_force: float  # [N]
    measured_torque: float  # about the flange of the target's robot [N m]
    clearance: float  # of robots and mock-ups from everything but the arm [m]
    oldest: float  # age of the measured wrench [s]
    corners: tuple[np.ndarray, np.ndarray] | None  # of the cell; only a floor if not given [m]
    acceleration: float  # share of the robots' limits of acceleration and jerk
    arm_clearance: float  # of the arm's links from everything [m]


def fence(
    robots: tuple[Robot, Robot],
    tools: tuple[Tool, Tool],
    chaser: CraftDescription,
    limits: Fence,
    period: float,
) -> GuardDescription:
    """All that is guarded in a cell with commands every `period` [s]."""
    arms, length = _arm_shapes(chaser)
    spans = tuple(float(np.linalg.norm(tool.p_KM)) + tool.radius for tool in tools)
    rods = tools[1].rods
    beyond = (spans[0], max([spans[1] + length, *map(reach_of, rods)]))
    touching = [(rod.radius, piece) for rod in rods for piece in pieces(rod, limits.clearance)]
    shapes = [
        shape
        for which, (robot, tool) in enumerate(zip(robots, tools, strict=True))
        for shape in _robot_shapes(which, robot, tool)
    ]
    shapes += [_rod_shape(piece, radius) for radius, piece in touching]
    planes = _planes(limits.corners)
    met = _pairs(chaser, [shape.name for shape in arms], planes, limits)
    return GuardDescription(
        axes=tuple(
            axis
            for which, robot in enumerate(robots)
            for axis in _axes(NAMES[which], robot, beyond[which], limits.acceleration)
        ),
        period=period,
        oldest=limits.oldest,
        watched=_watched(robots, chaser, limits),
        shapes=(*shapes, *arms),
        planes=planes,
        pairs=(*met, *_rod_pairs([piece for _, piece in touching], planes, limits.clearance)),
        longest_stop=LONGEST_STOP,
        robots=NAMES,
    )


def _axes(name: str, robot: Robot, tool: float, share: float) -> list[AxisLimits]:
    """Reaches are the lengths of all that follows, stretched."""
    forearm, hand = math.hypot(robot.d4, robot.a3), robot.d6 + tool
    reaches = (
        robot.a1 + robot.a2 + forearm + hand,
        robot.a2 + forearm + hand,
        forearm + hand,
        hand,
        hand,
        tool,
    )
    return [
        AxisLimits(
            f"axis {number + 1} of {name}",
            float(row[of.LOWER]),
            float(row[of.UPPER]),
            float(row[of.SPEED]),
            share * float(row[of.ACCELERATION]),
            share * float(row[of.JERK]),
            reach,
            HARDER * float(row[of.ACCELERATION]),
            HARDER * float(row[of.JERK]),
        )
        for number, (row, reach) in enumerate(zip(robot.joints, reaches, strict=True))
    ]


def _watched(
    robots: tuple[Robot, Robot], chaser: CraftDescription, limits: Fence
) -> tuple[Watched, ...]:
    """In the order of `guarded`."""
    flanges = [
        row
        for name, robot in zip(NAMES, robots, strict=True)
        for row in (
            Watched(name, "flange force", robot.payload * GRAVITY),
            Watched(name, "flange moment", robot.moment),
        )
    ]
    return (
        Watched("the contact", "measured force", limits.measured_force),
        Watched("the contact", "measured torque", limits.measured_torque),
        *flanges,
        *(
            Watched(f"{mounted.name}.{joint.name}", "arm torque", min(joint.effort, NO_LIMIT))
            for mounted in chaser.arms
            for joint in mounted.arm.joints
        ),
    )


def _robot_shapes(which: int, robot: Robot, tool: Tool) -> list[Shape]:
    """In the order of PARTS."""
    o, first, thick = (0.0, 0.0, 0.0), which * FRAMES, tool.radii
    length = float(np.linalg.norm(tool.p_KM))
    share = max(0.0, length - tool.radius) / length if length > 0.0 else 0.0
    x, y, z = (float(share * p) for p in tool.p_KM)
    along = (
        (BASE, ((0.0, 0.0, thick.base), (0.0, 0.0, robot.d1)), thick.base),
        (LINK_1, (o, (robot.a1, 0.0, 0.0)), thick.carousel),
        (LINK_2, (o, (robot.a2, 0.0, 0.0)), thick.upper_arm),
        (LINK_3, ((-thick.behind_elbow, 0.0, robot.a3), (robot.d4, 0.0, robot.a3)), thick.forearm),
        (LINK_5, (o, (robot.d6, 0.0, 0.0)), thick.hand),
        (FLANGE, (o, (x, y, z)), tool.radius),
    )
    return [
        Shape(_named(which, part), first + frame, ends, radius)
        for part, (frame, ends, radius) in zip(PARTS, along, strict=True)
    ]


def _rod_shape(piece: Piece, radius: float) -> Shape:
    return Shape(_of_rod(piece), FRAMES + FLANGE, piece.ends, radius)


def _of_rod(piece: Piece) -> str:
    return _named(1, f"{PARTS[-1]}'s {piece.name}")


def _named(which: int, part: str) -> str:
    return f"{part} of {NAMES[which]}"


def _arm_shapes(chaser: CraftDescription) -> tuple[list[Shape], float]:
    """Links of all arms, and how far from the root of its first the longest chain of arms gets,
    stretched [m]."""
    shapes: list[Shape] = []
    reach = {"": 0.0}
    for mounted in chaser.arms:
        joints = mounted.arm.joints
        ends = [joint.p_PJ for joint in joints[1:]] + [mounted.arm.p_JE]
        for joint, end in zip(joints, ends, strict=False):
            x, y, z = (float(p) for p in end)
            frame = ARM_FRAMES + len(shapes)
            name = f"{mounted.name}.{joint.name}"
            shapes.append(Shape(name, frame, ((0.0, 0.0, 0.0), (x, y, z)), ARM_RADIUS))
        lengths = [float(np.linalg.norm(p)) for p in (*(j.p_PJ for j in joints), mounted.arm.p_JE)]
        slides = [max(abs(j.lower), abs(j.upper)) for j in joints if j.prismatic]
        away = float(np.linalg.norm(mounted.p_CA)) if mounted.mounted_on else 0.0
        reach[mounted.name] = reach[mounted.mounted_on] + away + sum(lengths) + sum(slides)
    return shapes, max(reach.values()) + ARM_RADIUS if chaser.arms else 0.0


def _planes(corners: tuple[np.ndarray, np.ndarray] | None) -> tuple[Plane, ...]:
    floor = Plane("the floor", (0.0, 0.0, 1.0), 0.0)
    if corners is None:
        return (floor,)
    low, high = (tuple(float(x) for x in corner) for corner in corners)
    return (
        Plane("the floor", (0.0, 0.0, 1.0), low[2]),
        Plane("the ceiling", (0.0, 0.0, -1.0), -high[2]),
        Plane("the wall at -x", (1.0, 0.0, 0.0), low[0]),
        Plane("the wall at +x", (-1.0, 0.0, 0.0), -high[0]),
        Plane("the wall at -y", (0.0, 1.0, 0.0), low[1]),
        Plane("the wall at +y", (0.0, -1.0, 0.0), -high[1]),
    )


def _pairs(
    chaser: CraftDescription, links: list[str], planes: tuple[Plane, ...], limits: Fence
) -> tuple[Pair, ...]:
    """Everything that can meet, but what is next to each other on one robot, what stands on the
    floor, and what is meant to touch: the arm's last links and the target's mock-up."""
    target, own = ([_named(which, part) for part in PARTS] for which in (0, 1))
    met = list(product(own, target))
    for robot in (target, own):
        met += list(product(robot[4:], robot[:3]))
    for link, (first, last) in zip(links, _ranks(chaser), strict=True):
        met += [(link, part) for part in target[:5]]
        if last >= AT_TIP:
            met.append((link, target[5]))
        if first >= AT_ROOT:
            met += [(link, part) for part in own[:4]]
    moving = [name for name in (*target, *own) if not name.startswith(STANDING)]
    met += list(product((*moving, *links), (plane.name for plane in planes)))
    least = dict.fromkeys(links, limits.arm_clearance)
    return tuple(Pair(first, second, least.get(first, limits.clearance)) for first, second in met)


def _ranks(chaser: CraftDescription) -> list[tuple[int, int]]:
    """How many links are before each link of all arms and how many after it.  Fingers, arms of one
    joint on another, come after nothing: they are where that arm's last links are."""
    before, after = {"": 0}, {"": 0}
    for mounted in chaser.arms:
        before[mounted.name] = before[mounted.mounted_on] + len(mounted.arm.joints)
    for mounted in reversed(chaser.arms):
        beyond, count = after.setdefault(mounted.name, 0), len(mounted.arm.joints)
        if count > 1:
            after[mounted.mounted_on] = max(after.get(mounted.mounted_on, 0), beyond + count)
    return [
        (
            before[mounted.mounted_on] + number,
            after[mounted.name] + len(mounted.arm.joints) - 1 - number,
        )
        for mounted in chaser.arms
        for number in range(len(mounted.arm.joints))
    ]


def _rod_pairs(
    touching: list[Piece], planes: tuple[Plane, ...], clearance: float
) -> tuple[Pair, ...]:
    """What rods can meet: as a mock-up, but for a tip and the target's mock-up."""
    target, own = ([_named(which, part) for part in PARTS] for which in (0, 1))
    return tuple(
        Pair(_of_rod(piece), other, clearance)
        for piece in touching
        for other in (
            *(target[:5] if piece.touches else target),
            *own[:3],
            *(plane.name for plane in planes),
        )
    )
