"""What the report of a flight in an arena has more: the vehicles, and what its scales mean."""

import math

import numpy as np

from proxops.report.page import Page
from proxops.report.tables import number, table
from proxops.results.flight_fidelity import VEHICLES, flying_rows
from proxops.results.flight_figures import error_fit, flight_figures
from proxops.results.provenance import provided
from proxops.results.run import Run

FLIGHT = "lab.flown.p_HC"  # what only flights record
MM = 1e3


def add_flight(page: Page, run: Run) -> None:
    """Errors, scales and figures of both vehicles."""
    if not is_flight(run) or not len(run.rows):
        return
    page.heading("Flight")
    page.add(_errors(run))
    page.figures(list(flight_figures(run)))
    page.heading("Scales of the flight")
    page.add(_scales(run))


def is_flight(run: Run) -> bool:
    """Whether a run was flown by multirotors."""
    return FLIGHT in set(run)


def _errors(run: Run) -> str:
    """Of each vehicle: errors, their fit, attitude."""
    n, rows = flying_rows(run), []
    for craft in VEHICLES:
        error = MM * np.ravel(run[f"lab.vehicles.{craft}.error"][1][:n])
        angles = np.degrees(run[f"lab.vehicles.{craft}.rpy"][1][:n, :2])
        fit = error_fit(run, craft)
        rows.append(
            (
                f"{craft}'s",
                number(float(error.max(initial=0.0)), ".3g"),
                number(float(np.sqrt(np.mean(error**2))) if n else None, ".3g"),
                number(None if fit is None else fit.slope, ".2g"),
                number(None if fit is None else float(fit.half.mean()), ".3g"),
                number(float(angles.std(axis=0).max()) if n else None, ".2g"),
            )
        )
    heads = ("vehicle", "largest error [mm]", "rms [mm]", "fit rises [mm/s]",
             "95 % of samples within ± [mm]", "roll, pitch, std [deg]")  # fmt: skip
    return table(heads, rows, numbers=range(1, len(heads)))


def _scales(run: Run) -> str:
    """What a length, a time and an error of the arena stand for."""
    length, time = (_scale(run, key) for key in ("length_scale", "time_scale"))
    n = flying_rows(run)
    p = run["target.p_HT"][1] - run["chaser.p_HC"][1]
    v = run["target.v_HT"][1] - run["chaser.v_HC"][1]
    apart = np.linalg.norm(p, axis=1)
    lasts, speed = float(run.rows[-1, 0]), float(np.linalg.norm(v, axis=1).max())
    rows = [
        _row("length", "λ", length, "farthest apart", float(apart.max()), "m"),
        _row("time", "1/τ", 1.0 / time, "the run lasts", lasts, "s"),
        _row("speed", "λ τ", length * time, "fastest approach or departure", speed, "m/s"),
        _row("acceleration", "λ τ²", length * time**2, "", None, "m/s²"),
        _row("angular rate", "τ", time, "", None, "rad/s"),
    ]
    heads = ("quantity", "arena over orbit", "factor", "for example", "in orbit", "in the arena")
    shown = table(heads, rows, numbers=(2, 4, 5))
    flown = run["lab.flown.p_HT"][1] - run["lab.flown.p_HC"][1]
    off = np.linalg.norm(flown[:n] - p[:n], axis=1)
    if not n:
        return shown
    worst = int(off.argmax())
    e, d = float(off[worst]), float(apart[worst])
    return (
        f"{shown}<p>The Hill equations have one time, 1/n, and no length: what is drawn λ = "
        f"{length:g} times as large and flown τ = {time:g} times faster is still a solution, of an "
        f"orbit that turns {time:g} times faster. Mass does not enter while nothing touches.</p>"
        f"<p>An error e of the arena stands for e/λ in orbit, one of velocity for e/(λ τ), and a "
        f"delay of 10 ms for {10.0 * time:g} ms. The largest error of the relative position, "
        f"{number(MM * length * e, '.3g')} mm in the arena, is {number(MM * e, '.3g')} mm in "
        f"orbit: {_percent(e, d)} of the distance of the hubs there, {number(d, '.3g')} m.</p>"
    )


def _percent(part: float, whole: float) -> str:
    return f"{number(100.0 * part / whole, '.2g')} %" if whole > 0.0 else "all"


def _row(
    quantity: str, law: str, factor: float, example: str, in_orbit: float | None, unit: str
) -> tuple[str, ...]:
    cells = ["", ""]
    if in_orbit is not None:
        cells = [f"{number(value, '.4g')} {unit}" for value in (in_orbit, factor * in_orbit)]
    return quantity, law, number(factor, ".4g"), example, *cells


def _scale(run: Run, key: str) -> float:
    """A scale of the mission; 1 where it has none."""
    found = provided(run, "arena", key)
    usable = isinstance(found, int | float) and math.isfinite(found) and found > 0.0
    return float(found) if usable and isinstance(found, int | float) else 1.0
