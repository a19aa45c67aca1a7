"""The nominal motion M, relative to which the cell shows both spacecraft."""

from proxops.core.jit import part
from proxops.physics.relative.motion import SPIN, VELOCITY, motion_of_state
from proxops.physics.relative.nominal import Course, advance_course, nominal_motion
from proxops.plant import layout


@part
def nominal_at(lab, t):
    """(X_OM, V_OM, V̇_OM) at the time t [s]."""
    M = lab.state.nominal
    if lab.representation.target_fixed == 1:
        return motion_of_state(M.y, M.rate)
    return nominal_motion(lab.representation.nominal, M.y, t, M.rate, M.scratch)


@part
def advance_nominal(lab, target, t, h):
    """Brings M to t + h; where it is the target, to where the `target` is."""
    M = lab.state.nominal
    if lab.representation.target_fixed == 1:
        for i in range(3):
            M.rate[VELOCITY + i] = (target[layout.V + i] - M.y[VELOCITY + i]) / h
            M.rate[SPIN + i] = (target[layout.W + i] - M.y[SPIN + i]) / h
        for i in range(layout.JOINTS):
            M.y[i] = target[i]
        return
    advance_course(Course(lab.representation.nominal, M.scratch), M.y, M.stages, t, h)
