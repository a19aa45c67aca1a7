"""What M, C, J and their rates owe each other, whatever the craft."""

import numpy as np
import pytest

from proxops.physics.multibody.entry import Loads, Motion, Mount
from tests.cross.chains import (
    LAYOUTS,
    Body,
    Craft,
    moved,
    nu_of,
    random_box,
    random_chain,
    random_loads,
    random_motion,
    random_mount,
    rate_at_zero,
    relative,
)

pytestmark = pytest.mark.parametrize("seed", range(5))
# Differences of eighth order with 1 ms: motions turn with at most Σ|q̇| ≈ 15 rad/s, so truncation
# is below (0.03)⁸/630 < 1e-14; rounding is 1e-15 / 1e-3 = 1e-12 of M or J, which one second changes
# by about their own size.  A factor of ten on top.
STEP, DIFFERENCE = 1e-3, 1e-11
ROUNDING = 1e-13  # a few hundred operations of 1e-16 each


def skew(a: np.ndarray) -> np.ndarray:
    """[a]×"""
    return np.cross(np.eye(3), a)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_kinetic_energy_and_momentum_follow_from_the_mass_matrix(layout: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    chain = random_chain(layout, rng)
    craft = Craft(chain)
    motion = random_motion(chain, rng)
    nu = nu_of(motion)
    M = craft.mass_matrix(motion)
    energy = craft.momentum(motion).kinetic_energy
    assert energy == pytest.approx(0.5 * nu @ M @ nu, rel=ROUNDING)
    assert relative(craft.h(motion), (M @ nu)[:6]) < ROUNDING
    assert np.array_equal(M, M.T)
    assert np.linalg.eigvalsh(M)[0] > 0.0


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rate_of_the_mass_matrix_is_C_plus_its_transpose(layout: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    chain = random_chain(layout, rng)
    craft = Craft(chain)
    motion = random_motion(chain, rng)
    coasting = np.zeros(craft.dof)
    M_rate = rate_at_zero(lambda s: craft.mass_matrix(moved(motion, coasting, s)), STEP)
    C = craft.coriolis(motion)
    assert relative(C + C.T, M_rate, float(np.abs(craft.mass_matrix(motion)).max())) < DIFFERENCE


@pytest.mark.parametrize("layout", LAYOUTS)
def test_equations_of_motion_close(layout: str, seed: int) -> None:
    """M ν̇ + C ν = [0; τ] + Σ Jᵀ F, where the accelerations come from the recursion."""
    rng = np.random.default_rng(seed)
    chain = random_chain(layout, rng)
    craft = Craft(chain)
    motion = random_motion(chain, rng)
    loads = random_loads(chain, rng)
    nu = nu_of(motion)
    applied = np.concatenate([np.zeros(6), loads.tau])
    at_origin = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    for body, wrench in enumerate(loads.wrenches):
        J, _ = craft.jacobian(motion, Mount(body, at_origin))
        applied += J.T @ wrench
    C_nu = craft.coriolis(motion) @ nu
    inertial = craft.mass_matrix(motion) @ craft.acceleration(motion, loads)
    scale = float(np.abs(applied).max() + np.abs(C_nu).max())
    assert relative(craft.bias(motion), C_nu, scale) < ROUNDING
    assert relative(inertial + C_nu, applied, scale) < ROUNDING


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rate_of_the_jacobian_is_its_derivative(layout: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    chain = random_chain(layout, rng)
    craft = Craft(chain)
    motion = random_motion(chain, rng)
    mount = random_mount(chain, rng)
    coasting = np.zeros(craft.dof)
    _, J_rate = craft.jacobian(motion, mount)
    expected = rate_at_zero(lambda s: craft.jacobian(moved(motion, coasting, s), mount)[0], STEP)
    assert relative(J_rate, expected, 1.0) < DIFFERENCE


def test_a_lone_body_at_its_centre_of_mass_has_the_closed_form(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m = 500.0
    inertia = random_box(rng, m, (0.5, 3.0))
    craft = Craft([Body(m, np.zeros(3), inertia)])
    none = np.zeros(0)
    motion = Motion(rng.uniform(-0.5, 0.5, 6), none, none)
    w = motion.twist[3:]
    expected = np.zeros((6, 6))
    expected[:3, :3] = m * skew(w)
    expected[3:, 3:] = -skew(inertia @ w)
    assert relative(craft.coriolis(motion), expected) < ROUNDING
    # Euler's equations
    loads = Loads(none, rng.uniform(-10.0, 10.0, (1, 6)))
    f, t = loads.wrenches[0, :3], loads.wrenches[0, 3:]
    turn = np.linalg.solve(inertia, t - np.cross(w, inertia @ w))
    fall = f / m - np.cross(w, motion.twist[:3])
    assert relative(craft.acceleration(motion, loads), np.concatenate([fall, turn])) < ROUNDING
