"""Requirements against a run: whether they can be asked, their values and verdicts."""

import numpy as np

from proxops.core.errors import InputError
from proxops.core.text import nearest
from proxops.core.units import UNITS
from proxops.results.run import HOLD_EVENTS, Requirement, Run, Signal
from proxops.scenario.load import Scenario
from proxops.scenario.problems import shown_path
from proxops.scenario.schema import Requirement as Demand
from proxops.scenario.schema.requirement import ending_problems, event_problems

_Window = tuple[float, float]  # from, to [s]


def check_demands(scenario: Scenario, table: tuple[Signal, ...]) -> None:
    """Rejects requirements on signals, components, units or events that this scenario does not
    have."""
    time, controller = scenario.mission.time, scenario.mission.obsw.controller
    known = {signal.name: signal for signal in table}
    functions = scenario.extensions.functions
    flown = (functions[name] for name in scenario.mission.obsw.functions if name in functions)
    modes = [str(mode) for each in flown for mode in getattr(each, "modes", ())]
    plan = scenario.mission.obsw.plan
    legs = list(plan.legs) if plan else list(time.phase_ends_s)
    modes += list(plan.legs) if plan else []
    modes += [f"{kind}:{hold}" for hold in scenario.mission.holds for kind in HOLD_EVENTS]
    ending = ending_problems(time.ends_on, controller, modes)
    problems = [f"time.ends_on: {text}" for text in ending]
    for name, demand in scenario.mission.requirements.items():
        where = f"requirements.{name}"
        unknown = event_problems(demand, controller, modes)
        problems += [f"{where}.{shown_path(path)}: {text}" for path, text in unknown]
        if demand.during is not None and demand.during not in legs:
            problems.append(
                f"{where}.during: unknown {demand.during!r}{nearest(demand.during, legs)}"
            )
        if demand.signal is None:
            fits = "1" if demand.measure == "count" else "s"
            if demand.unit != fits:
                text = f"{demand.unit!r} does not fit a {demand.measure}; possible: {fits}"
                problems.append(f"{where}.unit: {text}")
            continue
        signal = known.get(demand.signal)
        if signal is None:
            problems.append(
                f"{where}.signal: unknown {demand.signal!r}{nearest(demand.signal, known)}"
            )
            continue
        if demand.component is not None and demand.component >= signal.width:
            problems.append(
                f"{where}.component: {demand.component}, but {signal.name} has {signal.width}"
            )
            continue
        units = signal.unit.split(",")  # one for all components, or one for each
        if len(units) > 1 and demand.component is None:
            problems.append(f"{where}.component: needed, since {signal.name} has [{signal.unit}]")
            continue
        own = units[demand.component or 0] if len(units) > 1 else signal.unit
        if demand.unit not in UNITS or UNITS[demand.unit][0] != own:
            possible = [unit for unit, (si, _) in UNITS.items() if si == own]
            problems.append(
                f"{where}.unit: {demand.unit!r} does not fit {signal.name} [{own}]; "
                f"possible: {', '.join(possible) or own}"
            )
        if demand.measure in ("max", "min", "final") and demand.component is None and signal.shape:
            problems.append(
                f"{where}.measure: {demand.measure!r} needs a component, since {signal.name} "
                f"has {signal.width}; or use {demand.measure}-norm"
            )
    if problems:
        raise InputError(f"{scenario.name}:\n  " + "\n  ".join(problems))


def measure(run: Run, name: str, demand: Demand, complete: bool) -> Requirement:
    """A requirement's value and verdict.  In a run that ended early, a window that was not seen
    whole can still fail, but not pass; where an event ended the mission, that is one that was to
    go on longer."""
    windows = _windows(run, demand)
    if not windows or not _has_rows(run, windows):
        return not_reached(name, demand)
    end, stop = float(run.rows[-1, 0]), windows[-1][1]
    planned = run.planned_end if stop < np.inf else None  # None: the end, whenever it comes
    ends_early = planned is not None and end < min(stop, planned) - 1e-9
    seen_whole = (complete and not ends_early) or end >= stop
    if demand.measure.startswith("final") and not seen_whole:
        return not_reached(name, demand)
    if demand.signal is None:
        happened = [event for event in run.events if event.fits(demand.event or "")]
        times = [event.t_s for event in happened if any(a <= event.t_s <= b for a, b in windows)]
        if demand.measure == "time" and not times:
            return not_reached(name, demand)
        value = times[0] if demand.measure == "time" else float(len(times))
    else:
        value = _value(run, demand.signal, demand, windows) / UNITS[demand.unit][1]
    margin = demand.limit - value if demand.comparison == "<=" else value - demand.limit
    status = "failed" if not margin >= 0.0 else "passed" if seen_whole else "not-reached"
    return Requirement(name, value, demand.comparison, demand.limit, demand.unit, margin, status)


def _windows(run: Run, demand: Demand) -> list[_Window]:
    """Stretches of time that a requirement is about [s]; none where they never came.  A leg that
    was flown more than once counts each time."""
    if demand.during is not None:
        legs = [each for each in run.phases if each.name == demand.during]
        return [(each.start_s, each.end_s) for each in legs]
    start = _edge(run, demand.from_s, demand.from_event, -np.inf)
    stop = _edge(run, demand.to_s, demand.to_event, np.inf)
    return [] if start is None or stop is None else [(start, stop)]


def _edge(run: Run, time: float | None, kind: str | None, default: float) -> float | None:
    """When a window starts or ends [s]; None for an event that did not happen."""
    if kind is None:
        return default if time is None else time
    return next((event.t_s for event in run.events if event.fits(kind)), None)


def not_reached(name: str, demand: Demand) -> Requirement:
    return Requirement(
        name, None, demand.comparison, demand.limit, demand.unit, None, "not-reached"
    )


def _inside(t: np.ndarray, windows: list[_Window]) -> np.ndarray:
    """Which rows are in one of the windows."""
    inside = np.zeros(t.shape, dtype=bool)
    for start, stop in windows:
        inside |= (t >= start - 1e-9) & (t <= stop + 1e-9)
    return inside


def _has_rows(run: Run, windows: list[_Window]) -> bool:
    return any(_inside(t, windows).any() for (t,) in run.blocks())


def _value(run: Run, signal: str, demand: Demand, windows: list[_Window]) -> float:
    """What is measured of a signal in the rows of its windows, in its own unit.  Where peaks since
    the row before are recorded, the greatest magnitude is theirs, but for the first row: what
    peaked before it may have been outside the window.  Rows are read some at a time."""
    peaks_of = f"{signal}_peak"
    names = [signal, peaks_of] if peaks_of in run else [signal]
    found: float | None = None
    for t, values, *peaks in run.blocks(*names):
        when = _inside(t, windows)
        if not when.any():
            continue
        new = _reduce(demand.measure, _component(values[when], demand))
        for each in peaks:
            of_peaks = "max-abs" if each.shape[1] == values.shape[1] else "max-norm"
            if demand.measure == of_peaks:
                counted = each[when][1 if found is None else 0 :]
                new = max(new, float(_component(counted, demand).max(initial=0.0)))
        found = new if found is None else _joined(demand.measure, found, new)
    assert found is not None  # the window has rows
    return found


def _joined(kind: str, before: float, after: float) -> float:
    """What is measured of two stretches, one after the other."""
    if kind.startswith("final"):
        return after
    of = np.maximum if kind.startswith(("max", "highest")) else np.minimum
    return float(of(before, after))


def _component(values: np.ndarray, demand: Demand) -> np.ndarray:
    return values if demand.component is None else values[:, [demand.component]]


def _reduce(kind: str, values: np.ndarray) -> float:
    if kind in ("highest", "lowest"):
        return float(values.max() if kind == "highest" else values.min())
    over_time, _, of = kind.partition("-")
    series = np.linalg.norm(values, axis=1) if of == "norm" else np.abs(values).max(axis=1)
    if not of:
        series = values[:, 0]
    if over_time == "final":
        return float(series[-1])
    return float(series.max() if over_time == "max" else series.min())
