"""What the report of a rehearsal has more: orbit against laboratory, axes, what the guard did."""

from html import escape

import numpy as np

from proxops.analysis.alongside import orbit_of
from proxops.analysis.axis_use import ROBOTS, AxisUse, axes_of
from proxops.analysis.fidelity import compared_until, mock_ups_show
from proxops.core.figure import BARS, TICKS, Curve, Figure, Level
from proxops.facility.guard import table as guarding
from proxops.report.curves import component_names
from proxops.report.page import Page
from proxops.report.pairs import overlaid
from proxops.report.plan import claims
from proxops.report.tables import number, table
from proxops.report.words import last_time, planned_end
from proxops.run import Event, Run

GUARD = "lab.guard.mode"
SHOWN = ("lab.p_LTl", "lab.p_LCl", "lab.q_LCl", "relative.p_CT")
MODES = {guarding.RUNNING: "running", guarding.BRAKING: "braking", guarding.STOPPED: "stopped"}
LISTED = 40  # of the guard's actions
NAMES = ("orbit", "lab")


def add_fidelity_note(page: Page, run: Run) -> None:
    """Says how much of the mission was compared, where it was not all of it."""
    end = planned_end(run)
    until = compared_until(run)
    if end is not None and until < end - 1e-6:
        page.add(
            f"<p><strong>Compared from 0 to {until:.4g} s of {end:g} s</strong>: after that the "
            "models are not shown any more.</p>"
        )


def add_rehearsal(page: Page, run: Run) -> None:
    """The sections of a rehearsal; those that the recording does not tell are left out."""
    _orbit_and_lab(page, run)
    _axes(page, axes_of(run), run.rows[:, 0])
    _guard(page, run)


def _orbit_and_lab(page: Page, run: Run) -> None:
    """Every signal that was recorded of both, overlaid and as a difference."""
    orbit = orbit_of(run)
    if orbit is None or not len(run.rows):
        return
    page.heading("Orbit against laboratory")
    page.add(
        '<p class="soft">Orbit solid, rehearsal dashed; beside it the rehearsal less the orbit, '
        "at equal times.</p>"
    )
    known, theirs = component_names(run), {signal.name: signal for signal in run.signals()}
    both = [signal for signal in orbit.signals() if theirs.get(signal.name) == signal]
    figures: list[Figure] = []
    same = []
    for _, plots in claims(both):
        for plot, signals in plots:
            for signal in signals:
                made = overlaid((orbit, run), plot, signal, known, NAMES)
                figures += made
                if not made:
                    same.append(signal.name)
    page.figures([*figures, *_mock_ups(run)])
    if same:
        page.add(f'<p class="soft">The same in both: {escape(", ".join(same))}.</p>')


def _mock_ups(run: Run) -> list[Figure]:
    """How far the mock-ups are from where the models have them."""
    if not set(run).issuperset(SHOWN):
        return []
    t, p_CT, seen = mock_ups_show(run)
    off = 1e3 * (seen - p_CT)
    curves = [Curve(name, t, off[:, i], colour=i) for i, name in enumerate("xyz")]
    return [
        Figure(
            "Mock-ups against models",
            "target from chaser, shown less modelled, in C [mm]",
            tuple(curves),
            caption="What delay and lag of the robots make of the relative position.",
            wide=True,
        )
    ]


def _axes(page: Page, axes: list[AxisUse], t: np.ndarray) -> None:
    if not axes:
        return
    page.heading("Axes of the robots")
    rows = [
        (
            f"{axis.robot}'s robot, axis {axis.number}",
            number(np.degrees(axis.least), ".1f"),
            number(axis.at_s, ".2f"),
            number(100.0 * axis.margin, ".0f"),
            number(np.degrees(axis.q.min()), ".1f"),
            number(np.degrees(axis.q.max()), ".1f"),
            number(np.degrees(axis.lower), ".0f"),
            number(np.degrees(axis.upper), ".0f"),
            number(100.0 * axis.fastest, ".1f"),
        )
        for axis in axes
    ]
    heads = ("axis", "least left [deg]", "at [s]", "of half the range [%]", "from [deg]",
             "to [deg]", "lower limit", "upper limit", "fastest, of its limit [%]")  # fmt: skip
    page.add('<p class="soft">Nearest to a limit first.</p>')
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
    if GUARD not in set(run):
        return
    acts = [event for event in run.events if event.name == "guard"]
    page.heading("Guard")
    page.figures([_modes(run, acts)])
    if not acts:
        page.add("<p>It let every command through.</p>")
        return
    rows = [(f"{event.t_s:.4f}", escape(event.detail)) for event in acts[:LISTED]]
    page.add(table(("time [s]", "why it acted"), rows, numbers=(0,), words=(1,)))
    if len(acts) > LISTED:
        page.add(f'<p class="soft">{len(acts) - LISTED} more are not listed.</p>')


def _modes(run: Run, acts: list[Event]) -> Figure:
    """The guard's modes as bars, its actions as strokes."""
    t, mode = run[GUARD]
    changes = np.flatnonzero(np.diff(mode)) + 1
    starts = np.concatenate([[0], changes]).astype(int)[: len(t)]
    ends = np.append(t[changes], last_time(run))[: len(starts)]
    spans = np.column_stack([t[starts], ends])
    words = tuple(MODES.get(int(mode[start]), f"mode {mode[start]:g}") for start in starts)
    notes = tuple(f"{event.t_s:.4f} s: {event.detail}" for event in acts)
    curves = [Curve("guard", spans, np.zeros(len(spans)), BARS, 0, words)]
    rows = ["guard"]
    if acts:
        times = np.array([event.t_s for event in acts])
        curves.append(Curve("actions", times, np.ones(len(times)), TICKS, 1, notes))
        rows.append(f"actions × {len(acts)}")
    return Figure("", "", tuple(curves), rows=tuple(rows), wide=True)
