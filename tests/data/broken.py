"""A sound scenario with its own arm, and what it takes to break them.

`write` puts a broken one into a folder, so that every entrance (Python, command line) can be shown
the same tables, broken_missions.MISSIONS and broken_arms.ARMS.
"""

from dataclasses import dataclass
from pathlib import Path

MISSION = """\
title = "A small mission"

[time]
duration_s = 2.0
control_rate_hz = 500.0
record_rate_hz = 100.0

[time.phases]
coast = { until_s = 1.0, step_s = 0.002 }
reach = { until_s = 2.0, step_s = 0.001 }

[orbit]
attractor = "earth"
semi_major_axis_km = 7000.0
eccentricity = 0.05
inclination_deg = 98.0
raan_deg = 0.0
argument_of_periapsis_deg = 0.0
true_anomaly_deg = 0.0

[chaser]
mass_kg = 500.0
inertia_kg_m2 = [[100.0, 0.0, 0.0], [0.0, 110.0, 0.0], [0.0, 0.0, 120.0]]
p_HC_m = [0.0, -10.0, 0.0]
v_HC_m_s = [0.0, 0.0, 0.0]
q_NC = [1.0, 0.0, 0.0, 0.0]
w_NC_C_deg_s = [0.0, 0.0, 1.0]

[chaser.arms.main]
urdf = "two.urdf"
q_deg = [10.0, -20.0]

[target]
mass_kg = 800.0
inertia_kg_m2 = [[200.0, 0.0, 0.0], [0.0, 210.0, 0.0], [0.0, 0.0, 220.0]]
q_NT = [1.0, 0.0, 0.0, 0.0]
w_NT_T_deg_s = [0.0, 2.0, 0.0]

[obsw.joints.main]
kp = 50.0
kd = [10.0, 5.0]
waypoints = [{ t_s = 1.0, q_deg = [20.0, 0.0] }, { t_s = 2.0, q_deg = [30.0, 10.0] }]

[requirements.calm]
signal = "target.w_NT_T"
measure = "max-norm"
comparison = "<="
limit = 3.0
unit = "deg/s"
"""

ARM = """\
<robot name="two">
  <link name="root"/>
  <joint name="first" type="revolute">
    <parent link="root"/> <child link="boom"/>
    <origin xyz="0 0 0.1"/> <axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" effort="50" velocity="0.5"/>
  </joint>
  <link name="boom">
    <inertial>
      <mass value="5"/> <inertia ixx="0.4" iyy="0.4" izz="0.01" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="second" type="revolute">
    <parent link="boom"/> <child link="hand"/>
    <origin xyz="0 0 1"/> <axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="50" velocity="0.5"/>
  </joint>
  <link name="hand">
    <inertial>
      <mass value="2"/> <inertia ixx="0.02" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
</robot>
"""


@dataclass(frozen=True)
class Broken:
    """An edit of the mission or the arm, and pieces of the message that it must cause."""

    name: str
    find: str
    put: str
    says: tuple[str, ...]
    in_arm: bool = False


def write(folder: Path, case: Broken | None = None) -> Path:
    """Puts mission and arm, broken as the case says, into a folder; the mission's path."""
    mission, arm = MISSION, ARM
    if case is not None:
        text = arm if case.in_arm else mission
        assert text.count(case.find) == 1, f"{case.name}: {case.find!r} is not there once"
        text = text.replace(case.find, case.put)
        mission, arm = (mission, text) if case.in_arm else (text, arm)
    path = folder / "mission.toml"
    path.write_text(mission, "utf-8")
    (folder / "two.urdf").write_text(arm, "utf-8")
    return path
