"""Dispersed cases: within their bounds, physical, independent of one another, stored bit by bit."""

import json
import math
import re

import numpy as np
import pytest

from proxops.assembly.build import build
from proxops.assembly.facility import without_contact
from proxops.core.errors import InputError
from proxops.core.frame import rotation_of
from proxops.scenario.dispersion import draw
from proxops.scenario.load import Scenario, load

SEEDS = range(200)
# The largest of 200 values even in [-1, 1] is below 0.9 once in 1/0.95²⁰⁰ = 28 000 sets of seeds.
NEARLY = 0.9
ALL = {
    "mass": {"key": "target.mass_kg", "scale": 0.2},
    "inertia": {"key": "target.inertia_kg_m2", "scale": 0.1},
    "place": {"key": "chaser.p_HC_m", "shift": [0.5, 0.1, 0.0]},
    "spin": {"key": "target.w_NT_T_deg_s", "rotation_deg": 5.0},
    "attitude": {"key": "target.q_NT", "rotation_deg": 3.0},
    "speed": {"key": "chaser.v_HC_m_s.0", "shift": 0.002},
}


@pytest.fixture(scope="module")
def touch() -> Scenario:
    return load("touch").replace({"dispersions": ALL})


@pytest.fixture(scope="module")
def cases(touch: Scenario) -> list[Scenario]:
    return [touch.dispersed(seed) for seed in SEEDS]


def spread(values: list[float], largest: float) -> None:
    """They fill their bounds on both sides, and do not leave them."""
    assert max(values) <= largest * (1.0 + 1e-12)
    assert min(values) >= -largest * (1.0 + 1e-12)
    assert max(values) > NEARLY * largest
    assert min(values) < -NEARLY * largest


def test_a_scaled_value_stays_within_its_share(touch: Scenario, cases: list[Scenario]) -> None:
    mass = touch.mission.target.mass_kg
    spread([case.mission.target.mass_kg / mass - 1.0 for case in cases], 0.2)


def test_a_tensor_is_scaled_as_a_whole(touch: Scenario, cases: list[Scenario]) -> None:
    """One factor: ratios of all entries stay, to a rounding each."""
    before = np.array(touch.mission.target.inertia_kg_m2)
    for case in cases:
        after = np.array(case.mission.target.inertia_kg_m2)
        np.testing.assert_allclose(after / before, (after / before)[0, 0], rtol=4e-16)
        np.testing.assert_array_equal(after, after.T)


def test_components_are_shifted_each_by_itself(touch: Scenario, cases: list[Scenario]) -> None:
    moved = np.array([case.mission.chaser.p_HC_m for case in cases]) - touch.mission.chaser.p_HC_m
    spread(list(moved[:, 0]), 0.5)
    spread(list(moved[:, 1]), 0.1)
    assert not moved[:, 2].any()
    # of independent numbers; their correlation is 1/√200 = 0.07 by chance
    assert abs(np.corrcoef(moved[:, 0], moved[:, 1])[0, 1]) < 0.3
    spread([case.mission.chaser.v_HC_m_s[0] - 0.02 for case in cases], 0.002)


def test_a_vector_is_tilted_and_keeps_its_length(touch: Scenario, cases: list[Scenario]) -> None:
    before = np.array(touch.mission.target.w_NT_T_deg_s)
    after = np.array([case.mission.target.w_NT_T_deg_s for case in cases])
    np.testing.assert_allclose(np.linalg.norm(after, axis=1), np.linalg.norm(before), rtol=1e-15)
    tilt = np.degrees(np.arccos(np.clip(after @ before / (before @ before), -1.0, 1.0)))
    drawn = [abs(case.case.drawn["spin"].by) for case in cases]
    np.testing.assert_allclose(tilt, drawn, atol=1e-6)  # arccos loses half the digits near 0
    assert NEARLY * 5.0 < tilt.max() <= 5.0
    # to all sides alike: the mean of 200 tilts of some 2.5 deg is 2.5/√200 = 0.2 deg
    assert np.degrees(np.linalg.norm(after.mean(axis=0)[[0, 2]])) < 0.6


def test_a_quaternion_is_turned_by_the_drawn_angle(touch: Scenario, cases: list[Scenario]) -> None:
    before = rotation_of(touch.mission.target.q_NT)
    for case in cases:
        turn = rotation_of(case.mission.target.q_NT) @ before.T
        angle = math.degrees(math.acos(0.5 * (np.trace(turn) - 1.0)))
        assert angle == pytest.approx(abs(case.case.drawn["attitude"].by), abs=1e-6)


def test_a_turn_acts_on_any_attitude(touch: Scenario) -> None:
    """Turned from another start about the same axis by the same angle: dq ∘ q."""
    q = (0.5, -0.5, 0.5, 0.5)
    plain = rotation_of(touch.dispersed(5).mission.target.q_NT)  # starts at the unit quaternion
    other = rotation_of(touch.replace({"target.q_NT": q}).dispersed(5).mission.target.q_NT)
    np.testing.assert_allclose(other, plain @ rotation_of(q), atol=1e-15)


def test_an_isotropic_vector_has_any_direction_and_a_length_within_its_bounds(
    touch: Scenario,
) -> None:
    tumble = {"key": "target.w_NT_T_deg_s", "isotropic": [1.0, 3.0]}
    given = touch.replace({"dispersions": {"tumble": tumble}})
    cases = [given.dispersed(seed) for seed in SEEDS]
    w = np.array([case.mission.target.w_NT_T_deg_s for case in cases])
    length = np.linalg.norm(w, axis=1)
    np.testing.assert_allclose(length, [case.case.drawn["tumble"].by for case in cases], rtol=1e-15)
    spread(list(length - 2.0), 1.0)
    # Of 200 even directions, the mean of a component is 1/√600 = 0.04 by chance, and that of the
    # product of two 1/√3000 = 0.02 beside 1/3 for one with itself.
    along = w / length[:, None]
    assert np.abs(along.mean(axis=0)).max() < 0.2
    np.testing.assert_allclose(along.T @ along / len(w), np.eye(3) / 3.0, atol=0.1)
    assert abs(np.corrcoef(length, along[:, 0])[0, 1]) < 0.3


def test_another_dispersion_changes_no_draw(touch: Scenario) -> None:
    more = {"dispersions.added": {"key": "chaser.mass_kg", "scale": 0.1}}
    less = {"dispersions.mass": None}
    for changed in (touch.replace(more), touch.replace(less)):
        after, before = draw(changed.mission, 3), draw(touch.mission, 3)
        for name in after.keys() & before.keys():
            assert after[name] == before[name]


def test_a_dispersion_like_another_moves_as_it_does(touch: Scenario) -> None:
    """A flange with what is on it: one draw, several places."""
    first = {"key": "target.grapple.p_TG_m", "shift": 0.02}
    second = {"key": "contacts.tip.face.p_m", "shift": 0.02, "same_draw_as": "ring"}
    both = touch.replace({"dispersions.ring": first, "dispersions.plate": second})
    drawn = draw(both.mission, 5)
    assert drawn["ring"].by == drawn["plate"].by != draw(both.mission, 6)["plate"].by
    alone = touch.replace(
        {"dispersions.ring": first, "dispersions.plate": second | {"same_draw_as": None}}
    )
    assert draw(alone.mission, 5)["plate"].by != drawn["plate"].by


def test_directions_turn_with_the_quaternion_whose_draw_they_take(touch: Scenario) -> None:
    """One body: what was along an axis of the grapple's frame stays along it."""
    drawn = {"grapple": {"key": "target.grapple.q_TG", "rotation_deg": 30.0}}
    for name in ("normal", "along"):
        key = f"contacts.tip.face.{name}"
        drawn[name] = {"key": key, "rotation_deg": 30.0, "same_draw_as": "grapple"}
    face = {"half_sizes_m": [1.0, 1.0], "normal": [0.6, 0.0, 0.8], "along": [0.0, 1.0, 0.0]}
    changes = {f"contacts.tip.face.{key}": value for key, value in face.items()}
    scenario = touch.replace({**changes, "dispersions": drawn})
    before, after = scenario.mission, scenario.dispersed(4).mission
    turned = rotation_of(after.target.grapple.q_TG) @ rotation_of(before.target.grapple.q_TG).T
    assert math.acos(0.5 * (np.trace(turned) - 1.0)) > math.radians(2.0)
    for name in ("normal", "along"):
        was, now = (getattr(each.contacts["tip"].face, name) for each in (before, after))
        assert turned @ was == pytest.approx(now, abs=1e-12)


@pytest.mark.parametrize(
    ("like", "says"),
    [
        (
            "rink",
            "dispersions.plate.same_draw_as: there is no dispersion 'rink'; did you mean 'ring'?",
        ),
        ("third", "dispersions.plate.same_draw_as: 'third' takes those of 'ring'; name it"),
        (
            "plate",
            "plate.same_draw_as: 'plate' is this dispersion itself; remove same_draw_as",
        ),
        ("plates", "plate.same_draw_as: there is no dispersion 'plates'; did you mean 'place'?"),
    ],
)
def test_a_dispersion_is_like_one_that_has_numbers_of_its_own(
    touch: Scenario, like: str, says: str
) -> None:
    shift = {"key": "target.grapple.p_TG_m", "shift": 0.02}
    changes = {
        "dispersions.ring": shift,
        "dispersions.third": shift | {"same_draw_as": "ring"},
        "dispersions.plate": {"key": "contacts.tip.face.p_m", "shift": 0.02, "same_draw_as": like},
    }
    with pytest.raises(InputError, match=re.escape(says)):
        touch.replace(changes)


def test_dispersions_of_one_key_follow_one_another(touch: Scenario) -> None:
    rate = {"key": "target.w_NT_T_deg_s", "scale": 0.5}
    both = touch.replace({"dispersions.rate": rate}).dispersed(9)
    tilted = np.array(touch.dispersed(9).mission.target.w_NT_T_deg_s)
    assert both.mission.target.w_NT_T_deg_s == tuple(both.case.drawn["rate"].by * tilted)


def test_what_is_believed_is_the_scenario_before(touch: Scenario) -> None:
    case = touch.dispersed(17)
    assert touch.believed is touch
    assert case.believed is touch
    assert case.mission.seed == 17
    assert case.dispersed(17) == touch.dispersed(np.int64(17)) == case
    assert case.dispersed(3) == touch.dispersed(3) != case


def test_replacing_and_dispersing_may_be_done_in_either_order(touch: Scenario) -> None:
    changes = {"target.mass_kg": 9000.0, "time.record_rate_hz": 100.0}
    assert touch.dispersed(17).replace(changes) == touch.replace(changes).dispersed(17)


def test_a_case_is_stored_bit_by_bit(touch: Scenario) -> None:
    case = touch.dispersed(17)
    again = Scenario.from_dict(json.loads(json.dumps(case.to_dict())))
    assert again == case
    assert again.believed == touch
    assert again.case.drawn == case.case.drawn


@pytest.mark.parametrize(
    "stored", [3, {}, {"seed": 1, "drawn": {"a": 3}, "believed": {}}, {"seed": "1", "drawn": {}}]
)
def test_a_stored_case_that_is_none_is_refused(touch: Scenario, stored: object) -> None:
    with pytest.raises(InputError, match="stored scenario: "):
        Scenario.from_dict(touch.to_dict() | {"case": stored})


def test_on_board_software_is_built_from_what_is_believed() -> None:
    thrust = {"key": "chaser.thrusters.plus_y.thrust_N", "scale": 0.2}
    believed = load("deorbit-boost").replace({"dispersions.thrust": thrust})
    true, meant = build(believed.dispersed(2)), build(believed)
    assert not np.array_equal(true.thrusters.table, meant.thrusters.table)
    np.testing.assert_array_equal(true.boost.engine_data, meant.boost.engine_data)


def test_without_contact_its_dispersions_are_gone_as_well(touch: Scenario) -> None:
    stiffness = {"key": "contacts.tip.normal.stiffness_N_m", "scale": 0.2}
    dry = without_contact(touch.replace({"dispersions.stiffness": stiffness}).dispersed(4))
    assert set(dry.believed.mission.dispersions) == set(ALL)
    assert dry.mission.target == touch.dispersed(4).mission.target


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"key": "target.mas_kg", "scale": 0.1}, "target.mas_kg: unknown key; did you mean 'mass"),
        ({"key": "targt.mass_kg", "scale": 0.1}, "targt: unknown key; did you mean 'target'"),
        ({"key": "orbit.eccentricity", "shift": 0.1}, "orbit: is not given"),
        ({"key": "chaser.p_HC_m.7", "shift": 0.1}, "has 3, counted from 0"),
        ({"key": "obsw.joints.main.kp", "scale": 0.1}, "only the truth is dispersed"),
        ({"key": "seed", "scale": 0.1}, "seed is the same in every case"),
        ({"key": "chaser.arms.main.urdf", "scale": 0.1}, "numbers were expected, found"),
        ({"key": "target", "scale": 0.1}, "numbers were expected, found"),
        ({"key": "target.mass_kg", "rotation_deg": 1.0}, "a vector or a quaternion was expected"),
        ({"key": "target.inertia_kg_m2", "shift": 1.0}, "is a table of numbers; use scale"),
        ({"key": "target.inertia_kg_m2.0", "shift": 1.0}, "inertia_kg_m2: must be symmetric"),
        ({"key": "target.mass_kg", "shift": 1e4}, "must be greater than 0, found -2172.133"),
        ({"key": "target.q_NT", "scale": 0.1}, "must have norm 1 within"),
        ({"key": "contacts.tip.face.normal", "scale": 0.1}, "must have length 1 within"),
        ({"key": "chaser.p_HC_m", "shift": [1.0]}, "1 bounds, but chaser.p_HC_m is"),
        ({"key": "chaser.p_HC_m.1", "scale": 0.1}, "is zero and stays so; use shift"),
        (
            {"key": "target.mass_kg"},
            "give one of scale, shift, rotation_deg, isotropic, choice; none",
        ),
        ({"key": "target.mass_kg", "scale": 0.1, "shift": 1.0}, "found scale and shift"),
        ({"key": "target.mass_kg", "scale": 1.0}, "scale: must be less than 1"),
        ({"key": "target.q_NT", "isotropic": [0.0, 1.0]}, "a vector was expected, found"),
        ({"key": "chaser.p_HC_m", "isotropic": [2.0, 1.0]}, "give the least length first; found 2"),
        ({"key": "chaser.p_HC_m", "isotropic": [-1.0, 1.0]}, "must be greater than or equal to 0"),
        ({"key": "contacts.tip.face.normal", "isotropic": [0.9, 1.0]}, "must have length 1 within"),
        ({"scale": 0.1}, "dispersions.odd.key: missing"),
    ],
)
def test_a_dispersion_that_cannot_be_is_refused(
    touch: Scenario, given: dict[str, object], says: str
) -> None:
    with pytest.raises(InputError) as caught:
        touch.replace({"dispersions.odd": given})
    assert "dispersions.odd" in str(caught.value)
    assert says in str(caught.value)


def test_a_case_with_impossible_values_is_refused_with_its_seed(touch: Scenario) -> None:
    """A joint's stop is no business of the schema: only the case finds it."""
    joints = {"key": "chaser.arms.main.q_deg", "shift": 300.0}
    with pytest.raises(InputError, match=r"touch, case 1: (.|\n)*chaser.arms.main.q_deg"):
        touch.replace({"dispersions.joints": joints}).dispersed(1)


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "1", None])
def test_a_seed_is_a_whole_number(touch: Scenario, seed: object) -> None:
    with pytest.raises(InputError, match="seed of a case: must be a whole number"):
        touch.dispersed(seed)
