"""Laws of orbits that Python calls."""

from proxops.core.jit import kernel
from proxops.core.spatial.vector import add, get3, put3
from proxops.physics.orbit.frames import inertial_from_hill
from proxops.physics.orbit.hill import relative_acceleration
from proxops.physics.orbit.kepler import propagate

# Columns of a motion
POSITION = 0  # [m]
VELOCITY = 3  # [m/s]


@kernel
def inertial_motion(mu, reference, t, hill, inertial):
    """Writes the motion in N of what moves as `hill` (n, 6) in the Hill frame, at the times t (n,)
    [s]; `reference` (6,) is the reference orbit's motion in N at t = 0."""
    for i in range(t.shape[0]):
        R, V = propagate(mu, get3(reference, POSITION), get3(reference, VELOCITY), t[i])
        p, v = inertial_from_hill(R, V, get3(hill[i], POSITION), get3(hill[i], VELOCITY))
        put3(inertial[i], POSITION, add(R, p))
        put3(inertial[i], VELOCITY, add(V, v))


@kernel
def hill_acceleration(mu, R, V, p, v):
    """d²p/dt² in H [m/s2] of free motion at p, v in H of the orbit at R, V, nonlinear."""
    return relative_acceleration(mu, R, V, p, v)
