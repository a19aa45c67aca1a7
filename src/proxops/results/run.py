"""A run in memory: what was recorded, what happened, and whether it was good enough."""

import hashlib
import math
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from proxops.core.errors import InputError
from proxops.core.extensions import NO_EXTENSIONS, Extensions
from proxops.core.link_statistics import LinkStatistics
from proxops.core.states import FacilityState
from proxops.core.text import nearest
from proxops.results.aborts import Abort, aborts_of
from proxops.results.compared import Fidelity
from proxops.results.controller_report import ControllerReport
from proxops.results.rows import blocks_of, columns_of

if TYPE_CHECKING:
    import pandas

COLLIDES = "collision"  # event: two parts meet that no contact or hold joins
HOLD_EVENTS = ("hold-opens", "hold-closes", "hold-misses")  # by the state that a hold is then in
MISSION_ENDS = "end"  # event: of a mission that an event was to end


def as_number(value: object) -> float | None:
    """A finite number of stored data; None for anything else, which damaged data may hold."""
    if isinstance(value, int | float) and abs(value) <= sys.float_info.max:
        return float(value)
    return None


@dataclass(frozen=True)
class Signal:
    """One recorded quantity; `frame` names the axes of its components, empty for none.  A `unit`
    with commas gives one for each component (joints of both kinds in an arm)."""

    name: str
    unit: str
    frame: str
    shape: tuple[int, ...]
    title: str = ""  # of its plot; its name if empty

    @property
    def width(self) -> int:
        """How many columns of a recorded row it fills."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class Event:
    """Something that happened at an instant."""

    t_s: float
    name: str
    detail: str

    def fits(self, kind: str) -> bool:
        """Whether it is of a kind: by its name, such as "hold-closes", or that of one hold,
        "hold-closes:grip"."""
        name, _, hold = kind.partition(":")
        one = bool(hold) and self.name == name and self.detail.split(":")[0] == f"holds.{hold}"
        return self.name == kind or one

    @property
    def kind(self) -> str:
        """Its name, and the contact or hold it happened to: "touch-down of contacts.ring"."""
        part = re.match(r"(contacts|holds)\.[\w-]+", self.detail)
        return f"{self.name} of {part[0]}" if part else self.name


@dataclass(frozen=True)
class Phase:
    """A stretch of the mission."""

    name: str
    start_s: float
    end_s: float


@dataclass(frozen=True)
class Requirement:
    """A demand on the run; `value` is None and `status` not-reached where its window never came."""

    name: str
    value: float | None
    comparison: str
    limit: float
    unit: str
    margin: float | None  # positive: met with that much to spare
    status: str  # passed | failed | not-reached

    @property
    def passed(self) -> bool:
        """Whether it was met; one that was not reached is not."""
        return self.status == "passed"


@dataclass(frozen=True)
class Ledger:
    """How well impulse and work of all sources explain the change of momentum and energy."""

    momentum_residual: float
    angular_momentum_residual: float
    energy_residual: float
    closed: bool


MAX_DIGITS = 17  # that tell any two numbers apart


def form_of(item: Requirement) -> str:
    """The format of its value and limit: four digits, or as many as show why it has failed."""
    value = item.value
    if value is None or item.status != "failed":
        return ".4g"
    forms = [f".{digits}g" for digits in range(4, MAX_DIGITS + 1)]
    distinct = (form for form in forms if format(value, form) != format(item.limit, form))
    return next(distinct, ".4g")


@dataclass(frozen=True, repr=False, eq=False)
class Run:
    """What was recorded of a mission, what happened, and whether it was good enough.

    `run["target.w_NT_T"]`, or one of `run.signals()` in the place of its name, gives times [s] and
    samples in SI units; names say frames: p_AB is the position of B in A, w_AB_E the rate of B
    against A in the axes of E, q_AB is wxyz.

    >>> run = proxops.simulate(proxops.load("free-tumble"))
    >>> run.outcome, run.ledger.closed
    ('passed', True)
    >>> t, w = run["target.w_NT_T"]  # seconds (n,), rad/s (n, 3) in T
    >>> w.shape == (len(t), 3)
    True
    """

    name: str
    provenance: Mapping[str, Any]  # scenario, seed, versions: enough to replay it
    table: tuple[Signal, ...]
    rows: np.ndarray  # float64 (n, 1 + widths): time [s], then the signals; or results.rows.Rows
    events: tuple[Event, ...]
    phases: tuple[Phase, ...]
    requirements: tuple[Requirement, ...]
    ledger: Ledger
    outcome: str  # passed | failed | invalid | interrupted | stopped | cut-short
    fidelity: Fidelity | None = None  # of a rehearsal
    procedure: tuple[FacilityState, ...] = ()  # of its facility
    links: tuple[LinkStatistics, ...] = ()  # to its vehicles, if they were flown over links
    controller: ControllerReport | None = None  # a user's own, if one has flown it
    folder: Path | None = None  # that it was recorded into, or opened from
    extensions: Extensions = NO_EXTENSIONS  # with which it was flown; recordings do not hold them

    def __post_init__(self) -> None:
        from proxops.results.listings import Requirements

        object.__setattr__(self, "requirements", Requirements(self.requirements))

    def __repr__(self) -> str:
        fault = next((f": {each.detail}" for each in self.events if each.name == "fault"), "")
        size = f"{len(self.rows)} rows, {len(self.table)} signals"
        return f"Run({self.name!r}, {self.outcome}{fault}, {size})"

    def _repr_html_(self) -> str:
        from proxops.report.notebook import run_html

        return run_html(self)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    @property
    def title(self) -> str:
        """Its name, which case it is if it was dispersed, and where it was rehearsed if it was."""
        facility, case = self.provenance.get("facility"), self.provenance.get("dispersed")
        name = self.name if case is None else f"{self.name}, case {case}"
        if not isinstance(facility, Mapping):
            return name
        nominal = self.provenance.get("nominal")
        to = nominal.get("name", "unforced") if isinstance(nominal, Mapping) else "unforced"
        to = "" if to == "unforced" else f" to {to}"
        bare = ", without contact" if self.provenance.get("no_contact") else ""
        slow = f", at {self.speed:.0%} of its pace" if self.speed < 1.0 else ""
        shows = f"{self.provenance.get('representation')}{to}{bare}{slow}"
        return f"{name} on {facility.get('name')}, {shows}"

    @property
    def speed(self) -> float:
        """The share of the mission's pace at which a rehearsal showed it, 1 elsewhere."""
        return as_number(self.provenance.get("speed")) or 1.0

    @property
    def draws(self) -> Mapping[str, Any]:
        """What was drawn for a dispersed case, by dispersion: key, by how much, value."""
        value: object = self.provenance.get("scenario")
        for key in ("case", "drawn"):
            value = value.get(key) if isinstance(value, Mapping) else None
        return value if isinstance(value, Mapping) else {}

    @property
    def planned_end(self) -> float | None:
        """When the scenario was to end [s], None if provenance does not have it."""
        value: object = self.provenance.get("scenario")
        for key in ("mission", "time", "duration_s"):
            value = value.get(key) if isinstance(value, Mapping) else None
        return as_number(value)

    @property
    def aborts(self) -> tuple[Abort, ...]:
        """The legs of a plan that were left by their way out."""
        return aborts_of(self.events)

    @property
    def warnings(self) -> tuple[Event, ...]:
        """The events that warn: the verdict stands, but look before you trust it."""
        return tuple(event for event in self.events if event.name == "warning")

    @property
    def headline(self) -> str:
        """The outcome as people read it: PASSED, PASSED with 3 warnings, no requirements, ...  A
        collision that is only to be reported is named as well."""
        word = self.outcome.upper().replace("-", " ")
        word = word if self.requirements or self.outcome != "passed" else "no requirements"
        counts = {"warning": len(self.warnings)}
        if self.outcome == "passed":
            counts["collision"] = len(self._collisions)
        noted = [f"{n} {what}{'s' if n > 1 else ''}" for what, n in counts.items() if n]
        return f"{word} with {' and '.join(noted)}" if noted else word

    @property
    def _collisions(self) -> list[Event]:
        return [event for event in self.events if event.name == "collision"]

    @property
    def mood(self) -> str:
        """How it bodes: good, warn, bad; none where nothing was demanded."""
        if self.outcome in ("passed", "cut-short", "interrupted"):
            if self.warnings or self._collisions or self.outcome != "passed":
                return "warn"
            return "good" if self.requirements else "none"
        return "bad"

    def signals(self) -> tuple[Signal, ...]:
        """Every recorded signal: name, unit, frame, shape."""
        from proxops.results.listings import Signals

        return Signals(self.table)

    def __getitem__(self, which: str | Signal) -> tuple[np.ndarray, np.ndarray]:
        """Times [s] (n,) and samples (n, *shape) of a signal, by its name or itself."""
        at, signal = self._column(which)
        block = self.rows[:, at : at + signal.width]
        return self.rows[:, 0], block.reshape(len(self.rows), *signal.shape)

    def blocks(self, *names: str) -> Iterator[tuple[np.ndarray, ...]]:
        """Times [s] (n,) and samples (n, width) of each of these signals, some rows at a time where
        there are too many for the memory."""
        columns = [(0, 1), *((at, at + each.width) for at, each in map(self._column, names))]
        for t, *samples in zip(*(columns_of(self.rows, *each) for each in columns), strict=True):
            yield t[:, 0], *samples

    def _column(self, which: str | Signal) -> tuple[int, Signal]:
        """The first column of a signal, and itself."""
        name = which.name if isinstance(which, Signal) else which
        if not isinstance(name, str):
            kind = type(name).__name__
            raise InputError(f"no signal {name!r} in this run: a name was expected, found {kind}")
        if name not in self._places:
            raise InputError(f"no signal {name!r} in this run{nearest(name, list(self._places))}")
        return self._places[name]

    @cached_property
    def _places(self) -> dict[str, tuple[int, Signal]]:
        """The first column of each signal, and itself, by name."""
        places: dict[str, tuple[int, Signal]] = {}
        at = 1
        for signal in self.table:
            places.setdefault(signal.name, (at, signal))
            at += signal.width
        return places

    def __iter__(self) -> Iterator[str]:
        return (signal.name for signal in self.table)

    def to_pandas(self, *names: "str | Signal") -> "pandas.DataFrame":
        """These signals, or all, as a table of pandas: time [s] is its index, columns are
        components such as `chaser.p_HC[0]`; `attrs["units"]` and `attrs["frames"]` have what they
        are in.

        >>> frame = run.to_pandas("target.w_NT_T")  # doctest: +SKIP
        >>> frame["target.w_NT_T[0]"].abs().max()  # doctest: +SKIP
        """
        from proxops.results.store.tables import frame_of

        return frame_of(self, names)

    def export(self, file: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Writes all samples as a table: a file that ends in .csv, or in .parquet (extra: export).

        >>> run.export("tumble.csv", overwrite=True)
        """
        from proxops.results.store.tables import export

        export(self, file, overwrite=overwrite)

    def view(
        self,
        file: str | PathLike[str] | None = None,
        *,
        port: int = 8080,
        browser: bool = True,
        overwrite: bool = False,
    ) -> None:
        """Shows the run as a scene in the browser until Ctrl-C (in a notebook: interrupt the
        kernel), or writes the scene as an offline HTML file (extra: viewer).

        >>> run.view()  # doctest: +SKIP
        >>> run.view("tumble.html")  # doctest: +SKIP
        """
        from proxops import viewer

        if file is None:
            viewer.view(self, print, port=port, browser=browser)
        else:
            viewer.export(self, Path(file), overwrite=overwrite)

    def save(self, folder: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Writes the run into a folder that `proxops.open` reads, bit for bit.

        >>> run.save("out/run", overwrite=True)
        >>> proxops.open("out/run").hash == run.hash
        True
        """
        from proxops.results.store import save

        save(self, folder, overwrite=overwrite)

    def report(
        self, file: str | PathLike[str], *, against: "Run | None" = None, overwrite: bool = False
    ) -> None:
        """Writes a page to open in a browser: verdict, requirements, timeline, every signal;
        or this run beside another with their differences.

        >>> run.report("tumble.html")
        """
        from proxops.report import write_comparison, write_run

        if against is None:
            write_run(self, file, overwrite=overwrite)
        else:
            write_comparison(self, against, file, overwrite=overwrite)

    def summary(self) -> dict[str, Any]:
        """The verdicts as plain data: what `--json` prints and what is stored with a recording."""
        return {
            "name": self.name,
            "outcome": self.outcome,
            "passed": self.outcome == "passed",
            "requirements": [asdict(item) | {"passed": item.passed} for item in self.requirements],
            "ledger": asdict(self.ledger),
            "events": [asdict(event) for event in self.events],
            "phases": [asdict(phase) for phase in self.phases],
            "hash": self.hash,
        } | self._more()

    def _more(self) -> dict[str, Any]:
        more: dict[str, Any] = {}
        if self.fidelity is not None:
            more["fidelity"] = asdict(self.fidelity)
        if self.procedure:
            more["procedure"] = [asdict(state) for state in self.procedure]
        if self.links:
            more["links"] = [asdict(link) for link in self.links]
        if self.controller is not None:
            more["controller"] = asdict(self.controller)
        if self.aborts:
            more["aborts"] = [asdict(each) for each in self.aborts]
        return more

    @property
    def hash(self) -> str:
        """SHA-256 over all names and samples: equal hashes mean equal bits."""
        digest = hashlib.sha256("\n".join(self).encode())
        for block in blocks_of(self.rows):
            digest.update(np.ascontiguousarray(block).data)  # in place: a copy took as long
        return digest.hexdigest()
