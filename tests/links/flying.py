"""A ground station and an autopilot on a fake wire, with a clock that tests advance."""

import math
from dataclasses import dataclass, field
from pathlib import Path

from proxops.links.mavlink import events, parameter_file
from proxops.links.mavlink.autopilot import Autopilot
from proxops.links.mavlink.content import (
    Command,
    Mode,
    Phase,
    Pose,
    SetOrigin,
    Target,
    VehicleState,
)
from proxops.links.mavlink.frames import Vector
from proxops.links.mavlink.ground_station import GroundStation, Guard
from proxops.links.mavlink.signing import Signing

STEP_NS = 20_000_000
LEVEL = (1.0, 0.0, 0.0, 0.0)
ZERO = (0.0, 0.0, 0.0)
ORIGIN = SetOrigin(37.4, -6.0, 10.0)
PARAMETERS = Path(__file__).parents[2] / "examples/arena/vehicle.param"


def audited_parameters() -> dict[str, float]:
    return parameter_file.parse(PARAMETERS.read_text(), str(PARAMETERS))


def target(p: Vector, v: Vector = ZERO, a: Vector = ZERO, yaw: float = 0.0) -> Target:
    return Target(p, v, a, yaw)


def permit_all(_: Command | Target | SetOrigin) -> None:
    return None


@dataclass
class FakeVehicle:
    """Is where its target is; climbs and sinks at 1 m/s; writes down what it was commanded."""

    refusal: str | None = None
    battery: float | None = None
    p: Vector = ZERO
    armed: bool = False
    goal: float | None = None  # height [m] while climbing or sinking
    calls: list[str] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    poses: list[Pose] = field(default_factory=list)

    def arm(self) -> str | None:
        self.calls.append("arm")
        self.armed = self.refusal is None
        return self.refusal

    def disarm(self) -> None:
        self.calls.append("disarm")
        self.armed = False

    def take_off(self, height_m: float) -> None:
        self.calls.append("take_off")
        self.goal = height_m

    def set_target(self, wanted: Target) -> None:
        self.targets.append(wanted)
        self.p, self.goal = wanted.p_LV, None

    def set_pose(self, pose: Pose) -> None:
        self.poses.append(pose)

    def hold(self) -> None:
        self.calls.append("hold")
        self.goal = None

    def land(self) -> None:
        self.calls.append("land")
        self.goal = 0.0

    def state(self) -> VehicleState:
        return VehicleState(self.p, ZERO, LEVEL, ZERO, self.p[2] <= 0.0, self.battery)

    def advance(self, dt_s: float) -> None:
        if self.goal is not None:
            step = max(-dt_s, min(dt_s, self.goal - self.p[2]))
            self.p = (self.p[0], self.p[1], self.p[2] + step)


@dataclass
class Flight:
    """Both machines, the vehicle, and everything that happened."""

    vehicle: FakeVehicle = field(default_factory=FakeVehicle)
    parameters: dict[str, float] = field(default_factory=audited_parameters)
    guard: Guard = permit_all
    key: bytes | None = None
    now_ns: int = 0
    poses: bool = True
    up: bool = True  # whether the wire carries from the station to the vehicle
    down: bool = True
    happened: list[events.Event] = field(default_factory=list)
    to_vehicle: list[bytes] = field(default_factory=list)  # every datagram
    to_station: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        signing = [None if self.key is None else Signing(self.key) for _ in range(2)]
        self.station = GroundStation(self.guard, signing=signing[0])
        self.autopilot = Autopilot(self.vehicle, self.parameters, signing=signing[1])

    def step(self) -> list[events.Event]:
        """Advances 20 ms; what happened in it."""
        self.now_ns += STEP_NS
        if self.poses:
            self.station.send_pose(Pose(self.vehicle.p, LEVEL, ZERO, ZERO), self.now_ns)
        happened = self.station.check(self.now_ns)
        for datagram in self.station.data_to_send():
            self.to_vehicle.append(datagram)
            if self.up:
                self.autopilot.receive(datagram, self.now_ns)
        self.vehicle.advance(STEP_NS / 1e9)
        self.autopilot.check(self.now_ns)
        for datagram in self.autopilot.data_to_send():
            self.to_station.append(datagram)
            if self.down:
                happened += self.station.receive(datagram, self.now_ns)
        self.happened += happened
        return happened

    def run(self, seconds: float) -> list[events.Event]:
        return [event for _ in range(round(seconds * 50)) for event in self.step()]

    def until(self, kind: type, seconds: float = 10.0) -> events.Event:
        """Runs until an event of the kind has come, and gives it."""
        for _ in range(round(seconds * 50)):
            for event in self.step():
                if isinstance(event, kind):
                    return event
        others = [type(event).__name__ for event in self.happened[-20:]]
        raise AssertionError(f"no {kind.__name__} in {seconds} s; happened: {others}")

    # --- to the phases of a flight

    def connect(self) -> "Flight":
        self.until(events.Connected)
        return self

    def prepare(self) -> "Flight":
        """Ready to arm."""
        self.connect()
        self.station.set_origin(ORIGIN, self.now_ns)
        self.until(events.OriginKnown)
        self.station.read_and_audit()
        self.until(events.Audited)
        self.station.set_mode(Mode.GUIDED)
        while self.station.reported.mode is not Mode.GUIDED:
            self.step()
        return self

    def arm(self) -> "Flight":
        self.prepare()
        self.station.arm(self.now_ns)
        self.until(events.Armed)
        return self

    def fly(self, height_m: float = 1.0) -> "Flight":
        """In the air, after the climb."""
        self.arm()
        self.station.take_off(height_m)
        while self.station.phase is not Phase.FLYING:
            self.step()
        self.run(height_m + 0.5)
        return self

    def circle(self, seconds: float, radius_m: float = 1.8, period_s: float = 30.0) -> None:
        """Sends targets of a circle at 50 Hz."""
        w = 2.0 * math.pi / period_s
        for tick in range(round(seconds * 50)):
            c, s = math.cos(w * tick / 50), math.sin(w * tick / 50)
            self.station.send_target(
                target(
                    (radius_m * c, radius_m * s, 1.0),
                    (-radius_m * w * s, radius_m * w * c, 0.0),
                    (-radius_m * w * w * c, -radius_m * w * w * s, 0.0),
                    yaw=math.atan2(-s, -c),
                ),
                self.now_ns,
            )
            self.step()
