"""Sensors: what of the truth reaches the on-board software, how late and how wrong."""

from proxops.sensors.build import SensorsDescription, blank, build, start
from proxops.sensors.model import Sensors, State

__all__ = ["Sensors", "SensorsDescription", "State", "blank", "build", "start"]
