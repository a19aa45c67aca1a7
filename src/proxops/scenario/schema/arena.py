"""A flight arena: two multirotors that carry the motion of target and chaser, and its room; and how
a mission is shown there."""

import operator
from typing import Literal

from pydantic import Field, model_validator

from proxops.scenario.schema.arena_faults import ArenaFault
from proxops.scenario.schema.base import Name, Problem, Section, Vector3, reject_all
from proxops.scenario.schema.body import ZERO, Mass
from proxops.scenario.schema.payload import Payloads

_ROOM_M = 1000.0


class Battery(Section):
    """What a vehicle flies on; the power is that of momentum theory over an efficiency."""

    capacity_Wh: float = Field(gt=0.0, le=1e5, description="Energy of a full battery [W h]")
    efficiency: float = Field(
        gt=0.05,
        le=1.0,
        description="Induced power of the rotors over what the battery gives [-]",
    )
    reserve: float = Field(
        default=0.2, ge=0.0, lt=1.0, description="Charge at which both vehicles land [-]"
    )


class Multirotor(Section):
    """A hexarotor with tilted rotors; both vehicles are alike."""

    mass_kg: Mass = Field(description="Mass without payloads [kg]")
    inertia_kg_m2: Vector3 = Field(
        description="Principal moments about its axes, without payloads [kg m2]"
    )
    arm_m: float = Field(gt=0.01, le=5.0, description="From the centre to each rotor [m]")
    propeller_m: float = Field(gt=0.01, le=5.0, description="Diameter of a propeller [m]")
    alpha_deg: float = Field(
        ge=0.0, le=60.0, description="Tilt of the rotors about their arms, in turn [deg]"
    )
    beta_deg: float = Field(
        default=0.0, ge=-45.0, le=45.0, description="Tilt towards the centre [deg]"
    )
    drag_ratio_m: float = Field(
        gt=0.0, le=1.0, description="Drag torque of a rotor over its thrust [m]"
    )
    min_thrust_N: float = Field(ge=0.0, description="Least thrust of a rotor [N]")
    max_thrust_N: float = Field(gt=0.0, le=1e4, description="Largest thrust of a rotor [N]")
    rotor_lag_s: float = Field(gt=0.005, le=1.0, description="Time constant of a rotor [s]")
    drag_N_s_m: float = Field(ge=0.0, le=100.0, description="Drag of the body [N s/m]")
    battery: Battery | None = Field(
        default=None, description="If not given, limits.endurance_s alone says how long it flies"
    )

    @property
    def tips_m(self) -> float:
        """From tip to tip [m]."""
        return 2.0 * self.arm_m + self.propeller_m

    @model_validator(mode="after")
    def _can_fly(self) -> "Multirotor":
        problems: list[Problem] = []
        if min(self.inertia_kg_m2) <= 0.0:
            problems.append((("inertia_kg_m2",), "moments must be above zero"))
        if self.max_thrust_N <= self.min_thrust_N:
            problems.append((("max_thrust_N",), "must be above min_thrust_N"))
        reject_all(problems)
        return self


class Imu(Section):
    """What accelerometers and gyros measure besides the motion."""

    vibration_m_s2: float = Field(
        default=0.5, gt=0.0, le=20.0, description="Standard deviation of specific force [m/s2]"
    )
    rate_noise_rad_s: float = Field(
        default=0.01, gt=0.0, le=1.0, description="Standard deviation of angular rate [rad/s]"
    )
    force_bias_m_s2: float = Field(
        default=0.0, ge=-2.0, le=2.0, description="Constant error on each axis [m/s2]"
    )
    rate_bias_rad_s: float = Field(
        default=0.0, ge=-0.1, le=0.1, description="Constant error on each axis [rad/s]"
    )


class MotionCapture(Section):
    """Poses of both vehicles, seen by the cameras of the arena."""

    position_noise_m: float = Field(
        default=2e-4, gt=0.0, le=0.1, description="Standard deviation, each axis [m]"
    )
    angle_noise_rad: float = Field(
        default=2e-3, gt=0.0, le=0.1, description="Standard deviation, each axis [rad]"
    )
    rate_hz: float = Field(default=100.0, ge=10.0, le=400.0, description="Rate of poses [Hz]")
    delay_s: float = Field(default=0.01, ge=0.0, le=0.1, description="From pose to autopilot [s]")
    timeout_s: float = Field(
        default=0.2, ge=0.05, le=2.0, description="Age of a pose at which both vehicles land [s]"
    )
    lost_at_s: float | None = Field(
        default=None,
        ge=0.0,
        description="When it ends, in flight time of the run; never if not given [s]",
    )


class ArenaLimits(Section):
    """What flights must keep; targets keep more, see docs/arena.md."""

    speed_m_s: float = Field(
        default=1.2, gt=0.01, le=20.0, description="Largest speed of each axis [m/s]"
    )
    acceleration_m_s2: float = Field(
        default=0.75, gt=0.01, le=10.0, description="Largest acceleration of each axis [m/s2]"
    )
    jerk_m_s3: float = Field(
        default=50.0, gt=0.1, le=1e4, description="Largest jerk of each axis [m/s3]"
    )
    yaw_rate_deg_s: float = Field(
        default=60.0, gt=0.0, le=360.0, description="Largest rate of roll, pitch and yaw [deg/s]"
    )
    turn_acceleration_deg_s2: float = Field(
        default=120.0, gt=0.1, le=1e4, description="Largest acceleration of these [deg/s2]"
    )
    separation: float = Field(
        default=1.5,
        ge=1.0,
        le=10.0,
        description="Least horizontal distance of centres in flight, in spans from tip to tip [-]",
    )
    walls_m: float = Field(
        default=0.6, ge=0.0, le=5.0, description="Least distance of a centre from walls [m]"
    )
    endurance_s: float = Field(
        default=600.0, gt=0.0, le=1e5, description="Longest flight on one battery [s]"
    )
    tracking_m: float = Field(
        default=0.06, gt=0.0, le=1.0, description="Largest error of a vehicle's position [m]"
    )
    relative_m: float = Field(
        default=0.12, gt=0.0, le=1.0, description="And of the relative position [m]"
    )
    hover_share: float = Field(
        default=0.6,
        gt=0.0,
        le=1.0,
        description="Largest thrust of a rotor in a hover, of what it can [-]",
    )
    abort_m: float = Field(
        default=0.5,
        gt=0.0,
        le=10.0,
        description="Distance of a vehicle from its target at which both land [m]",
    )
    abort_deg: float = Field(
        default=15.0,
        gt=0.0,
        le=180.0,
        description="Angle of a vehicle from its attitude at which both land [deg]",
    )
    abort_saturated_s: float = Field(
        default=1.0,
        gt=0.0,
        le=60.0,
        description="How long rotors are at their limits until both vehicles land [s]",
    )


class Operator(Section):
    """What the operator commands, in flight time of the run; after its end too."""

    hold_at_s: float | None = Field(
        default=None, ge=0.0, description="Both vehicles stop and hold their places [s]"
    )
    return_at_s: float | None = Field(
        default=None, ge=0.0, description="They fly to above where they took off, and land [s]"
    )
    land_at_s: float | None = Field(
        default=None, ge=0.0, description="They stop and land where they are [s]"
    )

    @model_validator(mode="after")
    def _is_in_order(self) -> "Operator":
        problems: list[Problem] = []
        last = "return_at_s" if self.return_at_s is not None else "land_at_s"
        at_s = getattr(self, last)
        if self.return_at_s is not None and self.land_at_s is not None:
            problems.append((("land_at_s",), "leave out: after return_at_s vehicles land anyway"))
        elif self.hold_at_s is not None and at_s is not None and at_s <= self.hold_at_s:
            problems.append(((last,), "must be after hold_at_s"))
        reject_all(problems)
        return self


class FlightArena(Section):
    """A flight arena.  Frame L: floor level, z up."""

    kind: Literal["flight-arena"] = Field(description="What kind of facility it is")
    title: str = Field(min_length=1, max_length=200, description="One line that says what it is")
    p_min_m: Vector3 = Field(description="Lowest corner of the room in L [m]")
    p_max_m: Vector3 = Field(description="Its highest corner [m]")
    origin_m: Vector3 = Field(description="Where the Hill frame's origin is shown, in L [m]")
    vehicle: Multirotor = Field(description="The multirotors")
    payloads: Payloads = Field(default=Payloads(), description="Mock-ups that they carry")
    imu: Imu = Field(default=Imu(), description="Their inertial sensors")
    motion_capture: MotionCapture = Field(
        default=MotionCapture(), description="The arena's cameras"
    )
    wind_m_s: Vector3 = Field(default=ZERO, description="Velocity of the air in L [m/s]")
    wake: bool = Field(default=True, description="Whether a vehicle's wake is felt by the other")
    limits: ArenaLimits = Field(default=ArenaLimits(), description="What must be kept")
    flies: Literal["both", "target", "chaser"] = Field(
        default="both",
        description="Whose vehicle flies; in a dry run with one, the other stands on the floor",
    )
    operator: Operator = Field(default=Operator(), description="Scripted commands")
    faults: dict[Name, ArenaFault] = Field(
        default_factory=dict, description="Scripted faults, by names of your own"
    )

    @model_validator(mode="after")
    def _is_a_room(self) -> "FlightArena":
        problems: list[Problem] = []
        if not all(map(operator.lt, self.p_min_m, self.p_max_m)):
            problems.append((("p_max_m",), "must be beyond p_min_m in x, y and z"))
        for name in ("p_min_m", "p_max_m", "origin_m"):
            if max(map(abs, getattr(self, name))) > _ROOM_M:
                problems.append(((name,), f"must be within {_ROOM_M:g} m"))
        if max(map(abs, self.wind_m_s)) > 10.0:
            problems.append((("wind_m_s",), "must be within 10 m/s"))
        problems += self._without_battery()
        reject_all(problems)
        return self

    def _without_battery(self) -> list[Problem]:
        """Faults of a battery that there is not."""
        if self.vehicle.battery is not None:
            return []
        return [
            (("faults", name), "give vehicle.battery: without it there is no charge")
            for name, fault in self.faults.items()
            if fault.kind == "low-battery"
        ]


class InArena(Section):
    """How a flight arena shows a mission: lengths and pace, and which way is up."""

    length_scale: float = Field(
        default=1.0, gt=0.0, le=100.0, description="Length in the arena over length in orbit [-]"
    )
    time_scale: float = Field(
        default=1.0, gt=0.0, le=1000.0, description="How many times faster than in orbit [-]"
    )
    up: Literal["x", "y", "z"] = Field(
        default="z", description="Axis of the Hill frame that points up"
    )
    heading_deg: float = Field(
        default=0.0, ge=-360.0, le=360.0, description="Turn of the whole about the vertical [deg]"
    )
    origin_m: Vector3 | None = Field(
        default=None,
        description="Where the Hill frame's origin is shown in L; if not given, the arena's [m]",
    )
