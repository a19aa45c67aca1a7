"""The planet below, the stars, and the light of the Sun, about a run in orbit.

The planet keeps its angle from the orbit and is drawn nearer than it is, at a hundred times the
size of the scene: nothing of the mission is as far away.
"""

import io
import math
from functools import cache

import numpy as np

from proxops.core.frame import quaternion_of
from proxops.physics.orbit.attractors import ATTRACTORS
from proxops.results.drift import hill_axes
from proxops.viewer.hardware import Hardware
from proxops.viewer.pose import HERE, Pose, quaternion
from proxops.viewer.scene import Globe, Moment, Stars, Sunlight, Thing
from proxops.viewer.sky import is_day, sky, sun_in_H

AWAY = 100.0  # distance of the planet's surface, in sizes of the scene
SMALLEST = 30.0  # size of a scene [m]
STARS = 1400
STARS_AWAY = 4.0  # in distances of the planet's centre, or of the surface where there is none
STAR_SIZE = 0.0016  # of their distance
BEYOND_LIMB = math.radians(4.0)  # that the band reaches beyond what is ever seen
MAX_BAND = math.radians(88.0)
ROWS, COLUMNS = 36, 144  # quadrilaterals of the planet
MAP_WIDTH, MAP_HEIGHT = 2048, 320  # pixels of its surface
LONGEST_WAVE = 3.0  # in the height of the map: longer ones are no stronger
USUAL_SUN = np.array([0.55, -0.35, 0.76])  # where the mission knows none: the planet is lit
DAYLIGHT, NIGHTLIGHT = 1.7, 0.2  # intensity of the Sun's light


def surroundings(hardware: Hardware) -> list[Thing]:
    """Stars, the Sun and its light; the planet where there is an orbit.  A laboratory has none."""
    if hardware.rehearsed:
        return []
    start = math.hypot(*hardware.scenario.mission.chaser.p_HC_m)
    zones = hardware.scenario.mission.zones
    size = max(SMALLEST, start, 0.0 if zones is None else zones.keep_out_m)
    away = AWAY * size
    things: list[Thing] = [*sky(hardware), Sunlight("sky/light", lambda at: _light(hardware, at))]
    if hardware.orbit is not None:
        radius, height = _radius(hardware), _height(hardware)
        scale = min(1.0, away / height)
        away = scale * (radius + height)
        things.append(_globe(hardware, scale * radius, away))
    stars = STARS_AWAY * away
    points, colours = _stars()
    things.append(
        Stars(
            "sky/stars", stars * points, colours, STAR_SIZE * stars,
            lambda at: _attitude(hardware, at),
        )
    )  # fmt: skip
    return things


def _light(hardware: Hardware, at: Moment) -> tuple[np.ndarray, float]:
    """Direction to the Sun in the scene, and how bright it is."""
    t = float(at.row[0])
    sun = sun_in_H(hardware, t)
    if sun is None:
        return USUAL_SUN, DAYLIGHT
    return sun, DAYLIGHT if is_day(hardware, t) else NIGHTLIGHT


def _attitude(hardware: Hardware, at: Moment) -> Pose:
    """N as it is turned in the scene."""
    if hardware.orbit is None:
        return HERE
    return Pose(HERE.p, quaternion(quaternion_of(hill_axes(hardware.orbit, float(at.row[0]))[0].T)))


def _globe(hardware: Hardware, radius: float, away: float) -> Globe:
    """The band of the planet that comes into sight, turning as the orbit goes round it."""
    orbit, given = hardware.orbit, hardware.scenario.mission.orbit
    assert orbit is not None
    assert given is not None
    start = hill_axes(orbit, 0.0)[0]
    seen = min(math.acos(min(1.0, radius / away)) + BEYOND_LIMB, MAX_BAND)
    vertices, faces, uv = _band(seen)

    def pose(at: Moment) -> Pose:
        R_H0H = start.T @ hill_axes(orbit, float(at.row[0]))[0]
        return Pose((-away, 0.0, 0.0), quaternion(quaternion_of(R_H0H.T)))

    name = given.attractor
    return Globe("sky/planet", radius * vertices, faces, uv, lambda: surface(name), pose)


def _band(seen: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vertices of a ball of radius one up to an angle from its x-y plane, faces, and where each is
    on the map, 0 to 1."""
    u, v = np.meshgrid(np.linspace(0.0, 1.0, COLUMNS + 1), np.linspace(0.0, 1.0, ROWS + 1))
    points = _on_ball(math.tau * u.ravel(), seen * (2.0 * v.ravel() - 1.0))
    corner = (np.arange(ROWS)[:, None] * (COLUMNS + 1) + np.arange(COLUMNS)).ravel()
    above = corner + COLUMNS + 1
    faces = np.vstack(
        [
            np.column_stack([corner, corner + 1, above + 1]),
            np.column_stack([corner, above + 1, above]),
        ]
    )
    return points, faces, np.column_stack([u.ravel(), v.ravel()])


def _on_ball(longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
    c = np.cos(latitude)
    return np.stack([c * np.cos(longitude), c * np.sin(longitude), np.sin(latitude)], axis=-1)


@cache
def surface(attractor: str) -> bytes:
    """A map of a planet as JPEG.  It is generated, not geography: the mission says nothing of
    where the Earth has its continents."""
    from PIL import Image

    rng = np.random.default_rng(7)
    if attractor == "earth":
        land = _share(_noise(rng, 1.9), 0.3, 0.5)
        cloud = _share(_noise(rng, 1.6), 0.2, 1.9)
        dry = _share(_noise(rng, 2.2), -0.5, 1.0)
        ground = (1.0 - dry) * np.array([58.0, 84.0, 48.0]) + dry * np.array([140.0, 118.0, 82.0])
        colour = (1.0 - land) * np.array([14.0, 44.0, 92.0]) + land * ground
        colour = (1.0 - 0.85 * cloud) * colour + 0.85 * cloud * np.array([190.0, 196.0, 204.0])
    else:
        colour = (118.0 + 22.0 * _noise(rng, 1.3)) * np.array([1.0, 0.98, 0.95])
    file = io.BytesIO()
    pixels = np.clip(colour, 0.0, 255.0).astype(np.uint8)
    Image.fromarray(pixels).save(file, "JPEG", quality=80)
    return file.getvalue()


def _noise(rng: np.random.Generator, slope: float) -> np.ndarray:
    """Noise (height, width, 1) of variance one that goes round without a seam, weaker by that power
    of the frequency."""
    fy = np.fft.fftfreq(MAP_HEIGHT)[:, None] * MAP_HEIGHT
    fx = np.fft.rfftfreq(MAP_WIDTH)[None, :] * MAP_HEIGHT  # pixels are square
    weight = np.maximum(np.hypot(fx, fy), LONGEST_WAVE) ** -slope
    weight[0, 0] = 0.0
    phase = np.exp(1j * rng.uniform(0.0, math.tau, weight.shape))
    found = np.fft.irfft2(weight * phase, (MAP_HEIGHT, MAP_WIDTH))
    return np.asarray(found / found.std())[..., None]


def _share(value: np.ndarray, low: float, high: float) -> np.ndarray:
    """0 below one level, 1 above the other, smooth between."""
    x = np.clip((value - low) / (high - low), 0.0, 1.0)
    return np.asarray(x * x * (3.0 - 2.0 * x))


def _stars() -> tuple[np.ndarray, np.ndarray]:
    """Directions (n, 3) and colours (n, 3): generated, most of them faint."""
    rng = np.random.default_rng(11)
    points = rng.normal(size=(STARS, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    bright = 40.0 + 215.0 * rng.uniform(size=STARS) ** 4
    warm = rng.uniform(-0.12, 0.12, STARS)
    tint = np.column_stack([1.0 + warm, np.ones(STARS), 1.0 - warm])
    return points, np.clip(bright[:, None] * tint, 0.0, 255.0).astype(np.uint8)


def _radius(hardware: Hardware) -> float:
    given = hardware.scenario.mission.orbit
    assert given is not None
    return ATTRACTORS[given.attractor].radius


def _height(hardware: Hardware) -> float:
    """Of the orbit above the planet at the start [m]."""
    assert hardware.orbit is not None
    return float(np.linalg.norm(hardware.orbit.R)) - _radius(hardware)
