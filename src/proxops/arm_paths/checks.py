"""Whether an arm may follow a table of joints: stops, speeds, singular postures, clearances."""

from dataclasses import dataclass

import numpy as np

from proxops.arm_paths.arm import Arm
from proxops.arm_paths.path import PathError
from proxops.arm_paths.scene import Scene, pair_gaps
from proxops.arm_paths.singularity import singular_values
from proxops.arm_paths.time_law import MotionTable

_ROUNDING = 1e-9  # of a limit, that rounding may take
_MAX_LOOKS = 100_000  # along a path: a minute


@dataclass(frozen=True)
class Clearance:
    """Where two parts come nearest to each other."""

    parts: tuple[str, str]
    gap: float  # [m], minus the overlap where they meet
    time: float  # from the beginning of the table [s]
    within_arm: bool  # whether both belong to the arm or its hand


@dataclass(frozen=True)
class Checked:
    """What a table needs, and what is wrong with it."""

    stop_margin: float  # least distance of a joint from its stops [rad or m]
    speed_share: float  # largest speed of a joint, of what it may have
    smallest_singular_value: float  # least along the table, see `singularity`
    singular_time: float  # when [s]
    manipulability: float  # least product of the singular values along the table
    clearances: tuple[Clearance, ...]  # nearest first; of each two parts
    problems: tuple[str, ...]  # in words; none if the arm may follow it


def check(
    arm: Arm,
    table: MotionTable,
    scene: Scene | None,
    *,
    min_clearance: float,
    min_link_clearance: float = 0.01,
    min_singular_value: float = 0.0,
    resolution: float = 0.01,
) -> Checked:
    """Looks at the whole table.  `min_clearance` [m] is to be kept by the arm and what it carries
    against all else, and by what it carries against the arm; `min_link_clearance` [m] by its own
    links and hand.  Between two looks no two points near each other by more than `resolution` [m]:
    half of that is taken off what is found, so that no collision is overlooked."""
    room = np.minimum(table.q - arm.lower, arm.upper - table.q)
    share = np.abs(table.qd) / arm.speed
    values = singular_values(arm, table.q)
    least = int(values[:, -1].argmin())
    found = () if scene is None else clearances(arm, table, scene, resolution)
    problems = [
        *_beyond_stops(arm, table, room),
        *_too_fast(arm, table, share),
        *_too_near(found, table, (min_clearance, min_link_clearance), 0.5 * resolution),
    ]
    if values[least, -1] < min_singular_value:
        problems.append(
            f"the arm comes near a singular posture {place_in(table, table.t[least])}: its "
            f"smallest singular value is {values[least, -1]:.4f}, and must be at least "
            f"{min_singular_value:.4f}"
        )
    return Checked(
        stop_margin=float(room.min()),
        speed_share=float(share.max()),
        smallest_singular_value=float(values[least, -1]),
        singular_time=float(table.t[least]),
        manipulability=float(values.prod(axis=1).min()),
        clearances=found,
        problems=tuple(problems),
    )


def clearances(
    arm: Arm, table: MotionTable, scene: Scene, resolution: float
) -> tuple[Clearance, ...]:
    """The nearest approach of each two parts, nearest first; between two looks no point moves by
    more than `resolution` [m]."""
    t = look_times(table, scene, resolution)
    gaps, where = pair_gaps(arm, scene, table.at(t)[0])
    found: dict[tuple[str, str], Clearance] = {}
    for pair in np.argsort(gaps, kind="stable"):
        one, other = (scene.parts[row] for row in scene.pairs[pair])
        parts = one, other
        if parts not in found:
            at, within = float(t[where[pair]]), bool(scene.within_arm[pair])
            found[parts] = Clearance(parts, float(gaps[pair]), at, within)
    return tuple(found.values())


def look_times(table: MotionTable, scene: Scene, resolution: float) -> np.ndarray:
    """Times [s] between which no point of the arm or of what it carries moves by more than
    `resolution` [m]: Σ |Δq| ℓ over its joints."""
    moved = np.abs(np.diff(table.q, axis=0)) @ scene.joint_reach
    way = np.concatenate([[0.0], np.cumsum(moved)])
    if way[-1] > _MAX_LOOKS * resolution:
        raise PathError(
            f"what the arm moves goes {way[-1]:.3g} m, too far to be checked every "
            f"{resolution:g} m: its shapes reach {scene.joint_reach.max():.3g} m"
        )
    looks = max(2, int(np.ceil(way[-1] / resolution)) + 1)
    rising = np.concatenate([[True], np.diff(way) > 0.0])
    ways = np.linspace(0.0, way[-1], looks)
    return np.asarray(np.interp(ways, way[rising], table.t[rising]))


def place_in(table: MotionTable, time: float) -> str:
    """Where a time [s] is along the path, in words."""
    part = time / table.duration if table.duration > 0.0 else 0.0
    return f"at {100.0 * part:.0f} % of the path ({time:.2f} s)"


def _unit(arm: Arm, joint: int) -> str:
    return "m" if arm.prismatic[joint] else "rad"


def _beyond_stops(arm: Arm, table: MotionTable, room: np.ndarray) -> list[str]:
    found = []
    for i in np.flatnonzero(room.min(axis=0) < -_ROUNDING).tolist():
        row = int(room[:, i].argmin())
        found.append(
            f"{arm.joints[i]} is at {table.q[row, i]:.4f} {_unit(arm, i)} "
            f"{place_in(table, table.t[row])}, beyond its stops {arm.lower[i]:.4f} to "
            f"{arm.upper[i]:.4f} {_unit(arm, i)}"
        )
    return found


def _too_fast(arm: Arm, table: MotionTable, share: np.ndarray) -> list[str]:
    found = []
    for i in np.flatnonzero(share.max(axis=0) > 1.0 + _ROUNDING).tolist():
        row = int(share[:, i].argmax())
        found.append(
            f"{arm.joints[i]} moves at {abs(table.qd[row, i]):.4f} {_unit(arm, i)}/s "
            f"{place_in(table, table.t[row])}, and can move at {arm.speed[i]:.4f}"
        )
    return found


def _too_near(
    found: tuple[Clearance, ...], table: MotionTable, limits: tuple[float, float], between: float
) -> list[str]:
    problems = []
    for each in found:
        least = limits[each.within_arm]
        if each.gap - between >= least:
            continue
        one, other = each.parts
        near = f"comes within {each.gap:.3f} m of" if each.gap > 0.0 else "collides with"
        problems.append(
            f"{one} {near} {other} {place_in(table, each.time)}; {least:.3f} m are to be kept, and "
            f"{between:.3f} m may be lost between two looks"
        )
    return problems
