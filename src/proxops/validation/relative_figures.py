"""Figures of the relative dynamics, redrawn from our data."""

import numpy as np

from proxops.assembly.representation import REPRESENTATIONS
from proxops.core.plot import DASHED, Curve, Figure
from proxops.validation import relative_hil
from proxops.validation.relative import FACILITY, TUMBLING, lab_path, lasting

AXES = ("x", "y", "z")


def figures() -> tuple[Figure, ...]:
    """The unforced experiment, and where the ring goes in the lab."""
    t, ours, _ = relative_hil.flown()
    shown, _ = relative_hil.shown()
    moved = [1e3 * (each - ours[0]) for each in (ours, shown)]
    return (
        Figure(
            "Target seen from the chaser, unforced at -1 deg/s",
            "change of p_CT in C [mm]",
            tuple(
                Curve(f"{axis}, {name}", t, samples[:, i], kind, i)
                for samples, name, kind in zip(
                    moved, ("two free bodies", "mock-ups"), (DASHED, "line"), strict=True
                )
                for i, axis in enumerate(AXES)
            ),
            caption="The published experiment: models and robots against an engine of their own.",
            linked=False,
        ),
        Figure(
            "What the mock-ups are off by",
            "difference in C [mm]",
            tuple(Curve(axis, t, 1e3 * (shown - ours)[:, i]) for i, axis in enumerate(AXES)),
            caption="Not aligned in time: delay and lag of the robots, 52 ms, times the speed.",
            linked=False,
        ),
        Figure(
            "Ring in the lab, seen from above",
            "y in L [m]",
            tuple(
                Curve(f"{name}, {lasting(name).lasts:.1f} s", *_until_the_end(name))
                for name in REPRESENTATIONS
            ),
            x="x in L [m]",
            equal=True,
            wide=True,
            linked=False,
            caption=f"{TUMBLING} on {FACILITY}, in each form until a limit of a robot is met.",
        ),
    )


def _until_the_end(representation: str) -> tuple[np.ndarray, np.ndarray]:
    """x and y of the grapple point in the lab [m], as long as the robots bear it."""
    t, p = lab_path(representation)
    shown = t <= lasting(representation).lasts
    return p[shown, 0], p[shown, 1]
