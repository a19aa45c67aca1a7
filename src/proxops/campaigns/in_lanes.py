"""Cases of a campaign that one worker flies at once, in SIMD lanes."""

import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from proxops.campaigns.ask import Ask
from proxops.campaigns.case import flown, rejected
from proxops.campaigns.prepared import Prepared
from proxops.core.errors import InputError, ProxopsError
from proxops.scenario.load import Scenario
from proxops.sim.lanes.flight import Case, Flight


@lru_cache(maxsize=1)
def _flight(lanes: int) -> Flight:
    """A worker flies one job: its memory serves all groups."""
    return Flight(lanes)


def fly_together(prepared: Prepared, asks: Sequence[Ask]) -> list[dict[str, Any]]:
    """The cases as plain data, with their shares of what they took; what cannot be drawn or cannot
    begin says so."""
    assert prepared.lanes is not None
    wall, cpu = time.perf_counter(), time.process_time()
    answers: dict[int, dict[str, Any]] = {}
    ready: list[tuple[Ask, Scenario, Case]] = []
    for ask in asks:
        try:
            case = ask.case_of(prepared.scenario)
        except InputError as error:
            answers[ask.seed] = {"seed": ask.seed, "impossible": str(error)}
            continue
        try:
            ready.append((ask, case, Case(case)))
        except ProxopsError as error:
            answers[ask.seed] = rejected(case, error)
    if ready:
        runs = _flight(prepared.lanes).fly([each for _, _, each in ready])
        for (ask, case, _), run in zip(ready, runs, strict=True):
            answers[ask.seed] = flown(case, run)
    took = {"wall_s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}
    timing = {name: seconds / len(asks) for name, seconds in took.items()}
    return [
        answers[ask.seed] | ({} if "impossible" in answers[ask.seed] else {"timing": timing})
        for ask in asks
    ]
