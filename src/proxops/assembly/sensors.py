"""A scenario's sensors: described in SI units, and made ready for the schedule."""

from typing import Any

from proxops.assembly.extensions import extension
from proxops.bus.fields import Fields
from proxops.onboard.schedule import ScheduledSensor
from proxops.scenario.load import Scenario
from proxops.scenario.schema import Mission
from proxops.sensors.draws import SensorDraws
from proxops.sensors.sampling import Block
from proxops.sensors.sensor import Chaser, SensorKind, build
from proxops.sensors.shipped import OPTIONAL, SHIPPED
from proxops.sensors.user import kind_of


def sensors_of(scenario: Scenario) -> tuple[SensorKind, ...]:
    """The sensors of a scenario's chaser: the shipped ones, then the user's own."""
    given = scenario.mission.sensors.all()
    known = scenario.extensions.sensors
    own = (
        kind_of(extension(known, name, f"sensors.extra.{name}"))
        for name in scenario.mission.sensors.extra
    )
    return (*SHIPPED, *(each for each in OPTIONAL if (each.name,) in given), *own)


def describe_sensors(mission: Mission, sensors: tuple[SensorKind, ...] = SHIPPED) -> dict[str, Any]:
    """These sensors of a mission in SI units, by their names."""
    sections = {".".join(path): each for path, each in mission.sensors.all().items()}
    grapple = mission.target.grapple
    return {each.name: each.describe(sections[each.name], grapple) for each in sensors}


def build_sensors(
    scenario: Scenario, chaser: Chaser, measurements: Fields, rows: int
) -> tuple[list[ScheduledSensor], SensorDraws]:
    """The sensors of a scenario, which write measurements, and random numbers for so many instants
    at once."""
    sensors = sensors_of(scenario)
    described = describe_sensors(scenario.mission, sensors)
    unheard = [each.name for each in sensors if not each.hears(described[each.name])]
    draws = SensorDraws(scenario.mission.seed, sensors, chaser, rows, unheard)
    tick = scenario.mission.time.control_ns
    made = []
    for each in sensors:
        start, own = draws.start[each.name], draws.rows[each.name]
        params, memory = build(each, described[each.name], chaser, tick, start, own)
        made.append(
            ScheduledSensor(each.name, each.sample, params, memory, _block(each, measurements))
        )
    return made, draws


def _block(sensor: SensorKind, measurements: Fields) -> Block:
    """Where a sensor writes."""
    fields = [each for each in measurements.layout if each.name.startswith(f"{sensor.block}.")]
    where = [measurements.layout.where(each.name) for each in fields]
    return Block(measurements.array[where[0].start : where[-1].stop])
