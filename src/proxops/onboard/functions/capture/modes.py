"""The order of a capture, and why one is aborted.

    synchronise ─► approach ─► grasp ─► rigidise
         └──────────┴────────────┴─► abort

synchronise   the base moves to a hold point that rotates with the target
approach      the base moves in while the arm reaches out; then the arm moves on to the grasp point
grasp         the gripper closes; the arm yields
rigidise      the hold is closed; arm and base damp the remaining relative motion
abort         gripper and hold open, the arm stays and the base leaves: from near the target in the
              frame that rotates with it, from farther away straight out, in inertial axes
"""

import numpy as np

SYNCHRONISE, APPROACH, GRASP, RIGIDISE, ABORT = range(5)
MODES = ("synchronise", "approach", "grasp", "rigidise", "abort")

(
    NO_REASON,
    TIMEOUT,
    NO_IMAGE,
    OVERLOADED,
    ASTRAY,
    COMMANDS_LATE,
    UNSURE,
    TOO_FAST,
    TOO_SLOW,
    HIDDEN,
) = range(10)
REASONS = (
    "",
    "mode timed out",
    "no camera image of the target for too long",
    "wrist force or torque above its limit",
    "base outside its corridor",
    "actuators execute commands too late",
    "estimate of the target not accurate enough",
    "target tumbles faster than the base can follow, {value:.1f} N, limit {bound:.1f} N",
    "base cannot match the target's motion in time, {value:.1f} s, limit {bound:.1f} s",
    "path to the hold point passes too close to the target, {value:.1f} m, least {bound:.1f} m",
)


def describe_mode(mode: float, details: np.ndarray) -> tuple[str, str]:
    """Kind and text of the event that a mode begins; details are its reason, with value and
    bound."""
    number, value, bound = details
    reason = REASONS[int(number)].format(value=value, bound=bound)
    return MODES[int(mode)], f"obsw.capture{': ' if reason else ''}{reason}"


ASLEEP = 0.0  # before the first cycle
LOOKING = 1.0  # until the navigation is ready: nothing moves
FOLLOWING = 2.0
DEPARTING = 3.0  # straight out, in inertial axes: nothing but the gyro is needed

# Entries of the memory
MODE = 0
SINCE = 1  # when the mode began [s]
SOUND = 2  # since when errors have been small [s]
REASON = 3  # of an abort
AWAKE = 4  # ASLEEP, LOOKING, FOLLOWING or DEPARTING
HELD_Q, HELD_P = 5, 9  # X_TE where the hold closed
LAST_WITHIN_LOADS = 12  # when the wrist last measured no more than it may [s]
MOVED = 13  # when a finger last moved, or had nothing to hold [s]
LAST_IN_TIME = 14  # when commands were last carried out in time [s]
CALM_RATE = 15  # smoothed rate of the held target against the base, in C [rad/s]
BASE_TRAJECTORY = 18  # X_TC, see trajectory
ARM_TRAJECTORY = 34  # X_GE; its end is STORAGE
STORAGE = 50  # [J], see monitor
PORT_POWER = 51  # [W]
PORT_ENERGY = 52  # [J]
MONITORED = 53  # when [s]
FAR = 54  # 1: an abort began while synchronising
OUTWARD = 55  # direction of a departure, in C
BURNT = 58  # when a departure has its speed [s]
PUSH = 59  # acceleration until then [m/s2]
TURNED = 60  # when that direction was last turned with the chaser [s]
VALUE, BOUND = 61, 62  # of the bound that kept the capture from beginning
READY = 63  # mode that it would enter now, if it may: the present one if none
SETPOINT = 64  # of joints that are held
