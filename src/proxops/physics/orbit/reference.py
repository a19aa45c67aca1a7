"""The reference orbit as kernels read it: seven numbers, and where O is along it."""

from proxops.core.jit import helper, part
from proxops.core.spatial.vector import ZERO, get3
from proxops.physics.orbit.kepler import propagate

MU = 0  # [m3/s2]; zero without an orbit
R0 = 1  # position of O in N at the start [m]
V0 = 4  # its velocity [m/s]
ORBIT_WIDTH = 7


@part
def reference(orbit, t):
    """Position and velocity of O in N at time t [m, m/s]; only with an orbit."""
    return propagate(orbit[MU], get3(orbit, R0), get3(orbit, V0), t)


@helper
def sky_at(orbit, t):
    """(μ, R): what the tide at time t depends on [m3/s2, m], N axes; zeros without an orbit."""
    mu = orbit[MU]
    return mu, reference(orbit, t)[0] if mu > 0.0 else ZERO
