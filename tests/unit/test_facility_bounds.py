"""Numbers that no laboratory has are refused with their place, before anything is computed."""

import re

import pytest

from proxops.assembly.facility import load_facility
from proxops.core.errors import InputError


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("servo.noise_m", 1e308, "servo.noise_m: must be less than or equal to 5"),
        ("flange_sensor.bias_N", [0.0, 1e308, 0.0], "flange_sensor.bias_N.1: must be less"),
        ("wrist_sensor.noise_N", [0.0, 0.0, 1e308], "wrist_sensor.noise_N.2: must be less"),
        (
            "robots.chaser.mock_up.p_KS_m",
            [0.0, 0.0, -1e300],
            "robots.chaser.mock_up.p_KS_m: must be within 5 m",
        ),
    ],
)
def test_a_facility_that_cannot_be_is_refused(path, value, says):
    stored = load_facility("oos-sim").to_dict()
    *sections, key = path.split(".")
    section = stored["file"]
    for name in sections:
        section = section[name]
    section[key] = value
    with pytest.raises(InputError, match=re.escape(says)):
        load_facility(stored)
