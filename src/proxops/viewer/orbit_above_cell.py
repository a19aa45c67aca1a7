"""Cell and orbit in one scene: the orbit stands above the cell, seen from the nominal motion.

That is how the lab shows it, X_LB = X_LM X_MB, so that everything in the cell is straight below
what it stands for, turned alike; or straight to its left, where that is nearer.
"""

import math
from dataclasses import replace

import numpy as np

from proxops.assembly.facility import start_pose
from proxops.viewer.cameras import Framing
from proxops.viewer.cell import sides, tip
from proxops.viewer.framing import AROUND_ARM, held
from proxops.viewer.hardware import Hardware, Rehearsed
from proxops.viewer.playback import Playback
from proxops.viewer.pose import Pose, pose_of, vector
from proxops.viewer.poses import (
    CELL_CHASER,
    CELL_TARGET,
    CHASER,
    IN_CELL,
    NOMINAL,
    TARGET,
    Poses,
)
from proxops.viewer.scene import Look, Scene, seen_from

GAP = 0.4  # between the cell's top and what is lowest above it [m]
AROUND = 1.0  # what is shown around mock-ups that no robots carry [m]
THICK = 0.35  # of a robot around its frames [m]
LIFT, ASIDE = math.radians(16.0), math.radians(-22.0)  # of the camera, from straight across
SAMPLES = 24  # instants at which a lab is looked at


def stand_above(
    hardware: Hardware, cell: Rehearsed, scene: Scene, playback: Playback, look: Look
) -> Look:
    """The look with the orbit standing just above the cell."""
    X_LM = start_pose(cell.facility, hardware.scenario)
    placed = replace(look, follow=NOMINAL, X_SM=pose_of(X_LM.R, X_LM.p), size=1.0, near=0.0)
    orbit, machines = _orbit(scene, playback, placed), _cell_points(hardware, cell, playback)
    shifts = []
    for direction in (np.array([0.0, 0.0, 1.0]), _right(side(playback))):
        apart = float((machines @ direction).max() + GAP - (orbit @ direction).min())
        shifts.append(max(apart, GAP) * direction)
    x, y, z = min(shifts, key=lambda direction: float(np.linalg.norm(direction))) + placed.X_SM.p
    return replace(placed, X_SM=Pose((float(x), float(y), float(z)), placed.X_SM.q))


def cell_framings(
    hardware: Hardware, scene: Scene, playback: Playback, look: Look
) -> dict[str, Framing]:
    """What each camera button shows of a rehearsal; the first is the start."""
    away = side(playback)
    machines = _machines(hardware, playback)
    chaser = held(scene, playback, look, CHASER, NOMINAL)
    target = held(scene, playback, look, TARGET, NOMINAL)
    # of a large target, what is above the cell
    near = np.vstack([machines - THICK, machines + THICK, chaser])
    low, high = near.min(axis=0), near.max(axis=0)
    both = np.vstack([near, np.clip(target, low, high)])
    found = {
        "both": _framing(both, away),
        "orbit": _framing(np.vstack([chaser, target]), away),
        "cell": _framing(machines, away, THICK),
    }
    for name, *hubs in (("contact", CHASER, TARGET), ("cell contact", CELL_CHASER, CELL_TARGET)):
        ends = _ends(tip(hardware, *hubs), moments(playback, look))
        found[name] = _framing(ends, away, AROUND_ARM)
    return found


def _framing(points: np.ndarray, away: np.ndarray, margin: float = 0.0) -> Framing:
    return Framing(points, margin, np.zeros((1, 3)), away, NOMINAL, away)


def _orbit(scene: Scene, playback: Playback, look: Look) -> np.ndarray:
    """Points (n, 3) of both spacecraft during the run."""
    return np.vstack([held(scene, playback, look, craft, NOMINAL) for craft in (CHASER, TARGET)])


def _cell_points(hardware: Hardware, cell: Rehearsed, playback: Playback) -> np.ndarray:
    """Points (n, 3) that hold the cell, in L [m]."""
    box = sides(cell)
    if box is not None:
        return np.array(np.meshgrid(*box.T)).reshape(3, -1).T
    machines = _machines(hardware, playback)
    return np.vstack([machines - AROUND, machines + AROUND])


def _machines(hardware: Hardware, playback: Playback) -> np.ndarray:
    """Where robots, mock-ups, the arm and what touches are during the run, in L (n, 3) [m]."""
    carried = (f"{IN_CELL}robots/", f"{CELL_CHASER}/")
    then = moments(playback, Look(follow=NOMINAL))
    links = [pose.p for seen in then for name, pose in seen.items() if name.startswith(carried)]
    ends = _ends(tip(hardware, CELL_CHASER, CELL_TARGET), then)
    return np.vstack([ends, *np.reshape(links, (-1, 3))])


def _ends(tip: tuple[str, np.ndarray], then: list[Poses]) -> np.ndarray:
    """Where the points of a frame are at those instants (n, 3) [m]."""
    frame, points = tip
    return np.array([seen[frame].act(vector(point)) for seen in then for point in points])


def moments(playback: Playback, look: Look) -> list[Poses]:
    """Every frame in the scene, at instants of the run."""
    return [
        seen_from(playback.at(float(t))[1], look) for t in np.linspace(0.0, playback.end, SAMPLES)
    ]


def side(playback: Playback, lift: float = LIFT) -> np.ndarray:
    """From where to look: the chaser to the left, the target to the right, a little from above."""
    poses = playback.at(0.0)[1]
    x, y, z = np.subtract(poses[CELL_TARGET].p, poses[CELL_CHASER].p)
    if math.hypot(x, y) < abs(z):  # one above the other: any side does
        x, y = 1.0, 0.0
    along = math.atan2(y, x) - 0.5 * math.pi + ASIDE
    level = math.cos(lift)
    return np.array([level * math.cos(along), level * math.sin(along), math.sin(lift)])


def _right(away: np.ndarray) -> np.ndarray:
    """The level direction to the right of a picture taken from there."""
    right = np.array([-away[1], away[0], 0.0])
    return np.asarray(right / np.linalg.norm(right))
