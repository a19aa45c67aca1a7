"""The executor of a dask cluster.

Each task is the whole job and one ask, as text, and so is what it returns: nothing of ours is
pickled, and nothing is stored on a worker that could be lost with it.  A task whose worker dies is
given to another one by the scheduler.
"""

import json
import logging
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import count
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any
from uuid import uuid4

from proxops.campaigns.ask import Ask, text_of
from proxops.campaigns.executor import Answer, grouped
from proxops.campaigns.reach import reach
from proxops.campaigns.scheduler import Scheduler
from proxops.campaigns.worker_process import TRIES
from proxops.core.errors import InputError, LinkLostError

_log = logging.getLogger("proxops")
_CONNECT_S = 5.0
_POLL_S = 0.1  # how soon Ctrl-C is heard
_GONE_S = 5.0  # without the scheduler
_ANSWER_S = 60.0  # for workers to load proxops, from a slow disk
_END_S = 3.0  # for workers to end what is being flown
_PER_WORKER = 4  # cases under way

# Evaluated there: a name in text needs no pickle, neither in the scheduler nor in a worker without
# proxops, whose answer is then an ImportError in words
_REMOTE = "__import__('proxops.campaigns.remote', fromlist=['fly'])"
_FLY = f"{_REMOTE}.fly(job, asks)"
_DIFFERENCES = f"{_REMOTE}.differences(job)"
_END = f"{_REMOTE}.end(job)"


class DaskCluster:
    """Workers of a scheduler, as many as there are at any time."""

    def __init__(self, job: str, scheduler: Scheduler, at_once: int = 1) -> None:
        self._job, self._where, self._at_once = job, f"scheduler {scheduler.address}", at_once
        self._client = _connected(scheduler)
        self._campaign, self._numbers = uuid4().hex[:12], count()
        self._todo: deque[tuple[Sequence[Ask], int]] = deque()  # and how often its worker was lost
        self._under_way: dict[Any, tuple[Sequence[Ask], int]] = {}  # by future
        self._done: SimpleQueue[Any] = SimpleQueue()
        self._heard = time.monotonic()
        try:
            self._refuse_others()
        except BaseException:
            self.close()
            raise

    def fly(self, asks: Sequence[Ask], stop: Callable[[], bool]) -> Iterator[Answer]:
        """See `Executor.fly`."""
        self._todo.extend((each, 0) for each in grouped(asks, self._at_once))
        while self._todo or self._under_way:
            room = _PER_WORKER * max(1, self._threads()) - len(self._under_way)
            for _ in range(min(room, len(self._todo))):
                self._submit(*self._todo.popleft())
            if stop():
                return
            self._check_scheduler()
            with suppress(Empty):
                yield from self._answers(self._done.get(timeout=_POLL_S))

    def close(self) -> None:
        """Ends what is under way, on the workers too."""
        if self._client.status == "running":
            with suppress(Exception):  # it ends all the same
                self._client.cancel(list(self._under_way), force=True)
            self._on_workers(_END, _END_S)
        self._under_way.clear()
        with suppress(Exception):
            self._client.close(timeout=_END_S)

    def _threads(self) -> int:
        workers = self._client.scheduler_info()["workers"]
        return sum(int(each["nthreads"]) for each in workers.values())

    def _submit(self, asks: Sequence[Ask], lost: int) -> None:
        key = f"proxops-{self._campaign}-{next(self._numbers)}"
        names = {"job": self._job, "asks": text_of(asks)}
        future = self._client.submit(eval, _FLY, names, key=key, pure=False)
        self._under_way[future] = asks, lost
        future.add_done_callback(self._done.put)

    def _answers(self, future: Any) -> list[Answer]:
        """The answers of a task that is done; none if it was lost, and is to be done again."""
        asks, lost = self._under_way.pop(future)
        if future.status != "error" and future.status != "finished":  # scheduler or result is gone
            self._todo.append((asks, lost))
            return []
        try:
            text = future.result(timeout=_GONE_S)
        except TimeoutError:
            self._todo.append((asks, lost))
            return []
        except (ImportError, AttributeError) as error:
            raise InputError(f"{self._where}: a worker {_without(error)}") from None
        except Exception as error:  # KilledWorker, for the most part
            if len(asks) > 1:  # one of them may be to blame
                self._todo.extend(((each,), 0) for each in asks)
                return []
            if lost + 1 < TRIES:
                self._todo.append((asks, lost + 1))
                return []
            how = f"the workers of {self._where} died: {str(error).partition('.')[0]}"
            return [{"seed": asks[0].seed, "crashed": how, "tries": TRIES}]
        answers: list[Answer] = json.loads(text)
        for each in answers:
            if "refused" in each:
                raise InputError(f"{self._where}: a worker {_unlike(each['refused'])}")
        return answers

    def _check_scheduler(self) -> None:
        if self._client.status == "running":
            self._heard = time.monotonic()
        elif time.monotonic() - self._heard > _GONE_S:
            raise LinkLostError(f"{self._where}: has gone; cases that are done are kept")

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
    return f"cannot load proxops as it is here ({error}); start it from the same environment"


def _unlike(differences: str) -> str:
    return f"would give other results: {differences}; start it from the same environment"


def _connected(scheduler: Scheduler) -> Any:
    """A client of dask's."""
    first = "distributed" not in sys.modules
    distributed: Any
    try:
        distributed = import_module("distributed")
    except ImportError as error:
        raise InputError(
            "--scheduler needs dask, the extra 'campaign': pip install distributed"
        ) from error
    if first:  # its words on a worker that died are not ours
        for name in [each for each in logging.root.manager.loggerDict if "distributed" in each]:
            logging.getLogger(name).setLevel(logging.CRITICAL)
    reach(scheduler)
    security = None
    if scheduler.secure:
        security = distributed.Security(
            tls_ca_file=scheduler.ca,
            tls_client_cert=scheduler.cert,
            tls_client_key=scheduler.key,
            require_encryption=True,
        )
    where = f"scheduler {scheduler.address}"
    try:
        client = distributed.Client(
            scheduler.address, security=security, timeout=_CONNECT_S, set_as_default=False
        )
    except (OSError, TimeoutError, ValueError) as error:
        raise LinkLostError(f"{where}: does not answer as a dask scheduler: {error}") from None
    there = client.get_versions(check=False)["scheduler"]["packages"].get("distributed")
    if there != distributed.__version__:
        client.close()
        raise InputError(
            f"{where}: runs distributed {there}, here is {distributed.__version__}; start both "
            "from the same environment"
        )
    return client
