"""Modes in Basilisk: its state effectors with one coordinate a mode."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from Basilisk.simulation import (
    hingedRigidBodyStateEffector,
    linearTranslationOneDOFStateEffector,
    nHingedRigidBodyStateEffector,
)

from benchmarks.peers.model import Slider

REACH = 0.7  # of a panel, from its hinge to its centre of mass [m]
PANELS_PER_CHAIN = 4
NEXT_TO_NOTHING = 1e-12  # inertia of a mass point, which must be positive here [kg m2]


def _column(a: np.ndarray) -> list[list[float]]:
    return [[float(x)] for x in a]


def _thin_panel(mass: float) -> np.ndarray:
    """Inertia of a square about its centre of mass, hinged along its y axis [kg m2]."""
    return mass * REACH**2 / 3.0 * np.diag([1.0, 1.0, 2.0])


def _felt_by_hinge(mass: float) -> float:
    return float(_thin_panel(mass)[1, 1] + mass * REACH**2)


def sliding(sliders: Sequence[Slider]) -> list[Any]:
    """The same masses on the same springs."""
    made = []
    for slider in sliders:
        effector = linearTranslationOneDOFStateEffector.LinearTranslationOneDOFStateEffector()
        effector.setMass(slider.mass)
        effector.setK(slider.mass * slider.omega**2)
        effector.setC(2.0 * slider.zeta * slider.omega * slider.mass)
        effector.setRhoInit(slider.start)
        effector.setFHat_B(_column(slider.along))
        effector.setR_F0B_B(_column(slider.place))
        effector.setR_FcF_F(_column(np.zeros(3)))
        effector.setIPntFc_F((NEXT_TO_NOTHING * np.eye(3)).tolist())
        effector.setDCM_FB(np.eye(3).tolist())
        made.append(effector)
    return made


def hinged(sliders: Sequence[Slider]) -> list[Any]:
    """Panels of those masses and frequencies, each on a hinge of its own."""
    made = []
    for slider in sliders:
        effector = hingedRigidBodyStateEffector.HingedRigidBodyStateEffector()
        effector.r_HB_B = _column(slider.place)
        effector.dcm_HB = np.eye(3).tolist()
        _spring(effector, slider)
        made.append(effector)
    return made


def chained(sliders: Sequence[Slider]) -> list[Any]:
    """The same panels, some hinged to each other in a row."""
    made = []
    for first in range(0, len(sliders), PANELS_PER_CHAIN):
        effector = nHingedRigidBodyStateEffector.NHingedRigidBodyStateEffector()
        effector.r_HB_B = _column(sliders[first].place)
        effector.dcm_HB = np.eye(3).tolist()
        for slider in sliders[first : first + PANELS_PER_CHAIN]:
            panel = nHingedRigidBodyStateEffector.HingedPanel()
            panel.theta_0 = 0.0
            _spring(panel, slider)
            effector.addHingedPanel(panel)
        made.append(effector)
    return made


def _spring(panel: Any, slider: Slider) -> None:
    felt = _felt_by_hinge(slider.mass)
    panel.mass, panel.d = slider.mass, REACH
    panel.IPntS_S = _thin_panel(slider.mass).tolist()
    panel.k, panel.c = felt * slider.omega**2, 2.0 * slider.zeta * slider.omega * felt
    panel.thetaInit, panel.thetaDotInit = slider.start / REACH, 0.0
