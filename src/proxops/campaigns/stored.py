"""Campaigns that are stored in a folder."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from proxops.campaigns.case_store import CASES, HEAD, read_cases
from proxops.campaigns.design import MONTE_CARLO, Design
from proxops.campaigns.result import Campaign
from proxops.campaigns.seeds import ranges
from proxops.core.errors import InputError
from proxops.results.store.plain import read_object


def is_campaign(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder has a campaign in it."""
    return (Path(folder) / HEAD).is_file()


def request_of(title: str, seeds: Sequence[int], at_least: float, design: Design) -> dict[str, Any]:
    """What a campaign was asked for, as plain data."""
    asked = [list(each) for each in ranges(seeds)]
    return {"title": title, "seeds": asked, "at_least": at_least, "design": design.to_dict()}


def open_campaign(folder: str | os.PathLike[str]) -> Campaign:
    """The campaign of a folder as it was asked for last, with the cases that are done."""
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder")
    if not os.path.lexists(folder / HEAD):
        raise InputError(f"{folder}: is not the folder of a campaign, it has no {HEAD}")
    head = read_object(folder / HEAD)
    try:
        done, timings = read_cases(folder / CASES, (folder / CASES).read_bytes())
    except OSError as error:
        raise InputError(f"{folder / CASES}: cannot be read: {error.strerror}") from error
    match head.get("request"), head.get("scenario"):
        case {"title": str(title), "seeds": list(asked), "at_least": int() | float() as share}, {
            "mission": dict(mission)
        } if all(map(_is_range, asked)) and _is_design(head["request"]) and _is_table(mission):
            count = sum(last - first + 1 for first, last in asked)
            design = head["request"].get("design", {})
            is_placed = design.get("kind", MONTE_CARLO) != MONTE_CARLO
            cases = [
                done[seed]
                for seed in sorted(done)
                if any(first <= seed <= last for first, last in asked)
                and ("point" in done[seed]) == is_placed  # else another design's, flown before
            ]
            made = made_by(head)
            return Campaign(title, tuple(cases), count, float(share), folder, made, timings, design)
    raise InputError(
        f"{folder / HEAD}: does not say which cases were asked for; run the campaign again with "
        f"--out {folder}: cases that are done are not flown again"
    )


def made_by(head: Mapping[str, Any]) -> dict[str, Any]:
    """What it takes to make the same cases again, of the data in a folder."""
    return {key: value for key, value in head.items() if key not in ("hash", "request")}


def _is_design(request: Mapping[str, Any]) -> bool:
    match request.get("design", {}):
        case dict(design):
            return isinstance(design.get("kind", ""), str)
    return False


def _is_table(mission: Mapping[str, Any]) -> bool:
    """Whether its dispersions are one."""
    match mission.get("dispersions", {}):
        case dict(dispersions):
            return all(isinstance(each, dict) for each in dispersions.values())
    return False


def _is_range(item: Any) -> bool:
    match item:
        case [int(first), int(last)]:
            return first <= last
    return False
