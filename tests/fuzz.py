"""Mutated scenarios, facilities and recordings: each is refused in words, or gives finite numbers.

    python tests/fuzz.py --count 5000 --seed 0

What is shipped is broken at random (numbers, types, keys, lines, bytes, nesting), read, built and,
where no other kernels are needed, run for a moment.  Allowed are a ProxopsError and a result of
finite numbers; any other exception, a warning of NumPy, a hang or a number that is none is a
finding.  The same seed breaks the same things; `--only N` repeats one.
"""

import argparse
import dataclasses
import json
import math
import random
import re
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import proxops
from proxops import api
from proxops.assembly.arena import arena_of, load_arena
from proxops.assembly.facility import fit_out, load_facility
from proxops.core.errors import ProxopsError
from proxops.results.run import Run
from proxops.scenario.load import Scenario, load
from proxops.scenario.shipped import shipped_facilities, shipped_missions
from proxops.sim.simulation import Simulation
from proxops.viewer.hardware import hardware_of

PATIENCE_S = 60.0  # for one case on a busy machine; they take some 50 ms
MOMENT_S = 0.1  # of running
NUMBERS = (
    0, -1, 1, 2**31, -(2**63), 10**30, 10**400, 0.0, -0.0, 1e-300, 5e-324, -1e-9, 1e-15, 1e9,
    1e15, 1e19, 1e20, 1e150, -1e300, 1.7976931348623157e308, math.inf, -math.inf, math.nan,
)  # fmt: skip
WORDS = ("", " ", "a", "free-tumble", "\u0000", "é\u202e\U0001f6f0", "x" * 5000, "../../x", "nan")


class Hang(BaseException):
    """A case has taken too long."""


@dataclass(frozen=True)
class Finding:
    """What should not have happened."""

    number: int
    kind: str
    words: str
    where: str


# --- mutations ------------------------------------------------------------------------------------


def odd_value(rng: random.Random, like: object) -> Any:
    """Something else in the place of a value."""
    if isinstance(like, (int, float)) and not isinstance(like, bool) and rng.random() < 0.75:
        factor = rng.choice((-1.0, 0.0, 0.5, 2.0, 10.0, 1e3, 1e6, 1e-6, 1e-3, 1e12, 1e-12))
        return float(like) * factor
    return rng.choice(
        (
            rng.choice(NUMBERS),
            rng.choice(NUMBERS),
            rng.choice(WORDS),
            True,
            None,
            [],
            {},
            [rng.choice(NUMBERS)] * rng.choice((1, 2, 3, 4, 1000)),
            {"kind": rng.choice(WORDS)},
            nested(rng.choice((5, 50, 5000))),
        )
    )


def nested(depth: int) -> Any:
    """Tables in each other."""
    value: Any = 1.0
    for _ in range(depth):
        value = {"a": value}
    return value


def places(node: Any, depth: int = 0) -> list[tuple[Any, Any]]:
    """Every container with each of its keys."""
    if depth > 30 or not isinstance(node, (dict, list)):
        return []
    keys = list(node) if isinstance(node, dict) else list(range(len(node)))
    found = [(node, key) for key in keys]
    for key in keys:
        found += places(node[key], depth + 1)
    return found


def break_document(rng: random.Random, document: dict[str, Any]) -> None:
    """Changes, removes, doubles or exchanges entries."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        found = places(document)
        if not found:
            return
        node, key = rng.choice(found)
        what = rng.random()
        if what < 0.65:
            node[key] = odd_value(rng, node[key])
        elif what < 0.75:
            del node[key]
        elif what < 0.85 and isinstance(node, dict):
            node[rng.choice(WORDS) or "other"] = node[key]
        elif what < 0.9 and isinstance(node, list):
            node.extend([node[key]] * rng.choice((1, 3, 500)))
        else:
            other, there = rng.choice(found)
            node[key] = json.loads(json.dumps(other[there], default=str))


def break_text(rng: random.Random, text: str) -> str:
    """Changes numbers and lines of a text."""
    for _ in range(rng.choice((1, 1, 2, 5))):
        lines = text.split("\n")
        at = rng.randrange(len(lines))
        what = rng.random()
        if what < 0.5:
            numbers = list(re.finditer(r"-?\d+(\.\d+)?([eE][-+]?\d+)?", text))
            if numbers:
                found = rng.choice(numbers)
                value = odd_value(rng, float(found.group()))
                text = text[: found.start()] + plain(value) + text[found.end() :]
        elif what < 0.6:
            text = "\n".join(lines[:at] + lines[at + 1 :])
        elif what < 0.7:
            text = "\n".join([*lines[: at + 1], *lines[at:]])
        elif what < 0.8:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
            text = "\n".join(lines)
        elif what < 0.9:
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice('[]{}"=#.,<>/&\x00\t\né\U0001f6f0') + text[at + 1 :]
        else:
            text = text[: rng.randrange(len(text) + 1)]
    return text


def plain(value: object) -> str:
    """A value about as it would be typed."""
    if isinstance(value, int):
        return str(value)
    try:
        return repr(value).replace("None", "")
    except RecursionError:
        return "{ a = " * 300 + "}" * 300


def break_bytes(rng: random.Random, data: bytes) -> bytes:
    """Flips, removes, inserts, cuts or doubles bytes."""
    broken = bytearray(data)
    for _ in range(rng.choice((1, 1, 3, 20))):
        if not broken:
            break
        at, what = rng.randrange(len(broken)), rng.random()
        size = rng.choice((1, 4, 8, 100))
        if what < 0.4:
            broken[at] ^= 1 << rng.randrange(8)
        elif what < 0.55:
            broken[at : at + size] = rng.choice((b"\x00", b"\xff")) * size
        elif what < 0.7:
            del broken[at : at + size]
        elif what < 0.8:
            broken[at:at] = rng.randbytes(size)
        elif what < 0.9:
            broken[at:at] = broken[max(0, at - 2000) : at]
        else:
            del broken[at:]
    return bytes(broken)


# --- cases ----------------------------------------------------------------------------------------


def finite(what: str, values: Any) -> None:
    """Fails on numbers that are none."""
    if not np.isfinite(np.asarray(values, dtype=float)).all():
        raise AssertionError(f"{what}: has numbers that are not finite")


def flown(scenario: Scenario) -> str:
    """Builds a scenario, and runs it for a moment."""
    simulation = Simulation(scenario)
    if simulation.kernels != "run":
        return "built"
    end = time.monotonic() + MOMENT_S
    run = simulation.run(stop=lambda: time.monotonic() > end)
    if run.outcome == "invalid":
        return "invalid"
    finite("rows", run.rows)
    for each in run.requirements:
        if each.status != "not-reached":
            finite(each.name, each.value)
    return "run"


def scenario_text(rng: random.Random, folder: Path) -> str:
    """A mission's file with broken text."""
    name = rng.choice(sorted(shipped_missions()))
    file = folder / "mission.toml"
    file.write_text(break_text(rng, mission_text(name)), encoding="utf-8", errors="replace")
    return flown(load(file))


@cache
def mission_text(name: str) -> str:
    return shipped_missions()[name].read_text("utf-8")


@cache
def stored(name: str) -> str:
    return json.dumps(load(name).to_dict())


def scenario_document(rng: random.Random, _: Path) -> str:
    """A stored mission with broken entries."""
    document = json.loads(stored(rng.choice(sorted(shipped_missions()))))
    break_document(rng, document["mission"] if rng.random() < 0.9 else document)
    return flown(Scenario.from_dict(document))


def scenario_change(rng: random.Random, _: Path) -> str:
    """A mission with broken values set."""
    scenario = load(rng.choice(sorted(shipped_missions())))
    changes: dict[str, Any] = {}
    for _ in range(rng.choice((1, 2))):
        node: Any = scenario.to_dict()["mission"]
        path: list[str] = []
        while isinstance(node, (dict, list)) and node and rng.random() < 0.95:
            keys = list(node) if isinstance(node, dict) else range(len(node))
            path.append(str(rng.choice(list(keys))))
            node = node[path[-1]] if isinstance(node, dict) else node[int(path[-1])]
        if rng.random() < 0.1:
            path.append(rng.choice((*WORDS, "1" * 5000, "-1")))
        changes[".".join(path)] = odd_value(rng, node)
    return flown(scenario.replace(changes))


def scenario_file(rng: random.Random, _: Path) -> str:
    """A mission with a broken URDF or CSV."""
    names = [name for name in sorted(shipped_missions()) if json.loads(stored(name))["files"]]
    document = json.loads(stored(rng.choice(names)))
    name = rng.choice(sorted(document["files"]))
    document["files"][name] = break_text(rng, document["files"][name])
    return flown(Scenario.from_dict(document))


def facility_file(rng: random.Random, folder: Path) -> str:
    """A facility with broken text, fitted out for a mission."""
    name = rng.choice(sorted(shipped_facilities()))
    file = folder / "facility.toml"
    text = break_text(rng, shipped_facilities()[name].read_text("utf-8"))
    file.write_text(text, encoding="utf-8", errors="replace")
    arena = load_arena(file)
    if arena is not None:
        finite("vehicle", arena_of(arena.file).vehicle.allocation)
        return "built"
    lab = load_facility(file)
    if lab.facility.robots is not None:
        for robot in fit_out(lab.facility, load("touch")):
            for field in robot:
                if isinstance(field, np.ndarray) and field.dtype.kind == "f":
                    finite("robot", field)
    return "built"


@cache
def recorded() -> tuple[bytes, str]:
    """Bytes and summary of a short recording."""
    rates = {"control_rate_hz": 1000.0, "record_rate_hz": 100.0}
    moment = {"duration_s": 0.5, "phases": {"only": {"until_s": 0.5, "step_s": 0.001}}}
    scenario = load("free-tumble").replace({"time": moment | rates, "requirements": {}})
    with tempfile.TemporaryDirectory() as folder:
        proxops.simulate(scenario, out=f"{folder}/run")
        run = Path(folder, "run")
        return (run / "run.mcap").read_bytes(), (run / "summary.json").read_text()


def recording(rng: random.Random, folder: Path) -> str:
    """A broken recording: opened, looked at, recovered, with its page."""
    data, summary = recorded()
    run = folder / "run"
    run.mkdir()
    whole = rng.random()
    (run / "run.mcap").write_bytes(break_bytes(rng, data) if whole < 0.85 else data)
    if whole < 0.7:
        (run / "summary.json").write_text(summary)
    elif whole < 0.9:
        (run / "summary.json").write_text(break_text(rng, summary), errors="replace")
    said = []
    for use in (proxops.open, api.look, api.recover, proxops.open):
        try:
            found = use(run)
            said.append("read")
            if found.outcome != "invalid" and whole >= 0.85:
                finite("rows", found.rows)
            if use is api.look:
                found.report(folder / "page.html", overwrite=True)
        except ProxopsError as error:
            check_words(error)
            said.append("refused")
    return "read" if "read" in said else "refused"


@cache
def sound_run() -> Run:
    """The short recording, read."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in zip(("run.mcap", "summary.json"), recorded(), strict=True):
            data = content if isinstance(content, bytes) else content.encode()
            Path(folder, name).write_bytes(data)
        return proxops.open(folder)


def recording_content(rng: random.Random, folder: Path) -> str:
    """A recording whose checksums are right and whose content is broken, as one from elsewhere may
    be: opened, with its page and its scene."""
    sound = sound_run()
    provenance = json.loads(json.dumps(dict(sound.provenance)))
    if rng.random() < 0.3:  # as that of a rehearsal
        provenance |= {
            "facility": load_facility("ideal").to_dict(),
            "no_contact": True,
            "speed": 0.5,
        }
        provenance |= {"representation": "relative", "nominal": {"name": "unforced"}}
    break_document(rng, provenance)
    rows = sound.rows.copy()
    if rng.random() < 0.3:
        rows[rng.randrange(len(rows)), rng.randrange(rows.shape[1])] = rng.choice(
            (math.nan, math.inf, 1e300, -1e300, 0.0)
        )
    said = ["refused"]
    try:
        dataclasses.replace(sound, provenance=provenance, rows=rows).save(folder / "run")
    except (TypeError, ValueError, OverflowError, RecursionError):
        return "no JSON"  # whoever sends it cannot write it either
    for use in (proxops.open, api.look):
        try:
            found = use(folder / "run")
            found.report(folder / "page.html", overwrite=True)
            hardware_of(found.provenance, found.signals())
            said.append("read")
        except ProxopsError as error:
            check_words(error)
    return said[-1]


KINDS: dict[str, Callable[[random.Random, Path], str]] = {
    "scenario text": scenario_text,
    "scenario document": scenario_document,
    "scenario change": scenario_change,
    "scenario file": scenario_file,
    "facility": facility_file,
    "recording": recording,
    "recording content": recording_content,
}


def check_words(error: ProxopsError) -> None:
    """Fails on a message that is none."""
    text = str(error)
    if not text or "internal" in text or len(text) > 20_000:
        raise AssertionError(f"message: {text[:200]!r}") from error


def try_one(seed: int, number: int, kinds: list[str]) -> tuple[str, str, Finding | None]:
    """Kind and end of a case, and what is wrong with it."""
    rng = random.Random(f"{seed} {number}")
    kind = kinds[number % len(kinds)]

    def hung(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, hung)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE_S)
    try:
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            return kind, KINDS[kind](rng, Path(folder)), None
    except ProxopsError as error:
        check_words(error)
        return kind, "refused", None
    except (Exception, Hang) as error:
        frames = traceback.extract_tb(error.__traceback__)
        ours = [each for each in frames if "proxops" in each.filename] or frames
        where = f"{Path(ours[-1].filename).name}:{ours[-1].lineno} {ours[-1].name}"
        words = f"{type(error).__name__}: {str(error)[:200]}"
        return kind, "finding", Finding(number, kind, words, where)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    """Tries so many, says how they ended; 1 if there was a finding."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="Number of the one to repeat, with its traceback.")
    parser.add_argument("--kind", choices=KINDS, action="append", help="Only of this kind.")
    asked = parser.parse_args()
    kinds = asked.kind or list(KINDS)
    recorded()  # sound
    ends: Counter[tuple[str, str]] = Counter()
    places_found: Counter[str] = Counter()
    for number in [asked.only] if asked.only is not None else range(asked.count):
        kind, end, finding = try_one(asked.seed, number, kinds)
        ends[kind, end] += 1
        if finding is not None:
            places_found[finding.where] += 1
            if places_found[finding.where] <= 3:
                say(f"{finding.number} {kind}: {finding.words}\n    {finding.where}")
        if sys.stderr.isatty() and number % 50 == 0:
            sys.stderr.write(f"\r{number} of {asked.count}")
    for (kind, end), count in sorted(ends.items()):
        say(f"{kind:20} {end:10} {count}")
    for where, count in places_found.most_common():
        say(f"finding at {where}: {count}")
    return 1 if places_found else 0


if __name__ == "__main__":
    sys.exit(main())
