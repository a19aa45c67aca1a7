"""How long the mission lasts, how it is stepped, and that every rate fits every other."""

from itertools import pairwise

from pydantic import Field, model_validator

from proxops.core.clock import is_whole_ns, to_ns
from proxops.scenario.schema.base import Name, Problem, Section, reject_all

_LONGEST_S = 1e9  # in nanoseconds well inside a 64-bit integer
_SHORTEST_STEP_S = 1e-6
_SLOWEST_HZ = 1e-9
_FASTEST_HZ = 1e6
_MOST_STEPS = 1_000_000_000
_MOST_ROWS = 20_000_000
_NS = 1_000_000_000


class Phase(Section):
    """A stretch of the mission that is stepped in one way."""

    until_s: float = Field(
        gt=0.0, le=_LONGEST_S, description="End of the phase, counted from the start [s]"
    )
    step_s: float = Field(
        ge=_SHORTEST_STEP_S,
        le=_LONGEST_S,
        description="Integration step; divides control and record period [s]",
    )
    substeps: int = Field(
        default=1, ge=1, le=1000, description="Equal parts that each step is integrated in [-]"
    )

    @property
    def until_ns(self) -> int:
        return to_ns(self.until_s)

    @property
    def step_ns(self) -> int:
        return to_ns(self.step_s)


class Time(Section):
    """Duration, rates and phases.  Control and record instants fall on steps in every phase."""

    duration_s: float = Field(gt=0.0, le=_LONGEST_S, description="Length of the mission [s]")
    control_rate_hz: float = Field(
        ge=_SLOWEST_HZ, le=_FASTEST_HZ, description="Rate of the on-board software [Hz]"
    )
    record_rate_hz: float = Field(
        ge=_SLOWEST_HZ, le=_FASTEST_HZ, description="Rate of recorded rows [Hz]"
    )
    phases: dict[Name, Phase] = Field(
        min_length=1,
        description="Phases in the order of the file; the last one ends with the mission",
    )

    @property
    def duration_ns(self) -> int:
        return to_ns(self.duration_s)

    @property
    def control_ns(self) -> int:
        """Control period."""
        return round(_NS / self.control_rate_hz)

    @property
    def record_ns(self) -> int:
        """Record period."""
        return round(_NS / self.record_rate_hz)

    @model_validator(mode="after")
    def _fits(self) -> "Time":
        reject_all(_unrepresentable(self) or _out_of_order(self) + _misfits(self) + _too_many(self))
        return self


def _unrepresentable(time: Time) -> list[Problem]:
    """Times and periods that are no whole number of nanoseconds."""
    problems: list[Problem] = []
    for key, rate in (
        ("control_rate_hz", time.control_rate_hz),
        ("record_rate_hz", time.record_rate_hz),
    ):
        if not is_whole_ns(1.0 / rate):
            text = f"the period of {rate:.12g} Hz, {1.0 / rate:.12g} s, is no whole number of ns"
            problems.append(((key,), text))
    if not is_whole_ns(time.duration_s):
        problems.append((("duration_s",), f"{time.duration_s:.12g} s is no whole number of ns"))
    for name, phase in time.phases.items():
        for key, seconds in (("until_s", phase.until_s), ("step_s", phase.step_s)):
            if not is_whole_ns(seconds):
                text = f"{seconds:.12g} s is no whole number of ns"
                problems.append((("phases", name, key), text))
    return problems


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
        wholes = ((time.control_ns, control), (time.record_ns, record), (length_ns, length))
        for whole_ns, whole in wholes:
            if whole_ns % phase.step_ns:
                text = f"{phase.step_s:.12g} s does not divide {whole}"
                problems.append((("phases", name, "step_s"), text))
        if length_ns % time.control_ns:
            problems.append((("phases", name, "until_s"), f"{control} does not divide {length}"))
    return problems


def _too_many(time: Time) -> list[Problem]:
    """More steps or rows than any machine would finish or hold."""
    problems: list[Problem] = []
    start_ns = steps = 0
    for phase in time.phases.values():
        steps += (phase.until_ns - start_ns) // phase.step_ns * phase.substeps
        start_ns = phase.until_ns
    if steps > _MOST_STEPS:
        problems.append((("phases",), f"{steps} steps in all; at most {_MOST_STEPS}"))
    rows = time.duration_ns // time.record_ns + 1
    if rows > _MOST_ROWS:
        problems.append((("record_rate_hz",), f"{rows} rows in all; at most {_MOST_ROWS}"))
    return problems
