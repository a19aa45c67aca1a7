"""A robot and an arm along a whole mission: what ends it, and what is left where nothing does."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from proxops.core.frame import Frame
from proxops.facility.robot_cell.industrial.margins import (
    ACCELERATION,
    INERTIA,
    INNER,
    LIMITS,
    MOMENT,
    OUTER,
    PAYLOAD,
    POSITION,
    SHOULDER,
    SPEED,
    Limit,
    limit_of,
)
from proxops.facility.robot_cell.industrial.robot import (
    FLANGE_ON_MOCK_UP,
    LOWER,
    UPPER,
    P,
    Q,
    Robot,
)
from proxops.facility.robot_cell.industrial.track import Followed, Track, follow, starts
from proxops.feasibility.case import CRAFTS, Case
from proxops.feasibility.reproduction import Reproduction, arm_torques, track_in_lab

# Columns of a robot's margins, as they are reported
GROUPS = {
    "joints": range(POSITION, SPEED),
    "speed": range(SPEED, ACCELERATION),
    "acceleration": range(ACCELERATION, OUTER),
    "singularities": range(OUTER, SHOULDER + 1),
    "payload": (PAYLOAD,),
    "flange moment": (MOMENT,),
    "load inertia": (INERTIA,),
}
assert sum(map(len, GROUPS.values())) == LIMITS
REACH = (OUTER, INNER)
WITHOUT_JOINTS = ("singularities", "payload", "load inertia")  # groups that need no joints
NEAR = 0.05  # margin to a singular pose below which it is named beside the limit that was met


@dataclass(frozen=True)
class Standing:
    """How a limit stands at an instant; the margin is 1 at best, 0 at the limit."""

    where: str  # whose limit
    name: str
    value: float
    bound: float
    unit: str
    margin: float
    t: float  # [s]


@dataclass(frozen=True)
class Motion:
    """A robot that shows a mission."""

    robot: Robot
    whose: str
    track: Track
    start: np.ndarray  # joints (6,) [rad]; of no meaning if the start is out of reach
    followed: Followed

    @property
    def end(self) -> Standing | None:
        """The first limit it runs into."""
        met = self.followed.violation
        if met is None:
            return None
        return self.out_of_reach or standing(self.whose, met.limit, met.t)

    @property
    def out_of_reach(self) -> Standing | None:
        """How far the start is out of reach, if it is: then speeds and the rest mean nothing."""
        first = float(self.track.t[0])
        reach = self.least(REACH, first)
        return reach if reach.margin <= 0.0 else None

    def least(self, columns: Sequence[int], until: float) -> Standing:
        """Least margin of some columns until that time [s]."""
        followed = self.followed
        rows = max(1, int(np.searchsorted(followed.t, until, side="right")))
        part = followed.margins[:rows, list(columns)]
        known = np.where(np.isnan(part), -np.inf, part)
        row, at = np.unravel_index(int(np.argmin(known)), known.shape)
        limit = limit_of(
            self.robot, columns[int(at)], followed.measures[row], followed.margins[row]
        )
        return standing(self.whose, limit, float(followed.t[row]))

    def speed(self, until: float) -> float:
        """Largest speed of the flange until that time [s], [m/s]."""
        rows = max(1, int(np.searchsorted(self.track.t, until, side="right")))
        v, w = np.split(self.track.twists[:rows], 2, axis=1)
        lever = self.robot.poses[FLANGE_ON_MOCK_UP, P:Q]
        return float(np.linalg.norm(v + np.cross(w, lever), axis=1).max())


def standing(where: str, limit: Limit, t: float) -> Standing:
    """A robot's limit at an instant."""
    return Standing(where, limit.name, limit.value, limit.bound, limit.unit, limit.margin, t)


def move(case: Case, reproduced: Reproduction, X_LM: Frame, every: int = 1) -> tuple[Motion, ...]:
    """Both robots along the mission, from the joints that a rehearsal starts with."""
    motions = []
    for which, robot in enumerate(case.robots or ()):
        track = track_in_lab(reproduced, which, X_LM, every)
        found = starts(robot, track.poses[0])
        # where none is in range, the nearest to mid-range tells which limit is in the way
        start = found[0] if found else 0.5 * (robot.joints[:, LOWER] + robot.joints[:, UPPER])
        followed = follow(robot, track, start)
        joints = np.array(followed.joints[0])
        motions.append(Motion(robot, f"{CRAFTS[which]}'s robot", track, joints, followed))
    return tuple(motions)


def beside(motion: Motion, t: float) -> Standing | None:
    """The singular pose that is near as well at that time [s]: close to one, small motions take
    great speeds and accelerations, which are then the limit that is met."""
    columns = GROUPS["singularities"]
    followed = motion.followed
    row = min(int(np.searchsorted(followed.t, t)), len(followed.t) - 1)
    column = columns[int(np.argmin(followed.margins[row, list(columns)]))]
    if not followed.margins[row, column] < NEAR:
        return None
    limit = limit_of(motion.robot, column, followed.measures[row], followed.margins[row])
    return standing(motion.whose, limit, float(followed.t[row]))


def torques_at_worst(
    case: Case, reproduced: Reproduction, X_LM: Frame
) -> tuple[tuple[Standing, ...], Standing | None]:
    """How the largest torque of each of the arms' joints stands, and the first that is too much."""
    torques = arm_torques(case, reproduced, X_LM)
    joints = [(arm.name, joint) for arm in case.built.chaser.arms for joint in arm.arm.joints]
    left = 1.0 - np.abs(torques) / np.array([joint.effort for _, joint in joints])

    def of(row: int, column: int) -> Standing:
        arm, joint = joints[column]
        unit, value = "N" if joint.prismatic else "N m", float(torques[row, column])
        margin, t = float(left[row, column]), float(reproduced.t[row])
        return Standing(f"arm {arm}", f"{joint.name} torque", value, joint.effort, unit, margin, t)

    worst = tuple(of(int(row), column) for column, row in enumerate(np.argmin(left, axis=0)))
    over = np.flatnonzero((left <= 0.0).any(axis=1))
    first = of(int(over[0]), int(np.argmin(left[over[0]]))) if len(over) else None
    return worst, first
