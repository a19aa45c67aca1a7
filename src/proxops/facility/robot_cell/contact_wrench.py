"""What touches and holds a mock-up in the lab, as wrenches: what force sensors are to measure."""

from proxops.core.jit import helper, part
from proxops.core.spatial.vector import ZERO, add, cross, sub
from proxops.physics.multibody.tree import stands_on
from proxops.plant import contact_array, hold_array, layout
from proxops.plant.contacts import contact_count, is_closed, press, recall, see_link
from proxops.plant.holds import hold_count, strain
from proxops.plant.switching import look, sight, target_twist

ALL_BODIES = -1


@part
def contact_wrench(plant, y, scratch):
    """(f, t) [N, N m] on the target's mock-up about To, in T, of all contacts and holds."""
    look(plant, y, scratch)
    return wrench_by(plant, y, scratch, ALL_BODIES)


@helper
def counts(plant, on, body):
    """Whether what touches one body is measured through another, or through ALL_BODIES."""
    return body in (ALL_BODIES, on) or (body > 0 and stands_on(plant.chaser_topology, on, body))


@part
def wrench_by(plant, y, scratch, body):
    """The same of those with one link of the chaser, by its number, and all that stands on it; with
    the hub alone, or with ALL_BODIES.  The kinematics of both spacecraft must be in `scratch`."""
    seen, target = sight(plant, y), target_twist(plant, scratch)
    memory = y[layout.contacts_start(plant) :]
    keep = y[layout.holds_start(plant) :]
    force, torque = ZERO, ZERO
    for row in range(contact_count(plant)):
        kept = recall(memory, row)
        on = int(plant.contacts[row, contact_array.BODY])
        if is_closed(kept[contact_array.MODE]) and counts(plant, on, body):
            link = see_link(seen, scratch, on)
            did = press(plant.contacts, row, kept, link, target)
            force = sub(force, did.force)
            torque = sub(torque, cross(did.point, did.force))
    for row in range(hold_count(plant)):
        holding = keep[row * hold_array.MEMORY_WIDTH + hold_array.ENGAGED] == hold_array.HOLDING
        on = int(plant.holds[row, hold_array.BODY])
        if holding and counts(plant, on, body):
            link = see_link(seen, scratch, on)
            f, t, point, _, _ = strain(plant.holds, row, keep, link, target)
            force = sub(force, f)
            torque = sub(torque, add(t, cross(point, f)))
    return force, torque
