"""The shapes of both spacecraft as the tables that kernels read."""

import math

import numpy as np

from proxops.core.description import CraftDescription, ShapeDescription, SolidDescription
from proxops.core.frame import Frame, frame
from proxops.physics.multibody import tree as at
from proxops.plant import clearance as of
from proxops.plant.clearance import Outline
from proxops.plant.declared_contacts import meant_to_touch
from proxops.plant.model import Plant
from proxops.plant.mounting import bodies_of, seat_of

HERE = Frame(np.eye(3), np.zeros(3))
FAR_M = 1e3  # taken as the stroke of a sliding joint without stops [m]
BENT = 1.1  # of its length, how far a bent appendage reaches at most: modes are for less


def no_outline() -> Outline:
    """Of spacecraft without shapes."""
    return Outline(
        np.zeros((0, of.SHAPE_WIDTH)),
        np.zeros((0, 0)),
        np.zeros((0, 0), dtype=np.int64),
        np.zeros((0, 3), dtype=np.int64),
        np.zeros(0),
    )


def outline(chaser: CraftDescription, target: CraftDescription, plant: Plant) -> Outline:
    """The shapes, and which of them the plant's contacts and holds bring together; none unless both
    spacecraft have shapes."""
    if not chaser.shapes or not target.shapes:
        return no_outline()
    bodies = bodies_of(chaser)
    seats = {each.name: seat_of(chaser, each) for each in chaser.arms}
    parts = part_names(chaser, target)
    solids = [*chaser.shapes, *target.shapes]
    rows = np.zeros((len(solids), of.SHAPE_WIDTH))
    for row, each in zip(rows, chaser.shapes, strict=False):
        seat = seats[each.arm] if each.arm and each.joint == 0 else HERE
        _fill(row, bodies[each.arm][each.joint], each.shape, seat)
    for row, each in zip(rows[len(chaser.shapes) :], target.shapes, strict=True):
        _fill(row, of.ON_TARGET, each.shape)
    rows[:, of.PART] = [parts.index(each.part) for each in solids]
    rows[:, of.BENDS] = [float(bool(each.appendage)) for each in solids]
    max_modes = max(_mode_count(chaser), _mode_count(target))
    bends = np.zeros((len(solids), 3 * max_modes))
    for number, each in enumerate(solids):
        craft = chaser if number < len(chaser.shapes) else target
        bends[number] = _bends(craft, each, max_modes)
    meant, joins = meant_to_touch(rows, plant.contacts, plant.holds)
    return Outline(rows, bends, meant, joins, _closing(rows, bends, plant))


def part_names(chaser: CraftDescription, target: CraftDescription) -> list[str]:
    """What the numbers of parts stand for."""
    return list(dict.fromkeys(each.part for each in (*chaser.shapes, *target.shapes)))


def _mode_count(craft: CraftDescription) -> int:
    return sum(len(each.modes) for each in craft.appendages)


def _bends(craft: CraftDescription, solid: SolidDescription, max_modes: int) -> np.ndarray:
    """By how much the centre of a shape moves, per unit of η of each mode (3 most,) [1/√kg]."""
    moves, first = np.zeros((max_modes, 3)), 0
    for each in craft.appendages:
        modes = len(each.modes)
        if each.name == solid.appendage:
            per_eta = np.array([mode.per_eta for mode in each.modes])
            moves[first : first + modes] = per_eta[:, None] * np.array(solid.bends)
        first += modes
    return moves.ravel()


def _fill(row: np.ndarray, body: float, shape: ShapeDescription, seat: Frame = HERE) -> None:
    half, disc, ball = solid(shape)
    X = seat @ frame(shape.p, shape.q)
    row[of.BODY] = body
    row[of.HALF : of.HALF + 3] = half
    row[of.DISC], row[of.BALL] = disc, ball
    row[of.REACH] = np.linalg.norm(half) + disc + ball
    row[of.ROTATION : of.ROTATION + 9] = X.R.ravel()
    row[of.CENTRE : of.CENTRE + 3] = X.p


def solid(shape: ShapeDescription) -> tuple[np.ndarray, float, float]:
    """Half lengths of a box, radius of a disc across z, radius of a ball, whose sum it is [m]."""
    if shape.kind == "sphere":
        return np.zeros(3), 0.0, shape.size[0]
    if shape.kind == "cylinder":
        return np.array([0.0, 0.0, 0.5 * shape.size[2]]), shape.size[0], 0.0
    return 0.5 * np.array(shape.size), 0.0, 0.0


def _closing(rows: np.ndarray, bends: np.ndarray, plant: Plant) -> np.ndarray:
    """Entries of Outline.closing."""
    on_target = rows[:, of.BODY] == of.ON_TARGET
    reaches = np.linalg.norm(rows[:, of.CENTRE : of.CENTRE + 3], axis=1) + rows[:, of.REACH]
    reaches = np.where(rows[:, of.BENDS] == 1.0, BENT * reaches, reaches)
    moves = np.linalg.norm(bends.reshape(len(rows), -1, 3), axis=2)
    own, others = (
        moves[where].max(axis=0, initial=0.0)[: len(modes) - 1]
        for where, modes in ((~on_target, plant.chaser_modes), (on_target, plant.target_modes))
    )
    joints = _carried(rows[~on_target], reaches[~on_target], plant)
    return np.concatenate([[reaches[on_target].max()], joints, own, others])


def _carried(rows: np.ndarray, reaches: np.ndarray, plant: Plant) -> np.ndarray:
    """How far what a joint carries reaches from it, in any posture [m]; 1 for a sliding joint, 0
    for one that carries no shapes."""
    bodies, joints = plant.chaser, plant.chaser_topology
    reach = np.full(len(bodies), -math.inf)
    for body in range(len(bodies)):
        reach[body] = reaches[rows[:, of.BODY] == body].max(initial=-math.inf)
    for body in range(len(bodies) - 1, 0, -1):  # a parent's number is lower
        row, parent = bodies[body], joints[body - 1, at.PARENT]
        away = float(np.linalg.norm(row[at.OFFSET : at.OFFSET + 3]))
        if joints[body - 1, at.KIND] == at.PRISMATIC:
            away += min(max(abs(row[at.LOWER]), abs(row[at.UPPER])), FAR_M)
        reach[parent] = max(reach[parent], away + reach[body])
    carried = np.maximum(reach[1:], 0.0)
    slides = (joints[:, at.KIND] == at.PRISMATIC) & (reach[1:] > -math.inf)
    return np.where(slides, 1.0, carried)
