"""What commands and readings of a cell pass on their way: force sensors, servos, both together."""

import math

import numpy as np

from proxops.core.errors import InputError
from proxops.facility.common.force_sensor import ForceSensor
from proxops.facility.common.passivity.chain import Chain, reading_age
from proxops.facility.rendered.build import integer_steps
from proxops.facility.robot_cell.servo import Servo
from proxops.physics.flexible.linear import Lag
from proxops.scenario.schema.facility import Facility
from proxops.scenario.schema.robot import Sensor

HZ = 2.0 * math.pi


def force_sensor_of(given: Sensor, step: float) -> ForceSensor:
    return ForceSensor(
        HZ * (given.filter_hz or 0.0),
        max(1, integer_steps("sensor period", 1.0 / given.rate_hz if given.rate_hz else 0.0, step)),
        integer_steps("sensor delay", given.delay_s, step),
        np.array([*given.bias_N, *given.bias_N_m]),
        np.array([*given.noise_N, *given.noise_N_m]),
    )


def chain_of(facility: Facility, step: float) -> Chain:
    """What a contact's force passes until the carriers answer it: models take readings over in
    every step [s]; commands that are met when they are as old as the delay cost no more."""
    sensor = (
        facility.flange_sensor if facility.feedback_sensor == "flange" else facility.wrist_sensor
    )
    reads, servo = force_sensor_of(sensor, step), servo_of(facility, step)
    lags = facility.robots is not None and servo.corner > 0.0
    return Chain(
        reading_age(reads, 1) * step,
        Lag(reads.corner, 1) if reads.corner > 0.0 else None,
        step,
        servo.delay * step if facility.robots else 0.0,
        Lag(servo.corner, 2, servo.damping) if lags else None,
    )


def servo_of(facility: Facility, step: float) -> Servo:
    rate, given = facility.command_rate_hz, facility.servo
    cycle = max(1, integer_steps("command period", 1.0 / rate if rate else 0.0, step))
    delay = integer_steps("servo.delay_s", given.delay_s, step)
    if facility.robots and delay < cycle:
        raise InputError(
            f"servo.delay_s: {given.delay_s:g} s is less than a command period of "
            f"{cycle * step:g} s, which a robot needs to move from one command to the next"
        )
    return Servo(HZ * (given.bandwidth_hz or 0.0), given.damping_ratio, delay, cycle)
