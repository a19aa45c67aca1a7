"""Published numbers held against ours.

    table = validate("flexible")

Every row says what was published, what we get and whether the two agree within the tolerance.
Rows that follow from the publication's own data, or do after one stated calibration, are gated:
they must pass.  The others are computed without tuning and carry the reason why they differ.
Identities and settings of the shipped mission are called so: agreeing there is no finding.
"""

from proxops.core.errors import InputError
from proxops.core.plot import Figure
from proxops.core.text import nearest
from proxops.validation.table import BASIS_NOUNS, Result, Row, Validation, published

__all__ = ["Row", "Validation", "check", "figures", "names", "validate"]


def names() -> list[str]:
    """The publications that can be validated."""
    return sorted(published())


def check(name: str) -> None:
    """Refuses what is no publication."""
    if name not in names():
        raise InputError(f"nothing to validate is called {name!r}{nearest(name, names())}")


def validate(name: str) -> Validation:
    """Computes every number of a publication; seconds to a minute."""
    check(name)
    from proxops.validation import capture, deorbit, flexible, relative, rendezvous, twin

    results = {
        "capture": capture.results,
        "deorbit": deorbit.results,
        "flexible": flexible.results,
        "relative": relative.results,
        "rendezvous": rendezvous.results,
        "twin": twin.results,
    }
    return _table(name, results[name]())


def figures(name: str) -> tuple[Figure, ...]:
    """The figures of a publication, redrawn from our data; some seconds."""
    check(name)
    from proxops.validation import (
        capture_figures,
        deorbit_figures,
        flexible_figures,
        relative_figures,
        rendezvous_figures,
        twin_figures,
    )

    drawn = {
        "capture": capture_figures.figures,
        "deorbit": deorbit_figures.figures,
        "flexible": flexible_figures.figures,
        "relative": relative_figures.figures,
        "rendezvous": rendezvous_figures.figures,
        "twin": twin_figures.figures,
    }
    return drawn[name]()


def _table(name: str, ours: dict[str, Result]) -> Validation:
    rows = tuple(
        Row(
            id=key,
            text=number.text,
            published=number.published,
            ours=ours[key].value,
            unit=number.unit,
            tolerance=number.tolerance,
            status=number.status,
            passed=abs(ours[key].value - number.published) <= number.tolerance,
            reason=_reason(number.basis, ours[key].reason),
        )
        for key, number in published()[name].items()
    )
    return Validation(name, rows)


def _reason(basis: str, reason: str) -> str:
    """How a number came about, beginning with what it rests on if that is no result."""
    return reason if basis == "result" else f"{BASIS_NOUNS[basis][0]}: {reason}"
