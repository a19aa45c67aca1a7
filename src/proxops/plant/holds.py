"""Holds between chaser and target: rows of a table, and what each row holds with.

A hold joins a point of a chaser body to the target's point that it covers at that instant: it
begins without force and without stored energy.  One with a port has a frame of its own on the
chaser's body, and draws that onto the target's.  Here too everything is in the target's axes T,
from the target's origin.

The grasp point, the origin of the hold's frame B, is fixed in the target, and the force acts there
on both bodies.  The frame A is fixed in the chaser's body: the port's, or the one that was B when
the hold closed.  With x from B to A in A's axes, and w the chaser's rate against the target's,

    ẋ = R_TAᵀ (v_A - w × (p_A - p_B)) = R_TAᵀ v_B

v_A, v_B being the velocities of the chaser's matter against the target's at the two points.  The
force -∂U/∂x of a spring U(x) so gives the power -U̇ at B, and only in A's axes: with axes fixed in
the target it would do so at A, which the slide has carried away from the grasp point.
"""

from proxops.core.jit import helper
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_from_rotation,
    quat_to_rotation,
)
from proxops.core.spatial.vector import (
    add,
    dot,
    get3,
    matmul,
    mul,
    mul_t,
    norm,
    put3,
    sub,
    transpose,
)
from proxops.physics.contact.hold import hold_force, hold_torque, limited
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.tree import load3, load_mat
from proxops.plant import contact_array as contact
from proxops.plant import hold_array as of
from proxops.plant import layout
from proxops.plant.alignment import can_close
from proxops.plant.contacts import (
    contact_count,
    enter_pair,
    is_closed,
    onto,
    parting,
    push_pair,
    see_link,
)


@helper
def hold_count(plant):
    """Number of holds."""
    return plant.holds.shape[0]


@helper
def is_joined(plant, memory):
    """Whether any contact or hold is closed; `memory` of both."""
    joined = False
    for row in range(contact_count(plant)):
        joined = joined or is_closed(memory[row * contact.MEMORY_WIDTH + contact.MODE])
    first = layout.contacts_size(plant) + of.ENGAGED
    for row in range(hold_count(plant)):
        joined = joined or memory[first + row * of.MEMORY_WIDTH] == of.HOLDING
    return joined


@helper
def strain(holds, row, memory, link, target):
    """Force and torque on the chaser's body [N, N m], the grasp point at which they act, and the
    two velocities that they work along; T axes."""
    start = row * of.MEMORY_WIDTH
    R_TB = load_mat(holds, row, of.AXES)
    rotated = matmul(link.R_TB, transpose(quat_to_rotation(get4(memory, start + of.HELD_Q))))
    R_TA = matmul(rotated, R_TB)
    grasp = load3(holds, row, of.POINT)
    v = parting(link, target, grasp)
    w = sub(link.w, target[1])
    f = add(
        load3(holds, row, of.PULL),
        hold_force(
            load3(holds, row, of.STIFFNESS),
            load3(holds, row, of.DAMPING),
            mul_t(R_TA, sub(onto(link, get3(memory, start + of.HELD_C)), grasp)),
            mul_t(R_TA, v),
        ),
    )
    t = hold_torque(
        load3(holds, row, of.ROTATIONAL_STIFFNESS),
        load3(holds, row, of.ROTATIONAL_DAMPING),
        quat_from_rotation(matmul(transpose(R_TB), R_TA)),
        mul_t(R_TA, w),
    )
    f = mul(R_TA, limited(f, holds[row, of.MAX_FORCE]))
    t = mul(R_TA, limited(t, holds[row, of.MAX_TORQUE]))
    return f, t, grasp, v, w


@helper
def push_of_holds(plant, memory, sight, scratches, book):
    """Adds what all closed holds do to both spacecraft, and their work to the ledger; `book` is
    (ledger, the target's distance from O's origin)."""
    ledger, far = book
    of_chaser, of_target = scratches
    target = (load3(of_target, 0, at.V), load3(of_target, 0, at.W))
    for row in range(hold_count(plant)):
        if memory[row * of.MEMORY_WIDTH + of.ENGAGED] != of.HOLDING:
            continue
        body = int(plant.holds[row, of.BODY])
        link = see_link(sight, of_chaser, body)
        f, t, point, v, w = strain(plant.holds, row, memory, link, target)
        push_pair(sight, scratches, body, point, f, t)
        enter_pair(ledger, far, point, f, t)
        ledger[layout.HOLD_WORK] += dot(f, v) + dot(t, w)


@helper
def engage(holds, row, memory, link, found):
    """Closes a hold, if its frames lie as it needs them, `found`: at rest with the chaser's point
    that covers B now, or where a port's A is B."""
    start = row * of.MEMORY_WIDTH
    attempt = (norm(found.offset), found.angle, found.speed, found.rate)
    put4(memory, start + of.ATTEMPT, attempt)
    if not can_close(holds, row, found):
        memory[start + of.ENGAGED] = of.MISSED
        return
    memory[start + of.ENGAGED] = of.HOLDING
    if holds[row, of.HAS_PORT] == 1.0:
        put3(memory, start + of.HELD_C, load3(holds, row, of.EFFECTOR))
        put4(memory, start + of.HELD_Q, get4(holds[row], of.ALIGNED))
        return
    point = load3(holds, row, of.POINT)
    put3(memory, start + of.HELD_C, mul_t(link.R_TB, sub(point, link.p_TB)))
    put4(memory, start + of.HELD_Q, quat_from_rotation(link.R_TB))


@helper
def command_hold(plant, y, row, closed):
    """Commands one hold to be closed, 1, or open, 0, from now on: `advance` begins with it.  Of
    those that are not `commanded` it does nothing."""
    memory = y[layout.holds_start(plant) :]
    memory[row * of.MEMORY_WIDTH + of.COMMAND] = closed


@helper
def wished(holds, row, memory, t):
    """Whether a hold is to be closed now; of a given time, a billionth of a second early counts."""
    if holds[row, of.COMMANDED] == 1.0:
        return memory[row * of.MEMORY_WIDTH + of.COMMAND] == 1.0
    early = 1e-9
    return holds[row, of.FROM] - early <= t < holds[row, of.UNTIL] - early


@helper
def is_due(holds, row, memory, t):
    """Whether a hold is to close or to open now."""
    engaged = memory[row * of.MEMORY_WIDTH + of.ENGAGED] != of.OPEN
    return wished(holds, row, memory, t) != engaged


@helper
def any_due(plant, y, t):
    """Whether some hold is to close or to open now."""
    memory = y[layout.holds_start(plant) :]
    due = False
    for row in range(hold_count(plant)):
        due = due or is_due(plant.holds, row, memory, t)
    return due
