"""The mixer that real firmware is given makes the wrenches that ours makes."""

import re
from pathlib import Path

import numpy as np
import pytest

from proxops.assembly.arena import arena_of
from proxops.core.errors import InputError
from proxops.facility.arena.lua_mixer import factors, mixer_script
from tests.facility.arena_cases import shipped

SHIPPED = Path(__file__).parents[2] / "examples/arena/mixer.lua"
TO_FRD = np.array([1.0, -1.0, -1.0])  # forward, left, up to forward, right, down


def wrench_of(outputs) -> np.ndarray:
    """Force and torque about forward, right, down [N, N m] of ArduPilot's six outputs."""
    craft = arena_of(shipped()).vehicle
    F = craft.mixer @ (craft.largest * factors(craft) @ outputs)
    return np.concatenate([F[:3] * TO_FRD, F[3:] * TO_FRD])


def test_the_shipped_script_is_the_computed_one():
    assert SHIPPED.read_text() == mixer_script(arena_of(shipped()).vehicle, "flight-arena")


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_full_output_turns_about_its_own_axis_with_the_authority_of_our_cascades(axis):
    wrench = wrench_of(np.eye(6)[axis])
    expected = np.zeros(6)
    expected[3 + axis] = arena_of(shipped()).vehicle.authority[axis]
    assert wrench == pytest.approx(expected, abs=1e-9)


def test_throttle_lifts_and_forward_and_right_push_as_the_thrust_of_a_leaning_vehicle():
    craft = arena_of(shipped()).vehicle
    full = craft.mixer[2].sum() * craft.largest
    throttle, lean = 0.4, np.radians(10.0)
    # at roll to the right, a flat vehicle of that thrust is pushed to the right by T sin
    wrench = wrench_of([0.0, 0.0, 0.0, throttle, 0.0, throttle * np.sin(lean)])
    assert wrench[:3] == pytest.approx([0.0, throttle * full * np.sin(lean), -throttle * full])
    wrench = wrench_of([0.0, 0.0, 0.0, throttle, throttle * np.sin(lean), 0.0])
    assert wrench[:3] == pytest.approx([throttle * full * np.sin(lean), 0.0, -throttle * full])
    assert wrench[3:] == pytest.approx(np.zeros(3), abs=1e-9)


def test_all_rotors_at_full_throttle_are_at_their_largest_thrust():
    assert factors(arena_of(shipped()).vehicle)[:, 3] == pytest.approx(np.ones(6))


def test_every_rotor_is_added_once_and_turns_one_way():
    found = re.findall(r"add_motor\((\d), (.*), (\w+), (\d)\)", SHIPPED.read_text())
    assert [(row[0], row[2], row[3]) for row in found] == [
        (str(i), "false", str(i + 1)) for i in range(6)
    ]


def test_upright_rotors_have_no_such_mixer():
    with pytest.raises(InputError, match="tilt the rotors"):
        factors(arena_of(shipped(vehicle__alpha_deg=0.0)).vehicle)
