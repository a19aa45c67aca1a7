"""A choice without a branch is the one that a branch would make."""

import numpy as np
import pytest

from proxops.core.jit import kernel
from proxops.core.select import any_of, select


@kernel
def chosen(a, b, out):
    """The smaller of two numbers, a whole number for one, and what is no number left alone."""
    out[0] = select(a < b, a, b)
    out[1] = select(a < b, 1, 0.5)
    out[2] = select(a != a, b, a)
    if any_of(a < b):
        out[3] = 1.0


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (1.0, 2.0, (1.0, 1.0, 1.0, 1.0)),
        (3.0, 2.0, (2.0, 0.5, 3.0, 0.0)),
        (np.nan, 2.0, (2.0, 0.5, 2.0, 0.0)),
    ],
)
def test_select_takes_the_first_where_the_test_holds(a, b, expected) -> None:
    out = np.zeros(4)
    chosen(a, b, out)
    assert tuple(out) == expected


def test_select_is_the_same_where_nothing_is_compiled() -> None:
    assert (select(True, 1.0, 2.0), select(False, 1.0, 2.0)) == (1.0, 2.0)
    assert (any_of(True), any_of(False)) == (True, False)
