"""How far the axes of both robots came towards their limits in a rehearsal."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from pydantic import ValidationError

from proxops.assembly.facility import model_of
from proxops.core.errors import ProxopsError
from proxops.results.run import Run
from proxops.scenario.schema.facility import Facility

ROBOTS = ("target", "chaser")


@dataclass(frozen=True, eq=False)
class AxisUse:
    """An axis during a rehearsal, angles as its maker counts them."""

    robot: str
    number: int  # from 1
    q: np.ndarray  # [rad] (n,)
    qd: np.ndarray  # from one row to the next [rad/s] (n,)
    lower: float  # [rad]
    upper: float
    speed: float  # limit [rad/s]
    least: float  # distance to the nearer limit [rad]
    at_s: float  # when

    @property
    def share(self) -> np.ndarray:
        """Where it is in its range (n,): 0 at the lower limit, 1 at the upper one."""
        return np.asarray((self.q - self.lower) / (self.upper - self.lower))

    @property
    def margin(self) -> float:
        """The least distance, of half the range: 1 in its middle, 0 at a limit."""
        return 2.0 * self.least / (self.upper - self.lower)

    @property
    def fastest(self) -> float:
        """Largest speed, of its limit."""
        return float(np.abs(self.qd).max(initial=0.0)) / self.speed


def axes_of(run: Run) -> list[AxisUse]:
    """All axes of a rehearsal, the one that came nearest to a limit first; none without robots or
    where the facility is of another version."""
    given = run.provenance.get("facility")
    names = set(run)
    if not isinstance(given, Mapping) or len(run.rows) < 2:
        return []
    try:
        facility = Facility.model_validate(given.get("file"))
    except (ValidationError, ProxopsError):
        return []
    found = []
    for robot in ROBOTS:
        signal = f"lab.robots.{robot}.q"
        if facility.robots is None or signal not in names:
            continue
        model = model_of(facility, getattr(facility.robots, robot).model)
        found += _axes(robot, *run[signal], np.array([model.lower, model.upper, model.speed]).T)
    return sorted(found, key=lambda axis: axis.margin)


def _axes(robot: str, t: np.ndarray, q: np.ndarray, limits: np.ndarray) -> list[AxisUse]:
    found = []
    for axis, (lower, upper, speed) in enumerate(limits.tolist()):
        left = np.minimum(q[:, axis] - lower, upper - q[:, axis])
        worst = int(np.argmin(left))
        found.append(
            AxisUse(
                robot,
                axis + 1,
                q[:, axis],
                np.gradient(q[:, axis], t),
                lower,
                upper,
                speed,
                float(left[worst]),
                float(t[worst]),
            )
        )
    return found
