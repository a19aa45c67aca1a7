"""Which worker gets which case, and what becomes of cases whose worker dies, with a client that
stands for dask's: workers fly one case at each look."""

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from typing import Any

import pytest

from proxops.campaigns import Scheduler, cluster
from proxops.campaigns.ask import Ask
from proxops.campaigns.cluster import DaskCluster
from proxops.campaigns.executor import Answer
from proxops.core.errors import InputError, LinkLostError

SCHEDULER = Scheduler("tcp://127.0.0.1:8786")


class Future:
    """The answer to come of a case."""

    def __init__(self, seed: int, address: str) -> None:
        self.seed, self.address, self.status = seed, address, "pending"
        self._text = ""
        self._callbacks: list[Callable[[Any], object]] = []

    def add_done_callback(self, callback: Callable[[Any], object]) -> None:
        self._callbacks.append(callback)

    def result(self, timeout: float) -> str:
        return self._text

    def end(self, status: str, **answer: Any) -> None:
        self.status, self._text = status, json.dumps([{"seed": self.seed} | answer])
        for each in self._callbacks:
            each(self)


class Client:
    """A client of dask's, its scheduler, and workers that die of some cases."""

    def __init__(self, workers: int, *, deaths: dict[int, int], threads: int = 1) -> None:
        self.status, self.scheduler, self.identity = "running", self, None
        self._names, self._threads, self.deaths = count(), threads, deaths
        self.queues: dict[str, list[Future]] = {}
        self.died: list[int] = []
        self.most, self.unlike = 0, ""
        for _ in range(workers):
            self.join()

    def join(self) -> str:
        address = f"tcp://worker-{next(self._names)}"
        self.queues[address] = []
        return address

    def submit(self, *args: Any, workers: list[str], **options: Any) -> Future:
        future = Future(json.loads(args[-1]["ask"])[0]["seed"], workers[0])
        if future.address in self.queues:
            self.queues[future.address].append(future)
            self.most = max(self.most, len(self.queues[future.address]))
        return future

    def sync(self, *args: Any, **options: Any) -> dict[str, Any]:
        """What workers there are; each has flown a case since the last look."""
        for address in list(self.queues):
            self._advance(address)
        about = {"nthreads": self._threads, "status": "running"}
        return {"workers": dict.fromkeys(self.queues, about)}

    def _advance(self, address: str) -> None:
        flown = self.queues[address][: self._threads]
        if address == self.unlike:
            for each in flown:
                self.queues[address].remove(each)
                each.end("finished", refused="numba 1, here 2")
            return
        for each in flown:
            if self.deaths.get(each.seed, 0):
                self.deaths[each.seed] -= 1
                self.died.append(each.seed)
                del self.queues[address]  # what waits there is not answered
                self.join()
                return
        for each in flown:
            self.queues[address].remove(each)
            each.end("finished")

    def run(self, *args: Any, **options: Any) -> dict[str, str]:
        return dict.fromkeys(self.queues, "")

    def cancel(self, *args: Any, **options: Any) -> None: ...

    def close(self, **options: Any) -> None: ...


@pytest.fixture
def fly(monkeypatch: pytest.MonkeyPatch) -> Callable[[Client, int], list[Answer]]:
    """Flies cases by such a client, to the end."""
    for name, value in (("_LOOK_S", 0.0), ("_POLL_S", 0.0), ("_GONE_S", 0.0)):
        monkeypatch.setattr(cluster, name, value)

    def flown(client: Client, cases: int) -> list[Answer]:
        monkeypatch.setattr(cluster, "connected", lambda scheduler: client)
        with closing(DaskCluster("{}", SCHEDULER)) as executor:
            found: Iterator[Answer] = executor.fly([Ask(seed) for seed in range(cases)], never)
            return sorted(found, key=lambda answer: answer["seed"])

    return flown


def never() -> bool:
    return False


def answers(cases: int) -> list[Answer]:
    return [{"seed": seed} for seed in range(cases)]


@pytest.mark.parametrize(("workers", "threads"), [(1, 1), (3, 1), (2, 4)])
def test_each_worker_has_its_next_case_at_hand_and_no_more(fly, workers, threads) -> None:
    client = Client(workers, deaths={}, threads=threads)
    assert fly(client, 40) == answers(40)
    assert client.most == 2 * threads


def test_few_cases_are_spread_over_all_workers(fly) -> None:
    client = Client(4, deaths={})
    assert fly(client, 4) == answers(4)
    assert client.most == 1


@pytest.mark.parametrize("workers", [1, 3])
def test_a_case_that_kills_three_workers_has_crashed_and_none_that_waited_behind_it(
    fly, workers
) -> None:
    client = Client(workers, deaths={3: 100})
    found = fly(client, 12)
    lost = found.pop(3)
    assert lost == {"seed": 3, "crashed": "its dask worker died", "tries": 3}
    assert client.died == [3, 3, 3]
    assert found == [each for each in answers(12) if each["seed"] != 3]


def test_cases_that_were_lost_are_flown_again(fly) -> None:
    client = Client(2, deaths={0: 1, 4: 2, 5: 2, 9: 1})
    assert fly(client, 12) == answers(12)
    assert sorted(client.died) == [0, 4, 4, 5, 5, 9]


def test_a_worker_that_joins_later_and_is_another_one_gets_no_cases(fly, caplog) -> None:
    client = Client(1, deaths={2: 1})
    client.unlike = "tcp://worker-1"  # in place of the one that dies
    join, joined = client.join, []

    def two() -> str:
        joined.extend((join(), join()))
        return joined[0]

    client.join = two  # type: ignore[method-assign]
    with caplog.at_level(logging.WARNING, "proxops"):
        assert fly(client, 8) == answers(8)
    (said,) = [record.getMessage() for record in caplog.records if "no cases" in record.message]
    assert said.startswith("scheduler tcp://127.0.0.1:8786: worker tcp://worker-1 gets no cases")
    assert "numba 1, here 2" in said


def test_where_all_workers_are_others_the_campaign_ends(fly) -> None:
    client = Client(1, deaths={})
    client.unlike = "tcp://worker-0"  # it was too slow to say so before the first case
    with pytest.raises(InputError, match="worker tcp://worker-0 would give other results: numba"):
        fly(client, 3)


def test_without_its_scheduler_a_campaign_ends(fly) -> None:
    client = Client(1, deaths={})
    client.status = "closed"
    with pytest.raises(LinkLostError, match="has gone; cases that are done are kept"):
        fly(client, 3)
