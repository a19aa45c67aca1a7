"""The reference orbit as kernels read it: ten numbers, and where O is along it."""

from proxops.core.jit import helper, part
from proxops.core.select import any_of
from proxops.core.spatial.vector import ZERO, get3, put3
from proxops.physics.orbit.kepler import propagate

MU = 0  # [m3/s2]; zero without an orbit
R0 = 1  # position of O in N at the start [m]
V0 = 4  # its velocity [m/s]
INSIDE = 7  # distance of the spacecraft below which orbital terms are dropped [m]; zero: never
DROP = 8  # which: DROP_TIDE or DROP_FRAME, see plant.phase_switch
EXCHANGE = 9  # what goes over at a switch: EXCHANGE_ALL or EXCHANGE_VELOCITY, likewise
ORBIT_WIDTH = 10

# Entries of what keeps the sky of the latest instant
KEPT_T = 0  # [s]; not a number before the first
KEPT_R = 1  # [m]
KEPT_SIZE = 4

DROP_TIDE = 0.0
DROP_FRAME = 1.0
DROPS = {"tide": DROP_TIDE, "frame": DROP_FRAME}
EXCHANGE_ALL = 0.0
EXCHANGE_VELOCITY = 1.0
EXCHANGES = {"all": EXCHANGE_ALL, "velocity-attitude": EXCHANGE_VELOCITY}


@part
def reference(orbit, t):
    """Position and velocity of O in N at time t [m, m/s]; only with an orbit."""
    return propagate(orbit[MU], get3(orbit, R0), get3(orbit, V0), t)


@helper
def sky_at(orbit, t):
    """(μ, R): what the tide at time t depends on [m3/s2, m], N axes; zeros without an orbit."""
    mu = orbit[MU]
    return mu, reference(orbit, t)[0] if mu > 0.0 else ZERO


@helper
def sky_kept(orbit, t, kept):
    """`sky_at`, solved once an instant: stages of a step that meet, and those at which one step
    ends and the next begins, find it in `kept`."""
    mu = orbit[MU]
    if mu == 0.0:
        return mu, ZERO
    if any_of(kept[KEPT_T] != t):
        put3(kept, KEPT_R, reference(orbit, t)[0])
        kept[KEPT_T] = t
    return mu, get3(kept, KEPT_R)
