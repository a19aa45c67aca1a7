"""From how far an arm can grasp: where flying ends and the arm's work begins."""

from dataclasses import dataclass

import numpy as np

from proxops.arm_paths.arm import Arm, effector_jacobian, effector_pose, ranges
from proxops.arm_paths.inverse_kinematics import null_space, pose_error, reach_from
from proxops.arm_paths.path import turn_by
from proxops.arm_paths.singularity import best_posture, singular_values
from proxops.core.frame import Frame, z_onto
from proxops.physics.multibody.tree import Tree
from proxops.plant.mobility import centre_of_mass

_SEEDS = 16  # postures from which a pose is looked for
_CLIMBS = 12  # steps along the self-motions to the posture that is farthest from singular ones
_WITHIN = 1e-4  # [m] to which the distance is found


@dataclass(frozen=True)
class Grapple:
    """Where a target is grasped, in its frame T."""

    X_TE: Frame  # the end effector when it grasps
    com: np.ndarray  # p_TTcm, the target's centre of mass (3,) [m]


@dataclass(frozen=True)
class SwitchRadius:
    """The largest distance of the two centres of mass at which the arm can grasp."""

    distance: float  # whatever the target's roll about the line of centres [m]
    distances: np.ndarray  # for each roll [m]; nan where the arm cannot grasp at all
    rolls: np.ndarray  # [rad]
    postures: np.ndarray  # joints then (rolls, n) [rad or m]
    required: float  # smallest singular value that was kept, see `singularity`
    best: float  # largest that the arm has anywhere


def switch_radius(
    arm: Arm,
    tree: Tree,
    others: np.ndarray,
    grapple: Grapple,
    direction: np.ndarray,
    *,
    share: float,
    rolls: int = 4,
) -> SwitchRadius:
    """The target's centre of mass stands off the hub's origin along `direction` (C, unit), the
    grapple towards it on the line of centres, the target rolled about that line in any way.  The
    arm keeps its smallest singular value at `share` of its best or more.

    `others` (all joints of the chaser's tree) is where the joints of other arms stay; the chaser's
    centre of mass moves with the arm.
    """
    _, best = best_posture(arm)
    angles = 2.0 * np.pi * np.arange(rolls) / rolls
    distances, postures = np.full(rolls, np.nan), np.zeros((rolls, len(arm.joints)))
    for number, angle in enumerate(angles):
        line = _StandOff(grapple, direction, float(angle))
        found = _farthest(arm, line, share * best)
        if found is not None:
            r, q = found
            full = others.copy()
            full[arm.first : arm.first + len(q)] = q
            apart = r * direction - centre_of_mass(tree, full)
            distances[number], postures[number] = np.linalg.norm(apart), q
    least = float(distances.min()) if np.isfinite(distances).all() else float("nan")
    return SwitchRadius(least, distances, angles, postures, share * best, best)


class _StandOff:
    """Poses of a target that stands off along a line."""

    def __init__(self, grapple: Grapple, direction: np.ndarray, roll: float) -> None:
        outwards = grapple.X_TE.p - grapple.com
        towards = outwards / np.linalg.norm(outwards)
        R_TF, R_CF = z_onto(towards), z_onto(-direction)  # z of F: from target to chaser
        R_CT = R_CF @ turn_by(np.array([0.0, 0.0, roll])) @ R_TF.T
        self.direction = direction
        self.X = Frame(R_CT, -R_CT @ grapple.com) @ grapple.X_TE  # of E, the centre at C's origin

    def pose(self, r: float) -> Frame:
        """X_CE with the target's centre of mass r [m] from C's origin."""
        return Frame(self.X.R, self.X.p + r * self.direction)

    def farthest(self, arm: Arm) -> float:
        """No arm of this reach grasps from farther away [m]."""
        root = float(np.linalg.norm(arm.p_PJ[0]))
        return root + arm.reach + float(np.linalg.norm(self.X.p))


def _farthest(arm: Arm, line: _StandOff, required: float) -> tuple[float, np.ndarray] | None:
    """The largest distance from C's origin [m] with that singular value, and the joints there."""
    rng, (middle, half) = np.random.default_rng(0), ranges(arm)
    seeds = middle + half * rng.uniform(-1.0, 1.0, (_SEEDS, len(middle)))
    far, step = line.farthest(arm), arm.reach / 6.0
    near, q = far, None
    while q is None:
        near -= step
        if near < -far:
            return None
        q = _grasps(arm, line.pose(near), required, seeds)
    beyond = near + step
    while beyond - near > _WITHIN:
        r = 0.5 * (near + beyond)
        farther = _grasps(arm, line.pose(r), required, np.vstack([q, seeds[:1]]))
        if farther is None:
            beyond = r
        else:
            near, q = r, farther
    return near, q


def _grasps(arm: Arm, X_CE: Frame, required: float, seeds: np.ndarray) -> np.ndarray | None:
    """Joints with which E is at X_CE and the singular value is as required; None if no seed leads
    to any."""
    p_JE = X_CE.p - arm.p_PJ[0]  # from the first joint
    if not arm.prismatic.any() and np.linalg.norm(p_JE) > arm.reach:
        return None
    for seed in seeds:
        found = reach_from(arm, X_CE, np.clip(seed, arm.lower, arm.upper))
        if found.reached:
            q = _climb(arm, X_CE, found.q, required)
            if _least(arm, q) >= required:
                return q
    return None


def _least(arm: Arm, q: np.ndarray) -> float:
    return float(singular_values(arm, q[None])[0, -1])


def _climb(arm: Arm, X_CE: Frame, q: np.ndarray, enough: float) -> np.ndarray:
    """The same pose along self-motions, until the smallest singular value is enough or rises no
    more."""
    length, value = 0.2, _least(arm, q)
    for _ in range(_CLIMBS):
        if value >= enough:
            break
        moves = null_space(effector_jacobian(arm, q[None])[0]).T
        trials = [_corrected(arm, X_CE, q + side * length * z) for z in moves for side in (1, -1)]
        kept = [(_least(arm, trial), trial) for trial in trials if trial is not None]
        top, trial = max(kept, key=lambda each: each[0], default=(-1.0, q))
        if top > value:
            q, value = trial, top
        else:
            length *= 0.5
    return q


def _corrected(arm: Arm, X_CE: Frame, q: np.ndarray) -> np.ndarray | None:
    """The posture next to q with E at X_CE; None where that is beyond a stop."""
    for _ in range(4):
        e = pose_error(effector_pose(arm, q), X_CE)
        q = q + np.linalg.lstsq(effector_jacobian(arm, q[None])[0], e, rcond=1e-9)[0]
    within = np.all((q >= arm.lower) & (q <= arm.upper))
    close = np.linalg.norm(pose_error(effector_pose(arm, q), X_CE)) <= 1e-9
    return q if within and close else None
