"""What was drawn, in words: factors, shifts and angles are never taken for the value itself."""

import pytest

import proxops
from proxops.results.drawn import drawn_texts
from proxops.results.summary import sections, summary

KEY = "target.mass_kg"


@pytest.mark.parametrize(
    ("key", "declared", "by", "value", "expected"),
    [
        (KEY, {"scale": 0.1}, 0.9974, 408.93, ("times 0.9974", "408.93 kg")),
        (
            "chaser.v_HC_m_s",
            {"shift": 0.01},
            [0.001, -0.002, 0.0],
            [0.021, -0.002, 0.0],
            ("+0.001, -0.002, +0 m/s", "0.021, -0.002, 0 m/s"),
        ),
        ("chaser.p_HC_m.1", {"shift": 0.5}, 0.25, -5.75, ("+0.25 m", "-5.75 m")),
        (
            "target.w_NT_T_deg_s",
            {"rotation_deg": 15.0},
            7.15,
            [0.0, 1.0, 2.0],
            ("rotated by 7.15 deg", "0, 1, 2 deg/s"),
        ),
        (
            "target.w_NT_T_deg_s",
            {"isotropic": [1, 2]},
            1.5,
            [0, 0, 1.5],
            ("length 1.5 deg/s", None),
        ),
        ("time.mode", {"choice": ["a", "b"]}, 1, "b", ("choice 1", "b")),
        ("contacts.tip.normal.stiffness_N_m", {"scale": 0.3}, 0.7, 700.0, (None, "700 N/m")),
        ("target.inertia_kg_m2", {"scale": 0.1}, 0.9, [[1.0, 0.0], [0.0, 1.0]], (None, "")),
    ],
)
def test_a_draw_says_what_it_does_and_what_is_true_then(key, declared, by, value, expected):
    made = {"scenario": {"mission": {"dispersions": {"it": declared}}}}
    (text,) = drawn_texts({"it": {"key": key, "by": by, "value": value}}, made)
    assert text[:2] == ("it", key)
    for found, wanted in zip(text[2:], expected, strict=True):
        assert wanted is None or found == wanted


def test_a_dispersed_run_says_its_draws():
    changes = {
        "dispersions": {"mass": {"key": KEY, "scale": 0.1}},
        "time.duration_s": 0.01,
        "time.phases.touch.until_s": 0.01,
        "requirements": None,
    }
    case = proxops.load("touch").replace(changes).dispersed(3)
    run = proxops.simulate(case)
    (text,) = drawn_texts(run.draws, run.provenance)
    assert text.by == f"times {case.mission.target.mass_kg / 7827.867:.5g}"
    assert text.value == f"{case.mission.target.mass_kg:.5g} kg"


def test_show_tells_distributions_correlations_and_choices():
    normal = {"key": KEY, "scale": 0.1, "distribution": "normal"}
    dispersions = {
        "mass": normal,
        "ixx": normal | {"key": "target.inertia_kg_m2.0.0", "correlated_with": {"mass": 0.7}},
        "either": {"key": KEY, "choice": [1000.0, 2000.0]},
    }
    found = summary(proxops.load("touch").replace({"dispersions": dispersions}), checked=False)
    rows = next(dict(each.rows) for each in sections(found) if each.title == "dispersions")
    assert rows["mass"] == f"{KEY} ± 10 %, normal (3 sigma)"
    assert rows["ixx"].endswith("± 10 %, normal (3 sigma), correlated 0.7 with mass")
    assert rows["either"] == f"{KEY} one of [1000, 2000]"
