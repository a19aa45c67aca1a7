"""Monitors of the capture: its storage function and the energy port at the grasp.

Storage of the controllers, (24) with our base tracking:

    S = ½ m (|ė|² + k_p |e|²) + ½ (ė_rᵀ I ė_r + k_r e_rᵀ I e_r) + ½ K |e_E|² + ½ K_r |e_rE|²

of the base's offset and of the end effector's.  With what is known being true, the base's part
falls by k_v m |ė|² + k_w ė_rᵀ I ė_r, whatever the target does: exactly, if I is the same about all
axes; else but for terms like ė_rᵀ I (w_C × ė_r), small beside that where |w_C| is beside k_w.

At the grasp the end effector and the grapple exchange, (26) to (28),

    P = (V_E - V_G)ᵀ F_e

where F_e is measured by the wrist and the twists are against each other, so the nominal motion of a
laboratory drops out; ∫P dt, from the grasp on, stays below what was stored as they met, if neither
is active.  Once held, the target is known through the arm: the two do not move apart, P is zero.

Source: De Stefano et al., RA-L 2021.
"""

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import quat_inverse, quat_log, quat_mul, quat_to_rotation
from proxops.core.spatial.vector import dot, get3, mul, sub, sym_mul
from proxops.onboard.functions.capture.arm_impedance import goal, matter_velocity
from proxops.onboard.functions.capture.base_tracking import offset
from proxops.onboard.functions.capture.modes import (
    APPROACH,
    ARM_TRAJECTORY,
    AWAKE,
    FOLLOWING,
    GRASP,
    MODE,
    MONITORED,
    PORT_ENERGY,
    PORT_POWER,
    RIGIDISE,
    STORAGE,
)
from proxops.onboard.functions.capture.parameters import get_pose
from proxops.onboard.functions.capture.trajectory import along
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.tree import load_sym


@helper
def base_storage(hub, gains, away):
    """The base's part of S [J]; hub is the row of its mass properties."""
    m, I = hub[0, at.MASS], load_sym(hub, 0, at.INERTIA)
    moving = dot(away.speed, away.speed) + gains.place * dot(away.place, away.place)
    turning = dot(away.rate, sym_mul(I, away.rate))
    return 0.5 * (
        m * moving + turning + gains.rotation * dot(away.rotation, sym_mul(I, away.rotation))
    )


@helper
def arm_storage(stiffness, X_CE, wanted):
    """The spring's part of S [J] between the end effector and its reference."""
    e = sub(wanted[1], X_CE[1])
    r = quat_log(quat_mul(quat_inverse(X_CE[0]), wanted[0]))
    return 0.5 * (stiffness.place * dot(e, e) + stiffness.rotation * dot(r, r))


@helper
def port_power(relative, effector, wrench):
    """P [W]: effector = (X_CE, V_CE) against the base; the wrench is measured at E in E (6,)."""
    X_CE, (v, w) = effector
    v_G, w_G = matter_velocity(relative, X_CE[1])
    R = quat_to_rotation(X_CE[0])
    f, t = mul(R, get3(wrench, 0)), mul(R, get3(wrench, 3))
    return dot(sub(v, v_G), f) + dot(sub(w, w_G), t)


@part
def monitor(belief, plan, memory, now, target, effector):
    """Notes S [J], P [W] and ∫P dt [J]; target = (as it is relative in this mode, trajectory of the
    base)."""
    relative, trajectory = target
    if memory[AWAKE] != FOLLOWING:
        return
    mode, passed = memory[MODE], now.t - memory[MONITORED]
    memory[PORT_ENERGY] += memory[PORT_POWER] * passed
    meets = mode in (GRASP, RIGIDISE)  # before, the wrist's noise is all that there is
    memory[PORT_POWER] = port_power(relative, effector, now.wrench) if meets else 0.0
    memory[MONITORED] = now.t
    away = offset(relative, trajectory)
    memory[STORAGE] = base_storage(belief.chaser.bodies, plan.base, away)
    if mode in (APPROACH, GRASP):
        wanted = goal(
            relative, get_pose(belief.grapple), along(memory[ARM_TRAJECTORY:STORAGE], now.t)
        )
        memory[STORAGE] += arm_storage(plan.arm, effector[0], wanted[0])
