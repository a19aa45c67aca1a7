"""Wheels in scenario files: what is accepted, what it means, and what a message says."""

import math
import tomllib
from typing import Any

import pytest
from tests.data.broken import ARM, MISSION
from tests.data.wheels import WHEEL

import proxops
from proxops.assembly.describe import describe
from proxops.core.errors import InputError
from proxops.plant.build import whole_hub
from proxops.results.boost import mass_of

STILL = {
    key: given for key, given in WHEEL.items() if key not in ("speed_rpm", "viscous_N_m_s_rad")
}


def scenario(**changes: Any) -> proxops.Scenario:
    document = tomllib.loads(MISSION)
    document["chaser"]["wheels"] = {"spin": STILL | changes}
    return proxops.Scenario.from_dict(
        {"name": "wheels", "mission": document, "files": {"two.urdf": ARM}}
    )


def test_a_wheel_is_at_rest_and_without_friction_unless_told_otherwise() -> None:
    (wheel,) = describe(scenario())[0].wheels
    assert (wheel.speed, wheel.viscous, wheel.coulomb) == (0.0, 0.0, 0.0)
    assert wheel.max_speed == pytest.approx(6000.0 * 2.0 * math.pi / 60.0)
    (wheel,) = describe(scenario(speed_rpm=-30.0))[0].wheels
    assert wheel.speed == pytest.approx(-math.pi)


def test_the_hub_is_given_without_rotors() -> None:
    chaser = describe(scenario())[0]
    without = describe(scenario().replace({"chaser.wheels": {}}))[0]
    assert mass_of(chaser) == mass_of(without) + 4.0
    assert whole_hub(chaser).mass == whole_hub(without).mass


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("axis_C", [0.0, 0.0, 2.0], "must have length 1 within 1e-06, found 2"),
        ("inertia_kg_m2", 0.0, "must be greater than 0, found 0.0"),
        ("mass_kg", -1.0, "must be greater than 0, found -1.0"),
        ("max_torque_N_m", 0.0, "must be greater than 0, found 0.0"),
        ("max_speed_rpm", "fast", "must be a number, found 'fast'"),
        ("speed_rpm", -6001.0, "-6001 rpm is beyond max_speed_rpm, 6000"),
        ("coulomb_N_m", -1e-3, "must be greater than or equal to 0, found -0.001"),
        ("speed", 3.0, "unknown key; did you mean 'speed_rpm'"),
    ],
)
def test_an_impossible_wheel_is_refused_with_its_place(key: str, value: Any, says: str) -> None:
    with pytest.raises(InputError) as refused:
        scenario(**{key: value})
    assert f"chaser.wheels.spin.{key}: {says}" in str(refused.value)


def test_friction_too_stiff_for_the_step_is_refused_with_the_wheel() -> None:
    with pytest.raises(InputError, match=r"the friction of chaser\.wheels\.spin; to be stable"):
        proxops.simulate(scenario(coulomb_N_m=0.5))
