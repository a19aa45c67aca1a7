"""Flies a campaign to its end, or until it is stopped."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from proxops.campaigns.case_store import open_case_store
from proxops.campaigns.job import Job
from proxops.campaigns.pool import fly_cases
from proxops.campaigns.result import Campaign
from proxops.campaigns.stored import request_of
from proxops.core.errors import InputError
from proxops.core.jit import is_warm
from proxops.scenario.dispersion import integer_seed

MAX_CASES = 1_000_000


def fly(
    job: Job,
    seeds: Iterable[int],
    *,
    workers: int | None = None,
    at_least: float = 1.0,
    out: str | os.PathLike[str] | None = None,
    kernels: str = "run",
    report: Callable[[int, int, int], None] = lambda done, passed, asked: None,
    stop: Callable[[], bool] = lambda: False,
) -> Campaign:
    """The campaign, its cases in the order of the seeds whatever the number of workers.

    `report` gets how many cases are done, have passed and are asked for.  Cases that the folder
    `out` has already are not flown again, but for those of which the workers have died.
    """
    asked = _checked(seeds)
    if workers is not None and workers < 1:
        raise InputError(f"workers: must be 1 or more, found {workers}")
    if not 0.0 <= at_least <= 1.0:
        raise InputError(f"at_least: must be a share from 0 to 1, found {at_least:g}")
    request = request_of(job.title, asked, at_least)
    with open_case_store(out, job, request) as store:
        store.forget("crashed")
        todo = [seed for seed in asked if seed not in store.done]
        passed = sum(store.done[seed]["passed"] for seed in asked if seed in store.done)
        done = len(asked) - len(todo)
        report(done, passed, len(asked))
        count = min(workers or _cores(), len(todo))
        for case in fly_cases(job, todo, count, not is_warm(kernels), stop):
            if "impossible" in case:
                raise InputError(case["impossible"])
            store.add(case)
            done, passed = done + 1, passed + case["passed"]
            report(done, passed, len(asked))
    cases = tuple(store.done[seed] for seed in asked if seed in store.done)
    folder = None if out is None else Path(out)
    return Campaign(job.title, cases, len(asked), at_least, folder, job.to_dict())


def _checked(seeds: Iterable[int]) -> list[int]:
    asked: dict[int, None] = {}
    for seed in seeds:
        asked[integer_seed(seed)] = None
        if len(asked) > MAX_CASES:
            raise InputError(f"seeds: more than {MAX_CASES} cases")
    if not asked:
        raise InputError("seeds: none given")
    return list(asked)


def _cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
