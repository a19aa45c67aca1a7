"""A dask cluster whose processes may be killed and started again."""

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.campaigns.hosts import HERE, Host
from benchmarks.campaigns.processes import children, command_of, wait_until

TLS = Path(__file__).parents[2] / "tests" / "scenarios" / "tls"
OURS, OTHERS = (
    tuple(str(TLS / name) for name in (f"{who}-ca.pem", f"{who}.pem", f"{who}.key"))
    for who in ("ours", "others")
)


class Cluster:
    """A scheduler, and workers with nannies, which start them again."""

    def __init__(
        self, stack: ExitStack, host: Host, *, tls: bool, scheduler: tuple[str, ...]
    ) -> None:
        self._stack, self.host, self.tls, self._command = stack, host, tls, scheduler
        self._port = 0
        self._folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self._started = 0
        self.nannies: list[subprocess.Popen[bytes]] = []
        self.start_scheduler()

    @property
    def address(self) -> str:
        """Of the scheduler."""
        return f"{'tls' if self.tls else 'tcp'}://{self.host.address}:{self._port}"

    @property
    def words(self) -> list[str]:
        """Of a command whose cases it is to fly."""
        names = ("ca", "cert", "key")
        files = [f"--tls-{name}={file}" for name, file in zip(names, OURS, strict=True)]
        return ["--scheduler", self.address, *(files if self.tls else [])]

    def start_scheduler(self) -> None:
        """At the port that it had before, if it had one."""
        protocol = ["--protocol", "tls"] if self.tls else []
        words = ("--port", str(self._port), *protocol)
        self.scheduler, self._said = self._start(
            self.host, "scheduler", *words, python=self._command
        )
        said = self._said
        pattern = r"Scheduler at:\s+t..://\S+:(\d+)"
        wait_until(lambda: re.search(pattern, said.read_text()), "a scheduler that listens")
        self._port = int(re.findall(pattern, said.read_text())[0])

    def start_worker(self, host: Host | None = None, command: tuple[str, ...] = ()) -> None:
        """One more, on that host; `command` starts it in place of Python."""
        words = (self.address, "--nthreads", "1", "--memory-limit", "0")
        nanny, _ = self._start(host or self.host, "worker", *words, python=command)
        self.nannies.append(nanny)

    def wait_for_workers(self, count: int) -> None:
        """Until the scheduler knows so many."""
        wait_until(lambda: self._said.read_text().count("Register worker") >= count, "workers")

    def kill_worker(self, rng: random.Random) -> None:
        """One that a nanny watches."""
        nanny = rng.choice(self.nannies)
        wait_until(lambda: _workers_of(nanny.pid), "a worker of a nanny")
        os.kill(_workers_of(nanny.pid)[0], signal.SIGKILL)

    def kill_nanny(self, rng: random.Random) -> None:
        """One of them; another one begins in its place."""
        nanny = self.nannies.pop(rng.randrange(len(self.nannies)))
        nanny.kill()
        nanny.wait()
        self.start_worker()

    def kill_scheduler(self) -> None:
        """With the connections to it."""
        self.scheduler.kill()
        self.scheduler.wait()

    def restart(self, workers: int) -> None:
        """A scheduler at the same address, and workers, once those before have ended."""
        for nanny in self.nannies:
            nanny.kill()
            nanny.wait()
        self.nannies = []
        self.start_scheduler()
        for _ in range(workers):
            self.start_worker()

    def _start(
        self, host: Host, kind: str, *words: str, python: tuple[str, ...] = ()
    ) -> tuple["subprocess.Popen[bytes]", Path]:
        names = ("ca-file", "cert", "key")
        files = [f"--tls-{n}={f}" for n, f in zip(names, OURS, strict=True)] if self.tls else []
        begin = python or (sys.executable, "-m", f"distributed.cli.dask_{kind}")
        command = [*host.enter, *begin, *words, *files, "--host", host.address, "--no-dashboard"]
        self._started += 1
        said = self._folder / f"{kind}-{self._started}"
        with open(said, "wb") as file:
            process = subprocess.Popen(command, cwd=self._folder, stdout=file, stderr=file)
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process, said


def _workers_of(nanny: int) -> list[int]:
    return [pid for pid in children(nanny) if "spawn_main" in command_of(pid)]


@contextmanager
def cluster_of(
    workers: int, host: Host = HERE, *, tls: bool = False, scheduler: tuple[str, ...] = ()
) -> Iterator[Cluster]:
    """A scheduler, or what is started in its place, with that many workers."""
    with ExitStack() as stack:
        made = Cluster(stack, host, tls=tls, scheduler=scheduler)
        for _ in range(workers):
            made.start_worker()
        yield made
