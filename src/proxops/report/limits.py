"""The limits of requirements as levels in the figures of the signals that they judge."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from pydantic import ValidationError

from proxops.core.plot import Level
from proxops.core.units import UNITS
from proxops.report.verdict_text import last_time
from proxops.results.run import Run
from proxops.scenario.schema.requirement import Requirement

WHOLE = -1  # number of the column that is the length of the others
MOMENTS = 0.05  # of the run, where a limit on its end is drawn
NEAR = 1.0  # of what the curves span: limits farther away would squash them


class Limit(NamedTuple):
    """A demand on a component, or on the length (WHOLE); None: on every component."""

    name: str
    component: int | None
    value: float  # SI
    both: bool  # holds for the magnitude
    window: tuple[float, float] | None  # when it holds [s]


def limits_of(run: Run) -> dict[str, list[Limit]]:
    """The limits by signal, as the run's scenario gives them."""
    found: dict[str, list[Limit]] = {}
    scenario = run.provenance.get("scenario")
    mission = scenario.get("mission") if isinstance(scenario, Mapping) else None
    demands = mission.get("requirements") if isinstance(mission, Mapping) else None
    for name, demand in (demands if isinstance(demands, Mapping) else {}).items():
        try:
            Requirement.model_validate(demand)
        except ValidationError:  # of another version, or damaged
            continue
        signal, limit, unit = (demand.get(key) for key in ("signal", "limit", "unit"))
        if signal is None or unit not in UNITS or not isinstance(limit, int | float):
            continue
        kind = str(demand.get("measure", "")).partition("-")[2]
        component = WHOLE if kind == "norm" else demand.get("component")
        value = limit * UNITS[unit][1]
        found.setdefault(signal, []).append(
            Limit(name, component, value, kind == "abs", _window(demand, run))
        )
    return found


def _window(demand: Mapping[str, Any], run: Run) -> tuple[float, float] | None:
    """When a demand holds [s]; the last moments for one on the end, None for always."""
    end = last_time(run)
    start, stop = (_edge(demand, edge, run, end) for edge in ("from", "to"))
    last = end if stop is None else min(float(stop), end)
    if str(demand.get("measure")).startswith("final"):
        return last - MOMENTS * end, last
    return None if start is None and stop is None else (float(start or 0.0), last)


def _edge(demand: Mapping[str, Any], edge: str, run: Run, end: float) -> float | None:
    """When a window starts or ends [s], by time or by event; at the end where that did not
    happen."""
    kind = demand.get(f"{edge}_event")
    if kind is None:
        return demand.get(f"{edge}_s")
    return next((event.t_s for event in run.events if event.name == kind), end)


def levels(
    limits: list[Limit], numbers: tuple[int, ...], columns: np.ndarray, shift: np.ndarray
) -> list[tuple[Limit, float]]:
    """Where limits lie [SI], as far as they are near the curves; `numbers` says which component
    each column is, `shift` (k,) what was subtracted from it."""
    sound = columns[np.isfinite(columns)]
    if not len(sound):
        return []
    low, high = float(sound.min()), float(sound.max())
    margin = NEAR * (high - low)
    found = []
    for limit in of_columns(limits, numbers, shift):
        offset = 0.0
        if limit.component is not None:
            offset = float(shift[numbers.index(limit.component)])
        for value in (limit.value, -limit.value) if limit.both else (limit.value,):
            if low - margin <= value - offset <= high + margin:
                found.append((limit, value - offset))
    return found


def of_columns(limits: list[Limit], numbers: tuple[int, ...], shift: np.ndarray) -> Iterator[Limit]:
    """The limits on what these columns show."""
    for each in limits:
        limit = each
        if limit.component == WHOLE and len(numbers) == 1:  # the length of one number
            limit = limit._replace(component=numbers[0], both=True)
        one_for_all = limit.component is None and not np.any(shift)  # from the same start
        if one_for_all or limit.component in numbers:
            yield limit


def far_text(
    limits: Iterable[Limit], near: list[tuple[Limit, float]], unit: str, factor: float
) -> str:
    """Which limits are too far off to be drawn, in the unit of the figure."""
    drawn = {limit.name for limit, _ in near}
    far = [
        f"{each.name}, {factor * each.value:.4g} {unit}"
        for each in limits
        if each.name not in drawn
    ]
    return " ".join(f"Limit {text}, is beyond the plot." for text in far)


def as_levels(found: list[tuple[Limit, float]], factor: float) -> tuple[Level, ...]:
    """In the unit of the figure, by `factor`."""
    return tuple(
        Level(f"limit {limit.name}", factor * value, limit.window) for limit, value in found
    )
