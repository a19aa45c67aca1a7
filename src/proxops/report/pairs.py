"""A signal of two runs: both curves in one figure, and their difference beside it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from proxops.core.plot import DASHED, LINE, Curve, Figure
from proxops.report.curves import Part, axis_title, largest, parts, shown_unit, steady, turn_part
from proxops.report.plan import FIRINGS, TURN, Plot, title_of
from proxops.report.quaternions import aligned, conjugate, product
from proxops.report.sections import broken, colour
from proxops.results.run import Run, Signal

SAME = 1e-9  # of the SI unit: a difference below it is none


def difference(
    a: Run, b: Run, signal: Signal, plot: Plot, known: Mapping[str, Any]
) -> tuple[np.ndarray, list[Part]]:
    """Times [s] that both runs have, of the one that has fewer there, and second less first; the
    other is interpolated along straight lines, and a turn is that from the first to the second."""
    (t_a, first), (t_b, second) = a[signal.name], b[signal.name]
    start, end = max(t_a[0], t_b[0]), min(t_a[-1], t_b[-1])
    t = min((each[(each >= start) & (each <= end)] for each in (t_a, t_b)), key=len)
    first, second = (_at(t, *each, plot) for each in ((t_a, first), (t_b, second)))
    if plot.show == TURN:
        return t, [turn_part(product(conjugate(first), second))]
    bare = replace(plot, norm=False, less="", change=False)
    rows = np.column_stack([t, second - first])
    return t, parts(replace(a, rows=rows, table=(signal,)), signal, bare, known)


def _at(t: np.ndarray, times: np.ndarray, samples: np.ndarray, plot: Plot) -> np.ndarray:
    """The samples (n, k) at other times; themselves where those are their own."""
    columns = samples.reshape(len(times), int(np.prod(samples.shape[1:])))
    if plot.show == TURN:
        columns = aligned(columns)
    return np.column_stack([np.interp(t, times, column) for column in columns.T])


def overlaid(
    runs: tuple[Run, Run],
    plot: Plot,
    signal: Signal,
    known: Mapping[str, Any],
    names: tuple[str, str] = ("A", "B"),
) -> list[Figure]:
    """Overlay and difference of a signal, none where both are the same throughout; `names` tell
    the curves of the runs apart."""
    if plot.show == FIRINGS:
        return []
    bare = replace(plot, norm=False, less="")
    t, apart = difference(*runs, signal, plot, known)
    if all(steady(part.columns).all() and largest(part.columns) < SAME for part in apart):
        return []
    found = []
    own = [parts(run, signal, bare, known) for run in runs]
    for number, off in enumerate(apart):
        pair = [each[number] for each in own]
        found += _pair(runs, (plot, signal), pair, (t, off), names)
    return found


def _pair(
    runs: tuple[Run, Run],
    what: tuple[Plot, Signal],
    pair: list[Part],
    off: tuple[np.ndarray, Part],
    names: tuple[str, str],
) -> list[Figure]:
    plot, signal = what
    unit, factor = shown_unit(pair[0].unit, max(map(largest, (p.columns for p in pair))), plot.unit)
    curves = []
    for run, name, part, kind in zip(runs, names, pair, (LINE, DASHED), strict=True):
        curves += _curves(plot, run.rows[:, 0], part, factor, (f" {name}", kind))
    t, part = off
    short = signal.name.rpartition(".")[2]
    small, scale = shown_unit(part.unit, largest(part.columns), plot.unit)
    differing = _curves(plot, t, part, scale, ("", LINE))
    turn = "turn " if plot.show == TURN else ""
    frame = "" if turn else signal.frame
    title = title_of(plot, signal)
    return [
        Figure(title, axis_title(f"{turn}{short}", frame, unit), tuple(curves)),
        Figure(
            f"{title}: difference",
            axis_title(f"difference of {turn}{short}", frame, small),
            tuple(differing),
        ),
    ]


def _curves(
    plot: Plot, t: np.ndarray, part: Part, factor: float, look: tuple[str, str]
) -> list[Curve]:
    columns = factor * part.columns
    if plot.show == TURN:
        t, columns = broken(t, columns)
    suffix, kind = look
    return [
        Curve(f"{label}{suffix}", t, columns[:, i], kind, colour(part.names, i))
        for i, label in enumerate(part.names)
    ]
