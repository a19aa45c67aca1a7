"""The figures of the flexible client on a robot, redrawn from our data."""

import math

import numpy as np

from proxops.core.plot import POINTS, RINGS, Curve, Figure
from proxops.facility.rendered.compare import align, swinging
from proxops.validation import flexible as study
from proxops.validation.flexible import Swing
from proxops.validation.table import published

NUMBERS = "flexible"
MM, DEG = 1e3, math.degrees(1.0)
SHIFT, TURN = 2, 4  # column of the hub's motion along z, about y
MASSES = np.linspace(20.0, 260.0, 49)  # [kg]


def figures() -> tuple[Figure, ...]:
    """All of them."""
    shifts = {m: study.simulated(m, (q, q))[0] for m, q in study.SYMMETRIC.items()}
    turns = {m: study.simulated(m, (q, -q))[1] for m, q in study.ASYMMETRIC.items()}
    both, opposed = study.SYMMETRIC[50.0], study.ASYMMETRIC[100.0]
    shown_shift = study.rendered(50.0, (both, both))[0]
    shown_turn = study.rendered(100.0, (opposed, -opposed))[1]
    return (
        _motions("Hub translation, both beams alike", "z [mm]", shifts, MM),
        _motions("Hub rotation, beams opposed", "turn about y [deg]", turns, DEG),
        *_on_robot("50 kg, beams alike", "z", "mm", (shifts[50.0], shown_shift), MM),
        *_on_robot("100 kg, beams opposed", "turn about y", "deg", (turns[100.0], shown_turn), DEG),
        _frequencies(shifts, turns),
        _amplitudes(shifts),
    )


def _time(swing: Swing) -> np.ndarray:
    return study.STEP * np.arange(len(swing.samples))


def _motions(title: str, axis: str, swings: dict[float, Swing], unit: float) -> Figure:
    curves = tuple(
        Curve(f"{mass:g} kg", _time(swing), unit * swing.samples) for mass, swing in swings.items()
    )
    return Figure(title, axis, curves, caption="Simulated, released at rest.", linked=False)


def _on_robot(
    case: str, axis: str, unit: str, pair: tuple[Swing, Swing], factor: float
) -> list[Figure]:
    """A motion as simulated and as the robot shows it, and what is left between them."""
    count = min(len(swing.samples) for swing in pair)
    meant, shown = (swing.samples[:count] for swing in pair)
    t = study.STEP * np.arange(count)
    found = align(meant, shown, study.STEP, study.LONGEST_DELAY)
    later = t >= study.LONGEST_DELAY
    left = swinging(shown[later]) - swinging(np.interp(t[later] - found.delay, t, meant))
    return [
        Figure(
            f"Hub motion, {case}: free and on the robot",
            f"{axis} [{unit}]",
            (Curve("free satellite", t, factor * meant), Curve("robot", t, factor * shown)),
            caption="The robot renders the hub with 2.5 Hz and 0.03 s; it misses part of the first "
            "reaction and drifts.",
            linked=False,
        ),
        Figure(
            f"Hub motion, {case}: error of the robot",
            f"error of {axis} [{unit}]",
            (Curve("robot less free satellite", t[later], factor * left),),
            caption=f"Both without drift, the free one shifted by {found.delay:.3f} s: "
            f"{100.0 * found.difference:.1f} % of the motion is left; on hardware 3 % of "
            "translation and 6 % of rotation were published.",
            linked=False,
        ),
    ]


def _frequencies(shifts: dict[float, Swing], turns: dict[float, Swing]) -> Figure:
    curves = []
    for colour, (name, key, column, swings) in enumerate(
        (("beams alike", "sym", SHIFT, shifts), ("beams opposed", "asym", TURN, turns))
    ):
        roots = np.array([study.predicted(mass, column).frequency for mass in MASSES])
        curves.append(Curve(f"ours, {name}", MASSES, roots, colour=colour))
        curves.append(_published(f"published, {name}", f"{key}-freq", swings, colour))
    return Figure(
        "Frequency of the hub",
        "frequency [Hz]",
        tuple(curves),
        x="mass of the hub [kg]",
        caption="Ours: roots of the linear model with a beam length of 0.6352 m.",
        linked=False,
    )


def _amplitudes(shifts: dict[float, Swing]) -> Figure:
    masses = np.array(list(shifts))
    ours = MM * np.array([swing.amplitude for swing in shifts.values()])
    return Figure(
        "Amplitude of the hub, beams alike",
        "half peak-to-peak of the first cycle [mm]",
        (
            Curve("ours", masses, ours, POINTS, 0),
            _published("published, simulated", "sym-amp", shifts, 1),
            _published("published, theoretical", "theory-amp", shifts, 2),
        ),
        x="mass of the hub [kg]",
        caption="Both beams start at 91.3 mm, at 98.4 mm for the hub of 100 kg.",
        linked=False,
    )


def _published(label: str, key: str, swings: dict[float, Swing], colour: int) -> Curve:
    numbers = published()[NUMBERS]
    values = [numbers[f"{key}-{mass:g}"].published for mass in swings]
    return Curve(label, np.array(list(swings)), np.array(values), RINGS, colour)
