"""Plans the flight of a leg, and plans it again as it goes.

A plan takes time to compute.  So it begins at the state that is predicted for when it will be
ready, and the one before is flown until then.  Where no plan can be made, the last one is flown on;
after some failures in a row the chaser holds where it is, and the plan of the mission
may take its way out ("guidance.failures > 5" among `abort_if`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from proxops.bus.bus import Bus
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.onboard.functions.guidance import trajectory_table
from proxops.onboard.functions.guidance.balance import parallel_as_one
from proxops.onboard.functions.guidance.cone_programme import SolverFault, Status
from proxops.onboard.functions.guidance.convex import plan
from proxops.onboard.functions.guidance.nodes import node_times
from proxops.onboard.functions.guidance.prediction import Orbit
from proxops.onboard.functions.guidance.problem import (
    Corridor,
    KeepOut,
    PassiveSafety,
    Plume,
    Problem,
    SpeedLimit,
    Thrusters,
)
from proxops.onboard.functions.guidance.reference import Reference
from proxops.onboard.functions.guidance.solution import Solution
from proxops.onboard.functions.guidance.tightening import grown_covariance
from proxops.onboard.functions.guidance.two_impulse import two_burns
from proxops.onboard.functions.plan import legs as leg_at

HOLD_AFTER = 3  # failures in a row
# Before the arrival, in which the plan in force is flown to its end: it brakes at full thrust then,
# and none that begins later could do better
LAST_BURNS = 3
LAST_PERIODS = 3
TWO_BURNS = leg_at.TWO_IMPULSE, leg_at.HCW
MID_COURSE = 0.5  # share of a flight by two burns after which they are corrected, once
GOAL_TOLERANCE = np.array([0.02, 0.02, 0.02, 1e-3, 1e-3, 1e-3])  # [m, m/s]: control does the rest
# By how much a plan may break corridor [m], speed limit [m/s] and keep-out zone [m] to be flown.
# Arrival and goal are hard, these limits soft, so that a start beyond one is brought back; a plan
# that breaks them by more dashes to a goal that is not to be had in time.
MAX_SLACK = np.array([2.0, 0.05, 2.0])
MAX_MISS = 5.0 * GOAL_TOLERANCE  # of the goal, by a solver that stopped short of its tolerance

STATUSES = tuple(Status)
BREAKS_LIMITS = len(STATUSES)  # status: the plan was not flown for that
NO_PLAN = -1.0  # status before the first one


@dataclass(frozen=True, kw_only=True)
class GuidanceSettings:
    """What stays the same; SI units."""

    orbit: Orbit
    directions: np.ndarray  # of the thrusters' forces, unit, in C (k, 3)
    torques: np.ndarray  # for a unit of their forces, about the centre of mass, in C (k, 3) [m]
    a_max: np.ndarray  # of each, the share of its thrust to plan with, over the mass [m/s2] (k,)
    corridors: Mapping[int, Corridor] = field(default_factory=dict)  # by the number in a leg
    keep_out: float = 0.0  # radius of the sphere [m], 0 for none
    passive_safety: bool = False
    safety_ends: float = 10.0  # so far before the sphere [m]
    thrust_error: float = 0.0  # share by which burns may be off, as drifts are to be safe [-]
    speed_floor: float = np.inf  # [m/s]
    speed_slope: float = 0.0  # [1/s]
    plume: Plume | None = None
    replan: float = 20.0  # time from plan to plan of legs that do not say otherwise [s]
    delay: float = 1.0  # of a plan, from the estimate that it begins with [s]
    intervals: int = 40
    burn: float = 20.0  # thrust acts in the first so many seconds of an interval [s]
    execution: float = 2e-5  # random walk of the velocity by errors of thrust [m/s/√s]
    probability: float = 0.9987  # with which each limit holds


@dataclass
class Guidance:
    """Makes plans; `run_in_python` is called every `delay`."""

    settings: GuidanceSettings
    legs: np.ndarray
    bus: Bus
    # Of plans that are begun from and until [s], how the solver is made to fail
    failures: tuple[tuple[float, float, SolverFault], ...] = ()
    _leg: tuple[float, float] = (-1.0, -1.0)  # number and start of the one that was planned
    _last: float = -np.inf  # when a plan was last begun [s]
    _findings: float = 0.0  # thrusters given up by then
    _solution: Solution | None = None  # in force
    _waiting: tuple[float, Solution] | None = None  # when it will be ready, and the plan

    def run_in_python(self) -> str | None:
        """Puts a plan that is ready into force, and begins another one where that is due."""
        estimates, t = self.bus.estimates, float(self.bus.measurements["t"][0])
        number = estimates["plan.leg"][0]
        if number < 0.0 or estimates["orbital.source"][0] == 0.0:
            return None
        leg, began = self.legs[int(number)], (float(number), float(estimates["plan.since"][0]))
        if began != self._leg:
            self._leg, self._last, self._waiting, self._solution = began, -np.inf, None, None
            estimates["guidance.nodes"][0] = 0.0
            estimates["guidance.failures"][0] = 0.0
            estimates["guidance.holds"][0] = 0.0
        if leg[leg_at.ACTION] != leg_at.FLY_TO or leg[leg_at.GUIDANCE] == leg_at.STRAIGHT:
            return None
        if self._waiting is not None and t >= self._waiting[0] - 1e-9:
            self._take(self._waiting[1], t)
            self._waiting = None
        if self._waiting is None and self._is_due(leg, t):
            self._last, self._findings = t, float(estimates["allocation.findings"][0])
            start = t + self.settings.delay
            makes = self._coast if leg[leg_at.GUIDANCE] in TWO_BURNS else self._plan
            self._waiting = (start, makes(leg, start))
        return None

    def _is_due(self, leg: np.ndarray, t: float) -> bool:
        arrival = self._leg[1] + leg[leg_at.DURATION]
        if leg[leg_at.GUIDANCE] in TWO_BURNS and self._solution is not None:
            middle = self._leg[1] + MID_COURSE * leg[leg_at.DURATION]
            return bool(self._last < middle <= t)
        period = float(leg[leg_at.REPLAN])
        last = max(LAST_BURNS * self.settings.burn, LAST_PERIODS * period)
        ends = t + self.settings.delay + (last if self._solution is not None else 0.0) >= arrival
        lost = self.bus.estimates["allocation.findings"][0] != self._findings
        return (t - self._last >= period - 1e-9 or lost) and not ends

    def _plan(self, leg: np.ndarray, start: float) -> Solution:
        s = self.settings
        arrival = self._leg[1] + float(leg[leg_at.DURATION])
        # A flight departs at once: plans that follow each other sooner than a burn ends would each
        # spread what is left of it over a whole burn.  Later they had better: it averages noise
        departs = start < self._leg[1] + s.delay + s.burn
        every = float(leg[leg_at.REPLAN]) if departs else s.replan
        times = node_times(start, arrival, intervals=s.intervals, burn=s.burn, every=every)
        place = self.bus.estimates["plan.place"]
        covariance = self.bus.estimates["orbital.P"].reshape(6, 6)
        x = self._predicted(start)
        corridor = s.corridors.get(int(leg[leg_at.CORRIDOR]))
        x1, x2, x3 = x[:3] / max(np.linalg.norm(x[:3]), 1e-6)
        axis = corridor.axis if corridor else (x1, x2, x3)
        problem = Problem(
            orbit=s.orbit,
            times=times,
            start=x,
            goal=np.concatenate([place, np.zeros(3)]),
            tolerance=GOAL_TOLERANCE,
            thrust=parallel_as_one(
                Thrusters(
                    directions=s.directions @ self._attitude(leg).T,
                    a_max=self._a_max(),
                    torques=s.torques,
                )
            ),
            burn=s.burn,
            corridor=corridor,
            speed=SpeedLimit(floor=s.speed_floor, slope=s.speed_slope, axis=axis)
            if np.isfinite(s.speed_floor)
            else None,
            keep_out=KeepOut(radius=s.keep_out) if s.keep_out > 0.0 else None,
            passive_safety=PassiveSafety(
                radius=s.keep_out, entry=s.safety_ends, thrust_error=s.thrust_error
            )
            if s.passive_safety and s.keep_out > 0.0
            else None,
            plume=s.plume,
            covariance=grown_covariance(
                s.orbit, times, covariance, execution=s.execution, feedback=s.replan
            ),
            probability=s.probability,
        )
        return plan(problem, self._solution, self._fault(start - s.delay))

    def _fault(self, t: float) -> SolverFault | None:
        """How the solver is made to fail at the time t [s]."""
        return next((fault for begin, end, fault in self.failures if begin <= t < end), None)

    def _a_max(self) -> np.ndarray:
        """Of each thruster to plan with [m/s2]: none of one that was given up."""
        return np.where(self.bus.estimates["allocation.verdict"] == 0.0, self.settings.a_max, 0.0)

    def _coast(self, leg: np.ndarray, start: float) -> Solution:
        """Two burns from a time on [s]."""
        s = self.settings
        goal = np.concatenate([self.bus.estimates["plan.place"], np.zeros(3)])
        return two_burns(
            s.orbit,
            (start, self._leg[1] + float(leg[leg_at.DURATION])),
            self._predicted(start),
            goal,
            thrusters=s.directions * self._a_max()[:, None],
            burn=s.burn,
            by_hcw=leg[leg_at.GUIDANCE] == leg_at.HCW,
        )

    def _predicted(self, start: float) -> np.ndarray:
        """State at the time `start`, the plan in force being flown until then."""
        estimates = self.bus.estimates
        x = np.concatenate([estimates["orbital.p_HC"], estimates["orbital.v_HC"]])
        known = float(estimates["orbital.t"][0])  # when that was so
        Phi = self.settings.orbit.transition(known, start)
        if self._solution is None:
            return np.asarray(Phi @ x)
        now, then = Reference(self._solution).states(np.array([known, start]))
        return np.asarray(then + Phi @ (x - now))

    def _attitude(self, leg: np.ndarray) -> np.ndarray:
        """R_HC that the leg asks for; as it is where the camera follows the target."""
        if leg[leg_at.POINTING] == leg_at.HILL:
            return _rotation(leg[leg_at.Q_HC : leg_at.Q_HC + 4])
        R_NH = self.bus.estimates["orbital.R_NH"].reshape(3, 3)
        return np.asarray(R_NH.T @ _rotation(self.bus.estimates["navigation.q_NC"]))

    def _take(self, solution: Solution, t: float) -> None:
        """Puts a plan into force, or notes that there is none."""
        estimates = self.bus.estimates
        slack = self._slack(solution)
        misses = solution.status.usable and bool((np.abs(solution.miss) > MAX_MISS).any())
        breaks = misses or (solution.status.usable and bool((slack > MAX_SLACK).any()))
        estimates["guidance.slack"][:] = slack
        estimates["guidance.status"][0] = BREAKS_LIMITS if breaks else _number(solution.status)
        if solution.status.usable and not breaks:
            self._solution = solution
            estimates["guidance.plans"][0] += 1.0
            estimates["guidance.failures"][0] = 0.0
            estimates["guidance.holds"][0] = 0.0
            estimates["guidance.delta_v"][0] = solution.delta_v
            self._publish(solution)
            return
        estimates["guidance.failures"][0] += 1.0
        if estimates["guidance.failures"][0] == HOLD_AFTER:
            self._solution = None
            estimates["guidance.holds"][0] = 1.0
            p = estimates["orbital.p_HC"].copy()
            self._write(
                np.array([[t, *p, *np.zeros(3), *self.settings.orbit.holding_acceleration(p, t)]])
            )

    def _slack(self, solution: Solution) -> np.ndarray:
        """By how much a plan breaks corridor [m], speed limit [m/s] and keep-out zone [m], this
        where it has no corridor: deeper than it begins.  With a corridor it is no deeper in what is
        forbidden of the zone than it is outside the corridor, which the first says.  Passive safety
        may be out of reach where a flight begins; the plan then does what it can."""
        if not solution.status.usable:
            return np.zeros(3)
        leg = self.legs[int(self._leg[0])]
        distance = np.linalg.norm(solution.states[:, :3], axis=1)
        allowed = min(self.settings.keep_out, float(distance[0]))
        entered = allowed - float(distance.min()) if leg[leg_at.CORRIDOR] < 0.0 else 0.0
        return np.array([*solution.slack[:2], max(0.0, entered)])

    def _publish(self, solution: Solution) -> None:
        """Writes the table that control follows: the nodes, and at rest in the goal at its end,
        not within its tolerance: what is there of a velocity would be followed for ever."""
        place, end = self.bus.estimates["plan.place"], float(solution.times[-1])
        burnt = solution.times[:-1] + solution.burn
        times = np.unique(np.concatenate([solution.times, burnt[burnt < end]]))
        rows = Reference(solution).table(times)
        rows[-1, trajectory_table.P :] = (
            *place,
            0.0,
            0.0,
            0.0,
            *self.settings.orbit.holding_acceleration(place, end),
        )
        self._write(rows)

    def _write(self, rows: np.ndarray) -> None:
        table = self.bus.estimates["guidance.trajectory"]
        table[: rows.size] = rows.ravel()
        self.bus.estimates["guidance.nodes"][0] = float(len(rows))


def _number(status: Status) -> float:
    return 0.0 if status.usable else float(STATUSES.index(status))


def _rotation(q: np.ndarray) -> np.ndarray:
    return np.array(quat_to_rotation.py_func(tuple(q))).reshape(3, 3)
