"""A fresh Python process that flies one case after the other, and what replaces it when it dies.

They speak JSON lines over its pipes: the job first, answered once all is ready, then a case a line,
or as many as it flies at once, answered as they were flown.  Nothing is pickled, no script of the
user's is imported again (as it would be by multiprocessing), and a process whose pipe closes ends
at once.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from threading import Lock
from typing import Any

from proxops.core.errors import WorkerError

_START = (
    "import sys; sys.path[:] = sys.argv[1:]; "
    "from proxops.core.garbage import collect_rarely; collect_rarely(); "
    "from proxops.cli.campaign_worker import serve; serve()"
)
# One core each: threads of linear algebra would only take them from one another
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_SHOWN = 2000  # characters of what a worker says at its end
TRIES = 3  # for each case
_SIGKILL = 9


class _DiedError(Exception):
    """A worker has ended, before it was ready or in the middle of a case; the message says how, and
    its exit message."""

    ready = False


class _ProblemError(Exception):
    """A worker cannot make the scenario that the campaign is about."""


class _Process:
    """One process, seen from here."""

    def __init__(self, job: str) -> None:
        try:
            with ExitStack() as unless_started:
                self._said = unless_started.enter_context(
                    tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
                )
                self._process = subprocess.Popen(
                    [sys.executable, "-c", _START, *sys.path],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._said,
                    env=dict.fromkeys(_ONE_THREAD, "1") | os.environ,
                    encoding="utf-8",
                    errors="replace",
                    start_new_session=True,  # Ctrl-C is for us: we end it
                )
                unless_started.pop_all()  # `end` closes it
        except OSError as error:  # too many processes or files, no memory
            reason = error.strerror or str(error)
            raise WorkerError(
                f"no worker can be started: {reason}; fewer --workers take less"
            ) from error
        self._job: str | None = job

    def fly(self, asks: str) -> list[dict[str, Any]]:
        if self._job is not None:
            ready: dict[str, Any] = self._answer(self._job, dict)
            if "problem" in ready:
                raise _ProblemError(ready["problem"])
            self._job = None
        answers: list[dict[str, Any]] = self._answer(asks, list)
        return answers

    def kill(self) -> None:
        """Ends the process, in the middle of a case if it is in one."""
        self._process.kill()

    def end(self) -> None:
        """Ends it, and waits until it has."""
        self.kill()
        with suppress(OSError), self._said, self._process:  # a question it did not live to hear
            self._process.wait()

    def _answer(self, line: str, kind: type) -> Any:
        """The next line that is JSON of that kind: what modules print while Python starts is none,
        as those do that a .pth file loads."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
            while (said := self._process.stdout.readline()).endswith("\n"):
                with suppress(ValueError):
                    answer = json.loads(said)
                    if isinstance(answer, kind):
                        return answer
        died = _DiedError(self._exit_message())
        died.ready = self._job is None
        raise died

    def _exit_message(self) -> str:
        how = ended_by(self._process.wait())
        self._said.seek(0)
        said = self._said.read()[-_SHOWN:].strip()
        return how + (f"\n{said}" if said else "")


class Station:
    """Flies cases of a job by one process after the other: one that dies is replaced."""

    def __init__(self, job: str) -> None:
        self._job = job
        self._process: _Process | None = None
        self._ending = False
        self._change = Lock()

    def fly(self, asks: str) -> list[dict[str, Any]]:
        """The cases as plain data, or why there is none (see `Executor.fly`).  A case whose process
        dies is flown TRIES times in all; several at once are then flown one by one, TRIES times
        each."""
        deaths: list[_DiedError] = []
        while len(deaths) < TRIES and not self._ending:
            try:
                return self._hired().fly(asks)
            except _ProblemError as error:
                return [{"seed": seed, "problem": str(error)} for seed in seeds_of(asks)]
            except WorkerError as error:
                return [{"seed": seed, "failure": str(error)} for seed in seeds_of(asks)]
            except _DiedError as error:
                deaths.append(error)
            self._dismiss()
            single = single_asks(asks)
            if len(single) > 1:
                return [answer for each in single for answer in self.fly(each)]
        (seed,) = seeds_of(asks)
        last = str(deaths[-1]) if deaths else ""
        if not any(death.ready for death in deaths):
            return [{"seed": seed, "failure": f"no worker could start, in {TRIES} tries: {last}"}]
        return [{"seed": seed, "crashed": last, "tries": TRIES}]

    def end(self) -> None:
        """Ends the process, in the middle of a case if it is in one; nothing is flown any more."""
        with self._change:
            self._ending = True
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """Waits until the process has ended."""
        self.end()
        self._dismiss()

    def _hired(self) -> _Process:
        with self._change:
            if self._process is None:
                self._process = _Process(self._job)
                if self._ending:
                    self._process.kill()
            return self._process

    def _dismiss(self) -> None:
        with self._change:
            process, self._process = self._process, None
        if process is not None:
            process.end()


def seeds_of(asks: str) -> list[int]:
    """Of the cases that are asked for."""
    return [int(each["seed"]) for each in json.loads(asks)]


def single_asks(asks: str) -> list[str]:
    """The same, one by one."""
    return [json.dumps([each]) for each in json.loads(asks)]


def ended_by(code: int) -> str:
    """How a process with that exit code has ended."""
    if code >= 0:
        return f"it ended with code {code}"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    why = ", as the system does when memory runs out" if -code == _SIGKILL else ""
    return f"it was killed by {name}{why}"
