"""Which random number is whose: entries of a row of standard normal numbers.

A row is used up by each call, whether or not a sensor is due, so that one sensor's rate changes no
other sensor's noise.  Constant errors have the same entries: the row that `start` takes gives each
from the place where the noise of the same quantity stands later.
"""

LOST = 0  # whether a sample is lost, by sensors (5); that of the telemetry has its own
STAR = 5  # turn about the tracker's axes (3)
GYRO = 8  # noise (3)
GYRO_WALK = 11  # walk of the bias (3)
CAMERA = 14  # position (3), turn (3)
CAMERA_TURN = 17
WRIST = 20  # force (3), torque (3)
ENCODERS = 26  # end of the fixed part: one for each joint; then those of the telemetry


def width(joints: int) -> int:
    """How many numbers each call and the start take, but for the telemetry, with an arm of that
    many joints."""
    return ENCODERS + joints


def telemetry_width(thrusters: int) -> int:
    """How many the telemetry takes behind them: whether it is lost, then one for each thruster."""
    return 1 + thrusters
