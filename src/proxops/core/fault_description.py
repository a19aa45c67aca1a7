"""Faults as they cross from a scenario to the actuators; their meaning is in actuators.faults."""

from dataclasses import dataclass

DEAD, STUCK, LATE, OPEN, WEAK, PUSH, HELD = range(7)


@dataclass(frozen=True)
class FaultDescription:
    """One fault."""

    kind: int
    number: int
    begin: int  # [ns]
    end: int  # [ns]
    rotor: float = 0.0  # J [kg m2 or kg], of a stuck joint
    max_effort: float = 0.0  # [N m or N], likewise
    numbers: tuple[float, float, float] = (0.0, 0.0, 0.0)  # see actuators.faults.Faults
