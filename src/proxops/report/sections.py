"""The figures of a run, section by section."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from proxops.core.plot import BARS, Curve, Figure
from proxops.report.curves import (
    LENGTHS,
    Part,
    axis_title,
    component_names,
    largest,
    parts,
    shown_unit,
    spread,
    steady,
    tumble_part,
    turn_part,
)
from proxops.report.limits import as_levels, far_text, levels, limits_of, of_columns
from proxops.report.plan import FIRINGS, TOTAL, TURN, Plot, claims, star, title_of
from proxops.report.quaternions import conjugate, product
from proxops.results.run import Run, Signal
from proxops.sim.orbit_reference import ORBIT

GREY = 7  # in the palette
ZERO = 1e-12  # of the SI unit: less is what rounding leaves of nothing
LITTLE = 0.1  # of its size: what changes by less is shown as a change
HALF_TURN = 180.0  # [deg]
MAX_BARS = 3000  # firings of one engine that are drawn one by one


@dataclass
class Drawn:
    """A section's figures, and what needs none: signals that never change, by name."""

    title: str
    figures: list[Figure] = field(default_factory=list)
    constant: list[tuple[str, str]] = field(default_factory=list)


def sections_of(run: Run) -> list[Drawn]:
    """Every signal of a run, each in one of the sections; those of the orbit beside a rehearsal are
    shown against it."""
    known = component_names(run)
    found = []
    own = [signal for signal in run.signals() if not signal.name.startswith(ORBIT)]
    for section, plots in claims(own):
        drawn = Drawn(section.title)
        for plot, signals in plots:
            if plot.together:
                _together(drawn, run, plot, signals)
                continue
            for signal in signals:
                _single(drawn, run, plot, signal, known)
        found.append(drawn)
    return found


def _single(
    drawn: Drawn, run: Run, plot: Plot, signal: Signal, known: Mapping[str, Sequence[str]]
) -> None:
    if plot.show == FIRINGS:
        _firings(drawn, run, plot, signal, known)
        return
    found = parts(run, signal, plot, known)
    for part in found:
        if steady(part.columns).all():
            if plot.show != TOTAL:  # the firings tell it
                drawn.constant.append(constant(plot, signal, part))
            continue
        made = figure(run, plot, signal, part)
        if len(found) > 1:
            made = replace(made, title=f"{made.title} [{part.unit}]")
        drawn.figures.append(made)


def constant(plot: Plot, signal: Signal, part: Part) -> tuple[str, str]:
    """Name and value of what never changes."""
    name = f"{signal.name} - {plot.less}" if plot.less else signal.name
    return name, value_of(plot, part, 0)


def value_of(plot: Plot, part: Part, row: int) -> str:
    """One sample as text, with its unit."""
    if not len(part.columns):
        return "no sample"
    unit, factor = shown_unit(part.unit, largest(part.columns), plot.unit)
    own = [i for i, name in enumerate(part.names) if name not in LENGTHS]
    sample = part.columns[row, own]
    values = [f"{factor * value:.4g}" for value in np.where(abs(sample) < ZERO, 0.0, sample)]
    tail = f" {unit}" if unit not in ("", "1") else ""
    text = values[0] if len(values) == 1 else f"({', '.join(values)})"
    return f"{text}{tail}{', rotation vector' if plot.show == TURN else ''}"


def figure(run: Run, plot: Plot, signal: Signal, part: Part) -> Figure:
    """The figure of a part of a signal."""
    t, name, caption = run.rows[:, 0], signal.name.rpartition(".")[2], ""
    if plot.show == TURN:
        caption = f"Rotation vector of {signal.name} ({signal.frame}), the shorter way round"
        name = f"turn {name}"
    elif plot.show == TOTAL:
        name = "sum of thrust"
    elif plot.less:
        name = f"{name} - {plot.less.rpartition('.')[2]}"
    frame = "" if plot.show == TURN else signal.frame
    shift = np.zeros(len(part.names))
    tumbles = plot.show == TURN and _tumbles(part)
    if tumbles:
        part = tumble_part(run[signal.name][1])
        name = f"angle turned, {signal.name.rpartition('.')[2]}"
        caption = (
            f"{signal.name} ({signal.frame}) turns by more than half a turn: angle turned since "
            "the start about the axes of the body, and along the way in all."
        )
    elif plot.change and _stays(part):
        start = f"starts at {value_of(plot, part, 0)}"
        caption = f"{caption}; {start}." if caption else f"{signal.name} {start}."
        part, shift = _from_start(run, plot, signal, part)
        name = f"change of {name}"
        if plot.show == TURN:
            frame = signal.frame.partition(" ")[0]
    elif caption:
        caption += ": axis times angle."
    unit, factor = shown_unit(part.unit, largest(part.columns), plot.unit)
    columns = factor * part.columns
    if plot.show == TURN and not tumbles:
        t, columns = broken(t, columns)
    curves = tuple(
        Curve(label, t, columns[:, i], colour=colour(part.names, i))
        for i, label in enumerate(part.names)
    )
    limits = [] if plot.less else limits_of(run).get(signal.name, [])
    near = levels(limits, part.numbers, part.columns, shift)
    far = far_text(of_columns(limits, part.numbers, shift), near, unit, factor)
    caption = " ".join(filter(None, (caption, far)))
    return Figure(
        title_of(plot, signal),
        axis_title(name, frame, unit),
        curves,
        caption=caption,
        levels=as_levels(near, factor),
    )


def colour(names: Sequence[str], i: int) -> int:
    """Grey for a length, and the components beside it from the first colour on."""
    if names[0] not in LENGTHS:
        return i
    return GREY if i == 0 else i - 1


def _stays(part: Part) -> bool:
    """Whether it changes by little of its size."""
    return bool(spread(part.columns).max(initial=0.0) < LITTLE * largest(part.columns))


def _from_start(run: Run, plot: Plot, signal: Signal, part: Part) -> tuple[Part, np.ndarray]:
    """The part as its change from the first row on, a turn's in the axes that turn; and what was
    subtracted."""
    if plot.show == TURN:
        q = run[signal.name][1]
        return turn_part(product(conjugate(q[:1]), q)), np.zeros(0)
    own = [i for i, name in enumerate(part.names) if name not in LENGTHS]
    start = part.columns[0, own]
    change = part._replace(
        names=tuple(part.names[i] for i in own),
        columns=part.columns[:, own] - start,
        numbers=tuple(part.numbers[i] for i in own),
    )
    return change, start


def _tumbles(part: Part) -> bool:
    """Whether a turn [rad] changes sides on its shorter way round."""
    jumps = np.linalg.norm(np.diff(part.columns[:, 1:], axis=0), axis=1)
    return bool((jumps > math.pi).any())


def broken(t: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Times and a turn [deg] with a gap wherever its shorter way round changes sides."""
    jumps = np.linalg.norm(np.diff(columns[:, 1:], axis=0), axis=1) > HALF_TURN
    at = np.flatnonzero(jumps) + 1
    return np.insert(t, at, t[at]), np.insert(columns, at, np.nan, axis=0)


def _together(drawn: Drawn, run: Run, plot: Plot, signals: Sequence[Signal]) -> None:
    """All signals, scalars of one unit, in one figure."""
    moving = []
    for signal in signals:
        (part,) = parts(run, signal, plot, {})
        if steady(part.columns).all():
            drawn.constant.append(constant(plot, signal, part))
        else:
            moving.append((signal, part._replace(names=(star(plot, signal).replace("_", " "),))))
    if not moving:
        return
    first, part = moving[0]
    joined = Part(
        part.unit,
        tuple(name for _, each in moving for name in each.names),
        np.column_stack([each.columns for _, each in moving]),
    )
    named = replace(first, name=plot.pattern.rstrip("_*"))
    drawn.figures.append(replace(figure(run, plot, named, joined), title=plot.title))


def _firings(
    drawn: Drawn, run: Run, plot: Plot, signal: Signal, known: Mapping[str, Sequence[str]]
) -> None:
    """When each engine burns: with more than half of its largest thrust."""
    t = run.rows[:, 0]
    (part,) = parts(run, signal, plot, known)
    bars, merged = [], False
    for i in range(part.columns.shape[1]):
        thrust = part.columns[:, i]
        on = thrust > 0.5 * np.max(thrust, initial=0.0, where=np.isfinite(thrust))
        intervals, some = _merged(_intervals(t, on))
        merged = merged or some
        bars.append(Curve(part.names[i], intervals, np.full(len(intervals), float(i)), BARS))
    caption = "On: more than half of the largest thrust that was recorded of the engine."
    if merged:
        caption += f" Pauses too short to be seen are closed, {MAX_BARS} bars an engine."
    drawn.figures.append(
        Figure(plot.title, "", tuple(bars), caption=caption, rows=part.names, wide=True)
    )


def _intervals(t: np.ndarray, on: np.ndarray) -> np.ndarray:
    """From when to when (n, 2) [s], to the next sample."""
    if not len(t):
        return np.zeros((0, 2))
    edges = np.flatnonzero(np.diff(np.concatenate([[0], on.astype(int), [0]])))
    return np.asarray(np.append(t, t[-1])[edges].reshape(-1, 2))


def _merged(intervals: np.ndarray) -> tuple[np.ndarray, bool]:
    """At most MAX_BARS of them, the shortest pauses closed; and whether any was."""
    if len(intervals) <= MAX_BARS:
        return intervals, False
    pauses = intervals[1:, 0] - intervals[:-1, 1]
    kept = np.sort(np.argsort(-pauses, kind="stable")[: MAX_BARS - 1])
    starts = np.concatenate([intervals[:1, 0], intervals[kept + 1, 0]])
    ends = np.concatenate([intervals[kept, 1], intervals[-1:, 1]])
    return np.column_stack([starts, ends]), True
