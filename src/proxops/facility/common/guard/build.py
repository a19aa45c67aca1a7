"""From the description of limits and shapes to the guard, and what it says when it acts."""

import math
from dataclasses import dataclass

import numpy as np

from proxops.core.errors import InputError
from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.clearance import END_WIDTH
from proxops.facility.common.guard.table import Guard, Memory

UNIT = 1e-9  # how far from one the length of a normal may be
LOG_ROWS = 64
MAX_CYCLES = 2000

WATCHED = {
    "measured force": of.MEASURED_FORCE,
    "measured torque": of.MEASURED_TORQUE,
    "arm torque": of.ARM_TORQUE,
    "flange force": of.FLANGE_FORCE,
    "flange moment": of.FLANGE_MOMENT,
}


@dataclass(frozen=True)
class AxisLimits:
    """What an axis may do, in its unit and seconds."""

    name: str
    lower: float
    upper: float
    speed: float
    acceleration: float
    jerk: float
    reach: float  # how far it moves any shape at most, for each unit it moves [m]
    hard_acceleration: float = 0.0  # of an emergency stop; zero for the same
    hard_jerk: float = 0.0
    unit: str = "rad"  # or m


@dataclass(frozen=True)
class Watched:
    """A magnitude that ends the motion when it is too large."""

    name: str
    kind: str  # of WATCHED
    maximum: float  # [N] or [N m]


@dataclass(frozen=True)
class Shape:
    """A capsule in a frame; a sphere if both ends are one point."""

    name: str
    frame: int
    ends: tuple[tuple[float, float, float], tuple[float, float, float]]  # [m]
    radius: float  # [m]


@dataclass(frozen=True)
class Plane:
    """A side of the cell: what is inside has n·p ≥ offset."""

    name: str
    normal: tuple[float, float, float]  # unit, L axes
    offset: float  # [m]


@dataclass(frozen=True)
class Pair:
    """A shape that is to keep clear of another shape or of a plane."""

    first: str
    second: str
    least: float  # clearance [m]


@dataclass(frozen=True)
class GuardDescription:
    """All that is guarded, axes of both carriers together."""

    axes: tuple[AxisLimits, ...]
    period: float  # h, of commands [s]
    oldest: float  # age of an input [s]
    watched: tuple[Watched, ...] = ()
    shapes: tuple[Shape, ...] = ()
    planes: tuple[Plane, ...] = ()
    pairs: tuple[Pair, ...] = ()
    margin: float = 0.01  # that a clearance may fall short of between two looks [m]
    start: float = 1e-6  # how far a first command may be from where an axis stands [rad or m]
    longest_stop: float = 2.0  # [s]
    robots: tuple[str, ...] = ("robot 1", "robot 2")


def build(description: GuardDescription) -> Guard:
    """The guard as kernels read it."""
    shapes = {shape.name: row for row, shape in enumerate(description.shapes)}
    planes = {plane.name: row for row, plane in enumerate(description.planes)}
    for pair in description.pairs:
        _check_pair(pair, shapes, planes)
    for name in ("period", "oldest", "margin", "longest_stop"):
        _check_positive(f"{name} of the guard", getattr(description, name))
    cycles = round(description.longest_stop / description.period)
    if not 1 <= cycles <= MAX_CYCLES:
        raise InputError(
            f"longest stop of the guard: found {cycles} cycles; possible are 1 to {MAX_CYCLES}"
        )
    return Guard(
        _table([_axis_row(axis) for axis in description.axes], of.AXIS_WIDTH),
        _table([_watched_row(watched) for watched in description.watched], of.WATCHED_WIDTH),
        _table([_shape_row(shape) for shape in description.shapes], of.SHAPE_WIDTH),
        _table([_plane_row(plane) for plane in description.planes], of.PLANE_WIDTH),
        _table(
            [
                [shapes[pair.first], shapes[pair.second], pair.least]
                for pair in description.pairs
                if pair.second in shapes
            ],
            of.PAIR_WIDTH,
        ),
        _table(
            [
                [shapes[pair.first], planes[pair.second], pair.least]
                for pair in description.pairs
                if pair.second in planes
            ],
            of.PAIR_WIDTH,
        ),
        np.array(
            [
                description.period,
                description.oldest,
                description.start,
                description.margin,
                float(cycles),
            ]
        ),
    )


def at_rest(guard: Guard, q: np.ndarray, frames: int) -> Memory:
    """The guard's memory for axes that stand at q [rad], stopped, with room for the frames."""
    if np.shape(q) != (len(guard.axes),):
        raise InputError(f"joint positions: found {np.size(q)}; the guard has {len(guard.axes)}")
    if len(guard.shapes) and guard.shapes[:, of.FRAME].max() >= frames:
        raise InputError(
            f"frame of a shape: found {guard.shapes[:, of.FRAME].max():.0f}; possible are 0 to "
            f"{frames - 1}"
        )
    motion = np.zeros((of.MOTION_ROWS, len(guard.axes)))
    motion[of.Q] = q
    return Memory(
        motion,
        motion.copy(),
        motion.copy(),
        np.zeros(of.STATUS, dtype=np.int64),
        np.zeros(of.NUMBERS),
        np.zeros((LOG_ROWS, of.LOG_WIDTH)),
        np.zeros(len(guard.axes)),
        np.zeros((frames, of.FRAME_WIDTH)),
        np.zeros((len(guard.shapes), END_WIDTH)),
    )


def in_motion(guard: Guard, q: np.ndarray, qd: np.ndarray, frames: int) -> Memory:
    """The guard's memory for axes that have been sent along with the speeds qd [rad/s] and are at
    q [rad], running.  The first cycle looks for a stop from there before it takes a command."""
    memory = at_rest(guard, q, frames)
    memory.sent[of.V] = memory.sent[of.V_BEFORE] = qd
    memory.status[of.MODE] = of.RUNNING
    return memory


def _table(rows: list[list[float]], width: int) -> np.ndarray:
    return np.array(rows, dtype=float).reshape(-1, width)


def _axis_row(axis: AxisLimits) -> list[float]:
    if not -math.inf < axis.lower < axis.upper < math.inf:
        raise InputError(
            f"range of {axis.name}: found {axis.lower:g} to {axis.upper:g} {axis.unit}; must be "
            "finite, the lower end first"
        )
    for name in ("speed", "acceleration", "jerk"):
        _check_positive(f"{name} of {axis.name}", getattr(axis, name))
    if not 0.0 <= axis.reach < math.inf:
        raise InputError(
            f"reach of {axis.name}: found {axis.reach:g}; must be finite, from zero on"
        )
    hard = (axis.hard_acceleration or axis.acceleration, axis.hard_jerk or axis.jerk)
    for name, value, least in zip(
        ("acceleration", "jerk"), hard, (axis.acceleration, axis.jerk), strict=True
    ):
        if not least <= value < math.inf:
            raise InputError(
                f"{name} of {axis.name} in an emergency: found {value:g}; must be at least the "
                f"usual {least:g}"
            )
    limits = [axis.lower, axis.upper, axis.speed, axis.acceleration, axis.jerk]
    return [*limits, *hard, axis.reach]


def _watched_row(watched: Watched) -> list[float]:
    if watched.kind not in WATCHED:
        raise InputError(
            f"kind of {watched.name}: found {watched.kind!r}; possible are {', '.join(WATCHED)}"
        )
    _check_positive(f"limit of {watched.name}", watched.maximum)
    return [WATCHED[watched.kind], watched.maximum]


def _shape_row(shape: Shape) -> list[float]:
    _check_positive(f"radius of {shape.name}", shape.radius)
    if shape.frame < 0:
        raise InputError(f"frame of {shape.name}: found {shape.frame}; must not be negative")
    start, end = shape.ends
    return [shape.frame, *start, *end, shape.radius]


def _plane_row(plane: Plane) -> list[float]:
    length = math.hypot(*plane.normal)
    if not abs(length - 1.0) <= UNIT:
        raise InputError(f"normal of {plane.name}: found length {length:g}; must be 1")
    return [*plane.normal, plane.offset]


def _check_pair(pair: Pair, shapes: dict[str, int], planes: dict[str, int]) -> None:
    if pair.first not in shapes:
        raise InputError(f"pair: found {pair.first!r}; possible are {', '.join(shapes)}")
    if pair.second not in shapes | planes or pair.second == pair.first:
        possible = [name for name in shapes | planes if name != pair.first]
        raise InputError(
            f"pair of {pair.first}: found {pair.second!r}; possible are {', '.join(possible)}"
        )
    if not 0.0 <= pair.least < math.inf:
        raise InputError(
            f"clearance of {pair.first} and {pair.second}: found {pair.least:g} m; must be finite "
            "and not negative"
        )


def _check_positive(what: str, value: float) -> None:
    if not 0.0 < value < math.inf:
        raise InputError(f"{what}: found {value:g}; must be positive and finite")
