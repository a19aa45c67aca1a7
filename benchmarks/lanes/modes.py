"""How long the cases of a group are in different modes: what lanes cannot share."""

from collections.abc import Sequence

import numpy as np

import proxops
from proxops.results.run import Event, Run

CLOSES = ("touch-down", "hold-closes")
OPENS = ("lift-off", "hold-opens")
SOFTWARE = ("synchronise", "approach", "grasp", "rigidise", "retreat", "abort")


def switch_times(run: Run) -> list[float]:
    """When contacts and holds of a run switched [s]."""
    return [each.t_s for each in run.events if each.name in CLOSES + OPENS]


def contact_sets(run: Run, instants: np.ndarray) -> list[frozenset[str]]:
    """What is closed in a run at each of the instants [s]."""
    events = [each for each in run.events if each.name in CLOSES + OPENS]
    return _followed(events, instants)


def _followed(events: Sequence[Event], instants: np.ndarray) -> list[frozenset[str]]:
    closed: set[str] = set()
    left, found = sorted(events, key=lambda each: each.t_s), []
    for t in instants:
        while left and left[0].t_s <= t:
            event = left.pop(0)
            (closed.add if event.name in CLOSES else closed.discard)(event.detail)
        found.append(frozenset(closed))
    return found


def software_modes(run: Run, instants: np.ndarray) -> list[str]:
    """The capture's mode in a run at each of the instants [s]."""
    left = [each for each in run.events if each.name in SOFTWARE]
    mode, found = "", []
    for t in instants:
        while left and left[0].t_s <= t:
            mode = left.pop(0).name
        found.append(mode)
    return found


def shares(mission: str, groups: int, width: int) -> dict[str, float]:
    """Shares of control ticks [-] in which cases of a group, of consecutive seeds, differ in what
    is closed, differ in the software's mode, and in which any of them switches a contact."""
    scenario = proxops.load(mission)
    period = 1.0 / scenario.mission.time.control_rate_hz
    instants = np.arange(0.0, scenario.mission.time.duration_s, period)
    apart = {"contacts": 0, "modes": 0, "switches": 0, "closed": 0}
    for group in range(groups):
        runs = [
            proxops.simulate(scenario.dispersed(seed))
            for seed in range(group * width, (group + 1) * width)
        ]
        closed = [contact_sets(each, instants) for each in runs]
        modes = [software_modes(each, instants) for each in runs]
        apart["contacts"] += sum(len(set(each)) > 1 for each in zip(*closed, strict=True))
        apart["closed"] += sum(any(each) for each in zip(*closed, strict=True))
        apart["modes"] += sum(len(set(each)) > 1 for each in zip(*modes, strict=True))
        ticks = {int(t / period) for run in runs for t in switch_times(run)}
        apart["switches"] += len(ticks)
    return {name: count / (groups * len(instants)) for name, count in apart.items()}
