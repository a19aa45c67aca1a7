"""What a scenario file may say: frozen models, one file per section, `Mission` at the root."""

from proxops.scenario.schema.appendage import Beam, Modal
from proxops.scenario.schema.craft import Arm, Chaser, Grapple, Target, Wrench
from proxops.scenario.schema.dispersion import Dispersion
from proxops.scenario.schema.mission import Mission
from proxops.scenario.schema.obsw import JointControl, Obsw, Waypoint
from proxops.scenario.schema.orbit import Orbit
from proxops.scenario.schema.requirement import Requirement
from proxops.scenario.schema.robot import Probe, Robot, Sensor
from proxops.scenario.schema.time import Phase, Time

__all__ = [
    "Arm",
    "Beam",
    "Chaser",
    "Dispersion",
    "Grapple",
    "JointControl",
    "Mission",
    "Modal",
    "Obsw",
    "Orbit",
    "Phase",
    "Probe",
    "Requirement",
    "Robot",
    "Sensor",
    "Target",
    "Time",
    "Waypoint",
    "Wrench",
]
