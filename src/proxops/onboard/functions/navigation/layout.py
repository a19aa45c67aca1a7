"""Columns of all arrays of the navigation.

C is the chaser's body frame, Ccm its centre of mass with the arm as it stands; T the target's body
frame, Tcm its centre of mass; K the camera, G the grapple frame that the camera sees; S the star
tracker's axes; N inertial.  Noise densities are square roots of power densities.
"""

# --- parameters of the attitude filter -----------------------------------------------------------

GYRO_NOISE = 0  # angle random walk [rad/√s]
GYRO_WALK = 1  # of the bias [rad/s/√s]
BIAS_SIGMA = 2  # of the bias before the first star [rad/s]
STAR_SIGMA = 3  # about the axes of S [rad]
STAR_Q = 6  # q_CS
STAR_GATE = 10  # largest squared length of an innovation that is believed [-]
ATTITUDE_PARAMETERS = 11

# --- parameters of the relative filter -----------------------------------------------------------

MASS = 0  # of the chaser [kg]
CAMERA_P = 1  # p_CK [m]
CAMERA_Q = 4  # q_CK
GRAPPLE_P = 8  # p_TG [m]
GRAPPLE_Q = 11  # q_TG
TARGET_COM = 15  # p_TTcm [m]
INERTIA = 18  # of the target, any multiple: xx, yy, zz, xy, xz, yz
PUSH_NOISE = 24  # unmodelled acceleration of either body [m/s/√s]
PUSH_SHARE = 25  # of the commanded acceleration that may be wrong, times root of how long [√s]
ANGLE_NOISE = 26  # unmodelled angular acceleration of the target [rad/s/√s]
CAMERA_SIGMA = 27  # of p_KG, each axis [m]
CAMERA_SHARE = 28  # more of it per range [-]
CAMERA_ANGLE = 29  # of q_KG, each axis [rad]
CAMERA_GATE = 30  # largest squared length of an innovation that is believed [-]
FIRST_V = 31  # standard deviation of the velocity before the second picture [m/s]
FIRST_W = 32  # of the target's rate [rad/s]
RESTART = 33  # after so many pictures in a row that were not believed
READY_G = 34  # largest standard deviations, each axis, with which the estimate is ready: of G [m]
READY_Q = 35  # of the target's attitude [rad]
READY_W = 36  # of its rate [rad/s]
FREE_PUSH_NOISE = 37  # instead of PUSH_NOISE while nothing touches the target [m/s/√s]
FREE_ANGLE_NOISE = 38  # instead of ANGLE_NOISE likewise [rad/s/√s]
RELATIVE_PARAMETERS = 39

# --- what other parts of the software report -----------------------------------------------------

INPUT_FORCE = 0  # on the chaser since the last tick, as commanded, in C [N]
INPUT_COM = 3  # p_CCcm [m]
INPUT_COM_RATE = 6  # of its components in C [m/s]
INPUT_FREE = 9  # 1 while nothing touches the target
INPUT_SIZE = 10

# --- memory of the attitude filter ---------------------------------------------------------------

TIME = 0  # of the last tick [s]
STEP = 1  # how long that was after the one before [s]
HEAD = 2  # row of the history written last, -1 before the first
READ = 3  # last gyro reading [rad/s]
READS = 6  # how many there were
Q_NC = 7  # estimate
BIAS = 11  # of the gyro [rad/s]
STARS = 14  # samples taken note of
STAR_TIME = 15  # exposure of the youngest one believed [s]
STAR_STARTED = 16  # one from the first on
STAR_REJECTED = 17  # how many were outside the gate
STAR_LATE = 18  # how many were older than the history
SPAN = 19  # since the covariances were last brought to the present [s]
TURN = 20  # the rotation in that span, as estimated
SPREADS = 24  # 1: this tick brings the covariances to the present
ATTITUDE_SIZE = 25

# --- memory of the relative filter ---------------------------------------------------------------

R = 0  # from Ccm to Tcm in N [m]
V = 3  # its rate [m/s]
Q_NT = 6
W_NT = 10  # in T [rad/s]
PICTURES = 13  # samples taken note of
PICTURE_TIME = 14  # exposure of the youngest one believed [s]
STARTED = 15  # one from the first picture on
REJECTED = 16  # how many were outside the gate
REJECTED_RUN = 17  # of them in a row
LATE = 18  # how many were older than the history
RESTARTS = 19
LENGTH = 20  # squared length of the last innovation [-]
WAITING = 21  # time over which the covariance is still to grow [s]
WAITING_W = 22  # w at its beginning [rad/s]
WAITING_PUSH = 25  # power density of unmodelled pushes, summed up over it [m2/s2]
WAITING_ANGLE = 26  # likewise of unmodelled angular accelerations of the target [rad2/s2]
RELATIVE_SIZE = 27

# --- history, one row a tick ---------------------------------------------------------------------

PAST_TIME = 0  # [s]
PAST_Q = 1  # rates chained up from an arbitrary attitude: only differences mean something
PAST_V = 5  # chaser's velocity since the start by its own pushing, in N [m/s]
PAST_P = 8  # way it has gone so [m]
PAST_COM = 11  # p_CCcm [m]
PAST_NOISE = 14  # power density of unmodelled pushes, summed up over time [m2/s2]
PAST_FREE = 15  # for how long nothing has touched the target, summed up [s]
HISTORY_WIDTH = 16

# --- error states --------------------------------------------------------------------------------

ANGLE = 0  # of the chaser's attitude, in C [rad]
DRIFT = 3  # of the bias [rad/s]
ATTITUDE_ERRORS = 6
DR = 0  # of r, in N [m]
DV = 3  # of its rate [m/s]
DQ = 6  # angle of the target's attitude, in T [rad]
DW = 9  # of its rate, in T [rad/s]
RELATIVE_ERRORS = 12
