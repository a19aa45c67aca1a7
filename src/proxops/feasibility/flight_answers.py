"""What the check of a flight finds: every limit, warnings, the best start; as plain data."""

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from proxops.feasibility.answers import check_repr
from proxops.feasibility.flight_scale import FlightScales
from proxops.feasibility.flight_start import FlightStart


class FlightLimit(NamedTuple):
    """Where the flight comes nearest to a limit."""

    name: str
    value: float
    comparison: str
    limit: float
    unit: str
    t_s: float  # of the mission, where it is nearest
    fails_at_s: float | None  # the first instant beyond the limit

    @property
    def passed(self) -> bool:
        """Whether it is kept."""
        return self.fails_at_s is None


@dataclass(frozen=True, repr=False)
class FlightFeasibility:
    """Whether an arena can show a mission."""

    scenario: str
    facility: str
    duration_s: float  # of the mission
    flight_s: float  # in the arena, without take-off and landing
    limits: tuple[FlightLimit, ...]
    bow_m: float  # of the relative path, in the arena, from a straight line
    torque_without_rotor_N_m: float  # least that is left in a hover; falls unless above zero
    warnings: tuple[str, ...]
    start: FlightStart | None = None  # None unless it was asked for
    scales: FlightScales | None = None  # None unless they were asked for

    def __repr__(self) -> str:
        return check_repr(self.scenario, self.facility, self.lasts_s, self.feasible)

    def _repr_html_(self) -> str:
        from proxops.report.notebook import check_html

        return check_html(self)

    @property
    def feasible(self) -> bool:
        """Whether the whole mission can be flown."""
        return all(each.passed for each in self.limits)

    @property
    def first(self) -> FlightLimit | None:
        """The limit that ends it, None if none does."""
        broken = [each for each in self.limits if each.fails_at_s is not None]
        return min(broken, key=lambda each: each.fails_at_s or 0.0, default=None)

    @property
    def lasts_s(self) -> float:
        """Until when it can be flown [s] of the mission."""
        first = self.first
        return self.duration_s if first is None else first.fails_at_s or 0.0

    def as_dict(self) -> dict[str, Any]:
        """Plain data, in SI units: what `--json` prints."""
        rows = [each._asdict() | {"passed": each.passed} for each in self.limits]
        plain = asdict(self) | {"limits": rows, "warnings": list(self.warnings)}
        plain["scales"] = None if self.scales is None else self.scales.as_dict()
        return plain | {"feasible": self.feasible, "lasts_s": self.lasts_s}
