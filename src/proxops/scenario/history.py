"""Recorded wrenches and motions: tables over time, from CSV text."""

import csv
import math

import numpy as np

from proxops.core.errors import InputError
from proxops.scenario.problems import shown

COLUMNS = ("t_s", "fx_N", "fy_N", "fz_N", "tx_N_m", "ty_N_m", "tz_N_m")
_MAX_ROWS = 1_000_000
_LARGEST = 1e12  # no time, force or torque; its impulse must stay finite


def parse_history(text: str, name: str) -> np.ndarray:
    """Times [s], forces [N] and torques [N m] (n, 7), in order of time, or one problem."""
    return parse_table(text, name, COLUMNS)


def parse_table(text: str, name: str, columns: tuple[str, ...]) -> np.ndarray:
    """Rows (n, columns) in order of the first column, which is time; one problem if it is none."""
    lines = csv.reader(text.splitlines())
    try:
        header = [cell.strip() for cell in next(lines, [])]
        order = _order(header, name, columns)
        rows = [
            _row(cells, order, f"{name}, line {number}")
            for number, cells in enumerate(lines, start=2)
            if cells
        ]
    except csv.Error as error:
        raise InputError(f"{name}: not CSV: {error}") from None
    if not 2 <= len(rows) <= _MAX_ROWS:
        raise InputError(f"{name}: {len(rows)} rows; must have 2 to {_MAX_ROWS}")
    table = np.array(rows)
    back = np.flatnonzero(np.diff(table[:, 0]) <= 0.0)
    if len(back):
        before, after = table[back[0], 0], table[back[0] + 1, 0]
        raise InputError(
            f"{name}: times must increase, but {before:.12g} s precedes {after:.12g} s"
        )
    return table


def line_of(text: str, row: int) -> int:
    """Where in a file the row of a table stands, the header being line 1."""
    filled = (number for number, cells in enumerate(csv.reader(text.splitlines()), 1) if cells)
    return list(filled)[1 + row]


def _order(header: list[str], name: str, columns: tuple[str, ...]) -> list[int]:
    """Where each of our columns stands."""
    missing = [column for column in columns if column not in header]
    if missing:
        raise InputError(
            f"{name}: first line lacks {', '.join(missing)}; it must name {', '.join(columns)}"
        )
    unknown = [column for column in header if column not in columns]
    if unknown or len(header) != len(columns):
        found = shown(unknown[0]) if unknown else "a column twice"
        raise InputError(f"{name}: first line has {found}; it must name {', '.join(columns)}")
    return [header.index(column) for column in columns]


def _row(cells: list[str], order: list[int], where: str) -> list[float]:
    if len(cells) != len(order):
        raise InputError(f"{where}: {len(cells)} numbers; must be {len(order)}")
    return [_number(cells[column], where) for column in order]


def _number(cell: str, where: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not abs(value) <= _LARGEST:
        raise InputError(f"{where}: {shown(cell)} is not a number up to {_LARGEST:g}")
    return value
