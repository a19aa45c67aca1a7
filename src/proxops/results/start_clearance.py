"""How far apart both spacecraft are as a mission begins."""

import numpy as np

from proxops.assembly.build import Built
from proxops.assembly.start_poses import Start
from proxops.core.frame import Frame
from proxops.facility.robot_cell.arms import arm_frames
from proxops.plant import clearance as of
from proxops.plant.mounting import bodies_of
from proxops.plant.pair_clearance import least_gaps


def clearance_of(built: Built, start: Start) -> float | None:
    """Least distance between the shapes of both, appendages undeflected [m]; negative where they
    overlap, None unless both have shapes."""
    shapes = built.ports.outline.shapes.copy()
    if not len(shapes):
        return None
    bodies, frames = bodies_of(built.chaser), arm_frames(built.chaser.arms)
    last = len(built.plant.chaser)
    places = [Frame(np.eye(3), np.zeros(3))] * last + [start.X_CT]
    for name, own in frames.items():
        for body, X in zip(bodies[name][1:], own[1:], strict=False):  # E is no body
            places[body] = X
    on_target = shapes[:, of.BODY] == of.ON_TARGET
    shapes[on_target, of.BODY] = last
    pairs = np.array(
        [(a, b) for a in np.flatnonzero(~on_target) for b in np.flatnonzero(on_target)]
    )
    gaps, where = np.zeros(len(pairs)), np.zeros(len(pairs), dtype=np.int64)
    R = np.array([[X.R.ravel() for X in places]])
    least_gaps(shapes, pairs, R, np.array([[X.p for X in places]]), gaps, where)
    return float(gaps.min())
