"""How long a step may be while contacts and holds are closed.

A closed interface lets the two bodies move as exp(st).  A Runge-Kutta step of h multiplies that
motion, z = s h, by

    R(z) = 1 + z + z²/2 + z³/6 + z⁴/24 = exp(z (1 - z⁴/120 + ...))

so what is integrated is an interface whose s, in whichever direction of the plane, is off by
|z|⁴/120: one whose stiffness is off by |z|⁴/60.  At |z| = MAX_PACE that is 1e-5, and no step is
longer.

The work that is booked meanwhile misses the energy by up to C |z|⁴ of the energy E that swings,
and the angular momentum misses its sources by up to c |z|⁴ E/|s|.  The balances of a run take 1e-6
of all energy and 1e-9 of all angular momentum; so what may be missed is set by the share E/S, S
being the energy of the hubs' rotation and the net works.  At |z| = PACE all of it may swing (an
impact of two free bodies).  A smaller share misses no more than half of S does at PACE, with steps
of

    |z| = PACE (½ S/E)^¼

E is all that is stored now and that moves now between the two: no less than what swings.  Drift is
not in S, since it has no angular momentum of its own: two bodies that fly fast and swing faintly
would else be cut too coarsely.
"""

from proxops.core.jit import helper, part
from proxops.core.select import any_of, select
from proxops.core.spatial.quaternion import get4, quat_from_rotation, quat_to_rotation
from proxops.core.spatial.vector import dot, get3, matmul, mul_t, sub, sym_mul, transpose
from proxops.physics.contact.hold import times_each
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.tree import load3, load_mat, load_sym
from proxops.plant import contact_array as of
from proxops.plant import hold_array, layout
from proxops.plant.contacts import (
    contact_count,
    energy_at,
    is_closed,
    link_of,
    meet,
    onto,
    parting,
    see_link,
    step_for,
)
from proxops.plant.holds import hold_count

PACE = 0.05  # |s| h while all energy swings
MAX_PACE = 0.1565  # |s| h at most: the stiffness is then off by 1e-5
ALL_OF_IT = 0.5  # share of the energy from which on steps are those of PACE


@helper
def spin_energy(bodies, craft):
    """½ w · I w of a hub [J], with `bodies` those of its spacecraft and `craft` its state."""
    w = get3(craft, layout.W)
    return 0.5 * dot(w, sym_mul(load_sym(bodies, 0, at.INERTIA), w))


@helper
def energy_at_work(plant, y):
    """Of the rotation of both hubs, and the net work of every source [J]."""
    total = spin_energy(plant.chaser, y)
    total += spin_energy(plant.target, y[layout.target_start(plant) :])
    ledger = y[layout.ledger_start(plant) :]
    for source in range(layout.TIDE_WORK, layout.LEDGER_SIZE):
        total += abs(ledger[source])
    return total


@helper
def swing_of_contact(contacts, row, memory, link, target):
    """Energy with which a closed contact may swing [J]: stored, and ½ m v² of its points."""
    meeting = meet(contacts, row, link)
    v = parting(link, target, meeting.point)
    stored = energy_at(contacts, row, memory, meeting.overlap)
    return stored + 0.5 * contacts[row, of.MASS] * dot(v, v)


@helper
def swing_of_hold(holds, row, memory, link, target):
    """The same of a closed hold: ½ x·kx + 2 ε·κε stored, and ½ m v² + ½ J w² with the largest mass
    and inertia that the two bodies meet with in any direction."""
    start = row * hold_array.MEMORY_WIDTH
    R_TB = load_mat(holds, row, hold_array.AXES)
    held = quat_to_rotation(get4(memory, start + hold_array.HELD_Q))
    R_TA = matmul(matmul(link.R_TB, transpose(held)), R_TB)
    grasp = load3(holds, row, hold_array.POINT)
    x = mul_t(R_TA, sub(onto(link, get3(memory, start + hold_array.HELD_C)), grasp))
    q = quat_from_rotation(matmul(transpose(R_TB), R_TA))
    eps = (q[1], q[2], q[3])
    v, w = parting(link, target, grasp), sub(link.w, target[1])
    stored = 0.5 * dot(x, times_each(load3(holds, row, hold_array.STIFFNESS), x))
    stored += 2.0 * dot(eps, times_each(load3(holds, row, hold_array.ROTATIONAL_STIFFNESS), eps))
    moving = holds[row, hold_array.MASS] * dot(v, v) + holds[row, hold_array.INERTIA] * dot(w, w)
    return stored + 0.5 * moving


@part
def note_shares(plant, y, scratch, seen, target):
    """Remembers for every closed contact and hold the share E/S of the energy that swings in it;
    the kinematics must be in `scratch`."""
    memory, keep = y[layout.contacts_start(plant) :], y[layout.holds_start(plant) :]
    total = energy_at_work(plant, y)
    known = 0, see_link(seen, scratch, 0)
    for row in range(contact_count(plant)):
        start = row * of.MEMORY_WIDTH
        if is_closed(memory[start + of.MODE]):
            known = link_of(plant.contacts, row, known, seen, scratch)
            swing = swing_of_contact(plant.contacts, row, memory, known[1], target)
            memory[start + of.SHARE] = share_of(swing, total)
    for row in range(hold_count(plant)):
        start = row * hold_array.MEMORY_WIDTH
        if keep[start + hold_array.ENGAGED] == hold_array.HOLDING:
            link = see_link(seen, scratch, int(plant.holds[row, hold_array.BODY]))
            swing = swing_of_hold(plant.holds, row, keep, link, target)
            keep[start + hold_array.SHARE] = share_of(swing, total)


@helper
def share_of(swing, total):
    """E/S; all of it where nothing moves."""
    return swing / total if total > 0.0 else 1.0


@helper
def longest_step(plant, y):
    """The longest step that all closed contacts and holds bear [s], infinite if none is closed."""
    longest, share = step_at_pace(plant, y)
    return longest * lengthened(share)


@helper
def longest_step_without_balance(plant, y):
    """The same where no balance of energy and momentum is drawn: as long as what swings there is
    accurate, |z| = MAX_PACE."""
    longest, _ = step_at_pace(plant, y)
    return longest * (MAX_PACE / PACE)


@helper
def step_at_pace(plant, y):
    """The longest step [s] at PACE, infinite if nothing is closed, and the share of the energy that
    swings."""
    memory, keep = y[layout.contacts_start(plant) :], y[layout.holds_start(plant) :]
    longest, share = 1e300, 0.0
    for row in range(contact_count(plant)):
        start = row * of.MEMORY_WIDTH
        if is_closed(memory[start + of.MODE]):
            longest = min(longest, step_for(plant.contacts, row, memory[start + of.REACHED]))
            share += memory[start + of.SHARE]
    for row in range(hold_count(plant)):
        start = row * hold_array.MEMORY_WIDTH
        if keep[start + hold_array.ENGAGED] == hold_array.HOLDING:
            longest = min(longest, plant.holds[row, hold_array.LONGEST_STEP])
            share += keep[start + hold_array.SHARE]
    return longest, share


@helper
def lengthened(share):
    """By how much steps may be longer than at PACE while that share of the energy swings."""
    longer = most = MAX_PACE / PACE
    is_less = not share * most**4 <= ALL_OF_IT
    if any_of(is_less):
        longer = select(is_less, (ALL_OF_IT / share) ** 0.25, most)
    return select(share >= ALL_OF_IT, 1.0, longer)
