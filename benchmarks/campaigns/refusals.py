"""What does not fit is refused in words, and soon."""

import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from shutil import ignore_patterns
from threading import Thread

import proxops
from benchmarks.campaigns.cluster import OTHERS, OURS, Cluster, cluster_of
from benchmarks.campaigns.command import DISPERSIONS, say
from benchmarks.campaigns.hosts import HERE
from proxops.campaigns import Job, Scheduler
from proxops.campaigns.cluster import DaskCluster
from proxops.core.errors import InputError, LinkLostError, ProxopsError

LIMIT_S = 10.0
SOURCES = Path(__file__).parents[2] / "src" / "proxops"
# A server of dask's whose version is another one
OTHER_VERSION = (
    "import sys, distributed, distributed.versions as versions\n"
    "distributed.__version__ = '2024.1.0'\n"
    "versions._version_cached = lambda package: '2024.1.0'\n"
    "from distributed.cli.dask_scheduler import main\n"
    "main()\n"
)


class Refusals:
    """Asks for campaigns that cannot be, and notes what comes of it."""

    def __init__(self) -> None:
        mission = proxops.load("touch").replace({"dispersions": DISPERSIONS})
        self._job, self.slow = Job(mission).text("run"), 0
        with suppress(LinkLostError):  # loads dask: what is measured is the refusal
            DaskCluster(self._job, Scheduler(f"tcp://{HERE.address}:9"))

    def ask(
        self, what: str, address: str, files: Sequence[str], error: type[ProxopsError], words: str
    ) -> None:
        """One row: RuntimeError if it is not refused so, in these words."""
        begin = time.monotonic()
        try:
            DaskCluster(self._job, Scheduler(address, *files)).close()
        except error as found:
            taken, said = time.monotonic() - begin, str(found)
        else:
            raise RuntimeError(f"{what}: not refused")
        if words not in said:
            raise RuntimeError(f"{what}: {said}")
        self.slow += taken > LIMIT_S
        say(f"| {what} | {error.exit_code} | {taken:.1f} | {said} |")


def refusals() -> None:
    """One after the other; RuntimeError if one takes longer than ten seconds."""
    refused = Refusals()
    say("| | exit code | seconds | says |\n|---|--:|--:|---|")
    with cluster_of(1, tls=True) as cluster:
        _certificates(refused, cluster)
    _schedulers(refused)
    with tempfile.TemporaryDirectory() as folder:
        _versions(refused, Path(folder))
    if refused.slow:
        raise RuntimeError(f"{refused.slow} took longer than {LIMIT_S:g} s")


def _certificates(refused: Refusals, cluster: Cluster) -> None:
    address, fit = cluster.address, "the certificates do not fit"
    refused.ask("certificates of another authority", address, OTHERS, InputError, fit)
    mixed = (OURS[0], *OTHERS[1:])
    refused.ask("a certificate of another authority", address, mixed, InputError, fit)
    wrong_key = (*OURS[:2], OTHERS[2])
    refused.ask("a key of another certificate", address, wrong_key, InputError, "with its key")
    plain, words = address.replace("tls", "tcp"), "one with TLS needs tls://"
    refused.ask("no certificates", plain, (), LinkLostError, words)


def _schedulers(refused: Refusals) -> None:
    with closing(socket.socket()) as listening:
        listening.bind((HERE.address, 0))
        address = f"tcp://{HERE.address}:{listening.getsockname()[1]}"
        refused.ask("nobody there", address, (), LinkLostError, "cannot be reached")
        listening.listen(0)
        refused.ask("a silent server", address, (), LinkLostError, "does not answer")
        with ExitStack() as stack:  # it takes no more connections: nothing answers at all
            for _ in range(4):
                full = stack.enter_context(closing(socket.socket()))
                full.setblocking(False)
                full.connect_ex((HERE.address, listening.getsockname()[1]))
            refused.ask("nothing answers", address, (), LinkLostError, "does not answer")
    with _speaking() as address:
        words = "does not speak as a dask scheduler"
        refused.ask("a server of something else", address, (), LinkLostError, words)
    with cluster_of(0, tls=True, scheduler=(sys.executable, "-c", OTHER_VERSION)) as cluster:
        words = "runs distributed 2024.1.0, here is"
        refused.ask("a scheduler of another version", cluster.address, OURS, InputError, words)


@contextmanager
def _speaking() -> Iterator[str]:
    """The address of a server that speaks first, as dask's do, in another language."""
    with closing(socket.socket()) as listening:
        listening.bind((HERE.address, 0))
        listening.listen()

        def greet() -> None:
            with suppress(OSError), ExitStack() as stack:
                while True:
                    connection, _ = listening.accept()
                    stack.enter_context(connection).sendall(b"220 ready\r\n")

        Thread(target=greet, daemon=True).start()
        yield f"tcp://{HERE.address}:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)


def _versions(refused: Refusals, folder: Path) -> None:
    """Workers whose proxops is another one, and workers that have none."""
    shutil.copytree(SOURCES, folder / "edited" / "proxops", ignore=ignore_patterns("__pycache__"))
    with open(folder / "edited" / "proxops" / "api.py", "a") as file:
        file.write("# edited\n")
    (folder / "without" / "proxops").mkdir(parents=True)
    (folder / "without" / "proxops" / "__init__.py").touch()
    for what, where, words in (
        ("a worker with other sources", "edited", "would give other results: sources"),
        ("a worker without proxops", "without", "cannot load proxops as it is here"),
    ):
        with cluster_of(0, tls=True) as cluster:
            begin = ("env", f"PYTHONPATH={folder / where}", sys.executable, "-m")
            cluster.start_worker(command=(*begin, "distributed.cli.dask_worker"))
            cluster.wait_for_workers(1)
            refused.ask(what, cluster.address, OURS, InputError, words)
