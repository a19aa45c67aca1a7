"""What is reported of a user's controller."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """What a user's controller was seen to do wrong, and what became of it."""

    kind: str  # non-finite | wrong-sized | motors | base
    turns: int  # in how many
    first_s: float
    detail: str


@dataclass(frozen=True)
class Pace:
    """How long cycles of a user's controller took, by the clock on the wall [s]."""

    alone: bool  # of a compiled one: on its last inputs, after the run
    p50_s: float
    p99_s: float
    worst_s: float
    overruns: float  # share of the cycles that took longer than its period [-]


# What no hardware limits but the controller itself: such commands are not carried out
_DROPPED = ("non-finite", "wrong-sized")


@dataclass(frozen=True)
class ControllerReport:
    """A user's controller in a run."""

    name: str
    rate_hz: float
    turns: int
    findings: tuple[Finding, ...]
    pace: Pace | None

    @property
    def incidents(self) -> tuple[tuple[float, str, str], ...]:
        """Events of what it did wrong, (t [s], name, detail), each when it first happened; that its
        commands were dropped is a warning as well."""
        found = [
            (each.first_s, f"controller-{each.kind}", f"{each.detail}; {each.turns} cycles")
            for each in self.findings
        ]
        dropped = [
            (
                each.first_s,
                "warning",
                f"controller {self.name}: commands of {each.turns} of {self.turns} cycles were "
                f"dropped: {each.detail}",
            )
            for each in self.findings
            if each.kind in _DROPPED
        ]
        return (*found, *dropped)
