"""The arm takes over what carries the chaser around with a held target."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

import proxops
from proxops.assembly.capture import capture_of
from proxops.onboard.functions.capture import modes
from proxops.onboard.functions.capture.arm_impedance import effector_pose
from proxops.onboard.functions.capture.detumble import calm_rate, fade, lean_on_target, left_to_base
from proxops.onboard.functions.capture.whole_body import still_torques
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.entry import Loads, Motion, forward_dynamics
from proxops.physics.multibody.kinematics import move, place
from proxops.physics.multibody.tree import load3, load_mat, scratch_for
from tests.cross.chains import random_chain, random_motion, to_tree
from tests.laws.capture_cases import pair_of
from tests.laws.test_capture_arm import ROUNDING, random_frame
from tests.laws.written import written

PLAN = SimpleNamespace(detumble_gain=0.7, handover=2.0)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_whatever_the_arm_takes_over_the_chaser_goes_around_in_the_same_way(
    share: float, seed: int
) -> None:
    """Forward dynamics of the whole chaser: held at E by a share of W and pushed at Co by the rest,
    with the arm leaning, the base accelerates as wanted and no joint does."""
    rng = np.random.default_rng(seed)
    chain = random_chain("7", rng)
    tree, motion = to_tree(chain), random_motion(chain, rng)
    scratch, n = scratch_for(tree), len(motion.q)
    w, a, alpha = rng.uniform(-0.1, 0.1, (3, 3))
    workspace = SimpleNamespace(loads=np.zeros(6 + n), scratch=scratch)
    twist = (0.0, 0.0, 0.0), tuple(w)
    written(move)(tree, twist, motion.q, motion.qd, scratch)
    written(still_torques)(tree, (tuple(a), tuple(alpha)), workspace.loads, scratch)
    mount = n, pair_of(random_frame(rng, 0.5))
    torques = workspace.loads[6:].copy()
    written(lean_on_target)(tree, mount, share, workspace, torques)

    written(place)(tree, ((0.0, 0.0, 0.0), tuple(w)), motion.q, motion.qd, scratch)
    W_f, W_t = workspace.loads[:3], workspace.loads[3:6]
    p_E = np.array(written(effector_pose)(mount, scratch)[1])
    p_link = np.array(load3.py_func(scratch, n, at.P))
    R_link = np.array(load_mat.py_func(scratch, n, at.R)).reshape(3, 3)
    wrenches = np.zeros((n + 1, 6))  # on base and last link, at their origins, in their axes
    wrenches[0] = (1.0 - share) * workspace.loads[:6]
    f_E, t_E = share * W_f, share * (W_t - np.cross(p_E, W_f))
    t_link = t_E + np.cross(p_E - p_link, f_E)
    wrenches[n] = np.concatenate([R_link.T @ f_E, R_link.T @ t_link])
    nu_rate = np.zeros(6 + n)
    twist = np.concatenate([np.zeros(3), w])
    written(forward_dynamics)(
        tree, Motion(twist, motion.q, motion.qd), Loads(torques, wrenches), nu_rate, scratch
    )
    assert nu_rate[:3] == pytest.approx(a, abs=1e2 * ROUNDING)
    assert nu_rate[3:6] == pytest.approx(alpha, abs=1e2 * ROUNDING)
    # small links on joints without rotors, driven by tens of newtons
    assert nu_rate[6:] == pytest.approx(np.zeros(n), abs=1e5 * ROUNDING)


def test_the_base_hands_over_evenly_and_is_a_damper_in_the_end() -> None:
    memory, inertia = np.zeros(modes.SETPOINT), np.diag([650.0, 950.0, 900.0])
    memory[modes.SINCE] = 10.0
    bodies = np.zeros((1, at.BODY_WIDTH))
    bodies[0, at.INERTIA : at.INERTIA + 3] = np.diag(inertia)
    belief = SimpleNamespace(chaser=SimpleNamespace(bodies=bodies))
    rate, W = np.array([0.001, -0.002, 0.003]), np.array([[12.0, 1.0, -2.0], [3.0, -4.0, 5.0]])
    for t, share in ((10.0, 1.0), (10.5, 0.75), (12.0, 0.0), (50.0, 0.0)):
        ease = written(left_to_base)(PLAN, memory, t)
        assert ease == pytest.approx(share, abs=ROUNDING)
        f, torque = written(fade)(belief, PLAN, tuple(rate), tuple(map(tuple, W)), ease)
        assert f == pytest.approx(share * W[0], abs=ROUNDING)
        # towards the target's rate, so that the two come to turn together
        damper = (1.0 - share) * 0.7 * inertia @ rate
        assert torque == pytest.approx(share * W[1] + damper, abs=ROUNDING)


def test_the_rate_is_smoothed_by_the_time_that_has_passed() -> None:
    """A step, in uneven turns: 1 - exp(-5 k t)."""
    memory, step = np.zeros(modes.SETPOINT), (0.1, -0.2, 0.3)
    t = 0.0
    for passed in (0.001, 0.01, 0.1, 0.05):
        t += passed
        calm = written(calm_rate)(PLAN, memory, step, passed)
        expected = np.multiply(step, 1.0 - math.exp(-5.0 * 0.7 * t))
        assert calm == pytest.approx(expected, abs=ROUNDING)


def test_the_load_to_bear_is_that_of_a_pair_which_turns_about_its_common_centre() -> None:
    """Two bodies r apart: the chaser goes around the common centre at r m_T/(m_T + m_C), which is
    that share of its acceleration about a target that stays."""
    scenario = proxops.load("envisat-capture")
    capture = scenario.mission.obsw.capture
    assert capture is not None
    belief = capture_of(scenario, capture).belief
    m_T = 7527.867 + 300.0  # hub and array
    m_C = 1200.0 + 18.7 + 2 * 1.0 + 3 * 9.0  # hub, arm, fingers, wheels
    assert belief.target_share == pytest.approx(m_T / (m_T + m_C), rel=1e-6)
