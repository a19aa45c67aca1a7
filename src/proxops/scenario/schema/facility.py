"""A facility file: two robots that carry mock-ups of target and chaser, and their sensors."""

from typing import Literal

from pydantic import Field, model_validator

from proxops.scenario.schema.base import Fault, Path, Section, Vector3, refuse_all
from proxops.scenario.schema.body import IDENTITY, ZERO, Mass, Quaternion, ThinInertia
from proxops.scenario.schema.robot import Sensor

_LONGEST_DELAY_S = 10.0
_ROOM_M = 100.0

_NO_INERTIA = (ZERO, ZERO, ZERO)


class MockUp(Section):
    """What is bolted to a flange, besides the arm: its frame M has the flange's axes."""

    mass_kg: Mass = Field(description="Mass of the mock-up, without the arm [kg]")
    p_KS_m: Vector3 = Field(default=ZERO, description="Its centre of mass from the flange [m]")
    inertia_kg_m2: ThinInertia = Field(
        default=_NO_INERTIA, description="About its centre of mass, flange axes [kg m2]"
    )


class CarrierRobot(Section):
    """An industrial robot at its place."""

    model: Literal["kr120-r2500"] = Field(description="Which robot it is")
    p_LB_m: Vector3 = Field(description="Its base B in the lab L, position [m]")
    q_LB: Quaternion = Field(default=IDENTITY, description="Its base B in the lab L, wxyz [-]")
    p_KM_m: Vector3 = Field(
        default=ZERO,
        description="Mounted frame M from the flange K: on the target's robot the grapple frame G, "
        "on the chaser's the root A of its first arm [m]",
    )
    q_KM: Quaternion = Field(default=IDENTITY, description="Attitude of M on the flange, wxyz [-]")
    mock_up: MockUp = Field(description="What it carries")


class Robots(Section):
    """The two robots."""

    target: CarrierRobot = Field(description="Carries the target's mock-up")
    chaser: CarrierRobot = Field(description="Carries the chaser's mock-up with the arm")


class Servo(Section):
    """How the robots follow: what is not given is ideal."""

    bandwidth_hz: float | None = Field(
        default=None, gt=0.0, description="Bandwidth of each axis, no lag if not given [Hz]"
    )
    damping_ratio: float = Field(default=1.0, gt=0.0, le=10.0, description="Of that lag [-]")
    delay_s: float = Field(
        default=0.0, ge=0.0, le=_LONGEST_DELAY_S, description="From command to motion [s]"
    )
    noise_m: float = Field(
        default=0.0, ge=0.0, description="Standard deviation of a measured position [m]"
    )


class Start(Section):
    """Where the target's grapple frame G is shown when a rehearsal begins."""

    p_LG_m: Vector3 = Field(default=ZERO, description="G in the lab L, position [m]")
    q_LG: Quaternion = Field(default=IDENTITY, description="G in the lab L, wxyz [-]")


class Facility(Section):
    """A laboratory for rehearsals.  Frame L: floor level, z up."""

    title: str = Field(min_length=1, max_length=200, description="One line that says what it is")
    command_rate_hz: float | None = Field(
        default=None, gt=0.0, description="Rate of commands, every step if not given [Hz]"
    )
    start: Start = Field(default=Start(), description="Where the motion begins in the lab")
    servo: Servo = Field(default=Servo(), description="How the robots follow their commands")
    felt_by: Literal["flange", "wrist"] = Field(
        default="flange", description="Which sensor the models feel contact through"
    )
    flange_sensor: Sensor = Field(
        default=Sensor(), description="Force/torque sensor under the target's mock-up"
    )
    wrist_sensor: Sensor = Field(
        default=Sensor(), description="Force/torque sensor at the arm's last link"
    )
    robots: Robots | None = Field(
        default=None, description="The robots; carriers without limits if not given"
    )

    @model_validator(mode="after")
    def _stands_in_a_room(self) -> "Facility":
        faults: list[Fault] = []
        places: list[tuple[Path, Vector3]] = [(("start", "p_LG_m"), self.start.p_LG_m)]
        if self.robots is not None:
            for name, robot in (("target", self.robots.target), ("chaser", self.robots.chaser)):
                places.append((("robots", name, "p_LB_m"), robot.p_LB_m))
                places.append((("robots", name, "p_KM_m"), robot.p_KM_m))
        for path, place in places:
            if max(map(abs, place)) > _ROOM_M:
                faults.append((path, f"must be within {_ROOM_M:g} m"))
        refuse_all(faults)
        return self
