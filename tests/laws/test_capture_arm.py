"""The arm as a spring towards a place on the target, and base and arm together."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from proxops.core.frame import Frame
from proxops.onboard.functions.capture.arm_impedance import (
    Stiffness,
    add_transposed,
    effector_pose,
    effector_velocity,
    goal,
    matter_velocity,
    spring,
)
from proxops.onboard.functions.capture.monitor import arm_storage, port_power
from proxops.onboard.functions.capture.trajectory import along
from proxops.onboard.functions.capture.whole_body import base_wrench, still_torques
from proxops.physics.multibody.entry import Loads, Motion, forward_dynamics
from proxops.physics.multibody.kinematics import move, place
from proxops.physics.multibody.tree import scratch_for
from tests.cross.chains import random_chain, random_motion, rate_at_zero, to_tree
from tests.laws.capture_cases import (
    apart,
    frame_of,
    pair_of,
    random_body,
    random_path,
    relative_between,
    turning,
)
from tests.laws.plants import rotation
from tests.laws.written import written

ZERO = (0.0, 0.0, 0.0)
# Differences of eighth order with 5 ms: links turn with up to 6 rad/s together, (0.03)⁸/630 of
# metres; rounding is 1e-15 / 5 ms.  A factor of ten on top.
STEP, DIFFERENCE = 5e-3, 1e-11
ROUNDING = 1e-12  # some hundred operations

pytestmark = pytest.mark.parametrize("seed", range(5))


def random_frame(rng: np.random.Generator, reach: float) -> Frame:
    return Frame(rotation(rng), rng.uniform(-reach, reach, 3))


def test_the_matter_of_the_target_moves_as_seen_from_the_base(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chaser, target = random_body(rng), random_body(rng)
    X_TP = random_frame(rng, 3.0)

    def X_CP(t: float) -> Frame:
        return chaser.after(t).X.inverse() @ target.after(t).X @ X_TP

    here = X_CP(0.0)
    v, w = written(matter_velocity)(relative_between(chaser, target), tuple(here.p))
    assert v == pytest.approx(rate_at_zero(lambda t: X_CP(t).p, STEP), abs=DIFFERENCE)
    R_rate = rate_at_zero(lambda t: X_CP(t).R, STEP)
    assert w == pytest.approx(turning(here.R, R_rate), abs=DIFFERENCE)


def test_the_goal_moves_as_it_is_told_to(seed: int) -> None:
    """While its way goes on in G, G with the target, and all is seen from the base."""
    rng = np.random.default_rng(seed)
    chaser, target = random_body(rng), random_body(rng)
    X_TG, path, now = pair_of(random_frame(rng, 3.0)), random_path(rng, 0.0, 6.0), 2.3

    def wanted(t: float):
        relative = relative_between(chaser.after(t), target.after(t))
        return written(goal)(relative, X_TG, written(along)(path, now + t))

    X, v, w = wanted(0.0)
    expected = target.X @ frame_of(X_TG) @ frame_of(written(along)(path, now).X)
    assert apart(chaser.X @ frame_of(X), expected) < ROUNDING
    assert v == pytest.approx(rate_at_zero(lambda t: np.array(wanted(t)[0][1]), STEP), abs=1e-11)
    R_rate = rate_at_zero(lambda t: frame_of(wanted(t)[0]).R, STEP)
    assert w == pytest.approx(turning(frame_of(X).R, R_rate), abs=DIFFERENCE)


def test_the_spring_gives_back_what_it_stores_and_dampers_only_take(seed: int) -> None:
    """dS/dt = F_springᵀ (V_goal - V_E), and the rest of F is D (V_goal - V_E)."""
    rng = np.random.default_rng(seed)
    k, d = np.array([400.0, 40.0]), np.array([100.0, 8.0])
    stiffness = Stiffness(k[0], d[0], k[1], d[1])
    E, aim = random_body(rng), random_body(rng)  # both against the base

    def stored(t: float) -> float:
        X, Y = pair_of(E.after(t).X), pair_of(aim.after(t).X)
        return float(written(arm_storage)(stiffness, X, Y))

    V_E, V = ((tuple(one.v), tuple(one.X.R @ one.w)) for one in (E, aim))
    wanted = pair_of(aim.X), *V
    f, t = written(spring)(stiffness, pair_of(E.X), V_E, wanted)
    still = stiffness._replace(speed=0.0, rate=0.0)
    f_k, t_k = written(spring)(still, pair_of(E.X), V_E, wanted)
    power = np.dot(f_k, np.subtract(V[0], V_E[0])) + np.dot(t_k, np.subtract(V[1], V_E[1]))
    # of springs of 400 N/m over metres
    rate = rate_at_zero(lambda s: np.array(stored(s)), STEP)
    assert float(rate) == pytest.approx(power, abs=4e3 * DIFFERENCE)
    assert np.subtract(f, f_k) == pytest.approx(d[0] * np.subtract(V[0], V_E[0]), abs=1e-9)
    assert np.subtract(t, t_k) == pytest.approx(d[1] * np.subtract(V[1], V_E[1]), abs=1e-9)
    assert np.dot(f_k, aim.X.p - E.X.p) > 0.0  # it draws


@pytest.mark.parametrize("layout", ["7", "branched"])
def test_torques_do_the_work_of_the_wrench_at_the_end_effector(layout: str, seed: int) -> None:
    """(Jᵀ F)ⱼ = F · ∂X_E/∂qⱼ, by turning each joint; E need not be on the last link."""
    rng = np.random.default_rng(seed)
    chain = random_chain(layout, rng)
    tree, motion = to_tree(chain), random_motion(chain, rng)
    scratch = scratch_for(tree)
    mount = len(chain) - 2, pair_of(random_frame(rng, 0.5))
    f, t = rng.uniform(-50.0, 50.0, 3), rng.uniform(-10.0, 10.0, 3)

    def X_CE(q: np.ndarray) -> Frame:
        written(place)(tree, (ZERO, ZERO), q, motion.qd, scratch)
        return frame_of(written(effector_pose)(mount, scratch))

    def moved(along_q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        v = rate_at_zero(lambda s: X_CE(motion.q + s * along_q).p, STEP)
        R_rate = rate_at_zero(lambda s: X_CE(motion.q + s * along_q).R, STEP)
        return v, turning(X_CE(motion.q).R, R_rate)

    expected = []
    for direction in np.eye(len(motion.q)):
        v, w = moved(direction)
        expected.append(f @ v + t @ w)
    v, w = moved(motion.qd)
    p = tuple(X_CE(motion.q).p)
    found = written(effector_velocity)(tree, mount[0], p, motion.qd, scratch)
    assert found[0] == pytest.approx(v, abs=DIFFERENCE)
    assert found[1] == pytest.approx(w, abs=DIFFERENCE)
    torques = np.full(len(motion.q), 3.0)
    written(add_transposed)(tree, mount, (tuple(f), tuple(t)), scratch, torques)
    # of 50 N at metres
    assert torques - 3.0 == pytest.approx(expected, abs=100.0 * DIFFERENCE)


@pytest.mark.parametrize("layout", ["7", "branched"])
def test_base_and_joints_together_accelerate_the_base_as_wanted(layout: str, seed: int) -> None:
    """Against forward dynamics of the same craft: with τ_0 joints go on evenly, with any other
    torques they answer, and the base does the same."""
    rng = np.random.default_rng(seed)
    chain = random_chain(layout, rng)
    tree, motion = to_tree(chain), random_motion(chain, rng)
    scratch = scratch_for(tree)
    n = len(motion.q)
    w, a, alpha = rng.uniform(-0.1, 0.1, (3, 3))
    acceleration, joints = (tuple(a), tuple(alpha)), (motion.q, motion.qd)
    loads = np.zeros(6 + n)
    written(move)(tree, ((0.0, 0.0, 0.0), tuple(w)), *joints, scratch)
    written(still_torques)(tree, acceleration, loads, scratch)
    torques = loads[6:] + rng.uniform(-20.0, 20.0, n)
    for tau, goes_on in ((loads[6:], True), (torques, False)):
        written(still_torques)(tree, acceleration, loads.copy(), scratch)
        F = written(base_wrench)(tree, acceleration, (tau, np.zeros(n)), scratch)
        wrenches = np.zeros((n + 1, 6))
        wrenches[0] = np.concatenate(F)
        nu_rate = np.zeros(6 + n)
        twist = np.concatenate([np.zeros(3), w])
        written(forward_dynamics)(
            tree, Motion(twist, *joints), Loads(tau, wrenches), nu_rate, scratch
        )
        assert nu_rate[:3] == pytest.approx(a, abs=ROUNDING)
        assert nu_rate[3:6] == pytest.approx(alpha, abs=ROUNDING)
        if goes_on:
            # twenty times the base's: small links on joints without rotors
            assert nu_rate[6:] == pytest.approx(np.zeros(n), abs=1e2 * ROUNDING)
        else:
            assert np.abs(nu_rate[6:]).max() > 1e-3


def test_the_port_takes_the_power_of_the_felt_wrench_on_relative_motion(seed: int) -> None:
    """None while the end effector moves with the target's matter, wherever both go."""
    rng = np.random.default_rng(seed)
    chaser, target = random_body(rng), random_body(rng)
    relative, X_CE = relative_between(chaser, target), random_frame(rng, 2.0)
    with_it = written(matter_velocity)(relative, tuple(X_CE.p))
    f, t = rng.uniform(-50.0, 50.0, 3), rng.uniform(-10.0, 10.0, 3)  # in E
    wrench = np.concatenate([f, t])
    X = pair_of(X_CE)
    assert abs(written(port_power)(relative, (X, with_it), wrench)) < 50.0 * ROUNDING
    v, w = rng.uniform(-0.1, 0.1, (2, 3))  # more than it, in C
    V = tuple(np.add(with_it[0], v)), tuple(np.add(with_it[1], w))
    expected = (X_CE.R @ f) @ v + (X_CE.R @ t) @ w
    found = written(port_power)(relative, (X, V), wrench)
    assert found == pytest.approx(expected, abs=50.0 * ROUNDING)


def test_a_turn_of_the_end_effector_is_undone_about_its_axis(seed: int) -> None:
    """A goal turned by r from the end effector, told in C, asks for K_r r."""
    rng = np.random.default_rng(seed)
    r = rng.uniform(-1.0, 1.0, 3)
    X_CE = random_frame(rng, 2.0)
    aim = Frame(Rotation.from_rotvec(r).as_matrix() @ X_CE.R, X_CE.p)
    still = (ZERO, ZERO)
    stiffness = Stiffness(400.0, 100.0, 40.0, 8.0)
    f, t = written(spring)(stiffness, pair_of(X_CE), still, (pair_of(aim), *still))
    assert f == pytest.approx(np.zeros(3), abs=1e-9)
    assert t == pytest.approx(40.0 * r, abs=40.0 * ROUNDING)
