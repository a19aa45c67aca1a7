"""A mission at one start pose in the lab: what ends it, be it a robot, the arm or the guard."""

from dataclasses import dataclass

from proxops.core.frame import Frame
from proxops.facility.robot_cell.industrial.margins import INERTIA, LIMITS, PAYLOAD
from proxops.feasibility.case import Case
from proxops.feasibility.guard_forecast import Judge, Verdict
from proxops.feasibility.margins import Motion, Standing, beside, move
from proxops.feasibility.reproduction import Reproduction

PLACED = tuple(column for column in range(LIMITS) if column not in (PAYLOAD, INERTIA))


@dataclass(frozen=True)
class Ending:
    """How a mission goes from one start pose."""

    whole: float  # length of the mission [s]
    motions: tuple[Motion, ...]
    by_robots: Standing | None  # the first limit of a robot
    verdict: Verdict | None  # of the guard; None if a robot cannot begin, or there are none

    @property
    def by_guard(self) -> Standing | None:
        """Why a rehearsal would be stopped, and when."""
        return None if self.verdict is None else self.verdict.stop

    @property
    def limit(self) -> Standing | None:
        """What comes first."""
        return first_of(self.by_robots, self.by_guard)

    @property
    def lasts(self) -> float:
        """Until the first limit [s]."""
        return self.whole if self.limit is None else self.limit.t

    @property
    def clearance(self) -> Standing | None:
        """The least one until then."""
        return None if self.verdict is None else self.verdict.clearance(self.lasts)

    @property
    def near(self) -> Standing | None:
        """The singular pose that a robot is near to when its own limit ends the mission."""
        limit = self.limit
        for motion in self.motions:
            if limit is not None and motion.end == limit:
                return beside(motion, limit.t)
        return None

    @property
    def score(self) -> tuple[float, float]:
        """How long it lasts [s], and the least margin of what depends on the place if to the end;
        more is better."""
        if self.limit is not None:
            return self.lasts, 0.0
        left = [motion.least(PLACED, self.whole) for motion in self.motions]
        left += [clearance] if (clearance := self.clearance) is not None else []
        return self.whole, min((each.margin for each in left), default=1.0)


def first_of(*limits: Standing | None) -> Standing | None:
    """The limit that is met first, if there is one."""
    return min((each for each in limits if each is not None), key=lambda end: end.t, default=None)


def moved(case: Case, reproduced: Reproduction, X_LG: Frame, every: int = 1) -> Ending:
    """From a start pose, in every so-manieth sample, without a look at the guard: no guard makes
    it last longer or leaves more."""
    motions = move(case, reproduced, X_LG @ case.X_LG.inverse() @ case.X_LM, every)
    by_robots = first_of(*(motion.end for motion in motions))
    return Ending(float(reproduced.t[-1]), motions, by_robots, None)


def guarded(judge: Judge, going: Ending, X_LG: Frame, share: float = 1.0) -> Ending:
    """The same with the guard's verdict, if both robots can begin; with that share of
    accelerations and jerks."""
    if not going.motions or going.lasts <= judge.reproduced.t[0]:
        return going
    return Ending(going.whole, going.motions, going.by_robots, judge.at(X_LG, share))
