"""Figures of the capture, redrawn from our data."""

import numpy as np

from proxops.core.plot import DASHED, Curve, Figure
from proxops.validation.capture import FACILITY, flown, rehearsed

AXES = ("x", "y", "z")


def figures() -> tuple[Figure, ...]:
    """Relative rate, and the end effector on its way to the grapple, in orbit and in the lab."""
    runs = ((flown(), "orbit", DASHED), (rehearsed(), FACILITY, "line"))
    return (
        Figure(
            "Relative rate",
            "w_CT in C [deg/s]",
            tuple(
                Curve(f"{axis}, {name}", *_degrees(run["relative.w_CT_C"], i), kind, i)
                for run, name, kind in runs
                for i, axis in enumerate(AXES)
            ),
            caption="Published: within 0.2 deg/s from synchronisation to the grasp.",
            linked=False,
        ),
        Figure(
            "End effector before the ring",
            "p_GE in G [mm]",
            tuple(
                Curve(f"{axis}, {name}", *_millimetres(run["relative.p_GE"], i), kind, i)
                for run, name, kind in runs
                for i, axis in enumerate(AXES)
            ),
            linked=False,
        ),
    )


def _degrees(samples: tuple[np.ndarray, np.ndarray], i: int) -> tuple[np.ndarray, np.ndarray]:
    return samples[0], np.degrees(samples[1][:, i])


def _millimetres(samples: tuple[np.ndarray, np.ndarray], i: int) -> tuple[np.ndarray, np.ndarray]:
    return samples[0], 1e3 * samples[1][:, i]
