"""The worst case of a campaign, in words and by its seed."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from proxops.campaigns.case import demand
from proxops.results.run import COLLIDES

SHOWN = 3  # requirements that a case fails, in words

Case = dict[str, Any]


def worst_case(cases: Sequence[Case]) -> Case | None:
    """Collisions come first, then the most failed requirements, then the smallest margin relative
    to its limit.  A case that was not flown is none of them; None where no case was flown."""
    sizes = sizes_of(cases)
    flown = [case for case in cases if case.get("hash", "") is not None]

    def rank(case: Case) -> tuple[bool, bool, int, float, int]:
        failed = sum(not item["passed"] for item in case["requirements"])
        least = min((margin(item, sizes) for item in case["requirements"]), default=math.inf)
        harmless = not str(case["cause"]).startswith(f"{COLLIDES}:")
        return case["passed"], harmless, -failed, least, case["seed"]

    return min(flown, key=rank, default=None)


def why_worst(case: Case, cases: Sequence[Case]) -> str:
    """Why a case failed, with all requirements that it fails, since that makes it the worst; of
    one that passed, the requirement with the smallest margin."""
    if not case["passed"]:
        failed = [item for item in case["requirements"] if not item["passed"]]
        if len(failed) < 2 or not str(case["cause"]).startswith("failed:"):
            return str(case["detail"] or case["cause"])
        shown = "; ".join(demand(item) for item in failed[:SHOWN])
        more = f"; {len(failed) - SHOWN} more" if len(failed) > SHOWN else ""
        return f"fails {len(failed)} requirements, {shown}{more}"
    if not case["requirements"]:
        return "no requirements"
    sizes = sizes_of(cases)
    return demand(min(case["requirements"], key=lambda item: margin(item, sizes)))


def margin(item: Mapping[str, Any], sizes: Mapping[str, float]) -> float:
    """How far a value is from its limit, as a share of it; negative beyond it."""
    value: object = item["value"]
    limit: float = item["limit"]
    if not isinstance(value, int | float):
        return -math.inf
    apart = limit - value if item["comparison"] == "<=" else value - limit
    return apart / sizes[item["name"]]


def sizes_of(cases: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """What margins of each requirement are compared with: its limit, or, where that is zero, the
    largest of its values."""
    sizes: dict[str, float] = {}
    for case in cases:
        for item in case["requirements"]:
            size = abs(item["limit"])
            if size == 0.0 and isinstance(item["value"], int | float):
                size = abs(item["value"])
            sizes[item["name"]] = max(sizes.get(item["name"], 0.0), size)
    return {name: size or 1.0 for name, size in sizes.items()}
