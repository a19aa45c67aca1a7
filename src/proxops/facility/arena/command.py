"""Targets of both vehicles from the models' motion in the Hill frame.

    p_LV = p_LH + λ R_LH p_HB,    v = λ τ R_LH v_HB,    q_LV = q_LH q_HB q_BV

for the hubs B of target and chaser.  Velocities are derivatives in the turning Hill frame, which
is what stands still in the arena.  What is sent beside position and attitude is the guard's
(facility.arena.guarded).
"""

from proxops.core.jit import kernel, part
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_from_rotation,
    quat_inverse,
    quat_mul,
    quat_normalised,
    quat_to_rotation,
)
from proxops.core.spatial.vector import add, get3, mul, mul_t, put3, sub
from proxops.facility.arena import memory as of
from proxops.facility.common.rows import CHASER, PAIR, TARGET
from proxops.physics.orbit.frames import hill_frame
from proxops.physics.orbit.reference import MU, reference
from proxops.physics.relative.scaling import scaled_position, scaled_rate, scaled_velocity
from proxops.plant import layout
from proxops.plant.frames import to_hill

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
STILL = (0.0, 0.0, 0.0)


@part
def _hill_axes(orbit, t):
    """R_NH and w_NH_H [rad/s]."""
    if orbit[MU] == 0.0:
        return IDENTITY, STILL
    return hill_frame(*reference(orbit, t))


@part
def write_target(mapping, orbit, hub, t, which, target):
    """Writes the target (16,) of one vehicle, without acceleration, for a hub's state at t [s]."""
    R_NH, w_NH_H = _hill_axes(orbit, t)
    q_LH = get4(mapping.q_LH, 0)
    R_LH = quat_to_rotation(q_LH)
    p, v = to_hill(orbit, t, get3(hub, layout.P), get3(hub, layout.V))
    put3(
        target,
        of.TARGET_P,
        add(get3(mapping.p_LH, 0), scaled_position(mapping.scaling, mul(R_LH, p))),
    )
    put3(target, of.TARGET_V, scaled_velocity(mapping.scaling, mul(R_LH, v)))
    q_NB = get4(hub, layout.Q)
    q_HB = quat_mul(quat_inverse(quat_from_rotation(R_NH)), q_NB)
    q = quat_mul(quat_mul(q_LH, q_HB), get4(mapping.q_BV[which], 0))
    put4(target, of.TARGET_Q, quat_normalised(q))
    w_NB_H = mul_t(R_NH, mul(quat_to_rotation(q_NB), get3(hub, layout.W)))
    put3(target, of.TARGET_W, scaled_rate(mapping.scaling, mul(R_LH, sub(w_NB_H, w_NH_H))))


@part
def command(lab, plant, y, t):
    """Writes both targets for t [s] of the mission."""
    mapping, start = lab.mapping, layout.target_start(plant)
    write_target(mapping, plant.orbit, y[start:], t, TARGET, lab.commands[TARGET])
    write_target(mapping, plant.orbit, y[:start], t, CHASER, lab.commands[CHASER])


@kernel
def first_commands(lab, plant, y):
    """Writes both targets for the start of the mission, without acceleration."""
    command(lab, plant, y, 0.0)
    for which in range(PAIR):
        put3(lab.commands[which], of.TARGET_A, STILL)
