"""What ideal sensors say, as joint control and boost have them: one flat array of float64."""

T = 0  # now [s]
Q = 1  # attitude q_NC
W = 5  # angular velocity w_NC_C [rad/s]
X = 8  # compression of the contact along the boost's axis [m]
X_RATE = 9  # its rate, positive while it grows [m/s]
JOINTS = 10  # end of the fixed part: positions of all joints and wheels, then their rates


def size(joints: int) -> int:
    """Length of the array."""
    return JOINTS + 2 * joints
