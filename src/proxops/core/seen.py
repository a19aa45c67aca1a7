"""What sensors tell the on-board software: offsets of one flat array.

A time is that of the exposure [s], not of the arrival; a count grows by one with each sample that
is delivered, so that the reader sees what is new, and is zero before the first.
"""

T = 0  # now [s]
STAR_T = 1  # star tracker
STAR_COUNT = 2
STAR_Q = 3  # attitude q_NC
GYRO_T = 7
GYRO_COUNT = 8
GYRO_W = 9  # w_NC_C [rad/s]
CAMERA_T = 12
CAMERA_COUNT = 13
CAMERA_P = 14  # p_KG in K [m]
CAMERA_Q = 17  # q_KG
FORCE_T = 21
FORCE_COUNT = 22
FORCE = 23  # wrench on the end effector at E, in E [N, N m]
GRIP = 29  # openings of the two fingers [m]
ENCODERS = 31  # end of the fixed part: then joint positions (n) and rates (n) [rad, rad/s]
