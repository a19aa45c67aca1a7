"""The figures of the deorbit study, redrawn from our data."""

import numpy as np

from proxops.core.plot import BARS, Curve, Figure, Level
from proxops.onboard.functions.boost import off_modulation
from proxops.physics.boost import line
from proxops.results.run import Run
from proxops.validation import deorbit as study
from proxops.validation.table import published

NUMBERS = "deorbit"
STEPS = ((4, 3), (4, 1), (3, 2), (3, 1))  # engines before and after
SWINGS = 4.0  # that a step is followed
CYCLE = 1.0  # [s]
MAX_NEEDED = 1.0  # coefficient up to which it is drawn: it grows beyond bounds with the last pad
NAMES = ("+y", "-y", "+z", "-z")  # of the engines


def figures() -> tuple[Figure, ...]:
    """All of them."""
    calibrated = study.locked(0.39, study.TURNED)
    slide = study.sliding(0.38)
    return (
        _steps(),
        _pads(calibrated, "Locked at 0.39 m: forces of the pads", loss=True),
        _lateral(study.locked(0.35), calibrated),
        _friction(study.locked(0.40)),
        _position(slide),
        _velocity(slide),
        _pads(slide, "Sliding from 0.38 m: forces of the pads", loss=False),
        _robot(slide),
        _torque(slide),
        *_modulation(),
    )


def _number(key: str) -> float:
    return published()[NUMBERS][key].published


def _steps() -> Figure:
    pair = study.pushed()
    t = np.linspace(0.0, SWINGS * 2.0 * np.pi / pair.omega, 800)
    curves = []
    for before, after in STEPS:
        one = study.THRUST / len(study.ENGINES)
        force = line.contact_force(pair, before * one, after * one, t)
        force[np.maximum.accumulate(force <= 0.0)] = np.nan
        curves.append(Curve(f"{before} to {after}", 1e3 * t, force))
    return Figure(
        "Engines go off: force between settled bodies",
        "normal force [N]",
        tuple(curves),
        x="time [ms]",
        caption="Where it reaches zero the bodies part, and the curve ends: published for 4 to 1 "
        "and 3 to 1, and so here.",
        levels=(Level("zero: they part", 0.0),),
        linked=False,
    )


def _pads(run: Run, title: str, *, loss: bool) -> Figure:
    t, forces = run["contacts.ring.f_n"]
    curves = tuple(Curve(f"pad {i}", t, forces[:, i]) for i in range(forces.shape[1]))
    instants: tuple[Level, ...] = ()
    if loss:
        ours = study.loss_time(run)
        instants = (
            Level(f"published: lost at {_number('loss-039'):g} s", _number("loss-039")),
            Level(f"ours: {ours:.1f} s", ours),
        )
    caption = "Locked pads may also pull, so that the curves go on." if loss else ""
    return Figure(title, "f_n [N]", curves, caption=caption, instants=instants, linked=False)


def _lateral(printed: Run, calibrated: Run) -> Figure:
    curves = []
    for name, run in (("0.35 m, as printed", printed), ("0.39 m, calibrated", calibrated)):
        t, force = run["holds.lock.f"]
        curves.append(Curve(name, t, np.linalg.norm(force, axis=1)))
    return Figure(
        "Locked: lateral force",
        "|f| across the normal [N]",
        tuple(curves),
        caption="The published value is that of the start.",
        levels=(Level(f"published {_number('lateral-039'):g} N", _number("lateral-039")),),
        linked=False,
    )


def _friction(run: Run) -> Figure:
    t, lateral = run["holds.lock.f"]
    normal = run["contacts.ring.f_n"][1].sum(axis=1)
    pressed = (t >= study.FILLED) & np.logical_and.accumulate((normal > 0.0) | (t < study.FILLED))
    needed = np.linalg.norm(lateral[pressed], axis=1) / normal[pressed]
    needed[needed > MAX_NEEDED] = np.nan
    ours = study.friction_time(run)
    return Figure(
        "Locked at 0.40 m: friction that would hold them",
        "lateral over normal force [-]",
        (Curve("needed", t[pressed], needed),),
        levels=(Level(f"coefficient {study.MU:g}", study.MU),),
        instants=(
            Level(
                f"published: until about {_number('friction-time'):g} s", _number("friction-time")
            ),
            Level(f"ours: {ours:.1f} s", ours),
        ),
        linked=False,
    )


def _position(run: Run) -> Figure:
    t, p = run["relative.p_CT"]
    return Figure(
        "Sliding from 0.38 m: relative position",
        "p_CT in C, across the thrust [m]",
        (Curve("y", t, p[:, 1]), Curve("z", t, p[:, 2])),
        levels=(Level("published: converges to zero", 0.0),),
        linked=False,
    )


def _velocity(run: Run) -> Figure:
    t, p = run["relative.p_CT"]
    v = 1e3 * np.gradient(p, t, axis=0)
    return Figure(
        "Sliding from 0.38 m: relative velocity",
        "d p_CT/dt in C [mm/s]",
        (Curve("y", t, v[:, 1]), Curve("z", t, v[:, 2])),
        caption="Differences of the recorded positions.",
        linked=False,
    )


def _robot(run: Run) -> Figure:
    t, force = run["holds.arm.f"]  # in T, whose x axis is y of the contact
    return Figure(
        "Sliding from 0.38 m: force of the robot",
        "|f|, axes of the contact [N]",
        (Curve("y", t, np.abs(force[:, 0])), Curve("z", t, np.abs(force[:, 2]))),
        levels=(
            Level(f"published largest y {_number('slide-fy'):g} N", _number("slide-fy")),
            Level(f"published largest z {_number('slide-fz'):g} N", _number("slide-fz")),
        ),
        linked=False,
    )


def _torque(run: Run) -> Figure:
    t, torque = run["holds.arm.t"]
    level = Level(f"published largest {_number('slide-tau-x'):g} N m", _number("slide-tau-x"))
    size = np.linalg.norm(torque, axis=1)
    return Figure(
        "Sliding from 0.38 m: torque with which the robot holds the roll",
        "|t| [N m]",
        (Curve("robot", t, size),),
        levels=(level,),
        linked=False,
    )


def _modulation() -> list[Figure]:
    """One cycle of the engines, off-pulses at its begin and staggered."""
    found = []
    thrust = []
    for name, staggered in (("aligned", False), ("staggered", True)):
        on = off_modulation.engines_on(study.shares(), staggered=staggered)
        t = CYCLE * np.arange(len(on) + 1) / len(on)
        bars = []
        for i, engine in enumerate(NAMES):
            edges = np.flatnonzero(np.diff(np.concatenate([[0], on[:, i].astype(int), [0]])))
            spans = t[edges].reshape(-1, 2)
            bars.append(Curve(engine, spans, np.full(len(spans), float(i)), BARS))
        found.append(
            Figure(f"Engines on in a cycle, {name}", "", tuple(bars), rows=NAMES, linked=False)
        )
        share = on @ study.thrusts() / study.THRUST
        thrust.append(Curve(name, np.repeat(t, 2)[1:-1], np.repeat(share, 2)))
    levels = tuple(
        Level(f"published least, {name}: {_number(key):g}", _number(key))
        for name, key in (("aligned", "aligned-min"), ("staggered", "staggered-min"))
    )
    total = Figure(
        "Thrust in a cycle",
        "thrust over full thrust [-]",
        tuple(thrust),
        levels=levels,
        linked=False,
    )
    return [*found, total]
