"""A spacecraft from a URDF file has the mass properties that Pinocchio finds in that file."""

from pathlib import Path

import numpy as np
import pinocchio
import pytest

from proxops.assembly.describe import describe
from proxops.results.summary.craft import whole_craft
from proxops.scenario.load import load

SATELLITE = Path(__file__).parents[1] / "data" / "satellite.urdf"
LEFT = """
[target.appendages.left]
kind = "beam"
link = "left_yoke"
first_frequency_hz = 0.4
damping_ratio = 0.005
shapes = 1
axes = "z"
"""
RIGHT = """
[target.appendages.right]
kind = "modal"
link = "right_array"
modes = [
    { frequency_hz = 0.5, damping_ratio = 0.01, translation = [0, 0, 2.0], rotation = [3.0, 0, 0] },
]
""".replace("[0, 0, 2.0]", "[0.0, 0.0, 2.0]").replace("[3.0, 0, 0]", "[3.0, 0.0, 0.0]")
HEAD = f"""
extends = "free-tumble"
without = ["target"]
[target]
urdf = "{SATELLITE}"
q_NT = [1.0, 0.0, 0.0, 0.0]
w_NT_T_deg_s = [1.0, 0.0, 0.5]
[target.grapple]
link = "handle"
"""


@pytest.mark.parametrize("appendages", ["", LEFT, RIGHT, LEFT + RIGHT])
def test_hub_and_appendages_have_mass_centre_and_inertia_of_the_file(appendages, tmp_path):
    """Whatever is flexible, to rounding: an inertia that a beam has not stays with the hub."""
    (tmp_path / "mission.toml").write_text(HEAD + appendages)
    scenario = load(tmp_path / "mission.toml")
    whole = whole_craft(describe(scenario)[1])

    model = pinocchio.buildModelFromUrdf(str(SATELLITE), pinocchio.JointModelFreeFlyer())
    data, q = model.createData(), pinocchio.neutral(model)
    pinocchio.ccrba(model, data, q, np.zeros(model.nv))
    pinocchio.framesForwardKinematics(model, data, q)
    handle = data.oMf[model.getFrameId("handle")]
    assert whole.mass == pytest.approx(data.Ig.mass, rel=1e-14)
    p_TG = np.array(scenario.mission.target.grapple.p_TG_m)
    np.testing.assert_allclose(p_TG - whole.com, handle.translation - data.com[0], atol=1e-12)
    about_com = whole.inertia - whole.mass * (
        whole.com @ whole.com * np.eye(3) - np.outer(whole.com, whole.com)
    )
    np.testing.assert_allclose(about_com, data.Ig.inertia, atol=1e-10)
