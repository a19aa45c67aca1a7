"""The executor of a dask cluster.

Each task is the whole job and one ask, as text, and so is what it returns: nothing of ours is
pickled, and nothing is stored on a worker that could be lost with it.  Each task is for one worker:
where that one dies, it is known which case it was flying, and that this case alone may be why.  A
worker is known by its folder: another one may have taken its address.
"""

import json
import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any
from uuid import uuid4

from proxops.campaigns.ask import Ask, text_of
from proxops.campaigns.connection import connected
from proxops.campaigns.executor import Answer
from proxops.campaigns.scheduler import Scheduler
from proxops.campaigns.worker_process import TRIES
from proxops.core.errors import InputError, LinkLostError

_log = logging.getLogger("proxops")
_POLL_S = 0.1  # how soon Ctrl-C is heard
_LOOK_S = 1.0  # between two looks at which workers there are
_GONE_S = 5.0  # without the scheduler
_ANSWER_S = 60.0  # for workers to load proxops, from a slow disk
_END_S = 3.0  # for workers to end what is being flown
_PER_THREAD = 2  # cases under way: one is flown, the next one is there already

# Evaluated there: a name in text needs no pickle, neither in the scheduler nor in a worker without
# proxops, whose answer is then an ImportError in words
_REMOTE = "__import__('proxops.campaigns.remote', fromlist=['fly'])"
_FLY = f"{_REMOTE}.fly_for(folder, job, ask)"
_DIFFERENCES = f"{_REMOTE}.differences(job)"
_END = f"{_REMOTE}.end(job)"
_ENVIRONMENT = "start it from the same environment"


@dataclass
class _Case:
    ask: Ask
    deaths: int = 0  # of workers that were flying it


class DaskCluster:
    """Workers of a scheduler, as many as there are at any time."""

    def __init__(self, job: str, scheduler: Scheduler) -> None:
        self._job, self._where = job, f"scheduler {scheduler.address}"
        self._client = connected(scheduler)
        self._campaign, self._numbers = uuid4().hex[:12], count()
        self._todo: deque[_Case] = deque()
        self._under_way: dict[Any, tuple[_Case, str]] = {}  # by future; and the worker's address
        self._threads: dict[str, int] = {}  # by address of a worker
        self._folders: dict[str, str] = {}  # likewise: of the worker that has the address now
        self._elsewhere: set[Any] = set()  # futures of workers whose address another one has taken
        self._refused: set[str] = set()  # addresses of workers that joined, but are others
        self._done: SimpleQueue[Any] = SimpleQueue()
        self._heard, self._looked = time.monotonic(), float("-inf")
        try:
            self._refuse_others()
        except BaseException:
            self.close()
            raise

    def fly(self, asks: Sequence[Ask], stop: Callable[[], bool]) -> Iterator[Answer]:
        """See `Executor.fly`."""
        self._todo.extend(_Case(ask) for ask in asks)
        while self._todo or self._under_way:
            if stop():
                return
            if self._scheduler_is_there():
                yield from self._look()
                self._hand_out()
            with suppress(Empty):
                yield from self._answer(self._done.get(timeout=_POLL_S))

    def close(self) -> None:
        """Ends what is under way, on the workers too."""
        if self._client.status == "running":
            with suppress(Exception):  # it ends all the same
                self._client.cancel(list(self._under_way), force=True)
            self._on_workers(_END, _END_S)
        self._under_way.clear()
        with suppress(Exception):
            self._client.close(timeout=_END_S)

    def _scheduler_is_there(self) -> bool:
        """LinkLostError if it has not been for too long."""
        if self._client.status == "running":
            self._heard = time.monotonic()
            return True
        if time.monotonic() - self._heard > _GONE_S:
            raise LinkLostError(f"{self._where}: has gone; cases that are done are kept")
        return False

    def _look(self) -> Iterator[Answer]:
        """Looks now and then which workers there are; cases of those that died go to others, or
        are answered if too many died of them."""
        if time.monotonic() - self._looked < _LOOK_S:
            return
        try:
            identity = self._client.scheduler.identity
            found = self._client.sync(identity, n_workers=-1, callback_timeout=_GONE_S)["workers"]
        except (OSError, TimeoutError):  # the scheduler is busy, or has gone
            return
        self._looked = time.monotonic()
        before, folders = self._threads, self._folders
        self._threads = {
            address: int(each["nthreads"]) if each["status"] == "running" else 0
            for address, each in found.items()
        }
        self._folders = {address: str(each["local_directory"]) for address, each in found.items()}
        for address, threads in before.items():
            if self._folders.get(address) != folders[address]:
                self._refused.discard(address)  # the next one there may be as it is here
                yield from self._lose(address, threads)
        if before and not found:
            _log.warning("%s: has no workers any more; cases wait for them", self._where)

    def _lose(self, address: str, threads: int) -> Iterator[Answer]:
        """A worker has died: it was flying the first of its cases that are not done."""
        mine = [future for future, (_, where) in self._under_way.items() if where == address]
        open_ones = [
            future for future in mine if future.status == "pending" or future in self._elsewhere
        ]
        flown = open_ones[:threads]
        self._elsewhere.difference_update(mine)
        for future in mine:
            case, _ = self._under_way.pop(future)
            case.deaths += future in flown
            if case.deaths < TRIES:
                self._todo.appendleft(case)
            else:
                yield {"seed": case.ask.seed, "crashed": "its dask worker died", "tries": TRIES}

    def _hand_out(self) -> None:
        """Gives each worker its next cases, first to those that have none."""
        busy = Counter(address for _, address in self._under_way.values())
        for depth in range(1, _PER_THREAD + 1):
            for address, threads in self._threads.items():
                while (
                    self._todo and address not in self._refused and busy[address] < depth * threads
                ):
                    busy[address] += 1
                    self._submit(self._todo.popleft(), address)

    def _submit(self, case: _Case, address: str) -> None:
        key = f"proxops-{self._campaign}-{next(self._numbers)}"
        folder = self._folders[address]
        names = {"job": self._job, "ask": text_of([case.ask]), "folder": folder}
        try:
            future = self._client.submit(
                eval, _FLY, names, key=key, pure=False, workers=[address], allow_other_workers=False
            )
        except Exception:
            if self._client.status == "running":
                raise
            self._todo.appendleft(case)  # the scheduler has just gone
            return
        self._under_way[future] = case, address
        future.add_done_callback(self._done.put)

    def _answer(self, future: Any) -> Iterator[Answer]:
        """The answer of a task that is done, if it is one; else its case is flown again."""
        if future not in self._under_way:  # its worker died, and another one has it
            return
        try:
            if future.status not in ("error", "finished"):  # the scheduler has gone
                raise TimeoutError
            (answer,) = json.loads(future.result(timeout=_GONE_S))
        except Exception as error:
            yield from self._failed(*self._under_way.pop(future), error)
            return
        if "elsewhere" in answer:  # see `_lose`, which is next
            self._elsewhere.add(future)
            return
        case, address = self._under_way.pop(future)
        if "refused" not in answer:
            yield answer
            return
        self._refuse(address, _unlike(answer["refused"]))
        self._todo.appendleft(case)

    def _failed(self, case: _Case, address: str, error: Exception) -> Iterator[Answer]:
        """What to do with a case whose task has raised an error."""
        if isinstance(error, ImportError | AttributeError):
            self._refuse(address, _without(error))
        elif not isinstance(error, TimeoutError):  # KilledWorker: too often before we looked
            case.deaths += 1
            if case.deaths >= TRIES:
                how = f"its dask worker died: {str(error).partition('.')[0]}"
                yield {"seed": case.ask.seed, "crashed": how, "tries": TRIES}
                return
        self._todo.appendleft(case)

    def _refuse(self, address: str, why: str) -> None:
        """A worker that joined later gets no cases; InputError if there is no other one."""
        if address not in self._refused:
            _log.warning("%s: worker %s gets no cases: it %s", self._where, address, why)
        self._refused.add(address)
        if not self._threads.keys() - self._refused:
            raise InputError(f"{self._where}: worker {address} {why}")

    def _refuse_others(self) -> None:
        """InputError if a worker would give other results; says so if there is none."""
        found = self._on_workers(_DIFFERENCES, _ANSWER_S)
        refused = [
            f"worker {address} {_without(text) if isinstance(text, Exception) else _unlike(text)}"
            for address, text in found.items()
            if text
        ]
        if refused:
            raise InputError(f"{self._where}: " + "\n".join(refused))
        if not found:
            _log.warning("%s: has no workers yet; cases wait for them", self._where)

    def _on_workers(self, expression: str, patience_s: float) -> dict[str, Any]:
        """What all workers answer, or which error is raised there; nothing if one does not in
        time."""
        found: dict[str, Any] = {}

        def ask() -> None:
            with suppress(Exception):
                names = {"job": self._job}
                found.update(self._client.run(eval, expression, names, on_error="return"))

        thread = Thread(target=ask, daemon=True)
        thread.start()
        thread.join(patience_s)
        return found


def _without(error: Exception) -> str:
    return f"cannot load proxops as it is here ({error}); {_ENVIRONMENT}"


def _unlike(differences: str) -> str:
    return f"would give other results: {differences}; {_ENVIRONMENT}"
