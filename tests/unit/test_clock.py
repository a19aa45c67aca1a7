"""Time in whole nanoseconds."""

import pytest

from proxops.core.clock import clean_rates_near, is_integer_ns


@pytest.mark.parametrize(
    ("rate", "near"),
    [
        (900.0, (800.0, 1000.0)),
        (333.0, (320.0, 400.0)),
        (3.0, (2.5, 3.2)),
        (0.7, (0.625, 0.8)),
        (9.99999999999999e-05, (8e-5, 1e-4)),  # its logarithm is rounded to -4
    ],
)
def test_rates_near_another_have_periods_of_whole_nanoseconds(rate, near):
    found = clean_rates_near(rate)
    assert found == pytest.approx(near)
    assert all(is_integer_ns(1.0 / each) for each in found)
