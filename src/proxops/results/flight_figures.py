"""Plots of a flight in an arena: paths, errors, attitudes, thrusts, gap."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from pydantic import ValidationError

from proxops.core.plot import AREA, DASHED, Curve, Figure
from proxops.results.flight_fidelity import VEHICLES, flown_vehicles, flying_rows
from proxops.results.line_fit import LineFit, fit_line
from proxops.results.run import Run
from proxops.scenario.schema.arena import FlightArena

PLACES = 60  # along the interval of a fit
MM = 1e3
PLAN, SIDE = (0, 1), (0, 2)  # axes of L that are seen
NEAR = 0.6  # of the room: shorter paths are also seen from near
BOX, FENCE = 7, 6  # colours
COLOURS = {"target": 4, "chaser": 0}
ROUND = 49  # points of a circle


class Seen(NamedTuple):
    """A view of the room."""

    title: str
    axes: tuple[int, int]
    near: bool = False


def arena_file(run: Run) -> FlightArena | None:
    """The arena that a run was flown in; None where its provenance is damaged or another's."""
    given = run.provenance.get("facility")
    try:
        return FlightArena.model_validate(given.get("file") if isinstance(given, Mapping) else None)
    except ValidationError:
        return None


def flight_figures(run: Run, title: str = "Flight") -> tuple[Figure, ...]:
    """Of both vehicles, as long as they fly."""
    n = flying_rows(run)
    if not n:
        return ()
    arena, flown = arena_file(run), flown_vehicles(run)
    return (
        *_paths(title, run, arena),
        *(_error(title, run, craft, n) for craft in flown),
        *(_attitude(title, run, craft) for craft in flown),
        *(_thrusts(title, run, craft, arena) for craft in flown),
        *_margin(title, run, arena),
        _gap(title, run, arena),
    )


def error_fit(run: Run, craft: str, at: np.ndarray | None = None) -> LineFit | None:
    """The line through a vehicle's errors over time [mm, s] while both fly; None for too few."""
    n = flying_rows(run)
    t, error = run[f"lab.vehicles.{craft}.error"]
    if n < 3 or not np.isfinite(error[:n]).all():
        return None
    return fit_line(t[:n], MM * np.ravel(error[:n]), t[:n] if at is None else at)


def _paths(title: str, run: Run, arena: FlightArena | None) -> list[Figure]:
    """From above and from the side, with the room; from near where they are small in it."""
    figures = [
        _path(run, arena, Seen(f"{title}: path from above", PLAN)),
        _path(run, arena, Seen(f"{title}: path from the side", SIDE)),
    ]
    if arena is not None:
        extent = max(np.ptp(_ways(run)[:, axis]) for axis in range(3))
        if extent < NEAR * (arena.p_max_m[0] - arena.p_min_m[0]):
            figures += [
                _path(run, arena, Seen(f"{title}: path from above, near", PLAN, near=True)),
                _path(run, arena, Seen(f"{title}: path from the side, near", SIDE, near=True)),
            ]
    return figures


def _ways(run: Run) -> np.ndarray:
    """Everywhere that a vehicle was or should be (n, 3) [m]."""
    names = ["lab.p_LTl", "lab.p_LCl", *(f"lab.vehicles.{craft}.p_ref" for craft in VEHICLES)]
    return np.vstack([run[name][1] for name in names])


def _path(run: Run, arena: FlightArena | None, seen: Seen) -> Figure:
    i, j = seen.axes
    curves, window = [], None
    if arena is not None:
        low, high = np.array(arena.p_min_m), np.array(arena.p_max_m)
        inset = arena.limits.walls_m
        curves = [
            _outline("room", low, high, seen.axes, AREA, BOX),
            _outline("box that flights keep", low + inset, high - inset, seen.axes, DASHED, FENCE),
        ]
        curves += [_tips(run, craft, seen.axes, arena.vehicle.tips_m) for craft in VEHICLES]
        if seen.near:
            reach = 0.5 * arena.vehicle.tips_m
            low, high = _ways(run).min(axis=0) - reach, _ways(run).max(axis=0) + reach
        margin = 0.04 * float((high - low).max())
        across, up = ((float(low[k] - margin), float(high[k] + margin)) for k in (i, j))
        window = across, up
    for craft, colour in COLOURS.items():
        flown = run[f"lab.p_L{craft[0].upper()}l"][1]
        reference = run[f"lab.vehicles.{craft}.p_ref"][1]
        curves += [
            Curve(f"{craft}: reference", reference[:, i], reference[:, j], DASHED, colour + 1),
            Curve(f"{craft}: flown", flown[:, i], flown[:, j], colour=colour),
        ]
    return Figure(
        seen.title,
        f"{'xyz'[j]} in L [m]",
        tuple(curves),
        x=f"{'xyz'[i]} in L [m]",
        equal=True,
        linked=False,
        window=window,
    )


def _tips(run: Run, craft: str, axes: tuple[int, int], span: float) -> Curve:
    """How far a vehicle reaches as the run begins: a disc, a stroke from the side."""
    i, j = axes
    x, y = run[f"lab.p_L{craft[0].upper()}l"][1][0, [i, j]]
    angle = np.linspace(0.0, 2.0 * np.pi, ROUND)
    up = np.sin(angle) if axes == PLAN else np.zeros(ROUND)
    across, above = x + 0.5 * span * np.cos(angle), y + 0.5 * span * up
    return Curve(f"{craft}'s tips at the start", across, above, colour=COLOURS[craft])


def _outline(
    name: str, low: np.ndarray, high: np.ndarray, axes: tuple[int, int], kind: str, colour: int
) -> Curve:
    """A rectangle with those opposite corners, seen along the third axis."""
    i, j = axes
    x = np.array([low[i], high[i], high[i], low[i], low[i]])
    y = np.array([low[j], low[j], high[j], high[j], low[j]])
    return Curve(name, x, y, kind, colour)


def _error(title: str, run: Run, craft: str, n: int) -> Figure:
    """|p_ref - p| over time, its linear fit and where 95 % of further samples would lie."""
    t, error = run[f"lab.vehicles.{craft}.error"]
    curves = [Curve("error", t, MM * np.ravel(error), colour=0)]
    at = np.linspace(t[0], t[n - 1], PLACES)
    fit, caption = error_fit(run, craft, at), ""
    if fit is not None:
        band = np.concatenate([fit.line + fit.half, (fit.line - fit.half)[::-1]])
        around = np.concatenate([at, at[::-1]])
        curves += [
            Curve("95 % prediction interval", around, band, AREA, 2),
            Curve("linear fit", at, fit.line, colour=1),
        ]
        caption = (
            f"The fit rises by {fit.slope:.2g} mm/s; 95 % of further samples lie within "
            f"{fit.half.mean():.2g} mm of it, were they normal and independent. Samples a moment "
            "apart are alike, and none is below zero: it shows the size of errors, no probability."
        )
    return Figure(
        f"{title}: distance of the {craft}'s vehicle from its reference",
        "error [mm]",
        tuple(curves),
        caption=caption,
    )


def _attitude(title: str, run: Run, craft: str) -> Figure:
    t, angles = run[f"lab.vehicles.{craft}.rpy"]
    shown = np.degrees(angles)
    shown[:, 2] = np.degrees(np.unwrap(angles[:, 2]))
    names = ("roll", "pitch", "yaw")
    curves = tuple(Curve(name, t, shown[:, i], colour=i) for i, name in enumerate(names))
    return Figure(f"{title}: roll, pitch and yaw of the {craft}'s vehicle", "angle [deg]", curves)


def _thrusts(title: str, run: Run, craft: str, arena: FlightArena | None) -> Figure:
    t, thrusts = run[f"lab.vehicles.{craft}.thrust"]
    curves = [Curve(f"rotor {i + 1}", t, thrusts[:, i], colour=i) for i in range(thrusts.shape[1])]
    if arena is not None:
        least, largest = arena.vehicle.min_thrust_N, arena.vehicle.max_thrust_N
        label = f"limits {least:g} and {largest:g} N"
        curves.append(_levels(label, t, (least, largest)))
    return Figure(
        f"{title}: thrusts of the rotors of the {craft}'s vehicle", "thrust [N]", tuple(curves)
    )


def _margin(title: str, run: Run, arena: FlightArena | None) -> list[Figure]:
    """What the rotor nearest to a limit has left."""
    if arena is None:
        return []
    curves, least = [], []
    for craft in flown_vehicles(run):
        colour = COLOURS[craft]
        t, thrusts = run[f"lab.vehicles.{craft}.thrust"]
        left = thrust_margin(thrusts, arena.vehicle.min_thrust_N, arena.vehicle.max_thrust_N)
        curves.append(Curve(craft, t, left, colour=colour))
        least.append(f"{left.min():.2f} N of the {craft}'s vehicle")
    caption = f"Of the rotor nearest to one of its limits; at least {' and '.join(least)}."
    return [Figure(f"{title}: thrust margin", "margin [N]", tuple(curves), caption=caption)]


def thrust_margin(thrusts: np.ndarray, least: float, largest: float) -> np.ndarray:
    """What the rotor nearest to one of its limits has left [N], of thrusts (..., 6) [N]."""
    return np.asarray(np.minimum(thrusts - least, largest - thrusts).min(axis=-1))


def _gap(title: str, run: Run, arena: FlightArena | None) -> Figure:
    t, gap = run["lab.gap"]
    curves = [Curve("gap", t, np.ravel(gap), colour=0)]
    if arena is not None:
        least = (arena.limits.separation - 1.0) * arena.vehicle.tips_m
        curves.append(_levels(f"least {least:.3g} m", t, (least,)))
    return Figure(f"{title}: gap between tips", "gap [m]", tuple(curves))


def _levels(label: str, t: np.ndarray, values: tuple[float, ...]) -> Curve:
    """Level lines as one curve, so that they are always in sight."""
    x = np.tile([t[0], t[-1], np.nan], len(values))
    y = np.ravel([(value, value, np.nan) for value in values])
    return Curve(label, x, y, DASHED, BOX)
