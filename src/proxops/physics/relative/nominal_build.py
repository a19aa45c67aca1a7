"""Nominal motions out of descriptions."""

import numpy as np

from proxops.core.description import RigidInertia
from proxops.core.errors import InputError
from proxops.physics.multibody.tree import TOPOLOGY_WIDTH, Tree, body_row
from proxops.physics.orbit.reference import ORBIT_WIDTH
from proxops.physics.relative.motion import Q
from proxops.physics.relative.nominal import Nominal
from proxops.physics.relative.samples import SAMPLE_WIDTH, TIME

UNIT = 1e-6  # how far from one the length of a quaternion in data may be


def free(body: RigidInertia, orbit: np.ndarray | None = None) -> Nominal:
    """Unforced motion of a rigid body, given in its own frame; its state starts where the caller
    puts it."""
    tree = Tree(body_row(body)[np.newaxis], np.zeros((0, TOPOLOGY_WIDTH), dtype=np.int64))
    sky = np.zeros(ORBIT_WIDTH) if orbit is None else orbit
    return Nominal(tree, sky, np.zeros((0, SAMPLE_WIDTH)))


def from_samples(samples: np.ndarray, orbit: np.ndarray | None = None) -> Nominal:
    """Motion through samples, rows as in `samples`; a single one is motion at a constant rate.

    Attitude is interpolated the short way round: less than half a turn between samples.  The orbit
    is that of the bodies shown; it does not change the samples.
    """
    table = np.array(samples, dtype=float)
    if table.ndim != 2 or table.shape[1] != SAMPLE_WIDTH or not len(table):
        raise InputError(
            f"samples of a nominal motion: found shape {table.shape}, need (n, {SAMPLE_WIDTH}) "
            "with n >= 1"
        )
    if not np.isfinite(table).all():
        row = int(np.flatnonzero(~np.isfinite(table).all(axis=1))[0])
        raise InputError(f"samples of a nominal motion: row {row} has a number that is not finite")
    late = np.flatnonzero(np.diff(table[:, TIME]) <= 0.0)
    if late.size:
        raise InputError(f"samples of a nominal motion: time does not grow after row {late[0]}")
    length = np.linalg.norm(table[:, Q : Q + 4], axis=1)
    off = np.flatnonzero(np.abs(length - 1.0) > UNIT)
    if off.size:
        raise InputError(
            f"samples of a nominal motion: the quaternion of row {off[0]} has length "
            f"{length[off[0]]:g}, not 1"
        )
    table[:, Q : Q + 4] /= length[:, np.newaxis]
    still = RigidInertia(1.0, np.zeros(3), np.eye(3))
    return free(still, orbit)._replace(samples=table)
