"""Hardware that carries out what on-board software asks, within its limits."""

from proxops.actuators.motors import Motors, build

__all__ = ["Motors", "build"]
