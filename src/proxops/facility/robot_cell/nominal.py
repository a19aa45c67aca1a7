"""The nominal motion M, relative to which the cell shows both spacecraft."""

from proxops.core.jit import helper, part
from proxops.physics.relative.motion import SPIN, VELOCITY, get_motion, motion_of_state, put_motion
from proxops.physics.relative.nominal import Course, advance_course, nominal_motion
from proxops.plant import layout


@helper
def nominal_now(lab):
    """(X_OM, V_OM, V̇_OM) as it was last noted: at the end of the latest step of M."""
    return get_motion(lab.state.nominal.motion)


@part
def note_nominal(lab, t):
    """Notes M's motion at the time t [s], once for all who ask."""
    M = lab.state.nominal
    if lab.representation.target_fixed == 1:
        put_motion(M.motion, motion_of_state(M.y, M.rate))
    else:
        nominal = lab.representation.nominal
        put_motion(M.motion, nominal_motion(nominal, M.y, t, M.rate, M.scratch))


@part
def advance_nominal(lab, target, t, h):
    """Brings M to t + h and notes its motion; where it is the target, to where the `target` is."""
    M = lab.state.nominal
    if lab.representation.target_fixed == 1:
        for i in range(3):
            M.rate[VELOCITY + i] = (target[layout.V + i] - M.y[VELOCITY + i]) / h
            M.rate[SPIN + i] = (target[layout.W + i] - M.y[SPIN + i]) / h
        for i in range(layout.JOINTS):
            M.y[i] = target[i]
    else:
        advance_course(Course(lab.representation.nominal, M.scratch), M.y, M.stages, t, h)
    note_nominal(lab, t + h)
