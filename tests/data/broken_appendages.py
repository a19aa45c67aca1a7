"""Ways to break appendages, and what must then be said."""

from tests.data.broken import Broken

BEAM = """\
[chaser.appendages.mast]
kind = "beam"
mass_kg = 3.0
length_m = 2.0
EI_N_m2 = 40.0
damping_ratio = 0.01
shapes = 2
axes = "yz"
p_CB_m = [0.5, 0.0, 0.0]
q_f_m = [0.01, 0.0, 0.0, 0.002]
"""

PANEL = """\
[target.appendages.panel]
kind = "modal"
mass_kg = 12.0
com_m = [1.5, 0.0, 0.0]
inertia_kg_m2 = [[1.0, 0.0, 0.0], [0.0, 9.0, 0.0], [0.0, 0.0, 10.0]]
p_TB_m = [0.0, 0.8, 0.0]
[[target.appendages.panel.modes]]
frequency_hz = 0.4
damping_ratio = 0.005
translation = [0.0, 0.0, 2.5]
rotation = [0.0, -5.0, 0.0]
[[target.appendages.panel.modes]]
frequency_hz = 1.1
damping_ratio = 0.005
translation = [0.0, 0.0, 0.0]
rotation = [0.9, 0.0, 0.0]
"""


def _broken(name: str, find: str, put: str, *says: str) -> Broken:
    """An appendage with an edit, in front of the on-board software."""
    text = BEAM if find in BEAM else PANEL
    assert text.count(find) == 1
    return Broken(name, "[obsw.j", f"{text.replace(find, put)}\n[obsw.j", says)


_MAST, _PANEL = "chaser.appendages.mast", "target.appendages.panel"

APPENDAGES = (
    _broken("no kind", 'kind = "beam"\n', "", f"{_MAST}.kind: missing"),
    _broken(
        "unknown kind",
        '"beam"',
        '"plate"',
        "1 problem\n",
        f"{_MAST}.kind: must be 'beam' or 'modal', found 'plate'",
    ),
    _broken(
        "kind is no word",
        '"modal"',
        "[1]",
        f"{_PANEL}.kind: must be 'beam' or 'modal', found [1]",
    ),
    _broken(
        "value for an appendage",
        BEAM,
        "[chaser.appendages]\nmast = 3\n",
        f"{_MAST}: must be a table, found 3",
    ),
    _broken(
        "appendage without a name",
        "[target.appendages.panel]",
        "[target.appendages]",
        "target.appendages.mass_kg: must be a table, found 12.0",
    ),
    _broken(
        "key of the other kind",
        "shapes = 2",
        "shapes = 2\ncom_m = [0.0, 0.0, 0.0]",
        "1 problem\n",
        f"{_MAST}.com_m: unknown key",
    ),
    _broken(
        "root on the other spacecraft",
        "p_TB_m",
        "p_CB_m",
        f"{_PANEL}.p_CB_m: unknown key; did you mean 'p_TB_m'?",
    ),
    _broken(
        "key named like the kind",
        "shapes = 2",
        "shapes = 2\nbeam = 1",
        f"{_MAST}.beam: unknown key",
    ),
    _broken("no length", "length_m = 2.0\n", "", f"{_MAST}.length_m: missing; Length [m]"),
    _broken("no stiffness", "EI_N_m2 = 40.0", "EI_N_m2 = 0.0", f"{_MAST}.EI_N_m2: must be gr"),
    _broken(
        "stiffer than anything",
        "EI_N_m2 = 40.0",
        "EI_N_m2 = 1e19",
        f"{_MAST}.EI_N_m2: shape 2 would vibrate at",
    ),
    _broken("short", "length_m = 2.0", "length_m = 1e-300", f"{_MAST}.length_m: must be greater"),
    _broken(
        "critical damping",
        "damping_ratio = 0.01",
        "damping_ratio = 1.0",
        f"{_MAST}.damping_ratio: must be less than 1, found 1.0",
    ),
    _broken("shapes", "shapes = 2", "shapes = 21", f"{_MAST}.shapes: must be less than or equal"),
    _broken("axes", '"yz"', '"x"', f"{_MAST}.axes: must be 'y', 'z' or 'yz', found 'x'"),
    _broken(
        "too few coordinates",
        "q_f_m = [0.01, 0.0, 0.0, 0.002]",
        "q_f_m = [0.01, 0.0]\nq_f_rate_m_s = [0.0]",
        f"{_MAST}.q_f_m: 2 numbers given, the appendage has 4 modes",
        f"{_MAST}.q_f_rate_m_s: 1 numbers given",
    ),
    _broken(
        "coordinates of modal data",
        "mass_kg = 12.0",
        "mass_kg = 12.0\nq_f_rate = [0.0]",
        f"{_PANEL}.q_f_rate: 1 numbers given, the appendage has 2 modes",
    ),
    _broken(
        "root not unit",
        "p_CB_m = [0.5, 0.0, 0.0]",
        "q_CB = [1.0, 1.0, 0.0, 0.0]",
        f"{_MAST}.q_CB: must have norm 1",
    ),
    _broken(
        "impossible inertia of an appendage",
        "[0.0, 0.0, 10.0]]",
        "[0.0, 0.0, 11.0]]",
        f"{_PANEL}.inertia_kg_m2: must satisfy I1 + I2 >= I3",
    ),
    _broken(
        "negative inertia of an appendage",
        "[[1.0, 0.0, 0.0]",
        "[[-0.1, 0.0, 0.0]",
        f"{_PANEL}.inertia_kg_m2: must not have negative principal moments; principal",
    ),
    _broken(
        "still mode",
        "frequency_hz = 0.4",
        "frequency_hz = 0.0",
        f"{_PANEL}.modes.0.frequency_hz: must be greater than 0, found 0.0",
    ),
    _broken(
        "unknown key of a mode",
        "frequency_hz = 1.1",
        "mass = 1.0\nfrequency_hz = 1.1",
        f"{_PANEL}.modes.1.mass: unknown key",
    ),
    _broken(
        "mode without rotation",
        "rotation = [0.9, 0.0, 0.0]\n",
        "",
        f"{_PANEL}.modes.1.rotation: missing; Participation of rotation",
    ),
    # 3.6² = 12.96 of 12 kg; the rotation is that of the centre of mass alone, 1.5 m × 3.6
    _broken(
        "participation beyond the mass",
        "translation = [0.0, 0.0, 2.5]\nrotation = [0.0, -5.0, 0.0]",
        "translation = [0.0, 0.0, 3.6]\nrotation = [0.0, -5.4, 0.0]",
        f"{_PANEL}.modes: reduce the participations",
        "eigenvalue -0.96 kg",
    ),
)
