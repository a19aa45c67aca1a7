"""Breaks each law on purpose and sees that its test goes red.

Every entry of mutants.toml is applied in a temporary copy of the tree; the named test must then
fail.  A mutant that survives, does not apply, or breaks more than an assertion is a fault.

    python tests/mutants.py            all of them
    python tests/mutants.py tidal      those whose file or test contains the word
"""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("src", "tests", "benchmarks", "pyproject.toml")
SKIPPED = shutil.ignore_patterns("__pycache__", "*.egg-info", "*.mcap")
TESTS_FAILED = 1  # pytest's exit code for red tests; higher ones are broken runs
WORKERS = 2


@dataclass(frozen=True)
class Mutant:
    file: str
    find: str
    replace: str
    test: str

    def __str__(self) -> str:
        return f"{self.file}: {self.find.strip()!r} -> {self.replace.strip()!r}"


def verdict(mutant: Mutant) -> str | None:
    """What is wrong with a mutant, or None if its test went red."""
    with tempfile.TemporaryDirectory(prefix="proxops-mutant-") as folder:
        copy = Path(folder)
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=SKIPPED)
            else:
                shutil.copy(source, copy / name)
        target = copy / mutant.file
        text = target.read_text()
        if text.count(mutant.find) != 1:
            return f"its text stands {text.count(mutant.find)} times in the file, not once"
        target.write_text(text.replace(mutant.find, mutant.replace))
        # Lightly optimised kernels compile faster; what they compute is the same to rounding.
        environment = os.environ | {
            "PYTHONPATH": str(copy / "src"),
            "XDG_CACHE_HOME": str(copy / "cache"),
            "NUMBA_OPT": "1",
        }
        command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", mutant.test]
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            return f"survived {mutant.test}"
        if done.returncode != TESTS_FAILED:
            return f"{mutant.test} did not run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        return None


def main() -> int:
    """Number of faults, as an exit code."""
    entries = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text())["mutant"]
    mutants = [Mutant(**entry) for entry in entries]
    if len(sys.argv) > 1:
        mutants = [m for m in mutants if sys.argv[1] in m.file or sys.argv[1] in m.test]
    faults = 0
    with ThreadPoolExecutor(WORKERS) as pool:
        for count, (mutant, fault) in enumerate(
            zip(mutants, pool.map(verdict, mutants), strict=True), start=1
        ):
            sys.stderr.write(
                f"[{count}/{len(mutants)}] {'RED' if not fault else 'FAULT'} {mutant}\n"
            )
            if fault:
                faults += 1
                sys.stderr.write(f"    {fault}\n")
    sys.stderr.write(f"mutants: {len(mutants) - faults} passed, {faults} failed\n")
    return 1 if faults or not mutants else 0


if __name__ == "__main__":
    sys.exit(main())
