"""Plain data as text: JSON, and the records of a run from it."""

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from proxops.core.errors import InputError
from proxops.core.link_statistics import LinkStatistics
from proxops.core.regular_file import TooLargeError, read_regular
from proxops.core.states import FacilityState
from proxops.results.compared import Cause, ContactLoop, Difference, Fidelity, PortReport
from proxops.results.controller_report import ControllerReport, Finding, Pace
from proxops.results.run import Event, Ledger, Phase, Requirement, Run, Signal

T = TypeVar("T")

# Far above any summary or scenario, far below what could exhaust a machine
MAX_BYTES = 256 * 2**20


def to_json(value: Any, what: str, indent: int | None = None) -> str:
    """JSON text; non-finite numbers in Python's spelling (NaN, Infinity)."""
    try:
        return json.dumps(value, indent=indent)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"{what} cannot be stored: {error}") from error


def from_json(text: str | bytes, what: str) -> Any:
    """The value of a JSON text."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise InputError(f"{what} is not JSON: {error}") from error
    except RecursionError as error:
        raise InputError(f"{what} is nested deeper than any summary") from error


def strict(value: Any) -> Any:
    """The value with non-finite numbers as strings, so that every JSON reader takes it."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {key: strict(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [strict(item) for item in value]
    return value


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object that a file holds."""
    try:
        text = read_regular(path, MAX_BYTES)
    except TooLargeError as error:
        raise InputError(f"{path}: is larger than any summary") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    value = from_json(text, str(path))
    if not isinstance(value, dict):
        raise InputError(f"{path}: holds {type(value).__name__}, where an object was expected")
    return value


def table_to_json(signals: tuple[Signal, ...]) -> str:
    """The signal table as JSON."""
    rows = [[item.name, item.unit, item.frame, list(item.shape), item.title] for item in signals]
    return to_json(rows, "the signal table")


def table_from_json(text: str) -> tuple[Signal, ...]:
    """The signal table from JSON."""
    table = from_json(text, "the signal table")
    if not isinstance(table, list):
        raise InputError("the signal table is not a list")
    return tuple(_signal(row) for row in table)


def run_from(
    summary: Mapping[str, Any],
    provenance: Mapping[str, Any],
    signals: tuple[Signal, ...],
    rows: Any,
) -> Run:
    """The run whose verdicts a summary holds."""
    run = Run(
        name=_text(summary.get("name")),
        provenance=provenance,
        table=signals,
        rows=rows,
        events=_many(Event, summary.get("events")),
        phases=_many(Phase, summary.get("phases")),
        requirements=_many(Requirement, summary.get("requirements")),
        ledger=_one(Ledger, summary.get("ledger")),
        outcome=_text(summary.get("outcome")),
        fidelity=_one(Fidelity, summary["fidelity"]) if "fidelity" in summary else None,
        procedure=_many(FacilityState, summary.get("procedure", [])),
        links=_many(LinkStatistics, summary.get("links", [])),
        controller=_one(ControllerReport, summary["controller"])
        if "controller" in summary
        else None,
    )
    if run.hash != summary.get("hash"):
        raise InputError("the hash in the summary is not that of the rows")
    return run


def _signal(row: Any) -> Signal:
    match row:
        case [str(name), str(unit), str(frame), [*shape], str(title)]:
            # bool is an int to Python, not to the table
            if all(type(size) is int and 0 <= size <= MAX_BYTES for size in shape):
                return Signal(name, unit, frame, tuple(shape), title)
    raise InputError(f"the signal table has a bad entry: {str(row)[:80]}")


def _many(kind: type[T], items: Any) -> tuple[T, ...]:
    if not isinstance(items, list):
        raise InputError(f"the summary has no list of {kind.__name__.lower()}s")
    return tuple(_one(kind, item) for item in items)


def _one(kind: type[T], item: Any) -> T:
    if not isinstance(item, dict):
        raise InputError(f"the summary has no {kind.__name__.lower()}")
    fields = get_type_hints(kind)
    try:
        return kind(**{name: _READERS[hint](item.get(name)) for name, hint in fields.items()})
    except InputError as error:
        raise InputError(f"the summary has a bad {kind.__name__.lower()}: {error}") from error


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"{str(value)[:40]!r} is not a string")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise InputError(f"{str(value)[:40]!r} is neither true nor false")
    return value


def _number(value: Any) -> float:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    if plain or value in ("NaN", "Infinity", "-Infinity"):
        try:
            return float(value)
        except OverflowError:
            pass
    raise InputError(f"{str(value)[:40]!r} is not a number")


def _integer(value: Any) -> int:
    number = _number(value)
    if not number.is_integer():
        raise InputError(f"{str(value)[:40]!r} is not a whole number")
    return int(number)


def _number_or_none(value: Any) -> float | None:
    return None if value is None else _number(value)


_READERS: dict[Any, Callable[[Any], Any]] = {
    str: _text,
    bool: _flag,
    int: _integer,
    float: _number,
    float | None: _number_or_none,
    tuple[Difference, ...]: lambda items: _many(Difference, items),
    tuple[Cause, ...]: lambda items: _many(Cause, items),
    tuple[ContactLoop, ...]: lambda items: _many(ContactLoop, items),
    tuple[Finding, ...]: lambda items: _many(Finding, items),
    Pace | None: lambda item: None if item is None else _one(Pace, item),
    PortReport | None: lambda item: None if item is None else _one(PortReport, item),
}
