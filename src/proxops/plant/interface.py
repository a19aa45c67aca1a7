"""Contacts and holds as the tables that kernels read, with the steps that they need."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from proxops.core.description import ContactDescription, CraftDescription, HoldDescription
from proxops.core.frame import Frame, cross, quaternion_of
from proxops.physics.contact.normal import HUNT_CROSSLEY
from proxops.physics.multibody import tree as columns
from proxops.physics.multibody.tree import Tree
from proxops.plant import contact_array as contact
from proxops.plant import hold_array as hold
from proxops.plant.mobility import Stance, mobility, stance
from proxops.plant.mounting import bodies_of, seat_of
from proxops.plant.step_length import PACE


def interface(
    chaser: CraftDescription,
    seen: "Pair",
    contacts: Sequence[ContactDescription],
    holds: Sequence[HoldDescription],
) -> tuple[np.ndarray, np.ndarray]:
    """The tables of contacts and of holds."""
    rows = [row for group, each in enumerate(contacts) for row in _rows(chaser, each, group)]
    held = [_hold_row(chaser, each) for each in holds]
    depths = [each.depth for each in contacts for _ in each.pads]
    table = np.array(rows).reshape(-1, contact.CONTACT_WIDTH)
    hold_table = np.array(held).reshape(-1, hold.HOLD_WIDTH)
    points = [_held_point(row, each, seen) for row, each in zip(hold_table, holds, strict=True)]
    _pace(table, hold_table, (depths, points), seen)
    return table, hold_table


def _carrier(chaser: CraftDescription, arm: str) -> tuple[int, np.ndarray, np.ndarray]:
    """Number of the chaser body that a name means, and the user's frame in the body's."""
    if not arm:
        return 0, np.eye(3), np.zeros(3)
    for mounted in chaser.arms:
        if mounted.name == arm:
            X_BE = Frame(mounted.arm.R_JE, mounted.arm.p_JE)
            if not mounted.arm.joints:  # a fixed mast: its end effector is on what carries it
                X_BE = seat_of(chaser, mounted) @ X_BE
            return bodies_of(chaser)[arm][-1], X_BE.R, X_BE.p
    raise KeyError(arm)


def _rows(chaser: CraftDescription, given: ContactDescription, group: int) -> Iterable[np.ndarray]:
    body, R, p = _carrier(chaser, given.arm)
    here = (np.eye(3), np.zeros(3))
    pad_frame, face_frame = ((R, p), here) if given.pads_on_chaser else (here, (R, p))
    kind = contact.PAD_ON_TARGET if given.pads_on_chaser else contact.PAD_ON_CHASER
    if given.ball_radius > 0.0:
        kind = contact.BALLS
    for pad in given.pads:
        row = np.zeros(contact.CONTACT_WIDTH)
        row[contact.KIND] = kind
        row[contact.BODY] = body
        row[contact.GROUP] = group
        row[contact.PAD : contact.PAD + 3] = pad_frame[1] + pad_frame[0] @ pad
        row[contact.RADIUS] = given.radius
        row[contact.FACE : contact.FACE + 3] = face_frame[1] + face_frame[0] @ given.centre
        row[contact.NORMAL : contact.NORMAL + 3] = face_frame[0] @ given.normal
        row[contact.ALONG : contact.ALONG + 3] = face_frame[0] @ given.along
        row[contact.HALF : contact.HALF + 2] = given.half
        row[contact.OTHER_RADIUS] = given.ball_radius
        row[contact.LAW] = given.law
        row[contact.ENTRY] = given.entry  # below 2⁵³, so exact
        row[contact.PARAMETERS : contact.PARAMETERS + len(given.parameters)] = given.parameters
        row[contact.STIFFNESS] = given.stiffness
        row[contact.DAMPING] = given.damping
        row[contact.EXPONENT] = given.exponent
        row[contact.BILATERAL] = float(given.bilateral)
        row[contact.MU_STATIC] = given.mu_static
        row[contact.MU_KINETIC] = given.mu_kinetic
        row[contact.GRIP_STIFFNESS] = given.grip_stiffness
        row[contact.GRIP_DAMPING] = given.grip_damping
        if kind == contact.BALLS and not given.pads_on_chaser:
            _swap_balls(row)
        yield row


def _swap_balls(row: np.ndarray) -> None:
    """Kernels take the first ball of a pair as the chaser's."""
    pad, face = slice(contact.PAD, contact.PAD + 3), slice(contact.FACE, contact.FACE + 3)
    row[pad], row[face] = row[face].copy(), row[pad].copy()
    row[contact.RADIUS], row[contact.OTHER_RADIUS] = row[contact.OTHER_RADIUS], row[contact.RADIUS]


def _hold_row(chaser: CraftDescription, given: HoldDescription) -> np.ndarray:
    row = np.zeros(hold.HOLD_WIDTH)
    row[hold.BODY], R, p = _carrier(chaser, given.arm)
    if given.port is not None:
        X_BA = Frame(R, p) @ given.port
        row[hold.HAS_PORT], p = 1.0, X_BA.p
        row[hold.ALIGNED : hold.ALIGNED + 4] = quaternion_of(given.R_TB @ X_BA.R.T)
    row[hold.EFFECTOR : hold.EFFECTOR + 3] = p
    row[hold.REACH] = given.reach
    row[hold.MAX_ANGLE] = given.max_angle
    row[hold.MAX_SPEED] = given.max_speed
    row[hold.MAX_RATE] = given.max_rate
    row[hold.POINT : hold.POINT + 3] = given.p_TB
    row[hold.AXES : hold.AXES + 9] = given.R_TB.ravel()
    row[hold.STIFFNESS : hold.STIFFNESS + 3] = given.stiffness
    row[hold.ROTATIONAL_STIFFNESS : hold.ROTATIONAL_STIFFNESS + 3] = given.rotational_stiffness
    row[hold.DAMPING : hold.DAMPING + 3] = given.damping
    row[hold.ROTATIONAL_DAMPING : hold.ROTATIONAL_DAMPING + 3] = given.rotational_damping
    row[hold.PULL : hold.PULL + 3] = given.pull
    row[hold.MAX_FORCE] = given.max_force
    row[hold.MAX_TORQUE] = given.max_torque
    row[hold.FROM] = given.start
    row[hold.UNTIL] = given.end
    row[hold.COMMANDED] = float(given.commanded)
    return row


def _held_point(row: np.ndarray, given: HoldDescription, seen: "Pair") -> np.ndarray:
    """About where the chaser's body will be held, in its frame: an arm at its end effector or port,
    a hub at its port, without one where it covers the target's point at the start."""
    body = int(row[hold.BODY])
    if given.arm or given.port is not None:
        return row[hold.EFFECTOR : hold.EFFECTOR + 3]
    if given.start > 0.0:  # it is still far away: its lever is taken as long as the target's
        com_C = seen.chaser.bodies[body, columns.COM : columns.COM + 3]
        com_T = seen.target.bodies[0, columns.COM : columns.COM + 3]
        return np.asarray(com_C + seen.R_TC.T @ (given.p_TB - com_T))
    return np.asarray(seen.R_TC.T @ (given.p_TB - seen.p_TC))


# --- how fast a closed interface moves -----------------------------------------------------------


def _pace(
    table: np.ndarray,
    hold_table: np.ndarray,
    loads: tuple[Sequence[float], Sequence[np.ndarray]],
    pair: "Pair",
) -> None:
    """Writes into every row the longest step that all rows of its chaser body, closed together,
    bear whatever swings in them.

    An estimate, for the relative attitude and the joints at the start, with the face met at its
    centre.  PACE leaves room for what it misses.  `loads` has the overlap of every contact and the
    chaser's point of every hold.
    """
    depths, points = loads
    for body in {int(row[contact.BODY]) for row in table} | {int(r[hold.BODY]) for r in hold_table}:
        mine = [i for i, row in enumerate(table) if int(row[contact.BODY]) == body]
        held = [i for i, row in enumerate(hold_table) if int(row[hold.BODY]) == body]
        touching = [_of_contact(table[i], depths[i], pair) for i in mine]
        holding = [_of_hold(hold_table[i], points[i], pair) for i in held]
        springs = [each for some in (*touching, *holding) for each in some]
        mobility = pair.mobility(body)
        fastest = _fastest(springs, mobility)
        longest = PACE / fastest if fastest > 0.0 else np.inf
        table[mine, contact.LONGEST_STEP] = longest
        for i, own in zip(mine, touching, strict=True):
            table[i, contact.DEPTH] = depths[i]
            table[i, contact.MASS] = _meeting_mass(table[i], own, mobility)
        for i, own in zip(held, holding, strict=True):
            masses = _held_masses(own, mobility)
            hold_table[i, hold.MASS], hold_table[i, hold.INERTIA] = masses
        hold_table[held, hold.LONGEST_STEP] = longest


class Pair(NamedTuple):
    """The two spacecraft as the interface sees them, and the chaser's pose in T at the start."""

    chaser: Tree
    stance: Stance  # of the chaser's joints at the start
    target: Tree
    R_TC: np.ndarray
    p_TC: np.ndarray

    def mobility(self, body: int) -> np.ndarray:
        """Velocities of both bodies' centres of mass and turns [v, w, v, w] from the like forces
        and torques, T axes."""
        turn = np.kron(np.eye(2), self.R_TC)
        both = np.zeros((12, 12))
        both[:6, :6] = turn @ mobility(self.chaser, self.stance, body) @ turn.T
        both[6:, 6:] = mobility(self.target, stance(self.target, np.zeros(0)), 0)
        return both

    def axes(self, body: int) -> np.ndarray:
        """R_TB of a chaser body."""
        return np.asarray(self.R_TC @ self.stance.R[body])


def _meeting_mass(row: np.ndarray, springs: "list[_Spring]", mobility: np.ndarray) -> float:
    """Mass with which the two bodies meet [kg], 1/(J Λ⁻¹ Jᵀ) along the normal; of balls, which may
    meet along any direction, the largest."""
    normals = springs if row[contact.KIND] == contact.BALLS else springs[:1]
    return float(max(1.0 / (each.row @ mobility @ each.row) for each in normals))


def _held_masses(springs: Sequence["_Spring"], mobility: np.ndarray) -> list[float]:
    """Largest mass and largest inertia of any direction with which the bodies of a hold meet [kg,
    kg m2]; its springs are along and about each axis in turn."""
    directions = (np.array([each.row for each in springs[first::2]]) for first in (0, 1))
    return [1.0 / float(np.linalg.eigvalsh(J @ mobility @ J.T)[0]) for J in directions]


class _Spring(NamedTuple):
    """A spring with a damper along or about one axis; `row` gives its rate from the velocities."""

    row: np.ndarray
    stiffness: float
    damping: float


def _along(axis: np.ndarray, r_C: np.ndarray, r_T: np.ndarray) -> np.ndarray:
    """How fast two points part along an axis; r from each body's centre of mass."""
    return np.concatenate([axis, cross(r_C, axis), -axis, -cross(r_T, axis)])


def _levers(
    pair: Pair, body: int, on_chaser: np.ndarray, on_target: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    com_C = pair.chaser.bodies[body, columns.COM : columns.COM + 3]
    com_T = pair.target.bodies[0, columns.COM : columns.COM + 3]
    return pair.axes(body) @ (on_chaser - com_C), on_target - com_T


def _of_contact(row: np.ndarray, depth: float, pair: Pair) -> list[_Spring]:
    pad, face = row[contact.PAD : contact.PAD + 3], row[contact.FACE : contact.FACE + 3]
    normal = row[contact.NORMAL : contact.NORMAL + 3]
    on_chaser, on_target = (
        (face, pad) if row[contact.KIND] == contact.PAD_ON_CHASER else (pad, face)
    )
    if row[contact.KIND] == contact.PAD_ON_CHASER:
        normal = pair.axes(int(row[contact.BODY])) @ normal
    levers = _levers(pair, int(row[contact.BODY]), on_chaser, on_target)
    exponent = row[contact.EXPONENT]
    stiffness = row[contact.STIFFNESS] * exponent * depth ** (exponent - 1.0)
    damping = 0.0 if row[contact.LAW] == HUNT_CROSSLEY else row[contact.DAMPING]
    first = cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    first /= np.linalg.norm(first)
    grip = (row[contact.GRIP_STIFFNESS], row[contact.GRIP_DAMPING])
    if not row[contact.MU_STATIC] > 0.0:
        grip = (0.0, 0.0)
    if row[contact.KIND] == contact.BALLS:  # they may meet along any direction
        stiffest = max(stiffness, grip[0]), max(damping, grip[1])
        return [_Spring(_along(axis, *levers), *stiffest) for axis in np.eye(3)]
    return [
        _Spring(_along(normal, *levers), stiffness, damping),
        _Spring(_along(first, *levers), *grip),
        _Spring(_along(cross(normal, first), *levers), *grip),
    ]


def _of_hold(row: np.ndarray, on_chaser: np.ndarray, pair: Pair) -> list[_Spring]:
    axes = row[hold.AXES : hold.AXES + 9].reshape(3, 3).T
    levers = _levers(pair, int(row[hold.BODY]), on_chaser, row[hold.POINT : hold.POINT + 3])
    springs = []
    for i, axis in enumerate(axes):
        straight = _along(axis, *levers)
        about = np.concatenate([np.zeros(3), axis, np.zeros(3), -axis])
        springs.append(_Spring(straight, row[hold.STIFFNESS + i], row[hold.DAMPING + i]))
        springs.append(
            _Spring(about, row[hold.ROTATIONAL_STIFFNESS + i], row[hold.ROTATIONAL_DAMPING + i])
        )
    return springs


def _fastest(springs: list[_Spring], mobility: np.ndarray) -> float:
    """Largest |s| of the motions exp(st) of two bodies between springs [1/s]."""
    rows = np.array([each.row for each in springs])
    K = rows.T @ (rows * np.array([[each.stiffness] for each in springs]))
    D = rows.T @ (rows * np.array([[each.damping] for each in springs]))
    system = np.block([[np.zeros((12, 12)), np.eye(12)], [-mobility @ K, -mobility @ D]])
    return float(np.abs(np.linalg.eigvals(system)).max())
