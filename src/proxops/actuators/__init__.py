"""Hardware that carries out what on-board software asks, within its limits."""

from proxops.actuators.faults import Faults
from proxops.actuators.faults import build as build_faults
from proxops.actuators.motors import Motors, build
from proxops.actuators.thrusters import Thrusters
from proxops.actuators.thrusters import build as build_thrusters

__all__ = ["Faults", "Motors", "Thrusters", "build", "build_faults", "build_thrusters"]
