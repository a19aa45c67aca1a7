"""What runs in a worker of dask: it has a process of ours fly each case, so that a case that dies
takes nothing of dask with it, and is flown as by the pool of one computer.

Text comes in and text goes out.  Each thread of the worker has a process of its own, which ends
once nobody waits for its case any more, or nobody has asked for one for a while: the command may
have been killed, and could not say so.
"""

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock, Thread, get_ident
from typing import Any

from proxops.campaigns.job import installation
from proxops.campaigns.worker_process import Station, seeds_of

_NEEDED = ("versions", "sources", "target")
_LOOK_S = 1.0
IDLE_S = 60.0  # without a case


@dataclass
class _Post:
    """A station, and for whom it works."""

    station: Station
    job: str
    is_wanted: Callable[[], bool] | None = None  # its case, if it flies one
    since: float = 0.0  # when it had none any more

    @property
    def is_idle(self) -> bool:
        """Whether nobody waits for what it flies, if it flies anything."""
        return self.is_wanted is None or not self.is_wanted()

    @property
    def is_over(self) -> bool:
        """Whether it is to end."""
        waits = self.is_wanted is None and time.monotonic() - self.since < IDLE_S
        return self.is_idle and not waits


_posts: dict[int, _Post] = {}  # by thread
_change = Lock()  # held by whoever takes or ends a post


@lru_cache(maxsize=1)
def about() -> dict[str, Any]:
    """What results depend on here."""
    return installation()


def differences(job: str) -> str:
    """What is not as in the job, in words; empty if everything is."""
    needed, here = json.loads(job), about()
    words = []
    for name, wanted in {each: needed[each] for each in _NEEDED}.items():
        if isinstance(wanted, dict):
            pairs = [(key, value, here[name].get(key)) for key, value in wanted.items()]
        else:
            pairs = [(name, wanted, here[name])]
        words += [f"{key} {found}, here {value}" for key, value, found in pairs if found != value]
    return "; ".join(words)


def fly_for(folder: str, job: str, asks: str) -> str:
    """`fly` by the worker with that folder; another one that has taken its address says
    `elsewhere`: the scheduler has given it what was that one's."""
    if folder != _worker().local_directory:
        return json.dumps([{"seed": each, "elsewhere": True} for each in seeds_of(asks)])
    return fly(job, asks)


def fly(job: str, asks: str) -> str:
    """The answers to asks of the job (see `Executor.fly`), or that the worker is `refused`."""
    post = _taken(job)
    if post is None:
        refused = differences(job)
        return json.dumps([{"seed": each, "refused": refused} for each in seeds_of(asks)])
    try:
        return json.dumps(post.station.fly(asks))
    finally:
        with _change:
            post.is_wanted, post.since = None, time.monotonic()


def end(job: str) -> None:
    """Ends the processes that fly the job here for nobody; another campaign may have the same."""
    _end(lambda post: post.job == job and post.is_idle)


def _taken(job: str) -> _Post | None:
    """The post of this thread, at work from now on; None if the job cannot be flown here."""
    thread, wanted = get_ident(), _asked_for()
    with _change:
        post = _posts.get(thread)
        if post is not None and post.job == job:
            post.is_wanted = wanted
            return post
    if differences(job):
        return None
    _end(lambda other: other is post)  # this thread flew another job before
    _watching()
    made = _Post(Station(job), job, wanted)
    with _change:
        _posts[thread] = made
    return made


def _end(which: Callable[[_Post], bool]) -> None:
    with _change:
        ended = [_posts.pop(thread) for thread, post in list(_posts.items()) if which(post)]
    for post in ended:
        post.station.close()


@lru_cache(maxsize=1)
def _watching() -> Thread:
    """The thread that ends what is over."""

    def watch() -> None:
        while True:
            time.sleep(_LOOK_S)
            _end(lambda post: post.is_over)

    thread = Thread(target=watch, daemon=True)
    thread.start()
    return thread


def _asked_for() -> Callable[[], bool]:
    """Whether the task of this thread still is: the scheduler takes it back from us where its
    client cancels it, or has gone."""
    try:
        worker = _worker()
    except (AttributeError, ValueError):  # not in a task
        return lambda: True
    tasks, key = worker.state.tasks, worker.get_current_task()

    def is_wanted() -> bool:
        task = tasks.get(key)
        return task is not None and task.state != "cancelled"

    return is_wanted


def _worker() -> Any:
    """Dask's, in a task of its."""
    distributed: Any = sys.modules.get("distributed")
    return distributed.get_worker()
