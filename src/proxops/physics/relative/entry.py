"""The laws of relative motion as kernels that Python can call.

Motions are arrays with the columns of `motion`; results go into arrays the caller owns.
"""

from proxops.core.jit import helper, kernel
from proxops.core.spatial.quaternion import get4, put4, quat_normalised
from proxops.physics.relative import command
from proxops.physics.relative.motion import TWIST, Q, get_motion, get_twist, put_motion
from proxops.physics.relative.nominal import advance_course, nominal_motion
from proxops.physics.relative.published import SHOWN, measured_rates, measured_step
from proxops.physics.relative.storage import storage
from proxops.physics.relative.together import together_rates, together_step


@helper
def _normalise(y, at):
    put4(y, at, quat_normalised(get4(y, at)))


@kernel
def to_laboratory(nominal, flight, reproduced):
    """Writes the motion relative to M that shows the one in orbit."""
    put_motion(reproduced, command.to_laboratory(get_motion(nominal), get_motion(flight)))


@kernel
def to_orbit(nominal, reproduced, flight):
    """Writes the motion in orbit that the one relative to M stands for."""
    put_motion(flight, command.to_orbit(get_motion(nominal), get_motion(reproduced)))


@kernel
def nominal_at(course, y, t, rate, motion):
    """Writes M's motion at t [s], and the rate of its state y."""
    put_motion(motion, nominal_motion(course.nominal, y, t, rate, course.scratch))


@kernel
def advance_nominal(course, y, workspace, t, h):
    """Advances M's state y from t to t + h [s]."""
    advance_course(course, y, workspace, t, h)


@kernel
def advance_measured(system, y, workspace, t, h):
    """Advances M and the command by (11) or (18) from t to t + h [s]."""
    measured_step(system, y, workspace, t, h)
    _normalise(y, Q)
    _normalise(y, SHOWN + Q)


@kernel
def measured_rate(system, y, t, rate):
    """Writes dy/dt by (11) or (18)."""
    measured_rates(system, y, t, rate)


@kernel
def advance_together(system, y, workspace, t, h):
    """Advances M, base and arm by (18), (20) and (22) from t to t + h [s]."""
    together_step(system, y, workspace, t, h)
    _normalise(y, Q)
    _normalise(y, SHOWN + Q)


@kernel
def together_rate(system, y, t, rate):
    """Writes dy/dt by (18), (20) and (22)."""
    together_rates(system, y, t, rate)


@kernel
def stored(bodies, nominal, reproduced):
    """W [J] of the rigid target (25) from its motion relative to M and M's own."""
    X_MT, V_MT, _ = get_motion(reproduced)
    apart = command.carried(X_MT, get_twist(nominal, TWIST))
    return storage(bodies, V_MT, apart)
