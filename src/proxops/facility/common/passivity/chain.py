"""What a force passes on its way back to where it arose, and how late each part makes it.

    force ─► filter ─► samples, delay ─► held for a control period ─► model ─► delay ─► servo ─►

A delay is late by itself, a held value by half its period, a lag of first order by 1/Ω and one of
second order by 2Z/Ω: exact for slow motion, and to first order in frequency × lateness else.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from proxops.facility.common.force_sensor import ForceSensor
from proxops.facility.common.passivity.late_spring import lateness
from proxops.physics.flexible.linear import Lag, Loop


@dataclass(frozen=True)
class Chain:
    """What a force passes on its way back to where it arose, in that order."""

    force_delay: float = 0.0  # of the sensor, with the mean age of its latest sample [s]
    filter: Lag | None = None
    control_period: float = 0.0  # for which a reading is held [s]
    command_delay: float = 0.0  # [s]
    servo: Lag | None = None

    @property
    def loop(self) -> Loop:
        """The chain for the linear analysis: its lags as they are, the rest as one delay."""
        lags = tuple(lag for lag in (self.filter, self.servo) if lag is not None)
        return Loop(lags, self.force_delay + 0.5 * self.control_period + self.command_delay)


class LoopDelay(NamedTuple):
    """By how much each part of a chain makes slow motion late [s]."""

    force: float
    filter: float
    hold: float
    command: float
    servo: float

    @property
    def total(self) -> float:
        """The whole loop [s]."""
        return sum(self)


def loop_delay(chain: Chain) -> LoopDelay:
    """How late each part makes slow motion: delays as they are, a held value by half its period,
    a lag of first order by 1/Ω, of second order by 2Z/Ω."""
    return LoopDelay(
        chain.force_delay,
        _slow(chain.filter),
        0.5 * chain.control_period,
        chain.command_delay,
        _slow(chain.servo),
    )


def reading_age(sensor: ForceSensor, control: int) -> float:
    """How old a reading is as it is taken over [steps]: the sensor's delay and what has passed
    since its latest sample, on average over instants that are `control` steps apart."""
    instants = control * np.arange(sensor.every)
    return sensor.delay + float(np.mean((instants - sensor.delay) % sensor.every))


def _slow(lag: Lag | None) -> float:
    return 0.0 if lag is None else lateness(Loop((lag,), 0.0))
