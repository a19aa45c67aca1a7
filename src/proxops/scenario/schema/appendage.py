"""Flexible appendages: uniform cantilevers, and modal data from a finite-element model."""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field, ValidationInfo, field_validator, model_validator

from proxops.scenario.schema.base import (
    Problem,
    Section,
    Values,
    Vector3,
    given_once,
    reject_all,
)
from proxops.scenario.schema.body import IDENTITY, ZERO, Mass, Quaternion, ThinInertia

_FASTEST_HZ = 1e6  # no structure; a slip in a unit
# Participations come with six digits or so: a mass that they use up wholly may seem overdrawn.
_OVERDRAWN = 1e-6

DampingRatio = Annotated[float, Field(ge=0.0, lt=1.0)]


class OnChaser(Section):
    """Where an appendage is clamped to the chaser: root frame B in C."""

    p_CB_m: Vector3 = Field(default=ZERO, description="Root frame B in C, position [m]")
    q_CB: Quaternion = Field(default=IDENTITY, description="Root frame B in C, wxyz [-]")

    def root(self) -> tuple[Vector3, Quaternion]:
        """Position [m] and attitude of B on the hub."""
        return self.p_CB_m, self.q_CB


class OnTarget(Section):
    """Where an appendage is clamped to the target: root frame B in T."""

    p_TB_m: Vector3 = Field(default=ZERO, description="Root frame B in T, position [m]")
    q_TB: Quaternion = Field(default=IDENTITY, description="Root frame B in T, wxyz [-]")

    def root(self) -> tuple[Vector3, Quaternion]:
        """Position [m] and attitude of B on the hub."""
        return self.p_TB_m, self.q_TB


class Beam(Section):
    """A uniform slender cantilever along the x axis of its root frame B."""

    kind: Literal["beam"] = Field(description="A beam in closed form")
    mass_kg: Mass = Field(description="Mass [kg]")
    length_m: float = Field(ge=1e-3, le=1e4, description="Length [m]")
    first_frequency_hz: float | None = Field(
        default=None,
        gt=0.0,
        le=_FASTEST_HZ,
        description="Frequency of its first shape while clamped, of which its stiffness follows "
        "[Hz]",
    )
    EI_N_m2: float | None = Field(
        default=None, gt=0.0, validate_default=True, description="Or its bending stiffness [N m2]"
    )
    damping_ratio: DampingRatio = Field(description="Damping ratio of every mode, clamped [-]")
    shapes: int = Field(ge=1, le=20, description="Number of bending shapes, lowest first [-]")
    axes: Literal["y", "z", "yz"] = Field(description="Axes of B along which it bends")
    q_f_m: Values | None = Field(
        default=None,
        description="Modal coordinates at the start, shape by shape and axis by axis (y1, z1, y2, "
        "...), in the normalisation that moves the tip by twice as much; zero if not given [m]",
    )
    q_f_rate_m_s: Values | None = Field(
        default=None, description="Their rates at the start, zero if not given [m/s]"
    )
    drawn_width_m: float | None = Field(
        default=None,
        ge=1e-3,
        le=1e4,
        description="Width of the panel that the scene shows, along B's y; no distance depends on "
        "it [m]",
    )

    @field_validator("EI_N_m2")
    @classmethod
    def _has_one_stiffness(cls, EI: float | None, info: ValidationInfo) -> float | None:
        given_once(cls, EI, info, "how stiff it is")
        return EI

    @model_validator(mode="after")
    def _makes_sense(self) -> "Beam":
        from proxops.physics.flexible.beam import frequency

        EI = self.bending_stiffness
        fastest = frequency(self.shapes, self.mass_kg, self.length_m, EI) / (2.0 * np.pi)
        problems = _start_problems(
            self.mode_count, q_f_m=self.q_f_m, q_f_rate_m_s=self.q_f_rate_m_s
        )
        if not 0.0 < fastest <= _FASTEST_HZ:
            text = f"shape {self.shapes} would vibrate at {fastest:.3g} Hz, clamped"
            key = "first_frequency_hz" if self.EI_N_m2 is None else "EI_N_m2"
            problems.append(((key,), f"{text}; at most {_FASTEST_HZ:g} Hz"))
        reject_all(problems)
        return self

    @property
    def bending_stiffness(self) -> float:
        """EI [N m2], as given or of the first frequency."""
        from proxops.physics.flexible.beam import stiffness_for

        if self.EI_N_m2 is not None:
            return self.EI_N_m2
        assert self.first_frequency_hz is not None  # one of the two is given
        omega = 2.0 * np.pi * self.first_frequency_hz
        return stiffness_for(omega, self.mass_kg, self.length_m)

    @property
    def mode_count(self) -> int:
        return self.shapes * len(self.axes)

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Modal coordinates and their rates at the start [m, m/s]."""
        return _start(self.q_f_m, self.mode_count), _start(self.q_f_rate_m_s, self.mode_count)


class Mode(Section):
    """A mode of the clamped appendage, its shape φ normalised to unit modal mass."""

    frequency_hz: float = Field(gt=0.0, le=_FASTEST_HZ, description="Frequency, clamped [Hz]")
    damping_ratio: DampingRatio = Field(description="Damping ratio, clamped [-]")
    translation: Vector3 = Field(description="Participation of translation ∫ φ dm, in B [kg^0.5]")
    rotation: Vector3 = Field(
        description="Participation of rotation ∫ r × φ dm, r from B's origin, in B [kg^0.5 m]"
    )


class Modal(Section):
    """An appendage by its modes, as a finite-element tool exports them; small deflections."""

    kind: Literal["modal"] = Field(description="Modal data")
    mass_kg: Mass = Field(description="Mass [kg]")
    com_m: Vector3 = Field(description="Centre of mass, undeflected, in B [m]")
    inertia_kg_m2: ThinInertia = Field(
        description="Inertia about its centre of mass, undeflected, in B's axes [kg m2]"
    )
    modes: Annotated[tuple[Mode, ...], Field(strict=False)] = Field(
        min_length=1, max_length=500, description="Modes in any order"
    )
    q_f: Values | None = Field(
        default=None,
        description="Modal coordinates at the start, one a mode, zero if not given [kg^0.5 m]",
    )
    q_f_rate: Values | None = Field(
        default=None, description="Their rates at the start, zero if not given [kg^0.5 m/s]"
    )

    @model_validator(mode="after")
    def _makes_sense(self) -> "Modal":
        problems = _start_problems(self.mode_count, q_f=self.q_f, q_f_rate=self.q_f_rate)
        left = self._mass_left()
        if left < -_OVERDRAWN * self.mass_kg:
            text = "reduce the participations: the mass and inertia that they leave must not "
            text += f"be negative, but has the eigenvalue {left:.6g} kg"
            problems.append((("modes",), text))
        reject_all(problems)
        return self

    def _mass_left(self) -> float:
        """Smallest eigenvalue of what follows the root rigidly, beside the modes [kg].

            [m 1, 0; 0, I] - Σ D Dᵀ,   D = [S; H - c × S],   about the centre of mass c

        with rotations scaled by the radius of gyration, so that all is in kg.
        """
        m, inertia = self.mass_kg, np.array(self.inertia_kg_m2)
        gyration = float(np.sqrt(np.trace(inertia) / m)) or 1.0  # of a point mass: any
        S = np.array([mode.translation for mode in self.modes])
        H = np.array([mode.rotation for mode in self.modes]) - np.cross(self.com_m, S)
        D = np.hstack([S, H / gyration]).T
        left = -D @ D.T
        left[:3, :3] += m * np.eye(3)
        left[3:, 3:] += inertia / gyration**2
        return float(np.linalg.eigvalsh(left)[0])

    @property
    def mode_count(self) -> int:
        return len(self.modes)

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Modal coordinates and their rates at the start [kg^0.5 m, kg^0.5 m/s]."""
        return _start(self.q_f, self.mode_count), _start(self.q_f_rate, self.mode_count)


class ChaserBeam(Beam, OnChaser):
    """A uniform slender cantilever on the chaser, along the x axis of its root frame B."""


class ChaserModal(Modal, OnChaser):
    """An appendage of the chaser by its modes, as a finite-element tool exports them."""


class TargetBeam(Beam, OnTarget):
    """A uniform slender cantilever on the target, along the x axis of its root frame B."""


class TargetModal(Modal, OnTarget):
    """An appendage of the target by its modes, as a finite-element tool exports them."""


ChaserAppendage = Annotated[ChaserBeam | ChaserModal, Field(discriminator="kind")]
TargetAppendage = Annotated[TargetBeam | TargetModal, Field(discriminator="kind")]


def _start(values: Values | None, count: int) -> np.ndarray:
    return np.zeros(count) if values is None else np.array(values)


def _start_problems(count: int, **given: Values | None) -> list[Problem]:
    """Lists that do not have one number a mode."""
    return [
        ((key,), f"{len(values)} numbers given, the appendage has {count} modes")
        for key, values in given.items()
        if values is not None and len(values) != count
    ]
