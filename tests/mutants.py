"""Breaks each law on purpose and sees that its test goes red.

Every entry of mutants.toml is applied in a temporary copy of the tree; the named test must then
fail by an assertion or a refusal.  A mutant that survives, does not apply, or breaks more than a
law is a fault.

    python -m tests.mutants                   all of them
    python -m tests.mutants tidal plant/      those whose file or test contains one of the words

A broken kernel would have to be compiled anew, with all that call it.  So kernels run as the Python
that they are written in, except in tests that take too long that way: `COMPILED`.  Before anything
is broken, the other tests must be green without compilation too.

Loading package and tests takes longer than most tests.  So they are loaded once, and each mutant
has a copy of that process, where the code of a function is exchanged.  Where that does not turn the
test red (what was broken ran as a module was loaded), and where kernels are compiled, a process
loads all from a broken copy of the tree, and that one decides.
"""

import importlib
import io
import multiprocessing
import os
import resource
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path

import pytest

from tests.mutation import AnchorError, break_loaded, mutate

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("src", "tests", "benchmarks", "examples", "pyproject.toml")
SKIPPED = shutil.ignore_patterns("__pycache__", "*.egg-info", "*.mcap")
LOG = "log"
WORKERS = 2
FORK = multiprocessing.get_context("fork")

# What takes long to import and is never broken: once, for all processes that fork from this one
PRELOADED = ("hypothesis", "numba", "numpy", "pydantic", "scipy.integrate", "scipy.spatial")

# Tests that are compiled for: they take thousands of steps, more time than the compiler needs, or
# divide by zero or overflow, which Python refuses.
COMPILED = (
    "tests/facility/test_guard.py::test_a_motion_that_is_taken_over",
    "tests/facility/test_industrial_margins.py::test_the_moment",
    "tests/facility/test_rehearsed_states.py",
    "tests/facility/test_rendering.py::test_damping_is_the_root",
    "tests/facility/test_servo.py",
    "tests/laws/test_navigation.py::test_errors_are_as_large",
    "tests/laws/test_separation_rule.py",
    "tests/scenarios/test_berthing.py",
    "tests/scenarios/test_lanes.py",
    "tests/scenarios/test_robot.py",
    "tests/scenarios/test_validate.py",
    "tests/unit/test_schedule.py::test_a_named_tuple",
)

# What says something of a law: assertions, and refusals by the package.  By name, since modules of
# the package are loaded anew.  Code that cannot run does not, nor numbers that Python refuses where
# compiled kernels go on with infinity or NaN, nor a test that is too slow for Hypothesis.
VERDICTS = {"AssertionError", "Failed", "ProxopsError"}


@dataclass(frozen=True)
class Mutant:
    file: str
    expression: str
    becomes: str
    test: str
    function: str = ""  # its qualified name; empty: the module, or a file that is no Python

    def __str__(self) -> str:
        return f"{self.file} {self.function}: {self.expression!r} -> {self.becomes!r}"

    @property
    def compiled(self) -> bool:
        return self.test.startswith(COMPILED)

    def applied(self, text: str) -> str:
        """The text of its file, broken."""
        if self.file.endswith(".py"):
            return mutate(text, self.function, self.expression, self.becomes)
        if text.count(self.expression) != 1:
            raise AnchorError(f"stands {text.count(self.expression)} times, not once")
        return text.replace(self.expression, self.becomes)


def all_mutants() -> list[Mutant]:
    """Those of mutants.toml."""
    entries = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text())["mutant"]
    return [Mutant(**entry) for entry in entries]


class Red:
    """Remembers what the test that went red raised."""

    raised: BaseException | None = None

    def pytest_exception_interact(self, call: pytest.CallInfo) -> None:
        self.raised = call.excinfo.value


def copied(folder: Path) -> Path:
    """A copy of the tree as it is."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=SKIPPED)
        else:
            shutil.copy2(ROOT / name, folder / name)
    return folder


def enter(copy: Path, compiled: bool) -> None:
    """Has this process load package and tests from a copy of the tree; it stays there."""
    # Lightly optimised kernels compile faster; what they compute is the same to rounding.
    os.environ |= {
        "NUMBA_OPT": "1" if compiled else "3",
        "NUMBA_DISABLE_JIT": "0" if compiled else "1",
        "PYTHONPATH": str(copy / "src"),
        "XDG_CACHE_HOME": str(copy / "cache"),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # each would be imported by every process
    }
    importlib.import_module("numba").config.reload_config()
    for name in [name for name in sys.modules if name.startswith(("proxops", "tests."))]:
        del sys.modules[name]
    sys.path.insert(0, str(copy / "src"))
    os.chdir(copy)


def tested(*arguments: str) -> tuple[int, Red]:
    """Exit code of pytest, and what was red."""
    red = Red()
    return pytest.main(["-x", "--tb=short", "-p", "no:cacheprovider", *arguments], [red]), red


def loaded(tests: list[str]) -> bool:
    """Loads the modules of all tests; whether that went well."""
    files = dict.fromkeys(test.partition("::")[0] for test in tests)
    with redirect_stdout(io.StringIO()) as output:
        fault, _ = tested("--collect-only", *files)
    if fault:
        sys.stderr.write(output.getvalue())
    return not fault


def keep(tests: list[str]) -> None:
    """Ends this process, well only if the tests are green."""
    sys.exit(tested(*tests)[0])


def green(tests: list[str]) -> bool:
    """Whether all tests are green without compilation."""
    shares = [share for n in range(WORKERS) if (share := tests[n::WORKERS])]
    processes = [FORK.Process(target=keep, args=(share,)) for share in shares]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return not any(process.exitcode for process in processes)


def is_verdict(raised: BaseException | None) -> bool:
    """Whether what a test raised, in a group all of it, is a verdict on a law."""
    if isinstance(raised, BaseExceptionGroup):
        return all(is_verdict(each) for each in raised.exceptions)
    return any(each.__name__ in VERDICTS for each in type(raised).__mro__)


def judge(mutant: Mutant, unbroken: Path, copy: Path, anew: bool) -> None:
    """Ends this process, well only if the mutant's test goes red for its law."""
    copy.mkdir()
    log = os.open(copy / LOG, os.O_WRONLY | os.O_CREAT)
    os.dup2(log, sys.stdout.fileno())
    os.dup2(log, sys.stderr.fileno())
    try:
        broken = mutant.applied((unbroken / mutant.file).read_text())
    except AnchorError as error:
        sys.exit(str(error))
    if anew:
        shutil.copytree(unbroken, copy, copy_function=os.link, dirs_exist_ok=True)
        target = copy / mutant.file
        target.unlink()  # the link, not what it shares with the unbroken copy
        target.write_text(broken)
        os.utime(target, (0, 0))  # the time of no bytecode
        enter(copy, mutant.compiled)
    elif not break_loaded(unbroken / mutant.file, broken):
        sys.exit("what is broken was done as its module was loaded")
    code, red = tested(mutant.test)
    if code == pytest.ExitCode.OK:
        sys.exit(f"survived {mutant.test}")
    if code != pytest.ExitCode.TESTS_FAILED or not is_verdict(red.raised):
        sys.exit(f"{mutant.test} tells of no law: {red.raised!r}")


def verdicts(mutants: list[Mutant], folder: Path) -> Iterator[tuple[Mutant, float, str | None]]:
    """Each mutant with the seconds of a processor it took and what is wrong with it, or None."""
    waiting = [(mutant, mutant.compiled) for mutant in mutants]
    waiting.sort(key=lambda each: each[1])  # taken from its end
    running = {}
    spent = _spent()
    while waiting or running:
        if waiting and len(running) < WORKERS:
            mutant, anew = waiting.pop()
            copy = folder / f"{mutants.index(mutant)}"
            process = FORK.Process(target=judge, args=(mutant, folder / "unbroken", copy, anew))
            process.start()
            running[process.sentinel] = process, mutant, anew, copy
            continue
        process, mutant, anew, copy = running.pop(wait(running)[0])
        process.join()
        seconds, spent = _spent() - spent, _spent()
        output = (copy / LOG).read_text()[-4000:]
        shutil.rmtree(copy)
        if process.exitcode and not anew:
            waiting.append((mutant, True))
            continue
        fault = f"{output}exit {process.exitcode}" if process.exitcode else None
        yield mutant, seconds, fault


def _spent() -> float:
    """Seconds of a processor, of all processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> int:
    """Number of faults, as an exit code."""
    mutants, words = all_mutants(), sys.argv[1:]
    if words:
        mutants = [m for m in mutants if any(word in m.file or word in m.test for word in words)]
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # every process has a core
    for name in PRELOADED:
        importlib.import_module(name)
    faults = 0
    with tempfile.TemporaryDirectory(prefix="proxops-mutants-") as name:
        folder = Path(name)
        unbroken = copied(folder / "unbroken")
        enter(unbroken, compiled=False)
        tests = list(dict.fromkeys(m.test for m in mutants if not m.compiled))
        if tests and not (loaded(tests) and green(tests)):
            sys.stderr.write("mutants: a test is red without compilation, and nothing is broken\n")
            return 1
        for count, (mutant, seconds, fault) in enumerate(verdicts(mutants, folder), start=1):
            word = "FAULT" if fault else "RED"
            sys.stderr.write(f"[{count}/{len(mutants)}] {word} in {seconds:.1f} s {mutant}\n")
            if fault:
                faults += 1
                sys.stderr.write(f"    {fault}\n")
    counts = f"{len(mutants) - faults} passed, {faults} failed"
    sys.stderr.write(f"mutants: {counts}, {_spent():.0f} s of a processor\n")
    return 1 if faults or not mutants else 0


if __name__ == "__main__":
    sys.exit(main())
