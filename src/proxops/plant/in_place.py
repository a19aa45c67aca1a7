"""Whether what a scenario declares between two shapes is there: a contact that touches or is about
to, a hold that holds or could."""

from proxops.core.jit import part
from proxops.core.spatial.vector import norm, sub
from proxops.physics.multibody.tree import load3
from proxops.plant import contact_array as contact
from proxops.plant import hold_array as hold
from proxops.plant import layout
from proxops.plant.contacts import contact_count, is_closed, meeting_of, onto, see_link

# A pad and a face are within 10 mm of the shapes that carry them, so shapes may meet while the pad
# is that far from the face on both sides [m]
NEAR = 0.02


@part
def in_place(plant, y, sight, number, scratch):
    """Whether a contact, or the hold that comes `number` less the count of contacts, is there;
    `sight` is (R_TC, p_TC), the chaser's kinematics are in `scratch`."""
    contacts = contact_count(plant)
    if number < contacts:
        return _touches(plant, y[layout.contacts_start(plant) :], sight, number, scratch)
    return _holds(plant, y[layout.holds_start(plant) :], sight, number - contacts, scratch)


@part
def _touches(plant, memory, sight, row, scratch):
    """A closed contact; an open one whose pad is near its face, before it and within its edges."""
    mode = memory[row * contact.MEMORY_WIDTH + contact.MODE]
    if is_closed(mode):
        return True
    link = see_link(sight, scratch, int(plant.contacts[row, contact.BODY]))
    meeting = meeting_of(plant.contacts, row, link)
    return mode != contact.BEHIND and abs(meeting.overlap) <= NEAR and meeting.inside >= -NEAR


@part
def _holds(plant, memory, sight, row, scratch):
    """A hold that has closed; an open one of an arm whose end effector is where it may close."""
    if memory[row * hold.MEMORY_WIDTH + hold.ENGAGED] == hold.HOLDING:
        return True
    body = int(plant.holds[row, hold.BODY])
    if body == 0:
        return False
    effector = onto(see_link(sight, scratch, body), load3(plant.holds, row, hold.EFFECTOR))
    away = norm(sub(effector, load3(plant.holds, row, hold.POINT)))
    return away <= plant.holds[row, hold.REACH] + NEAR
