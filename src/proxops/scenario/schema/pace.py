"""Paces: step and record rate that the simulator chooses from the truth."""

import math

from pydantic import Field

from proxops.core.clock import to_ns
from proxops.scenario.schema.base import Problem, Section

SHORTEST_STEP_S = 1e-6
LONGEST_S = 1e9  # in nanoseconds well inside a 64-bit integer
SLOWEST_HZ = 1e-9
FASTEST_HZ = 1e6
_BAND = 1.1  # leaves_m over within_m, where it is not given
_LINGERS_S = 1.0  # a contact that bounces would else change the pace at each bounce


class Pace(Section):
    """A way to step and to record, in force within a distance, in contact, or where no other is."""

    step_s: float = Field(
        ge=SHORTEST_STEP_S,
        le=LONGEST_S,
        description="Integration step; divides control and record period [s]",
    )
    record_rate_hz: float | None = Field(
        default=None,
        ge=SLOWEST_HZ,
        le=FASTEST_HZ,
        description="Rate of recorded rows, time.record_rate_hz if not given [Hz]",
    )
    within_m: float | None = Field(
        default=None,
        gt=0.0,
        le=1e9,
        description="In force while the hubs of the two spacecraft are closer than this [m]",
    )
    leaves_m: float | None = Field(
        default=None,
        gt=0.0,
        le=1e9,
        description="Distance beyond which it ends, 1.1 times within_m if not given [m]",
    )
    contact: bool = Field(default=False, description="In force while any contact or hold is closed")
    arms: bool = Field(
        default=False,
        description="In force while brakes do not hold the arms, see obsw.berthing.brakes",
    )
    lingers_s: float | None = Field(
        default=None,
        ge=0.0,
        le=LONGEST_S,
        description="Time that a contact pace stays after all have opened, 1 s if not given [s]",
    )

    @property
    def step_ns(self) -> int:
        return to_ns(self.step_s)

    @property
    def lingers_ns(self) -> int:
        return to_ns(_LINGERS_S if self.lingers_s is None else self.lingers_s)

    @property
    def enters_m(self) -> float:
        """Distance below which it begins, infinite for the one where no other is in force."""
        return math.inf if self.within_m is None else self.within_m

    @property
    def ends_m(self) -> float:
        """Distance above which it ends."""
        return _BAND * self.enters_m if self.leaves_m is None else self.leaves_m

    @property
    def is_default(self) -> bool:
        """Whether it is in force where no other is."""
        return self.within_m is None and not self.contact and not self.arms


def pace_problems(paces: dict[str, Pace]) -> list[Problem]:
    """Paces of which it is not clear when they are in force."""
    problems: list[Problem] = []
    for name, pace in paces.items():
        given = {"within_m": pace.within_m is not None, "contact": pace.contact, "arms": pace.arms}
        several = [key for key, is_given in given.items() if is_given]
        if len(several) > 1:
            problems.append(((name, several[-1]), f"give {' or '.join(several)}, not both"))
        if pace.leaves_m is not None and pace.within_m is None:
            problems.append(((name, "leaves_m"), "needs within_m"))
        elif pace.leaves_m is not None and pace.leaves_m <= pace.enters_m:
            text = f"{pace.leaves_m:.12g} m is not beyond within_m = {pace.within_m:.12g} m: the "
            problems.append(((name, "leaves_m"), f"{text}pace would change back and forth"))
        if pace.lingers_s is not None and not pace.contact:
            problems.append(((name, "lingers_s"), "needs contact = true"))
    problems += _not_one(paces, "neither within_m nor contact", _defaults(paces), least=1)
    problems += _not_one(paces, "contact = true", [n for n in paces if paces[n].contact], least=0)
    problems += _not_one(paces, "arms = true", [n for n in paces if paces[n].arms], least=0)
    return problems + _same_distances(paces)


def _defaults(paces: dict[str, Pace]) -> list[str]:
    return [name for name, pace in paces.items() if pace.is_default]


def _not_one(paces: dict[str, Pace], what: str, found: list[str], least: int) -> list[Problem]:
    if least <= len(found) <= 1:
        return []
    listed = ", ".join(found) or "none"
    return [((), f"one pace {'must have' if least else 'may have'} {what}; found: {listed}")]


def _same_distances(paces: dict[str, Pace]) -> list[Problem]:
    first: dict[float, str] = {}
    problems: list[Problem] = []
    for name, pace in paces.items():
        if pace.within_m is not None and first.setdefault(pace.within_m, name) != name:
            text = f"{pace.within_m:.12g} m is that of pace {first[pace.within_m]!r} as well"
            problems.append(((name, "within_m"), text))
    return problems
