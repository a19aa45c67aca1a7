"""Cantilever shapes: frequency equation, boundary conditions, integrals, orthogonality."""

import math

import numpy as np
import pytest

from proxops.physics.flexible import beam

NUMBERS = (1, 2, 3, 8, 20, 40)
LENGTH = 1.7  # [m], so that a length forgotten or squared shows


def gauss(points: int) -> tuple[np.ndarray, np.ndarray]:
    """Places on the beam [m] and their share of its length [m]."""
    x, weight = np.polynomial.legendre.leggauss(points)
    return 0.5 * LENGTH * (x + 1.0), 0.5 * LENGTH * weight


# 200 points integrate products of waves up to βL = 124 (the 40th shape) to rounding
S, DS = gauss(200)


@pytest.mark.parametrize(
    ("number", "root", "sigma", "mean", "moment"),
    [
        # the published table, to its last digit
        (1, 1.87510, 0.73410, 0.78299, 0.56883),
        (2, 4.69409, 1.01847, 0.43394, 0.09077),
    ],
)
def test_the_first_shapes_have_the_published_numbers(number, root, sigma, mean, moment):
    assert beam.shape(number) == pytest.approx((root, sigma, mean, moment), abs=5.1e-6)


@pytest.mark.parametrize("number", NUMBERS)
def test_roots_solve_the_frequency_equation_in_their_own_interval(number):
    x = beam.shape(number).beta_L
    # one ulp of x moves the cosine by as much
    assert math.cos(x) + 1.0 / math.cosh(x) == pytest.approx(0.0, abs=4e-16 * x)
    assert (number - 1) * math.pi < x < number * math.pi


@pytest.mark.parametrize("number", NUMBERS)
def test_shapes_are_clamped_at_the_root_and_free_at_the_tip(number):
    """By differences of fourth order over a hundredth of a radian of the wave, scaled by β."""
    length = beam.shape(number).beta_L  # β = 1
    h = 1e-2

    def derivatives(s, side):
        f = beam.deflection(number, s + side * h * np.arange(7), length)
        first = side * (-25.0 * f[0] + 48.0 * f[1] - 36.0 * f[2] + 16.0 * f[3] - 3.0 * f[4]) / 12.0
        second = (
            812.0 * f[0] - 3132.0 * f[1] + 5265.0 * f[2] - 5080.0 * f[3]
            + 2970.0 * f[4] - 972.0 * f[5] + 137.0 * f[6]
        ) / 180.0  # fmt: skip
        third = side * (
            -49.0 * f[0] + 232.0 * f[1] - 461.0 * f[2] + 496.0 * f[3]
            - 307.0 * f[4] + 104.0 * f[5] - 15.0 * f[6]
        ) / 8.0  # fmt: skip
        return f[0], first / h, second / h**2, third / h**3

    # truncation of the differences: 10 h⁴ ≈ 1e-7; rounding: 1e-14 of amplitude 2, over h³, x 600
    value, slope, _, _ = derivatives(0.0, 1.0)
    assert value == pytest.approx(0.0, abs=1e-13)
    assert slope == pytest.approx(0.0, abs=1e-6)
    _, _, moment, shear = derivatives(length, -1.0)
    assert moment == pytest.approx(0.0, abs=1e-6)
    assert shear == pytest.approx(0.0, abs=1e-5)


@pytest.mark.parametrize("number", NUMBERS)
def test_shapes_follow_the_textbook_formula_while_it_holds(number):
    form = beam.shape(number)
    x = np.linspace(0.0, min(form.beta_L, 8.0), 50)
    textbook = np.cosh(x) - np.cos(x) - form.sigma * (np.sinh(x) - np.sin(x))
    # there cosh and sinh cancel: rounding times e⁸
    assert beam.deflection(number, x, form.beta_L) == pytest.approx(textbook, abs=1e-12)


@pytest.mark.parametrize("number", [*NUMBERS, 500])
def test_every_tip_stands_at_two(number):
    """Alternating in sign, also where cosh βL has long overflown."""
    tip = beam.deflection(number, np.array(LENGTH), LENGTH)
    # rounding of the root times the slope of the wave
    assert tip == pytest.approx(2.0 * (-1.0) ** (number + 1), abs=1e-15 * 4.0 * number + 1e-14)


def test_shapes_are_orthogonal_and_their_squares_fill_the_length():
    """∫ φᵢ φⱼ ds = L δᵢⱼ: what makes the modal mass m."""
    shapes = np.array([beam.deflection(number, S, LENGTH) for number in NUMBERS])
    # rounding: 200 terms of size 4, phases up to 124 rad
    assert shapes @ np.diag(DS) @ shapes.T / LENGTH == pytest.approx(
        np.eye(len(NUMBERS)), abs=1e-12
    )


@pytest.mark.parametrize("number", NUMBERS)
def test_mean_and_moment_are_the_integrals_of_the_shape(number):
    form = beam.shape(number)
    phi = beam.deflection(number, S, LENGTH)
    assert form.mean == pytest.approx(phi @ DS / LENGTH, abs=1e-13)
    assert form.moment == pytest.approx(S * phi @ DS / LENGTH**2, abs=1e-13)


def test_the_shapes_share_out_the_whole_mass():
    """Σ mean² = 1 and Σ moment² = 1/3: a complete set moves like the rigid rod; the rest of n
    shapes falls as Σ (2/βL)² ≈ 4/(π² n)."""
    forms = [beam.shape(number) for number in range(1, 201)]
    left = 1.0 - sum(form.mean**2 for form in forms)
    assert left == pytest.approx(4.0 / (math.pi**2 * 200.0), rel=1e-2)
    # here the rest falls with the cube: 16/(3 π⁴ 200³) = 7e-9
    assert sum(form.moment**2 for form in forms) == pytest.approx(1.0 / 3.0, abs=1e-8)


def test_frequency_is_that_of_the_printed_appendage():
    """0.83 kg, 0.64 m, 0.46 N m²: 0.8137 Hz, and ω = (βL)² √(EI/(m L³))."""
    omega = beam.frequency(1, 0.83, 0.64, 0.46)
    assert omega / (2.0 * math.pi) == pytest.approx(0.8137, abs=5e-5)
    ratio = beam.frequency(3, 0.83, 0.64, 0.46) / omega
    assert ratio == pytest.approx((7.854757 / 1.875104) ** 2, rel=1e-6)


def test_frequency_makes_bending_energy_equal_the_modal_stiffness():
    """Rayleigh: m ω² = EI ∫ φ''² ds, with φ'' by differences, which may reach past the ends."""
    m, EI, number = 3.0, 2.0, 2
    h = 1e-4 * LENGTH
    curve = (
        sum(
            factor * beam.deflection(number, S + shift * h, LENGTH)
            for factor, shift in ((1.0, -1.0), (-2.0, 0.0), (1.0, 1.0))
        )
        / h**2
    )
    omega = beam.frequency(number, m, LENGTH, EI)
    # (βh)²/12 = 2e-8 and rounding 1e-15/h² = 3e-8
    assert EI * (curve**2 @ DS) == pytest.approx(m * omega**2, rel=1e-6)


def first_of_elements(mass: float, length: float, EI: float, count: int) -> float:
    """First angular frequency of a clamped beam of Hermite elements [rad/s], by eigenvalues."""
    h, n = length / count, 2 * (count + 1)
    K, M = np.zeros((n, n)), np.zeros((n, n))
    k = np.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h],
                  [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]])  # fmt: skip
    m = np.array([[156, 22 * h, 54, -13 * h], [22 * h, 4 * h * h, 13 * h, -3 * h * h],
                  [54, 13 * h, 156, -22 * h],
                  [-13 * h, -3 * h * h, -22 * h, 4 * h * h]])  # fmt: skip
    for i in range(count):
        at = slice(2 * i, 2 * i + 4)
        K[at, at] += EI / h**3 * k
        M[at, at] += mass / count / 420.0 * m
    values = np.linalg.eigvals(np.linalg.solve(M[2:, 2:], K[2:, 2:]))
    return float(np.sqrt(values.real.min()))


def test_stiffness_for_a_frequency_gives_a_beam_with_that_frequency():
    mass, omega = 7.3, 2.0
    EI = beam.stiffness_for(omega, mass, LENGTH)
    assert beam.frequency(1, mass, LENGTH, EI) == pytest.approx(omega, rel=1e-14)
    # elements converge with the fourth power of their size: 1e-8 for the first shape at 16
    assert first_of_elements(mass, LENGTH, EI, 16) == pytest.approx(omega, rel=1e-6)
