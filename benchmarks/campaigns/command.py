"""The command `proxops campaign` as a user starts it, and what it has stored."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.campaigns.hosts import HERE, Host
from benchmarks.campaigns.processes import wait_until

PROXOPS = (sys.executable, "-m", "proxops")
DISPERSIONS = {
    "mass": {"key": "target.mass_kg", "scale": 0.2},
    "inertia": {"key": "target.inertia_kg_m2", "scale": 0.1},
    "spin": {"key": "target.w_NT_T_deg_s", "rotation_deg": 5.0},
    "speed": {"key": "chaser.v_HC_m_s.0", "shift": 0.01},
}
Cases = dict[int, dict[str, Any]]


def say(text: str) -> None:
    """Prints a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def write_mission(file: Path, base: str, dispersions: dict[str, dict[str, Any]]) -> Path:
    """A dispersed mission that is short to fly."""
    lines = [f'extends = "{base}"']
    for name, each in dispersions.items():
        lines += [f"[dispersions.{name}]", *(f"{k} = {json.dumps(v)}" for k, v in each.items())]
    file.write_text("\n".join(lines) + "\n")
    return file


@dataclass(frozen=True)
class Command:
    """A campaign of a mission; who flies it is said when it starts."""

    folder: Path  # in which its files are stored
    mission: str
    count: int
    words: tuple[str, ...] = field(default=())

    def start(
        self, out: str, fliers: Sequence[str] = (), host: Host = HERE
    ) -> "subprocess.Popen[bytes]":
        """On that host, by the local pool or as `fliers` say."""
        seeds = f"0-{self.count - 1}"
        words = ("campaign", self.mission, "--seeds", seeds, "--out", out, *self.words, *fliers)
        with open(self.said(out), "ab") as said:
            return subprocess.Popen(
                [*host.enter, *PROXOPS, *words], cwd=self.folder, stdout=said, stderr=said
            )

    def fly(self, out: str, fliers: Sequence[str] = (), host: Host = HERE) -> Cases:
        """To its end, and what it has stored; RuntimeError if it does not get there."""
        code = self.start(out, fliers, host).wait()
        if code not in (0, 1):
            raise RuntimeError(f"exit code {code}: {self.said(out).read_text()[-2000:]}")
        return self.cases(out)

    def said(self, out: str) -> Path:
        """What it has printed."""
        return self.folder / f"{out}.said"

    def cases(self, out: str) -> Cases:
        """By seed, without what they took."""
        file = self.folder / out / "cases.jsonl"
        lines = file.read_text().split("\n")[:-1] if file.exists() else []
        cases = [json.loads(line) for line in lines]
        return {case["seed"]: {k: v for k, v in case.items() if k != "timing"} for case in cases}

    def done(self, out: str) -> int:
        """How many cases are stored, one that was flown again counted again."""
        file = self.folder / out / "cases.jsonl"
        return file.read_bytes().count(b"\n") if file.exists() else 0

    def wait_for(self, process: "subprocess.Popen[bytes]", out: str, count: int) -> bool:
        """Waits for so many cases; whether the process is still there then."""
        wait_until(
            lambda: process.poll() is not None or self.done(out) >= count,
            f"{count} cases of {out}",
        )
        return process.poll() is None


def differing(found: Cases, reference: Cases) -> list[int]:
    """Seeds of cases that are not as they are to be, or are not there."""
    seeds = found.keys() | reference.keys()
    return sorted(seed for seed in seeds if found.get(seed) != reference.get(seed))
