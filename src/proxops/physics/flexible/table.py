"""Appendages as the table of modes that kernels read."""

from collections.abc import Sequence

import numpy as np

from proxops.core.description import AppendageDescription, ModeDescription
from proxops.physics.flexible import modes as columns


def modes_of(appendages: Sequence[AppendageDescription]) -> np.ndarray:
    """The modes of all appendages, after the row that sums up what couples constantly."""
    rows = [np.zeros(columns.MODE_WIDTH)]
    for appendage in appendages:
        first = len(rows) - 1
        rows += [_mode(mode, first) for mode in appendage.modes]
    table = np.array(rows)
    table[0, : columns.REDUCTION_TT + 6] = -_constant_coupling(table[1:])
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


def _mode(mode: ModeDescription, first: int) -> np.ndarray:
    row = np.zeros(columns.MODE_WIDTH)
    row[columns.KIND] = columns.BEAM if mode.is_beam else columns.MODAL
    row[columns.OMEGA] = mode.omega
    row[columns.ZETA] = mode.zeta
    row[columns.SIGMA] = mode.sigma
    row[columns.E : columns.E + 3] = mode.e
    row[columns.K : columns.K + 3] = mode.k
    row[columns.KE] = mode.k @ mode.e
    row[columns.H : columns.H + 3] = mode.h
    grown = (
        2.0 * (mode.k @ mode.e) * np.eye(3) - np.outer(mode.k, mode.e) - np.outer(mode.e, mode.k)
    )
    row[columns.J : columns.J + 6] = _symmetric(grown)
    alone = mode.partner == columns.NO_PARTNER
    row[columns.PARTNER] = columns.NO_PARTNER if alone else first + mode.partner
    row[columns.PER_ETA] = mode.per_eta
    return row


def _constant_coupling(modes: np.ndarray) -> np.ndarray:
    """Σ D Dᵀ over the modes without a partner, as the blocks of an inertia."""
    total = np.zeros((6, 6))
    for row in modes[modes[:, columns.PARTNER] == columns.NO_PARTNER]:
        S = row[columns.SIGMA] * row[columns.E : columns.E + 3]
        D = np.concatenate([S, row[columns.H : columns.H + 3]])
        total += np.outer(D, D)
    return np.concatenate(
        [_symmetric(total[:3, :3]), total[:3, 3:].ravel(), _symmetric(total[3:, 3:])]
    )


def _symmetric(M: np.ndarray) -> np.ndarray:
    return np.array([M[0, 0], M[1, 1], M[2, 2], M[0, 1], M[0, 2], M[1, 2]])
