"""The recorded end effector is where Pinocchio's reading of the same URDF file puts it."""

import numpy as np
import pinocchio as pin
import pytest

import proxops

TIME = {
    "duration_s": 1.0,
    "control_rate_hz": 10.0,
    "record_rate_hz": 10.0,
    "phases": {"only": {"until_s": 1.0, "step_s": 0.01}},
}


@pytest.mark.parametrize("name", ["free-tumble", "fly-around"])
def test_the_grapple_frame_sees_the_end_effector_where_the_file_puts_it(name):
    grapple = {"p_TG_m": [0.3, -3.5, 1.0], "q_TG": [0.5, 0.5, -0.5, 0.5]}
    scenario = proxops.load(name).replace(
        {"time": TIME, "requirements": {}, "target.grapple": grapple}
    )
    run = proxops.simulate(scenario)
    arm = scenario.mission.chaser.arms["main"]
    urdf = pin.buildModelFromXML(scenario.files[arm.urdf])
    data = urdf.createData()

    def pose(q_wxyz, p):
        w, x, y, z = q_wxyz
        return pin.SE3(pin.Quaternion(w, x, y, z).matrix(), np.asarray(p, dtype=float))

    X_CA = pose(arm.q_CA, arm.p_CA_m)
    X_TG = pose(grapple["q_TG"], grapple["p_TG_m"])
    for row in range(len(run.rows)):
        pin.framesForwardKinematics(urdf, data, run["chaser.arms.main.q"][1][row])
        X_CT = pose(run["relative.q_CT"][1][row], run["relative.p_CT"][1][row])
        X_GE = (X_CT * X_TG).inverse() * X_CA * data.oMf[urdf.nframes - 1]
        # three roundings at the range between the two, up to 200 m
        assert run["relative.p_GE"][1][row] == pytest.approx(X_GE.translation, abs=1e-12)
