"""Sensors: what of the truth reaches the on-board software, how late and how wrong."""

from proxops.sensors.build import SensorsDescription, blank, build, start
from proxops.sensors.model import Sensors
from proxops.sensors.model import State as SensorState

__all__ = ["SensorState", "Sensors", "SensorsDescription", "blank", "build", "start"]
