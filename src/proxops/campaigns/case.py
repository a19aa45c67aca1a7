"""One flown case as plain data, and why it did not pass."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from proxops.core.errors import ProxopsError, StoppedError
from proxops.results.advice import advice
from proxops.results.run import COLLIDES, Event, Run
from proxops.results.store.plain import strict
from proxops.results.verdict import collided
from proxops.results.warnings import limit_cycles
from proxops.scenario.load import Scenario

# Numbers with a unit: without them the same reason reads the same in every case
_FIGURE = re.compile(r",?(?: limit| least| at most)? -?\d[\d.e+-]* (?:rad|deg|mm|m|N m|N|s)\S*")


def flown(scenario: Scenario, run: Run) -> dict[str, Any]:
    """A case that was flown, as plain data."""
    cause, detail = _why(run)
    return _case(scenario, run.outcome, cause, detail) | {
        "warnings": [event.detail for event in run.warnings],
        "requirements": [
            strict(asdict(item)) | {"passed": item.passed} for item in run.requirements
        ],
        "ledger": strict(asdict(run.ledger)),
        "end_s": float(run.rows[-1, 0]) if len(run.rows) else 0.0,
        "hash": run.hash,
    }


def rejected(scenario: Scenario, error: ProxopsError) -> dict[str, Any]:
    """A case that could not begin: its start is out of a facility's reach, its guard said no."""
    outcome = "stopped" if isinstance(error, StoppedError) else "refused"
    return _not_flown(scenario, outcome, _alike(str(error)), str(error))


def crashed(scenario: Scenario, how: str, tries: int) -> dict[str, Any]:
    """A case of which every worker has died, with what the last one said."""
    reason, _, said = how.partition("\n")
    detail = "\n".join(filter(None, (f"{reason} in each of {tries} tries", said)))
    return _not_flown(scenario, "crashed", reason, detail)


def _not_flown(scenario: Scenario, outcome: str, reason: str, detail: str) -> dict[str, Any]:
    return _case(scenario, outcome, f"{outcome}: {reason}", detail) | {
        "requirements": [],
        "ledger": None,
        "end_s": 0.0,
        "hash": None,
    }


def _case(scenario: Scenario, outcome: str, cause: str | None, detail: str) -> dict[str, Any]:
    assert scenario.case is not None
    return scenario.case.address() | {
        "outcome": outcome,
        "passed": outcome == "passed",
        "cause": cause,
        "detail": detail,
        "drawn": scenario.case.plain_draws(),
        "warnings": [],
    }


def _why(run: Run) -> tuple[str | None, str]:
    """Why a run did not pass, alike for all that did not for the same reason; and in full.

    An invalid run says nothing else.  Then a collision comes first, and next the on-board
    software's own word: what fails after an abort follows from it.
    """
    if run.outcome == "passed":
        return None, ""
    event = _first(run, "fault")
    if event is None and not run.ledger.closed:
        cause = "limit cycle" if limit_cycles(run) else "ledger: open"
        return cause, advice(run)
    event = event or collided(run) or _first(run, "abort") or _first(run, "stopped")
    if event is not None:
        # Names of colliding parts may have figures
        alike = event.detail if event.name == COLLIDES else _alike(event.detail)
        return f"{event.name}: {alike}", f"{event.detail}, at {event.t_s:.3f} s"
    item = next(each for each in run.requirements if each.status != "passed")
    return f"{item.status}: {item.name}", demand(asdict(item))


def _first(run: Run, kind: str) -> Event | None:
    return next((event for event in run.events if event.name == kind), None)


def demand(item: Mapping[str, Any]) -> str:
    """What a requirement came to, and what it asks for; the item as plain data."""
    value, unit = item["value"], item["unit"]
    found = "not reached" if value is None else f"{float(value):.4g} {unit}"
    asked = f"{item['comparison']} {item['limit']:.4g} {unit}"
    return f"{item['name']}: {found}, where {asked} is required"


def _alike(text: str) -> str:
    return _FIGURE.sub("", text)
