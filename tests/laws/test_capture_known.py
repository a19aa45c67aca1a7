"""What a capture knows of its target, against the motion of both spacecraft in N."""

import numpy as np
import pytest

from proxops.bus.fields import Layout, blank, views
from proxops.core.frame import Frame, quaternion_of
from proxops.onboard.functions.capture.arm_impedance import effector_pose, effector_velocity
from proxops.onboard.functions.capture.hub_estimate import relative_state_of
from proxops.onboard.functions.capture.relative_state import target_rate, through_arm
from proxops.onboard.functions.navigation.function import FIELDS, NavigationOutputs
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.kinematics import move, place
from proxops.physics.multibody.mass_centre import centre_of_moved, mass_centre
from proxops.physics.multibody.tree import scratch_for
from proxops.plant.mobility import stance
from tests.cross.chains import random_chain, random_motion, rate_at_zero, to_tree
from tests.laws.capture_cases import (
    Body,
    apart,
    frame_of,
    pair_of,
    random_body,
    relative_between,
    turning,
)
from tests.laws.plants import rotation
from tests.laws.written import written

ZERO = (0.0, 0.0, 0.0)
ROUNDING = 1e-13  # some dozen operations on metres
# Differences of eighth order with 5 ms: links turn with up to 6 rad/s together, (0.03)⁸/630 of
# metres; rounding is 1e-15 / 5 ms.  A factor of ten on top.
STEP, DIFFERENCE = 5e-3, 1e-11

pytestmark = pytest.mark.parametrize("seed", range(5))


def same(found, expected, within: float) -> None:
    """Poses, then all velocities."""
    assert apart(frame_of(found.X_CT), frame_of(expected.X_CT)) < within
    for name in ("drift", "w_C", "w_T"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name), abs=within), name


def test_an_estimate_of_mass_centres_tells_how_the_hubs_move(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chaser, target = random_body(rng), random_body(rng)
    com_C, com_T = rng.uniform(-0.5, 0.5, (2, 3))
    com_rate = rng.uniform(-0.05, 0.05, 3)  # the arm moves
    points = [body.X.p + body.X.R @ com for body, com in ((chaser, com_C), (target, com_T))]
    speeds = [
        chaser.v + chaser.X.R @ (np.cross(chaser.w, com_C) + com_rate),
        target.v + target.X.R @ np.cross(target.w, com_T),
    ]
    fields = blank(Layout(FIELDS))
    for name, value in (
        ("q_NC", quaternion_of(chaser.X.R)),
        ("w_NC_C", chaser.w),
        ("q_NT", quaternion_of(target.X.R)),
        ("w_NT_T", target.w),
        ("r", points[1] - points[0]),
        ("v", speeds[1] - speeds[0]),
    ):
        fields[f"navigation.{name}"][:] = value
    estimate = views(NavigationOutputs, fields)
    found = written(relative_state_of)(estimate, (tuple(com_C), tuple(com_rate)), tuple(com_T))
    same(found, relative_between(chaser, target), ROUNDING)
    in_C = chaser.X.R.T @ target.X.R @ target.w
    assert written(target_rate)(found) == pytest.approx(in_C, abs=ROUNDING)


@pytest.mark.parametrize("layout", ["7", "branched"])
def test_a_held_target_is_known_through_the_arm(layout: str, seed: int) -> None:
    """The target is fixed on the end effector; its motion in N by differences."""
    rng = np.random.default_rng(seed)
    chain = random_chain(layout, rng)
    tree, motion = to_tree(chain), random_motion(chain, rng)
    scratch = scratch_for(tree)
    chaser = random_body(rng)
    mount = len(chain) - 1, pair_of(Frame(rotation(rng), rng.uniform(-0.5, 0.5, 3)))
    X_TE = Frame(rotation(rng), rng.uniform(-3.0, 3.0, 3))

    def X_CE(t: float) -> Frame:
        written(place)(tree, (ZERO, ZERO), motion.q + t * motion.qd, motion.qd, scratch)
        return frame_of(written(effector_pose)(mount, scratch))

    def X_NT(t: float) -> Frame:
        return chaser.after(t).X @ X_CE(t) @ X_TE.inverse()

    here = X_NT(0.0)
    v = rate_at_zero(lambda t: X_NT(t).p, STEP)
    w = here.R.T @ turning(here.R, rate_at_zero(lambda t: X_NT(t).R, STEP))
    X = pair_of(X_CE(0.0))
    V_CE = written(effector_velocity)(tree, mount[0], X[1], motion.qd, scratch)
    found = written(through_arm)(tuple(chaser.w), (X, V_CE), pair_of(X_TE))
    same(found, relative_between(chaser, Body(here, v, w)), DIFFERENCE)


@pytest.mark.parametrize("layout", ["7", "branched"])
def test_the_mass_centre_moves_with_the_rate_it_is_told_to(layout: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    chain = random_chain(layout, rng)
    tree, motion = to_tree(chain), random_motion(chain, rng)
    scratch, masses = scratch_for(tree), tree.bodies[:, at.MASS]

    def centre(t: float) -> np.ndarray:
        """From where the bodies stand, told otherwise."""
        here = stance(tree, motion.q + t * motion.qd)
        coms = here.p + np.einsum("bij,bj->bi", here.R, tree.bodies[:, at.COM : at.COM + 3])
        return np.asarray(masses @ coms / masses.sum())

    p, rate = written(mass_centre)(tree, motion.q, motion.qd, scratch)
    assert p == pytest.approx(centre(0.0), abs=ROUNDING)
    assert rate == pytest.approx(rate_at_zero(centre, STEP), abs=DIFFERENCE)
    w = tuple(rng.uniform(-0.1, 0.1, 3))
    written(move)(tree, ((0.0, 0.0, 0.0), w), motion.q, motion.qd, scratch)
    turning = written(centre_of_moved)(tree, w, scratch)
    assert turning[0] == pytest.approx(p, abs=ROUNDING)
    assert turning[1] == pytest.approx(rate, abs=ROUNDING)
