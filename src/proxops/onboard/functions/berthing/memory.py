"""Entries of what a berthing remembers."""

from proxops.onboard.functions.capture.trajectory import PATH_WIDTH

LEG_SINCE = 0  # when the leg began that it knows of [s], NaN before
BEGAN = 1  # when the present path began [s]
PHASE = 2  # of grappling: to the pregrasp point, then onto the grasp point
SOUND = 3  # since when both triggers have held [s]
PLACE_RAISED = 4  # 1: latched
ANGLE_RAISED = 5
GRIPPER = 6  # OPEN, CLOSING or GRIPPED
CONTACT = 7  # sampled and held: when the clamps met something [s]; 0 before
MOVED = 8  # when the motor last moved [s]
WITHIN_LOADS = 9  # when the wrist last measured no more than it may [s]
FOLLOWED = 10  # when all joints last followed [s]
HELD_WELL = 11  # when the camera last saw the grip where it was, or first elsewhere [s]
LATCHED = 12  # when latches were last commanded anew [s]
REASON, VALUE, BOUND = 13, 14, 15  # of an abort
DONE = 16
IMAGE = 17  # number of the picture that was looked at last
IMAGES = 18  # seen since it gripped, up to SETTLING
GRIP_OFFSET = 19  # E in G as the camera saw it just after (3) [m]
PLACE_ERROR, ANGLE_ERROR, SLIP = 22, 23, 24
LOST = 25  # 1: what was gripped has slipped, or is no longer between the clamps
TOUCHED = 26  # 1, sampled and held: a clamp has met something
UNLOADED = 27  # force at the wrist as the gripper began to close (3) [N]
LAST_TOUCH = 30  # when a hand that is open now last touched the target [s], -inf before
TRAJECTORY = 31  # X_GE, see capture.trajectory
# Of the arm's joints; then their offsets from the path's start; then since when each latch is ready
SETPOINT = TRAJECTORY + PATH_WIDTH

AT_PREGRASP, ONTO = 0.0, 1.0  # phases
