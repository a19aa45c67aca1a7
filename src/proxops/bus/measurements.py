"""What sensors say, as on-board software reads it: one flat array of float64.

Every sensor has a block: time of exposure [s], a count that grows by one with each sample that
arrives, then the values of the latest.  A sensor that has not yet said anything has count zero.
Quaternions are wxyz with a scalar part that is not negative: between two samples the sign of all
four may change, the attitude does not.
"""

COUNT_AFTER_T = 1
VALUE_AFTER_T = 2

T = 0  # now [s]

STAR_T = 1
STAR_COUNT = STAR_T + COUNT_AFTER_T
STAR_Q = STAR_T + VALUE_AFTER_T  # q_NC

GYRO_T = STAR_Q + 4
GYRO_COUNT = GYRO_T + COUNT_AFTER_T
GYRO_W = GYRO_T + VALUE_AFTER_T  # w_NC_C [rad/s]

CAMERA_T = GYRO_W + 3
CAMERA_COUNT = CAMERA_T + COUNT_AFTER_T
CAMERA_P = CAMERA_T + VALUE_AFTER_T  # p_KG: grapple point from the camera, camera axes [m]
CAMERA_Q = CAMERA_P + 3  # q_KG

FORCE_T = CAMERA_Q + 4
FORCE_COUNT = FORCE_T + COUNT_AFTER_T
FORCE = FORCE_T + VALUE_AFTER_T  # wrench on the end effector, at E in E (6) [N, N m]

ENCODERS_T = FORCE + 6
ENCODERS_COUNT = ENCODERS_T + COUNT_AFTER_T
ENCODERS = ENCODERS_T + VALUE_AFTER_T  # end of the fixed part: joint positions, joint rates

# Entries of what actuators report, behind the joints: counted from ENCODERS + 2 joints
TELEMETRY_T = 0
TELEMETRY_COUNT = TELEMETRY_T + COUNT_AFTER_T
LATENESS = TELEMETRY_T + VALUE_AFTER_T  # of the commands that are carried out [s]
THRUST = LATENESS + 1  # of each thruster [N]


def telemetry(joints: int) -> int:
    """Where the reports of actuators begin, behind so many joints."""
    return ENCODERS + 2 * joints


def size(joints: int, thrusters: int) -> int:
    """Length of the array."""
    return telemetry(joints) + THRUST + thrusters
