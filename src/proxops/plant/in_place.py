"""Whether what a scenario declares between two shapes is there: a contact that touches or is about
to, a hold that holds or could."""

from proxops.core.jit import at_entry, part
from proxops.core.spatial.vector import norm, sub
from proxops.physics.multibody.tree import Tree, load3
from proxops.plant import contact_array as contact
from proxops.plant import hold_array as hold
from proxops.plant import layout
from proxops.plant.contacts import contact_count, is_closed, meeting_of, onto, see_link
from proxops.plant.model import ANY_IN_PLACE
from proxops.plant.switching import place_craft, sight

# A pad and a face are within 10 mm of the shapes that carry them, so shapes may meet while the pad
# is that far from the face on both sides [m]
NEAR = 0.02


@at_entry(ANY_IN_PLACE)
def any_in_place(plant, y, scratch, joins, first):
    """1 if any contact or hold that joins the two shapes of the row `first` is in place.  The plant
    that has them is that of models in orbit, of the cell in a rehearsal; overwrites `scratch`."""
    place_craft(Tree(plant.chaser, plant.chaser_topology), y[: layout.target_start(plant)], scratch)
    X_TC = sight(plant, y)
    own, other = joins[first, 0], joins[first, 1]
    row = first
    while row < joins.shape[0] and joins[row, 0] == own and joins[row, 1] == other:
        if _in_place(plant, y, X_TC, joins[row, 2], scratch):
            return 1
        row += 1
    return 0


@part
def _in_place(plant, y, X_TC, number, scratch):
    """Whether a contact, or the hold that comes `number` less the count of contacts, is there;
    `X_TC` is (R_TC, p_TC), the chaser's kinematics are in `scratch`."""
    contacts = contact_count(plant)
    if number < contacts:
        return _touches(plant, y[layout.contacts_start(plant) :], X_TC, number, scratch)
    return _holds(plant, y[layout.holds_start(plant) :], X_TC, number - contacts, scratch)


@part
def _touches(plant, memory, X_TC, row, scratch):
    """A closed contact; an open one whose pad is near its face, before it and within its edges."""
    mode = memory[row * contact.MEMORY_WIDTH + contact.MODE]
    if is_closed(mode):
        return True
    link = see_link(X_TC, scratch, int(plant.contacts[row, contact.BODY]))
    meeting = meeting_of(plant.contacts, row, link)
    return mode != contact.BEHIND and abs(meeting.overlap) <= NEAR and meeting.inside >= 0.0


@part
def _holds(plant, memory, X_TC, row, scratch):
    """A hold that has closed; an open one whose end effector or port is at the grasp point."""
    if memory[row * hold.MEMORY_WIDTH + hold.ENGAGED] == hold.HOLDING:
        return True
    body = int(plant.holds[row, hold.BODY])
    if body == 0 and plant.holds[row, hold.HAS_PORT] == 0.0:
        return False
    own = onto(see_link(X_TC, scratch, body), load3(plant.holds, row, hold.EFFECTOR))
    away = norm(sub(own, load3(plant.holds, row, hold.POINT)))
    return away <= min(NEAR, plant.holds[row, hold.REACH])
