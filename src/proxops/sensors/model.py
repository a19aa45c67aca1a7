"""What the sensors are made of, flat: few tuples cross from Python to the kernels."""

from typing import NamedTuple

import numpy as np

# Rows of Sensors.schedule, Sensors.chances, State.times and State.marks
STAR = 0
GYRO = 1
CAMERA = 2
WRIST = 3
ENCODERS = 4
TELEMETRY = 5
SENSORS = 6

# Columns of Sensors.schedule
PERIOD = 0  # [ns]; zero for every call
DELAY = 1  # from exposure to arrival [ns]
BLOCK = 2  # where its block begins in what is seen
WIDTH = 3  # of a sample
LOST = 4  # which random number says whether a sample is lost
SCHEDULE_WIDTH = 5

# Columns of Sensors.chances: a sample is lost if its normal number is below this
BEGINS = 0
GOES_ON = 1  # where the one before was lost
CHANCES_WIDTH = 2

# Columns of Sensors.windows
KIND = 0  # a sensor that drops out, FROZEN or SPIKE
FROM = 1  # [ns]
UNTIL = 2  # [ns], no longer part of it
WINDOWS_WIDTH = 3
FROZEN = 6  # the gyro repeats itself
SPIKE = 7  # on the wrist's force sensor

# Columns of State.marks
TAKEN = 0  # samples that were taken
ARRIVED = 1  # samples that were handed over
WAS_LOST = 2  # one if the last sample was lost at random
LAST = 3  # instant of what `memory` holds [ns], -1 while it holds nothing
MARKS_WIDTH = 4

# Entries of State.memory
GYRO_Q = 0  # attitude at the gyro's last sample
GYRO_OUT = 4  # its last value [rad/s]
FILTERED = 7  # wrench behind the filter (6)
BEFORE = 13  # wrench at the last call (6)
JOINTS = 19  # end of the fixed part: joint positions and rates as last read


class Sensors(NamedTuple):
    """Everything that stays the same."""

    rows: int  # of samples on their way that there is room for
    schedule: np.ndarray
    chances: np.ndarray
    windows: np.ndarray
    spikes: np.ndarray  # what is added to the wrench in the window of that row [N, N m]
    bias: np.ndarray  # mean of the constant errors, see sensors.draws
    bias_sigma: np.ndarray  # their standard deviation from run to run
    star_tracker: np.ndarray  # see each sensor
    gyro: np.ndarray
    camera: np.ndarray
    wrist: np.ndarray
    encoders: np.ndarray
    telemetry: np.ndarray


class State(NamedTuple):
    """Everything that changes; a copy of its arrays is a snapshot."""

    times: np.ndarray  # of exposure, of samples on their way, by sensors [ns]; written in turn
    samples: np.ndarray  # their values, where they will be seen: columns of bus.measurements
    marks: np.ndarray
    bias: np.ndarray  # of this run, now, see sensors.draws
    memory: np.ndarray
