"""A few small plots beside the scene, with a cursor at the shown time."""

import html
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import viser
import viser.uplot

from proxops.facility.robot_cell.industrial.robot import LOWER, UPPER
from proxops.results.decimate import decimate
from proxops.results.flight_figures import thrust_margin
from proxops.viewer.hardware import Hardware
from proxops.viewer.poses import CRAFTS

MAX_PLOTS = 3
MAX_POINTS = 500
MIN_MARGIN = 1e-3  # above and below: what moves less, in its unit, is drawn as at rest
_AT_REST = 1e-6  # [deg/s]; less is rounding, not worth a plot
SLIDES = 1.0  # [m]; what moves farther flies
HEIGHT = 110  # pixels
COLOURS = ("#4dabf7", "#ffa94d", "#69db7c", "#e599f7", "#ffd43b", "#63e6be", "#ff8787", "#adb5bd")


@dataclass(frozen=True)
class Curves:
    """Curves over time, in one unit."""

    title: str
    names: tuple[str, ...]
    values: np.ndarray  # (n, k)


Chooser = Callable[[Hardware, np.ndarray], Curves | None]


def curves_of(hardware: Hardware, rows: np.ndarray) -> list[Curves]:
    """The most telling curves of rows, most telling first."""
    found = (choose(hardware, rows) for choose in CHOOSERS)
    return [curves for curves in found if curves is not None][:MAX_PLOTS]


def _contact_force(hardware: Hardware, rows: np.ndarray) -> Curves | None:
    names = [each.name for each in hardware.contacts if hardware.has(f"contacts.{each.name}.f")]
    if not names:
        return None
    norms = [np.linalg.norm(hardware.of(f"contacts.{name}.f", rows), axis=1) for name in names]
    return Curves("contact force [N]", tuple(names), np.column_stack(norms))


def _measured_force(hardware: Hardware, rows: np.ndarray) -> Curves | None:
    if (
        not hardware.has("lab.measured_wrench")
        or not hardware.of("lab.measured_wrench", rows).any()
    ):
        return None
    return Curves(
        "measured force, T [N]", ("x", "y", "z"), hardware.of("lab.measured_wrench", rows)[:, :3]
    )


def _axis_margin(hardware: Hardware, rows: np.ndarray) -> Curves | None:
    """What is left of the range of the axis that has least, of either robot."""
    robots = hardware.cell_robots
    if robots is None:
        return None
    left = []
    for craft, robot in zip(CRAFTS, robots, strict=True):
        q = hardware.of(f"lab.robots.{craft}.q", rows)
        lower, upper = robot.joints[:, LOWER], robot.joints[:, UPPER]
        left.append(np.degrees(np.minimum(q - lower, upper - q).min(axis=1)))
    return Curves("least axis margin [deg]", CRAFTS, np.column_stack(left))


def _tracking(hardware: Hardware, rows: np.ndarray) -> Curves | None:
    """How far either vehicle of an arena is from its reference."""
    if hardware.arena is None:
        return None
    errors = [1e3 * hardware.of(f"lab.vehicles.{craft}.error", rows) for craft in CRAFTS]
    return Curves("error of the vehicles [mm]", CRAFTS, np.hstack(errors))


def _gap(hardware: Hardware, rows: np.ndarray) -> Curves | None:
    if hardware.arena is None:
        return None
    return Curves("gap between tips [m]", ("gap",), hardware.of("lab.gap", rows))


def _thrust_margin(hardware: Hardware, rows: np.ndarray) -> Curves | None:
    """What the rotor nearest to a limit has left, of either vehicle."""
    if hardware.arena is None:
        return None
    given = hardware.arena.file.vehicle
    left = [
        thrust_margin(
            hardware.of(f"lab.vehicles.{craft}.thrust", rows),
            given.min_thrust_N,
            given.max_thrust_N,
        )
        for craft in CRAFTS
    ]
    return Curves("thrust margin [N]", CRAFTS, np.column_stack(left))


def _bending(hardware: Hardware, rows: np.ndarray) -> Curves | None:
    names, values = [], []
    for craft, described in (("target", hardware.target), ("chaser", hardware.chaser)):
        for each in described.appendages:
            signal = f"{craft}.appendages.{each.name}.q_f"
            if hardware.has(signal):
                samples = hardware.of(signal, rows)
                names.append(each.name)
                values.append(samples[:, int(np.argmax(np.ptp(samples, axis=0)))])
    if not names:
        return None
    kinds = {each.unit for craft in (hardware.target, hardware.chaser) for each in craft.appendages}
    if kinds == {"m"}:
        return Curves("bending q_f [mm]", tuple(names), 1e3 * np.column_stack(values))
    return Curves("bending q_f", tuple(names), np.column_stack(values))


def _pad_use(hardware: Hardware, rows: np.ndarray) -> Curves | None:
    frictional = [each for each in hardware.contacts if each.mu_static > 0.0]
    if not frictional:
        return None
    each = frictional[0]
    values = 100.0 * hardware.of(f"contacts.{each.name}.cone", rows).max(axis=1)
    return Curves("friction cone used [%]", ("largest of pads",), values[:, None])


def _thrust(hardware: Hardware, rows: np.ndarray) -> Curves | None:
    """What thrusters have burnt, as far as it is recorded: pulses are shorter than rows apart."""
    spent = "chaser.delta_v"
    if hardware.has(spent):
        return Curves("delta-v [mm/s]", ("all",), 1e3 * hardware.of(spent, rows))
    signal = "chaser.thrusters.thrust"
    if not hardware.has(signal):
        return None
    thrust = hardware.of(signal, rows).sum(axis=1)[:, None]
    return Curves("thrust [N]", ("all",), thrust) if thrust.any() else None


def _joints(hardware: Hardware, rows: np.ndarray) -> Curves | None:
    for mounted in hardware.chaser.arms:
        turning = [i for i, joint in enumerate(mounted.arm.joints) if not joint.prismatic]
        if turning:
            q = np.degrees(hardware.of(f"chaser.arms.{mounted.name}.q", rows)[:, turning])
            names = tuple(str(i + 1) for i in turning)
            return Curves(f"joints of arm {mounted.name} [deg]", names, q)
    return None


def _slide(hardware: Hardware, rows: np.ndarray) -> Curves | None:
    if not hardware.contacts:
        return None
    p = hardware.of("relative.p_CT", rows)
    if np.abs(p - p[0]).max() > SLIDES:
        return None
    return Curves("target moved, C [mm]", ("x", "y", "z"), 1e3 * (p - p[0]))


def _distance(hardware: Hardware, rows: np.ndarray) -> Curves | None:
    away = np.linalg.norm(hardware.of("relative.p_CT", rows), axis=1)
    flies = float(np.ptp(away)) > SLIDES
    if not hardware.chaser.arms and not hardware.thrusters and not flies:
        return None
    return Curves("distance of hubs [m]", ("|p_CT|",), away[:, None])


def _hub(hardware: Hardware, rows: np.ndarray) -> Curves | None:
    if not hardware.target.appendages:
        return None
    p = hardware.of("target.p_HT", rows)
    return Curves("target hub, H [mm]", ("x", "y", "z"), 1e3 * (p - p[0]))


def _rates(hardware: Hardware, rows: np.ndarray) -> Curves | None:
    names = ("chaser.w_NC_C", "target.w_NT_T")
    norms = [np.degrees(np.linalg.norm(hardware.of(name, rows), axis=1)) for name in names]
    values = np.column_stack(norms)
    if values.max() < _AT_REST:
        return None
    return Curves("rates [deg/s]", ("chaser", "target"), values)


CHOOSERS: tuple[Chooser, ...] = (
    _tracking,
    _gap,
    _thrust_margin,
    _contact_force,
    _axis_margin,
    _measured_force,
    _bending,
    _slide,
    _pad_use,
    _hub,
    _joints,
    _thrust,
    _distance,
    _rates,
)


class Plots:
    """The curves on the panel."""

    def __init__(self, gui: viser.GuiApi, hardware: Hardware, rows: np.ndarray) -> None:
        self._plots = [_Plot(gui, rows[:, 0], each) for each in curves_of(hardware, rows)]

    def point_at(self, t: float) -> None:
        """Moves the cursors to a time [s]."""
        for plot in self._plots:
            plot.point_at(t)


class _Plot:
    def __init__(self, gui: viser.GuiApi, t: np.ndarray, curves: Curves) -> None:
        columns = curves.values.T
        kept = np.unique(
            np.concatenate([decimate(each, max(5, MAX_POINTS // len(columns))) for each in columns])
        )
        self._t, self._values = t[kept], curves.values[kept]
        low, high = float(self._values.min()), float(self._values.max())
        margin = max(0.06 * (high - low), MIN_MARGIN)
        self._low, self._high = low - margin, high + margin
        series: list[viser.uplot.Series] = [viser.uplot.Series(label="t [s]")]
        for number, name in enumerate(curves.names):
            colour = COLOURS[number % len(COLOURS)]
            series.append(viser.uplot.Series(label=name, stroke=colour, width=1.25))
        series.append(viser.uplot.Series(label="now", stroke="#f8f9fa", width=1))
        gui.add_html(_heading(curves))
        self._handle = gui.add_uplot(
            self._data(float(t[0])),
            tuple(series),
            scales={
                "x": viser.uplot.Scale(time=False, range=(float(t[0]), float(t[-1]))),
                "y": viser.uplot.Scale(range=(self._low, self._high)),
            },
            legend=viser.uplot.Legend(show=False),
            axes=(viser.uplot.Axis(size=26), viser.uplot.Axis(size=58, space=18)),
            height=HEIGHT,
            padding=(4, 22, 0, 0),
        )

    def point_at(self, t: float) -> None:
        self._handle.data = self._data(t)

    def _data(self, t: float) -> tuple[np.ndarray, ...]:
        """Times, curves, and a line that is the floor but for a spike at t."""
        place = int(np.searchsorted(self._t, t))
        times = np.insert(self._t, place, [t, t, t])
        spike = np.full(len(times), self._low)
        spike[place + 1] = self._high
        curves = [
            np.insert(curve, place, [np.interp(t, self._t, curve)] * 3) for curve in self._values.T
        ]
        return (times, *curves, spike)


def _heading(curves: Curves) -> str:
    """What a plot shows, with the colours of its curves."""
    names = ""
    if len(curves.names) > 1:
        names = " ".join(
            f'<span style="color:{COLOURS[number % len(COLOURS)]}">{html.escape(name)}</span>'
            for number, name in enumerate(curves.names)
        )
    return (
        f'<div style="padding:0.35em 0.9em 0;font-size:0.82em;display:flex;gap:0.6em">'
        f"<b>{html.escape(curves.title)}</b><span>{names}</span></div>"
    )
