"""How long the mission lasts, how it is stepped, and that every rate fits every other."""

import math
from itertools import pairwise

from pydantic import Field, model_validator

from proxops.core.clock import is_integer_ns, ragged_rate, to_ns
from proxops.scenario.schema.base import Name, Path, Problem, Section, reject_all
from proxops.scenario.schema.pace import (
    FASTEST_HZ,
    LONGEST_S,
    SHORTEST_STEP_S,
    SLOWEST_HZ,
    Pace,
    pace_problems,
)

MAX_SUBSTEPS = 1000
_MOST_TRIED = 1000  # parts of a period, in search of a step that divides it
_MAX_STEPS = 1_000_000_000
_MAX_ROWS = 20_000_000
_NS = 1_000_000_000


class Phase(Section):
    """A stretch of the mission that is stepped in one way."""

    until_s: float = Field(
        gt=0.0, le=LONGEST_S, description="End of the phase, counted from the start [s]"
    )
    step_s: float = Field(
        ge=SHORTEST_STEP_S,
        le=LONGEST_S,
        description="Integration step; divides control and record period [s]",
    )
    substeps: int = Field(
        default=1, ge=1, le=MAX_SUBSTEPS, description="Number of equal sub-steps per step [-]"
    )

    @property
    def until_ns(self) -> int:
        return to_ns(self.until_s)

    @property
    def step_ns(self) -> int:
        return to_ns(self.step_s)


class Time(Section):
    """Duration, rates, and how the mission is stepped: by the clock in phases, or as the truth asks
    for in paces.  Control and record instants fall on steps in all of them."""

    duration_s: float = Field(
        gt=0.0, le=LONGEST_S, description="Length of the mission, at most if an event ends it [s]"
    )
    control_rate_hz: float = Field(
        ge=SLOWEST_HZ, le=FASTEST_HZ, description="Rate of the on-board software [Hz]"
    )
    arm_rate_hz: float | None = Field(
        default=None,
        ge=SLOWEST_HZ,
        le=FASTEST_HZ,
        description="Rate of the berthing's arm, its sensors and motors, a multiple of "
        "control_rate_hz, which it is if not given; while brakes hold the arm, nothing runs more "
        "often than at control_rate_hz [Hz]",
    )
    record_rate_hz: float = Field(
        ge=SLOWEST_HZ, le=FASTEST_HZ, description="Rate of recorded rows [Hz]"
    )
    phases: dict[Name, Phase] = Field(
        default={},
        description="Phases in the order of the file; the last one ends with the mission",
    )
    paces: dict[Name, Pace] = Field(
        default={}, description="Or paces: which is in force follows from distance and contact"
    )
    ends_on: str | None = Field(
        default=None,
        min_length=1,
        description="Kind of event whose first one ends the mission before duration_s",
    )
    ends_after_s: float = Field(
        default=0.0, ge=0.0, le=LONGEST_S, description="Time from that event to the end [s]"
    )

    @property
    def duration_ns(self) -> int:
        return to_ns(self.duration_s)

    @property
    def control_ns(self) -> int:
        """Control period."""
        return round(_NS / self.control_rate_hz)

    @property
    def arm_ns(self) -> int:
        """Control period of arms."""
        return round(_NS / (self.arm_rate_hz or self.control_rate_hz))

    def control_ns_of(self, pace: Pace) -> int:
        """Shortest control period in a pace: only the one of arms, where there is one, needs to
        know theirs."""
        braked = any(each.arms for each in self.paces.values()) and not pace.arms
        return self.control_ns if braked else self.arm_ns

    @property
    def record_ns(self) -> int:
        """Record period, of paces that have none of their own."""
        return round(_NS / self.record_rate_hz)

    def record_ns_of(self, pace: Pace) -> int:
        """Record period in a pace."""
        return round(_NS / (pace.record_rate_hz or self.record_rate_hz))

    @property
    def steps_s(self) -> dict[Path, float]:
        """Integration step of every phase or pace, substeps counted, by its place in the file."""
        steps: dict[Path, float] = {}
        for name, phase in self.phases.items():
            steps["phases", name] = phase.step_s / phase.substeps
        for name, pace in self.paces.items():
            steps["paces", name] = pace.step_s
        return steps

    @property
    def common_step_ns(self) -> int:
        """Shortest time that is a whole number of steps in every phase or pace; it divides the
        control period."""
        return math.lcm(*(each.step_ns for each in (self.phases or self.paces).values()))

    @property
    def phase_ends_s(self) -> dict[str, float]:
        """End of each phase by its name; with paces the mission is one phase."""
        ends = {name: phase.until_s for name, phase in self.phases.items()}
        return ends or {"mission": self.duration_s}

    @model_validator(mode="after")
    def _fits(self) -> "Time":
        if bool(self.phases) == bool(self.paces):
            found = "not both" if self.phases else "found neither"
            reject_all([(("phases",), f"give time.phases or time.paces, {found}")])
        problems = _unrepresentable(self)
        if not problems and self.control_ns % self.arm_ns:
            text = f"{self.arm_rate_hz:.12g} Hz is not a multiple of control_rate_hz, "
            problems.append((("arm_rate_hz",), f"{text}{self.control_rate_hz:.12g} Hz"))
        if self.ends_after_s > 0.0 and self.ends_on is None:
            text = "give ends_on, the event that it is counted from, or leave this out"
            problems.append((("ends_after_s",), text))
        if self.paces and not problems:
            unclear = [(("paces", *path), text) for path, text in pace_problems(self.paces)]
            problems = unclear + _misfits_of_paces(self) + _too_many_in_paces(self)
        elif not problems:
            problems = _out_of_order(self) + _misfits(self) + _too_many(self)
        reject_all(problems)
        return self


def _unrepresentable(time: Time) -> list[Problem]:
    """Times and periods that are no whole number of nanoseconds."""
    rates: dict[Path, float] = {
        ("control_rate_hz",): time.control_rate_hz,
        ("record_rate_hz",): time.record_rate_hz,
    }
    if time.arm_rate_hz is not None:
        rates["arm_rate_hz",] = time.arm_rate_hz
    seconds: dict[Path, float] = {("duration_s",): time.duration_s}
    for name, phase in time.phases.items():
        seconds["phases", name, "until_s"] = phase.until_s
        seconds["phases", name, "step_s"] = phase.step_s
    for name, pace in time.paces.items():
        seconds["paces", name, "step_s"] = pace.step_s
        if pace.record_rate_hz is not None:
            rates["paces", name, "record_rate_hz"] = pace.record_rate_hz
    return [
        *((path, text) for path, f in rates.items() if (text := ragged_rate(f))),
        *(
            (path, f"{t:.12g} s is not a whole number of ns")
            for path, t in seconds.items()
            if not is_integer_ns(t)
        ),
    ]


def _out_of_order(time: Time) -> list[Problem]:
    """Phases that do not follow each other up to the end of the mission."""
    problems: list[Problem] = []
    names = list(time.phases)
    for before, name in pairwise(names):
        earlier, later = time.phases[before].until_s, time.phases[name].until_s
        if time.phases[name].until_ns <= time.phases[before].until_ns:
            text = (
                f"{later:.12g} s is not after the end of phase {before!r} before it, "
                f"{earlier:.12g} s"
            )
            problems.append((("phases", name, "until_s"), text))
    last = names[-1]
    if time.phases[last].until_ns != time.duration_ns:
        text = (
            f"the last phase ends at {time.phases[last].until_s:.12g} s, "
            f"the mission at duration_s = {time.duration_s:.12g} s"
        )
        problems.append((("phases", last, "until_s"), text))
    return problems


def _misfits(time: Time) -> list[Problem]:
    """Periods that do not divide what they must.

    The control period divides every phase, so phases start on multiples of it; a step that
    divides both periods therefore meets every control and record instant of its phase.
    """
    problems: list[Problem] = []
    record = f"the record period {time.record_ns / _NS:.12g} s"
    if time.duration_ns % time.record_ns:  # else nothing would show how the mission ended
        text = f"{record} does not divide the mission's {time.duration_s:.12g} s"
        problems.append((("record_rate_hz",), text))
    start_ns = 0
    for name, phase in time.phases.items():
        length_ns = phase.until_ns - start_ns
        start_ns = phase.until_ns
        length = f"the length of the phase {length_ns / _NS:.12g} s"
        control = f"the control period {time.control_ns / _NS:.12g} s"
        arm = f"the arm's control period {time.arm_ns / _NS:.12g} s"
        wholes = [(time.control_ns, control), (time.record_ns, record), (length_ns, length)]
        wholes += [(time.arm_ns, arm)] if time.arm_ns != time.control_ns else []
        misfits = [whole for integer_ns, whole in wholes if integer_ns % phase.step_ns]
        if misfits:
            text = f"{phase.step_s:.12g} s does not divide {' nor '.join(misfits)}"
            fitting_ns = _fitting_ns(phase.step_ns, math.gcd(*(ns for ns, _ in wholes)))
            if fitting_ns is not None:
                text += f"; the longest that does is {fitting_ns / _NS:.12g} s"
            problems.append((("phases", name, "step_s"), text))
        if length_ns % time.control_ns:
            problems.append((("phases", name, "until_s"), f"{control} does not divide {length}"))
    return problems


def _fitting_ns(step_ns: int, whole_ns: int) -> int | None:
    """The longest step [ns] up to this one that divides the whole; None where none is near."""
    most = -(-whole_ns // step_ns)
    parts = next((n for n in range(most, most + _MOST_TRIED) if whole_ns % n == 0), None)
    if parts is None or whole_ns < parts * SHORTEST_STEP_S * _NS:
        return None
    return whole_ns // parts


def _misfits_of_paces(time: Time) -> list[Problem]:
    """Periods that do not divide what they must.

    A pace changes at a multiple of all steps, so its own step meets every control instant, and
    every instant at which it records.
    """
    problems: list[Problem] = []
    control = f"the control period {time.control_ns / _NS:.12g} s"
    whole = f"the mission's {time.duration_s:.12g} s"
    if time.duration_ns % time.control_ns:
        problems.append((("duration_s",), f"{control} does not divide {whole}"))
    for name, pace in time.paces.items():
        record_ns = time.record_ns_of(pace)
        record = f"the record period {record_ns / _NS:.12g} s"
        own_ns = time.control_ns_of(pace)
        cycle = f"the control period {own_ns / _NS:.12g} s"
        for period_ns, period in ((own_ns, cycle), (record_ns, record)):
            if period_ns % pace.step_ns:
                text = f"{pace.step_s:.12g} s does not divide {period}"
                problems.append((("paces", name, "step_s"), text))
        if time.duration_ns % record_ns:
            own = pace.record_rate_hz is not None
            place: Path = ("paces", name, "record_rate_hz") if own else ("record_rate_hz",)
            problems.append((place, f"{record} does not divide {whole}"))
    return problems


def _too_many_in_paces(time: Time) -> list[Problem]:
    """More steps or rows than any machine would finish or hold, were the default pace in force all
    the time; how long others will be is not known."""
    problems: list[Problem] = []
    for name, pace in time.paces.items():
        steps = time.duration_ns // pace.step_ns
        rows = time.duration_ns // time.record_ns_of(pace) + 1
        if pace.is_default and steps > _MAX_STEPS:
            text = f"{steps} steps in all; at most {_MAX_STEPS}"
            problems.append((("paces", name, "step_s"), text))
        if pace.is_default and rows > _MAX_ROWS:
            text = f"{rows} rows in all; at most {_MAX_ROWS}"
            problems.append((("paces", name), text))
    return problems


def _too_many(time: Time) -> list[Problem]:
    """More steps or rows than any machine would finish or hold."""
    problems: list[Problem] = []
    start_ns = steps = 0
    for phase in time.phases.values():
        steps += (phase.until_ns - start_ns) // phase.step_ns * phase.substeps
        start_ns = phase.until_ns
    if steps > _MAX_STEPS:
        problems.append((("phases",), f"{steps} steps in all; at most {_MAX_STEPS}"))
    rows = time.duration_ns // time.record_ns + 1
    if rows > _MAX_ROWS:
        problems.append((("record_rate_hz",), f"{rows} rows in all; at most {_MAX_ROWS}"))
    return problems
