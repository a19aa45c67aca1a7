"""Recorded wrenches played back onto the hubs, with the impulse that was recorded.

    F = straight between rows, zero before the first and after the last
    on the hub during a step from t to t + h:   (J(t + h) - J(t))/h,   J(t) = ∫ F dt until t

so that over the steps nothing is lost, whatever the rows' spacing.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part
from proxops.core.rows import last_until
from proxops.plant.model import DRIVE_FORCE

# Columns of a history
TIME = 0  # [s]
WRENCH = 1  # force [N], torque [N m], hub axes, at the hub's centre of mass
IMPULSE = 7  # of that until the row [N s, N m s]
HISTORY_WIDTH = 13
COMPONENTS = 6


class Histories(NamedTuple):
    """A history for each spacecraft, without rows where there is none."""

    chaser: np.ndarray
    target: np.ndarray


def history(rows: np.ndarray) -> np.ndarray:
    """The table that kernels read, from rows of time and wrench (n, 7)."""
    table = np.zeros((len(rows), HISTORY_WIDTH))
    table[:, :IMPULSE] = rows
    t, F = rows[:, TIME], rows[:, WRENCH:]
    means = 0.5 * (F[1:] + F[:-1]) * np.diff(t)[:, np.newaxis]
    table[1:, IMPULSE:] = np.cumsum(means, axis=0)
    return table


def no_history() -> np.ndarray:
    """Nothing to play back."""
    return np.zeros((0, HISTORY_WIDTH))


@helper
def impulse_until(table, row, t, component):
    """J(t) of a component, `row` being the last one not after t."""
    if row < 0:
        return 0.0
    J = table[row, IMPULSE + component]
    if row == table.shape[0] - 1:
        return J
    F = table[row, WRENCH + component]
    since = t - table[row, TIME]
    share = since / (table[row + 1, TIME] - table[row, TIME])
    return J + since * (F + 0.5 * share * (table[row + 1, WRENCH + component] - F))


@part
def play(table, t, h, drive, body):
    """Adds the mean wrench from t to t + h to a body's drive, if there is a history."""
    if table.shape[0] == 0:
        return
    first, last = last_until(table, TIME, t), last_until(table, TIME, t + h)
    for i in range(COMPONENTS):
        gained = impulse_until(table, last, t + h, i) - impulse_until(table, first, t, i)
        drive[body, DRIVE_FORCE + i] += gained / h
