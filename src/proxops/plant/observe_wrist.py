"""What a force sensor at the wrist would feel of contacts and holds."""

from proxops.core.jit import at_entry, helper, part
from proxops.core.spatial.pose import compose
from proxops.core.spatial.quaternion import get4, quat_from_rotation, quat_to_rotation
from proxops.core.spatial.vector import ZERO, add, cross, get3, mul_t, put3, sub
from proxops.physics.multibody.tree import stands_on
from proxops.plant import contact_array as of
from proxops.plant import hold_array, layout
from proxops.plant.contacts import contact_count, is_closed, link_of, press_here, recall, see_link
from proxops.plant.holds import hold_count, is_joined, strain
from proxops.plant.model import ADD_WRIST
from proxops.plant.observe import EFFECTOR
from proxops.plant.switching import look, sight, target_twist


@helper
def touches(plant, y):
    """Whether any contact or hold is closed."""
    return is_joined(plant, y[layout.contacts_start(plant) :])


@part
def put_wrist(plant, ports, y, scratch, wrench):
    """Writes what contacts and holds do to the end effector and to all that it carries, at E in E
    [N, N m]; overwrites `scratch`."""
    put3(wrench, 0, ZERO)
    put3(wrench, 3, ZERO)
    wrist = ports.effector_body[0]
    if wrist < 0 or not touches(plant, y):
        return
    add_wrist(plant, wrist, ports.poses, y, scratch, wrench)


@at_entry(ADD_WRIST)
def add_wrist(plant, wrist, poses, y, scratch, wrench):
    """The same, of a body that some contact or hold may touch."""
    look(plant, y, scratch)
    seen, target = sight(plant, y), target_twist(plant, scratch)
    on = see_link(seen, scratch, wrist)
    X_BE = (get4(poses, EFFECTOR), get3(poses, EFFECTOR + 4))
    q_TE, p_TE = compose((quat_from_rotation(on.R_TB), on.p_TB), X_BE)
    force, torque = ZERO, ZERO
    memory = y[layout.contacts_start(plant) :]
    known = wrist, on
    for pad in range(contact_count(plant)):
        body, kept = int(plant.contacts[pad, of.BODY]), recall(memory, pad)
        if is_closed(kept[of.MODE]) and stands_on(plant.chaser_topology, body, wrist):
            known = link_of(plant.contacts, pad, known, seen, scratch)
            did = press_here(plant.contacts, pad, kept, known[1], target)
            force = add(force, did.force)
            torque = add(torque, cross(sub(did.point, p_TE), did.force))
    keep = y[layout.holds_start(plant) :]
    for hold in range(hold_count(plant)):
        body = int(plant.holds[hold, hold_array.BODY])
        state = keep[hold * hold_array.MEMORY_WIDTH + hold_array.ENGAGED]
        if state == hold_array.HOLDING and stands_on(plant.chaser_topology, body, wrist):
            link = see_link(seen, scratch, body)
            f, t, point, _, _ = strain(plant.holds, hold, keep, link, target)
            force = add(force, f)
            torque = add(torque, add(t, cross(sub(point, p_TE), f)))
    R_TE = quat_to_rotation(q_TE)
    put3(wrench, 0, mul_t(R_TE, force))
    put3(wrench, 3, mul_t(R_TE, torque))
    return 0
