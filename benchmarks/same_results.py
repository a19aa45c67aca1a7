"""Whether two revisions of the sources make the same runs.

Every shipped mission is flown in orbit, and rehearsed on every shipped facility that can carry it,
by the sources of both revisions; each revision compiles its kernels in a folder of its own.

    python -m benchmarks.same_results before.npz --sources <src of a checkout> --exact
    python -m benchmarks.same_results after.npz --exact
    python -m benchmarks.same_results before.npz after.npz --renamed renamed.toml

`--exact` compiles without fused multiply-add, whose last bits depend on what LLVM folds into what:
runs are then equal to the bit, or a law has changed.  `renamed.toml` maps old names of signals and
events to new ones.
"""

import argparse
import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve()
OWN = HERE.parents[1] / "src"
TINY = 1e-9  # of a signal's scale, which runs with fused multiply-add may differ by


def main() -> int:
    """Records one revision, or compares two recordings."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recordings", nargs="+", type=Path)
    parser.add_argument("--sources", type=Path, default=OWN)
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--renamed", type=Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if len(options.recordings) == 1:
        return record(options.recordings[0], options.sources, options.exact, options.only)
    names = tomllib.loads(options.renamed.read_text()) if options.renamed else {}
    return compare(*(np.load(file) for file in options.recordings), names)


def record(file: Path, sources: Path, exact: bool, only: str) -> int:
    """Flies everything in a process that knows only those sources."""
    cache = file.with_suffix(".kernels").resolve()
    known = {"PYTHONPATH": str(sources.resolve()), "XDG_CACHE_HOME": str(cache)}
    order = [sys.executable, str(HERE.with_name("all_runs.py")), str(file)]
    words = [*(["--exact"] if exact else []), *(["--only", only] if only else [])]
    return subprocess.run([*order, *words], env=os.environ | known, check=False).returncode


def compare(before: np.lib.npyio.NpzFile, after: np.lib.npyio.NpzFile, names: dict) -> int:
    """Prints a line a run; returns 1 if any differs."""
    runs = sorted({key.partition("/")[0] for key in before.files})
    different = 0
    for run in runs:
        lines = list(differences(before, after, run, names))
        different += bool(lines)
        sys.stdout.write(f"{run:45} {'differs' if lines else 'equal'}\n")
        for line in lines:
            sys.stdout.write(f"    {line}\n")
    sys.stdout.write(f"{len(runs) - different} of {len(runs)} runs equal\n")
    return 1 if different else 0


def differences(before, after, run: str, names: dict):
    """What differs in a run: verdict, events, then signals, the worst first."""
    if f"{run}/verdict" not in after.files:
        yield "not flown"
        return
    verdicts = [str(each[f"{run}/verdict"]) for each in (before, after)]
    if verdicts[0] != verdicts[1]:
        yield f"{verdicts[0]} has become {verdicts[1]}"
    events = [list(map(str, each.get(f"{run}/events", ()))) for each in (before, after)]
    renamed = [names.get("events", {}).get(event, event) for event in events[0]]
    if renamed != events[1]:
        pairs = zip(renamed, events[1], strict=False)
        first = next((pair for pair in pairs if pair[0] != pair[1]), "their number")
        yield f"events: {first}"
    found, known = [], set()
    for key in (key for key in before.files if key.startswith(f"{run}/signals/")):
        name = key.split("/")[-1]
        other = f"{run}/signals/{names.get('signals', {}).get(name, name)}"
        known.add(other)
        if other not in after.files:
            yield f"{name} is gone"
            continue
        a, b = before[key], after[other]
        if a.shape != b.shape:
            yield f"{name}: {a.shape} has become {b.shape}"
        elif a.tobytes() != b.tobytes():
            with np.errstate(invalid="ignore"):
                scale, apart = np.nanmax(np.abs(a), initial=0.0), np.nanmax(np.abs(a - b))
            found.append((apart / max(scale, 1e-30), name))
    added = {key for key in after.files if key.startswith(f"{run}/signals/")} - known
    if added:
        yield f"new: {', '.join(sorted(key.split('/')[-1] for key in added))}"
    for ratio, name in sorted(found, reverse=True)[:8]:
        yield f"{name}: {ratio:.1e} of its scale{' (tiny)' if ratio < TINY else ''}"


if __name__ == "__main__":
    started = time.perf_counter()
    code = main()
    sys.stderr.write(f"{time.perf_counter() - started:.0f} s\n")
    sys.exit(code)
