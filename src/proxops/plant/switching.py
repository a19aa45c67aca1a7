"""When contacts close and open, and what they keep from step to step.

During a step every contact keeps its mode, so that the motion is smooth and Runge-Kutta keeps its
order.  A step at whose end some contact's mode has become wrong is cut at that instant.
"""

from proxops.core.jit import at_entry, helper, part
from proxops.core.spatial.quaternion import get4, put4, quat_to_rotation
from proxops.core.spatial.vector import dot, get3, mul_t
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.kinematics import move
from proxops.physics.multibody.tree import Tree, load3
from proxops.plant import contact_array as of
from proxops.plant import hold_array, layout
from proxops.plant.alignment import alignment_of
from proxops.plant.contacts import (
    contact_count,
    deepest,
    hold_on,
    is_closed,
    link_of,
    meet,
    meeting_of,
    normal_parts,
    parting,
    see_link,
    settle_friction,
    sight_of,
    stiffens,
    stored_energy,
)
from proxops.plant.holds import engage, hold_count, is_due
from proxops.plant.model import SETTLE_CONTACTS, SETTLE_HOLDS, WEAKEST
from proxops.plant.step_length import note_shares

# Columns of the log of switches, whose first row only counts the others
COUNT = 0
TIME = 0  # [s]
NUMBER = 1  # row of the contact; holds are counted after the contacts
CLOSED = 2  # 1 it closed, 0 it opened, 2 it missed what it was to hold
ATTEMPT = 3  # of a hold: how its frames lay when it closed or missed, see plant.hold_array (4)
SWITCH_WIDTH = 7
NONE = (0.0, 0.0, 0.0, 0.0)  # what a pad tries
MAX_SWITCHES = 16  # of each contact and hold in one step


@part
def place_craft(tree, y, scratch):
    """Fills a spacecraft's kinematics, not its inertias."""
    joints = tree.topology.shape[0]
    first_rate = layout.JOINTS + joints
    R_OB = quat_to_rotation(get4(y, layout.Q))
    twist = (mul_t(R_OB, get3(y, layout.V)), get3(y, layout.W))
    move(tree, twist, y[layout.JOINTS : first_rate], y[first_rate : first_rate + joints], scratch)


@part
def look(plant, y, scratch):
    """Fills the kinematics of both spacecraft, not their inertias."""
    bodies = plant.chaser.shape[0]
    chaser = y[: layout.target_start(plant)]
    target = y[layout.target_start(plant) : layout.ledger_start(plant)]
    place_craft(Tree(plant.chaser, plant.chaser_topology), chaser, scratch[:bodies])
    place_craft(Tree(plant.target, plant.target_topology), target, scratch[bodies:])


@helper
def sight(plant, y):
    """(R_TC, p_TC) of a state."""
    chaser = y[: layout.target_start(plant)]
    return sight_of(chaser, y[layout.target_start(plant) : layout.ledger_start(plant)])


@helper
def target_twist(plant, scratch):
    """Velocity of the target's origin and its angular velocity, T axes."""
    hub = plant.chaser.shape[0]
    return load3(scratch, hub, at.V), load3(scratch, hub, at.W)


@helper
def soundness(table, row, mode, link, target):
    """Positive while a contact's mode is right; which it stops to be, where this changes sign.

    It touches while the shapes overlap, the law pushes and the pad is on the face.
    """
    if table[row, of.BILATERAL] == 1.0:
        return 1.0 if is_closed(mode) else -1.0
    meeting = meet(table, row, link)
    if mode == of.BEHIND:
        return meeting.overlap
    rate = -dot(meeting.normal, parting(link, target, meeting.point))
    elastic, damping = normal_parts(table, row, meeting.overlap, rate)
    touches = min(meeting.overlap, elastic + damping, meeting.inside)
    return touches if is_closed(mode) else -touches


@at_entry(WEAKEST, returns_number=True)
def weakest(plant, y, scratch):
    """The smallest soundness of all contacts; leaves the kinematics in `scratch`."""
    look(plant, y, scratch)
    seen, target = sight(plant, y), target_twist(plant, scratch)
    memory = y[layout.contacts_start(plant) :]
    least, known = 1.0, (0, see_link(seen, scratch, 0))
    for row in range(contact_count(plant)):
        known = link_of(plant.contacts, row, known, seen, scratch)
        mode = memory[row * of.MEMORY_WIDTH + of.MODE]
        least = min(least, soundness(plant.contacts, row, mode, known[1], target))
    return least


@helper
def log_switch(switches, t, number, closed, attempt):
    """Notes a switch.  With a full log, which may have lost some, a step counts as failed."""
    row = int(switches[0, COUNT]) + 1
    if row < switches.shape[0]:
        switches[row, TIME] = t
        switches[row, NUMBER] = number
        switches[row, CLOSED] = closed
        put4(switches[row], ATTEMPT, attempt)
        switches[0, COUNT] = row


@part
def switch(table, row, memory, link):
    """Puts a contact into the mode that is right now; whether it then touches."""
    start = row * of.MEMORY_WIDTH
    if memory[start + of.MODE] != of.OPEN:
        memory[start + of.MODE] = of.OPEN
        return False
    meeting = meeting_of(table, row, link)
    over_the_edge = meeting.inside < meeting.overlap  # it came in there, not through the face
    if over_the_edge and table[row, of.BILATERAL] == 0.0:
        memory[start + of.MODE] = of.BEHIND
        return False
    memory[start + of.MODE] = of.STUCK
    hold_on(memory, row, link, meeting.point, (0.0, 0.0, 0.0))
    return True


@at_entry(SETTLE_CONTACTS)
def settle_contacts(plant, scratch, switches, y, t, least):
    """Ends a step at time t: friction slides or sticks, contacts and holds switch where due.  The
    kinematics must be in `scratch` (see `look`); `least` is what `weakest` says of them."""
    seen, target = sight(plant, y), target_twist(plant, scratch)
    ledger = y[layout.ledger_start(plant) :]
    memory = y[layout.contacts_start(plant) :]
    known = 0, see_link(seen, scratch, 0)
    for row in range(contact_count(plant)):
        known = link_of(plant.contacts, row, known, seen, scratch)
        link = known[1]
        mode = memory[row * of.MEMORY_WIDTH + of.MODE]
        if is_closed(mode):
            lost = settle_friction(plant.contacts, row, memory, link, target)
            ledger[layout.CONTACT_SPRING_WORK] += lost
            ledger[layout.CONTACT_FRICTION_WORK] -= lost
        if least < 0.0 and soundness(plant.contacts, row, mode, link, target) < 0.0:
            touches = switch(plant.contacts, row, memory, link)
            if touches != is_closed(mode):
                # What is still strained comes to rest by its own dampers, outside the motion.
                left = stored_energy(plant.contacts, row, memory, link)
                ledger[layout.CONTACT_SPRING_WORK] += -left if touches else left
                ledger[layout.CONTACT_DAMPER_WORK] += left if touches else -left
                log_switch(switches, t, row, 1.0 if touches else 0.0, NONE)
        if stiffens(plant.contacts, row) and is_closed(memory[row * of.MEMORY_WIDTH + of.MODE]):
            reached = deepest(plant.contacts, row, link, target)
            memory[row * of.MEMORY_WIDTH + of.REACHED] = reached
    switch_holds(plant, scratch, switches, y, t)
    return 0


@at_entry(SETTLE_HOLDS)
def settle_holds(plant, scratch, switches, y, t):
    """Closes and opens the holds that are to do so at time t."""
    look(plant, y, scratch)
    switch_holds(plant, scratch, switches, y, t)
    return 0


@part
def switch_holds(plant, scratch, switches, y, t):
    """The same, the kinematics being in `scratch`; and notes how much energy swings in what is
    closed."""
    seen, target = sight(plant, y), target_twist(plant, scratch)
    keep = y[layout.holds_start(plant) :]
    for row in range(hold_count(plant)):
        if not is_due(plant.holds, row, keep, t):
            continue
        start = row * hold_array.MEMORY_WIDTH
        at = start + hold_array.ENGAGED
        before = keep[at]
        if before == hold_array.OPEN:
            link = see_link(seen, scratch, int(plant.holds[row, hold_array.BODY]))
            engage(plant.holds, row, keep, link, alignment_of(plant.holds, row, link, target))
        else:
            keep[at] = hold_array.OPEN
        if before != hold_array.MISSED:
            number = contact_count(plant) + row
            log_switch(switches, t, number, keep[at], get4(keep, start + hold_array.ATTEMPT))
    note_shares(plant, y, scratch, seen, target)
