"""Second-order cone programmes: collected group by group, solved by Clarabel."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np

TOLERANCE = 1e-7  # of the fuel, in units of L n, 1 m/s from a kilometre in low orbits


class Status(Enum):
    """How a solve has ended, each with its sentence."""

    SOLVED = "the plan is optimal"
    INACCURATE = "the solver stopped near the optimum, short of its tolerance"
    INFEASIBLE = "no motion within the thrust reaches the goal by the time of arrival"
    ITERATION_LIMIT = "the solver used all its iterations"
    NO_PROGRESS = "the solver lost its precision before it converged"
    NOT_FINITE = "a number of the problem or of the solver's answer is not finite"

    @property
    def usable(self) -> bool:
        """Whether a plan comes with it."""
        return self in (Status.SOLVED, Status.INACCURATE)


class SolverFault(Enum):
    """How a solve is made to fail, by the name that a scenario gives it."""

    INFEASIBLE = "infeasible"
    ITERATION_LIMIT = "iteration-limit"
    NAN = "nan"


@dataclass(frozen=True)
class Optimum:
    """What the solver gives back."""

    status: Status
    z: np.ndarray  # the variables; NaN where the status is not usable
    iterations: int


@dataclass
class ConeProgramme:
    """min cᵀz with b - A z in a product of cones."""

    cost: np.ndarray  # c
    _entries: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = field(default_factory=list)
    _limits: list[np.ndarray] = field(default_factory=list)
    _cones: list[tuple[str, int, int]] = field(default_factory=list)  # kind, dimension, count
    _rows: int = 0

    def add(self, kind: str, limit: np.ndarray, *terms: tuple[np.ndarray, np.ndarray]) -> None:
        """limit - Σ matrix z[columns] in a cone, for each of g groups of d rows.

        kind      "zero" and "nonnegative" hold row by row, "second-order" group by group:
                  first row ≥ |others|
        limit     (g, d)
        terms     matrix (g, d, c), columns (g, c)
        """
        groups, rows = limit.shape
        if limit.size == 0:
            return
        first = self._rows + rows * np.arange(groups)
        for matrix, columns in terms:
            row = np.broadcast_to((first[:, None] + np.arange(rows))[:, :, None], matrix.shape)
            column = np.broadcast_to(columns[:, None, :], matrix.shape)
            there = matrix != 0.0
            self._entries.append((matrix[there], row[there], column[there]))
        self._limits.append(limit.ravel())
        self._cones.append((kind, rows, groups))
        self._rows += limit.size

    def solve(self, iterations: int, fault: SolverFault | None = None) -> Optimum:
        """The optimum, on one thread: the same programme gives the same bits.  With a fault the
        solver itself fails: on a row 0 = 1, after one iteration, or by what it gives back."""
        import clarabel  # with SciPy half a second: only those who plan pay for it
        from scipy.sparse import csc_matrix

        if fault is SolverFault.INFEASIBLE:
            self.add("zero", np.ones((1, 1)))
        values, rows, columns = (np.concatenate(part) for part in zip(*self._entries, strict=True))
        size = self.cost.size
        A = csc_matrix((values, (rows, columns)), shape=(self._rows, size))
        b = np.concatenate(self._limits)
        if not (np.isfinite(A.data).all() and np.isfinite(b).all()):
            return Optimum(Status.NOT_FINITE, np.full(size, np.nan), 0)
        cones: list[object] = []
        for kind, dimension, count in self._cones:
            if kind == "second-order":
                cones += [clarabel.SecondOrderConeT(dimension)] * count
            elif kind == "zero":
                cones.append(clarabel.ZeroConeT(dimension * count))
            else:
                cones.append(clarabel.NonnegativeConeT(dimension * count))
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.tol_gap_abs = settings.tol_gap_rel = TOLERANCE
        settings.max_iter = 1 if fault is SolverFault.ITERATION_LIMIT else iterations
        settings.direct_solve_method = "qdldl"  # one thread, one order of operations
        linear = csc_matrix((size, size))
        done = 0
        for refine in (False, True) if fault is None else (False,):
            # Refined steps take half as long again, and hardly ever lead farther
            settings.iterative_refinement_enable = refine
            solver = clarabel.DefaultSolver(linear, self.cost, A, b, cones, settings)
            found = solver.solve()
            done += int(found.iterations)
            status = _status(clarabel, found.status)
            if status not in (Status.INACCURATE, Status.NO_PROGRESS):
                break
        z = np.full(size, np.nan) if fault is SolverFault.NAN else np.array(found.x)
        if status.usable and not np.isfinite(z).all():
            status = Status.NOT_FINITE
        if not status.usable:
            z = np.full(size, np.nan)
        return Optimum(status, z, done)


def _status(clarabel: Any, found: object) -> Status:
    """Clarabel's word in ours."""
    words = clarabel.SolverStatus
    known = (
        (words.Solved, Status.SOLVED),
        (words.AlmostSolved, Status.INACCURATE),
        (words.PrimalInfeasible, Status.INFEASIBLE),
        (words.AlmostPrimalInfeasible, Status.INFEASIBLE),
        (words.MaxIterations, Status.ITERATION_LIMIT),
    )
    # A tuple, not a dict: the enum of 0.11 is hashable, that of earlier versions is not
    return next((ours for theirs, ours in known if found == theirs), Status.NO_PROGRESS)
