"""From orbit to laboratory and back: kinematics through a nominal motion."""

from collections.abc import Callable

import numpy as np
import pytest

from proxops.core.spatial.pose import compose, exp, inverse, log
from proxops.physics.relative import entry
from proxops.physics.relative.command import carried
from proxops.physics.relative.motion import MOTION_WIDTH, RATE, TWIST, P, Q
from tests.cross.chains import rate_at_zero
from tests.laws.relative_cases import Pose, random_row, row

SEEDS = range(5)
# Eighth order over 4 × 10 ms of motions with rates of 1 /s: truncation 1e-16/630, rounding 1e-13
STEP, DIFFERENCE = 0.01, 1e-11
ROUNDING = 2e-14  # some tens of operations on numbers up to ten


def pair(six: np.ndarray) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return tuple(six[:3].tolist()), tuple(six[3:].tolist())


def pose(motion: np.ndarray) -> Pose:
    return tuple(motion[Q:TWIST].tolist()), tuple(motion[P:Q].tolist())


def course(motion: np.ndarray) -> Callable[[float], np.ndarray]:
    """Pose and twist with that value and that first derivative at 0; away from 0 they need not
    belong together."""
    V, V_rate = motion[TWIST:RATE], motion[RATE:]

    def at(s: float) -> np.ndarray:
        X = compose(pose(motion), exp(pair(s * V + 0.5 * s * s * V_rate)))
        return row(X, V + s * V_rate, V_rate)

    return at


def shown(nominal: np.ndarray, flight: np.ndarray) -> np.ndarray:
    out = np.empty(MOTION_WIDTH)
    entry.to_laboratory(nominal, flight, out)
    return out


@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_laboratory_shows_maps_back_to_the_orbit(seed: int) -> None:
    """(23) undoes the command: pose, twist and its rate."""
    rng = np.random.default_rng(seed)
    nominal, flight, back = random_row(rng), random_row(rng), np.empty(MOTION_WIDTH)
    entry.to_orbit(nominal, shown(nominal, flight), back)
    back[Q:TWIST] *= np.sign(back[Q:TWIST] @ flight[Q:TWIST])
    np.testing.assert_allclose(back, flight, rtol=0.0, atol=ROUNDING)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_body_that_follows_the_nominal_motion_stands_still_in_the_laboratory(seed: int) -> None:
    """V_MB = 0 and V̇_MB = 0 wherever on M it is fixed."""
    rng = np.random.default_rng(seed)
    nominal, fixed = random_row(rng), random_row(rng)
    fixed[TWIST:], flight = 0.0, np.empty(MOTION_WIDTH)
    entry.to_orbit(nominal, fixed, flight)
    np.testing.assert_allclose(shown(nominal, flight)[TWIST:], 0.0, atol=ROUNDING)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_commanded_twist_is_the_derivative_of_the_commanded_pose(seed: int) -> None:
    rng = np.random.default_rng(seed)
    nominal, flight = course(random_row(rng)), course(random_row(rng))
    now = shown(nominal(0.0), flight(0.0))
    start = inverse(pose(now))

    def moved(s: float) -> np.ndarray:
        return np.concatenate(log(compose(start, pose(shown(nominal(s), flight(s))))))

    np.testing.assert_allclose(
        rate_at_zero(moved, STEP), now[TWIST:RATE], rtol=0.0, atol=DIFFERENCE
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_commanded_rate_is_the_derivative_of_the_commanded_twist(seed: int) -> None:
    rng = np.random.default_rng(seed)
    nominal, flight = course(random_row(rng)), course(random_row(rng))
    found = rate_at_zero(lambda s: shown(nominal(s), flight(s))[TWIST:RATE], STEP)
    expected = shown(nominal(0.0), flight(0.0))[RATE:]
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=DIFFERENCE)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_nominal_motion_gives_to_a_body_changes_as_its_rate_says(seed: int) -> None:
    """d/dt Ad_{X_MB}⁻¹ V_OM: the part that the paper does not print."""
    rng = np.random.default_rng(seed)
    nominal, body = course(random_row(rng)), course(random_row(rng))

    def given(s: float) -> np.ndarray:
        return np.concatenate(carried(pose(body(s)), pair(nominal(s)[TWIST:RATE])))

    flight = np.empty(MOTION_WIDTH)
    entry.to_orbit(nominal(0.0), body(0.0), flight)
    found = flight[RATE:] - body(0.0)[RATE:]
    np.testing.assert_allclose(found, rate_at_zero(given, STEP), rtol=0.0, atol=DIFFERENCE)
