"""What a user adds to a scenario from files outside the package.

A scenario names an extension; its code comes beside it, from the caller or the command line, never
from the scenario itself: reading a stranger's mission runs nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Extensions:
    """Sensors, functions on board and contact laws of the user's own, by name."""

    sensors: Mapping[str, Any] = field(default_factory=dict)  # sensors.sensor.Sensor
    functions: Mapping[str, Any] = field(default_factory=dict)  # onboard.user
    contact_laws: Mapping[str, Any] = field(default_factory=dict)  # physics.contact.external
    sources: Mapping[str, str] = field(default_factory=dict)  # SHA-256 of each file, by its path


NO_EXTENSIONS = Extensions()
