"""A facility file: two robots that carry mock-ups of target and chaser, and their sensors."""

import operator
from typing import Literal

from pydantic import Field, model_validator

from proxops.core.clock import ragged_rate
from proxops.core.text import nearest
from proxops.scenario.schema.base import Name, Path, Problem, Section, Vector3, reject_all
from proxops.scenario.schema.body import IDENTITY, ZERO, Mass, Quaternion, ThinInertia
from proxops.scenario.schema.calibration import Calibration, Misplacement
from proxops.scenario.schema.passivity import Passivity
from proxops.scenario.schema.robot import Sensor
from proxops.scenario.schema.robot_model import SHIPPED_MODELS, Axes, RobotModel

_LONGEST_DELAY_S = 10.0
_LATE_S = 1.0  # no robot is so late
_FASTEST_HZ = 1000.0  # at which the guard plans stops of 2 s (guard.build: MAX_CYCLES)
_LONGEST_RUN_S = 1e6
_ROOM_M = 100.0
_LARGEST_M = 5.0

_NO_INERTIA = (ZERO, ZERO, ZERO)


class MockUp(Section):
    """What is bolted to a flange, besides the arm: its frame M has the flange's axes."""

    mass_kg: Mass = Field(description="Mass of the mock-up, without the arm [kg]")
    p_KS_m: Vector3 = Field(default=ZERO, description="Its centre of mass from the flange [m]")
    inertia_kg_m2: ThinInertia = Field(
        default=_NO_INERTIA, description="About its centre of mass, flange axes [kg m2]"
    )
    radius_m: float = Field(
        default=0.2,
        gt=0.0,
        le=_LARGEST_M,
        description="Radius of the clearance capsule from the flange to M [m]",
    )


class CarrierRobot(Section):
    """An industrial robot at its place."""

    model: str = Field(
        description="Model of the robot: kr120-r2500, or one of the file's own robot_models"
    )
    p_LB_m: Vector3 = Field(description="Its base B in the lab L, position [m]")
    q_LB: Quaternion = Field(default=IDENTITY, description="Its base B in the lab L, wxyz [-]")
    p_KM_m: Vector3 = Field(
        default=ZERO,
        description="Mounted frame M from the flange K: on the target's robot the grapple frame G, "
        "on the chaser's the root A of its first arm, or its hub C where it has none [m]",
    )
    q_KM: Quaternion = Field(default=IDENTITY, description="Attitude of M on the flange, wxyz [-]")
    mock_up: MockUp = Field(description="Load on the flange")
    park_deg: Axes = Field(
        default=(0.0, -120.0, 120.0, 0.0, 0.0, 0.0),
        description="Parking position before and after a run, in the maker's joint angles [deg]",
    )


class Robots(Section):
    """The two robots."""

    target: CarrierRobot = Field(description="Carries the target's mock-up")
    chaser: CarrierRobot = Field(description="Carries the chaser's mock-up with the arm")


class Servo(Section):
    """How the robots follow: what is not given is ideal."""

    bandwidth_hz: float | None = Field(
        default=None, ge=0.01, description="Bandwidth of each axis, no lag if not given [Hz]"
    )
    damping_ratio: float = Field(
        default=1.0, ge=0.01, le=10.0, description="Damping ratio of that lag [-]"
    )
    delay_s: float = Field(
        default=0.0, ge=0.0, le=_LATE_S, description="Delay from command to motion [s]"
    )
    noise_m: float = Field(
        default=0.0,
        ge=0.0,
        le=_LARGEST_M,
        description="Standard deviation of a mock-up's measured position, along each axis [m]",
    )


class Start(Section):
    """Where the target's grapple frame G is shown when a rehearsal begins."""

    p_LG_m: Vector3 = Field(default=ZERO, description="G in the lab L, position [m]")
    q_LG: Quaternion = Field(default=IDENTITY, description="G in the lab L, wxyz [-]")


class Guard(Section):
    """What ends the motion of both robots, besides their own limits."""

    measured_force_N: float = Field(default=200.0, gt=0.0, description="Largest measured force [N]")
    measured_torque_N_m: float = Field(
        default=100.0,
        gt=0.0,
        description="Largest measured torque, about the flange of the target's robot [N m]",
    )
    clearance_m: float = Field(
        default=0.05,
        ge=0.0,
        le=_LARGEST_M,
        description="Least distance between robots, mock-ups and the cell's sides [m]",
    )
    arm_clearance_m: float = Field(
        default=0.02,
        ge=0.0,
        le=_LARGEST_M,
        description="Least distance of the arm, which yields, from all of these [m]",
    )
    oldest_s: float = Field(
        default=0.1, gt=0.0, le=_LONGEST_DELAY_S, description="Largest age of a measurement [s]"
    )
    p_min_m: Vector3 | None = Field(
        default=None, description="Lowest corner of the cell in L; only a floor if not given [m]"
    )
    p_max_m: Vector3 | None = Field(default=None, description="Its highest corner in L [m]")
    speed_override: float = Field(
        default=1.0, ge=0.001, le=1.0, description="Share of the robots' speed limits [-]"
    )
    acceleration_override: float = Field(
        default=1.0,
        ge=0.001,
        le=1.0,
        description="Share of the robots' limits of acceleration and jerk; an emergency stop uses "
        "the full limits [-]",
    )
    emergency_stop_at_s: float | None = Field(
        default=None,
        ge=-_LONGEST_RUN_S,
        le=_LONGEST_RUN_S,
        description="Time of an emergency stop, before the run if negative; none if not given [s]",
    )
    arm_settles_s: float = Field(
        default=0.5,
        ge=0.05,
        le=_LONGEST_DELAY_S,
        description="Time in which joints of the compliant arm lose their speed [s]",
    )

    @model_validator(mode="after")
    def _is_a_box(self) -> "Guard":
        problems: list[Problem] = []
        if (self.p_min_m is None) != (self.p_max_m is None):
            missing = "p_min_m" if self.p_min_m is None else "p_max_m"
            problems.append(((missing,), "is missing: a cell has both corners or none"))
        elif not all(map(operator.lt, self.p_min_m or (), self.p_max_m or ())):
            problems.append((("p_max_m",), "must be beyond p_min_m in x, y and z"))
        reject_all(problems)
        return self


class Procedure(Section):
    """What both robots do before and after a run."""

    speed: float = Field(
        default=0.25,
        ge=0.01,
        le=1.0,
        description="Share of the robots' motion limits used before and after a run [-]",
    )
    tare_s: float = Field(
        default=2.0,
        ge=0.0,
        le=600.0,
        description="Time at rest to average the force readings; not tared if zero [s]",
    )


class Facility(Section):
    """A laboratory for rehearsals.  Frame L: floor level, z up."""

    title: str = Field(min_length=1, max_length=200, description="One-line description")
    command_rate_hz: float | None = Field(
        default=None,
        gt=0.0,
        le=_FASTEST_HZ,
        description="Rate of commands, every step if not given [Hz]",
    )
    start: Start = Field(default=Start(), description="Where the motion begins in the lab")
    servo: Servo = Field(default=Servo(), description="How the robots follow their commands")
    feedback_sensor: Literal["flange", "wrist"] = Field(
        default="flange", description="Sensor whose reading acts on the models"
    )
    flange_sensor: Sensor = Field(
        default=Sensor(), description="Force/torque sensor under the target's mock-up"
    )
    wrist_sensor: Sensor = Field(
        default=Sensor(), description="Force/torque sensor at the arm's last link"
    )
    guard: Guard = Field(default=Guard(), description="Limits at which the guard stops both robots")
    passivity: Passivity = Field(
        default=Passivity(), description="Control of the energy that late contact gives"
    )
    procedure: Procedure = Field(
        default=Procedure(), description="Procedure of both robots before and after a run"
    )
    robots: Robots | None = Field(
        default=None, description='The robots; a facility without any has carriers = "ideal"'
    )
    robot_models: dict[Name, RobotModel] = Field(
        default={}, description="Robots of your own, by the names that model takes"
    )
    carriers: Literal["ideal"] | None = Field(
        default=None, description="In place of robots: carriers without limits, lag or delay"
    )
    mapping: Literal["commanded", "measured"] = Field(
        default="measured",
        description="Carriers' motion that on-board software sees, mapped to orbit: commanded, or "
        "as measured by the robots, with servo.noise_m",
    )
    calibration: Calibration = Field(
        default=Calibration(), description="Errors of the believed geometry of the cell"
    )

    @model_validator(mode="after")
    def _has_whole_periods(self) -> "Facility":
        rates: dict[Path, float | None] = {
            ("command_rate_hz",): self.command_rate_hz,
            ("flange_sensor", "rate_hz"): self.flange_sensor.rate_hz,
            ("wrist_sensor", "rate_hz"): self.wrist_sensor.rate_hz,
        }
        ragged = ((path, ragged_rate(rate)) for path, rate in rates.items() if rate)
        reject_all([(path, text) for path, text in ragged if text])
        return self

    @model_validator(mode="after")
    def _has_its_models(self) -> "Facility":
        known = (*SHIPPED_MODELS, *self.robot_models)
        if self.robots is not None:
            models = {name: getattr(self.robots, name).model for name in ("target", "chaser")}
            unknown = {name: model for name, model in models.items() if model not in known}
            reject_all(
                [
                    (("robots", name, "model"), f"no model {model[:60]!r}{nearest(model, known)}")
                    for name, model in unknown.items()
                ]
            )
        return self

    @model_validator(mode="after")
    def _stands_in_a_room(self) -> "Facility":
        problems: list[Problem] = []
        places: list[tuple[Path, Vector3, float]] = [
            (("start", "p_LG_m"), self.start.p_LG_m, _ROOM_M)
        ]
        if self.robots is not None:
            for name, robot in (("target", self.robots.target), ("chaser", self.robots.chaser)):
                at: Path = ("robots", name)
                places += [
                    ((*at, "p_LB_m"), robot.p_LB_m, _ROOM_M),
                    ((*at, "p_KM_m"), robot.p_KM_m, _ROOM_M),
                    ((*at, "mock_up", "p_KS_m"), robot.mock_up.p_KS_m, _LARGEST_M),
                ]
        for path, place, farthest in places:
            if max(map(abs, place)) > farthest:
                problems.append((path, f"must be within {farthest:g} m"))
        if self.robots is None:
            for name in ("chaser_base", "target_mock_up", "chaser_mock_up"):
                if getattr(self.calibration, name) != Misplacement():
                    text = "needs robots: without them mock-ups are where they are commanded to be"
                    problems.append((("calibration", name), text))
        reject_all(problems)
        return self
