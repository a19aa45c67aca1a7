"""The largest forces and torques since the last row, at every turn of the loop.

What rises and falls between two rows would otherwise be missed.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part
from proxops.core.spatial.vector import get3, norm
from proxops.plant.holds import hold_count
from proxops.plant.model import Plant
from proxops.plant.observe_interface import put_forces
from proxops.plant.observe_wrist import touches


class Peaks(NamedTuple):
    """Magnitudes."""

    touching: np.ndarray  # force of each contact [N]; of each hold force [N] and torque [N m]
    motors: np.ndarray  # of each joint [N m or N]
    now: np.ndarray  # room for what contacts and holds do at an instant
    impulse: np.ndarray  # of each thruster as of the last row [N s]; then when that was [s]


def none_yet(plant: Plant, contacts: int, joints: int, thrusters: int) -> Peaks:
    """Nothing has pushed; the plant has so many contacts."""
    holds = len(plant.holds)
    return Peaks(
        np.zeros(contacts + 2 * holds),
        np.zeros(joints),
        np.zeros(3 * contacts + 6 * holds),
        np.zeros(thrusters + 1),
    )


@helper
def update_peak(peak, i, value):
    """Keeps the larger."""
    peak[i] = max(peak[i], value)


@part
def note_touching(plant, y, scratch, peaks):
    """Notes forces and torques of contacts and holds; the kinematics of both spacecraft must be in
    `scratch`, as a step leaves them."""
    if not touches(plant, y):
        return
    put_forces(plant, y, scratch, peaks.now)
    pairs = 2 * hold_count(plant)
    contacts = peaks.touching.shape[0] - pairs
    for i in range(contacts):
        update_peak(peaks.touching, i, norm(get3(peaks.now, 3 * i)))
    for i in range(contacts, contacts + pairs):
        update_peak(peaks.touching, i, norm(get3(peaks.now, 3 * i)))


@part
def note_motors(applied, peaks):
    """Notes what motors give."""
    for joint in range(applied.shape[0]):
        update_peak(peaks.motors, joint, abs(applied[joint]))


@part
def hand_out(peak, count, row, end):
    """Writes the first so many peaks into a row and begins anew; returns the next free place."""
    for i in range(peak.shape[0]):
        if i < count:
            row[end + i] = peak[i]
        peak[i] = 0.0
    return end + count
