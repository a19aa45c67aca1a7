"""Dispersions and draws in words that cannot be taken for values."""

import pytest

import proxops
from proxops.results.summary import sections, summary
from proxops.scenario.dispersion_text import bounds_text, draw_texts

DECLARED = {
    "mass": {"key": "target.mass_kg", "scale": 0.1, "distribution": "normal"},
    "inertia": {
        "key": "target.inertia_kg_m2",
        "scale": 0.1,
        "correlated_with": {"mass": 0.7},
    },
    "wear": {"key": "friction", "scale": 1.0, "distribution": "lognormal"},
    "speed": {"key": "chaser.v_HC_m_s", "shift": [0.003, 0.001, 0.002]},
    "attitude": {"key": "chaser.q_NC", "rotation_deg": 15.0},
    "tumble": {"key": "target.w_NT_T_deg_s", "isotropic": [1.0, 2.0]},
    "plate": {"key": "contacts.tip.normal.stiffness_N_m", "choice": [1500.0, 3000.0]},
    "ring": {"key": "grapple", "shift": 0.01, "same_draw_as": "speed"},
}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mass", "target.mass_kg ± 10 %, normal (3 sigma)"),
        ("inertia", "target.inertia_kg_m2 ± 10 %, correlated with mass by 0.7"),
        ("wear", "friction × 1/2 to 2, lognormal (3 sigma)"),
        ("speed", "chaser.v_HC_m_s ± [0.003, 0.001, 0.002]"),
        ("attitude", "chaser.q_NC rotated by up to 15 deg"),
        ("tumble", "target.w_NT_T_deg_s any direction, length 1 to 2"),
        ("plate", "contacts.tip.normal.stiffness_N_m one of [1500, 3000]"),
        ("ring", "grapple ± 0.01, with the draw of speed"),
    ],
)
def test_bounds_say_their_distribution_and_what_varies_with_them(name, text):
    declared = DECLARED[name]
    method = next(
        m for m in ("scale", "shift", "rotation_deg", "isotropic", "choice") if m in declared
    )
    assert bounds_text(declared | {"method": method, "bound": declared[method]}) == text


def test_a_draw_is_a_change_and_the_value_that_results():
    inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    drawn = {
        "mass": {"key": "target.mass_kg", "by": 0.9974, "value": 408.934},
        "inertia": {"key": "target.inertia_kg_m2", "by": 1.1, "value": inertia},
        "speed": {"key": "chaser.v_HC_m_s", "by": [0.003, 0.0, -0.002], "value": [0.1, -0.0, 0.0]},
        "ring": {"key": "grapple", "by": -0.01, "value": 0.99},
        "attitude": {"key": "chaser.q_NC", "by": -7.15, "value": [1.0, 0.0, 0.0, 0.0]},
        "tumble": {"key": "target.w_NT_T_deg_s", "by": 1.5, "value": [0.0, 1.5, 0.0]},
        "plate": {"key": "contacts.tip.normal.stiffness_N_m", "by": 1, "value": 3000.0},
        "unknown": {"key": "chaser.mass_kg", "by": 0.5, "value": 3.0},
    }
    texts = {each.name: (each.change, each.value) for each in draw_texts(drawn, DECLARED)}
    assert texts == {
        "mass": ("× 0.9974", "408.93"),
        "inertia": ("× 1.1", "3 × 3 numbers"),
        "speed": ("+ [0.003, 0, -0.002]", "[0.1, 0, 0]"),
        "ring": ("-0.01", "0.99"),
        "attitude": ("rotated by 7.15 deg", "[1, 0, 0, 0]"),
        "tumble": ("length 1.5", "[0, 1.5, 0]"),
        "plate": ("choice 1", "3000"),
        "unknown": ("0.5", "3"),
    }


def test_a_design_marks_what_it_has_placed_at_its_bounds():
    drawn = {
        name: {"key": name, "by": 1.0, "value": 1.0}
        for name in ("mass", "speed", "attitude", "ring")
    }
    point = {"mass": [1.0], "speed": [0.0, 1.0, 0.0], "attitude": [0.0, 0.3, 1.0]}
    marked = {each.name for each in draw_texts(drawn, DECLARED, point) if each.at_bound}
    assert marked == {"mass", "speed"}


def test_a_mission_shows_all_kinds_of_dispersions():
    given = {"stiffness": {"key": "contacts.tip.normal.stiffness_N_m", "choice": [1e3, 2e3]}}
    scenario = proxops.load("touch").replace({"dispersions": given})
    rows = dict(next(s.rows for s in sections(summary(scenario)) if s.title == "dispersions"))
    assert rows == {"stiffness": "contacts.tip.normal.stiffness_N_m one of [1000, 2000]"}
