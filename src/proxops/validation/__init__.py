"""Published numbers compared with ours.

    table = validate("flexible")

Every row says what was published, what we get and whether the two agree within the tolerance.
Rows that follow from the publication's own data, or do after one stated calibration, are gated:
they must pass.  The others are computed without tuning and carry the reason why they differ.
Identities and settings of the shipped mission are called so: agreeing there is no finding.
"""

from functools import cache
from importlib import import_module
from types import ModuleType

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
    """Every published number of a paper beside ours: deorbit, relative, capture, ...; seconds to a
    minute.

    >>> table = proxops.validate("deorbit")  # doctest: +SKIP
    >>> [(row.id, row.published, row.ours, row.unit) for row in table.rows]  # doctest: +SKIP
    """
    check(name)
    return _table(name, _module(name).results())


@cache
def figures(name: str) -> tuple[Figure, ...]:
    """The figures of a publication, redrawn from our data; some seconds."""
    check(name)
    drawn: tuple[Figure, ...] = _module(f"{name}_figures").figures()
    return drawn


def _module(name: str) -> ModuleType:
    """One of this package: what takes long to import is imported when it is needed."""
    return import_module(f"proxops.validation.{name}")


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
