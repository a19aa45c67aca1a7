"""Plots of a flight in an arena: path, error, roll and pitch, thrusts."""

import math

import numpy as np

from proxops.core.plot import DASHED, POINTS, Curve, Figure
from proxops.results.run import Run

NORMAL_95 = 1.959964  # of a normal distribution, as the samples are many


def flight_figures(run: Run, title: str = "Flight") -> tuple[Figure, ...]:
    """Of the chaser's vehicle."""
    return (_path(title, run), _error(title, run), _tilt(title, run), _thrusts(title, run))


def _path(title: str, run: Run) -> Figure:
    flown, reference = run["lab.p_LCl"][1], run["lab.vehicles.chaser.p_ref"][1]
    target = run["lab.p_LTl"][1]
    return Figure(
        f"{title}: path from above",
        "y in L [m]",
        (
            Curve("reference", reference[:, 0], reference[:, 1], DASHED),
            Curve("flown", flown[:, 0], flown[:, 1]),
            Curve("target's vehicle", target[:1, 0], target[:1, 1], POINTS),
        ),
        x="x in L [m]",
        equal=True,
        linked=False,
    )


def _error(title: str, run: Run) -> Figure:
    """|p_ref - p| over time, its linear fit and where 95 % of further samples would lie."""
    t, error = run["lab.vehicles.chaser.error"]
    error = 1e3 * np.ravel(error)
    curves = [Curve("error", t, error)]
    if len(t) > 2:
        slope, offset = np.polyfit(t, error, 1)
        fit = slope * t + offset
        spread = math.sqrt(float(np.sum((error - fit) ** 2)) / (len(t) - 2))
        off = t - t.mean()
        band = NORMAL_95 * spread * np.sqrt(1.0 + 1.0 / len(t) + off**2 / np.sum(off**2))
        curves += [
            Curve("linear fit", t, fit),
            Curve("95 % of further samples", t, fit + band, DASHED),
        ]
    return Figure(f"{title}: distance from the reference", "error [mm]", tuple(curves))


def _tilt(title: str, run: Run) -> Figure:
    t, angles = run["lab.vehicles.chaser.rpy"]
    curves = [Curve(name, t, np.degrees(angles[:, i])) for i, name in enumerate(("roll", "pitch"))]
    return Figure(f"{title}: roll and pitch", "angle [deg]", tuple(curves))


def _thrusts(title: str, run: Run) -> Figure:
    t, thrusts = run["lab.vehicles.chaser.thrust"]
    lowest, highest = thrusts.min(axis=1), thrusts.max(axis=1)
    return Figure(
        f"{title}: thrusts of the rotors",
        "thrust [N]",
        (Curve("largest", t, highest), Curve("least", t, lowest)),
    )
