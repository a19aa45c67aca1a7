"""Cases on disk, one JSON line each, so that a campaign that was ended goes on where it was.

campaign.json   what is flown, and its hash; which cases were asked for last
cases.jsonl     the cases in the order in which they were done
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Any

from proxops.campaigns.ask import Ask, ask_in
from proxops.campaigns.job import Job
from proxops.core.errors import InputError, OutputError, ProxopsError
from proxops.results.store.folder import lock, write_text, writing
from proxops.results.store.plain import from_json, read_object, to_json

HEAD, CASES = "campaign.json", "cases.jsonl"
Cases = dict[int, dict[str, Any]]
Timings = dict[int, dict[str, float]]


class CaseStore:
    """The cases that are done, by seed; in a file as well if there is one."""

    def __init__(self, folder: Path | None = None, file: FileIO | None = None) -> None:
        self.done: dict[int, dict[str, Any]] = {}
        self.timings: dict[int, dict[str, float]] = {}  # what each took: differs between equal runs
        self._folder, self._file = folder, file

    def add(self, case: dict[str, Any], timing: dict[str, float] | None = None) -> None:
        """Stores one more case."""
        if self._folder is not None and self._file is not None:
            with writing(self._folder):
                line = case | ({"timing": timing} if timing else {})
                data = to_json(line, f"case {case['seed']}").encode() + b"\n"
                while data:  # a disk that gets full takes a part
                    data = data[self._file.write(data) :]
        self.done[case["seed"]] = case
        if timing:
            self.timings[case["seed"]] = timing

    def has(self, ask: Ask) -> bool:
        """Whether just this case is done: another design may have had another one of that seed."""
        return ask.seed in self.done and ask_in(self.done[ask.seed]) == ask

    def request(self, request: Mapping[str, Any]) -> None:
        """Stores what the campaign was asked for in the end."""
        if self._folder is not None:
            with writing(self._folder):
                write_head(self._folder, read_object(self._folder / HEAD) | {"request": request})

    def forget(self, outcome: str) -> None:
        """Takes cases with that outcome as not done; the last line of a case counts in the file."""
        self.done = {seed: case for seed, case in self.done.items() if case["outcome"] != outcome}


def write_head(folder: Path, head: Mapping[str, Any]) -> None:
    """Puts campaign.json in place."""
    write_text(folder / HEAD, to_json(dict(head), HEAD, indent=2))


@contextmanager
def open_case_store(
    folder: str | os.PathLike[str] | None, job: Job, request: Mapping[str, Any] | None = None
) -> Iterator[CaseStore]:
    """The case store of a folder, with those that it has; in memory only if there is none.

    `request` is stored with the job: what the campaign is asked for this time.
    """
    if folder is None:
        yield CaseStore()
        return
    folder = Path(folder)
    with ExitStack() as stack:
        with writing(folder):
            made = _claim(folder, job)
            # Without a buffer: closing it would try again to write what could not be written
            file = stack.enter_context(open(folder / CASES, "a+b", buffering=0))
            if not lock(file.fileno()):
                raise OutputError(f"{folder}: another process runs a campaign in it")
            for name in _parts(folder):
                (folder / name).unlink(missing_ok=True)
            write_head(
                folder, {"hash": job.hash} | job.to_dict() | {"request": dict(request or {})}
            )
            store = CaseStore(folder, file)
            store.done, store.timings = _read(folder / CASES, file)
        try:
            yield store
        except ProxopsError:
            if made and not store.done:
                _take_back(folder, made)
            raise


def _claim(folder: Path, job: Job) -> tuple[Path, ...]:
    """Makes the folder of a new campaign, or sees that it is one of the same; the folders that had
    to be made, innermost first."""
    if folder.exists() and not folder.is_dir():
        raise OutputError(
            f"{folder}: is a file; choose another path for the folder of the campaign"
        )
    made = tuple(path for path in (folder, *folder.parents) if not path.exists())
    folder.mkdir(parents=True, exist_ok=True)
    head = folder / HEAD
    if head.exists():
        if read_object(head).get("hash") != job.hash:
            raise OutputError(
                f"{folder}: holds a campaign of another scenario, facility or version; choose "
                "another folder"
            )
        return made
    found = sorted(set(os.listdir(folder)) - {CASES, *_parts(folder)})
    if found or ((folder / CASES).is_file() and (folder / CASES).stat().st_size):
        first = (found or [CASES])[0]
        raise OutputError(f"{folder}: holds {first!r}, so no campaign is stored there")
    return made


def _parts(folder: Path) -> list[str]:
    """Heads that a kill has left before they were whole."""
    names = os.listdir(folder)
    return [name for name in names if name.startswith(f".{HEAD}.") and name.endswith(".part")]


def _take_back(folder: Path, made: tuple[Path, ...]) -> None:
    """Removes a campaign of which no case was flown."""
    with suppress(OSError):
        for name in (CASES, HEAD):
            (folder / name).unlink()
        for path in made:
            path.rmdir()


def _read(path: Path, file: FileIO) -> tuple[Cases, Timings]:
    """The cases of a file; a last line that was cut by a kill is cut off."""
    file.seek(0)
    data = file.read()
    rest = len(data) - data.rfind(b"\n") - 1
    if rest:
        file.truncate(file.tell() - rest)
    return read_cases(path, data)


def read_cases(path: Path, data: bytes) -> tuple[Cases, Timings]:
    """The cases in the data of a file and what they took, by seed; a last line that was cut by a
    kill is not one."""
    *lines, _ = data.split(b"\n")
    done: Cases = {}
    timings: Timings = {}
    for number, line in enumerate(lines, start=1):
        case = from_json(line, f"{path}: line {number}")
        if not _is_case(case):
            raise InputError(f"{path}: line {number}: {json.dumps(case)[:60]} is not a case")
        timings[case["seed"]] = case.pop("timing", {})
        done[case["seed"]] = case
    return done, timings


def _is_case(case: Any) -> bool:
    """Whether data have what is made of cases afterwards."""
    match case:
        case {
            "seed": int(),
            "outcome": str(),
            "passed": bool(),
            "cause": str() | None,
            "detail": str(),
            "drawn": dict(drawn),
            "warnings": list(texts),
            "requirements": list(items),
        }:
            return (
                all(map(_is_requirement, items))
                and all(isinstance(each, str) for each in texts)
                and all(map(_is_draw, drawn.values()))
                and _is_place(case.get("point") or {})
                and isinstance(case.get("ledger") or {}, dict)
                and _is_timing(case.get("timing", {}))
            )
    return False


def _is_draw(item: Any) -> bool:
    match item:
        case {"key": str(), "by": by, "value": _}:
            return all(map(_is_number, by if isinstance(by, list) else [by]))
    return False


def _is_place(point: Any) -> bool:
    """Whether it is a point of a design."""
    return isinstance(point, dict) and all(
        isinstance(numbers, list) and all(map(_is_number, numbers)) for numbers in point.values()
    )


def _is_timing(timing: Any) -> bool:
    return isinstance(timing, dict) and all(map(_is_number, timing.values()))


def _is_number(item: Any) -> bool:
    return isinstance(item, int | float)


def _is_requirement(item: Any) -> bool:
    match item:
        case {
            "name": str(),
            "value": int() | float() | None,
            "comparison": "<=" | ">=",
            "limit": int() | float(),
            "unit": str(),
            "status": str(),
        }:
            return True
    return False
