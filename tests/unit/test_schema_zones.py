"""Safety zones in scenario files: what is accepted, and what a message says."""

from typing import Any

import pytest
from pydantic import ValidationError

from proxops.scenario.schema.zones import Zones

CORRIDOR = {"axis_H": [0.0, -1.0, 0.0], "half_angle_deg": 15.0, "length_m": 100.0}
ZONES = {"keep_out_m": 50.0, "approach_ellipsoid_m": [100.0, 200.0, 100.0]}


def zones(corridor: dict[str, Any] | None = None, **changes: Any) -> Zones:
    ways = {"v_bar": CORRIDOR | (corridor or {})}
    return Zones.model_validate(ZONES | {"corridors": ways} | changes)


def test_a_corridor_begins_at_the_target_unless_told_otherwise() -> None:
    assert zones().corridors["v_bar"].apex_m == 0.0
    assert zones({"apex_m": -5.0}).corridors["v_bar"].apex_m == -5.0
    assert zones(corridors={}, approach_ellipsoid_m=None).approach_ellipsoid_m is None


@pytest.mark.parametrize(
    ("corridor", "changes", "text"),
    [
        ({"length_m": 49.0}, {}, "must lead out of the keep-out zone: at least 50, found 49"),
        ({"length_m": 52.0, "apex_m": -5.0}, {}, "at least 55, found 52"),
        ({"apex_m": 60.0}, {}, "apex must be inside the keep-out zone, below 50, found 60"),
        ({"half_angle_deg": 0.0}, {}, "greater than 0"),
        ({"half_angle_deg": 90.0}, {}, "less than 90"),
        ({"axis_H": [0.0, 0.0, 0.0]}, {}, "axis_H"),
        ({"length_m": -3.0}, {}, "greater than 0"),
        ({}, {"keep_out_m": 0.0}, "greater than 0"),
        ({}, {"speed_limit_per_m_1_s": 0.002}, "add speed_limit_m_s"),
        (
            {},
            {"approach_ellipsoid_m": [100.0, 200.0, 40.0]},
            "each half axis at least 50, found 40",
        ),
    ],
)
def test_what_does_not_fit_is_rejected_with_what_would(
    corridor: dict[str, Any], changes: dict[str, Any], text: str
) -> None:
    with pytest.raises(ValidationError, match=text):
        zones(corridor, **changes)
