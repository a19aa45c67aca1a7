"""Public robots: the URDF files of the package example-robot-data, and the tips of their arms.

They are no part of the test extra: unpacked they take 430 MB.
"""

import os
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

VARIABLE = "PROXOPS_ROBOTS"
WHY_LEFT_OUT = (
    f"public robots left out: install example-robot-data, or set {VARIABLE} to its folder `robots`"
)

# Files below `robots`, and the link whose frame is the end effector
ARMS = {
    "ur_description/urdf/ur3_robot.urdf": "tool0",
    "ur_description/urdf/ur3_gripper.urdf": "ee_link",
    "ur_description/urdf/ur5_robot.urdf": "ee_link",
    "ur_description/urdf/ur5_gripper.urdf": "tool0",
    "ur_description/urdf/ur5_joint_limited_robot.urdf": "tool0",
    "ur_description/urdf/ur10_robot.urdf": "tool0",
    "panda_description/urdf/panda.urdf": "panda_hand_tcp",
    "kinova_description/robots/kinova.urdf": "j2s6s200_end_effector",
    "xarm_description/urdf/xarm7.urdf": None,
    "z1_description/urdf/z1.urdf": "gripperStator",
    "so_arm_description/urdf/so100.urdf": None,
    "so_arm_description/urdf/so101.urdf": "gripper_frame_link",
    "talos_data/robots/talos_left_arm.urdf": None,
    "talos_data/robots/talos_full_v2.urdf": "gripper_left_base_link",
    "talos_data/robots/talos_reduced.urdf": "gripper_right_base_link",
    "tiago_description/robots/tiago.urdf": "hand_palm_link",
    "tiago_description/robots/tiago_dual.urdf": "arm_left_tool_link",
    "tiago_description/robots/tiago_no_hand.urdf": "arm_tool_link",
    "tiago_pro_description/robots/tiago_pro.urdf": "arm_right_tool_link",
    "baxter_description/urdf/baxter.urdf": "left_gripper",
    "pr2_description/urdf/pr2.urdf": "r_gripper_tool_frame",
    "centauro_description/urdf/centauro.urdf": "arm1_8",
    "g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf": "left_hand_palm_link",
    "anymal_b_simple_description/robots/anymal-kinova.urdf": "j2s6s200_end_effector",
    "b1_description/urdf/b1-z1.urdf": "gripperStator",
    "hextilt_description/urdf/hextilt_flying_arm_5.urdf": None,
    "borinot_description/urdf/borinot_flying_arm_2.urdf": None,
    "alex_description/urdf/alex_psyonic_hands.urdf": "LeftPsyonicAbilityBaseLink",
    "romeo_description/urdf/romeo.urdf": "l_wrist",
    "asr_twodof_description/urdf/TwoDofs.urdf": None,
}


def robots_folder() -> Path | None:
    """The folder of the files, None where there is none."""
    if VARIABLE in os.environ:
        return Path(os.environ[VARIABLE])
    try:
        package = distribution("example-robot-data")
    except PackageNotFoundError:
        return None
    return Path(str(package.locate_file("cmeel.prefix/share/example-robot-data/robots")))
