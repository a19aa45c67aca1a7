"""When phases begin and end, and what happens at instants."""

from collections import Counter
from html import escape

import numpy as np

from proxops.core.plot import BARS, TICKS, Curve, Figure
from proxops.onboard.functions.capture.modes import MODES
from proxops.report.burns import DELTA_V
from proxops.report.tables import number, table
from proxops.results.modes import modes
from proxops.results.run import Event, Run

DRAWN_ONE_BY_ONE = 300  # events of a kind; more are gathered in as many stretches of time
LISTED = 12  # of a kind, in the table
RARE = 8  # events of a kind that are also marked in the plots
FEW = 20  # lines of a table that is shown open


def happened(run: Run) -> list[Event]:
    """The events that are not just the begin of a phase."""
    return [event for event in run.events if event.name != "phase"]


def rare_instants(run: Run) -> list[float]:
    """Times of events of the kinds that came a few times only [s]."""
    counts = Counter(event.name for event in happened(run))
    rare = (e.t_s for e in happened(run) if counts[e.name] <= RARE and e.name != "warning")
    return sorted(set(rare))


def timeline(run: Run) -> Figure:
    """Phases and modes as bars, and a row of strokes for each kind of event."""
    rows: list[str] = []
    curves: list[Curve] = []
    for name, spans in (("phases", run.phases), ("modes", modes(run))):
        if spans:
            edges = np.array([[span.start_s, span.end_s] for span in spans])
            names = tuple(span.name for span in spans)
            where = np.full(len(edges), float(len(rows)))
            curves.append(Curve(name, edges, where, BARS, len(rows), names))
            rows.append(name)
    kinds: dict[str, list[Event]] = {}
    for event in happened(run):
        if event.name not in MODES:
            kinds.setdefault(event.name, []).append(event)
    gathered = False
    for kind, events in kinds.items():
        times, notes = _strokes(events)
        gathered = gathered or len(events) > DRAWN_ONE_BY_ONE
        where = np.full(len(times), float(len(rows)))
        curves.append(Curve(kind, times, where, TICKS, len(rows), notes))
        rows.append(f"{kind} × {len(events)}")
    said = []
    if len(run.phases) > 1:
        said.append("Every other phase is shaded in the plots.")
    if rare_instants(run):
        said.append("Rare events are dotted lines in the plots.")
    if gathered:
        said.append(
            f"Of kinds with more than {DRAWN_ONE_BY_ONE} events, one mark stands for all those "
            f"in 1/{DRAWN_ONE_BY_ONE} of the time; point at it for their count."
        )
    return Figure("", "", tuple(curves), caption=" ".join(said), rows=tuple(rows), wide=True)


def _strokes(events: list[Event]) -> tuple[np.ndarray, tuple[str, ...]]:
    """Where to draw strokes for events of one kind [s], and what each stands for."""
    times = np.array([event.t_s for event in events])
    if len(times) <= DRAWN_ONE_BY_ONE:
        return times, tuple(f"{event.t_s:.6g} s: {event.detail}" for event in events)
    edges = np.linspace(times.min(), times.max(), DRAWN_ONE_BY_ONE + 1)
    counts, _ = np.histogram(times, edges)
    middles = 0.5 * (edges[:-1] + edges[1:])
    notes = tuple(
        f"{count} {events[0].name} from {start:.6g} to {end:.6g} s"
        for count, start, end in zip(counts, edges[:-1], edges[1:], strict=True)
        if count
    )
    return middles[counts > 0], notes


def event_table(run: Run) -> str:
    """The first events of each kind, and how many more there were."""
    counts: Counter[str] = Counter()
    rows = []
    for event in happened(run):
        counts[event.kind] += 1
        if counts[event.kind] <= LISTED:
            rows.append((f"{event.t_s:.4f}", escape(event.name), escape(event.detail)))
    if not rows:
        return '<p class="soft">No events except the start of phases.</p>'
    listed = table(("time [s]", "event", "what"), rows, numbers=(0,))
    left = [f"{n - LISTED} more {kind}" for kind, n in counts.items() if n > LISTED]
    more = f'<p class="soft">Not listed: {escape(", ".join(left))}.</p>' if left else ""
    if len(rows) <= FEW:
        return listed + more
    summary = f"<summary>{len(rows)} of {counts.total()} events</summary>"
    return f"<details>{summary}{listed}{more}</details>"


def phase_table(run: Run) -> str:
    """From when to when each phase, or leg of a plan, lasted, and its delta-v where that is
    booked."""
    rows = [[escape(p.name), f"{p.start_s:g}", f"{p.end_s:g}"] for p in run.phases]
    heads = ["phase", "from [s]", "to [s]"]
    if DELTA_V in run and len(run.rows):
        heads.append("delta-v [mm/s]")
        t, spent = run[DELTA_V]
        for row, phase in zip(rows, run.phases, strict=True):
            first, last = np.interp((phase.start_s, phase.end_s), t, spent.ravel())
            row.append(number(1e3 * (last - first)))
    return table(heads, rows, numbers=range(1, len(heads)))
