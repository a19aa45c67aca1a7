"""Campaigns on a dask cluster: the same cases as on this computer, whatever dies meanwhile; what
does not fit is rejected in words."""

import json
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

import proxops
from proxops.campaigns import Job, Scheduler
from proxops.campaigns.ask import Ask
from proxops.campaigns.cluster import DaskCluster
from proxops.core.errors import InputError, LinkLostError

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("cluster")]
pytest.importorskip("distributed")

TLS = Path(__file__).parent / "tls"
OURS, OTHERS = (
    (str(TLS / f"{name}-ca.pem"), str(TLS / f"{name}.pem"), str(TLS / f"{name}.key"))
    for name in ("ours", "others")
)
DISPERSIONS = {
    "mass": {"key": "target.mass_kg", "scale": 0.2},
    "speed": {"key": "chaser.v_HC_m_s.0", "shift": 0.01},
}


@contextmanager
def started(kind: str, *words: str) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """A scheduler or a worker, on loopback and with our certificates; and what it says."""
    names = ("ca-file", "cert", "key")
    files = [f"--tls-{name}={file}" for name, file in zip(names, OURS, strict=True)]
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words, *files]
    with tempfile.NamedTemporaryFile() as said:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--no-dashboard"],
            stdout=subprocess.DEVNULL,
            stderr=said,
        )
        try:
            yield process, Path(said.name)
        finally:
            process.kill()
            process.wait()


@contextmanager
def started_scheduler() -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A scheduler by TLS, and its address."""
    with started("scheduler", "--port", "0", "--protocol", "tls") as (process, said):
        while not (found := re.search(r"Scheduler at:\s+(tls://\S+)", said.read_text())):
            assert process.poll() is None, said.read_text()
            time.sleep(0.05)
        yield process, found.group(1)


def started_worker(address: str) -> Any:
    return started("worker", address, "--nthreads", "1", "--no-nanny", "--memory-limit", "0")


@pytest.fixture(scope="module")
def touch() -> proxops.Scenario:
    return proxops.load("touch").replace({"dispersions": DISPERSIONS})


@pytest.fixture(scope="module")
def cluster() -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    with started_scheduler() as found:
        yield found


def test_a_cluster_that_loses_a_worker_and_then_its_scheduler(touch, cluster, tmp_path):
    """One story, since starting processes takes most of its time."""
    process, address = cluster
    scheduler, seeds = Scheduler(address, *OURS), range(16)
    cases = tmp_path / "kept" / "cases.jsonl"
    with started_worker(address) as (one, _), started_worker(address) as (other, _):

        def kill_one() -> None:
            while not (cases.exists() and cases.stat().st_size):
                time.sleep(0.01)
            one.kill()

        threading.Thread(target=kill_one, daemon=True).start()
        there = proxops.campaign(touch, seeds, scheduler=scheduler, out=tmp_path / "kept")
        assert one.wait() == -signal.SIGKILL
        assert there.cases == proxops.campaign(touch, seeds, workers=1).cases
        assert all(there.timings[seed]["cpu_s"] > 0.0 for seed in seeds)
        _wrong_certificates_are_refused(address)
        _other_versions_are_refused(Job(touch), scheduler)
        _ending_leaves_nothing(Job(touch), scheduler, other.pid)
        _without_scheduler_it_ends_and_resumes(process, address, tmp_path)


def _wrong_certificates_are_refused(address: str) -> None:
    for files in (OTHERS, (OURS[0], *OTHERS[1:])):
        with pytest.raises(InputError, match="the certificates do not fit"):
            DaskCluster("{}", Scheduler(address, *files))
    with pytest.raises(LinkLostError, match="needs tls:// and certificates"):
        DaskCluster("{}", Scheduler(address.replace("tls", "tcp")))


def _other_versions_are_refused(job: Job, scheduler: Scheduler) -> None:
    data = json.loads(job.text("run"))
    old = json.dumps(data | {"versions": data["versions"] | {"proxops": "0.1.0"}})
    with pytest.raises(InputError, match=r"worker tls://\S+ would give other results: proxops"):
        DaskCluster(old, scheduler)
    with pytest.raises(InputError, match=r"target x86-64-\S+, here x86-64-v9"):
        DaskCluster(json.dumps(data | {"target": "x86-64-v9"}), scheduler)


def _ending_leaves_nothing(job: Job, scheduler: Scheduler, worker: int) -> None:
    """Ended while cases are under way: no process of ours is left on the worker."""
    endless = job.scenario.replace({"time.duration_s": 4000.0, "time.phases.touch.until_s": 4000.0})
    with closing(DaskCluster(Job(endless).text("run"), scheduler)) as cluster:
        before = children(worker)

        def stop() -> bool:
            return bool(children(worker) - before)

        assert list(cluster.fly([Ask(seed) for seed in range(8)], stop)) == []
        (ours,) = children(worker) - before
    deadline = time.monotonic() + 60.0
    while is_alive(ours):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def children(pid: int) -> set[int]:
    files = Path(f"/proc/{pid}/task").glob("*/children")
    return {int(each) for file in files for each in file.read_text().split()}


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except OSError:
        return False


def _without_scheduler_it_ends_and_resumes(
    scheduler: subprocess.Popen[bytes], address: str, folder: Path
) -> None:
    """The command ends with 4; what it has done is not flown again."""
    speed = 'dispersions.speed={key="chaser.v_HC_m_s.0", shift=0.01}'
    words = [sys.executable, "-m", "proxops", "campaign", "touch", "--set", speed]
    words += ["--seeds", "0-9999", "--out", "gone", "--scheduler", address]
    files = zip(("ca", "cert", "key"), OURS, strict=True)
    words += [f"--tls-{name}={file}" for name, file in files]
    cases = folder / "gone" / "cases.jsonl"
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=folder, stdout=pipe, stderr=pipe, text=True) as process:
        while not (cases.exists() and cases.read_bytes().count(b"\n") >= 3):
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        scheduler.kill()
        _, said = process.communicate(timeout=120)
    assert process.returncode == 4, said
    assert f"scheduler {address}: has gone; cases that are done are kept" in said
    kept = cases.read_bytes()
    done = [json.loads(line)["seed"] for line in kept.splitlines()]
    mission = proxops.load("touch").replace({"dispersions.speed": DISPERSIONS["speed"]})
    assert len(proxops.campaign(mission, done, out=folder / "gone").cases) == len(done)
    assert cases.read_bytes() == kept


def test_nobody_there_is_said_with_the_address():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(LinkLostError, match=rf"127.0.0.1:{port}: cannot be reached"):
            DaskCluster("{}", Scheduler(f"tcp://127.0.0.1:{port}"))
        taken.listen()
        closer = threading.Thread(target=lambda: taken.accept()[0].close())
        closer.start()
        with pytest.raises(LinkLostError, match="is it a dask scheduler"):
            DaskCluster("{}", Scheduler(f"tcp://127.0.0.1:{port}"))
        closer.join()

        def greet() -> None:
            with taken.accept()[0] as connection:
                connection.sendall(b"220 ready\r\n")

        greeter = threading.Thread(target=greet)
        greeter.start()
        with pytest.raises(LinkLostError, match="does not speak as a dask scheduler"):
            DaskCluster("{}", Scheduler(f"tcp://127.0.0.1:{port}"))
        greeter.join()


@pytest.mark.parametrize(
    ("address", "files", "says"),
    [
        ("127.0.0.1:8786", (), "must be tcp://HOST:PORT or tls://HOST:PORT"),
        ("tcp://127.0.0.1", (), "must be tcp://HOST:PORT"),
        ("tls://127.0.0.1:8786", (), "TLS needs --tls-ca and --tls-cert and --tls-key"),
        ("tcp://127.0.0.1:8786", OURS, "certificates are for tls://"),
        ("tls://127.0.0.1:8786", ("nowhere.pem", *OURS[1:]), "--tls-ca nowhere.pem: cannot be"),
    ],
)
def test_an_address_that_cannot_be_is_rejected(address, files, says):
    with pytest.raises(InputError, match=says):
        Scheduler(address, *files)


def test_nothing_loads_dask_unless_it_is_asked_for():
    script = (
        "import sys, proxops, proxops.campaigns.fly, proxops.cli.main\n"
        "print([name for name in ('dask', 'distributed') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match="the extra 'campaign': pip install distributed"):
        DaskCluster("{}", Scheduler("tcp://127.0.0.1:9"))
