"""A virtual vehicle as the autopilot's end of a link drives it."""

import math

from proxops.core.jit import kernel
from proxops.facility.arena import memory as of
from proxops.facility.arena.carry import begin_landing, carry
from proxops.facility.arena.vehicle import Flight
from proxops.links.mavlink.content import Pose, Target, VehicleState


@kernel
def advance_vehicles(lab, cycles):
    """Flies both vehicles, by what their autopilots have."""
    return carry(lab, cycles)


@kernel
def begin_one_landing(lab, which):
    """Begins the landing of one vehicle."""
    if lab.flight.modes[which] == of.FLYING:
        begin_landing(lab.flight, which, lab.arena.gains)


class LinkedVehicle:
    """A virtual vehicle as its autopilot drives it."""

    def __init__(self, flight: Flight, given: object, which: int) -> None:
        self._flight, self._given, self._which = flight, given, which
        self.flies = False  # took off, and is not disarmed

    def arm(self) -> str | None:
        return None

    def disarm(self) -> None:
        self.flies = False

    def take_off(self, height_m: float) -> None:
        self.flies = True

    def set_target(self, target: Target) -> None:
        """Level: no message of the link has roll and pitch."""
        if self._flight.modes[self._which] != of.FLYING:
            return
        half = 0.5 * target.yaw
        row = self._flight.targets[self._which]
        row[:] = (
            *target.p_LV, *target.v_LV, *target.a_LV,
            math.cos(half), 0.0, 0.0, math.sin(half), 0.0, 0.0, 0.0,
        )  # fmt: skip

    def set_pose(self, pose: Pose) -> None:
        """Its estimator has the motion capture's poses already, with their delay and noise."""

    def hold(self) -> None:
        self._flight.targets[self._which, of.TARGET_V : of.TARGET_Q] = 0.0
        self._flight.targets[self._which, of.TARGET_W :] = 0.0

    def land(self) -> None:
        begin_one_landing(self._given, self._which)

    def state(self) -> VehicleState:
        y = self._flight.y[self._which].tolist()
        landed = not self.flies or self._flight.modes[self._which] == of.LANDED
        return VehicleState(tuple(y[0:3]), tuple(y[3:6]), tuple(y[6:10]), tuple(y[10:13]), landed)
