"""The room of a laboratory: floor in squares, and edges whose colour says what happens in it."""

from collections.abc import Callable
from itertools import combinations, product

import numpy as np

from proxops.core.description import ShapeDescription
from proxops.viewer.pose import HERE
from proxops.viewer.poses import CELL
from proxops.viewer.scene import Colour, Label, Lines, Moment, Solid, Thing

FLOOR: Colour = (52, 58, 66)
GRID: Colour = (128, 138, 150)
SQUARE = 1.0  # of the grid on the floor [m]
TALL = 0.02  # of the floor [m]

State = Callable[[np.ndarray], tuple[str, Colour]]  # of a row: a word and a colour


def room(
    box: np.ndarray, text: Callable[[Moment], str], state: State, lights: tuple[Colour, ...]
) -> list[Thing]:
    """Floor, edges and a name.  `box` has the lowest and the highest corner (2, 3) in L [m],
    `lights` all colours that the state can have."""
    (x0, y0, z0), (x1, y1, _) = box

    def which(moment: Moment) -> int:
        return lights.index(state(moment.row)[1])

    slab = ShapeDescription(
        "box",
        (x1 - x0, y1 - y0, TALL),
        (0.5 * (x0 + x1), 0.5 * (y0 + y1), z0 - TALL),
        HERE.q,
        FLOOR,
    )
    xs, ys = (np.arange(np.ceil(a / SQUARE), b / SQUARE) * SQUARE for a, b in ((x0, x1), (y0, y1)))
    grid = [[(x, y0, z0), (x, y1, z0)] for x in xs] + [[(x0, y, z0), (x1, y, z0)] for y in ys]
    return [
        Solid("cell/floor", CELL, slab),
        Lines("cell/grid", CELL, np.array(grid), 1.0, (GRID,)),
        Lines("cell/edges", CELL, edges(box), 3.0, lights, which),
        Label("cell/label", CELL, text, np.array(list(product(*box.T)))),
    ]


def edges(box: np.ndarray) -> np.ndarray:
    """The twelve edges (12, 2, 3) of a box with those opposite corners."""
    points = [np.array(point) for point in product(*box.T)]
    pairs = [pair for pair in combinations(points, 2) if np.sum(pair[0] != pair[1]) == 1]
    return np.array(pairs)
