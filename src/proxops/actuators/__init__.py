"""Hardware that carries out what on-board software asks, within its limits."""

from proxops.actuators.motors import Motors, build
from proxops.actuators.thrusters import Thrusters
from proxops.actuators.thrusters import build as build_thrusters

__all__ = ["Motors", "Thrusters", "build", "build_thrusters"]
