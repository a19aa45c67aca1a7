"""Columns of all arrays of the orbital navigation.

N is inertial; p reaches from the target's centre of mass Tcm to the chaser's Ccm.  K is the bearing
camera, L the point from which ranges are measured.  Noise densities are square roots of power
densities.  The history has the columns of the pose filter's (navigation.layout); its attitudes are
estimates, its pushes those of `PUSHED_*`.
"""

# --- what is estimated: errors are of the same order and additive --------------------------------

POSITION = 0  # p [m], N
VELOCITY = 3  # its rate [m/s]
BEARING = 6  # constant errors of azimuth and elevation [rad]
RANGE = 8  # of ranges [m]
GNSS = 9  # of the position by GNSS [m], N
THRUST = 12  # by how much thrust over mass exceeds what is believed [-]
STATES = 13
MOTION = 6  # position and velocity

# --- what is believed ----------------------------------------------------------------------------

MASS = 0  # of the chaser [kg]
CAMERA_P = 1  # p_CK [m]
CAMERA_Q = 4  # q_CK
FINDER_P = 8  # p_CL [m]
BEARING_SIGMA = 11  # [rad]
RANGE_SIGMA = 12  # [m]
RANGE_SHARE = 13  # more of it per range [-]
GNSS_SIGMA = 14  # of position [m], then velocity [m/s], N
ATTITUDE_FACTOR = 20  # variance of the attitude, as if it were independent from sample to sample
PUSH_NOISE = 21  # unmodelled acceleration [m/s/√s]
PUSH_SHARE = 22  # of the commanded acceleration that may be wrong, times root of how long [√s]
BEARING_GATE = 23  # largest squared lengths of innovations that are believed [-]
RANGE_GATE = 24
GNSS_GATE = 25
RESTART = 26  # after so many measurements of one kind in a row that were not believed
NEAR_DOUBT = 27  # largest doubt of the pose filter with which its estimate is taken
NEAR_AGE = 28  # and age of its youngest picture [s]
NEAR_AFTER = 29  # for how long that must hold [s]
FAR_AFTER = 30  # and for how long it must not, before the pose filter is left [s]
NEAR_SIGMAS = 31  # largest change of the estimate at a hand-over, in standard deviations
POSE_P = 32  # constant errors that the pose filter does not know: of its position [m]
POSE_ANGLE = 33  # and of its directions [rad]
READY_P = 34  # standard deviations, each axis, with which the estimate is ready [m],
READY_SHARE = 35  # more of it per range [-],
READY_V = 36  # and of the velocity [m/s]
PERIOD = 37  # of the filter [s]
BELIEFS = 38

# --- marks ---------------------------------------------------------------------------------------

CYCLE = 0  # time of the last cycle [s]
TIME = 1  # of the estimate [s]
HEAD = 2  # row of the history written last, -1 before the first
THRUST_V = 3  # velocity by own pushing since the start, as believed, N [m/s]
THRUST_P = 6  # way it has gone so [m]
THRUST_NOISE = 9  # power density of unmodelled pushes, summed up over time [m2/s2]
FRESH = 10  # exposure of the youngest measurement believed [s]
BEARINGS = 11  # samples taken note of
RANGES = 12
FIXES = 13
REJECTED = 14  # in a row, of bearings, ranges, GNSS and poses
REFUSALS = 18  # in all, of bearings, ranges and GNSS
LATE = 21  # how many were older than the history
RESTARTS = 22
SOURCE = 23
GOOD_FOR = 24  # for how long the pose filter's estimate has been good [s]
BAD_FOR = 25  # or has not been
LENGTH = 26  # squared length of the last innovation [-]
ATTITUDE_FROM = 27  # when the attitude was first known, infinite before [s]
MARKS = 28

# Kinds of measurements, entries of REFUSED and REFUSALS
OF_BEARING = 0
OF_RANGE = 1
OF_GNSS = 2
OF_POSE = 3

# Sources of the estimate
NOTHING = 0.0  # only what was believed at the start
FAR = 1.0
NEAR = 2.0
