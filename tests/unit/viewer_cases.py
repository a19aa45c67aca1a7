"""Short runs to look at."""

from dataclasses import replace
from functools import cache

import proxops
from proxops.results.run import Run

# Kernels are compiled for every test anyway; a few hundred steps take no time.
CHANGES = {"requirements": {}}


@cache
def short_run(name: str, duration: float = 1.0, rate: float = 50.0) -> Run:
    """The begin of a shipped mission, in one phase."""
    scenario = proxops.load(name)
    flown = scenario.mission.time
    steps = [each.step_s for each in (flown.phases or flown.paces).values()]
    step = steps[0] if flown.phases else min(steps)
    time = {
        "duration_s": duration,
        "control_rate_hz": 1.0 / step,
        "record_rate_hz": rate,
        "phases": {"only": {"until_s": duration, "step_s": step}},
    }
    return proxops.simulate(scenario.replace(CHANGES | {"time": time}))


def titled(run: Run, title: str) -> Run:
    """The same run of a mission with another title."""
    scenario = run.provenance["scenario"]
    mission = scenario["mission"] | {"title": title}
    return replace(run, provenance=run.provenance | {"scenario": scenario | {"mission": mission}})
