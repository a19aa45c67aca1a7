"""A manoeuvre of the target: its own thrust, unknown to the chaser's software.

f_T = R_NTᵀ R_NH f_H        constant in the Hill frame H, at the hub's centre of mass
"""

from proxops.actuators.faults import BEGIN, END, KIND
from proxops.core.clock import NS_PER_S
from proxops.core.fault_description import PUSH
from proxops.core.jit import part
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import ZERO, add, get3, mul, mul_t, scale
from proxops.physics.orbit.frames import hill_frame
from proxops.physics.orbit.reference import MU, reference


@part
def push_target(faults, orbit, q_NT, t, h, force_out):
    """Adds the mean force of the target's own manoeuvres from t to t + h [s], in its hub's axes
    [N]; orbit as of physics.orbit.reference."""
    total = ZERO
    for i in range(faults.table.shape[0]):
        if faults.table[i, KIND] == PUSH:
            begin, end = faults.table[i, BEGIN] / NS_PER_S, faults.table[i, END] / NS_PER_S
            during = max(0.0, min(t + h, end) - max(t, begin)) / h
            total = add(total, scale(during, get3(faults.numbers[i], 0)))
    if total[0] == 0.0 and total[1] == 0.0 and total[2] == 0.0:
        return
    if orbit[MU] > 0.0:  # without one, H has the axes of N
        R, V = reference(orbit, t)
        total = mul(hill_frame(R, V)[0], total)
    force = mul_t(quat_to_rotation(get4(q_NT, 0)), total)
    for axis in range(3):
        force_out[axis] += force[axis]
