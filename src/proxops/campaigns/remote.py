"""What runs in a worker of dask: it has a process of ours fly each case, so that a case that dies
takes nothing of dask with it, and is flown as by the pool of one computer.

Text comes in and text goes out.  Each thread of the worker has a process of its own.
"""

import json
from functools import lru_cache
from threading import Lock, get_ident
from typing import Any

from proxops.campaigns.job import installation
from proxops.campaigns.worker_process import Station, seeds_of

_NEEDED = ("versions", "sources", "target")

_stations: dict[tuple[int, str], Station] = {}
_change = Lock()


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


def fly(job: str, asks: str) -> str:
    """The answers to asks of the job (see `Executor.fly`), or that the worker is `refused`."""
    thread = (get_ident(), job)
    with _change:
        station = _stations.get(thread)
    if station is None:
        unlike = differences(job)
        if unlike:
            return json.dumps([{"seed": each, "refused": unlike} for each in seeds_of(asks)])
        station = Station(job)
        with _change:
            idle = [key for key in _stations if key[0] == thread[0]]
            ended = [_stations.pop(key) for key in idle]
            _stations[thread] = station
        for each in ended:
            each.close()
    return json.dumps(station.fly(asks))


def end(job: str) -> None:
    """Ends the processes that fly the job here, in the middle of their cases."""
    with _change:
        ended = [_stations.pop(key) for key in list(_stations) if key[1] == job]
    for station in ended:
        station.close()
