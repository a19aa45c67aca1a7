"""The shipped capture, begun at the place of the grasp: arm and gripper do the rest in seconds."""

from dataclasses import replace
from typing import Any

import numpy as np

import proxops
from proxops.assembly.capture import capture_of
from proxops.core.frame import Frame, frame
from proxops.onboard.functions.capture.parameters import POSE_P
from proxops.scenario.case import Case

TUMBLE = np.radians([0.05, -0.2, 0.1])  # of the target, in T [rad/s]
DURATION_S = 6.0
# Whatever else happens, these requirements of the mission are kept.
NO_COLLISION = (
    "force_of_the_left_finger",
    "force_of_the_right_finger",
    "palm_stays_off",
    "stays_clear",
    "force_of_the_hold",
    "torque_of_the_arm",
)


def at_the_grasp(changes: dict[str, Any] | None = None) -> proxops.Scenario:
    """Without an orbit, with ideal sensors; the chaser turns with the target where it grasps it,
    and T's axes are N's at the start."""
    shipped = proxops.load("envisat-capture")
    capture = shipped.mission.obsw.capture
    assert capture is not None
    stand = _stand(shipped)
    phases = {"capture": {"until_s": DURATION_S, "step_s": 0.001}}
    rates = {"control_rate_hz": 1000.0, "record_rate_hz": 200.0}
    timing = {"synchronise_s": 0.4, "near_s": 0.4, "reach_s": 0.4, "settle_s": 0.1}
    return shipped.replace(
        {
            "time": {"duration_s": DURATION_S, "phases": phases} | rates,
            "orbit": None,
            "sensors": {},
            "requirements": {},
            "dispersions": {},
            "chaser.p_HC_m": stand.p.tolist(),
            "chaser.v_HC_m_s": np.cross(TUMBLE, stand.p).tolist(),
            "chaser.q_NC": stand.row()[3:].tolist(),
            "chaser.w_NC_C_deg_s": np.degrees(stand.R.T @ TUMBLE).tolist(),
            "chaser.arms.main.q_deg": list(capture.q_deg or ()),
            "target.w_NT_T_deg_s": np.degrees(TUMBLE).tolist(),
            "obsw.capture.timing": timing,
            "obsw.capture.hold_point_m": 0.0,
            "obsw.capture.pregrasp_m": 0.01,
        }
        | (changes or {})
    )


def without_actuators(changes: dict[str, Any] | None = None) -> proxops.Scenario:
    """The same with nothing that could push the base.  On-board software believes in its thrusters:
    it would not begin without."""
    relative = {"chaser.wheels": {}} | (changes or {})
    believed = at_the_grasp(relative)
    thrusters = believed.mission.chaser.thrusters
    feeble = {f"chaser.thrusters.{name}.thrust_N": 1e-12 for name in thrusters}
    return replace(at_the_grasp(relative | feeble), case=Case(0, believed, {}))


def _stand(scenario: proxops.Scenario) -> Frame:
    """The chaser at the grasp, from the target's centre of mass, which is at H's origin."""
    capture = scenario.mission.obsw.capture
    assert capture is not None
    params = capture_of(scenario.believed, capture)
    q, p = np.split(params.plan.stand, [POSE_P])
    return frame(p - params.belief.target_com, q)
