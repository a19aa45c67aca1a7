"""The published equations at single moments, in the paper's own terms: blocks of M and C."""

import numpy as np
import pytest

from proxops.core.jit import kernel
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import get3, mul_t
from proxops.physics.multibody import entry as multibody
from proxops.physics.multibody.composite import place_composite
from proxops.physics.multibody.entry import Loads, Motion, place_motion, push_all, twist_of
from proxops.physics.multibody.forward import accelerate_free
from proxops.physics.multibody.tide import pull_of_tide
from proxops.physics.multibody.tree import scratch_for
from proxops.physics.orbit.reference import sky_at
from proxops.physics.relative import entry
from proxops.physics.relative.ground_arm import (
    fill_difference,
    proper_acceleration,
)
from proxops.physics.relative.impedance import fill_carrier_force
from proxops.physics.relative.motion import STATE_WIDTH, TWIST
from proxops.physics.relative.nominal import Course
from proxops.physics.relative.published import JOINTS, SHOWN
from proxops.physics.relative.storage import kinetic_energy, port_power
from proxops.physics.relative.together import Together
from proxops.validation import relative_laws
from proxops.validation import relative_pair as pair
from proxops.validation.relative_moments import (
    Moment,
    carrier_tree,
    force_9,
    force_16,
    matrices,
    moment,
    on_base,
)
from proxops.validation.relative_reference import rotation

SEEDS = range(4)
GRAVITY = np.array([1.3, -4.0, -8.9])  # in M's axes [m/s2]
LOW_ORBIT = np.array([3.986e14, 7.0e6, 0.0, 0.0, 0.0, 6.0e3, 4.6e3])
# recursion against matrices: 1e-15 of the largest terms, torques of 200 N m by gravity on joints
# that feel 0.35 kg m2
EXACT = 1e-11


def chaser_moment(seed: int) -> Moment:
    return moment(pair.chaser()[0], np.random.default_rng(seed))


def six(V: np.ndarray) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return tuple(V[:3].tolist()), tuple(V[3:].tolist())


def gravity_in_base(case: Moment) -> np.ndarray:
    return np.asarray(rotation(case.y[SHOWN + 3 : SHOWN + TWIST]).T @ GRAVITY)


def torque_22(case: Moment, tau: np.ndarray) -> np.ndarray:
    """(22) block by block."""
    tree, (_, qd, _) = case.system.tree, case.system.arm
    M, C_b = matrices(case, tree, case.V_O)
    _, C_s = matrices(case, tree, case.V_M)
    M_bq, g = M[:6, 6:], np.concatenate([gravity_in_base(case), np.zeros(3)])
    G = M_bq.T @ g  # -∂U/∂q: a uniform field pulls as a base that accelerates against it
    return np.asarray(
        tau
        - G
        - M_bq.T @ case.apart
        + (C_s[6:, 6:] - C_b[6:, 6:]) @ qd
        + C_s[6:, :6] @ case.V_M
        - C_b[6:, :6] @ case.V_O
    )


def difference(case: Moment) -> np.ndarray:
    tree = case.system.tree
    loads, nothing = np.zeros(6 + len(tree.topology)), (0.0, 0.0, 0.0)
    base = (six(case.V_O), six(case.V_M), six(case.apart), tuple(gravity_in_base(case).tolist()))
    links = scratch_for(tree)
    place_composite(tree, case.system.arm[0].copy(), case.system.arm[1].copy(), links)
    fill_difference(tree, base, (0.0, nothing, nothing), loads, links)
    return loads


@pytest.mark.parametrize("seed", SEEDS)
def test_the_ground_arm_is_given_the_torque_of_the_paper(seed: int) -> None:
    case, tau = chaser_moment(seed), np.random.default_rng(seed).uniform(-20, 20, 7)
    found = tau + difference(case)[6:]
    np.testing.assert_allclose(found, torque_22(case, tau), rtol=0.0, atol=EXACT)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_ground_arm_on_its_carrier_accelerates_as_in_orbit(seed: int) -> None:
    """(20) with the torque (22), on a carrier that accelerates as (18) demands, gives the q̈ of (12)
    that (18) was told."""
    case, tree = chaser_moment(seed), pair.chaser()[0]
    tau = np.random.default_rng(seed).uniform(-20.0, 20.0, 7)
    nu_rate, scratch = np.zeros(13), scratch_for(tree)
    loads = Loads(tau, case.system.wrenches)
    multibody.forward_dynamics(tree, case.motion(case.V_O), loads, nu_rate, scratch)
    case.system.arm[2] = nu_rate[6:]
    carrier = proper_acceleration(
        six(case.V_M), six(case.demanded), tuple(gravity_in_base(case).tolist())
    )
    qdd = np.zeros(7)
    multibody.prescribed_base(
        tree,
        case.motion(case.V_M),
        Loads(torque_22(case, tau), case.system.wrenches),
        np.concatenate(carrier),
        qdd,
        scratch,
    )
    np.testing.assert_allclose(qdd, nu_rate[6:], rtol=0.0, atol=EXACT)


@kernel
def accelerated_in_orbit(tree, motion, loads, orbit, pose, nu_rate):
    """ν̇ with the tide; `pose` holds p_OC and q_OC, and behind them a scratch table's rows."""
    place, scratch = pose
    R_OC = quat_to_rotation(get4(place, 3))
    mu, R_NO = sky_at(orbit, 0.0)
    place_motion(tree, motion, scratch)
    push_all(loads.wrenches, scratch)
    pull_of_tide(tree, (mu, mul_t(R_OC, R_NO), mul_t(R_OC, get3(place, 0))), scratch)
    a, alpha = accelerate_free(tree, loads.tau, nu_rate[6:], scratch)
    v, w = twist_of(motion.twist)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        nu_rate[i] = a[i] - (w[j] * v[k] - w[k] * v[j])
        nu_rate[3 + i] = alpha[i]


@pytest.mark.parametrize("orbit", [np.zeros(7), LOW_ORBIT], ids=["free", "orbit"])
@pytest.mark.parametrize("seed", SEEDS)
def test_laboratory_and_orbit_accelerate_alike_with_and_without_the_tide(
    seed: int, orbit: np.ndarray
) -> None:
    """V̇_b = V̇_s + d/dt δV and one q̈; the tide acts on nominal motion and chaser in orbit, while
    the laboratory feels its weight instead."""
    case, tree = chaser_moment(seed), pair.chaser()[0]
    case.y[:3] += [20.0, -30.0, 10.0]
    nominal = case.system.nominal._replace(orbit=orbit)
    tau = np.random.default_rng(seed).uniform(-20.0, 20.0, 7)
    system = Together(
        nominal,
        tree,
        case.system.wrenches,
        tau,
        GRAVITY,
        np.zeros(13),
        np.zeros((9, scratch_for(tree).shape[1])),
    )
    y = np.concatenate([case.y, case.system.arm[0], case.system.arm[1]])
    rate, flight = np.zeros(len(y)), np.zeros(19)
    entry.together_rate(system, y, 0.0, rate)
    # back to the orbit by (23)
    row, shown, state_rate = np.zeros(19), np.zeros(19), np.zeros(STATE_WIDTH)
    course = Course(nominal, np.zeros((1, system.scratch.shape[1])))
    entry.nominal_at(course, y[:STATE_WIDTH].copy(), 0.0, state_rate, row)
    shown[:13], shown[13:] = y[SHOWN : SHOWN + JOINTS], rate[SHOWN + 7 : SHOWN + JOINTS]
    entry.to_orbit(row, shown, flight)
    nu_rate = np.zeros(13)
    motion = Motion(flight[7:13], case.system.arm[0].copy(), case.system.arm[1].copy())
    accelerated_in_orbit(
        tree, motion, Loads(tau, case.system.wrenches), orbit, (flight, scratch_for(tree)), nu_rate
    )
    np.testing.assert_allclose(flight[13:], nu_rate[:6], rtol=0.0, atol=EXACT)
    np.testing.assert_allclose(rate[SHOWN + JOINTS + 7 :], nu_rate[6:], rtol=0.0, atol=EXACT)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_torque_controlled_carrier_is_given_the_forces_of_the_paper(seed: int) -> None:
    """M_c V̇ + bias - F is (9) for the target and the corrected (16) for the chaser."""
    rng = np.random.default_rng(seed)
    for tree in (pair.target(), pair.chaser()[0]):
        case = moment(tree, rng)
        M, C = matrices(case, carrier_tree(tree), case.V_M)
        _, qd, qdd = case.system.arm
        bias = C[:6, :6] @ case.V_M + C[:6, 6:] @ qd + M[:6, 6:] @ qdd
        if len(tree.topology):
            expected, felt = force_16(case, M, C), on_base(case, tree) - case.system.wrenches[0]
        else:
            expected, felt = force_9(case, M, C), case.system.wrenches[0]
        force = np.empty(6)
        fill_carrier_force(M[:6, :6].copy(), bias, case.demanded.copy(), felt, force)
        np.testing.assert_allclose(force, expected, rtol=0.0, atol=EXACT)


def test_impedance_and_admittance_accelerate_alike() -> None:
    """1e-9 m/s2 is asked; solving 6 × 6 costs some digits of 1e-16 × 0.5 m/s2."""
    assert relative_laws.causalities() < 1e-14


def test_both_sides_of_the_grasp_are_carried_alike() -> None:
    """J_b δV_s = δV_c (28); 1e-12 m/s is asked, some ten roundings of 2 m/s are made."""
    assert relative_laws.port_28() < 1e-14


@pytest.mark.parametrize("seed", SEEDS)
def test_the_target_stores_what_the_contact_puts_in(seed: int) -> None:
    """dW/dt = (V_MT + δV)ᵀ F, of a body whose frame is not at its centre of mass."""
    case = moment(carrier_tree(pair.target()), np.random.default_rng(seed))
    tree, F = case.system.tree, case.system.wrenches[0]
    V_rate = case.demanded + case.apart

    def energy(V: np.ndarray) -> float:
        return float(kinetic_energy(tree.bodies, 0, six(V)))

    # central difference of a quadratic: exact; 1 s away to keep the digits
    rate = 0.5 * (energy(case.V_O + V_rate) - energy(case.V_O - V_rate))
    assert rate == pytest.approx(float(case.V_O @ F), abs=1e-9 * energy(case.V_O))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_contact_exchanges_the_same_power_in_laboratory_and_orbit(seed: int) -> None:
    """Where E holds G, δV drops out of the difference of their twists (28)."""
    rng = np.random.default_rng(seed)
    V_E, V_G, apart, F = rng.uniform(-1.0, 1.0, (4, 6))
    shown = port_power(six(V_E), six(V_G), six(F))
    flown = port_power(six(V_E + apart), six(V_G + apart), six(F))
    assert shown == pytest.approx(flown, abs=1e-14)
    assert shown == pytest.approx(float((V_E - V_G) @ F), abs=1e-14)
