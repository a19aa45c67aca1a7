"""Contacts between chaser and target: rows of a table, and what each row pushes with.

Everything here is in the target's axes T, from the target's origin.  A pad (a ball; a point with
radius zero) is on one spacecraft, the face or ball that it meets on the other.
"""

import math
from typing import NamedTuple

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import (
    add,
    cross,
    dot,
    get3,
    matmul,
    mul,
    mul_t,
    norm,
    put3,
    scale,
    sub,
    transpose,
)
from proxops.physics.contact.external import (
    external_energy,
    external_force,
    external_stiffness,
)
from proxops.physics.contact.friction import grip, let_go
from proxops.physics.contact.geometry import ball_on_ball, ball_on_face, inside_face
from proxops.physics.contact.normal import EXTERNAL, elastic_energy, normal_force
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.forward import push
from proxops.physics.multibody.tree import load3, load_mat
from proxops.plant import contact_array as of
from proxops.plant import layout

DEEPER = 1.25  # steps in which the overlap is looked for that an external law reaches
MAX_DEEPENING = 100  # of them: 5e9 times as deep


class Link(NamedTuple):
    """A chaser body as the target sees it; velocities are inertial."""

    R_TB: tuple[float, ...]
    p_TB: tuple[float, float, float]
    v: tuple[float, float, float]
    w: tuple[float, float, float]


class Meeting(NamedTuple):
    """Where and how two shapes meet."""

    overlap: float  # [m]
    normal: tuple[float, float, float]  # from target to chaser, unit
    point: tuple[float, float, float]
    inside: float  # the edges of the face [m]


class Press(NamedTuple):
    """What a closed contact does."""

    point: tuple[float, float, float]
    force: tuple[float, float, float]  # on the chaser [N]
    normal: float  # force that pushes apart [N]
    elastic: float  # its part that stores energy [N]
    tangential: tuple[float, float, float]  # force on the chaser [N]
    stretch: tuple[float, float, float]  # of the tangential spring [m]
    rate: float  # at which the overlap grows [m/s]
    slip: tuple[float, float, float]  # tangential velocity of the chaser's point [m/s]
    slides: bool


@helper
def contact_count(plant):
    """Number of contacts."""
    return plant.contacts.shape[0]


@helper
def is_closed(mode):
    """Whether a contact in that mode pushes."""
    return mode == of.STUCK or mode == of.SLIDING


@helper
def sight_of(chaser, target):
    """(R_TC, p_TC) from the two spacecraft's states."""
    R_OC = quat_to_rotation(get4(chaser, layout.Q))
    R_OT = quat_to_rotation(get4(target, layout.Q))
    apart = sub(get3(chaser, layout.P), get3(target, layout.P))
    return matmul(transpose(R_OT), R_OC), mul_t(R_OT, apart)


@helper
def see_link(sight, scratch, body):
    """A chaser body as the target sees it; `sight` is (R_TC, p_TC)."""
    R_TC, p_TC = sight
    return Link(
        matmul(R_TC, load_mat(scratch, body, at.R)),
        add(p_TC, mul(R_TC, load3(scratch, body, at.P))),
        mul(R_TC, load3(scratch, body, at.V)),
        mul(R_TC, load3(scratch, body, at.W)),
    )


@helper
def link_of(contacts, row, known, sight, scratch):
    """(body, link) of the chaser body of a contact; `known` where it is the same: pads of one body
    stand together in the table."""
    body = int(contacts[row, of.BODY])
    if body == known[0]:
        return known
    return body, see_link(sight, scratch, body)


@helper
def onto(link, r):
    """A point of the chaser body, from the target's origin."""
    return add(link.p_TB, mul(link.R_TB, r))


@helper
def parting(link, target, point):
    """Velocity of the chaser's matter at a point against the target's there [m/s]."""
    v, w = target
    of_chaser = add(link.v, cross(link.w, sub(point, link.p_TB)))
    return sub(of_chaser, add(v, cross(w, point)))


@helper
def meet(contacts, row, link):
    """How the shapes of a contact lie to each other."""
    pad, face = load3(contacts, row, of.PAD), load3(contacts, row, of.FACE)
    radius = contacts[row, of.RADIUS]
    kind = contacts[row, of.KIND]
    if kind == of.BALLS:
        overlap, normal, point = ball_on_ball(
            onto(link, pad), radius, face, contacts[row, of.OTHER_RADIUS]
        )
        return Meeting(overlap, normal, point, contacts[row, of.HALF])
    normal, along = load3(contacts, row, of.NORMAL), load3(contacts, row, of.ALONG)
    half = (contacts[row, of.HALF], contacts[row, of.HALF + 1])
    if kind == of.PAD_ON_TARGET:
        centre, outward = onto(link, pad), normal
        overlap, point = ball_on_face(centre, radius, face, outward)
        return Meeting(overlap, normal, point, inside_face(centre, face, normal, along, half))
    outward = mul(link.R_TB, normal)
    origin = onto(link, face)
    overlap, point = ball_on_face(pad, radius, origin, outward)
    inside = inside_face(pad, origin, outward, mul(link.R_TB, along), half)
    return Meeting(overlap, scale(-1.0, outward), point, inside)


@part
def meeting_of(contacts, row, link):
    """`meet`, for callers that are in no hurry: every copy of a helper takes time to compile."""
    return meet(contacts, row, link)


@helper
def law_of(contacts, row):
    """Which law the normal force of a contact follows, see physics.contact.normal."""
    return contacts[row, of.LAW]


@helper
def stiffens(contacts, row):
    """Whether the stiffness of a contact changes with its overlap."""
    return law_of(contacts, row) == EXTERNAL or contacts[row, of.EXPONENT] != 1.0


@helper
def normal_parts(contacts, row, overlap, rate):
    """Elastic and damping part of the normal force [N]."""
    if law_of(contacts, row) == EXTERNAL:
        entry = int(contacts[row, of.ENTRY])
        return external_force(entry, contacts[row, of.PARAMETERS :], overlap, rate)
    return normal_force(
        law_of(contacts, row),
        contacts[row, of.STIFFNESS],
        contacts[row, of.EXPONENT],
        contacts[row, of.DAMPING],
        (overlap, rate),
    )


@part
def stored_energy(contacts, row, memory, link):
    """Energy of the elastic part at the present overlap and of the tangential spring [J]."""
    return energy_at(contacts, row, memory, meeting_of(contacts, row, link).overlap)


@part
def energy_at(contacts, row, memory, overlap):
    """The same at an overlap [m]."""
    stretch = get3(memory, row * of.MEMORY_WIDTH + of.STRETCH)
    stored = normal_energy(contacts, row, overlap)
    return stored + 0.5 * contacts[row, of.GRIP_STIFFNESS] * dot(stretch, stretch)


@part
def normal_energy(contacts, row, overlap):
    """Energy of the elastic part at an overlap [J]."""
    if law_of(contacts, row) == EXTERNAL:
        entry = int(contacts[row, of.ENTRY])
        return external_energy(entry, contacts[row, of.PARAMETERS :], overlap)
    stiffness, exponent = contacts[row, of.STIFFNESS], contacts[row, of.EXPONENT]
    return elastic_energy(law_of(contacts, row), stiffness, exponent, overlap)


@part
def deepest(contacts, row, link, target):
    """Overlap at which a contact that is on its way in turns back [m]; the present one on its way
    out.

        k δᵐᵃˣⁿ⁺¹/(n + 1) = k δⁿ⁺¹/(n + 1) + ½ m δ̇²

    m is the mass with which the two bodies meet.  What presses them together besides shows in the
    overlap as it comes.
    """
    meeting = meeting_of(contacts, row, link)
    rate = max(-dot(meeting.normal, parting(link, target, meeting.point)), 0.0)
    moving = 0.5 * contacts[row, of.MASS] * rate * rate
    if law_of(contacts, row) == EXTERNAL:
        stored = normal_energy(contacts, row, meeting.overlap)
        return deepest_for(contacts, row, stored + moving)
    more = contacts[row, of.EXPONENT] + 1.0
    energy = moving * more / contacts[row, of.STIFFNESS]
    return (max(meeting.overlap, 0.0) ** more + energy) ** (1.0 / more)


@part
def deepest_for(contacts, row, energy):
    """An overlap at which an external law stores that energy [m], or up to a quarter deeper: it has
    no inverse to compute it by.  Not less than DEPTH, since up to there all steps are the same."""
    reached = contacts[row, of.DEPTH]
    for _ in range(MAX_DEEPENING):
        if normal_energy(contacts, row, reached) >= energy:
            break
        reached *= DEEPER
    return reached


@part
def quickens(contacts, row, reached):
    """By how much faster a contact with an external law moves at an overlap [m] than at DEPTH."""
    entry, parameters = int(contacts[row, of.ENTRY]), contacts[row, of.PARAMETERS :]
    stiffness = external_stiffness(entry, parameters, reached)
    return math.sqrt(max(stiffness / contacts[row, of.STIFFNESS], 1.0))


@helper
def step_for(contacts, row, reached):
    """The longest step that a closed contact bears [s], at the overlap that it reaches [m].

    Its stiffness is that of k δⁿ, so its motion quickens as δ^((n - 1)/2).  Never longer than for
    the overlap that the scenario names: other springs on the same body may be the faster ones.
    """
    longest, depth = contacts[row, of.LONGEST_STEP], contacts[row, of.DEPTH]
    if reached <= depth:
        return longest
    if law_of(contacts, row) == EXTERNAL:
        return longest / quickens(contacts, row, reached)
    return longest * (depth / reached) ** (0.5 * (contacts[row, of.EXPONENT] - 1.0))


@helper
def max_friction(contacts, row, mode, normal):
    """μN [N], with the coefficient that the mode asks for."""
    mu = contacts[row, of.MU_KINETIC] if mode == of.SLIDING else contacts[row, of.MU_STATIC]
    return mu * max(normal, 0.0)


@helper
def press_here(contacts, row, memory, link, target):
    """What a closed contact does; `memory` is (mode, stretch, chaser's point, target's point).

    The tangential spring is stretched by what it had at the start of the step and by how far the
    two points that met then have moved apart since.
    """
    mode, stretch, held_C, held_T = memory
    meeting = meet(contacts, row, link)
    n = meeting.normal
    v = parting(link, target, meeting.point)
    rate = -dot(n, v)
    elastic, damping = normal_parts(contacts, row, meeting.overlap, rate)
    slip = add(v, scale(rate, n))
    stretch = add(stretch, sub(onto(link, held_C), held_T))
    stretch = sub(stretch, scale(dot(n, stretch), n))
    tangential, slides = grip(
        contacts[row, of.GRIP_STIFFNESS],
        contacts[row, of.GRIP_DAMPING],
        stretch,
        slip,
        max_friction(contacts, row, mode, elastic + damping),
    )
    normal = elastic + damping
    force = add(scale(normal, n), tangential)
    return Press(meeting.point, force, normal, elastic, tangential, stretch, rate, slip, slides)


@part
def press(contacts, row, memory, link, target):
    """`press_here`, for callers that are in no hurry."""
    return press_here(contacts, row, memory, link, target)


@helper
def recall(memory, row):
    """What a contact remembers, from the flat memory."""
    start = row * of.MEMORY_WIDTH
    return (
        memory[start + of.MODE],
        get3(memory, start + of.STRETCH),
        get3(memory, start + of.HELD_C),
        get3(memory, start + of.HELD_T),
    )


@helper
def push_pair(sight, scratches, body, point, force, torque):
    """Puts a force at a point, and a torque, on a chaser body, and their opposites on the target;
    T axes."""
    R_TC, p_TC = sight
    of_chaser, of_target = scratches
    f_C = mul_t(R_TC, force)
    arm = sub(mul_t(R_TC, sub(point, p_TC)), load3(of_chaser, body, at.P))
    push(of_chaser, body, f_C, add(mul_t(R_TC, torque), cross(arm, f_C)))
    push(of_target, 0, scale(-1.0, force), scale(-1.0, add(torque, cross(point, force))))


@helper
def enter_pair(ledger, far, point, force, torque):
    """Adds a force and a torque between both spacecraft to how much acts in all: each acts twice.
    `far` is the target's distance from O's origin [m], at least the lever arm less |point|."""
    size = norm(force)
    ledger[layout.SUM_IMPULSE] += 2.0 * size
    ledger[layout.SUM_ANGULAR] += 2.0 * ((far + norm(point)) * size + norm(torque))


@helper
def push_of_contacts(plant, memory, sight, scratches, book):
    """Adds the forces of all closed contacts to both spacecraft and their work to the ledger;
    `book` is (ledger, the target's distance from O's origin)."""
    ledger, far = book
    of_chaser, of_target = scratches
    target = (load3(of_target, 0, at.V), load3(of_target, 0, at.W))
    known = 0, see_link(sight, of_chaser, 0)
    for row in range(contact_count(plant)):
        kept = recall(memory, row)
        if not is_closed(kept[0]):
            continue
        known = link_of(plant.contacts, row, known, sight, of_chaser)
        body, link = known
        did = press_here(plant.contacts, row, kept, link, target)
        push_pair(sight, scratches, body, did.point, did.force, (0.0, 0.0, 0.0))
        enter_pair(ledger, far, did.point, did.force, (0.0, 0.0, 0.0))
        by_grip = -plant.contacts[row, of.GRIP_STIFFNESS] * dot(did.stretch, did.slip)
        beside = dot(did.tangential, did.slip) - by_grip
        ledger[layout.CONTACT_SPRING_WORK] += by_grip - did.elastic * did.rate
        ledger[layout.CONTACT_DAMPER_WORK] -= (did.normal - did.elastic) * did.rate
        if did.slides:
            ledger[layout.CONTACT_FRICTION_WORK] += beside
        else:
            ledger[layout.CONTACT_DAMPER_WORK] += beside


@helper
def hold_on(memory, row, link, point, stretch):
    """Remembers the points of both bodies that meet now, and the stretch between them."""
    start = row * of.MEMORY_WIDTH
    put3(memory, start + of.STRETCH, stretch)
    put3(memory, start + of.HELD_C, mul_t(link.R_TB, sub(point, link.p_TB)))
    put3(memory, start + of.HELD_T, point)


@helper
def settle_friction(contacts, row, memory, link, target):
    """Ends a step of a closed contact: slides or sticks, and holds on where it is now.  Returns the
    energy that the tangential spring lost by sliding [J]."""
    did = press_here(contacts, row, recall(memory, row), link, target)
    stretch, lost = did.stretch, 0.0
    if did.slides:
        limit = max_friction(contacts, row, of.SLIDING, did.normal)
        stretch, lost = let_go(contacts[row, of.GRIP_STIFFNESS], stretch, limit)
    memory[row * of.MEMORY_WIDTH + of.MODE] = of.SLIDING if did.slides else of.STUCK
    hold_on(memory, row, link, did.point, stretch)
    return lost
