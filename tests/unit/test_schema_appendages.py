"""Appendages in scenario files: what is said of them reaches the hub, and the limits that hold."""

import math
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.data.broken import MISSION, write
from tests.data.broken_appendages import BEAM, PANEL
from tests.laws.plants import tallies

import proxops
from proxops.assembly.build import build
from proxops.assembly.describe import describe
from proxops.assembly.limits import coarse_steps, reject_long_steps, spin_limits
from proxops.core.errors import InputError
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.physics.flexible import beam
from proxops.plant.limits import fastest_mode, softest_beam
from proxops.plant.workspace import workspace
from proxops.results.run import Run
from proxops.scenario.load import Scenario, load
from proxops.scenario.schema import Mission

TURN = (0.5, 0.5, -0.5, 0.5)
R_TURN = np.array(quat_to_rotation.py_func(TURN)).reshape(3, 3)


@pytest.fixture
def sound(tmp_path: Path) -> Scenario:
    """The small mission with a mast on the chaser and a panel on the target."""
    path = write(tmp_path)
    path.write_text(MISSION.replace("[obsw.j", f"{BEAM}\n{PANEL}\n[obsw.j"))
    return load(path)


def flexible_target(**changes: Any) -> Scenario:
    """The shipped target with two beams, with values of the left one changed."""
    scenario = load("flexible-symmetric")
    return scenario.replace({f"target.appendages.left.{k}": v for k, v in changes.items()})


# --- what is said -------------------------------------------------------------------------------


def test_a_beam_stands_on_the_hub_where_the_file_says(sound: Scenario) -> None:
    (mast,) = describe(sound.replace({"chaser.appendages.mast.q_CB": list(TURN)}))[0].appendages
    assert (mast.name, mast.unit, len(mast.modes)) == ("mast", "m", 4)
    np.testing.assert_array_equal(mast.q_f, [0.01, 0.0, 0.0, 0.002])
    np.testing.assert_array_equal(mast.q_f_rate, np.zeros(4))
    x, y, z = R_TURN.T
    np.testing.assert_allclose(mast.rigid.com, np.array([0.5, 0.0, 0.0]) + x, atol=1e-15)
    # y1, z1, y2, z2
    for mode, axis in zip(mast.modes, (y, z, y, z), strict=True):
        np.testing.assert_allclose(mode.e, axis, atol=1e-15)
    omega = 1.8751040687**2 * math.sqrt(40.0 / (3.0 * 2.0**3))
    assert mast.modes[0].omega == pytest.approx(omega, rel=1e-9)
    assert {mode.zeta for mode in mast.modes} == {0.01}


def test_modal_data_are_moved_from_the_root_to_the_hub(sound: Scenario) -> None:
    """Participations of translation are momenta: H about the hub = R H + p × R S."""
    p = np.array([0.3, -0.8, 0.2])
    root = {"target.appendages.panel.q_TB": list(TURN), "target.appendages.panel.p_TB_m": p}
    (panel,) = describe(sound.replace(root))[1].appendages
    assert panel.unit == "kg^0.5 m"
    S, H = R_TURN @ [0.0, 0.0, 2.5], R_TURN @ [0.0, -5.0, 0.0]
    np.testing.assert_allclose(panel.modes[0].sigma * panel.modes[0].e, S, atol=1e-15)
    np.testing.assert_allclose(panel.modes[0].h, H + np.cross(p, S), atol=1e-14)
    assert panel.modes[0].omega == pytest.approx(2.0 * math.pi * 0.4, rel=1e-15)
    com = p + R_TURN @ [1.5, 0.0, 0.0]
    np.testing.assert_allclose(panel.rigid.com, com, atol=1e-15)
    own = R_TURN @ np.diag([1.0, 9.0, 10.0]) @ R_TURN.T
    shift = 12.0 * (com @ com * np.eye(3) - np.outer(com, com))
    np.testing.assert_allclose(panel.rigid.inertia, own + shift, atol=1e-13)


def test_a_beam_may_as_well_be_given_by_its_modes() -> None:
    """Same participations, frequencies and mass on a hub: the small motion is the same."""
    m, length, stiffness = 0.83, 0.6352, 0.46
    root = math.sqrt(m)
    modes = []
    for number in (1, 2):
        form = beam.shape(number)
        modes.append(
            {
                "frequency_hz": beam.frequency(number, m, length, stiffness) / (2.0 * math.pi),
                "damping_ratio": 7.2e-3,
                "translation": [0.0, root * form.mean, 0.0],
                "rotation": [0.0, 0.0, root * length * form.moment],
            }
        )
    across = m * length**2 / 12.0
    table = {
        "kind": "modal",
        "mass_kg": m,
        "com_m": [length / 2.0, 0.0, 0.0],
        "inertia_kg_m2": np.diag([0.0, across, across]),  # a rod
        "modes": modes,
        "p_TB_m": [0.1, 0.2, 0.3],
        "q_TB": list(TURN),
    }
    where = {key: table[key] for key in ("p_TB_m", "q_TB")}
    beams = describe(flexible_target(**where))[1].appendages[0]
    scenario = load("flexible-symmetric").replace({"target.appendages.left": table})
    given = describe(scenario)[1].appendages[0]
    np.testing.assert_allclose(given.rigid.com, beams.rigid.com, atol=1e-15)
    np.testing.assert_allclose(given.rigid.inertia, beams.rigid.inertia, atol=1e-14)
    for a, b in zip(given.modes, beams.modes, strict=True):
        np.testing.assert_allclose(a.sigma * a.e, b.sigma * b.e, atol=1e-15)
        np.testing.assert_allclose(a.h, b.h, atol=1e-14)
        assert (a.omega, a.zeta) == pytest.approx((b.omega, b.zeta), rel=1e-15)


@pytest.mark.parametrize(
    "moments",
    [(1.0, 2.0, 3.0), (0.0, 2.0, 2.0), (0.0, 0.0, 0.0)],
    ids=["plate", "rod", "point"],
)
def test_thin_appendages_are_accepted(sound: Scenario, moments: tuple[float, ...]) -> None:
    modes = [{"frequency_hz": 1.0, "damping_ratio": 0.0, "translation": [0.0, 0.0, 1.0]}]
    modes[0]["rotation"] = [0.0, -1.5, 0.0]  # a translation at the centre of mass: c × S
    changed = {"inertia_kg_m2": np.diag(moments), "modes": modes}
    sound.replace({f"target.appendages.panel.{key}": value for key, value in changed.items()})


def test_participations_may_use_up_the_mass_and_no_more(sound: Scenario) -> None:
    """All of 12 kg in one direction: √12 = 3.4641."""
    for S, possible in ((math.sqrt(12.0), True), (1.001 * math.sqrt(12.0), False)):
        changes = {
            "target.appendages.panel.modes.0.translation": [0.0, 0.0, S],
            "target.appendages.panel.modes.0.rotation": [0.0, -1.5 * S, 0.0],
        }
        if possible:
            sound.replace(changes)
        else:
            with pytest.raises(
                InputError, match=r"panel.modes: reduce the participations.* -0.024012 kg"
            ):
                sound.replace(changes)


def test_values_of_an_appendage_are_replaced_by_their_path(sound: Scenario) -> None:
    changed = sound.replace(
        {
            "chaser.appendages.mast.EI_N_m2": 0.5,
            "chaser.appendages.mast.q_f_rate_m_s": [0.1] * 4,
            "target.appendages.panel.modes.1.frequency_hz": 2.0,
        }
    )
    assert changed.to_dict()["mission"]["chaser"]["appendages"]["mast"]["EI_N_m2"] == 0.5
    assert changed.to_dict()["mission"]["target"]["appendages"]["panel"]["modes"][1] == {
        "frequency_hz": 2.0,
        "damping_ratio": 0.005,
        "translation": [0.0, 0.0, 0.0],
        "rotation": [0.9, 0.0, 0.0],
    }
    assert Scenario.from_dict(changed.to_dict()) == changed
    with pytest.raises(InputError, match=r"mast.EI_Nm2: unknown key; did you mean 'EI_N_m2'"):
        sound.replace({"chaser.appendages.mast.EI_Nm2": 0.5})
    with pytest.raises(InputError, match=r"panel.shapes: unknown key"):
        sound.replace({"target.appendages.panel.shapes": 3})
    assert sound.replace({"chaser.appendages": {}}).mission.chaser.appendages == {}


def test_the_json_schema_shows_both_kinds() -> None:
    schema = Mission.model_json_schema()
    for craft in ("Chaser", "Target"):
        (entry,) = schema["$defs"][craft]["properties"]["appendages"]["patternProperties"].values()
        kinds = {"beam": f"#/$defs/{craft}Beam", "modal": f"#/$defs/{craft}Modal"}
        assert entry["discriminator"] == {"propertyName": "kind", "mapping": kinds}
    assert "length_m" in schema["$defs"]["ChaserBeam"]["required"]


# --- the start ----------------------------------------------------------------------------------


@pytest.mark.parametrize("orbit", [True, False], ids=["orbit", "free"])
def test_the_target_starts_with_its_whole_centre_of_mass_at_rest_in_the_origin(
    sound: Scenario, orbit: bool
) -> None:
    """Hub, a beam and a panel, turned, spinning, deflected and swinging."""
    mast = tomllib.loads(BEAM)["chaser"]["appendages"]["mast"]
    mast["p_TB_m"] = mast.pop("p_CB_m")
    mast["q_f_rate_m_s"] = [0.02, 0.03, -0.01, 0.0]
    changes = {
        "target.q_NT": list(TURN),
        "target.w_NT_T_deg_s": [2.0, -3.0, 4.0],
        "target.appendages.mast": mast,
        "target.appendages.panel.q_f": [0.1, -0.05],
        "target.appendages.panel.q_f_rate": [-0.2, 0.1],
    }
    if not orbit:
        changes["orbit"] = None
    built = build(sound.replace(changes))
    target = tallies(built.plant, workspace(built.plant), built.y)[1]
    # a few roundings of 827 kg at some 0.1 m and 0.01 m/s
    np.testing.assert_allclose(target.com, np.zeros(3), atol=1e-16)
    np.testing.assert_allclose(target.momentum, np.zeros(3), atol=1e-14)
    assert target.sum_momentum > 1.0


# --- limits -------------------------------------------------------------------------------------


def test_the_fastest_mode_is_the_one_coupled_to_the_hub() -> None:
    """A light hub that translates only: ω² = ω_clamped²/(1 - S²/M), one mode of one beam."""
    scenario = flexible_target(shapes=1, q_f_m=[0.0])
    heavy = np.diag([1e9] * 3)  # does not turn
    changes = {"target.mass_kg": 0.2, "target.inertia_kg_m2": heavy}
    only = {"target.appendages.left.damping_ratio": 0.0}
    document = scenario.replace(changes | only).to_dict()
    del document["mission"]["target"]["appendages"]["right"]
    _, target, _ = describe(Scenario.from_dict(document))
    found = fastest_mode(target)
    softest = softest_beam(target)
    assert found is not None
    assert softest is not None
    S_squared = 0.83 * beam.shape(1).mean ** 2
    wanted = softest[0] / math.sqrt(1.0 - S_squared / (0.83 + 0.2))
    assert found[0] == pytest.approx(wanted, rel=1e-8)
    assert found[1].name == softest[1].name == "left"


def test_a_mode_too_stiff_for_the_step_is_refused_with_the_step_it_needs() -> None:
    scenario = flexible_target(shapes=9, q_f_m=[0.0] * 9)
    time = {
        "duration_s": 1.0,
        "control_rate_hz": 20.0,
        "record_rate_hz": 20.0,
        "phases": {"only": {"until_s": 1.0, "step_s": 0.05}},
    }
    coarse = scenario.replace({"time": time, "requirements": {}})
    with pytest.raises(InputError) as caught:
        proxops.simulate(coarse)
    message = str(caught.value)
    assert (
        "flexible-symmetric: 1 problem\n  time.phases.only.step_s: 0.05 s is long for " in message
    )
    assert "target.appendages.left" in message
    needed = float(message.split("it needs ")[1].split(" s")[0])
    _, target, _ = describe(coarse)
    fastest = fastest_mode(target)
    assert fastest is not None
    assert 0.99 * 2.0 < needed * fastest[0] <= 2.0
    # substeps do it as well
    reject_long_steps(coarse.replace({"time.phases.only.substeps": math.ceil(0.05 / needed)}))
    with pytest.raises(InputError):
        reject_long_steps(coarse.replace({"time.phases.only.substeps": int(0.05 / needed)}))


def short(scenario: Scenario, **more: Any) -> Scenario:
    """A second of it, with steps of 10 ms."""
    time = {
        "duration_s": 1.0,
        "control_rate_hz": 20.0,
        "record_rate_hz": 20.0,
        "phases": {"only": {"until_s": 1.0, "step_s": 0.01}},
    }
    return scenario.replace({"time": time, "requirements": {}} | more)


def warned(run: Run) -> list[tuple[float, str]]:
    return [(event.t_s, event.detail) for event in run.events if event.name == "warning"]


def little_bent(left: float, right: float) -> dict[str, Any]:
    """Both beams of a flexible mission with their tips within a tenth of their length."""
    path = "target.appendages.{}.q_f_m".format
    return {path("left"): [left, 0.0], path("right"): [right, 0.0]}


def test_a_step_that_leaves_the_fastest_mode_inaccurate_is_a_warning() -> None:
    """Second mode at 32.4 rad/s, a little faster on its hub: 10 ms are just too long."""
    ((t, detail),) = warned(
        proxops.simulate(short(load("flexible-symmetric"), **little_bent(0.01, 0.01)))
    )
    assert t == 0.0
    assert detail.startswith("time.phases.only.step_s: 0.01 s is long for target.appendages.")
    assert "to be accurate it needs 0.00" in detail
    assert coarse_steps(load("flexible-symmetric")) == []


def test_a_spin_too_fast_for_the_beams_is_a_warning_where_it_first_is() -> None:
    """A tenth of the first clamped frequency is 0.5170 rad/s, 29.6 deg/s."""
    (limit,) = spin_limits(load("flexible-symmetric"))
    first = beam.frequency(1, 0.83, 0.6352, 0.46)
    assert limit.signal == "target.w_NT_T"
    assert limit.rate == pytest.approx(0.1 * first, rel=1e-15)
    rate = math.degrees(limit.rate)
    fine = {"time.phases.only.step_s": 0.005}
    for spin, found in ((0.99 * rate, 0), (1.01 * rate, 1)):
        # along the beams: nothing couples, the rate stays
        start = {"target.w_NT_T_deg_s": [spin, 0.0, 0.0]}
        still = {f"target.appendages.{side}.q_f_m": [0.0, 0.0] for side in ("left", "right")}
        run = proxops.simulate(short(load("flexible-symmetric"), **(start | still | fine)))
        assert len(warned(run)) == found
        if found:
            ((t, detail),) = warned(run)
            assert t == 0.0
            assert "target.w_NT_T reaches 0.5222 rad/s; the beam target.appendages." in detail


def test_a_spin_that_grows_too_fast_is_a_warning_then() -> None:
    """Beams let go with opposite deflections turn the hub to and fro, from rest."""
    hub = {"target.mass_kg": 0.3, "target.inertia_kg_m2": np.diag([0.02, 0.02, 0.02])}
    fine = {"time.phases.only.step_s": 0.001} | little_bent(-0.03, 0.03)
    run = proxops.simulate(short(load("flexible-asymmetric"), **(hub | fine)))
    ((t, detail),) = warned(run)
    assert 0.0 < t < 0.3
    assert "first mode at 5.17 rad/s" in detail
    assert run.outcome == "passed"


def test_a_requirement_on_a_modal_coordinate_is_in_its_unit(sound: Scenario) -> None:
    demand = {
        "signal": "target.appendages.panel.q_f",
        "measure": "max-abs",
        "component": 1,
        "comparison": "<=",
        "limit": 1.0,
        "unit": "kg^0.5 m",
    }
    swing = demand | {"signal": "chaser.appendages.mast.q_f", "unit": "mm", "limit": 100.0}
    run = proxops.simulate(sound.replace({"requirements": {"panel": demand, "mast": swing}}))
    assert [item.status for item in run.requirements] == ["passed", "passed"]
    with pytest.raises(InputError, match=r"'mm' does not fit .*\[kg\^0.5 m\]"):
        proxops.simulate(sound.replace({"requirements": {"panel": demand | {"unit": "mm"}}}))


def test_a_beam_by_its_first_frequency_is_the_beam_with_that_stiffness() -> None:
    scenario = proxops.load("touch-flexible")
    key = "target.appendages.array"
    soft = scenario.replace({f"{key}.first_frequency_hz": 0.11})
    array = soft.mission.target.appendages["array"]
    assert array.EI_N_m2 is None
    (described,) = describe(soft)[1].appendages
    slowest = min(mode.omega for mode in described.modes)
    assert slowest == pytest.approx(2.0 * np.pi * 0.11, rel=1e-13)
    back = soft.replace({f"{key}.EI_N_m2": array.bending_stiffness})
    np.testing.assert_allclose(
        [mode.omega for mode in describe(back)[1].appendages[0].modes],
        [mode.omega for mode in described.modes],
        rtol=1e-15,
    )


def test_a_beam_has_one_stiffness() -> None:
    scenario = proxops.load("touch-flexible")
    key = "target.appendages.array"
    with pytest.raises(proxops.InputError, match="give first_frequency_hz or EI_N_m2: how stiff"):
        scenario.replace({f"{key}.EI_N_m2": None})
    with pytest.raises(proxops.InputError, match="one alone"):
        scenario.replace({f"{key}.EI_N_m2": 1e4, f"{key}.first_frequency_hz": 0.1})
