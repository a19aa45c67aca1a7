"""A scenario's sensors: described in SI units, and made ready for the schedule."""

from typing import Any

from proxops.bus.fields import Fields
from proxops.onboard.schedule import ScheduledSensor
from proxops.scenario.load import Scenario
from proxops.scenario.schema import Mission
from proxops.sensors.draws import SensorDraws
from proxops.sensors.sampling import Block
from proxops.sensors.sensor import Chaser, Sensor, build
from proxops.sensors.shipped import SHIPPED


def sensors_of(scenario: Scenario) -> tuple[Sensor, ...]:
    """The sensors of a scenario's chaser."""
    return SHIPPED


def describe_sensors(mission: Mission) -> dict[str, Any]:
    """The sensors of a mission in SI units, by their names."""
    return {
        each.name: each.describe(getattr(mission.sensors, each.name), mission.target.grapple)
        for each in SHIPPED
    }


def build_sensors(
    scenario: Scenario, chaser: Chaser, measurements: Fields, rows: int
) -> tuple[list[ScheduledSensor], SensorDraws]:
    """The sensors of a scenario, which write measurements, and random numbers for so many instants
    at once."""
    sensors, described = sensors_of(scenario), describe_sensors(scenario.mission)
    draws = SensorDraws(scenario.mission.seed, sensors, chaser, rows)
    tick = scenario.mission.time.control_ns
    made = []
    for each in sensors:
        start, own = draws.start[each.name], draws.rows[each.name]
        params, memory = build(each, described[each.name], chaser, tick, start, own)
        made.append(
            ScheduledSensor(each.name, each.sample, params, memory, _block(each, measurements))
        )
    return made, draws


def _block(sensor: Sensor, measurements: Fields) -> Block:
    """Where a sensor writes."""
    fields = [each for each in measurements.layout if each.name.startswith(f"{sensor.block}.")]
    where = [measurements.layout.where(each.name) for each in fields]
    return Block(measurements.array[where[0].start : where[-1].stop])
