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


@dataclass(frozen=True)
class ControllerReport:
    """A user's controller in a run."""

    name: str
    rate_hz: float
    turns: int
    findings: tuple[Finding, ...]
    pace: Pace | None
