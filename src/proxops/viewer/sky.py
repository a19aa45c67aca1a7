"""Where the Sun is, as wires about the target, and whether it is day there."""

import math

import numpy as np

from proxops.physics.orbit.attractors import ATTRACTORS
from proxops.results.drift import hill_axes
from proxops.viewer.hardware import Hardware
from proxops.viewer.scene import Colour, Moment, Thing, Wires
from proxops.viewer.zones import mass_centre, ring

SUN: Colour = (255, 214, 60)
HIDDEN_SUN: Colour = (110, 100, 70)
FAR = 1.3  # radii of the keep-out zone at which it is drawn,
WAY = 0.3  # or share of the distance at the start, if that is more
DISC = 0.06  # radius of the Sun's symbol, of that distance


def sky(hardware: Hardware) -> list[Thing]:
    """The direction of the Sun in a run in orbit that has zones, which give it its size."""
    zones, orbit = hardware.scenario.mission.zones, hardware.orbit
    if zones is None or orbit is None or hardware.rehearsed or _sun_N(hardware) is None:
        return []
    start = math.hypot(*hardware.scenario.mission.chaser.p_HC_m)
    far, middle = max(FAR * zones.keep_out_m, WAY * start), mass_centre(hardware)

    def sun(at: Moment, by_day: bool) -> np.ndarray:
        t = float(at.row[0])
        return _sun(hardware, t, far) if is_day(hardware, t) == by_day else np.zeros((0, 2, 3))

    return [
        Wires("zones/sun", lambda at: sun(at, True), middle, 2.0, SUN, stays=False),
        Wires("zones/hidden_sun", lambda at: sun(at, False), middle, 2.0, HIDDEN_SUN, stays=False),
    ]


def light_at(hardware: Hardware, t: float) -> str:
    """Day or night at a time [s], in a word; empty without an orbit or a Sun."""
    if hardware.orbit is None or _sun_N(hardware) is None:
        return ""
    return "day" if is_day(hardware, t) else "night"


def is_day(hardware: Hardware, t: float) -> bool:
    """Whether the Sun shines on the reference orbit at a time [s]."""
    orbit, sun = hardware.orbit, _sun_N(hardware)
    assert orbit is not None
    assert sun is not None
    _, R, _ = hill_axes(orbit, t)
    along = float(R @ sun)  # as in sensors.light, which cannot be called from here
    return along >= 0.0 or float(R @ R) - along * along >= _radius(hardware) ** 2


def _sun_N(hardware: Hardware) -> np.ndarray | None:
    given = hardware.scenario.mission.orbit
    if given is None or given.sun_direction_N is None:
        return None
    return np.array(given.sun_direction_N)


def _radius(hardware: Hardware) -> float:
    given = hardware.scenario.mission.orbit
    assert given is not None
    return ATTRACTORS[given.attractor].radius


def sun_in_H(hardware: Hardware, t: float) -> np.ndarray | None:
    """Direction of the Sun in H at a time [s]; None without an orbit or a Sun."""
    orbit, sun = hardware.orbit, _sun_N(hardware)
    if orbit is None or sun is None:
        return None
    return np.asarray(hill_axes(orbit, t)[0].T @ sun)


def _sun(hardware: Hardware, t: float, far: float) -> np.ndarray:
    """A ray from the target, with a disc at its end, in H."""
    u = sun_in_H(hardware, t)
    assert u is not None
    disc = far * u + DISC * far * ring(u)
    return np.concatenate([np.array([[0.85 * far * u, (1.0 - DISC) * far * u]]), disc])
