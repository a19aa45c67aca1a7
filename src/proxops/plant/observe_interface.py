"""What contacts and holds do at an instant, as recordings show it."""

from proxops.core.jit import at_entry, helper, part
from proxops.core.spatial.quaternion import get4, put4
from proxops.core.spatial.vector import ZERO, add3, norm, put3, scale
from proxops.physics.contact.friction import cone_use
from proxops.plant import contact_array as of
from proxops.plant import hold_array, layout
from proxops.plant.alignment import alignment_of, lies_ready
from proxops.plant.contacts import (
    contact_count,
    is_closed,
    link_of,
    meeting_of,
    press,
    press_here,
    recall,
    see_link,
)
from proxops.plant.holds import hold_count, strain
from proxops.plant.model import PUT_COMPRESSION, PUT_FORCES, PUT_INTERFACE, PUT_LATCHES
from proxops.plant.switching import look, sight, target_twist

# Columns of what is written of every pad, one after the other
F_N = 0
F_T = 1
CONE = 2
GAP = 3
PER_PAD = 4

# What is written of every hold that has a port
OFFSET = 0
ANGLE = 3
SPEED = 4
RATE = 5
ATTEMPT = 6
PER_PORT = 10


@part
def _put_pad(plant, pad, kept, link, target, out):
    """Writes what is recorded of one pad into `out` = (row, place of its contact's force, place of
    its own first number)."""
    row, force, first = out
    n = contact_count(plant)
    for quantity in range(PER_PAD):
        row[first + quantity * n] = 0.0
    row[first + GAP * n] = -meeting_of(plant.contacts, pad, link).overlap
    if is_closed(kept[of.MODE]):
        did = press(plant.contacts, pad, kept, link, target)
        sideways = norm(did.tangential)
        add3(row, force, scale(-1.0, did.force))
        row[first + F_N * n] = did.normal
        row[first + F_T * n] = sideways
        slides = kept[of.MODE] == of.SLIDING
        mu = plant.contacts[pad, of.MU_KINETIC if slides else of.MU_STATIC]
        row[first + CONE * n] = cone_use(sideways, did.normal, mu)


@at_entry(PUT_COMPRESSION)
def put_compression(plant, group, y, scratch, into):
    """Writes how far the pads of one contact are compressed together [m] and its rate [m/s]: the
    overlaps of those that touch, weighted with the stiffness of all.

        x = Σ c δ/Σ c,  so that the pads push with (Σ c) x + (Σ d) ẋ where d/c is the same for all
    """
    look(plant, y, scratch)
    seen, target = sight(plant, y), target_twist(plant, scratch)
    memory = y[layout.contacts_start(plant) :]
    total, x, rate = 0.0, 0.0, 0.0
    for pad in range(contact_count(plant)):
        if plant.contacts[pad, of.GROUP] != group:
            continue
        stiffness = plant.contacts[pad, of.STIFFNESS]
        total += stiffness
        kept = recall(memory, pad)
        if is_closed(kept[of.MODE]):
            link = see_link(seen, scratch, int(plant.contacts[pad, of.BODY]))
            x += stiffness * meeting_of(plant.contacts, pad, link).overlap
            rate += stiffness * press(plant.contacts, pad, kept, link, target).rate
    into[0] = x / total if total > 0.0 else 0.0
    into[1] = rate / total if total > 0.0 else 0.0
    return 0


@helper
def interface_count(plant):
    """Number of pads and holds."""
    return contact_count(plant) + hold_count(plant)


@helper
def _group_count(plant):
    """Number of contacts that the scenario names."""
    n = contact_count(plant)
    return int(plant.contacts[n - 1, of.GROUP]) + 1 if n > 0 else 0


@part
def _strain_now(plant, number, keep, stage, target):
    """Force and torque of a hold on the target [N, N m], none while it is open; `stage` = (sight,
    scratch)."""
    if keep[number * hold_array.MEMORY_WIDTH + hold_array.ENGAGED] != hold_array.HOLDING:
        return ZERO, ZERO
    seen, scratch = stage
    link = see_link(seen, scratch, int(plant.holds[number, hold_array.BODY]))
    f, t, _, _, _ = strain(plant.holds, number, keep, link, target)
    return scale(-1.0, f), scale(-1.0, t)


@at_entry(PUT_INTERFACE)
def put_interface(plant, y, scratch, row, cursor):
    """Writes forces of contacts, then of their pads, then of holds, then how ports lie; the
    kinematics of both spacecraft must be in `scratch`.  Returns the next free place."""
    seen, target = sight(plant, y), target_twist(plant, scratch)
    groups, n = _group_count(plant), contact_count(plant)
    memory = y[layout.contacts_start(plant) :]
    for group in range(groups):
        put3(row, cursor + 3 * group, ZERO)
    for pad in range(n):
        link = see_link(seen, scratch, int(plant.contacts[pad, of.BODY]))
        force = cursor + 3 * int(plant.contacts[pad, of.GROUP])
        out = (row, force, cursor + 3 * groups + pad)
        _put_pad(plant, pad, recall(memory, pad), link, target, out)
    cursor += 3 * groups + PER_PAD * n
    keep = y[layout.holds_start(plant) :]
    for number in range(hold_count(plant)):
        f, t = _strain_now(plant, number, keep, (seen, scratch), target)
        put3(row, cursor, f)
        put3(row, cursor + 3, t)
        cursor += 6
    for number in range(hold_count(plant)):
        if plant.holds[number, hold_array.HAS_PORT] == 1.0:
            link = see_link(seen, scratch, int(plant.holds[number, hold_array.BODY]))
            found = alignment_of(plant.holds, number, link, target)
            put3(row, cursor + OFFSET, found.offset)
            row[cursor + ANGLE] = found.angle
            row[cursor + SPEED] = found.speed
            row[cursor + RATE] = found.rate
            attempt = number * hold_array.MEMORY_WIDTH + hold_array.ATTEMPT
            put4(row, cursor + ATTEMPT, get4(keep, attempt))
            cursor += PER_PORT
    return cursor


@at_entry(PUT_FORCES)
def put_forces(plant, y, scratch, row):
    """Writes forces of contacts, then force and torque of each hold, and nothing else; the
    kinematics of both spacecraft must be in `scratch`."""
    seen, target = sight(plant, y), target_twist(plant, scratch)
    groups, memory = _group_count(plant), y[layout.contacts_start(plant) :]
    for group in range(groups):
        put3(row, 3 * group, ZERO)
    known = 0, see_link(seen, scratch, 0)
    for pad in range(contact_count(plant)):
        kept = recall(memory, pad)
        if is_closed(kept[of.MODE]):
            known = link_of(plant.contacts, pad, known, seen, scratch)
            did = press_here(plant.contacts, pad, kept, known[1], target)
            add3(row, 3 * int(plant.contacts[pad, of.GROUP]), scale(-1.0, did.force))
    keep = y[layout.holds_start(plant) :]
    for number in range(hold_count(plant)):
        f, t = _strain_now(plant, number, keep, (seen, scratch), target)
        put3(row, 3 * groups + 6 * number, f)
        put3(row, 3 * groups + 6 * number + 3, t)
    return 0


@at_entry(PUT_LATCHES)
def put_latches(plant, y, scratch, ready, closed):
    """Writes of each hold whether it lies ready, and whether it is closed, 1 or 0; overwrites
    `scratch`."""
    look(plant, y, scratch)
    seen, target = sight(plant, y), target_twist(plant, scratch)
    keep = y[layout.holds_start(plant) :]
    for number in range(hold_count(plant)):
        link = see_link(seen, scratch, int(plant.holds[number, hold_array.BODY]))
        found = alignment_of(plant.holds, number, link, target)
        state = keep[number * hold_array.MEMORY_WIDTH + hold_array.ENGAGED]
        ready[number] = 1.0 if lies_ready(plant.holds, number, found) else 0.0
        closed[number] = 1.0 if state == hold_array.HOLDING else 0.0
    return 0
