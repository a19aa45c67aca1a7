"""Pairs in which a ball of one spacecraft rattles in a slot of the other."""

from dataclasses import replace
from typing import Any

import numpy as np

from proxops.core.description import ContactDescription, CraftDescription, MountedArm
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.physics.contact.normal import HUNT_CROSSLEY
from proxops.physics.multibody import tree as at
from proxops.plant import layout
from tests.laws.plants import arm, rotation
from tests.laws.touching import Pair, body, contact

BALL_AT, CENTRE = np.array([1.0, 0.3, -0.2]), np.array([-0.4, 0.5, 0.2])  # [m]
RADIUS, HALF_GAP = 0.05, 0.08  # [m]
SPRING = {"stiffness": 1e6}
DAMPED = {"stiffness": 1e6, "damping": 3e3}
HUNT = {"law": HUNT_CROSSLEY, "stiffness": 1e7, "exponent": 1.5, "depth": 5e-3}
RUBBING = {"mu_static": 0.5, "mu_kinetic": 0.3, "grip_stiffness": 8e5, "grip_damping": 1e3}
KINDS = ("pads-on-chaser", "pads-on-target", "balls", "arm")


def slot(centre: np.ndarray, ball_at: np.ndarray, **law: Any) -> tuple[ContactDescription, ...]:
    """Two faces, at right angles to x, about a centre, and the ball between them."""
    step = np.array([HALF_GAP, 0.0, 0.0])
    return tuple(
        contact(
            ball_at,
            radius=RADIUS,
            centre=centre + side * step,
            normal=np.array([-side, 0.0, 0.0]),
            name=f"face{side:+.0f}",
            **law,
        )
        for side in (1.0, -1.0)
    )


def pair_of_bodies(seed: int) -> tuple[CraftDescription, CraftDescription]:
    """What carries the ball and what carries the slot, the ball in the middle, tumbling."""
    spins = np.random.default_rng(seed).uniform(-0.02, 0.02, (2, 3))
    with_ball = body(
        400.0, [90.0, 120.0, 100.0], p_H=CENTRE - BALL_AT, v_H=np.array([0.2, 0.03, -0.02]),
        w=spins[0],
    )  # fmt: skip
    return with_ball, body(900.0, [300.0, 450.0, 500.0], w=spins[1])


def mirrored(law: dict[str, Any]) -> Pair:
    """The pair with pads on the chaser, chaser and target having changed places."""
    with_ball, with_slot = pair_of_bodies(KINDS.index("pads-on-chaser"))
    pads = slot(CENTRE, BALL_AT, **law)
    return Pair(with_slot, with_ball, tuple(replace(each, pads_on_chaser=False) for each in pads))


def rattling(kind: str, law: dict[str, Any], orbit: Any = None) -> Pair:
    """A pair of that kind, tumbling a little, the ball in the middle of its slot."""
    chaser, target = pair_of_bodies(KINDS.index(kind))
    ball_at, centre = BALL_AT, CENTRE
    pads = slot(centre, ball_at, **law)
    if kind == "pads-on-target":
        # the slot on the chaser instead, where the ball of the target is
        pads = tuple(
            replace(
                each, pads_on_chaser=False, pads=centre[None], centre=each.centre - centre + ball_at
            )
            for each in pads
        )
    if kind == "balls":
        big = 2.0  # nearly flat, or the first bounce throws the small one out sideways
        pads = tuple(
            replace(each, centre=each.centre - big * each.normal, ball_radius=big) for each in pads
        )
    if kind == "arm":
        rng = np.random.default_rng(4)
        mounted = MountedArm(
            "main",
            arm(rng, 3),
            rotation(rng),
            np.array([0.5, 0.1, 0.0]),
            rng.uniform(-0.3, 0.3, 3),
            rng.uniform(-0.1, 0.1, 3),
        )
        chaser = replace(chaser, arms=(mounted,))
        tip = effector(Pair(chaser, target))
        chaser = replace(chaser, p_H=centre - tip)
        pads = tuple(replace(each, arm="main", pads=np.zeros((1, 3))) for each in pads)
    return Pair(chaser, target, pads, orbit=orbit)


def effector(pair: Pair) -> np.ndarray:
    """Origin of a chaser's last body from its hub's, inertial axes [m]."""
    pair.rates()
    row = pair.work.scratch[len(pair.plant.chaser) - 1]
    R = np.array(quat_to_rotation.py_func(tuple(pair.chaser[layout.Q :][:4]))).reshape(3, 3)
    return np.asarray(R @ row[at.P : at.P + 3])
