"""Carry over a link: targets reach both vehicles as MAVLink bytes, and in no other way.

    targets of the loop ─► ground station ─bytes─► autopilot ─► vehicle
             telemetry ◄── ground station ◄─bytes─ autopilot ◄──┘

One ground station for each vehicle.  Who is at the other end, `VirtualVehicles` in this process or
`RemoteVehicles` elsewhere, also has the flight's clock and motion capture.  The loop calls `carry`
by its address, which here is that of a Python function: it takes back what the loop wrote into the
vehicles' targets, sends it over the link, and flies the vehicles with what has arrived.
"""

import ctypes
from collections.abc import Callable
from typing import Protocol

import numpy as np

from proxops.core.by_address import JIT_IS_OFF, address_of
from proxops.core.clock import NS_PER_S, to_ns
from proxops.core.errors import StoppedError
from proxops.core.interrupt import raise_shielded, shield
from proxops.core.states import PASSED, FacilityState
from proxops.facility.arena import memory as of
from proxops.facility.arena.carry import CARRY, CLOCK
from proxops.facility.arena.guard import LINK, NOTHING, REASON, REASONS, WHEN, check_targets
from proxops.facility.arena.lab import ArenaLab, above_floor
from proxops.facility.arena.stations import stations_of
from proxops.facility.arena.targets import hovering, moved_on, reject_leaning, target_of
from proxops.links.errors import LocalProtocolError
from proxops.links.mavlink import events
from proxops.links.mavlink.content import Mode, Phase, Pose, SetOrigin, Target
from proxops.links.mavlink.ground_station import GroundStation, Guard

CYCLES = 8  # of an exchange on the ground: 20 ms
AGAIN_NS = to_ns(1.0)  # until what was refused is tried once more
WITHOUT_EFFECT_NS = to_ns(4.0)  # likewise, what was accepted: an origin before there is a filter
LANDING_NS = to_ns(60.0)  # until a vehicle must have landed
ORIGIN = SetOrigin(37.41, -6.0, 10.0)  # some place: the arena has no sky
ENDED = 1  # status of a carry that has failed
HEIGHT = 0.5  # to climb in a take-off, before targets take over [m]
LONGEST_LAG = 0.25  # for which a target is moved on; beyond it, both land [s]
CLIMBED = 0.8  # share of it after which they do
P = slice(0, 3)
_CALLED = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)


class Vehicles(Protocol):
    """The other end: both vehicles, the flight's clock [ns], motion capture."""

    now_ns: int
    patience_s: float  # until a vehicle must have done what it was commanded
    real: bool  # climbs by itself before targets take over, and flies on without this process

    @property
    def lag_s(self) -> float:
        """How far the flight's clock is ahead of the mission."""
        ...

    def look(self) -> None:
        """Takes what has come, without waiting."""
        ...

    def off_climb(self, height: float) -> str:
        """How one that climbs to a height [m] by itself is where it may not be; empty if none."""
        ...

    def begin(self) -> None:
        """Makes sure that motion capture sees both where they are to stand."""
        ...

    def pose(self, which: int) -> Pose | None:
        """What motion capture hands out now; None where there is nothing new."""
        ...

    def exchange(self, which: int, datagrams: list[bytes]) -> list[bytes]: ...

    def note(self, which: int, phase: Phase, armed: bool, charge: float | None) -> None:
        """Takes how a vehicle is, as its ground station knows."""
        ...

    def rest(self, cycles: int) -> None:
        """Waits, on the ground or in a hover."""
        ...

    def fly(self, cycles: int, wanted: np.ndarray) -> None:
        """Brings the flight on after targets (2, 16) were sent."""
        ...

    def close(self) -> None: ...


class ArenaLink:
    """Both links of an arena; from its making on, the arena's vehicles fly by it."""

    def __init__(self, lab: ArenaLab, vehicles: Vehicles) -> None:
        self._lab, self.vehicles = lab, vehicles
        self.stations = stations_of(lab, self._guard_of)
        flown = np.flatnonzero(lab.arena.flies).tolist()
        self._flown = [(which, self.stations[which]) for which in flown]
        self._kept = lab.flight.targets.copy()  # what has arrived
        self._stopping = self._airborne = False
        self.happened: list[tuple[int, events.Event]] = []
        self._failure: BaseException | None = None
        self._called = _CALLED(self._on_call)  # lives as long as its address is used
        address = ctypes.cast(self._called, ctypes.c_void_p).value
        lab.entries[CARRY] = address_of(self._on_call) if JIT_IS_OFF else address

    # --- before and after a run

    def begin(self) -> tuple[FacilityState, ...]:
        """Connects with, audits and arms the vehicles that fly and has them take off; StoppedError
        where one does not."""
        for row in self._lab.commands:
            reject_leaning(row)
        self.vehicles.begin()
        self._kept[:] = self._lab.flight.targets
        self._both("connect", lambda s: None, lambda s: s.phase is not Phase.SEARCHING)
        audit = self._both("audit", lambda s: s.read_and_audit(), lambda s: s.phase is Phase.READY)
        self._both(
            "set the origin",
            lambda s: s.set_origin(ORIGIN, self.vehicles.now_ns),
            lambda s: s.reported.origin is not None,
        )
        self._both(
            "set the mode",
            lambda s: s.set_mode(Mode.GUIDED),
            lambda s: s.reported.mode is Mode.GUIDED,
        )
        arm = self._both(
            "arm", lambda s: s.arm(self.vehicles.now_ns), lambda s: s.phase is Phase.ARMED
        )
        above = float(self._lab.flight.y[:, 2].max()) + HEIGHT
        self._both("take off", lambda s: s.take_off(above), lambda s: s.phase is Phase.FLYING)
        if self.vehicles.real:
            self._climb(CLIMBED * above)
        self._airborne = True
        return audit, arm

    def _climb(self, height: float) -> None:
        """Waits until they are that high [m]; there they are held, level, until targets come."""
        flight, flown = self._lab.flight, self._lab.arena.flies == 1

        def climbed(_: GroundStation) -> bool:
            if found := self.vehicles.off_climb(height):
                raise StoppedError(f"link: the take-off is broken off: {found}")
            return bool(flight.y[flown, 2].min() > height)

        self._both("climb", lambda s: None, climbed)
        flight.targets[flown] = hovering(flight.y[flown])
        self._kept[:] = flight.targets

    def land(self) -> None:
        """Commands both to land."""
        self._stopping = True
        for _, station in self._flown:
            if station.may_be_armed and station.phase not in (Phase.SEARCHING, Phase.LANDING):
                station.land()
        self._exchange(None)

    def end(self) -> FacilityState:
        """Waits until both are disarmed."""
        return self._both("disarm", lambda s: None, lambda s: not s.reported.armed)

    @property
    def may_be_armed(self) -> bool:
        """Whether one of both is armed, or may yet be by a command under way."""
        return any(station.may_be_armed for _, station in self._flown)

    def close(self) -> None:
        """Lands what is armed, or may yet be by a command under way, however the flight ended, and
        closes the link: not before real vehicles stand, since poses come over it."""
        with shield():  # whoever presses once more would close the link before they have heard
            try:
                until_ns = self.vehicles.now_ns + LANDING_NS * self.vehicles.real
                while self.may_be_armed:
                    self.land()
                    if self.vehicles.now_ns >= until_ns:
                        break
                    self.vehicles.rest(CYCLES)
            finally:
                self.vehicles.close()

    def raise_failure(self) -> None:
        """Raises what the link could not raise inside the loop."""
        if self._failure is not None:
            raise self._failure

    def _both(
        self,
        name: str,
        act: Callable[[GroundStation], None],
        reached: Callable[[GroundStation], bool],
    ) -> FacilityState:
        """Has both stations act, again where that was refused, and exchanges bytes until both have
        got there."""
        since, start_ns = len(self.happened), self.vehicles.now_ns
        forbidden = self._act(act, reached)
        tried_ns, tried = start_ns, since
        while not all(reached(station) for _, station in self._flown):
            now_ns = self.vehicles.now_ns
            late = now_ns - start_ns > to_ns(self.vehicles.patience_s)
            if late or self._audit_failed(since):
                raise StoppedError(f"link: cannot {name}: {forbidden or self._reasons(since)}")
            wait_ns = AGAIN_NS if forbidden or self._refused(tried) else WITHOUT_EFFECT_NS
            if now_ns - tried_ns >= wait_ns:
                tried_ns, tried = now_ns, len(self.happened)
                forbidden = self._act(act, reached)
            self._exchange(None)
            self.vehicles.rest(CYCLES)
        apart = float(np.linalg.norm(np.subtract(*self._lab.flight.y[:, P])))
        lasts = (self.vehicles.now_ns - start_ns) / NS_PER_S
        begins = float(self._lab.flight.clock[CLOCK])
        return FacilityState(
            name, begins, lasts, apart - self._lab.fence.tips, "tips of both vehicles", PASSED
        )

    def _act(
        self, act: Callable[[GroundStation], None], reached: Callable[[GroundStation], bool]
    ) -> str:
        """Has stations act that have not got there; why one could not, or nothing."""
        forbidden = ""
        for which, station in self._flown:
            try:
                if not reached(station):
                    act(station)
            except LocalProtocolError as error:
                forbidden = f"vehicle {which + 1}: {error}"
        return forbidden

    def _refused(self, since: int) -> bool:
        return any(isinstance(event, events.Refused) for _, event in self.happened[since:])

    def _audit_failed(self, since: int) -> bool:
        return any(
            isinstance(event, events.Audited) and not event.audit.passed
            for _, event in self.happened[since:]
        )

    def _reasons(self, since: int) -> str:
        """What both vehicles have answered since."""
        reasons = []
        for which, event in self.happened[since:]:
            match event:
                case events.Refused(_, reason) | events.Blocked(_, reason):
                    reasons.append(f"vehicle {which + 1}: {reason}")
                case events.Audited(audit):
                    reasons += [f"vehicle {which + 1}: {each}" for each in audit.problems]
        return "; ".join(dict.fromkeys(reasons)) or "no answer"

    # --- in the loop

    def _on_call(self, _: object, cycles: int) -> int:
        if self._failure is not None:
            return ENDED
        try:
            raise_shielded()  # what was pressed: nothing may be raised before or after this
            self._carry(cycles)
        except BaseException as error:
            self._failure = error
            return ENDED
        return 0

    def _carry(self, cycles: int) -> None:
        flight = self._lab.flight
        wanted = flight.targets.copy()
        flying = flight.modes == of.FLYING
        flight.targets[flying] = self._kept[flying]
        self.vehicles.look()
        self._exchange(wanted)
        self.vehicles.fly(cycles, wanted)
        self._kept[:] = flight.targets

    def _exchange(self, wanted: np.ndarray | None) -> None:
        """One exchange of bytes with both vehicles; targets (2, 16) are sent where they fly."""
        now_ns, ended = self.vehicles.now_ns, self._lab.ended
        if wanted is not None and self.vehicles.lag_s >= LONGEST_LAG:
            self._end()
        self._land_together()
        for which, station in self._flown:
            if wanted is not None and self._flies(station) and ended[REASON] == NOTHING:
                reject_leaning(wanted[which])
                later = moved_on(wanted[which], self.vehicles.lag_s)
                station.send_target(target_of(later), now_ns)
            pose = self.vehicles.pose(which)
            if pose is not None:  # late: ArduPilot takes it for older by the bytes behind it
                station.send_pose(pose, now_ns)
            happened = station.check(now_ns)
            for datagram in self.vehicles.exchange(which, station.data_to_send()):
                happened += station.receive(datagram, now_ns)
            reported = station.reported
            self.vehicles.note(which, station.phase, reported.armed, reported.battery)
            if any(isinstance(each, events.Blocked | events.TargetsEnded) for each in happened):
                self._end()
            self.happened += [
                (which, each) for each in happened if not isinstance(each, events.Telemetry)
            ]
        self._land_together()

    @staticmethod
    def _flies(station: GroundStation) -> bool:
        """Whether a vehicle is ours to command: a pilot who takes it over has it."""
        return station.phase is Phase.FLYING and station.reported.mode is Mode.GUIDED

    def _end(self) -> None:
        """Notes that the link ends the flight, unless it ends already."""
        ended = self._lab.ended
        if self._airborne and not self._stopping and ended[REASON] == NOTHING:
            ended[REASON], ended[WHEN] = LINK, self._lab.flight.clock[CLOCK]

    def _land_together(self) -> None:
        """One that lands, disarms or is taken over, or what else ends the motion, lands both."""
        if not all(self._flies(station) for _, station in self._flown):
            self._end()
        landing = any(station.phase is Phase.LANDING for _, station in self._flown)
        if landing or self._lab.ended[REASON] != NOTHING:
            for _, station in self._flown:
                if self._flies(station):
                    station.land()

    def _guard_of(self, which: int) -> Guard:
        """What the guard of targets says to a command for one vehicle, beside the other's last."""

        def guard(command: object) -> str | None:
            if not isinstance(command, Target):
                return None
            lab, pair = self._lab, self._kept.copy()
            pair[which, :9] = (*command.p_LV, *command.v_LV, *command.a_LV)
            found = check_targets(above_floor(lab), pair)
            return None if found == NOTHING else REASONS[found].format(apart=lab.fence.apart)

        return guard
