"""Figures of the digital twin: relative velocities of the centres of mass, redrawn."""

import numpy as np

from proxops.core.plot import Curve, Figure
from proxops.validation import twin

PUBLISHED = {"berthing": 0.015, "unberthing": 0.04}  # peaks [m/s]


def figures() -> tuple[Figure, ...]:
    """One for each direction."""
    return tuple(_figure(mission) for mission in PUBLISHED)


def _figure(mission: str) -> Figure:
    t, v = twin.speed(mission)
    curves = [Curve(f"{axis} in H", t, 1e3 * v[:, i]) for i, axis in enumerate("xyz")]
    curves.append(Curve("norm", t, 1e3 * np.linalg.norm(v, axis=1)))
    return Figure(
        f"Relative velocity of the centres of mass, {mission}",
        "velocity [mm/s]",
        tuple(curves),
        caption=f"Published: a peak of {PUBLISHED[mission]:g}, printed as mm/s, which must be m/s.",
        linked=False,
    )
