"""Small motion of a hub with beams: predicted roots against simulation and closed forms."""

import cmath
import math
from dataclasses import replace

import numpy as np
import pytest
from tests.laws.plants import appendages, solid

from proxops import plant
from proxops.core.description import CraftDescription, RigidInertia
from proxops.physics.flexible import beam, linear
from proxops.physics.flexible.appendage import cantilever
from proxops.plant import layout
from proxops.plant.build import start_state
from proxops.plant.step import step
from proxops.plant.workspace import quiet_drive, workspace
from proxops.validation import flexible as client
from proxops.validation import ringing

HZ = 2.0 * math.pi
ALONG_Z, ABOUT_Y = 2, 4  # in the hub's six


def cube_with_beams(mass):
    return linear.flexible(client.hub(mass), client.beams((0.0, 0.0)))


def moving(roots, column):
    """Those roots that move the hub in a direction."""
    return [root for root in roots if abs(root.hub[column]) > 1e-9]


def one_shape(mass):
    """The cube with the first bending shape alone, as in the scalar equation."""
    data = beam.Beam(client.BEAM_MASS, client.LENGTH, client.STIFFNESS, client.ZETA, 1, "z")
    start = (np.zeros(1), np.zeros(1))
    both = [
        cantilever("beam", data, np.diag([side, side, 1.0]), np.zeros(3), start)
        for side in (1.0, -1.0)
    ]
    return linear.flexible(client.hub(mass), both)


def test_free_roots_are_the_eigenvalues_of_hub_and_modes_together():
    rng = np.random.default_rng(5)
    body = solid(rng, 60.0, 1.0)
    hub = RigidInertia(body.mass, body.com, body.inertia)
    system = linear.flexible(hub, appendages(rng, 1.0, 0.01))
    M, C, K = linear.matrices(system)
    zero, one = np.zeros_like(M), np.eye(len(M))
    together = np.block([[zero, one], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    values = np.linalg.eigvals(together)
    # twelve values belong to the free body; being defective they come out near 1e-7, not at zero
    vibrating = sorted((s for s in values if s.imag > 1e-3), key=abs)
    roots = linear.free_roots(system)
    assert len(vibrating) == len(roots) == len(system.omega)
    np.testing.assert_allclose([root.s for root in roots], vibrating, rtol=1e-9)
    for root in roots:
        shape = np.concatenate([root.hub, root.modes])
        residual = (root.s**2 * M + root.s * C + K) @ shape
        assert np.abs(residual).max() < 1e-9 * np.abs(K).max()


def test_from_rest_hub_and_modes_accelerate_as_the_matrices_say():
    """An uneven spacecraft, deflected by 1e-7 so that what is quadratic vanishes; in a step of
    0.1 ms the fastest mode, 12 rad/s, turns by (ωh)² ≈ 1e-6 of what it accelerates."""
    rng, h = np.random.default_rng(6), 1e-4
    bent = [
        replace(each, q_f=1e-6 * each.q_f, q_f_rate=0.0 * each.q_f_rate)
        for each in appendages(rng, 1.0, 0.01)
    ]
    still, inertia = np.zeros(3), np.diag([5.0, 7.0, 9.0])
    craft = CraftDescription(60.0, inertia, still, still, client.UPRIGHT, still, (), tuple(bent))
    other = CraftDescription(1.0, np.eye(3), still, still, client.UPRIGHT, still)
    model = plant.build(craft, other, None)
    y = start_state(model, craft, other)
    n = len(model.chaser_modes) - 1
    moved = np.r_[layout.V : layout.V + 6, layout.JOINTS + n : layout.JOINTS + 2 * n]
    x = np.concatenate([np.zeros(6), y[layout.JOINTS : layout.JOINTS + n]])
    step(model, quiet_drive(model), workspace(model), y, 0.0, h)
    M, _, K = linear.matrices(linear.flexible(RigidInertia(60.0, still, inertia), bent))
    expected = np.linalg.solve(M, -K @ x)
    np.testing.assert_allclose(y[moved] / h, expected, atol=1e-4 * np.abs(expected).max())
    assert np.abs(expected[:6]).min() > 1e-3 * np.abs(expected).max()


@pytest.mark.parametrize("mass", [10.0, 50.0, 250.0])
def test_simulated_small_motion_has_the_predicted_frequencies_and_damping(mass):
    """One beam bent: all four modes ring.  RK4 errs by (ωh)⁴/120 ≈ 5e-6 of a period for the second
    shape, 32 rad/s at 5 ms, and by (ωh)⁵/144/(ωh) ≈ 5e-6 in its damping ratio."""
    roots = linear.free_roots(cube_with_beams(mass))
    for swing, column in zip(client.simulated(mass, (1e-3, 0.0)), (ALONG_Z, ABOUT_Y), strict=True):
        samples = swing.samples[:: client.THINNED]
        seen = ringing.ringing(samples, client.STEP * client.THINNED, client.TERMS)
        expected = moving(roots, column)
        assert len(expected) == 2
        for root in expected:
            s = min(seen, key=lambda each: abs(each - root.s))
            assert ringing.frequency(s) == pytest.approx(root.frequency, rel=1e-5)
            assert ringing.damping(s) == pytest.approx(root.damping, abs=1e-5)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("mass", [10.0, 25.0, 250.0])
def test_with_a_robot_a_single_shape_obeys_the_scalar_equation(mass, order):
    """(m s² + b s + k)(m_s + 2m G) - 2S² G s² = 0, written out by hand."""
    corner, damping, delay = 2.5 * HZ, math.sqrt(0.5), 0.08
    m, form = client.BEAM_MASS, beam.shape(1)
    omega = beam.frequency(1, m, client.LENGTH, client.STIFFNESS)
    loop = linear.Loop((linear.Lag(corner, order),), delay)
    (s,) = (root.s for root in moving(linear.roots(one_shape(mass), loop), ALONG_Z))
    below = 1.0 + s / corner
    if order == 2:
        below = 1.0 + 2.0 * damping * s / corner + (s / corner) ** 2
    G = cmath.exp(-s * delay) / below
    modal = m * (s**2 + 2.0 * client.ZETA * omega * s + omega**2)
    coupled = 2.0 * (form.mean * m) ** 2 * G * s**2
    residual = modal * (mass + 2.0 * m * G) - coupled
    assert abs(residual) < 1e-9 * abs(coupled)


def test_lag_and_delay_take_the_damping_published_for_25_kg():
    """0.0073 without a robot, 0.0017 with 2.5 Hz, -0.0063 with 0.1 s as well: to those digits."""
    lag = (linear.Lag(2.5 * HZ, 1),)
    for loop, expected in (
        (linear.IDEAL, 0.0073),
        (linear.Loop(lag), 0.0017),
        (linear.Loop(lag, 0.1), -0.0063),
    ):
        first = moving(linear.roots(cube_with_beams(25.0), loop), ALONG_Z)[0]
        assert first.damping == pytest.approx(expected, abs=5e-5)


def test_a_small_delay_takes_damping_in_proportion_to_the_sine_of_its_lag():
    """Δζ = -(S²/(m_ff m_s)) sin ωτ to first order in 2m/m_s = 1.7e-3, hence 1 %."""
    mass, delay = 1000.0, 0.05
    system = one_shape(mass)
    free = moving(linear.free_roots(system), ALONG_Z)[0]
    late = moving(linear.roots(system, linear.Loop((), delay)), ALONG_Z)[0]
    share = beam.shape(1).mean ** 2 * client.BEAM_MASS / mass
    lost = share * math.sin(abs(free.s) * delay)
    assert free.damping - late.damping == pytest.approx(lost, rel=0.01)


def test_every_root_found_solves_the_characteristic_equation_and_none_is_found_twice():
    system = cube_with_beams(10.0)
    for order in (1, 2):
        for corner in (1.0, 3.0, 10.0):
            for delay in (0.0, 0.03, 0.1):
                loop = linear.Loop((linear.Lag(corner * HZ, order),), delay)
                roots = linear.roots(system, loop)
                apart = [abs(a.s - b.s) for a in roots for b in roots if a is not b]
                assert min(apart) > 1e-4
                for root in roots:
                    assert _hub_residual(system, loop, root) < 1e-8


def _hub_residual(system, loop, root):
    """|det(M_h + G (M_a - s² D (s² + 2ζω s + ω²)⁻¹ Dᵀ))| over that of M_h: the form in the hub's
    motion, while roots are sought in that of the modes."""
    s, G = root.s, linear.response(loop, root.s)
    own = s * s + 2.0 * system.zeta * system.omega * s + system.omega**2
    felt = system.appendages - s * s * (system.D / own) @ system.D.T
    return abs(np.linalg.det(system.hub + G * felt) / np.linalg.det(system.hub))


def test_the_smallest_stable_hub_is_where_the_last_damping_goes():
    loop = linear.Loop((linear.Lag(2.5 * HZ, 1),), 0.03)
    system = cube_with_beams(25.0)
    scale = linear.smallest_stable_hub(system, loop)

    def least_damping(factor):
        scaled = system._replace(hub=factor * scale * system.hub)
        return min(root.damping for root in linear.roots(scaled, loop))

    assert abs(least_damping(1.0)) < 1e-7
    assert least_damping(1.02) > 1e-5
    assert least_damping(0.98) < -1e-5


def test_without_own_damping_no_hub_withstands_a_delay():
    system = cube_with_beams(25.0)
    undamped = system._replace(zeta=np.zeros(4))
    assert linear.smallest_stable_hub(undamped, linear.Loop((), 0.01)) == math.inf


def test_an_ideal_robot_renders_down_to_what_it_carries():
    """The beams' inertia, 1.66 L²/3 = 0.22 kg m2, is far below the hub's, so that mass decides."""
    scale = linear.smallest_stable_hub(cube_with_beams(25.0), linear.IDEAL)
    assert 25.0 * scale == pytest.approx(2.0 * client.BEAM_MASS, rel=1e-5)


def test_a_resonant_robot_needs_a_hub_heavier_by_its_peak():
    """A fast robot, 1 kHz, which takes no damping from strongly damped modes; ζ = 0.1 peaks at
    1/(2 ζ √(1 - ζ²)) = 5.025."""
    system = cube_with_beams(25.0)._replace(zeta=np.full(4, 0.3))
    loop = linear.Loop((linear.Lag(1000.0 * HZ, 2, 0.1),))
    scale = linear.smallest_stable_hub(system, loop)
    assert 25.0 * scale == pytest.approx(5.025 * 2.0 * client.BEAM_MASS, rel=1e-3)
