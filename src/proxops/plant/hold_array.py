"""Holds as rows of numbers: what is given of each, and what each remembers."""

from proxops.plant import layout

# Columns of Plant.holds
BODY = 0  # chaser body that is held
POINT = 1  # in T [m]
AXES = 4  # R_TB, row by row; A's are the same when the hold's spring is at rest
STIFFNESS = 13  # along the axes [N/m]
ROTATIONAL_STIFFNESS = 16  # about them [N m/rad]
DAMPING = 19  # [N s/m]
ROTATIONAL_DAMPING = 22  # [N m s/rad]
PULL = 25  # constant force on the chaser, A axes [N]
MAX_FORCE = 28  # [N], may be infinite
MAX_TORQUE = 29  # [N m]
FROM = 30  # when it closes [s]
UNTIL = 31  # when it opens again [s]
LONGEST_STEP = 32  # that keeps it accurate whatever swings in it [s]
EFFECTOR = 33  # end effector of the arm, or A's origin of a port, axes of the body [m]
REACH = 36  # farthest that B may be from there to close [m], infinite for a hub without a port
COMMANDED = 37  # 1: closes and opens as commanded, whatever the time
HAS_PORT = 38  # 1: A is a frame of the body's own; 0: the one that is B when the hold closes
ALIGNED = 39  # attitude of the body in T at which a port's axes are B's, wxyz
MAX_ANGLE = 43  # of a port's A against B for the hold to close [rad], may be infinite
MAX_SPEED = 44  # [m/s]
MAX_RATE = 45  # [rad/s]
MASS = 46  # with which the two bodies meet at B, the largest of all directions [kg]
INERTIA = 47  # likewise against rotation [kg m2]
HOLD_WIDTH = 48

# What a hold remembers, in the plant's state
ENGAGED = 0  # OPEN, HOLDING or MISSED
HELD_C = 1  # chaser's point, axes of its body [m]
HELD_Q = 4  # attitude of the body in T at which the spring is at rest: when it closed, or ALIGNED
COMMAND = 8  # 1: to be closed, if it is a commanded one
ATTEMPT = 9  # offset [m], angle [rad], speed [m/s], rate [rad/s] when it last closed or missed
SHARE = 13  # of the energy that swings in it, see plant.step_length
MEMORY_WIDTH = layout.HOLD_MEMORY

# States of a hold
OPEN = 0.0
HOLDING = 1.0
MISSED = 2.0  # was to close, but what it was to hold was out of reach or moved too fast
