"""The cases of a campaign as one Parquet table, a row each, for pandas and everything like it.

seed, outcome, passed, cause, detail, end_s, hash, wall_s, cpu_s
drawn.<dispersion> [axis]       what was drawn
point.<dispersion>[i]           where a design has placed the case, from 0 to 1
<requirement> [unit]            the value, null where there is none
<requirement>.passed
ledger.<residual>
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from proxops.campaigns.result import Campaign
from proxops.campaigns.sensitivity import values_of
from proxops.core.errors import InputError, OutputError
from proxops.results.store.folder import replacing, writing

TABLE = "cases.parquet"
_PLAIN = ("seed", "outcome", "passed", "cause", "detail", "end_s", "hash")


def columns_of(campaign: Campaign) -> dict[str, list[Any]]:
    """Columns by name, in the order of the cases."""
    cases = campaign.cases
    columns: dict[str, list[Any]] = {name: [case.get(name) for case in cases] for name in _PLAIN}
    for name in ("wall_s", "cpu_s"):
        columns[name] = [campaign.timings.get(case["seed"], {}).get(name) for case in cases]
    for draw in campaign.draws:
        columns[f"drawn.{draw.name}"] = _numbers(draw.values)
    sizes = {
        name: len(numbers) for case in cases for name, numbers in (case.get("point") or {}).items()
    }
    for name, size in sizes.items():
        for i in range(size):
            columns[f"point.{name}[{i}]"] = [
                case["point"][name][i] if name in (case.get("point") or {}) else None
                for case in cases
            ]
    for each in campaign.spreads:
        heading = f"{each.name} [{each.unit}]" if each.unit else each.name
        columns[heading] = _numbers(values_of(cases, each.name))
        columns[f"{each.name}.passed"] = [_passed(case, each.name) for case in cases]
    for name in ("momentum_residual", "angular_momentum_residual", "energy_residual"):
        column = [(case.get("ledger") or {}).get(name) for case in cases]
        columns[f"ledger.{name}"] = [
            float(value) if isinstance(value, int | float) else None for value in column
        ]
    return columns


def write_table(campaign: Campaign, file: str | os.PathLike[str], *, overwrite: bool) -> None:
    """Writes the table, whole or not at all."""
    pyarrow, parquet = _arrow()
    path = Path(file).absolute()
    if path.suffix.lower() != ".parquet":
        raise InputError(f"{path.name}: a campaign is exported as .parquet")
    if path.exists() and not (overwrite and path.is_file()):
        raise OutputError(f"{path}: exists already; --overwrite, or overwrite=True, replaces it")
    table = pyarrow.table(columns_of(campaign))
    with writing(path), replacing(path) as part:
        parquet.write_table(table, part)


def can_write() -> bool:
    """Whether Parquet can be written here."""
    try:
        _arrow()
    except InputError:
        return False
    return True


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise InputError(
            "Parquet needs pyarrow, the extra 'export': pip install pyarrow"
        ) from error
    return pyarrow, parquet


def _passed(case: Mapping[str, Any], requirement: str) -> bool | None:
    found = (item["passed"] for item in case["requirements"] if item["name"] == requirement)
    return next(found, None)


def _numbers(values: np.ndarray) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in values]
