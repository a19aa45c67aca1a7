"""The bodies one can orbit, as point masses."""

from typing import NamedTuple


class Attractor(NamedTuple):
    """A central body: its gravity is that of a point mass."""

    name: str
    mu: float  # gravitational parameter [m3/s2]
    radius: float  # mean equatorial radius [m]
    source: str


EARTH = Attractor(
    name="earth",
    mu=3.986004418e14,
    radius=6378136.6,
    source="IERS Conventions (2010), table 1.1",
)
MOON = Attractor(
    name="moon",
    mu=4.902800118e12,
    radius=1737400.0,
    source="mu: JPL DE440 (Park et al. 2021); radius: IAU WGCCRE 2015 (Archinal et al. 2018)",
)
ATTRACTORS = {attractor.name: attractor for attractor in (EARTH, MOON)}
