"""Runs as tables for other tools."""

import csv
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from proxops.core.errors import InputError, OutputError
from proxops.results.run import Run, Signal
from proxops.results.store.folder import replacing, writing
from proxops.results.store.plain import strict, to_json

if TYPE_CHECKING:
    import pandas

_BLOCK_ROWS = 4096


def export(run: Run, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
    """Writes the samples as a table, one column a component (`chaser.p_HC[0]`), whole or not."""
    path = Path(path).absolute()
    write = _WRITERS.get(path.suffix.lower())
    if write is None:
        kinds = ", ".join(_WRITERS)
        raise InputError(f"{path.name}: the ending {path.suffix!r} is none of {kinds}")
    if path.exists() and not (overwrite and path.is_file()):
        what = (
            "exists already; --overwrite, or overwrite=True, replaces it"
            if path.is_file()
            else "is a folder"
        )
        raise OutputError(f"{path}: {what}; nothing was exported")
    with writing(path), replacing(path) as part:
        write(run, part)


def _columns(run: Run) -> Iterator[tuple[str, Signal]]:
    """Names of the columns of a row, with the signal that each belongs to."""
    yield "t", Signal("t", "s", "", ())
    for signal in run.table:
        yield from ((name, signal) for name in _components(signal))


def _components(signal: Signal) -> Iterator[str]:
    """Names of its columns: `chaser.p_HC[0]`."""
    for index in product(*map(range, signal.shape)):
        yield signal.name + "".join(f"[{i}]" for i in index)


def _heading(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def _write_csv(run: Run, path: Path) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_heading(name, signal.unit) for name, signal in _columns(run))
        for first in range(0, len(run.rows), _BLOCK_ROWS):
            # Python floats are written by repr: the shortest text that reads back to equal bits.
            writer.writerows(run.rows[first : first + _BLOCK_ROWS].tolist())


def _write_parquet(run: Run, path: Path) -> None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise InputError(
            "Parquet needs pyarrow, the extra 'export': pip install pyarrow"
        ) from error
    fields = [
        pyarrow.field(
            name,
            pyarrow.float64(),
            nullable=False,
            metadata={"unit": signal.unit, "frame": signal.frame},
        )
        for name, signal in _columns(run)
    ]
    story = {
        "proxops.provenance": to_json(dict(run.provenance), "the provenance"),
        "proxops.summary": to_json(strict(run.summary()), "the summary"),
    }
    arrays = [pyarrow.array(run.rows[:, at]) for at in range(len(fields))]
    table = pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields, metadata=story))
    parquet.write_table(table, path)


def frame_of(run: Run, names: Sequence[str | Signal] = ()) -> "pandas.DataFrame":
    """These signals of a run, or all, as a table whose index is the time [s]."""
    try:
        import pandas
    except ImportError as error:
        raise InputError(
            "to_pandas needs pandas, the extra 'notebook': pip install pandas"
        ) from error
    signals = {signal.name: signal for signal in run.table}
    values, columns = [], []
    for name in (each.name if isinstance(each, Signal) else each for each in names or run):
        values.append(run[name][1].reshape(len(run.rows), -1))
        columns += [(each, signals[name]) for each in _components(signals[name])]
    index = pandas.Index(run.rows[:, 0], name="t")
    frame = pandas.DataFrame(np.hstack(values), index, [name for name, _ in columns])
    frame.attrs["units"] = {name: signal.unit for name, signal in columns}
    frame.attrs["frames"] = {name: signal.frame for name, signal in columns}
    return frame


_WRITERS: dict[str, Callable[[Run, Path], None]] = {
    ".csv": _write_csv,
    ".parquet": _write_parquet,
}
