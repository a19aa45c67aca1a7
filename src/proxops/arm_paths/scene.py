"""What an arm and what it carries must stay clear of, by the shapes of a scenario."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from proxops.arm_paths.arm import Arm, joint_frames
from proxops.core.description import CraftDescription, SolidDescription
from proxops.core.frame import Frame
from proxops.physics.multibody.tree import Tree
from proxops.plant import clearance as of
from proxops.plant.clearance import Outline
from proxops.plant.mobility import stance
from proxops.plant.model import Plant
from proxops.plant.mounting import bodies_of
from proxops.plant.pair_clearance import least_gaps

Parts = frozenset[str]  # two of them, by their paths in the scenario


@dataclass(frozen=True)
class Scene:
    """Shapes on the frames of an arm (0 is C, i that of joint i) and the pairs of them that may
    meet."""

    shapes: np.ndarray  # rows as of an Outline, their BODY the number of a frame
    parts: tuple[str, ...]  # that each belongs to
    pairs: np.ndarray  # (k, 2) rows of shapes
    within_arm: np.ndarray  # (k,) whether both belong to the arm or its hand
    joint_reach: np.ndarray  # (n,) how far what joint i moves reaches from it [m]; 1 if it slides


def meant_pairs(
    outline: Outline, chaser: CraftDescription, target: CraftDescription
) -> frozenset[Parts]:
    """Parts of chaser and target that a declared contact or hold brings together."""
    names = [each.part for each in (*chaser.shapes, *target.shapes)]
    joined = zip(*np.nonzero(outline.meant), strict=True)
    return frozenset(frozenset((names[own], names[other])) for own, other in joined)


def scene_of(
    arm: Arm,
    plant: Plant,
    outline: Outline,
    chaser: CraftDescription,
    target: CraftDescription,
    *,
    held: Frame | None = None,
    standing: Frame | None = None,
    may_touch: Collection[Parts] = (),
) -> Scene:
    """Shapes of the chaser, and of the target where it is `held` (X_ET) or stands still in C
    (`standing`, X_CT), appendages unbent.  Without both, the chaser alone.  `arm` ends in E here,
    not in a frame that it holds.  No shapes, and nothing to meet, unless both spacecraft have some.

    Pairs that do not move against each other are left out: the hub's own, the hand's, and hand and
    last link against what they hold.  So are links with one joint between them, the hand being part
    of the last, and `may_touch`.
    """
    frames = _frames(arm, chaser)
    q = np.concatenate([np.zeros(0), *(mounted.q for mounted in chaser.jointed)])
    here = stance(Tree(plant.chaser, plant.chaser_topology), q)
    X_J = [Frame(here.R[body], here.p[body]) for body in _bodies(arm, chaser)]
    solids = [*chaser.shapes, *target.shapes]
    rows, kept = outline.shapes.copy(), []
    for number, row in enumerate(rows):
        if row[of.BODY] == of.ON_TARGET:
            if standing is not None:
                frame, X = 0, standing
            elif held is not None:
                frame, X = len(arm.joints), arm.X_JE @ held
            else:
                continue
        else:
            body = int(row[of.BODY])
            frame = frames[body]
            X = X_J[frame].inverse() @ Frame(here.R[body], here.p[body])
        _place(row, frame, X)
        kept.append(number)
    rows, solids = rows[kept], [solids[number] for number in kept]
    parts = tuple(each.part for each in solids)
    links = np.array([_is_link(arm, chaser, each) for each in solids], dtype=bool)
    pairs = _pairs(rows, parts, links, may_touch)
    return Scene(rows, parts, pairs, links[pairs].all(axis=1), _joint_reach(arm, rows))


def _bodies(arm: Arm, chaser: CraftDescription) -> list[int]:
    """Bodies of the chaser on which the arm's frames stand: the hub, then its links."""
    return [0, *bodies_of(chaser)[arm.name][1:]]


def _frames(arm: Arm, chaser: CraftDescription) -> dict[int, int]:
    """The arm's frame with which each body of the chaser moves: its links, what is mounted on the
    last, and C for all others."""
    bodies = bodies_of(chaser)
    found = {body: 0 for each in bodies.values() for body in each}
    found |= {body: number for number, body in enumerate(_bodies(arm, chaser))}
    carried = {arm.name}
    for mounted in chaser.arms:
        if mounted.mounted_on in carried:
            carried.add(mounted.name)
            found |= {body: len(arm.joints) for body in bodies[mounted.name][1:]}
    return found


def _place(row: np.ndarray, frame: int, X: Frame) -> None:
    """Gives a shape's row, which is in some body's frame, to the arm's frame, in which X is that
    body's."""
    R = row[of.ROTATION : of.ROTATION + 9].reshape(3, 3)
    centre = row[of.CENTRE : of.CENTRE + 3].copy()
    row[of.BODY] = frame
    row[of.ROTATION : of.ROTATION + 9] = (X.R @ R).ravel()
    row[of.CENTRE : of.CENTRE + 3] = X.p + X.R @ centre


def _is_link(arm: Arm, chaser: CraftDescription, solid: SolidDescription) -> bool:
    """Whether a shape belongs to the arm, or to one that is mounted on it."""
    name = solid.arm
    while name and name != arm.name:
        name = next(each.mounted_on for each in chaser.arms if each.name == name)
    return name == arm.name


def _pairs(
    rows: np.ndarray, parts: tuple[str, ...], links: np.ndarray, may_touch: Collection[Parts]
) -> np.ndarray:
    frames = rows[:, of.BODY].astype(int)
    found = [
        (one, other)
        for one in range(len(rows))
        for other in range(one + 1, len(rows))
        if abs(frames[one] - frames[other]) > (1 if links[one] and links[other] else 0)
        and frozenset((parts[one], parts[other])) not in may_touch
    ]
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _joint_reach(arm: Arm, rows: np.ndarray) -> np.ndarray:
    """Beyond each joint: the links between in one line, and the shapes that stand out farthest."""
    reach = np.zeros(len(arm.joints))
    farther = 0.0
    for i in range(len(arm.joints) - 1, -1, -1):
        own = rows[rows[:, of.BODY] == i + 1]
        out = np.linalg.norm(own[:, of.CENTRE : of.CENTRE + 3], axis=1) + own[:, of.REACH]
        farther = max(farther, float(out.max(initial=0.0)))
        reach[i] = 1.0 if arm.prismatic[i] else farther
        farther += float(np.linalg.norm(arm.p_PJ[i]))
        if arm.prismatic[i]:
            stroke = max(abs(float(arm.lower[i])), abs(float(arm.upper[i])))
            farther += min(stroke, 1e3)  # without stops: as far as shapes are ever apart
    return reach


def pair_gaps(arm: Arm, scene: Scene, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each pair the least distance over rows q (m, n) [m], minus the overlap where they meet,
    and the number of that row."""
    R, p = joint_frames(arm, q)
    gaps, where = np.empty(len(scene.pairs)), np.empty(len(scene.pairs), dtype=np.int64)
    flat = np.ascontiguousarray(R.reshape(*R.shape[:2], 9))
    least_gaps(scene.shapes, scene.pairs, flat, p, gaps, where)
    return gaps, where
