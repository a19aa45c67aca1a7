"""From far to near and back: whose estimate counts.

Near by the pose filter's estimate is the output, and the orbital filter goes on beneath it from
there: its position, velocity and their covariance are the pose filter's at every cycle in which
that is good.  They are not fused: errors of one pose estimate and the next are nearly the same, and
a filter that took them for independent would soon believe far more than is so.  Measurements from
far are left aside meanwhile, for the same reason; their constant errors stay as well known as they
were.

    good        doubt of the pose filter and age of its youngest picture below their limits
    to near     once good for a while, and both estimates agree within so many standard deviations;
                where they do not, cycle after cycle, the orbital estimate is doubted and given up
    to far      once not good for a while
"""

import math

from proxops.core.jit import helper, part
from proxops.core.spatial.vector import dot, get3, put3, scale
from proxops.onboard.functions.orbital_navigation import layout as at
from proxops.onboard.functions.orbital_navigation.measurement import doubt


@part
def read_pose(params, memory, inputs):
    """Takes position, velocity and covariance over from the pose filter, which has r = -p; returns
    whether they are good.

    To its covariance comes what it does not know of: constant errors of camera and star tracker.
    """
    belief = params.belief
    r = get3(inputs.navigation_r, 0)
    put3(memory.pose, at.POSITION, scale(-1.0, r))
    put3(memory.pose, at.VELOCITY, scale(-1.0, get3(inputs.navigation_v, 0)))
    for i in range(at.MOTION):
        for j in range(at.MOTION):
            memory.pose_P[i, j] = inputs.navigation_P[at.MOTION * i + j]
    angle = belief[at.POSE_ANGLE]
    constant = belief[at.POSE_P] * belief[at.POSE_P] + angle * angle * dot(r, r)
    for i in range(3):
        memory.pose_P[at.POSITION + i, at.POSITION + i] += constant
    known = memory.marks[at.ATTITUDE_FROM] <= inputs.t[0]
    sure = known and inputs.navigation_doubt[0] <= belief[at.NEAR_DOUBT]
    return sure and inputs.navigation_camera_age[0] <= belief[at.NEAR_AGE]


@helper
def change_in_sigmas(memory):
    """By how many standard deviations the two estimates differ, the largest of all six."""
    largest = 0.0
    for i in range(at.MOTION):
        spread = math.sqrt(memory.P[i, i] + memory.pose_P[i, i])
        largest = max(largest, abs(memory.pose[i] - memory.x[i]) / spread)
    return largest


@part
def follow_pose(memory):
    """Sets position and velocity to those of the pose filter, with its covariance, and forgets how
    they go with constant errors of other sensors."""
    for i in range(at.MOTION):
        memory.x[i] = memory.pose[i]
        for j in range(at.STATES):
            both = memory.pose_P[i, j] if j < at.MOTION else 0.0
            memory.P[i, j] = both
            memory.P[j, i] = both


@part
def hand_over(params, memory, good, step, change):
    """Decides whose estimate counts, a step [s] after the last time; writes distance [m], change
    of the position [m] and of the estimate [σ] at a hand-over into `change`."""
    marks, belief = memory.marks, params.belief
    marks[at.GOOD_FOR] = marks[at.GOOD_FOR] + step if good else 0.0
    marks[at.BAD_FOR] = 0.0 if good else marks[at.BAD_FOR] + step
    near = marks[at.SOURCE] == at.NEAR
    if near and marks[at.BAD_FOR] > belief[at.FAR_AFTER]:
        marks[at.FRESH] = max(marks[at.FRESH], marks[at.TIME] - marks[at.BAD_FOR])
        note_change(memory, change)
        marks[at.SOURCE] = at.FAR
        return
    if good and not near and marks[at.GOOD_FOR] > belief[at.NEAR_AFTER]:
        sigmas = change_in_sigmas(memory)
        agree = sigmas <= belief[at.NEAR_SIGMAS]
        if agree:
            marks[at.REJECTED + at.OF_POSE] = 0.0
        if agree or doubt(params, memory, at.OF_POSE):
            note_change(memory, change)
            change[2] = sigmas
            marks[at.SOURCE] = at.NEAR
            near = True
    if near and good:
        follow_pose(memory)


@helper
def note_change(memory, change):
    """Writes what a hand-over changes."""
    moved = 0.0
    for i in range(3):
        moved += (memory.pose[i] - memory.x[i]) ** 2
    p = get3(memory.x, at.POSITION)
    change[0] = math.sqrt(dot(p, p))
    change[1] = math.sqrt(moved)
    change[2] = change_in_sigmas(memory)
