"""Energy and momentum change by what is done to the craft, and by nothing else."""

from collections.abc import Callable

import numpy as np
import pytest

from proxops.physics.multibody.entry import Loads, Motion, Mount
from tests.cross.chains import (
    LAYOUTS,
    Body,
    Craft,
    P,
    R,
    momentum_rate,
    moved,
    nu_of,
    random_chain,
    random_loads,
    random_motion,
    rate_at_zero,
    relative,
)

AT_ORIGIN = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
# Eighth order with 1 ms, as for the matrices: rounding 1e-15 / 1e-3 = 1e-12 of energy or momentum
STEP, DIFFERENCE = 1e-3, 1e-11


def applied_at_origin(craft: Craft, motion: Motion, loads: Loads) -> np.ndarray:
    """Every external wrench, moved to the base's origin and into its axes."""
    F = np.zeros(6)
    for body, wrench in enumerate(loads.wrenches):
        F += craft.jacobian(motion, Mount(body, AT_ORIGIN))[0][:, :6].T @ wrench
    return F


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", range(5))
def test_kinetic_energy_grows_by_the_power_put_in(layout: str, seed: int) -> None:
    """dT/dt = τ · q̇ + Σ F · V"""
    rng = np.random.default_rng(seed)
    chain = random_chain(layout, rng)
    craft = Craft(chain)
    motion = random_motion(chain, rng)
    loads = random_loads(chain, rng)
    nu = nu_of(motion)
    power = loads.tau @ motion.qd
    for body, wrench in enumerate(loads.wrenches):
        power += wrench @ craft.jacobian(motion, Mount(body, AT_ORIGIN))[0] @ nu
    nu_rate = craft.acceleration(motion, loads)

    def energy(s: float) -> np.ndarray:
        return np.array(craft.momentum(moved(motion, nu_rate, s)).kinetic_energy)

    scale = float(energy(0.0) + np.abs(loads.tau) @ np.abs(motion.qd))
    assert relative(rate_at_zero(energy, STEP), power, scale) < DIFFERENCE


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", range(5))
def test_momentum_changes_by_external_wrenches_only(layout: str, seed: int) -> None:
    """ḣ = ad_Vᵀ h + F: joint torques do not appear."""
    rng = np.random.default_rng(seed)
    chain = random_chain(layout, rng)
    craft = Craft(chain)
    motion = random_motion(chain, rng)
    loads = random_loads(chain, rng)
    nu_rate = craft.acceleration(motion, loads)
    h = craft.h(motion)
    found = momentum_rate(motion.twist, h, applied_at_origin(craft, motion, loads))
    expected = rate_at_zero(lambda s: craft.h(moved(motion, nu_rate, s)), STEP)
    scale = float(np.abs(h).max() + np.abs(expected).max())
    assert relative(found, expected, scale) < DIFFERENCE


def after_one_second(
    rate: Callable[[float, np.ndarray], np.ndarray], y: np.ndarray, steps: int
) -> np.ndarray:
    """RK4 in equal steps."""
    dt = 1.0 / steps
    for i in range(steps):
        t = i * dt
        k1 = rate(t, y)
        k2 = rate(t + dt / 2, y + dt / 2 * k1)
        k3 = rate(t + dt / 2, y + dt / 2 * k2)
        k4 = rate(t + dt, y + dt * k3)
        y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


@pytest.mark.parametrize("layout", ["3", "7", "3+2"])
def test_momentum_form_moves_the_base_like_the_full_equations(layout: str) -> None:
    """One second under a given arm motion and wrench: they part by the error of RK4 alone.

    So half the step leaves a sixteenth, within the next order's share.  The arm swings with 3 and
    6 rad/s, so 200 steps err by (6/200)⁴/120 = 7e-9 of what it does to the base, which is some
    per cent of the twist: 1e-10.
    """
    rng = np.random.default_rng(7)
    chain = random_chain(layout, rng)
    craft = Craft(chain)
    middle, size, phase = rng.uniform(-0.3, 0.3, (3, craft.n))
    F = rng.uniform(-20.0, 20.0, 6)

    def arm(t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        angle = 3.0 * t + phase
        return middle + size * np.sin(angle), 3 * size * np.cos(angle), -9 * size * np.sin(angle)

    def full(t: float, V: np.ndarray) -> np.ndarray:
        q, qd, qdd = arm(t)
        motion = Motion(V, q, qd)
        M = craft.mass_matrix(motion)
        return np.linalg.solve(M[:6, :6], F - craft.bias(motion)[:6] - M[:6, 6:] @ qdd)

    def form(t: float, h: np.ndarray) -> np.ndarray:
        q, qd, _ = arm(t)
        return momentum_rate(craft.base_twist(h, q, qd), h, F)

    V = rng.uniform(-0.3, 0.3, 6)

    def difference(steps: int) -> float:
        expected = after_one_second(full, V, steps)
        h = after_one_second(form, craft.h(Motion(V, *arm(0.0)[:2])), steps)
        return relative(craft.base_twist(h, *arm(1.0)[:2]), expected)

    coarse, fine = difference(100), difference(200)
    assert fine < 1e-10
    assert coarse / fine == pytest.approx(16.0, rel=0.2)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", range(5))
def test_a_base_carried_along_its_free_motion_needs_no_carrier(layout: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    chain = random_chain(layout, rng)
    craft = Craft(chain)
    motion = random_motion(chain, rng)
    loads = random_loads(chain, rng)
    free = craft.acceleration(motion, loads)
    base = free[:6].copy()
    base[:3] += np.cross(motion.twist[3:], motion.twist[:3])
    qdd, wrench = craft.prescribed(motion, loads, base)
    # the same recursion on both sides: rounding only, relative to a hundred newtons
    assert relative(wrench, np.zeros(6), 100.0) < 1e-12
    assert relative(qdd, free[6:]) < 1e-12


def test_a_geared_pendulum_on_a_rising_carrier_has_the_closed_form() -> None:
    """θ̈ = -m (g + a) l sin θ / (I + rotor), and the carrier bears the weight of what hangs."""
    m, length, inertia, rotor, m_base = 4.0, 0.7, 0.3, 0.9, 100.0
    g, a, theta = 9.81, 1.3, 0.6
    # z of the joint lies along the base's y, its x points down, so θ = 0 hangs
    R_PJ = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0]])
    pendulum = Body(
        m, np.array([length, 0.0, 0.0]), inertia * np.eye(3), 0, R, R_PJ, np.zeros(3), rotor
    )
    craft = Craft([Body(m_base, np.zeros(3), 20.0 * np.eye(3)), pendulum])
    motion = Motion(np.zeros(6), np.array([theta]), np.zeros(1))
    loads = Loads(np.zeros(1), np.zeros((2, 6)))
    rising = np.array([0.0, 0.0, a + g, 0.0, 0.0, 0.0])
    qdd, wrench = craft.prescribed(motion, loads, rising)
    lever = m * length
    expected = -lever * (g + a) * np.sin(theta) / (inertia + lever * length + rotor)
    assert qdd[0] == pytest.approx(expected, rel=1e-14)
    lift = (m_base + m) * (g + a) + lever * expected * np.sin(theta)
    assert wrench[2] == pytest.approx(lift, rel=1e-14)


def test_a_slider_pushes_its_base_away_by_the_ratio_of_masses() -> None:
    """q̈ = τ / (μ + rotor) with μ = m M/(m + M) the reduced mass; the centre of mass stays."""
    m, m_base, rotor, tau = 5.0, 200.0, 2.0, 3.0
    slider = Body(m, np.zeros(3), np.eye(3), 0, P, np.eye(3), np.zeros(3), rotor)
    craft = Craft([Body(m_base, np.zeros(3), 50.0 * np.eye(3)), slider])
    motion = Motion(np.zeros(6), np.zeros(1), np.zeros(1))
    loads = Loads(np.array([tau]), np.zeros((2, 6)))
    nu_rate = craft.acceleration(motion, loads)
    qdd = tau / (m * m_base / (m + m_base) + rotor)
    assert nu_rate[6] == pytest.approx(qdd, rel=1e-14)
    assert nu_rate[2] == pytest.approx(-qdd * m / (m + m_base), rel=1e-14)
