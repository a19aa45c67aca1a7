"""Holds as rows of numbers: what is given of each, and what each remembers."""

from proxops.plant import layout

# Columns of Plant.holds
BODY = 0  # chaser body that is held
POINT = 1  # in T [m]
AXES = 4  # R_TB, row by row; they are A's when the hold closes
STIFFNESS = 13  # along the axes [N/m]
ROTATIONAL_STIFFNESS = 16  # about them [N m/rad]
DAMPING = 19  # [N s/m]
ROTATIONAL_DAMPING = 22  # [N m s/rad]
PULL = 25  # constant force on the chaser, A axes [N]
MAX_FORCE = 28  # [N], may be infinite
MAX_TORQUE = 29  # [N m]
FROM = 30  # when it closes [s]
UNTIL = 31  # when it opens again [s]
LONGEST_STEP = 32  # that keeps it accurate [s]
EFFECTOR = 33  # end effector of the arm, axes of its body [m]
REACH = 36  # farthest that B may be from there for the hold to close [m], infinite for a hub
COMMANDED = 37  # 1: closes and opens as it is told, whatever the time
HOLD_WIDTH = 38

# What a hold remembers, in the plant's state
ENGAGED = 0  # OPEN, HOLDING or MISSED
HELD_C = 1  # chaser's point, axes of its body [m]
HELD_Q = 4  # attitude of the body in T when it closed
COMMAND = 8  # 1: to be closed, if it is a commanded one
MEMORY_WIDTH = layout.HOLD_MEMORY

# States of a hold
OPEN = 0.0
HOLDING = 1.0
MISSED = 2.0  # was to close, but what it was to hold was out of reach
