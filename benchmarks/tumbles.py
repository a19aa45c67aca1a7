"""Captures of targets that tumble about any axis: what comes of each, and how near the two came.

python -m benchmarks.tumbles --seeds 0-199
python -m benchmarks.tumbles --seeds 0-19 --facility oos-sim
python -m benchmarks.tumbles --mission envisat-capture --seeds 0-99    # as it is shipped
"""

import argparse
import json
import multiprocessing
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

import proxops
from proxops.results.run import Run

TUMBLES = Path(__file__).with_name("tumbles.toml")
WORKERS = 2
NICE = 5  # other work on this machine comes first


def outcome_of(case: tuple[str, str | None, int]) -> dict[str, Any]:
    """What came of the case of a seed, as plain data."""
    mission, facility, seed = case
    scenario = proxops.load(mission).dispersed(seed)
    fly = proxops.simulate if facility is None else proxops.rehearse
    try:
        run = fly(scenario) if facility is None else fly(scenario, facility)
    except proxops.ProxopsError as error:
        return {"seed": seed, "outcome": "refused", "reason": str(error)}
    w = np.array(scenario.mission.target.w_NT_T_deg_s)
    return {"seed": seed, "rate": float(np.linalg.norm(w)), "w": w.tolist()} | judged(run)


def judged(run: Run) -> dict[str, Any]:
    """Outcome, reason and clearance of a run."""
    t, clearance = run["relative.clearance"]
    modes = [event for event in run.events if event.detail.startswith("obsw.capture")]
    abort = next((event for event in modes if event.name == "abort"), None)
    overlaps = np.flatnonzero(clearance <= 0.0)
    first = float(t[overlaps[0]]) if len(overlaps) else None
    mode = next((e.name for e in reversed(modes) if first is not None and e.t_s <= first), None)
    return {
        "outcome": run.outcome,
        "ended": float(t[-1]),
        "abort": None if abort is None else abort.t_s,
        "reason": "" if abort is None else abort.detail.removeprefix("obsw.capture: "),
        "clearance": float(clearance.min()),
        "at": float(t[clearance.argmin()]),
        "overlap": first,
        "mode": mode,
        "failed": [item.name for item in run.requirements if not item.passed],
    }


def seeds_of(text: str) -> list[int]:
    """Seeds as `0-199` or `3,7,11`."""
    first, dash, last = text.partition("-")
    return list(range(int(first), int(last) + 1)) if dash else [int(x) for x in text.split(",")]


def main() -> None:
    """Flies the cases; a line for each, then how many there were of each kind."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--mission", default=str(TUMBLES))
    parser.add_argument("--facility")
    parser.add_argument("--seeds", default="0-199", type=seeds_of)
    parser.add_argument("--out", type=Path, help="JSON lines")
    args = parser.parse_args()
    cases = [(args.mission, args.facility, seed) for seed in args.seeds]
    found = []
    with multiprocessing.get_context("spawn").Pool(WORKERS, os.nice, (NICE,)) as pool:
        for done, case in enumerate(pool.imap(outcome_of, cases), start=1):
            found.append(case)
            say(f"{done:4d}/{len(cases)} {told(case)}")
            if args.out is not None:
                with args.out.open("a") as file:
                    file.write(json.dumps(case) + "\n")
    counts = Counter(kind(case) for case in found)
    for name, count in counts.most_common():
        say(f"{count:5d}  {name}")
    sys.exit(any(overlapped(case) for case in found))


def say(line: str) -> None:
    """Prints a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def overlapped(case: dict[str, Any]) -> bool:
    """Whether the two were in one another."""
    return case.get("overlap") is not None


def kind(case: dict[str, Any]) -> str:
    """What a case counts as."""
    ends = case["reason"] if case.get("abort") is not None else case["outcome"]
    return f"OVERLAP while in {case['mode']}: {ends}" if overlapped(case) else ends


def told(case: dict[str, Any]) -> str:
    """One line about a case."""
    if "clearance" not in case:
        return f"seed {case['seed']}: {case['outcome']}: {case['reason']}"
    abort = "" if case["abort"] is None else f", abort at {case['abort']:.1f} s: {case['reason']}"
    overlap = f", OVERLAP at {case['overlap']:.1f} s in {case['mode']}" if overlapped(case) else ""
    return (
        f"seed {case['seed']}: {case['rate']:.2f} deg/s, {case['outcome']}, least clearance "
        f"{case['clearance']:.3f} m at {case['at']:.1f} s{overlap}{abort}"
    )


if __name__ == "__main__":
    main()
