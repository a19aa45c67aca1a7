"""The force between two bodies after a step of thrust: closed form against integration."""

import numpy as np
import pytest

from proxops.physics.contact.step_down import (
    least_force_after,
    load_share,
    reduced_mass,
    separates,
)


def integrated_least_force(load, x, v, m, c, d, radians=14.0, h=2e-3):
    """The same for arrays of cases, by Runge-Kutta steps of h/ω on  m ẍ = load - c x - d ẋ."""
    dt = h * np.sqrt(m / c)

    def rates(x, v):
        return v, (load - c * x - d * v) / m

    least = np.minimum(c * x + d * v, load)  # load: the limit, however slowly it gets there
    for _ in range(int(radians / h)):
        k1 = rates(x, v)
        k2 = rates(x + 0.5 * dt * k1[0], v + 0.5 * dt * k1[1])
        k3 = rates(x + 0.5 * dt * k2[0], v + 0.5 * dt * k2[1])
        k4 = rates(x + dt * k3[0], v + dt * k3[1])
        x = x + dt / 6.0 * (k1[0] + 2.0 * k2[0] + 2.0 * k3[0] + k4[0])
        v = v + dt / 6.0 * (k1[1] + 2.0 * k2[1] + 2.0 * k3[1] + k4[1])
        least = np.minimum(least, c * x + d * v)
    return least


@pytest.mark.parametrize(
    "zeta", [0.0, 0.02, 0.26, 0.7, 0.999999, 1.0, 1.000001, 1.1, 2.5], ids=lambda z: f"zeta={z}"
)
def test_the_least_force_is_that_of_the_integrated_motion_from_any_state(zeta):
    rng = np.random.default_rng(4)
    cases = 60
    m, c = rng.uniform(100.0, 2000.0, cases), 10.0 ** rng.uniform(4.0, 8.0, cases)
    d = 2.0 * zeta * np.sqrt(m * c)
    load = rng.uniform(0.0, 1500.0, cases)
    x = rng.normal(size=cases) * 1500.0 / c
    v = rng.normal(size=cases) * 1500.0 / np.sqrt(m * c)
    found = [least_force_after(*case) for case in zip(load, x, v, m, c, d, strict=True)]
    # between two samples of a swing of some 1e4 N the least is missed by up to h²/8 of it
    np.testing.assert_allclose(found, integrated_least_force(load, x, v, m, c, d), atol=1e-2)


def test_more_thrust_never_lowers_the_least_force():
    rng = np.random.default_rng(5)
    for _ in range(2000):
        x, v = rng.normal(size=2)
        d = rng.uniform(0.0, 4.0)
        low, high = np.sort(rng.uniform(-1.0, 3.0, 2))
        before = least_force_after(low, x, v, 1.0, 1.0, d)
        # a few roundings of numbers near one
        assert least_force_after(high, x, v, 1.0, 1.0, d) >= before - 1e-14


@pytest.mark.parametrize("n1", range(1, 9))
@pytest.mark.parametrize("n2", range(1, 9))
def test_undamped_bodies_part_where_more_than_half_of_the_engines_go_off(n1, n2):
    if n1 != 2 * n2:  # only touches zero
        assert separates(n1, n2, 0.0) == (n1 > 2 * n2)


@pytest.mark.parametrize(("n1", "n2", "published"), [(3, 1, 0.26), (4, 1, 0.445)])
def test_damping_keeps_bodies_together_above_the_published_ratio(n1, n2, published):
    # printed to 0.005
    assert separates(n1, n2, published - 0.005)
    assert not separates(n1, n2, published + 0.005)


def test_the_contact_carries_what_accelerates_the_target():
    """1500 N on 1200 kg against 8200 kg."""
    assert load_share.py_func(1200.0, 8200.0) * 1500.0 == pytest.approx(1308.5, abs=0.05)
    assert reduced_mass.py_func(1200.0, 8200.0) == pytest.approx(1046.81, abs=0.005)
