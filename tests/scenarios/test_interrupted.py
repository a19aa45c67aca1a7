"""Ctrl-C is heard whatever a run is at, and what was recorded is kept."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import proxops

pytestmark = pytest.mark.slow

PROXOPS = [sys.executable, "-m", "proxops"]
BARE = ("--set", "requirements={}")  # they name a mode that these controllers do not have
EXAMPLE = Path(__file__).parents[2] / "examples" / "hold_place.toml"
SHORT = ("--set", "time.duration_s=2.0", "--set", "time.phases.hold.until_s=2.0")
LONG = (
    "--set", "time.duration_s=3000.0", "--set", "requirements={}",
    "--set", "time.phases={only={until_s=3000.0, step_s=0.001}}",
)  # fmt: skip

# Controllers that do not come back from their turn at 0.5 s; they write a byte on fd 1 before.
STUCK = """
import ctypes, os
from proxops import Compiled

say = ctypes.CDLL(None).write
say.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]

def endless(parameters, memory, seen, asked):
    if seen.t[0] > 0.5:
        say(1, memory.ctypes, 1)
        while True:
            memory[1] += 1.0

def from_the_first(parameters, memory, seen, asked):
    say(1, memory.ctypes, 1)
    while True:
        memory[1] += 1.0

compiled = Compiled(endless)
at_once = Compiled(from_the_first)

class Python:
    def control(self, seen, asked):
        if seen.t > 0.5:
            os.write(1, b"-")
            while True:
                pass

class Deaf:
    def control(self, seen, asked):
        while seen.t > 0.5:
            try:
                os.write(1, b"-")
                while True:
                    pass
            except BaseException:
                pass
"""


def started(*words, cwd, **more):
    return subprocess.Popen(
        [*PROXOPS, *words], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more
    )


def stuck(name, cwd):
    """A run whose controller has begun a turn that does not end."""
    (cwd / "my.py").write_text(STUCK)
    process = started(
        *("run", EXAMPLE, *SHORT, *BARE, "--controller", f"my.py:{name}", "--out", "run"), cwd=cwd
    )
    if not process.stdout.read(1):
        raise AssertionError(process.communicate())
    return process


@pytest.mark.parametrize(("name", "presses"), [("Python", 1), ("compiled", 2), ("Deaf", 3)])
def test_a_controller_that_never_returns_is_ended_and_the_recording_is_kept(
    tmp_path, name, presses
):
    process = stuck(name, tmp_path)
    for press in range(presses):
        if press and name == "Deaf":  # it swallows what it hears, and says so
            assert process.stdout.read(1)
        elif press:
            assert b"Ctrl-C again" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=120)
    assert process.returncode == 130, stderr
    assert b"interrupted at 0.5 s; the recording is kept in run" in stderr
    assert b"Traceback" not in stderr
    run = proxops.open(tmp_path / "run")
    assert run.outcome == "interrupted"
    assert run.rows[-1, 0] == pytest.approx(0.5)
    assert sorted(os.listdir(tmp_path / "run")) == ["run.mcap", "summary.json"]


def test_a_controller_that_never_returns_at_all_leaves_nothing(tmp_path):
    process = stuck("at_once", tmp_path)
    process.send_signal(signal.SIGINT)
    assert b"Ctrl-C again" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=120)
    assert process.returncode == 130, stderr
    assert b"before the first row: no recording is kept" in stderr
    assert not (tmp_path / "run").exists()


def test_ctrl_c_is_heard_while_kernels_compile(tmp_path):
    cold = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    process = started("run", "free-tumble", "--out", "run", cwd=tmp_path, env=cold)
    assert b"compiling kernels" in process.stderr.readline()
    while not (tmp_path / "run" / "run.mcap").exists():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=120)
    assert process.returncode == 130, stderr
    assert b"Traceback" not in stderr
    assert not (tmp_path / "run").exists()
    stored = [path.name for path in (tmp_path / "cache").rglob("warm-*")]
    assert stored == []  # it did not wait for the kernels


def test_an_interrupted_run_does_not_replace_one_that_came_to_its_end(tmp_path):
    words = ("run", "free-tumble", "--out", "run")
    subprocess.run([*PROXOPS, *words], cwd=tmp_path, capture_output=True, check=True)
    earlier = proxops.open(tmp_path / "run")
    process = started(*words, *LONG, "--overwrite", cwd=tmp_path)
    recording = tmp_path / "run" / "unfinished" / "run.mcap"
    while not (recording.exists() and recording.stat().st_size > 200_000):
        assert process.poll() is None
    assert proxops.open(tmp_path / "run").hash == earlier.hash
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=120)
    assert process.returncode == 130, stderr
    assert b"recording: run/unfinished" in stdout
    assert b"run: the run in it stays" in stderr
    assert proxops.open(tmp_path / "run").hash == earlier.hash
    assert proxops.open(tmp_path / "run" / "unfinished").outcome == "interrupted"
