"""Which worker gets which case, and what becomes of cases whose worker dies, with a client that
stands for dask's: workers fly one case at each look."""

import json
import logging
from collections import Counter
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

    def __init__(self, seed: int, address: str, life: str | None) -> None:
        self.seed, self.address, self.status = seed, address, "pending"
        self.life, self.suspicious = life, 0
        self._text = ""
        self._callbacks: list[Callable[[Any], object]] = []

    def add_done_callback(self, callback: Callable[[Any], object]) -> None:
        self._callbacks.append(callback)

    def result(self, timeout: float) -> str:
        if self.status == "error":
            raise RuntimeError(f"attempted to run {self.seed} on 4 workers. All are gone")
        return self._text

    def end(self, status: str, **answer: Any) -> None:
        self.status, self._text = status, json.dumps([{"seed": self.seed} | answer])
        for each in self._callbacks:
            each(self)


class Client:
    """A client of dask's, its scheduler, and workers that die of some cases."""

    def __init__(
        self, workers: int, *, deaths: dict[int, int], threads: int = 1, in_place: bool = False
    ) -> None:
        self.status, self.scheduler, self.identity = "running", self, None
        self._names, self._threads, self.deaths = count(), threads, deaths
        self._in_place = in_place  # another worker takes the address of one that died
        self.queues: dict[str, list[Future]] = {}
        self.folders: dict[str, str] = {}  # of each worker one of its own
        self.died: list[int] = []
        self.most, self.unlike = 0, ""
        for _ in range(workers):
            self.join()

    def join(self) -> str:
        address = f"tcp://worker-{next(self._names)}"
        self.queues[address] = []
        self.folders[address] = f"/scratch/{address}"
        return address

    def submit(self, *args: Any, workers: list[str], **options: Any) -> Future:
        asked = args[-1]
        future = Future(json.loads(asked["ask"])[0]["seed"], workers[0], asked.get("folder"))
        if future.address in self.queues:
            self.queues[future.address].append(future)
            self.most = max(self.most, len(self.queues[future.address]))
        return future

    def sync(self, *args: Any, **options: Any) -> dict[str, Any]:
        """What workers there are; each has flown a case since the last look."""
        for address in list(self.queues):
            self._advance(address)
        about = {"nthreads": self._threads, "status": "running"}
        return {
            "workers": {
                address: about | {"local_directory": self.folders[address]}
                for address in self.queues
            }
        }

    def _advance(self, address: str) -> None:
        flown = self.queues[address][: self._threads]
        if address == self.unlike:
            for each in flown:
                self.queues[address].remove(each)
                each.end("finished", refused="numba 1, here 2")
            return
        for each in [each for each in flown if each.life not in (None, self.folders[address])]:
            self.queues[address].remove(each)
            each.end("finished", elsewhere=True)
        for each in self.queues[address][: self._threads]:
            if self.deaths.get(each.seed, 0):
                self.deaths[each.seed] -= 1
                self.died.append(each.seed)
                self._replace(address)
                return
        for each in self.queues[address][: self._threads]:
            self.queues[address].remove(each)
            each.end("finished")

    def _replace(self, address: str) -> None:
        """Another worker begins; dask gives it, at the same address, what was that one's, and is
        suspicious of all of that."""
        if not self._in_place:
            del self.queues[address]  # what waits there is not answered
            self.join()
            return
        self.folders[address] += "+"
        for each in list(self.queues[address]):
            each.suspicious += 1
            if each.suspicious > 3:
                self.queues[address].remove(each)
                each.end("error")

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


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("workers", [1, 3])
def test_a_case_that_kills_three_workers_has_crashed_and_none_that_waited_behind_it(
    fly, workers, in_place
) -> None:
    """Also where workers have addresses that stay, as `dask worker --worker-port` has them."""
    client = Client(workers, deaths={3: 100}, in_place=in_place)
    found = fly(client, 12)
    lost = found.pop(3)
    assert lost == {"seed": 3, "crashed": "its dask worker died", "tries": 3}
    assert client.died == [3, 3, 3]
    assert found == [each for each in answers(12) if each["seed"] != 3]


@pytest.mark.parametrize("in_place", [False, True])
def test_cases_that_were_lost_are_flown_again(fly, in_place) -> None:
    client = Client(2, deaths={0: 1, 4: 2, 5: 2, 9: 1}, in_place=in_place)
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


def test_a_worker_that_was_started_anew_at_the_same_address_gets_cases_again(fly) -> None:
    """Such as from the right environment now."""
    client = Client(2, deaths={})
    client.unlike = "tcp://worker-1"
    sync, looks, flown = client.sync, count(), Counter[str]()

    def repaired_later(*args: Any, **options: Any) -> dict[str, Any]:
        if next(looks) == 5:
            client.unlike = ""
            client.folders["tcp://worker-1"] += "+"
        return sync(*args, **options)

    def counted(*args: Any, workers: list[str], **options: Any) -> Future:
        flown.update(workers)
        return Client.submit(client, *args, workers=workers, **options)

    client.sync, client.submit = repaired_later, counted  # type: ignore[method-assign]
    assert fly(client, 40) == answers(40)
    assert flown["tcp://worker-1"] > 10


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
