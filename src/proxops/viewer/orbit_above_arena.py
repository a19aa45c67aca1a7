"""Arena and orbit in one scene: the orbit stands above the vehicles that fly it, in their axes.

    X_SB = X_LH with p_LB = p_LH + λ R_LH p_HB, lifted

So each vehicle is straight below what it stands for.  The orbit is drawn λ times as large, as the
arena shows it.
"""

import math
from dataclasses import replace

import numpy as np

from proxops.viewer.arena import room_of
from proxops.viewer.cameras import Framing
from proxops.viewer.framing import held
from proxops.viewer.hardware import Flown
from proxops.viewer.orbit_above_cell import moments, side
from proxops.viewer.playback import Playback
from proxops.viewer.pose import Pose, quaternion, vector
from proxops.viewer.poses import CHASER, CRAFTS, NOMINAL, TARGET, vehicle_frame
from proxops.viewer.scene import Look, Scene

GAP = 0.5  # in the picture between vehicles and the orbit above them [m]
LIFT = math.radians(24.0)  # of the camera
AROUND = 0.2  # a vehicle, beyond its tips [m]


def stand_above_arena(flown: Flown, scene: Scene, playback: Playback, look: Look) -> Look:
    """The look with the orbit standing so far above the vehicles that neither hides the other."""
    from proxops.assembly.arena import mapping_of  # brings the autopilots with it

    mapping = mapping_of(flown.file, flown.shown)
    X_LH = Pose(vector(mapping.p_LH), quaternion(mapping.q_LH))
    scale = flown.shown.length_scale
    placed = replace(look, follow=NOMINAL, X_SM=X_LH, size=scale, near=0.0)
    away = side(playback, LIFT)
    upwards = np.array([0.0, 0.0, 1.0]) - away[2] * away  # as the picture shows it, times cos LIFT
    upwards /= np.linalg.norm(upwards)
    flying, orbit = _vehicles(flown, playback), _orbit(scene, playback, placed)
    apart = float((flying @ upwards).max() + GAP - (orbit @ upwards).min()) / math.cos(LIFT)
    x, y, z = X_LH.p
    return replace(placed, X_SM=Pose((x, y, z + max(apart, GAP)), X_LH.q))


def arena_framings(
    flown: Flown, scene: Scene, playback: Playback, look: Look
) -> dict[str, Framing]:
    """What each camera button shows of a flight; the first is the start."""
    away = side(playback, LIFT)
    flying, orbit = _vehicles(flown, playback), _orbit(scene, playback, look)
    corners = np.array(np.meshgrid(*room_of(flown).T)).reshape(3, -1).T
    shown = {
        "both": np.vstack([flying, orbit]),
        "orbit": orbit,
        "vehicles": flying,
        "arena": np.vstack([corners, orbit]),
    }
    return {
        name: Framing(points, 0.0, np.zeros((1, 3)), away, NOMINAL, away)
        for name, points in shown.items()
    }


def _orbit(scene: Scene, playback: Playback, look: Look) -> np.ndarray:
    """Points (n, 3) of both spacecraft during the run, in the scene [m]."""
    return np.vstack([held(scene, playback, look, craft, NOMINAL) for craft in (CHASER, TARGET)])


def _vehicles(flown: Flown, playback: Playback) -> np.ndarray:
    """Points (n, 3) that hold both vehicles during the run, in L [m]."""
    seen = moments(playback, Look(follow=NOMINAL))
    places = np.array([poses[vehicle_frame(craft)].p for poses in seen for craft in CRAFTS])
    reach = 0.5 * flown.file.vehicle.tips_m + AROUND
    return np.vstack([places - reach, places + reach])
