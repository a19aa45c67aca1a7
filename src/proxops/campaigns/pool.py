"""Workers: fresh Python processes that fly one case after the other.

They speak JSON lines over their pipes: the job first, answered once all is ready, then a seed a
line, a case back for each.
Nothing is pickled, no script of the user's is imported again (as it would be by multiprocessing),
and a worker whose pipe closes ends by itself.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from queue import Empty, Queue
from threading import Lock, Thread
from typing import Any

from proxops.campaigns.case import crashed
from proxops.campaigns.job import Job
from proxops.core.errors import InputError, WorkerError

_START = (
    "import sys; sys.path[:] = sys.argv[1:]; from proxops.cli.campaign_worker import serve; serve()"
)
# One core each: threads of linear algebra would only take them from one another
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_POLL_S = 0.1  # how soon Ctrl-C is heard
_SHOWN = 2000  # characters of what a worker says at its end
TRIES = 3  # for each case
_SIGKILL = 9


Answer = dict[str, Any] | BaseException


class _DiedError(Exception):
    """A worker has ended, before it was ready or in the middle of a case; the message says how, and
    its exit message."""

    ready = False


class _Worker:
    """One process, seen from here."""

    def __init__(self, job: str) -> None:
        self._said = tempfile.TemporaryFile(  # noqa: SIM115  # `end` closes it
            "w+", encoding="utf-8", errors="replace"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env=dict.fromkeys(_ONE_THREAD, "1") | os.environ,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C is for us: we end it
        )
        self._job: str | None = job

    def fly(self, seed: int) -> dict[str, Any]:
        """The case of that seed; _DiedError if the process does not live to answer, InputError if
        it cannot make the scenario that the campaign is about."""
        if self._job is not None:
            ready = self._ask(self._job)
            if "problem" in ready:
                raise InputError(ready["problem"])
            self._job = None
        return self._ask(str(seed))

    def kill(self) -> None:
        """Ends the process, in the middle of a case if it is in one."""
        self._process.kill()

    def end(self) -> None:
        """Ends it, and waits until it has."""
        self.kill()
        with suppress(OSError), self._said, self._process:  # a question it did not live to hear
            self._process.wait()

    def _ask(self, line: str) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
            answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        except (OSError, ValueError):
            died = _DiedError(self._exit_message())
            died.ready = self._job is None
            raise died from None
        return answer

    def _exit_message(self) -> str:
        how = ended_by(self._process.wait())
        self._said.seek(0)
        said = self._said.read()[-_SHOWN:].strip()
        return how + (f"\n{said}" if said else "")


class _Hand:
    """A thread that has one worker after the other fly what is to do."""

    def __init__(self, job: Job, todo: deque[int], done: "Queue[Answer]") -> None:
        self._job, self._text = job, json.dumps(job.to_dict())
        self._todo, self._done = todo, done
        self._worker: _Worker | None = None
        self._ending = False
        self._change = Lock()
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Ends it, in the middle of a case if it is in one."""
        with self._change:
            self._ending = True
            if self._worker is not None:
                self._worker.kill()
        self._thread.join()

    def _serve(self) -> None:
        try:
            while self._todo and not self._ending:
                self._done.put(self._flown(self._todo.popleft()))
        except IndexError:
            return  # another was faster
        except BaseException as error:  # whatever it is, the campaign must hear of it
            self._done.put(error)
        finally:
            self._dismiss()

    def _flown(self, seed: int) -> dict[str, Any]:
        """The case of that seed; a worker that dies of it is replaced, and tries again."""
        deaths: list[_DiedError] = []
        while len(deaths) < TRIES and not self._ending:
            try:
                return self._hired().fly(seed)
            except _DiedError as error:
                deaths.append(error)
            self._dismiss()
        last = str(deaths[-1]) if deaths else ""
        if not any(death.ready for death in deaths):
            raise WorkerError(f"no worker could start, in {TRIES} tries: {last}")
        return crashed(self._job.scenario.dispersed(seed), last, TRIES)

    def _hired(self) -> _Worker:
        with self._change:
            if self._worker is None:
                self._worker = _Worker(self._text)
                if self._ending:
                    self._worker.kill()
            return self._worker

    def _dismiss(self) -> None:
        with self._change:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()


def ended_by(code: int) -> str:
    """How a process with that exit code has ended."""
    if code >= 0:
        return f"it ended with code {code}"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    why = ", as the system does when memory runs out" if -code == _SIGKILL else ""
    return f"it was killed by {name}{why}"


def fly_cases(
    job: Job, seeds: Sequence[int], workers: int, cold: bool, stop: Callable[[], bool]
) -> Iterator[dict[str, Any]]:
    """The cases of these seeds as they are done, in any order; ends early once `stop` is true.

    Where kernels are `cold`, the first case is flown alone, so that only one worker compiles them.
    A case whose worker dies is flown again, TRIES times in all; then its outcome is `crashed`.
    """
    todo, done = deque(seeds), Queue[Answer]()
    with ExitStack() as cleanup:
        cleanup.callback(todo.clear)
        started = 0
        wanted = 1 if cold else workers
        for _ in seeds:
            while started < min(wanted, workers):
                cleanup.callback(_Hand(job, todo, done).end)
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
