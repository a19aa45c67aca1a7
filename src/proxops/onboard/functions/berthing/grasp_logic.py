"""When the gripper's motor has its torque.

    place trigger     error of E from the grasp point  < 2e-3 m
    angle trigger     its angle                        < 1e-3 rad

Both must hold at the same time, for a settling time: noise of the camera is larger than either.
The torque is on while they do, or once a clamp has met something: that signal is sampled and held
until the gripper is opened.  The wrist gives it, by a force that it did not measure as the gripper
began to close: one clamp that meets the part first pushes it and E away from each other.  Opened
for the errors that grow thereby, it would leave behind a target that turns.  The torque that grips
begins once the motor slows down: both clamps then bear.

An open hand that meets the target is noticed by the same change of the force, since the leg began:
the target then does not move as freely as navigation believes.

It closes from open only: a motor that is still on its way back from an earlier attempt would look
like clamps that have met something.  `latched` has the triggers as published: each, once raised,
stays raised, so that errors which were never small together close the gripper.
"""

import math

from proxops.core.jit import helper, part
from proxops.core.spatial.vector import get3, norm, put3, sub
from proxops.onboard.functions.berthing.kinds import (
    CLOSING,
    GRIPPED,
    NOTHING_GRIPPED,
    OPEN,
    WRONG_SIZE,
)
from proxops.onboard.functions.berthing.memory import (
    ANGLE_ERROR,
    ANGLE_RAISED,
    CONTACT,
    GRIPPER,
    IMAGES,
    LAST_TOUCH,
    LOST,
    MOVED,
    PLACE_ERROR,
    PLACE_RAISED,
    SOUND,
    TOUCHED,
    UNLOADED,
)
from proxops.onboard.functions.berthing.monitor import give_up

SLOWED = 0.5  # share of the closing speed below which the clamps have met something
NEARING = 2.0  # [1/s]: how fast the motor comes to rest where the gripper is open
STARTED = 0.1  # share of the travel after which a motor that stands has met something
AJAR = (
    0.05  # share of the travel within which it may close: it must be at speed when it has started
)


@part
def triggered(triggers, memory, t):
    """Whether the gripper may close: both triggers are raised, and have been for their time."""
    place = memory[PLACE_ERROR] < triggers.place
    angle = memory[ANGLE_ERROR] < triggers.angle
    if triggers.latched == 1:
        memory[PLACE_RAISED] = max(memory[PLACE_RAISED], 1.0 if place else 0.0)
        memory[ANGLE_RAISED] = max(memory[ANGLE_RAISED], 1.0 if angle else 0.0)
        return min(memory[PLACE_RAISED], memory[ANGLE_RAISED]) > 0.5
    if not (place and angle):
        memory[SOUND] = t
    return place and angle and t >= memory[SOUND] + triggers.settle


@helper
def opening(memory, t):
    """Opens the gripper."""
    if memory[TOUCHED] == 1.0:
        memory[LAST_TOUCH] = t
    memory[GRIPPER], memory[CONTACT], memory[TOUCHED] = OPEN, 0.0, 0.0


@helper
def touches(gripper, memory, force):
    """Whether the wrist's force differs from that without load by what a touch takes."""
    return norm(sub(force, get3(memory, UNLOADED))) > gripper.touch


@part
def reset(memory, t):
    """As a leg begins: what is gripped stays so, a gripper that was still closing opens."""
    if memory[GRIPPER] == GRIPPED:
        return
    memory[LOST] = 0.0
    opening(memory, t)
    memory[PLACE_RAISED] = memory[ANGLE_RAISED] = 0.0
    memory[SOUND] = memory[MOVED] = t
    memory[IMAGES] = 0.0
    memory[UNLOADED] = math.nan


@part
def close(gripper, triggers, memory, q, qd, force, t):
    """Closes the gripper, or waits until it may; notes what it has met.  `force` is the wrist's."""
    travelled = (q[gripper.motor] - gripper.opened) / gripper.travel
    if memory[GRIPPER] == OPEN:
        memory[MOVED] = t
        if math.isnan(memory[UNLOADED]):  # the leg has just begun
            put3(memory, UNLOADED, force)
        if touches(gripper, memory, force):
            memory[LAST_TOUCH] = t
        if triggered(triggers, memory, t) and travelled < AJAR:
            memory[GRIPPER] = CLOSING
            put3(memory, UNLOADED, force)
        return
    if memory[GRIPPER] != CLOSING:
        return
    if travelled > STARTED and qd[gripper.motor] < SLOWED * gripper.speed:
        memory[CONTACT] = t if memory[CONTACT] == 0.0 else memory[CONTACT]
    if touches(gripper, memory, force) or memory[CONTACT] > 0.0:
        memory[TOUCHED] = 1.0
    if memory[TOUCHED] == 0.0 and not triggered(triggers, memory, t):
        opening(memory, t)
        memory[SOUND] = t
        return
    clamps = 0.5 * (q[gripper.left] + q[gripper.right])
    pressing = memory[CONTACT] > 0.0 and t < memory[CONTACT] + gripper.ramp
    if abs(qd[gripper.motor]) > gripper.stands or pressing:
        memory[MOVED] = t
    # Without contact it stands where it is open: longer than it takes to get up to speed
    patience = gripper.settle + (gripper.ramp if memory[CONTACT] == 0.0 else 0.0)
    if t < memory[MOVED] + patience:
        return
    if memory[CONTACT] > 0.0 and abs(clamps - gripper.size) <= gripper.tolerance:
        memory[GRIPPER] = GRIPPED
    elif clamps < gripper.size:
        give_up(memory, WRONG_SIZE, clamps, gripper.size)
    else:
        give_up(memory, NOTHING_GRIPPED, clamps, gripper.size + gripper.tolerance)


@helper
def motor_torque(gripper, memory, q, qd, t):
    """Torque of the gripper's motor [N m]: towards closed at its speed; from where the clamps meet
    something on, rising to M_t; or back to where it is open."""
    speed, press = gripper.speed, 0.0
    if memory[GRIPPER] == OPEN:
        speed = min(max(NEARING * (gripper.opened - q[gripper.motor]), -speed), speed)
    elif memory[CONTACT] > 0.0:
        speed = 0.0
        press = gripper.torque * min(1.0, (t - memory[CONTACT]) / gripper.ramp)
    torque = press + gripper.gain * (speed - qd[gripper.motor])
    return min(max(torque, -gripper.torque), gripper.torque)
