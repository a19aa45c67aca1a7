"""Cases of campaigns as workers return them."""

from pathlib import Path
from typing import Any

import numpy as np

from proxops.campaigns import Campaign

DISPERSIONS = {
    "mass": {"key": "target.mass_kg", "scale": 0.1},
    "speed": {"key": "chaser.v_HC_m_s", "shift": [0.01, 0.02, 0.03]},
    "tumble": {"key": "target.w_NT_T_deg_s", "isotropic": [1.0, 2.0]},
}
HOSTILE = "<script>throw new Error('run')</script>"


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


def dispersed(count: int = 60, folder: Path | None = None, name: str = "near") -> Campaign:
    """A campaign in which the speed along y drives the first requirement, which two in three cases
    meet; the second has values in half of the cases, none of them near its limit."""
    rng = np.random.default_rng(5)
    cases = []
    for seed in range(count):
        mass, speed = rng.uniform(0.9, 1.1), rng.uniform(-1.0, 1.0, 3) * (0.01, 0.02, 0.03)
        tumble = rng.standard_normal(3)
        value = 0.8 + 20.0 * speed[1] + 0.02 * rng.standard_normal()
        met = bool(value <= 1.0)
        far = requirement("far", float(rng.uniform(5.0, 6.0)) if seed % 2 else None, bool(seed % 2))
        found = case(
            seed,
            requirement(name, value, met),
            far | {"comparison": ">=", "limit": -1e6, "unit": "N"},
            cause=None if met and seed % 2 else f"failed: {name}" if seed % 2 else "abort: lost",
        )
        found["drawn"] = {
            "mass": {"key": "target.mass_kg", "by": mass, "value": 8000.0 * mass},
            "speed": {"key": "chaser.v_HC_m_s", "by": speed.tolist(), "value": speed.tolist()},
            "tumble": {"key": "target.w_NT_T_deg_s", "by": 1.5, "value": tumble.tolist()},
        }
        found["detail"] = "" if found["passed"] else f"{name} in full"
        cases.append(found)
    made = {"scenario": {"mission": {"title": "A test", "dispersions": DISPERSIONS}}}
    return Campaign("touch", tuple(cases), count, 0.3, folder, made)
