"""Appendages as the table of modes that kernels read."""

from collections.abc import Sequence

import numpy as np

from proxops.core.description import AppendageDescription, ModeDescription
from proxops.physics.flexible import modes as columns


def modes_of(appendages: Sequence[AppendageDescription]) -> np.ndarray:
    """The modes of all appendages, after the row that sums up what is constant of them."""
    rows = [np.zeros(columns.MODE_WIDTH)]
    for appendage in appendages:
        rows += [_mode(number, appendage.modes) for number in range(len(appendage.modes))]
    table = np.array(rows)
    table[0, : columns.MOMENT] = -_coupling(table[1:])
    table[0, columns.MOMENT : columns.MOMENT + 6] = -_second_moment(table[1:])
    return table


def start_of(appendages: Sequence[AppendageDescription]) -> tuple[np.ndarray, np.ndarray]:
    """Mass-normalised coordinates at the start, and their rates."""
    scales = [mode.per_eta for each in appendages for mode in each.modes]
    q_f = [x for each in appendages for x in each.q_f]
    q_f_rate = [x for each in appendages for x in each.q_f_rate]
    return np.array(q_f) / np.array(scales), np.array(q_f_rate) / np.array(scales)


def centre_shift(modes: np.ndarray, eta: np.ndarray) -> np.ndarray:
    """S = Σ σ e η: mass times the shift of the centre of mass by deflection, hub axes [kg m]; its
    rate if given the coordinates' rates."""
    bending = modes[1:, columns.E : columns.E + 3] * modes[1:, columns.SIGMA, None]
    return np.asarray(eta @ bending)


def _mode(number: int, modes: Sequence[ModeDescription]) -> np.ndarray:
    """The row of one of an appendage's modes."""
    mode = modes[number]
    row = np.zeros(columns.MODE_WIDTH)
    row[columns.KIND] = columns.BEAM if mode.is_beam else columns.MODAL
    row[columns.STIFFNESS] = mode.omega**2
    row[columns.DAMPING] = 2.0 * mode.zeta * mode.omega
    row[columns.SIGMA] = mode.sigma
    row[columns.E : columns.E + 3] = mode.e
    row[columns.K : columns.K + 3] = mode.k
    row[columns.H : columns.H + 3] = mode.h
    if mode.partner >= 0:
        row[columns.PAIR] = mode.partner - number
        row[columns.AWAY : columns.AWAY + 3] = np.cross(modes[mode.partner].e, mode.e)
    row[columns.PER_ETA] = mode.per_eta
    return row


def _coupling(modes: np.ndarray) -> np.ndarray:
    """Σ D Dᵀ while nothing is deflected, as the blocks of an inertia."""
    S = modes[:, columns.SIGMA, None] * modes[:, columns.E : columns.E + 3]
    D = np.hstack([S, modes[:, columns.H : columns.H + 3]])
    total = D.T @ D
    return np.concatenate(
        [_symmetric(total[:3, :3]), total[:3, 3:].ravel(), _symmetric(total[3:, 3:])]
    )


def _second_moment(modes: np.ndarray) -> np.ndarray:
    """Σ k kᵀ, a shape that bends along two axes counted once."""
    k = modes[modes[:, columns.PAIR] != columns.SECOND, columns.K : columns.K + 3]
    return _symmetric(k.T @ k)


def _symmetric(M: np.ndarray) -> np.ndarray:
    return np.array([M[0, 0], M[1, 1], M[2, 2], M[0, 1], M[0, 2], M[1, 2]])
