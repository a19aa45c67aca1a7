"""Ways of the capture: where they end and how their rates belong together."""

import numpy as np
import pytest

from proxops.onboard.functions.capture.trajectory import (
    FROM_P,
    FROM_Q,
    TO_P,
    along,
    end_of,
    end_time,
    ends_at,
)
from tests.cross.chains import rate_at_zero
from tests.laws.capture_cases import frame_of, random_path, turning
from tests.laws.written import written

BEGIN, LASTS = 3.0, 7.0
# Differences of eighth order with 20 ms: ways of 4 m and π in 7 s are polynomials of fifth order,
# and turns truncate at (10 ms π/s)⁸; rounding is 1e-15 / 20 ms.  A factor of ten on top.
STEP, DIFFERENCE = 0.02, 5e-13

follow = written(along)


@pytest.mark.parametrize("seed", range(5))
def test_a_trajectory_begins_and_ends_at_rest_where_it_shall(seed: int) -> None:
    path = random_path(np.random.default_rng(seed), BEGIN, LASTS)
    q_to, p_to = written(end_of)(path)
    assert written(end_time)(path) == BEGIN + LASTS
    assert written(ends_at)(path, (q_to, p_to))
    assert not written(ends_at)(path, (q_to, (p_to[0], p_to[1], p_to[2] + 1e-12)))
    q_from, p_from = path[FROM_Q : FROM_Q + 4], path[FROM_P : FROM_P + 3]
    for t, q, p in (
        (BEGIN - 1.0, q_from, p_from),
        (BEGIN, q_from, p_from),
        (BEGIN + LASTS, q_to, p_to),
        (BEGIN + LASTS + 1.0, q_to, p_to),
    ):
        trajectory = follow(path, t)
        assert trajectory.X[1] == pytest.approx(p, abs=1e-14)  # a few roundings of metres
        assert abs(np.dot(trajectory.X[0], q)) == pytest.approx(1.0, abs=1e-14)
        assert np.abs([trajectory.v, trajectory.w, trajectory.a, trajectory.alpha]).max() == 0.0


@pytest.mark.parametrize("seed", range(5))
def test_rates_of_a_trajectory_are_derivatives_of_its_pose(seed: int) -> None:
    rng = np.random.default_rng(seed)
    path = random_path(rng, BEGIN, LASTS)
    for now in BEGIN + LASTS * rng.uniform(0.05, 0.95, 3):
        trajectory = follow(path, now)
        R = frame_of(trajectory.X).R

        def rate(of, now=now):
            return rate_at_zero(lambda s: np.array(of(follow(path, now + s))), STEP)

        assert rate(lambda at: at.X[1]) == pytest.approx(trajectory.v, abs=DIFFERENCE)
        assert rate(lambda at: at.v) == pytest.approx(trajectory.a, abs=DIFFERENCE)
        R_rate = rate(lambda at: frame_of(at.X).R)
        assert turning(R, R_rate) == pytest.approx(trajectory.w, abs=DIFFERENCE)
        assert rate(lambda at: at.w) == pytest.approx(trajectory.alpha, abs=DIFFERENCE)


@pytest.mark.parametrize("end", [BEGIN, BEGIN + LASTS])
def test_acceleration_grows_from_none_at_both_ends(end: float) -> None:
    """a = 60 σ shift/T² near an end: no step of what is asked of the base."""
    path = random_path(np.random.default_rng(7), BEGIN, LASTS)
    shift = path[TO_P : TO_P + 3] - path[FROM_P : FROM_P + 3]
    near = 1e-6
    inside = follow(path, end + (near if end == BEGIN else -near))
    growth = 60.0 * (near / LASTS) * np.linalg.norm(shift) / LASTS**2
    # the next terms are 3 σ of it
    assert np.linalg.norm(inside.a) == pytest.approx(growth, rel=1e-6)
