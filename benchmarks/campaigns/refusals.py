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

from benchmarks.campaigns.cluster import OTHERS, OURS, Cluster, cluster_of
from benchmarks.campaigns.command import DISPERSIONS, Command, say, write_mission
from benchmarks.campaigns.hosts import HERE, Host, two_hosts, why_no_hosts

LIMIT_S = 10.0
_INPUT, _LINK = 2, 4
SOURCES = Path(__file__).parents[2] / "src" / "proxops"
# A server of dask's whose version is another one
OTHER_VERSION = (
    "import sys, distributed, distributed.versions as versions\n"
    "distributed.__version__ = '2024.1.0'\n"
    "versions._version_cached = lambda package: '2024.1.0'\n"
    "from distributed.cli.dask_scheduler import main\n"
    "main()\n"
)


def _tls(address: str, files: Sequence[str]) -> list[str]:
    names = ("ca", "cert", "key")
    return [
        "--scheduler",
        address,
        *(f"--tls-{name}={file}" for name, file in zip(names, files, strict=True)),
    ]


class Refusals:
    """Asks for campaigns that cannot be, and notes what comes of it."""

    def __init__(self, command: Command) -> None:
        self._command, self._count, self.slow = command, 0, 0

    def ask(
        self, what: str, fliers: Sequence[str], code: int, words: str, host: Host = HERE
    ) -> None:
        """One row: RuntimeError if it ends with another code or without these words."""
        self._count += 1
        out = f"refused-{self._count}"
        begin = time.monotonic()
        found = self._command.start(out, fliers, host).wait()
        taken = time.monotonic() - begin
        said = " ".join(self._command.said(out).read_text().split())
        if found != code or words not in said:
            raise RuntimeError(f"{what}: exit code {found}, {said[-2000:]}")
        self.slow += taken > LIMIT_S
        say(f"| {what} | {found} | {taken:.1f} | {said[said.find('proxops: ') + 9 :][:160]} |")


def refusals() -> None:
    """One after the other; RuntimeError if one takes longer than ten seconds."""
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        mission = write_mission(folder / "mission.toml", "touch", DISPERSIONS)
        refused = Refusals(Command(folder, str(mission), 4))
        say("| | exit code | seconds | says |\n|---|--:|--:|---|")
        with cluster_of(1, tls=True) as cluster:
            _certificates(refused, cluster)
        _schedulers(refused)
        _versions(refused, folder)
        missing = why_no_hosts()
        if missing:
            say(f"a host that does not answer: LEFT OUT, {missing}")
        else:
            with two_hosts() as (one, _, cable), cluster_of(0, one) as cluster:
                cable.cut()
                refused.ask("a host behind a cut cable", cluster.words, _LINK, "scheduler", one)
        if refused.slow:
            raise RuntimeError(f"{refused.slow} took longer than {LIMIT_S:g} s")


def _certificates(refused: Refusals, cluster: Cluster) -> None:
    address, fit = cluster.address, "the certificates do not fit"
    refused.ask("certificates of another authority", _tls(address, OTHERS), _INPUT, fit)
    mixed = (OURS[0], *OTHERS[1:])
    refused.ask("our authority, another one's certificate", _tls(address, mixed), _INPUT, fit)
    wrong_key = (*OURS[:2], OTHERS[2])
    refused.ask("a key of another certificate", _tls(address, wrong_key), _INPUT, "with its key")
    plain = ["--scheduler", address.replace("tls", "tcp")]
    refused.ask("no certificates", plain, _LINK, "one with TLS needs tls://")


def _schedulers(refused: Refusals) -> None:
    with closing(socket.socket()) as listening:
        listening.bind((HERE.address, 0))
        address = f"tcp://{HERE.address}:{listening.getsockname()[1]}"
        refused.ask("nobody there", ["--scheduler", address], _LINK, "cannot be reached")
        listening.listen()
        refused.ask("a silent server", ["--scheduler", address], _LINK, "does not answer")
    with _speaking() as address:
        words = "does not speak as a dask scheduler"
        refused.ask("a server of something else", ["--scheduler", address], _LINK, words)
    with cluster_of(0, tls=True, scheduler=(sys.executable, "-c", OTHER_VERSION)) as cluster:
        words = "runs distributed 2024.1.0, here is"
        refused.ask("a scheduler of another version", cluster.words, _INPUT, words)


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
            refused.ask(what, cluster.words, _INPUT, words)
