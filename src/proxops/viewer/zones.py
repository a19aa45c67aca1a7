"""Safety zones about the target as wires, and the way of a free drift from the moment on."""

import math
from collections.abc import Callable

import numpy as np

from proxops.results.drift import STATE, drift_from
from proxops.scenario.schema.zones import Corridor
from proxops.viewer.hardware import Hardware
from proxops.viewer.poses import TARGET
from proxops.viewer.scene import Colour, Moment, Thing, Wires

KEEP_OUT: Colour = (225, 60, 60)
ELLIPSOID: Colour = (150, 156, 168)
CORRIDOR: Colour = (225, 190, 40)
DRIFT: Colour = (220, 120, 215)
ROUND = 72  # strokes of a circle
MANTLE = 12  # strokes from a cone's apex to its rim
DRIFT_SAMPLES = 240


def zones(hardware: Hardware) -> list[Thing]:
    """Zones and drift of a run in orbit; a rehearsal, whose scene has the lab's axes, has none."""
    given = hardware.scenario.mission.zones
    if given is None or hardware.orbit is None or hardware.rehearsed:
        return []
    outlines = [("keep_out", given.keep_out_m * _ball(), KEEP_OUT)]
    if given.approach_ellipsoid_m is not None:
        shell = _ball() * np.array(given.approach_ellipsoid_m)
        outlines.append(("approach_ellipsoid", shell, ELLIPSOID))
    outlines += [
        (f"corridors/{name}", _cone(each), CORRIDOR) for name, each in given.corridors.items()
    ]
    things: list[Thing] = [_standing(hardware, *each) for each in outlines]
    if hardware.has(*STATE):
        things.append(_drift(hardware))
    return things


def _standing(hardware: Hardware, name: str, segments: np.ndarray, colour: Colour) -> Wires:
    return Wires(f"zones/{name}", lambda _: segments, mass_centre(hardware), 1.5, colour)


def _drift(hardware: Hardware) -> Wires:
    """The way of the chaser's centre of mass about the target's, thrust being off from now on."""

    def segments(moment: Moment) -> np.ndarray:
        assert hardware.orbit is not None
        state = [hardware.of(name, moment.row) for name in STATE]
        found = drift_from(hardware.orbit, float(moment.row[0]), state, DRIFT_SAMPLES)
        if found is None:
            return np.zeros((0, 2, 3))
        _, path = found
        return np.stack([path[:-1], path[1:]], axis=1)

    return Wires("zones/drift", segments, mass_centre(hardware), 2.0, DRIFT, stays=False)


def mass_centre(hardware: Hardware) -> Callable[[Moment], tuple[float, float, float]]:
    """Where the target's centre of mass is in the scene [m], at a moment."""
    whole, hub = hardware.columns["target.p_HTcm"], hardware.columns["target.p_HT"]

    def middle(moment: Moment) -> tuple[float, float, float]:
        x, y, z = np.array(moment.poses[TARGET].p) + moment.row[whole] - moment.row[hub]
        return float(x), float(y), float(z)

    return middle


def ring(axis: np.ndarray) -> np.ndarray:
    """Strokes (n, 2, 3) of a circle of radius one about the origin, across an axis."""
    across = np.cross(axis, np.eye(3)[int(np.abs(axis).argmin())])
    across /= np.linalg.norm(across)
    beside = np.cross(axis, across)
    angle = np.linspace(0.0, 2.0 * math.pi, ROUND + 1)
    points = np.outer(np.cos(angle), across) + np.outer(np.sin(angle), beside)
    return np.stack([points[:-1], points[1:]], axis=1)


def _circle(axis: int, height: float = 0.0) -> np.ndarray:
    """Strokes (n, 2, 3) of a circle on the unit ball, across an axis at that height."""
    angle = np.linspace(0.0, 2.0 * math.pi, ROUND + 1)
    radius = math.sqrt(1.0 - height * height)
    points = np.zeros((ROUND + 1, 3))
    points[:, axis] = height
    points[:, (axis + 1) % 3] = radius * np.cos(angle)
    points[:, (axis + 2) % 3] = radius * np.sin(angle)
    return np.stack([points[:-1], points[1:]], axis=1)


def _ball() -> np.ndarray:
    """A ball of radius one: three great circles, and two smaller ones along the orbit's normal."""
    return np.concatenate(
        [*(_circle(axis) for axis in range(3)), _circle(2, 0.6), _circle(2, -0.6)]
    )


def _cone(corridor: Corridor) -> np.ndarray:
    """Rim and mantle of a corridor."""
    axis = np.array(corridor.axis_H)
    radius = corridor.length_m * math.tan(math.radians(corridor.half_angle_deg))
    tip = corridor.apex_m * axis
    rim = tip + corridor.length_m * axis + radius * ring(axis)
    mantle = [(tip, point) for point in rim[:: ROUND // MANTLE, 0]]
    return np.concatenate([rim, np.array(mantle)])
