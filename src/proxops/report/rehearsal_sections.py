"""What the report of a rehearsal has more: orbit against laboratory, axes, what the guard did."""

from dataclasses import replace
from html import escape

import numpy as np

from proxops.core.link_statistics import HEADS
from proxops.core.plot import BARS, TICKS, Curve, Figure, Level
from proxops.facility.common.guard import table as guarding
from proxops.report.curves import component_names
from proxops.report.flight_section import add_flight, is_flight
from proxops.report.page import Page
from proxops.report.pairs import overlaid
from proxops.report.plan import TURN, claims
from proxops.report.sections import GREY
from proxops.report.tables import number, table
from proxops.report.verdict_text import last_time
from proxops.results.axis_use import ROBOTS, AxisUse, axes_of
from proxops.results.fidelity import compared_part, mock_ups_show
from proxops.results.run import Event, Run, Signal
from proxops.sim.orbit_reference import orbit_of

GUARD = "lab.guard.mode"
SHOWN = ("lab.p_LTl", "lab.p_LCl", "lab.q_LCl", "relative.p_CT")
# Words for the guard's modes, and their places in the palette
MODES = {
    guarding.RUNNING: ("running", 2),
    guarding.BRAKING: ("braking", 4),
    guarding.STOPPED: ("stopped", 1),
}
UNKNOWN = -1  # mode of a run that broke down
LISTED = 40  # of the guard's actions
NAMES = ("orbit", "lab")


def add_fidelity_note(page: Page, run: Run) -> None:
    """Says how much of the mission was compared, where it was not all of it."""
    part = compared_part(run)
    if part:
        page.add(
            f"<p><strong>{part.capitalize()}</strong>: then no robot reproduces the models.</p>"
        )


def add_rehearsal(page: Page, run: Run) -> None:
    """The sections of a rehearsal; those that the recording does not have are left out."""
    _orbit_and_lab(page, run)
    add_flight(page, run)
    _axes(page, axes_of(run), run.rows[:, 0])
    _guard(page, run)
    _states(page, run)


def _states(page: Page, run: Run) -> None:
    """What the facility did before, during and after."""
    if not run.procedure:
        return
    page.heading("Facility")
    rows = [
        (
            escape(state.name),
            f"{state.start_s:.2f}",
            f"{state.lasts_s:.2f}",
            f"{1e3 * state.clearance_m:.0f}",
            escape(state.between),
            escape(state.verdict),
        )
        for state in run.procedure
    ]
    heads = ("state", "at [s]", "lasts [s]", "clear [mm]", "between", "verdict")
    page.add(table(heads, rows, numbers=(1, 2, 3), words=(4, 5)))
    page.add('<p class="caption">In seconds of the facility.</p>')
    if run.links:
        page.add("<p>Frames over the link to each vehicle:</p>")
        cells = [tuple(map(escape, link.cells)) for link in run.links]
        page.add(table(HEADS, cells, numbers=range(1, len(HEADS))))


def _orbit_and_lab(page: Page, run: Run) -> None:
    """Every signal that was recorded of both, overlaid and as a difference."""
    orbit = orbit_of(run)
    if orbit is None or not len(run.rows):
        return
    page.heading("Orbit compared with laboratory")
    page.add(
        '<p class="soft">Orbit solid, rehearsal dashed; beside it the rehearsal less the orbit, '
        "at equal times. Changes of positions are from where they start in orbit.</p>"
    )
    known, theirs = component_names(run), {signal.name: signal for signal in run.signals()}
    both = [signal for signal in orbit.signals() if theirs.get(signal.name) == signal]
    figures: list[Figure] = []
    same = []
    for _, plots in claims(both):
        for plot, signals in plots:
            for signal in signals:
                pair, shown = (orbit, run), signal
                if plot.change and plot.show != TURN:
                    pair, shown = _from_start(orbit, run, signal)
                made = overlaid(pair, plot, shown, known, NAMES)
                figures += made
                if not made:
                    same.append(signal.name)
    page.figures([*figures, *_mock_ups(run)])
    if same:
        page.add(f'<p class="soft">The same in both: {escape(", ".join(same))}.</p>')


def _from_start(orbit: Run, run: Run, signal: Signal) -> tuple[tuple[Run, Run], Signal]:
    """Both runs with that signal alone, less where it starts in orbit."""
    before, _, name = signal.name.rpartition(".")
    change = replace(signal, name=f"{before}.change of {name}")
    start = orbit[signal.name][1][0]
    one, other = (
        replace(run, table=(change,), rows=np.column_stack([run.rows[:, 0], samples - start]))
        for samples in (orbit[signal.name][1], run[signal.name][1])
    )
    return (one, other), change


def _mock_ups(run: Run) -> list[Figure]:
    """How far the mock-ups are from where the models have them."""
    if not set(run).issuperset(SHOWN) or is_flight(run):
        return []
    t, p_CT, seen = mock_ups_show(run)
    off = 1e3 * (seen - p_CT)
    curves = [Curve(name, t, off[:, i], colour=i) for i, name in enumerate("xyz")]
    return [
        Figure(
            "Mock-ups compared with models",
            "p_CT, reproduced less modelled [mm]",
            tuple(curves),
            caption="Effect of the robots' delay and lag on the relative position.",
            wide=True,
        )
    ]


def _axes(page: Page, axes: list[AxisUse], t: np.ndarray) -> None:
    if not axes:
        return
    page.heading("Axes of the robots")
    rows = [
        (
            f"{axis.robot}'s, {axis.number}",
            number(np.degrees(axis.least), ".1f"),
            number(axis.at_s, ".2f"),
            number(100.0 * axis.margin, ".0f"),
            _range(axis.q.min(), axis.q.max(), ".1f"),
            _range(axis.lower, axis.upper, ".0f"),
            number(100.0 * axis.fastest, ".1f"),
        )
        for axis in axes
    ]
    heads = ("axis", "left [deg]", "at [s]", "left [%]", "came from, to [deg]", "limits [deg]",
             "speed [%]")  # fmt: skip
    page.add(
        '<p class="soft">Nearest to a limit first: what was left at least, also of half the range '
        "(100 % in its middle), and the largest speed, of its limit.</p>"
    )
    page.add(table(heads, rows, numbers=range(1, len(heads))))
    for robot in ROBOTS:
        own = [axis for axis in axes if axis.robot == robot]
        places = [(axis, 100.0 * axis.share) for axis in own]
        speeds = [(axis, 100.0 * axis.qd / axis.speed) for axis in own]
        title = f"Axes of the {robot}'s robot"
        page.figures(
            [
                _of_limits(f"{title} in their ranges", "of the range [%]", t, places, (0.0, 100.0)),
                _of_limits(f"Speeds: {title.lower()}", "of the limit [%]", t, speeds, ()),
            ]
        )


def _range(low: float, high: float, form: str) -> str:
    return f"{number(np.degrees(low), form)} … {number(np.degrees(high), form)}"


def _of_limits(
    title: str,
    y: str,
    t: np.ndarray,
    curves: list[tuple[AxisUse, np.ndarray]],
    limits: tuple[float, ...],
) -> Figure:
    return Figure(
        title,
        y,
        tuple(
            Curve(f"axis {axis.number}", t, values, colour=axis.number - 1)
            for axis, values in curves
        ),
        levels=tuple(Level("limits", limit) for limit in limits),
    )


def _guard(page: Page, run: Run) -> None:
    """What the guard did, when and why."""
    if GUARD not in set(run) or not len(run.rows):
        return
    acts = [event for event in run.events if event.name == "guard"]
    spans = _modes(run)
    page.heading("Guard")
    page.figures([_bars(spans, acts)])
    if not acts:
        page.add("<p>It passed every command.</p>")
        return
    rows = [(f"{event.t_s:.4f}", escape(event.detail)) for event in acts[:LISTED]]
    page.add(table(("time [s]", "reason"), rows, numbers=(0,), words=(1,)))
    if len(acts) > LISTED:
        page.add(f'<p class="soft">{len(acts) - LISTED} more are not listed.</p>')
    lasted = [
        (_word(mode), f"{start:.3f}", f"{end:.3f}", f"{end - start:.3f}")
        for mode, start, end in spans[:LISTED]
    ]
    page.add(table(("guard", "from [s]", "to [s]", "for [s]"), lasted, numbers=(1, 2, 3)))


def _modes(run: Run) -> list[tuple[int, float, float]]:
    """The guard's modes in turn, each with the times from and to which rows have it [s]."""
    t, mode = run[GUARD]
    mode = np.where(np.isfinite(mode), mode, UNKNOWN)
    changes = np.flatnonzero(np.diff(mode)) + 1
    starts = [0, *changes.tolist()]
    ends = [*t[changes].tolist(), last_time(run)]
    return [(int(mode[i]), float(t[i]), end) for i, end in zip(starts, ends, strict=True)]


def _word(mode: int) -> str:
    return MODES[mode][0] if mode in MODES else f"mode {mode}"


def _bars(spans: list[tuple[int, float, float]], acts: list[Event]) -> Figure:
    """The guard's modes as bars, its actions as strokes."""
    curves, rows = [], ["guard"]
    for mode in dict.fromkeys(mode for mode, _, _ in spans):
        own = np.array([(start, end) for each, start, end in spans if each == mode])
        words = (_word(mode),) * len(own)
        colour = MODES[mode][1] if mode in MODES else GREY
        curves.append(Curve(_word(mode), own, np.zeros(len(own)), BARS, colour, words))
    if acts:
        times = np.array([event.t_s for event in acts])
        notes = tuple(f"{event.t_s:.4f} s: {event.detail}" for event in acts)
        curves.append(Curve("actions", times, np.ones(len(times)), TICKS, 1, notes))
        rows.append(f"actions × {len(acts)}")
    return Figure("", "", tuple(curves), rows=tuple(rows), wide=True)
