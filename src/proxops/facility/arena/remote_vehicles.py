"""The other end of an arena's links: vehicles outside of this process, real or with real firmware.

All that is known of them is what motion capture sees; that is recorded as what was flown.  Its
clock is the flight's: a step is over once a pose of its end has come, so that a simulation which
runs slower or faster than time is flown at its own pace, and a room of cameras in real time.  Where
poses stay away for GRACE_NS, the wall clock goes on in their place, and watchdogs with it.
"""

import math
from typing import Protocol

import numpy as np

from proxops.core.clock import NS_PER_S, to_ns
from proxops.core.errors import StoppedError
from proxops.facility.arena import memory as of
from proxops.facility.arena.carry import CLOCK
from proxops.facility.arena.lab import ArenaLab
from proxops.facility.arena.motion_capture import CapturedMotion
from proxops.facility.arena.targets import moved_on
from proxops.facility.arena.vehicle import CYCLE
from proxops.facility.common.rows import PAIR
from proxops.links.errors import RemoteProtocolError
from proxops.links.mavlink.content import Phase, Pose
from proxops.links.pose_datagram import read_pose_datagram
from proxops.physics.multirotor.body import T

CYCLE_NS = to_ns(CYCLE)
GRACE_NS = to_ns(0.2)
WAIT_S = 0.02
PATIENCE_NS = to_ns(60.0)  # for the first poses
NEAR = 0.3  # how near to its place a vehicle must stand [m]


class Wire(Protocol):
    """Sockets and the wall clock."""

    def wait(self, seconds: float) -> tuple[list[tuple[int, bytes]], list[bytes]]:
        """What has come, at the latest after so long: datagrams of vehicles, datagrams of poses."""
        ...

    def send(self, which: int, datagrams: list[bytes]) -> None: ...

    def now_ns(self) -> int: ...

    def close(self) -> None: ...

    @property
    def poses_at(self) -> str:
        """Where poses are expected."""
        ...


class RemoteVehicles:
    """Both."""

    patience_s = 60.0  # an estimator may take half a minute to trust its poses
    real = True  # climbs by itself: a target before it has left the floor would hold it there

    def __init__(self, lab: ArenaLab, wire: Wire) -> None:
        self._lab, self._wire = lab, wire
        self._motions = [CapturedMotion() for _ in range(PAIR)]
        self._new = [False] * PAIR
        self._inbox: list[list[bytes]] = [[] for _ in range(PAIR)]
        self._delay_s = lab.arena.sensing.delay * CYCLE
        self._seen_s: float | None = None  # newest time of a pose
        self._arrived_ns = self._wall_ns = wire.now_ns()
        self._goal_ns = 0
        self.now_ns = 0
        self.rejected = 0  # datagrams that are no poses

    @property
    def lag_s(self) -> float:
        """How far the flight is ahead of the mission, which may have been kept waiting."""
        return max(0, self.now_ns - self._goal_ns) / NS_PER_S

    def begin(self) -> None:
        """Waits until motion capture sees both; StoppedError where one is not at its place."""
        places = self._lab.flight.y[:, :2].copy()
        while not all(motion.time_s is not None for motion in self._motions):
            if self.now_ns > PATIENCE_NS:
                unseen = [i + 1 for i, each in enumerate(self._motions) if each.time_s is None]
                raise StoppedError(
                    f"link: no pose of vehicle {' and '.join(map(str, unseen))} has come to "
                    f"{self._wire.poses_at}: is the motion capture, or proxops arena serve, on?"
                )
            self.rest(8)
        found = self._lab.flight.y[:, :2]
        for which in range(PAIR):
            if math.dist(found[which], places[which]) > NEAR:
                x, y = places[which]
                u, v = found[which]
                raise StoppedError(
                    f"link: put vehicle {which + 1} at ({x:.2f}, {y:.2f}) m, where the mission "
                    f"begins: motion capture sees it at ({u:.2f}, {v:.2f}) m"
                )

    def pose(self, which: int) -> Pose | None:
        """What motion capture has seen since the last call, if anything."""
        new, self._new[which] = self._new[which], False
        return self._motions[which].pose() if new else None

    def exchange(self, which: int, datagrams: list[bytes]) -> list[bytes]:
        """Sends datagrams; what has come meanwhile."""
        self._wire.send(which, datagrams)
        come, self._inbox[which] = self._inbox[which], []
        return come

    def note(self, which: int, phase: Phase, armed: bool) -> None:
        """How a vehicle is, as its ground station knows."""
        modes = self._lab.flight.modes
        if phase is Phase.LANDING and modes[which] == of.FLYING:
            modes[which] = of.LANDING
        if modes[which] == of.LANDING and not armed:
            modes[which] = of.LANDED

    def rest(self, cycles: int) -> None:
        """Waits."""
        self._goal_ns = self.now_ns + cycles * CYCLE_NS
        self._listen()

    def fly(self, cycles: int, wanted: np.ndarray) -> None:
        """Waits for so long, and notes where both are and what they were sent (2, 16)."""
        self._goal_ns += cycles * CYCLE_NS
        self._listen()
        flight, h = self._lab.flight, cycles * CYCLE
        flight.targets[:] = moved_on(wanted, h)
        flight.clock[CLOCK] += h
        flight.cycles[0] += cycles

    def close(self) -> None:
        self._wire.close()

    def look(self) -> None:
        """Takes what has come, without waiting."""
        self._take(0.0)

    def _take(self, seconds: float) -> None:
        come, poses = self._wire.wait(seconds)
        for which, datagram in come:
            self._inbox[which].append(datagram)
        for datagram in poses:
            self._take_pose(datagram)
        self._go_on()

    def _listen(self) -> None:
        """Takes what comes until the flight's clock has come to the goal; both are then noted as
        they were at the goal."""
        while self.now_ns < self._goal_ns:
            self._take(WAIT_S)
        for which, motion in enumerate(self._motions):
            if motion.time_s is not None and self._seen_s is not None:
                age_s = self._delay_s + self._seen_s - motion.time_s - self.lag_s
                self._lab.flight.y[which, :T] = motion.state_after(age_s)
                self._lab.flight.y[which, T:] = math.nan  # nobody measures thrusts

    def _take_pose(self, datagram: bytes) -> None:
        try:
            pose = read_pose_datagram(datagram)
        except RemoteProtocolError:
            self.rejected += 1
            return
        which = pose.vehicle - 1
        before = self._motions[which].time_s
        self._motions[which].take(pose.time_s, pose.p_LV, pose.q_LV)
        if self._motions[which].time_s == before:
            return
        self._new[which] = True
        self._arrived_ns = self._wire.now_ns()
        if self._seen_s is not None and 0.0 < pose.time_s - self._seen_s < 1.0:
            self.now_ns += to_ns(pose.time_s - self._seen_s)
        if self._seen_s is None or pose.time_s > self._seen_s or pose.time_s < self._seen_s - 1.0:
            self._seen_s = pose.time_s

    def _go_on(self) -> None:
        """Lets the wall clock go on where poses stay away."""
        wall_ns, since_ns = self._wire.now_ns(), max(self._wall_ns, self._arrived_ns + GRACE_NS)
        self._wall_ns = wall_ns
        if wall_ns > since_ns:
            self.now_ns += wall_ns - since_ns
