"""The executor of one computer: a thread for each worker process, and two queues between."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread

from proxops.campaigns.ask import Ask, text_of
from proxops.campaigns.executor import Answer, grouped
from proxops.campaigns.worker_process import Station

_POLL_S = 0.1  # how soon Ctrl-C is heard


class LocalPool:
    """Worker processes of this computer, started as there is work for them."""

    def __init__(self, job: str, workers: int, at_once: int = 1) -> None:
        self._job, self._workers, self._at_once = job, workers, at_once
        self._todo: Queue[Sequence[Ask] | None] = Queue()
        self._done: Queue[Answer | BaseException] = Queue()
        self._stations: list[tuple[Station, Thread]] = []

    def fly(self, asks: Sequence[Ask], stop: Callable[[], bool]) -> Iterator[Answer]:
        """See `Executor.fly`."""
        groups = grouped(asks, self._at_once)
        for each in groups:
            self._todo.put(each)
        while len(self._stations) < min(self._workers, len(groups)):
            self._start()
        for _ in asks:
            answer = self._next(stop)
            if answer is None:
                return
            if isinstance(answer, BaseException):
                raise answer
            yield answer

    def close(self) -> None:
        """Ends all workers, in the middle of their cases if they are in one."""
        with suppress(Empty):
            while True:
                self._todo.get_nowait()
        for station, _ in self._stations:
            station.end()
            self._todo.put(None)
        for station, thread in self._stations:
            thread.join()
            station.close()

    def _start(self) -> None:
        station = Station(self._job)
        thread = Thread(target=self._serve, args=(station,), daemon=True)
        self._stations.append((station, thread))
        thread.start()

    def _serve(self, station: Station) -> None:
        try:
            while (asks := self._todo.get()) is not None:
                for answer in station.fly(text_of(asks)):
                    self._done.put(answer)
        except BaseException as error:  # whatever it is, the campaign must hear of it
            self._done.put(error)

    def _next(self, stop: Callable[[], bool]) -> Answer | BaseException | None:
        while not stop():
            try:
                return self._done.get(timeout=_POLL_S)
            except Empty:
                continue
        return None
