"""The schema: what files say is kept exactly, and what cannot be is refused."""

import math
import tomllib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from tests.data.broken import ARM, MISSION

from proxops.assembly.describe import describe
from proxops.core.errors import InputError
from proxops.physics.orbit.attractors import ATTRACTORS
from proxops.scenario.attitude import orbit_start
from proxops.scenario.load import Scenario, load
from proxops.scenario.schema import Mission, Orbit, Time
from proxops.scenario.schema.body import Quaternion, inertia_problem
from proxops.scenario.shipped import shipped


def sound() -> dict[str, Any]:
    return tomllib.loads(MISSION)


def time_with(**changes: Any) -> Time:
    return Time.model_validate(sound()["time"] | changes)


# --- time ---------------------------------------------------------------------------------------


def test_times_are_whole_nanoseconds() -> None:
    time = time_with()
    assert (time.duration_ns, time.control_ns, time.record_ns) == (2 * 10**9, 2 * 10**6, 10**7)
    assert [phase.until_ns for phase in time.phases.values()] == [10**9, 2 * 10**9]
    assert [phase.step_ns for phase in time.phases.values()] == [2 * 10**6, 10**6]
    assert list(time.phases) == ["coast", "reach"]


def test_rounding_of_a_computed_time_is_forgiven() -> None:
    total = 0.1 + 0.2  # 0.30000000000000004
    time = time_with(duration_s=total, phases={"one": {"until_s": 3 * 0.1, "step_s": total / 300}})
    assert time.duration_ns == 3 * 10**8
    assert time.phases["one"].step_ns == 10**6


@settings(deadline=None, max_examples=200)
@given(
    periods=st.tuples(st.integers(1, 4), st.integers(1, 12), st.integers(1, 12)),
    lengths=st.lists(st.integers(1, 24), min_size=1, max_size=3),
)
def test_times_are_accepted_exactly_if_every_instant_is_on_a_step(
    periods: tuple[int, int, int], lengths: list[int]
) -> None:
    """Periods in ms, lengths in 10 ms; control periods start anew with every phase."""
    fits = (
        periods[1] % periods[0] == 0
        and periods[2] % periods[0] == 0
        and all(10 * length % periods[1] == 0 for length in lengths)
        and 10 * sum(lengths) % periods[2] == 0
    )
    step, control, record = (1e-3 * period for period in periods)
    ends = np.cumsum(lengths) * 1e-2
    phases = {f"p{i}": {"until_s": float(end), "step_s": step} for i, end in enumerate(ends)}
    try:
        time = time_with(
            duration_s=float(ends[-1]),
            control_rate_hz=1.0 / control,
            record_rate_hz=1.0 / record,
            phases=phases,
        )
    except ValidationError:
        assert not fits
        return
    assert fits
    instants = set()
    now = 0
    for phase in time.phases.values():
        while now < phase.until_ns:
            instants.add(now)
            now += phase.step_ns
    instants.add(now)
    assert now == time.duration_ns
    assert instants >= set(range(0, time.duration_ns + 1, time.control_ns))
    assert instants >= set(range(0, time.duration_ns + 1, time.record_ns))


@pytest.mark.parametrize(
    "changes",
    [
        {"duration_s": 1e300},
        {"control_rate_hz": 1e-300},
        {"record_rate_hz": 1e300},
        {"phases": {"a": {"until_s": 2.0, "step_s": 1e300}}},
        {"phases": {"a": {"until_s": 2.0, "step_s": 1e-7}}},
        {"phases": {"a": {"until_s": 2.0, "step_s": 1e-3, "substeps": 0}}},
    ],
)
def test_absurd_times_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        time_with(**changes)


def test_rows_are_bounded() -> None:
    with pytest.raises(ValidationError, match="20000001 rows in all; at most 20000000"):
        time_with(
            duration_s=2e4,
            control_rate_hz=1000.0,
            record_rate_hz=1000.0,
            phases={"a": {"until_s": 2e4, "step_s": 1e-3}},
        )


# --- bodies -------------------------------------------------------------------------------------


@settings(deadline=None)
@given(
    st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=9),
    st.lists(st.floats(0.01, 1e3), min_size=3, max_size=9),
)
def test_any_cloud_of_masses_has_an_inertia_that_is_accepted(
    numbers: list[float], masses: list[float]
) -> None:
    """Physical by construction: Σ m (|r|² 1 - r rᵀ), and a ball so that no moment is zero."""
    points = np.resize(numbers, (len(masses), 3)) * np.array([1.0, 0.7, 0.3])
    inertia = np.eye(3)
    for m, r in zip(masses, points, strict=True):
        inertia += m * (r @ r * np.eye(3) - np.outer(r, r))
    assert inertia_problem(inertia) is None


def test_the_triangle_inequality_divides_possible_from_impossible() -> None:
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    for largest, possible in ((2.999, True), (3.0, True), (3.001, False)):
        inertia = turn @ np.diag([1.0, 2.0, largest]) @ turn.T
        assert (inertia_problem(0.5 * (inertia + inertia.T)) is None) == possible


@settings(deadline=None)
@given(st.lists(st.floats(-1.0, 1.0), min_size=4, max_size=4), st.floats(-9e-7, 9e-7))
def test_a_quaternion_is_normalised_once_and_then_stays(q: list[float], error: float) -> None:
    norm = math.hypot(*q)
    if norm < 0.1:
        return
    adapter: TypeAdapter[Any] = TypeAdapter(Quaternion)
    once = adapter.validate_python([(1.0 + error) * x / norm for x in q])
    assert abs(math.hypot(*once) - 1.0) <= 1e-15
    assert adapter.validate_python(list(once)) == once


# --- sections -----------------------------------------------------------------------------------


def test_every_field_of_the_json_schema_is_described() -> None:
    schema = Mission.model_json_schema()
    sections = schema["$defs"]
    assert sections.pop("JsonValue") == {}  # one choice of a dispersion: whatever its key takes
    for name, section in [("Mission", schema), *sections.items()]:
        assert section["additionalProperties"] is False
        for key, field in section["properties"].items():
            assert field.get("description"), f"{name}.{key}"
    assert "[kg]" in sections["Chaser"]["properties"]["mass_kg"]["description"]


def test_defaults_need_not_be_written() -> None:
    document = sound()
    del document["orbit"], document["obsw"], document["requirements"], document["chaser"]["arms"]
    mission = Mission.model_validate(document)
    assert mission.seed == 0
    assert mission.orbit is None
    assert mission.obsw.joints == {}
    assert mission.target.grapple.q_TG == (1.0, 0.0, 0.0, 0.0)


def test_a_mission_cannot_be_changed_in_place() -> None:
    mission = Mission.model_validate(sound())
    with pytest.raises(ValidationError, match="frozen"):
        mission.chaser.mass_kg = 3.0


def test_joints_in_degrees_and_in_radians_are_the_same() -> None:
    in_degrees = Mission.model_validate(sound()).chaser.arms["main"]
    document = sound()
    arm = document["chaser"]["arms"]["main"]
    arm["q"] = [math.radians(x) for x in arm.pop("q_deg")]
    arm["qd"] = [0.1, 0.2]
    in_radians = Mission.model_validate(document).chaser.arms["main"]
    np.testing.assert_array_equal(in_degrees.pose_si(), in_radians.pose_si())
    np.testing.assert_array_equal(in_degrees.rates_si(), [0.0, 0.0])
    np.testing.assert_array_equal(in_radians.rates_si(), [0.1, 0.2])


# --- in SI units --------------------------------------------------------------------------------


def test_the_description_is_the_scenario_in_si_units() -> None:
    data = {"name": "a", "mission": sound(), "files": {"two.urdf": ARM}}
    chaser, target, orbit = describe(Scenario.from_dict(data))
    assert (chaser.mass, target.mass) == (500.0, 800.0)
    np.testing.assert_array_equal(chaser.inertia, np.diag([100.0, 110.0, 120.0]))
    np.testing.assert_array_equal(chaser.p_H, [0.0, -10.0, 0.0])
    np.testing.assert_allclose(chaser.w, [0.0, 0.0, math.pi / 180], rtol=1e-15)
    np.testing.assert_allclose(target.w, [0.0, math.pi / 90, 0.0], rtol=1e-15)
    np.testing.assert_array_equal([target.p_H, target.v_H], np.zeros((2, 3)))
    (mounted,) = chaser.arms
    np.testing.assert_allclose(mounted.q, np.array([10.0, -20.0]) * math.pi / 180, rtol=1e-15)
    assert orbit is not None
    # At periapsis, with node and periapsis on the x axis: R = a(1 - e) x, V across it
    earth = ATTRACTORS["earth"]
    np.testing.assert_allclose(orbit.R, [7e6 * 0.95, 0.0, 0.0], atol=1e-6)
    speed = math.sqrt(earth.mu / 7e6 * 1.05 / 0.95)
    tilt = math.radians(98.0)
    wanted = [0.0, speed * math.cos(tilt), speed * math.sin(tilt)]
    np.testing.assert_allclose(orbit.V, wanted, rtol=1e-14, atol=1e-11)


def test_an_orbit_is_given_by_its_altitude_or_its_axis() -> None:
    by_altitude = Orbit.model_validate({"altitude_km": 600.0, "inclination_deg": 98.0})
    a_km = ATTRACTORS["earth"].radius / 1e3 + 600.0
    by_axis = Orbit.model_validate({"semi_major_axis_km": a_km, "inclination_deg": 98.0})
    np.testing.assert_array_equal(orbit_start(by_altitude)[1], orbit_start(by_axis)[1])
    assert Orbit(altitude_km=600.0, eccentricity=0.1, inclination_deg=0.0).a_km == a_km / 0.9
    for size in ({}, {"altitude_km": 600.0, "semi_major_axis_km": a_km}):
        with pytest.raises(ValidationError, match="give altitude_km or semi_major_axis_km"):
            Orbit.model_validate({"inclination_deg": 98.0} | size)


@pytest.mark.parametrize(
    ("key", "value"),
    [("orbit.altitude_km", -5.0), ("chaser.q_HC", [1.0, 0.0]), ("target.w_HT_T_deg_s", [1.0])],
)
def test_a_wrong_value_is_one_problem_and_not_missing_as_well(key: str, value: object) -> None:
    with pytest.raises(InputError, match=f"1 problem\n  {key}") as raised:
        load("fly-around").replace({key: value})
    assert "missing" not in str(raised.value)


def test_the_mount_of_an_arm_is_its_pose_in_the_hub() -> None:
    document = sound()
    half = math.sqrt(0.5)
    mount = {"p_CA_m": [1.0, 2.0, 3.0], "q_CA": [half, 0.0, half, 0.0]}
    document["chaser"]["arms"]["main"].update(mount)
    data = {"name": "a", "mission": document, "files": {"two.urdf": ARM}}
    (mounted,) = describe(Scenario.from_dict(data))[0].arms
    np.testing.assert_array_equal(mounted.p_CA, [1.0, 2.0, 3.0])
    # A quarter turn about y carries z to x
    np.testing.assert_allclose(mounted.R_CA @ [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], atol=1e-15)


# --- the shipped relative orbit -----------------------------------------------------------------


def parts(scenario: Scenario) -> Iterator[tuple[float, np.ndarray]]:
    """Mass [kg] and centre of mass in C [m] of hub and links at the start."""
    chaser = describe(scenario)[0]
    yield chaser.mass, np.zeros(3)
    for mounted in chaser.arms:
        R, p = mounted.R_CA, mounted.p_CA
        yield mounted.arm.root.mass, p + R @ mounted.arm.root.com
        for joint, angle in zip(mounted.arm.joints, mounted.q, strict=True):
            c, s = math.cos(angle), math.sin(angle)
            p, R = p + R @ joint.p_PJ, R @ joint.R_PJ
            R = R @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
            yield joint.link.mass, p + R @ joint.link.com


def test_fly_around_starts_with_the_energy_of_its_reference_orbit() -> None:
    """Equal energy, equal semi-major axis, equal period: the chaser comes back."""
    scenario = load("fly-around")
    chaser, _, orbit = describe(scenario)
    assert orbit is not None
    masses, coms = zip(*parts(scenario), strict=True)
    c = np.average(coms, axis=0, weights=masses)
    w, x, y, z = chaser.q_N
    R_NC = np.eye(3) + 2 * (w * _skew([x, y, z]) + _skew([x, y, z]) @ _skew([x, y, z]))
    h = np.cross(orbit.R, orbit.V)
    radial, normal = orbit.R / np.linalg.norm(orbit.R), h / np.linalg.norm(h)
    R_NH = np.column_stack([radial, np.cross(normal, radial), normal])
    turning = h / (orbit.R @ orbit.R)
    from_target = R_NH @ chaser.p_H
    hub = orbit.V + R_NH @ chaser.v_H + np.cross(turning, from_target)
    V = hub + R_NC @ np.cross(chaser.w, c)
    R = orbit.R + from_target + R_NC @ c
    a = 1.0 / (2.0 / np.linalg.norm(R) - V @ V / orbit.mu)
    a_reference = 1.0 / (2.0 / np.linalg.norm(orbit.R) - orbit.V @ orbit.V / orbit.mu)
    # Along-track drift of a revolution is 3π δa; half a millimetre is left by the nine digits of v
    assert 3 * math.pi * abs(a - a_reference) < 5e-4
    period = 2 * math.pi * math.sqrt(a_reference**3 / orbit.mu)
    assert abs(scenario.mission.time.duration_s - period) < 0.02


def _skew(a: list[float]) -> np.ndarray:
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def test_shipped_missions_record_their_last_instant() -> None:
    """Otherwise "final" would mean an earlier one."""
    for name in shipped():
        time = load(name).mission.time
        assert time.duration_ns % time.record_ns == 0
