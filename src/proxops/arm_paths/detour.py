"""Postures on the way where the direct path of the joints would collide."""

from dataclasses import dataclass

import numpy as np

from proxops.arm_paths.arm import Arm, ranges
from proxops.arm_paths.inverse_kinematics import reach_from, solve
from proxops.arm_paths.path import PathError
from proxops.arm_paths.scene import Scene, pair_gaps
from proxops.core.frame import Frame

_POSTURES = 40  # from which another solution is looked for
_SAMPLES = 1500  # postures that are tried
_STEP = 0.12  # of half its range, that a joint moves at most in one step of the search
_SHORTCUTS = 60  # that are tried between points of a path that was found


@dataclass(frozen=True)
class Room:
    """What a path of joints must keep clear of."""

    arm: Arm
    scene: Scene
    min_clearance: float  # [m], see `checks.check`
    min_link_clearance: float = 0.01  # [m]
    resolution: float = 0.02  # [m] by which no two points near each other between two looks

    def is_clear(self, start: np.ndarray, end: np.ndarray) -> bool:
        """Whether all joints may go in proportion from one posture to the other (n,)."""
        way = float(np.abs(end - start) @ self.scene.joint_reach)
        looks = int(np.ceil(way / self.resolution)) + 1
        q = start + np.linspace(0.0, 1.0, looks)[:, None] * (end - start)
        return bool((self._beyond(q, 0.5 * self.resolution) >= 0.0).all())

    def obstacle(self, q: np.ndarray) -> str:
        """What is too near in a posture (n,), in words; empty if nothing is."""
        beyond = self._beyond(q[None], 0.5 * self.resolution)
        if len(beyond) == 0 or beyond.min() >= 0.0:
            return ""
        pair = int(beyond.argmin())
        gap = pair_gaps(self.arm, self.scene, q[None])[0][pair]
        one, other = (self.scene.parts[row] for row in self.scene.pairs[pair])
        near = f"is {gap:.3f} m from" if gap > 0.0 else "collides with"
        return f"{one} {near} {other}; {gap - beyond[pair]:.3f} m are needed"

    def _beyond(self, q: np.ndarray, between: float) -> np.ndarray:
        """How much farther each pair is apart than it must be, over rows q [m]."""
        gaps, _ = pair_gaps(self.arm, self.scene, q)
        within = self.scene.within_arm
        least = np.where(within, self.min_link_clearance, self.min_clearance)
        return np.asarray(gaps - between - least)


def clear_solution(room: Room, X_CE: Frame, seed: np.ndarray) -> np.ndarray:
    """Joints (n,) [rad or m] that put E at X_CE and are clear of all: of those that are found from
    the seed and from postures over the whole range, always the same, the nearest to the seed.
    PathError where there are none."""
    arm, rng = room.arm, np.random.default_rng(0)
    middle, half = ranges(arm)
    direct = solve(arm, X_CE, seed)
    if not direct.reached:
        raise PathError(
            f"the arm cannot put its end there: {direct.position_error:.3f} m and "
            f"{np.degrees(direct.angle_error):.2f} deg are missing"
        )
    if not room.obstacle(direct.q):
        return direct.q
    found = list[np.ndarray]()
    for _ in range(_POSTURES):
        start = middle + half * rng.uniform(-1.0, 1.0, len(middle))
        other = reach_from(arm, X_CE, np.clip(start, arm.lower, arm.upper))
        if other.reached and not room.obstacle(other.q):
            found.append(other.q)
    if not found:
        raise PathError(f"no posture that puts the end there is clear: {room.obstacle(direct.q)}")
    return min(found, key=lambda q: float(np.linalg.norm((q - seed) / half)))


def clear_postures(room: Room, start: np.ndarray, end: np.ndarray) -> list[np.ndarray]:
    """Postures (n,) from start to end between which joints may go in proportion: these two alone
    where nothing is in the way.  PathError where one of them is not clear, or where none are found.

    Two trees of clear postures grow towards each other from both ends (RRT-Connect, Kuffner and
    LaValle 2000), towards postures that are always the same; then shortcuts are taken.
    """
    for name, q in (("starts", start), ("ends", end)):
        if obstacle := room.obstacle(q):
            raise PathError(f"the path {name} in a posture that is not clear: {obstacle}")
    if room.is_clear(start, end):
        return [start, end]
    return _shortened(room, _found(room, start, end))


class _Growth:
    """A tree of postures, each clear from its parent."""

    def __init__(self, room: Room, root: np.ndarray) -> None:
        self.room, self.half = room, ranges(room.arm)[1]
        self.postures, self.parents = [root], [-1]

    def nearest(self, q: np.ndarray) -> int:
        """Number of the posture that is nearest to q, joints in halves of their ranges."""
        away = (np.array(self.postures) - q) / self.half
        return int(np.einsum("ij,ij->i", away, away).argmin())

    def step(self, number: int, goal: np.ndarray) -> int | None:
        """Grows one step from a posture towards the goal; None where that is not clear."""
        here = self.postures[number]
        away = goal - here
        size = float(np.abs(away / self.half).max())
        there = goal if size <= _STEP else here + _STEP / size * away
        if not self.room.is_clear(here, there):
            return None
        self.postures.append(there)
        self.parents.append(number)
        return len(self.postures) - 1

    def connect(self, goal: np.ndarray) -> int | None:
        """Grows to the goal; None where something is in the way."""
        number: int | None = self.nearest(goal)
        while number is not None and not np.array_equal(self.postures[number], goal):
            number = self.step(number, goal)
        return number

    def branch(self, number: int) -> list[np.ndarray]:
        """Postures from the root to that one."""
        found = []
        while number >= 0:
            found.append(self.postures[number])
            number = self.parents[number]
        return found[::-1]


def _found(room: Room, start: np.ndarray, end: np.ndarray) -> list[np.ndarray]:
    rng, (middle, half) = np.random.default_rng(0), ranges(room.arm)
    trees = [_Growth(room, start), _Growth(room, end)]
    for number in range(_SAMPLES):
        growing, other = trees[number % 2], trees[1 - number % 2]
        goal = middle + half * rng.uniform(-1.0, 1.0, len(middle))
        reached = growing.step(growing.nearest(goal), goal)
        if reached is None:
            continue
        met = other.connect(growing.postures[reached])
        if met is not None:
            one, two = growing.branch(reached), other.branch(met)
            return one + two[-2::-1] if growing is trees[0] else two + one[-2::-1]
    raise PathError(
        f"no path that keeps {room.min_clearance:.3f} m of clearance was found: {_SAMPLES} "
        "postures were tried; give postures on the way"
    )


def _shortened(room: Room, postures: list[np.ndarray]) -> list[np.ndarray]:
    """The same with what can be left out left out, then with corners cut."""
    postures = _leave_out(room, postures)
    rng = np.random.default_rng(0)
    for _ in range(_SHORTCUTS):
        if len(postures) == 2:
            break
        i, j = np.sort(rng.integers(0, len(postures) - 1, 2)).tolist()
        if i == j:
            continue
        a, b = rng.uniform(0.0, 1.0, 2)
        first = postures[i] + a * (postures[i + 1] - postures[i])
        second = postures[j] + b * (postures[j + 1] - postures[j])
        if room.is_clear(first, second):
            postures = [*postures[: i + 1], first, second, *postures[j + 1 :]]
            postures = _leave_out(room, postures)
    return postures


def _leave_out(room: Room, postures: list[np.ndarray]) -> list[np.ndarray]:
    """From each posture straight to the farthest one along the path that is clear from it."""
    kept, at = [postures[0]], 0
    while at < len(postures) - 1:
        later = range(len(postures) - 1, at + 1, -1)
        clear = (each for each in later if room.is_clear(postures[at], postures[each]))
        at = next(clear, at + 1)
        kept.append(postures[at])
    return kept
