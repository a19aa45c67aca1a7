"""From a recorded signal to the numbers that people read: their units, names and turns."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from proxops.core.errors import ProxopsError
from proxops.core.units import UNITS
from proxops.report.limits import WHOLE
from proxops.report.plan import TOTAL, TURN, Plot
from proxops.report.quaternions import rotation_vector, turned_since_start
from proxops.results.run import Run, Signal

LENGTHS = ("length", "angle")  # names of the columns that others are the components of
STEADY = 1e-9  # of its SI unit: what changes by less counts as constant
TENTH, MANY = 0.1, 1e4
# SI unit -> unit for values below a tenth, or above ten thousand
SMALL = {"m": "mm", "m/s": "mm/s", "J": "mJ"}
LARGE = {"m": "km", "J": "kJ", "N s": "kN s", "N m s": "kN m s"}
ALWAYS = {"rad": "deg", "rad/s": "deg/s"}
KILO = 1e-3


class Part(NamedTuple):
    """Components of a signal that have one SI unit: columns (n, k) with names, and the number that
    each has in the signal; WHOLE for the length of all."""

    unit: str
    names: tuple[str, ...]
    columns: np.ndarray
    numbers: tuple[int, ...] = ()


def parts(run: Run, signal: Signal, plot: Plot, known: Mapping[str, Sequence[str]]) -> list[Part]:
    """What a plot shows of a signal, parted by units."""
    samples = run[signal.name][1]
    if plot.show == TURN:
        return [turn_part(samples)]
    columns = samples.reshape(len(samples), signal.width)
    if plot.show == TOTAL:
        return [Part(signal.unit, ("all engines",), columns.sum(axis=1, keepdims=True))]
    if plot.less in set(run):
        columns = columns - run[plot.less][1].reshape(columns.shape)
    units = signal.unit.split(",")
    if len(units) != signal.width:
        units = [signal.unit] * signal.width
    found = []
    for unit in dict.fromkeys(units):
        mine = [i for i in range(signal.width) if units[i] == unit]
        names = _names(signal, plot, known, mine)
        part = Part(unit, names, columns[:, mine], tuple(mine))
        found.append(_with_length(part) if plot.norm and len(mine) > 1 else part)
    return found


def turn_part(q: np.ndarray) -> Part:
    """Angle and rotation vector [rad] of quaternions wxyz (n, 4)."""
    vector = rotation_vector(q)
    angle = np.linalg.norm(vector, axis=1)
    return Part("rad", ("angle", "x", "y", "z"), np.column_stack([angle, vector]))


def tumble_part(q: np.ndarray) -> Part:
    """Angle turned since the start [rad] by quaternions wxyz (n, 4): about each axis of the body,
    and in all, along the way."""
    turned = turned_since_start(q)
    along = np.linalg.norm(np.diff(turned, axis=0, prepend=turned[:1]), axis=1)
    return Part("rad", ("angle", "x", "y", "z"), np.column_stack([np.cumsum(along), turned]))


def shown_unit(unit: str, largest: float, wanted: str = "") -> tuple[str, float]:
    """The unit to show values in, and what one SI unit is of it."""
    if wanted == "%":
        return "%", 100.0
    if not wanted and largest >= MANY and unit in LARGE:
        return LARGE[unit], KILO
    small = SMALL.get(unit, unit) if 0.0 < largest < TENTH else unit
    name = wanted or ALWAYS.get(unit, small)
    return name, 1.0 / UNITS[name][1] if name in UNITS else 1.0


def axis_title(name: str, frame: str, unit: str) -> str:
    """Such as "p_CT in C [m]"."""
    where = f" in {frame}" if frame else ""
    return f"{name}{where} [{unit if unit not in ('', '1') else '-'}]"


def spread(columns: np.ndarray) -> np.ndarray:
    """Highest less lowest of each column (k,), not finite where a sample is not."""
    if not len(columns):
        return np.zeros(columns.shape[1])
    return np.asarray(columns.max(axis=0) - columns.min(axis=0))


def steady(columns: np.ndarray) -> np.ndarray:
    """Whether each column (k,) is constant, up to rounding."""
    size = np.abs(columns).max(axis=0, initial=0.0)
    return np.asarray(spread(columns) <= np.maximum(STEADY, 1e-12 * size))


def largest(columns: np.ndarray) -> float:
    """Largest finite magnitude."""
    return float(np.abs(columns[np.isfinite(columns)]).max(initial=0.0))


def component_names(run: Run) -> dict[str, Sequence[str]]:
    """Names of the components of signals, as far as the run's scenario tells: joints, engines."""
    from proxops.assembly.describe import describe
    from proxops.scenario.load import Scenario

    try:
        scenario = Scenario.from_dict(run.provenance.get("scenario", {}))
        chaser = describe(scenario, as_drawn=True)[0]
    except (ProxopsError, KeyError, TypeError, ValueError):
        return {}  # of another version: numbers have to do
    thrusters = tuple(scenario.mission.chaser.thrusters)
    known: dict[str, Any] = {
        f"chaser.thrusters.{quantity}": thrusters for quantity in ("thrust", "impulse")
    }
    for mounted in chaser.arms:
        joints = tuple(joint.name for joint in mounted.arm.joints)
        for quantity in ("q", "qd", "tau", "tau_peak"):
            known[f"chaser.arms.{mounted.name}.{quantity}"] = joints
    return known


def _names(
    signal: Signal, plot: Plot, known: Mapping[str, Sequence[str]], mine: list[int]
) -> tuple[str, ...]:
    given = known.get(signal.name, ())
    if len(given) == signal.width:
        return tuple(given[i] for i in mine)
    if not signal.shape:
        return (signal.name.rpartition(".")[2],)
    if plot.each:
        return tuple(f"{plot.each} {i + plot.first}" for i in mine)
    if len(mine) == 3 and signal.frame:
        named = tuple(signal.frame.split(", "))  # such as roll, pitch, yaw
        return named if len(named) == len(mine) else ("x", "y", "z")
    indexes = list(itertools.product(*map(range, signal.shape)))
    return tuple("".join(f"[{i}]" for i in indexes[number]) for number in mine)


def _with_length(part: Part) -> Part:
    length = np.linalg.norm(part.columns, axis=1)
    columns = np.column_stack([length, part.columns])
    return Part(part.unit, ("length", *part.names), columns, (WHOLE, *part.numbers))
