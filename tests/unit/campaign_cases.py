"""Cases of campaigns as workers return them."""

from typing import Any


def requirement(name: str, value: float | str | None, passed: bool, **more: Any) -> dict[str, Any]:
    item = {"name": name, "value": value, "comparison": "<=", "limit": 1.0, "unit": "m"}
    status = "passed" if passed else "not-reached" if value is None else "failed"
    return item | {"margin": None, "status": status, "passed": passed} | more


def case(seed: int, *requirements: dict[str, Any], cause: str | None = None) -> dict[str, Any]:
    outcome = "failed" if cause else "passed"
    return {
        "seed": seed,
        "outcome": outcome,
        "passed": cause is None,
        "cause": cause,
        "detail": "",
        "drawn": {},
        "warnings": [],
        "requirements": list(requirements),
        "ledger": None,
    }
