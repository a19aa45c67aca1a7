"""The other end of an arena's links: virtual vehicles, virtual autopilots, in this process."""

import numpy as np

from proxops.core.by_address import pinned
from proxops.core.clock import NS_PER_S, to_ns
from proxops.core.random_rows import FACILITY, generator
from proxops.facility.arena.carry import AGE
from proxops.facility.arena.lab import ArenaLab
from proxops.facility.arena.linked_vehicle import LinkedVehicle, advance_vehicles
from proxops.facility.arena.motion_capture import CapturedMotion, turned
from proxops.facility.arena.vehicle import CYCLE
from proxops.facility.common.rows import PAIR
from proxops.links.mavlink.autopilot import Autopilot
from proxops.links.mavlink.content import Phase, Pose

CYCLE_NS = to_ns(CYCLE)
ON_GROUND = 1  # key of the random numbers of poses before the first cycle


class VirtualVehicles:
    """Both; their time is that of their cycles."""

    patience_s = 5.0  # until a vehicle must have done what it was commanded
    real = False  # targets take over as soon as a take-off is accepted
    lag_s = 0.0

    def __init__(self, lab: ArenaLab, parameters: dict[str, float]) -> None:
        self._lab = lab
        self._given = pinned(lab._replace(entries=lab.entries.copy()))  # the vehicles' own carry
        self.vehicles = [LinkedVehicle(lab.flight, self._given, which) for which in range(PAIR)]
        self.autopilots = [
            Autopilot(vehicle, parameters, system=which + 1)
            for which, vehicle in enumerate(self.vehicles)
        ]
        self._motions = [CapturedMotion() for _ in range(PAIR)]
        self.now_ns = 0

    def begin(self) -> None:
        """Has motion capture see both on the ground: its frames are taken in cycles, and none is
        flown yet."""
        flight, sensing = self._lab.flight, self._lab.arena.sensing
        draws = generator(0, FACILITY, ON_GROUND).standard_normal((PAIR, sensing.delay + 1, 6))
        for which in range(PAIR):
            y = flight.y[which].tolist()
            for slot, drawn in enumerate(draws[which]):
                a = (sensing.angle_noise * drawn[3:]).tolist()
                flight.poses[which, slot, :3] = y[0:3] + sensing.position_noise * drawn[:3]
                flight.poses[which, slot, 3:7] = turned(tuple(y[6:10]), tuple(a))

    def pose(self, which: int) -> Pose | None:
        """What motion capture hands out now, late by its delay; None while it is lost."""
        flight, sensing = self._lab.flight, self._lab.arena.sensing
        if flight.clock[AGE + which] > (sensing.delay + 2 * sensing.period) * CYCLE:
            return None
        # the slot that the next cycle writes over has the oldest frame
        seen = flight.poses[which, flight.cycles[0] % (sensing.delay + 1)].tolist()
        motion = self._motions[which]
        motion.take(self.now_ns / NS_PER_S, tuple(seen[0:3]), tuple(seen[3:7]))
        return motion.pose()

    def off_climb(self, height: float) -> str:
        """Targets take over at once."""
        return ""

    def look(self) -> None:
        """Nothing comes by itself."""

    def exchange(self, which: int, datagrams: list[bytes]) -> list[bytes]:
        """Hands datagrams to an autopilot; its answers."""
        autopilot = self.autopilots[which]
        for datagram in datagrams:
            autopilot.receive(datagram, self.now_ns)
        autopilot.check(self.now_ns)
        return autopilot.data_to_send()

    def note(self, which: int, phase: Phase, armed: bool, charge: float | None) -> None:
        """Virtual vehicles know how they are."""

    def rest(self, cycles: int) -> None:
        """Waits on the ground."""
        self.now_ns += cycles * CYCLE_NS

    def fly(self, cycles: int, wanted: np.ndarray) -> None:
        """Flies both by what has arrived, whatever was wanted."""
        advance_vehicles(self._given, cycles)
        self.now_ns += cycles * CYCLE_NS

    def close(self) -> None:
        """Nothing is open."""
