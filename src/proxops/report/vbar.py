"""The chaser's path about the target as rendezvous engineers draw it: V-bar to the right, R-bar
down towards the attractor, and out of plane; with zones, burns and what a drift would do.

Points are (n, 3) in H, of the chaser's centre of mass from the target's [m].
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from proxops.core.plot import AREA, BOLD, DASHED, LINE, MARKS, POINTS, RINGS, Curve, Figure
from proxops.report.burns import burns_of, strokes
from proxops.results.drift import drift_path, mission_of
from proxops.results.provenance import provided
from proxops.results.run import Run

WORTH_SEEING = 1.0  # [m]: less of a way is not drawn
CHASER, TARGET = "chaser.p_HCcm", "target.p_HTcm"
KNOWN, SIGMA = "obsw.navigation.p_HC", "obsw.navigation.sigma"
CLOSE = 50.0  # [m] from the target that the close-up shows
FAR = 5.0  # times that: paths that reach as far have a close-up
MARKED = 6  # instants along the path, or some more
APART = 0.04  # of the panel: instants that are nearer to each other have one mark
STROKE = 0.06  # of the panel: the largest burn
ELLIPSE = 0.04  # of the panel: the largest half axis of what is not known
OUTLINE = 181  # points of a curve
THREE_SIGMA = 3.0
PATH, BURNS, PLANNED, DRIFT, CORRIDOR, ERROR, KEEP_OUT, ELLIPSOID = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
)  # colours

IN_PLANE, FROM_ABOVE, FROM_AHEAD = (1, 0), (1, 2), (0, 2)  # components across and upwards
AXES = ("R-bar, to the {} (-x in H) [m]", "V-bar, along-track (y in H) [m]", "normal, z in H [m]")


@dataclass(frozen=True)
class Overlays:
    """What is drawn besides the path."""

    planned: np.ndarray | None = None  # (n, 3) [m]
    holds: Mapping[str, Sequence[float]] = field(default_factory=dict)  # points by name [m]
    errors: Sequence[tuple[np.ndarray, np.ndarray]] = ()  # places (3,) [m] and covariances [m2]


def overlays_of(run: Run) -> Overlays:
    """Where the run's plan has places to keep, by the first leg that keeps each."""
    legs = provided(run, "obsw", "plan", "legs")
    holds: dict[str, Sequence[float]] = {}
    for name, leg in legs.items() if isinstance(legs, Mapping) else ():
        place = leg.get("p_H_m") if isinstance(leg, Mapping) else None
        keeps = isinstance(leg, Mapping) and leg.get("does") == "station-keep"
        if keeps and isinstance(place, Sequence) and place not in holds.values():
            holds[str(name)] = place
    return Overlays(holds=holds, errors=_errors(run, holds))


def _errors(run: Run, holds: Mapping[str, Sequence[float]]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Where navigation says that the chaser is as it begins to keep each place, and how well it
    knows that: variances along the axes of H."""
    if not {KNOWN, SIGMA} <= set(run):
        return []
    t, places = run[KNOWN]
    _, sigma = run[SIGMA]
    found = []
    for phase in run.phases:
        row = int(np.searchsorted(t, phase.start_s))
        if phase.name in holds and row < len(t) and np.isfinite(sigma[row, :3]).all():
            found.append((places[row], np.diag(sigma[row, :3] ** 2)))
    return found


def path_figures(run: Run, overlays: Overlays | None = None) -> list[Figure]:
    """The figures, if the run has such a path and an orbit to see it from."""
    if "orbit" not in mission_of(run) or not {CHASER, TARGET} <= set(run):
        return []
    t, chaser = run[CHASER]
    r = chaser - run[TARGET][1]
    known = np.isfinite(r).all(axis=1)
    t, r = t[known], r[known]
    if not len(r) or not np.ptp(r, axis=0).max() > WORTH_SEEING:
        return []
    made = _Scene(run, t, r, overlays or Overlays())
    size = np.linalg.norm(r, axis=1)
    figures = [made.figure("V-bar and R-bar", IN_PLANE, None)]
    if size.max() > FAR * CLOSE and size.min() < CLOSE:
        figures.append(made.figure(f"The last {CLOSE:g} m", IN_PLANE, CLOSE))
    radial, along, _ = np.ptp(r, axis=0)
    side = FROM_AHEAD if radial > along else FROM_ABOVE  # of the axis that it moves along
    figures.append(made.figure("Out of plane", side, None))
    return figures


class _Scene:
    """What the panels share."""

    def __init__(self, run: Run, t: np.ndarray, r: np.ndarray, overlays: Overlays) -> None:
        self.t, self.r, self.overlays = t, r, overlays
        mission = mission_of(run)
        zones = mission.get("zones")
        self.zones: Mapping[str, object] = zones if isinstance(zones, Mapping) else {}
        orbit = mission.get("orbit")
        body = orbit.get("attractor", "") if isinstance(orbit, Mapping) else ""
        self.attractor = str(body).capitalize() or "attractor"
        self.burns = burns_of(run)
        self.drift, self.drift_note = _worst_drift(run)

    def figure(self, title: str, axes: tuple[int, int], within: float | None) -> Figure:
        """A panel of these two components; of all of it, or so many metres about the target."""
        curves = [*_zone_curves(self.zones, axes)]
        if self.drift is not None:
            curves.append(_curve(self.drift_note, self.drift, axes, DASHED, DRIFT))
        if self.overlays.planned is not None:
            curves.append(_curve("planned", self.overlays.planned, axes, DASHED, PLANNED))
        curves.append(_curve("flown", self.r, axes, BOLD, PATH))
        plane, window = axes == IN_PLANE, self._window(axes, within)
        width = window[0][1] - window[0][0]
        if self.burns is not None:
            pushed = strokes(self.burns, STROKE * width)
            curves.append(_curve("burns, along the delta-v", pushed, axes, BOLD, BURNS))
        errors = [
            each
            for each in self.overlays.errors
            if within is None or np.linalg.norm(each[0]) < 1.1 * within
        ]
        if errors:
            scale = _enlargement(errors, axes, ELLIPSE * width)
            rings = [_ellipse(place, scale**2 * covariance, axes) for place, covariance in errors]
            label = "three sigma of navigation" + (f", {scale:g} times" if scale > 1.0 else "")
            curves.append(_curve(label, np.vstack(rings), axes, LINE, ERROR))
        chosen = _marked(self.t, self.r, within)
        if plane:  # seen from above they would hide each other
            least = APART * width * (2.0 if within else 1.0)  # a close-up has half the page
            chosen = _apart(chosen, _shown(self.r, axes), least)
            notes = tuple(f"{self.t[i]:.5g} s" for i in chosen)
            curves.append(_curve("time", self.r[chosen], axes, MARKS, PATH, notes))
        if self.overlays.holds:
            points = np.array(list(self.overlays.holds.values()), dtype=float)
            names = tuple(self.overlays.holds)
            curves.append(_curve("hold points", points, axes, RINGS, PLANNED, names))
        curves.append(_curve("target", np.zeros((1, 3)), axes, POINTS, KEEP_OUT))
        return Figure(
            title,
            AXES[axes[1]].format(self.attractor),
            tuple(curves),
            x=AXES[axes[0]].format(self.attractor),
            caption=self._caption(within),
            equal=True,
            down=plane,
            wide=plane and within is None,
            linked=False,
            window=window,
        )

    def _caption(self, within: float | None) -> str:
        if within is not None:
            return ""
        return (
            "Centre of mass of the chaser from the target's, in the Hill frame; both axes to the "
            "same scale."
        )

    def _window(
        self, axes: tuple[int, int], within: float | None
    ) -> tuple[tuple[float, float], tuple[float, float]]:
        """What is in sight of both axes: path and target, with the keep-out zone where the path is
        not much smaller than it."""
        if within is not None:
            reach = 1.1 * within
            return (-reach, reach), (-reach, reach)
        seen = [np.zeros((1, 3)), self.r]
        if self.overlays.planned is not None:
            seen.append(self.overlays.planned)
        radius = _number(self.zones.get("keep_out_m"))
        if np.abs(self.r).max() > 0.5 * radius:
            seen += [np.full((1, 3), radius), np.full((1, 3), -radius)]
        shown = _shown(np.vstack(seen), axes)
        low, high = shown.min(axis=0), shown.max(axis=0)
        margin = 0.06 * max(float((high - low).max()), WORTH_SEEING)
        across, up = zip((low - margin).tolist(), (high + margin).tolist(), strict=True)
        return across, up


def _shown(points: np.ndarray, axes: tuple[int, int]) -> np.ndarray:
    """Points as a panel shows them: R-bar is -x."""
    return points[:, axes] * [-1.0 if axis == 0 else 1.0 for axis in axes]


def _curve(
    label: str,
    points: np.ndarray,
    axes: tuple[int, int],
    kind: str,
    colour: int,
    notes: tuple[str, ...] = (),
) -> Curve:
    x, y = _shown(points, axes).T
    return Curve(label, x, y, kind, colour, notes)


def _marked(t: np.ndarray, r: np.ndarray, within: float | None) -> list[int]:
    """Rows at round times along the path, the first and the last."""
    inside = np.arange(len(t))
    if within is not None:
        inside = np.flatnonzero(np.linalg.norm(r, axis=1) <= within)
    first, last = float(t[inside[0]]), float(t[inside[-1]])
    rough = max(last - first, 1e-9) / MARKED
    power = 10.0 ** np.floor(np.log10(rough))
    step = power * next(each for each in (1.0, 2.0, 5.0, 10.0) if each * power >= rough)
    times = np.arange(np.ceil(first / step), np.floor(last / step) + 1.0) * step
    found = {int(inside[np.abs(t[inside] - each).argmin()]) for each in times}
    return sorted(found | {int(inside[0]), int(inside[-1])})


def _apart(rows: list[int], shown: np.ndarray, least: float) -> list[int]:
    """Those rows that are so far from each other; the first, then the last, then the others."""
    kept: list[int] = []
    for row in (rows[0], rows[-1], *rows[1:-1]):
        if all(np.hypot(*(shown[row] - shown[each])) >= least for each in kept):
            kept.append(row)
    return sorted(kept)


def _worst_drift(run: Run) -> tuple[np.ndarray | None, str]:
    """The free drift from the row that comes nearest to the target, and its name."""
    if "safety.drift_distance" not in run:
        return None, ""
    t, least = run["safety.drift_distance"]
    if not np.isfinite(least).any():
        return None, ""
    row = int(np.nanargmin(least))
    found = drift_path(run, row)
    label = f"free drift from {t[row]:.4g} s on (down to {round(float(least[row]), 2):.5g} m)"
    return (None, "") if found is None else (found[1], label)


def _zone_curves(zones: Mapping[str, object], axes: tuple[int, int]) -> list[Curve]:
    """Outlines of the zones: sphere and ellipsoid as they are seen along the third axis, of a
    corridor what lies in the plane through its axis."""
    curves = []
    angle = np.linspace(0.0, 2.0 * np.pi, OUTLINE)
    circle = np.zeros((OUTLINE, 3))
    circle[:, axes[0]], circle[:, axes[1]] = np.cos(angle), np.sin(angle)
    half_axes = zones.get("approach_ellipsoid_m")
    if isinstance(half_axes, Sequence) and len(half_axes) == 3:
        outline = circle * np.array([_number(each) for each in half_axes])
        curves.append(_curve("approach ellipsoid", outline, axes, LINE, ELLIPSOID))
    radius = _number(zones.get("keep_out_m"))
    if radius > 0.0:
        curves.append(_curve("keep-out zone", radius * circle, axes, AREA, KEEP_OUT))
    corridors = zones.get("corridors")
    for name, each in corridors.items() if isinstance(corridors, Mapping) else ():
        outline = _cone(each, axes)
        if outline is not None:
            curves.append(_curve(f"corridor {name}", outline, axes, AREA, CORRIDOR))
    return curves


def _cone(corridor: object, axes: tuple[int, int]) -> np.ndarray | None:
    """The triangle that a corridor cuts from the plane through the target; None for one whose axis
    points out of it."""
    if not isinstance(corridor, Mapping):
        return None
    axis = np.array([_number(each) for each in corridor.get("axis_H", (0.0, 0.0, 0.0))])
    flat = np.zeros(3)
    flat[list(axes)] = axis[list(axes)]
    if np.linalg.norm(flat) < 0.5:
        return None
    flat /= np.linalg.norm(flat)
    beside = np.zeros(3)
    beside[axes[0]], beside[axes[1]] = -flat[axes[1]], flat[axes[0]]
    length, apex = _number(corridor.get("length_m")), _number(corridor.get("apex_m", 0.0))
    rim = length * np.tan(np.radians(_number(corridor.get("half_angle_deg"))))
    tip, end = apex * flat, (apex + length) * flat
    return np.array([tip, end + rim * beside, end - rim * beside, tip])


def _ellipse(place: np.ndarray, covariance: np.ndarray, axes: tuple[int, int]) -> np.ndarray:
    """The ellipse of three sigma of each component seen in a panel."""
    values, vectors = np.linalg.eigh(covariance[np.ix_(axes, axes)])
    angle = np.linspace(0.0, 2.0 * np.pi, OUTLINE)
    radii = THREE_SIGMA * np.sqrt(np.maximum(values, 0.0))
    outline = np.tile(np.asarray(place, dtype=float), (OUTLINE, 1))
    outline[:, axes] += (radii * np.column_stack([np.cos(angle), np.sin(angle)])) @ vectors.T
    outline[-1] = np.nan  # no stroke to the next
    return outline


def _enlargement(
    errors: Sequence[tuple[np.ndarray, np.ndarray]], axes: tuple[int, int], reach: float
) -> float:
    """A round factor by which ellipses that would not be seen are drawn larger, up to a half axis
    of so many metres."""
    variances = [np.linalg.eigvalsh(each[np.ix_(axes, axes)])[-1] for _, each in errors]
    largest = THREE_SIGMA * float(np.sqrt(max(variances)))
    if largest <= 0.0 or largest >= reach:
        return 1.0
    power = 10.0 ** np.floor(np.log10(reach / largest))
    return float(power * max(each for each in (1.0, 2.0, 5.0) if each * power <= reach / largest))


def _number(value: object) -> float:
    """A number of a scenario; zero for what is none."""
    return float(value) if isinstance(value, int | float) and np.isfinite(value) else 0.0
