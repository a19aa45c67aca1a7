"""Rows of a table in order of time."""

from proxops.core.jit import part


@part
def last_until(table, column, t):
    """The last row whose time, in that column, is not after t; -1 if all are."""
    low, high = -1, table.shape[0]
    while high - low > 1:
        middle = (low + high) // 2
        if table[middle, column] <= t:
            low = middle
        else:
            high = middle
    return low
