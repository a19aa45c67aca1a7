"""Coming to rest against the held target: the arm takes over from the base.

What carries the chaser around with the turning target, W at Co, is the base's before the hold
closes and the arm's in the end.  In between

    base    s W + (1 - s) k I w,     arm    τ_0 - Jᵀ ((1 - s) W at E),     s from 1 to 0

so that nothing springs back as thrusters fall silent.  w is the smoothed rate of the target against
the base.
"""

import math

from proxops.core.jit import helper, part
from proxops.core.spatial.vector import add, cross, get3, put3, scale, sub, sym_mul
from proxops.onboard.functions.capture.arm_impedance import add_transposed, effector_pose
from proxops.onboard.functions.capture.modes import CALM_RATE, SINCE
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.tree import load_sym

# Corner of the filter before the damper, over the damper's own rate k: little phase is lost, and
# what is left of the encoders' noise opens no valve.
SWIFTER = 5.0


@helper
def calm_rate(plan, memory, rate, passed):
    """The held target's rate against the base, without the noise of encoders [rad/s]: a low-pass
    filter over the time that has passed since the last cycle [s]."""
    share = -math.expm1(-SWIFTER * plan.detumble_gain * passed)
    calm = get3(memory, CALM_RATE)
    calm = add(calm, scale(share, sub(rate, calm)))
    put3(memory, CALM_RATE, calm)
    return calm


@helper
def left_to_base(plan, memory, t):
    """Share of what carries the chaser around with the target that is still the base's."""
    return max(0.0, 1.0 - (t - memory[SINCE]) / plan.handover)


@part
def lean_on_target(tree, mount, share, workspace, torques):
    """Adds the torques with which the arm takes a share of the wrench W at Co that carries the
    chaser around, which stands in the loads: τ = -Jᵀ (share W at E)."""
    f = scale(-share, get3(workspace.loads, 0))
    t = scale(-share, get3(workspace.loads, 3))
    p = effector_pose(mount, workspace.scratch)[1]
    add_transposed(tree, mount, (f, sub(t, cross(p, f))), workspace.scratch, torques)


@helper
def fade(belief, plan, rate, wrench, ease):
    """The base's wrench while the arm takes over: what is left of the one for a free target, and
    more and more of a mere damper of relative turning.  No force: what the least pulse of a
    thruster stirs up is more than it would damp."""
    k, inertia = plan.detumble_gain * (1.0 - ease), load_sym(belief.chaser.bodies, 0, at.INERTIA)
    damper = scale(k, sym_mul(inertia, rate))
    return scale(ease, wrench[0]), add(scale(ease, wrench[1]), damper)
