"""What a run came to, in a word and a sentence or two."""

from typing import NamedTuple

from proxops.report.tables import number
from proxops.results.advice import advice
from proxops.results.ledger import balances, judged
from proxops.results.run import Requirement, Run, form_of
from proxops.results.verdict import collided
from proxops.results.warnings import limit_cycles

NAMED = 3  # failed requirements that the banner names


class Verdict(NamedTuple):
    """The word, its mood (see Run.mood) and the sentences that say why."""

    word: str
    mood: str
    why: tuple[str, ...]


def verdict_of(run: Run) -> Verdict:
    """The verdict on a run, with what it hangs on."""
    reasons = {
        "passed": _passed,
        "failed": _failed,
        "invalid": _invalid,
        "interrupted": _ended_early,
        "cut-short": _ended_early,
        "stopped": _stopped,
    }
    why = (
        reasons[run.outcome](run) if run.outcome in reasons else ["The recording gives no reason."]
    )
    left = [f"At {each.t_s:.1f} s: {each.said}." for each in run.aborts]
    return Verdict(run.headline, run.mood, (*left, *why))


def last_time(run: Run) -> float:
    """Of the last row [s]."""
    return float(run.rows[-1, 0]) if len(run.rows) else 0.0


def _passed(run: Run) -> list[str]:
    count = len(run.requirements)
    if not count:
        return ["The scenario has no requirements, so nothing was judged; the ledger is closed."]
    met = "Its requirement is met" if count == 1 else f"All {count} requirements are met"
    return [f"{met}, and the ledger is closed."]


def _failed(run: Run) -> list[str]:
    collision = collided(run)
    said = [f"Collision at {collision.t_s:.3f} s: {collision.detail}."] if collision else []
    missed = [item for item in run.requirements if not item.passed]
    said += [_said(item) for item in missed[:NAMED]]
    if len(missed) > NAMED:
        said.append(f"So do {len(missed) - NAMED} more of {len(run.requirements)}, see the table.")
    return said


def _said(item: Requirement) -> str:
    demanded = f"{item.comparison} {number(item.limit, form_of(item))}{_unit(item)}"
    if item.value is None:
        return f"{item.name} was not reached: {demanded} is required."
    found = f"{number(item.value, form_of(item))}{_unit(item)}"
    return f"{item.name} fails: {found}, where {demanded} is required."


def _unit(item: Requirement) -> str:
    return "" if item.unit in ("", "1") else f" {item.unit}"


def _invalid(run: Run) -> list[str]:
    hint = [advice(run)] if advice(run) else []
    said = [
        f"Stopped at {event.t_s:g} s: {event.detail}."
        for event in run.events
        if event.name == "fault"
    ]
    said += [
        f"The ledger does not close: the residual of {balance.name} is "
        f"{number(balance.residual, '.1e')}, the limit {number(balance.limit, '.0e')}."
        for balance in balances(run.ledger)
        if judged(run) and not balance.closed
    ]
    said = [*hint, *said] if limit_cycles(run) else [*said, *hint]
    return said or ["No result of this run is valid."]


def _stopped(run: Run) -> list[str]:
    found = [event for event in run.events if event.name in ("guard", "stopped")]
    said = [
        f"At {event.t_s:.3f} s: {event.detail}." for event in found if event.detail != "released"
    ]
    return said or ["The facility stopped it without a reason."]


def _ended_early(run: Run) -> list[str]:
    end, planned = last_time(run), run.planned_end
    whole = f" of {planned:g} s" if planned is not None else ""
    by = "Interrupted" if run.outcome == "interrupted" else "Cut short"
    said = [f"{by} at {end:g} s{whole}; the plots end there."]
    said += [event.detail for event in run.events if event.name == "recording-cut"]
    failed = [item for item in run.requirements if item.status == "failed"]
    said += [_said(item) for item in failed[:NAMED]]
    open_ones = sum(item.status == "not-reached" for item in run.requirements)
    if open_ones:
        said.append(f"{open_ones} of {len(run.requirements)} requirements are undecided.")
    return said
