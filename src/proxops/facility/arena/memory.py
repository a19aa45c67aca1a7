"""Columns of the arrays that a flight consists of."""

# Where a vehicle is to be: what one SET_POSITION_TARGET_LOCAL_NED and the attitude beside it carry
TARGET_P = 0  # p_LV [m]
TARGET_V = 3  # [m/s]
TARGET_A = 6  # [m/s2]
TARGET_Q = 9  # q_LV
TARGET_W = 13  # angular velocity in L [rad/s]
TARGET_SIZE = 16

# What an autopilot believes: pose, velocity in L, biases of its IMU
EST_P, EST_V, EST_Q, EST_FORCE_BIAS, EST_RATE_BIAS = 0, 3, 6, 10, 13
ESTIMATE_SIZE = 16
# Errors of that: position, velocity, angle in V, biases
ERR_P, ERR_V, ERR_A, ERR_FORCE, ERR_RATE = 0, 3, 6, 9, 12
ERRORS = 15

# A captured pose, and the one that was estimated for the same instant
POSES = 14

# An autopilot's memory: three words for each PID (filtered error, slope, integral), then filters
VEL_X, VEL_Y, VEL_Z, ACC_Z, RATE_X, RATE_Y, RATE_Z = 0, 3, 6, 9, 12, 15, 18
GYRO = 21  # filtered (3,) [rad/s]
RATE_TARGET = 24  # filtered (3,) [rad/s]
FORCE = 27  # measured specific force in V of this cycle (3,) [m/s2]
SATURATED = 30  # 1 where the last wrench was cut down
MASS = 31  # that it lifts, as known by the throttle of its hover [kg]
PILOT_SIZE = 32

# How a vehicle fares
CHARGE = 0  # state of charge [-]
CUT_FOR = 1  # since when its wrench is cut down without a pause [s]
VALUE = 2  # what has ended the flight, see facility.arena.watch; 0 where nothing has
TOUCH_T, TOUCH_SPEED, TOUCH_TILT = 3, 4, 5  # how it met the floor [s, m/s, rad]
HEALTH_SIZE = 6

# What a vehicle does
FLYING, LANDING, LANDED = 0, 1, 2

# Standard normal numbers of one vehicle and cycle: specific force, rate, captured pose
DRAW_FORCE, DRAW_RATE, DRAW_P, DRAW_A = 0, 3, 6, 9
DRAWS = 12
