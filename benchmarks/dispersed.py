"""Dispersed cases of a mission, a line of JSON each, and the table of those that were flown."""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from proxops.campaigns.result import wilson
from proxops.scenario.load import Scenario

Case = dict[str, Any]


def main(
    text: str,
    scenario: Callable[[], Scenario],
    flown: Callable[[Scenario, int], Case],
    tell: Callable[[list[Case]], None],
) -> None:
    """Flies cases that the file does not have yet, or tells of those that were flown; `text` begins
    the help."""
    parser = argparse.ArgumentParser(description=text.splitlines()[0])
    parser.add_argument("--seeds", default="0:100", help="first, and the one after the last")
    parser.add_argument("--out", type=Path, help="file to add cases to, a line each")
    parser.add_argument(
        "--table", type=Path, nargs="*", default=[], help="only tell of those files"
    )
    chosen = parser.parse_args()
    if not chosen.table:
        believed, done = scenario(), {case["seed"] for case in _read([chosen.out])}
        with chosen.out.open("a") as file:
            for seed in range(*map(int, chosen.seeds.split(":"))):
                if seed in done:
                    continue
                case = {"seed": seed, **flown(believed.dispersed(seed), seed)}
                file.write(json.dumps(case) + "\n")
                file.flush()
                say(str(case))
    tell(_read(chosen.table or [chosen.out]))


def _read(files: list[Path]) -> list[Case]:
    """Cases that were flown."""
    lines = [line for file in files if file.exists() for line in file.read_text().splitlines()]
    return [json.loads(line) for line in lines]


def share(cases: list[Case], is_so: Callable[[Case], bool]) -> str:
    """How many cases are so, and of how many in all that lets one be sure."""
    count, n = sum(is_so(case) for case in cases), len(cases)
    low, high = wilson(count, n)
    return f"{count} of {n} ({100 * low:.1f} to {100 * high:.1f} % with 95 % confidence)"


def say(line: str) -> None:
    """Prints a line."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
