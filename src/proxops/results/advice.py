"""What to do about a run that is invalid."""

import math
from collections.abc import Mapping

from proxops.results.ledger import balances, judged
from proxops.results.provenance import provided
from proxops.results.run import COLLIDES, Run
from proxops.results.warnings import limit_cycles

ROUNDING = 2.2e-16  # of a balance, that one step can leave
OPEN_LEDGER = "The ledger is open, so no other result of this run is valid.  "
TOO_LONG = (
    "Try half of step_s, or substeps: most often step_s is too long for the gains, stops or "
    "friction."
)
TOO_MANY = (
    "Try a longer step_s, or a shorter run: rounding alone may leave this residual after so many "
    "steps, and shorter steps increase it."
)
NO_STEP = (
    "Please report this run as a defect of proxops: rigid bodies conserve their momentum at any "
    "step_s, so no other step_s closes the ledger."
)


def advice(run: Run) -> str:
    """What to do about a run that is invalid: about a collision or a limit cycle first, then about
    a ledger that is open, where no fault has given its own reason; empty where there is nothing to
    say."""
    ended = any(event.name == "fault" for event in run.events)
    first = (_collisions(run) or limit_cycles(run))[:1] if run.outcome == "invalid" else []
    rest = [] if ended or run.ledger.closed or not judged(run) else [OPEN_LEDGER + _cure(run)]
    return "  ".join([*(f"First cause to check: {text}." for text in first), *rest])


def _collisions(run: Run) -> list[str]:
    """Blows that no step follows, where what met is not declared to touch."""
    return [
        f"{each.name} at {each.t_s:.3f} s: {each.detail}"
        for each in run.events
        if each.name == COLLIDES
    ]


def _cure(run: Run) -> str:
    """What may close the ledger of a run: a shorter step only where that can help."""
    momentum, _, _ = found = balances(run.ledger)
    rounded = ROUNDING * _steps(run)
    if all(each.closed or each.residual <= rounded for each in found):
        return TOO_MANY
    moves_within = any(
        part in signal.name for signal in run.table for part in (".arms.", ".wheels.", ".append")
    )
    return TOO_LONG if momentum.closed or moves_within else NO_STEP


def _steps(run: Run) -> float:
    """How many steps a run took, about; none where its provenance does not say."""
    given = (provided(run, "time", key) for key in ("phases", "paces"))
    steps = [
        _number(each.get("step_s")) / max(1.0, _number(each.get("substeps")))
        for table in given
        for each in (table.values() if isinstance(table, Mapping) else ())
        if isinstance(each, Mapping)
    ]
    shortest = min((step for step in steps if step > 0.0), default=math.inf)
    return float(run.rows[-1, 0]) / shortest


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
