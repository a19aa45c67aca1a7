"""Figures of the flights: paths, and errors with their linear fit and 95 % prediction interval."""

from proxops.core.plot import Figure
from proxops.results.flight_figures import flight_figures
from proxops.validation import multirotor as cases


def figures() -> tuple[Figure, ...]:
    """Of the circle and of the approach."""
    return (
        *flight_figures(cases.flown(cases.CIRCLE), "Circle of 1.8 m in 30 s, three turns"),
        *flight_figures(cases.flown(cases.APPROACH), "Approach, 600 s of orbit at 5:1"),
    )
