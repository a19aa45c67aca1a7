"""Workers: fresh Python processes that fly one case after the other.

They speak JSON lines over their pipes: the order first, then a seed a line, a case back for each.
Nothing is pickled, no script of the user's is imported again (as it would be by multiprocessing),
and a worker whose pipe closes ends by itself.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any

from proxops.campaigns.order import Order
from proxops.core.errors import WorkerError

_START = "import sys; sys.path[:] = sys.argv[1:]; from proxops.worker import serve; serve()"
# One core each: threads of linear algebra would only take them from one another
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_POLL_S = 0.1  # how soon Ctrl-C is heard
_SHOWN = 2000  # characters of what a worker says at its end


Answer = dict[str, Any] | BaseException


class _Worker:
    """One process, seen from here."""

    def __init__(self, process: "subprocess.Popen[str]", said: IO[str], order: str) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._said = process, said
        self._questions, self._answers = process.stdin, process.stdout
        self._order: str | None = order

    def serve(self, todo: deque[int], done: "Queue[Answer]") -> None:
        """Has it fly what is to do, until nothing is left."""
        try:
            while todo:
                done.put(self._fly(todo.popleft()))
        except IndexError:
            return  # another was faster
        except BaseException as error:  # whatever it is, the campaign must hear of it
            done.put(error)

    def hang_up(self) -> None:
        """Closes the way to it."""
        self._questions.close()

    def _fly(self, seed: int) -> dict[str, Any]:
        lines = f"{seed}\n" if self._order is None else f"{self._order}\n{seed}\n"
        self._order = None
        try:
            self._questions.write(lines)
            self._questions.flush()
            case: dict[str, Any] = json.loads(self._answers.readline())
        except (OSError, ValueError):
            raise WorkerError(self._last_words(seed)) from None
        return case

    def _last_words(self, seed: int) -> str:
        code = self._process.wait()
        self._said.seek(0)
        said = self._said.read()[-_SHOWN:].strip()
        return f"a worker ended in case {seed}, with code {code}" + (f":\n{said}" if said else "")


@contextmanager
def _working(order: str, todo: deque[int], done: "Queue[Answer]") -> Iterator[None]:
    """A process that takes what is to do and puts it where it is done; ended with the context, in
    the middle of a case if it is in one."""
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said,
        subprocess.Popen(
            [sys.executable, "-c", _START, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            env=dict.fromkeys(_ONE_THREAD, "1") | os.environ,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C is for us: we end it
        ) as process,
    ):
        worker = _Worker(process, said, order)
        thread = Thread(target=worker.serve, args=(todo, done), daemon=True)
        thread.start()
        try:
            yield
        finally:
            process.kill()
            thread.join()
            with suppress(OSError):  # a question that it did not live to hear
                worker.hang_up()


def fly_cases(
    order: Order, seeds: Sequence[int], workers: int, cold: bool, stop: Callable[[], bool]
) -> Iterator[dict[str, Any]]:
    """The cases of these seeds as they are done, in any order; ends early once `stop` is true.

    Where kernels are `cold`, the first case is flown alone, so that only one worker compiles them.
    """
    text = json.dumps(order.to_dict())
    todo, done = deque(seeds), Queue[Answer]()
    with ExitStack() as crew:
        crew.callback(todo.clear)
        started = 0
        wanted = 1 if cold else workers
        for _ in seeds:
            while started < min(wanted, workers):
                crew.enter_context(_working(text, todo, done))
                started += 1
            answer = _next(done, stop)
            if answer is None:
                return
            if isinstance(answer, BaseException):
                raise answer
            wanted = workers
            yield answer


def _next(done: "Queue[Answer]", stop: Callable[[], bool]) -> Answer | None:
    while not stop():
        try:
            return done.get(timeout=_POLL_S)
        except Empty:
            continue
    return None
