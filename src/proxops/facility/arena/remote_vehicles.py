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
from proxops.facility.arena import watch
from proxops.facility.arena.carry import CLOCK
from proxops.facility.arena.guard import NOTHING, REASON, WHEN
from proxops.facility.arena.lab import ArenaLab
from proxops.facility.arena.motion_capture import CapturedMotion
from proxops.facility.arena.targets import moved_on, yaw_of
from proxops.facility.arena.vehicle import CYCLE
from proxops.facility.common.rows import PAIR
from proxops.links.errors import RemoteProtocolError
from proxops.links.mavlink.content import Phase, Pose
from proxops.links.pose_datagram import read_pose_datagram
from proxops.physics.multirotor.body import Q, T

CYCLE_NS = to_ns(CYCLE)
GRACE_NS = to_ns(0.2)
WAIT_S = 0.02
PATIENCE_NS = to_ns(60.0)  # for the first poses
NEAR = 0.3  # how near to its place a vehicle must stand [m]
TURNED = 10.0  # and how far from its attitude it may [deg]


def angle_between(q: np.ndarray, other: np.ndarray) -> float:
    """Between two attitudes (4,) [rad]; infinite where one is no number."""
    cosine = abs(float(np.dot(q[:4], other[:4])))
    return 2.0 * math.acos(min(1.0, cosine)) if math.isfinite(cosine) else math.inf


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
        self._counted_ns = 0  # by the wall clock since the last pose
        self.rejected = 0  # datagrams that are no poses

    @property
    def lag_s(self) -> float:
        """How far the flight is ahead of the mission, which may have been kept waiting."""
        return max(0, self.now_ns - self._goal_ns) / NS_PER_S

    def begin(self) -> None:
        """Waits until motion capture sees both; StoppedError where one that flies is not at its
        place, or the other is too near."""
        flies = np.flatnonzero(self._lab.arena.flies).tolist()
        places = self._lab.flight.y[:, :2].copy()
        attitudes = self._lab.flight.y[:, Q : Q + 4].copy()
        while unseen := [i for i, motion in enumerate(self._motions) if motion.time_s is None]:
            if self.now_ns > PATIENCE_NS:
                raise StoppedError(self._not_seen(unseen, flies))
            self.rest(8)
        found = self._lab.flight.y[:, :2]
        for which in flies:
            if math.dist(found[which], places[which]) > NEAR:
                x, y = places[which]
                u, v = found[which]
                raise StoppedError(
                    f"link: put vehicle {which + 1} at ({x:.2f}, {y:.2f}) m, where the mission "
                    f"begins: motion capture sees it at ({u:.2f}, {v:.2f}) m"
                )
            off = math.degrees(angle_between(self._lab.flight.y[which, Q:], attitudes[which]))
            if not off <= TURNED:
                raise StoppedError(
                    f"link: turn vehicle {which + 1} to where the mission begins, yaw "
                    f"{math.degrees(yaw_of(attitudes[which])):.0f} deg, level: motion capture sees "
                    f"it {off:.0f} deg off, limit {TURNED:g} deg"
                )
        apart, least = math.dist(*found), self._lab.fence.flown_apart
        if not apart >= least:
            raise StoppedError(
                f"link: put both vehicles where the mission begins: they stand {apart:.2f} m "
                f"apart, at least {least:.2f} m are needed"
            )

    def _not_seen(self, unseen: list[int], flies: list[int]) -> str:
        who = " and ".join(str(which + 1) for which in unseen)
        if not set(unseen) & set(flies):
            return (
                f"link: put vehicle {who}, which stands, where motion capture sees it: no pose of "
                f"it has come to {self._wire.poses_at}, and nobody takes off beside a vehicle "
                "whose place is not known"
            )
        return (
            f"link: no pose of vehicle {who} has come to {self._wire.poses_at}: is the motion "
            "capture, or proxops arena serve, on?"
        )

    def off_climb(self, height: float) -> str:
        """How one that climbs to a height [m] by itself is aside, above it or leaning, as motion
        capture sees it; empty if none is."""
        limits, flight = self._lab.arena.watch, self._lab.flight
        for which in np.flatnonzero(self._lab.arena.flies).tolist():
            y, place = flight.y[which], flight.targets[which]
            off = max(math.dist(y[:2], place[:2]), float(y[2]) - height)
            angle = angle_between(y[Q:], place[of.TARGET_Q :])
            who = f"vehicle {which + 1}"
            if not off <= limits.tracking:
                found = watch.REASONS[watch.OFF_COURSE]
                return found.format(who=who, value=off, limit=limits.tracking)
            if not angle <= limits.attitude:
                value, limit = math.degrees(angle), math.degrees(limits.attitude)
                return watch.REASONS[watch.OVERTURNED].format(who=who, value=value, limit=limit)
        return ""

    def pose(self, which: int) -> Pose | None:
        """What motion capture has seen since the last call, if anything."""
        new, self._new[which] = self._new[which], False
        return self._motions[which].pose() if new else None

    def exchange(self, which: int, datagrams: list[bytes]) -> list[bytes]:
        """Sends datagrams; what has come meanwhile."""
        self._wire.send(which, datagrams)
        come, self._inbox[which] = self._inbox[which], []
        return come

    def note(self, which: int, phase: Phase, armed: bool, charge: float | None) -> None:
        """How a vehicle is, as its ground station knows."""
        modes = self._lab.flight.modes
        self._lab.flight.health[which, of.CHARGE] = math.nan if charge is None else charge
        if phase is Phase.LANDING and modes[which] == of.FLYING:
            modes[which] = of.LANDING
        if modes[which] == of.LANDING and not armed:
            modes[which] = of.LANDED
            health = self._lab.flight.health[which]
            health[of.TOUCH_T] = self._lab.flight.clock[CLOCK]
            health[of.TOUCH_SPEED] = math.nan  # nobody has measured it

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
        self._watch()

    def _watch(self) -> None:
        """Ends the flight where motion capture sees a vehicle too far from its target or attitude,
        or both too close: what `facility.arena.watch` does for virtual ones."""
        lab, flight, limits = self._lab, self._lab.flight, self._lab.arena.watch
        flying = flight.modes == of.FLYING
        found = []
        for which in np.flatnonzero(flying).tolist():
            y, target = flight.y[which], flight.targets[which]
            off = math.dist(y[:3], target[of.TARGET_P : of.TARGET_P + 3])
            angle = angle_between(y[Q:], target[of.TARGET_Q :])
            if not off <= limits.tracking:
                found.append((which, watch.OFF_COURSE, off))
            elif not angle <= limits.attitude:
                found.append((which, watch.OVERTURNED, math.degrees(angle)))
        apart = math.dist(flight.y[0, :2], flight.y[1, :2])
        if flying.all() and not apart >= lab.fence.flown_apart:
            found.append((0, watch.TOO_NEAR, apart))
        if found and lab.ended[REASON] == NOTHING:
            which, reason, value = found[0]
            lab.ended[REASON], lab.ended[WHEN] = reason, flight.clock[CLOCK]
            flight.health[which, of.VALUE] = value

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
            self.now_ns += max(0, to_ns(pose.time_s - self._seen_s) - self._counted_ns)
            self._counted_ns = 0
        if self._seen_s is None or pose.time_s > self._seen_s or pose.time_s < self._seen_s - 1.0:
            self._seen_s = pose.time_s

    def _go_on(self) -> None:
        """Lets the wall clock go on where poses stay away."""
        wall_ns, since_ns = self._wire.now_ns(), max(self._wall_ns, self._arrived_ns + GRACE_NS)
        self._wall_ns = wall_ns
        if wall_ns > since_ns:
            self.now_ns += wall_ns - since_ns
            self._counted_ns += wall_ns - since_ns
