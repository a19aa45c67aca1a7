"""The shapes of both spacecraft as the table that kernels read."""

import numpy as np

from proxops.core.description import CraftDescription, ShapeDescription
from proxops.core.frame import Frame, frame
from proxops.plant import clearance as of
from proxops.plant.mounting import bodies_of, seat_of

HERE = Frame(np.eye(3), np.zeros(3))


def outline(chaser: CraftDescription, target: CraftDescription) -> np.ndarray:
    """Rows of Ports.shapes; none unless both spacecraft have shapes."""
    rows = []
    if chaser.shapes and target.shapes:
        bodies, seats = (
            bodies_of(chaser),
            {each.name: seat_of(chaser, each) for each in chaser.arms},
        )
        for each in chaser.shapes:
            if not each.arm:
                rows.append(_row(0, each.shape))
            elif each.joint == 0:
                rows.append(_row(bodies[each.arm][0], each.shape, seats[each.arm]))
            else:
                rows.append(_row(bodies[each.arm][each.joint], each.shape))
        rows += [_row(of.ON_TARGET, each.shape) for each in target.shapes]
    return np.array(rows).reshape(-1, of.SHAPE_WIDTH)


def _row(body: float, shape: ShapeDescription, seat: Frame = HERE) -> np.ndarray:
    half, disc, ball = solid(shape)
    X = seat @ frame(shape.p, shape.q)
    row = np.zeros(of.SHAPE_WIDTH)
    row[of.BODY] = body
    row[of.HALF : of.HALF + 3] = half
    row[of.DISC], row[of.BALL] = disc, ball
    row[of.REACH] = np.linalg.norm(half) + disc + ball
    row[of.ROTATION : of.ROTATION + 9] = X.R.ravel()
    row[of.CENTRE : of.CENTRE + 3] = X.p
    return row


def solid(shape: ShapeDescription) -> tuple[np.ndarray, float, float]:
    """Half lengths of a box, radius of a disc across z, radius of a ball, whose sum it is [m]."""
    if shape.kind == "sphere":
        return np.zeros(3), 0.0, shape.size[0]
    if shape.kind == "cylinder":
        return np.array([0.0, 0.0, 0.5 * shape.size[2]]), shape.size[0], 0.0
    return 0.5 * np.array(shape.size), 0.0, 0.0
