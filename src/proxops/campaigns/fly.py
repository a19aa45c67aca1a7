"""Flies a campaign to its end, or until it is stopped."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from proxops.campaigns.ask import Ask
from proxops.campaigns.case_store import CaseStore, open_case_store
from proxops.campaigns.design import MONTE_CARLO, Design
from proxops.campaigns.executor import Executor, settled
from proxops.campaigns.job import Job
from proxops.campaigns.pool import LocalPool
from proxops.campaigns.result import Campaign, wilson
from proxops.campaigns.scheduler import Scheduler
from proxops.campaigns.stored import request_of
from proxops.core.errors import InputError
from proxops.scenario.case import integer_seed

MAX_CASES = 1_000_000


Report = Callable[[int, int, int], None]


def fly(
    job: Job,
    seeds: Iterable[int],
    *,
    design: Design | None = None,
    until_width: float | None = None,
    workers: int | None = None,
    scheduler: Scheduler | None = None,
    at_least: float = 1.0,
    out: str | os.PathLike[str] | None = None,
    kernels: str = "run",
    report: Report = lambda done, passed, asked: None,
    stop: Callable[[], bool] = lambda: False,
) -> Campaign:
    """The campaign, its cases in the order of the seeds whatever the number of workers.

    `report` gets how many cases are done, have passed and are asked for.  Cases that the folder
    `out` has already are not flown again, but for those of which the workers have died.  It ends
    with the first case after which the confidence interval is `until_width` wide or less.
    """
    asked, design = _checked(seeds), design or Design()
    _check(workers, at_least, until_width, design)
    mission = job.scenario.mission
    numbers = design.numbers(mission, asked)

    def request(count: int) -> dict[str, Any]:
        return request_of(job.title, numbers[:count], at_least, design)

    count = len(numbers)
    with open_case_store(out, job, request(count)) as store:
        store.forget("crashed")
        tally = _Tally(store, numbers, report)
        rule = _StopRule(store, numbers, until_width)
        own: dict[int, Ask] = {}  # what this design asks for by a seed: others had other cases
        with open_executor(job, kernels, workers, scheduler, count) as executor:
            for batch in design.batches(mission, asked, store.done):
                own |= {ask.seed: ask for ask in batch}
                _fly_missing(
                    job, batch, store, executor, lambda: stop() or rule.count is not None, tally
                )
                if stop():
                    break
        if rule.count is not None and rule.count < count:
            count = rule.count
            store.request(request(count))
    flown = [seed for seed in numbers[:count] if seed in own and store.has(own[seed])]
    cases = tuple(store.done[seed] for seed in flown)
    timings = {seed: store.timings.get(seed, {}) for seed in numbers[:count]}
    folder = None if out is None else Path(out)
    made = job.to_dict()
    return Campaign(job.title, cases, count, at_least, folder, made, timings, design.to_dict())


def _fly_missing(
    job: Job,
    asks: Sequence[Ask],
    store: CaseStore,
    executor: Executor,
    stop: Callable[[], bool],
    tally: "_Tally",
) -> None:
    """Flies what is asked for and not in the store, and stores it."""
    todo = {ask.seed: ask for ask in asks if not store.has(ask)}
    tally.without(todo)
    for answer in executor.fly(list(todo.values()), stop):
        case, timing = settled(job, todo[answer["seed"]], answer)
        store.add(case, timing)
        tally.add(case)


class _Tally:
    """Reports how many cases are done, have passed and are asked for."""

    def __init__(self, store: CaseStore, numbers: Sequence[int], report: Report) -> None:
        wanted = set(numbers)
        self._passed = {seed: case["passed"] for seed, case in store.done.items() if seed in wanted}
        self._count, self._asked, self._report = sum(self._passed.values()), len(wanted), report

    def without(self, seeds: Iterable[int]) -> None:
        """Those are to be flown."""
        for seed in seeds:
            self._count -= self._passed.pop(seed, False)
        self._report(len(self._passed), self._count, self._asked)

    def add(self, case: Mapping[str, Any]) -> None:
        """One more is done."""
        self._passed[case["seed"]] = case["passed"]
        self._count += case["passed"]
        self._report(len(self._passed), self._count, self._asked)


class _StopRule:
    """How many of the first cases, in the order of the seeds, give an interval of some width."""

    def __init__(self, store: CaseStore, numbers: Sequence[int], width: float | None) -> None:
        self._store, self._numbers, self._width = store, numbers, width
        self._seen, self._passed, self._narrow = 0, 0, False

    @property
    def count(self) -> int | None:
        """None as long as there are too few."""
        if self._width is None:
            return None
        while not self._narrow and self._seen < len(self._numbers):
            seed = self._numbers[self._seen]
            if not self._store.has(Ask(seed)):  # a rule is for Monte Carlo
                return None
            self._seen += 1
            self._passed += self._store.done[seed]["passed"]
            low, high = wilson(self._passed, self._seen)
            self._narrow = high - low <= self._width
        return self._seen if self._narrow else None


def _check(workers: int | None, at_least: float, until_width: float | None, design: Design) -> None:
    """InputError if a campaign cannot be asked for so."""
    if workers is not None and workers < 1:
        raise InputError(f"workers: must be 1 or more, found {workers}")
    if not 0.0 <= at_least <= 1.0:
        raise InputError(f"at_least: must be a share from 0 to 1, found {at_least:g}")
    if design.kind == "worst-case" and at_least < 1.0:
        raise InputError(
            "at_least: leave out: a search heads for cases that fail, and passes if it finds none"
        )
    if until_width is None:
        return
    if not 0.0 < until_width < 1.0:
        raise InputError(f"until_width: must be a share between 0 and 1, found {until_width:g}")
    if design.kind != MONTE_CARLO:
        raise InputError(f"until_width: is for Monte Carlo; {design.kind} says how many it takes")


@contextmanager
def open_executor(
    job: Job, kernels: str, workers: int | None, scheduler: Scheduler | None, cases: int
) -> Iterator[Executor]:
    """Worker processes of this computer, or the workers of a scheduler."""
    text, at_once = job.text(kernels), job.lanes or 1
    if scheduler is None:
        with closing(LocalPool(text, min(workers or _cores(), cases), at_once)) as pool:
            yield pool
        return
    from proxops.campaigns.cluster import DaskCluster

    with closing(DaskCluster(text, scheduler)) as cluster:
        yield cluster


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
