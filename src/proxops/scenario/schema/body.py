"""Mass properties and attitudes: values that physics may refuse."""

import math
from typing import Annotated

import numpy as np
from pydantic import AfterValidator, Field

from proxops.scenario.schema.base import Vector3, reject

Matrix3 = tuple[Vector3, Vector3, Vector3]
ZERO = (0.0, 0.0, 0.0)
IDENTITY = (1.0, 0.0, 0.0, 0.0)

# Hand-typed inertias carry a handful of digits; beyond these relative bounds it is no rounding.
_ASYMMETRY = 1e-9
_TRIANGLE = 1e-9
_UNIT = 1e-6
# Norm of a quaternion that has been normalised once: four squares, a root and a division of
# half an ulp each leave less than 7e-16.  Within it a quaternion is kept as it is, so that a
# scenario read back from a recording has the same bits.
_NORMALISED = 1e-15


def inertia_problem(inertia: np.ndarray, *, thin: bool = False) -> str | None:
    """Why no rigid body has this inertia about its centre of mass [kg m2], None if one may.

    Symmetric, and with principal moments I₁ ≤ I₂ ≤ I₃:  I₁ > 0,  I₁ + I₂ ≥ I₃.  A `thin` body,
    a rod or a point, may have I₁ = 0.
    """
    scale = float(np.max(np.abs(inertia)))
    if float(np.max(np.abs(inertia - inertia.T))) > _ASYMMETRY * scale:
        i, j = divmod(int(np.argmax(np.abs(inertia - inertia.T))), 3)
        pair = (
            f"{'xyz'[i]}{'xyz'[j]} is {inertia[i, j]:.6g}, {'xyz'[j]}{'xyz'[i]} {inertia[j, i]:.6g}"
        )
        return f"must be symmetric; {pair}"
    small, middle, large = (float(moment) for moment in np.linalg.eigvalsh(inertia))
    found = f"principal moments are {small:.6g}, {middle:.6g}, {large:.6g} kg m2"
    if thin and small < -_TRIANGLE * scale:
        return f"must not have negative principal moments; {found}"
    if not thin and not small > 0.0:
        return f"must be positive definite; {found}"
    if small + middle < large * (1.0 - _TRIANGLE):
        return f"must satisfy I1 + I2 >= I3; {found}"
    return None


def _inertia(value: Matrix3) -> Matrix3:
    problem = inertia_problem(np.array(value))
    if problem:
        raise reject(problem)
    return value


def _thin_inertia(value: Matrix3) -> Matrix3:
    problem = inertia_problem(np.array(value), thin=True)
    if problem:
        raise reject(problem)
    return value


def _unit_quaternion(
    value: tuple[float, float, float, float],
) -> tuple[float, float, float, float]:
    w, x, y, z = value
    norm = math.hypot(w, x, y, z)
    if not abs(norm - 1.0) <= _UNIT:
        raise reject(f"must have norm 1 within {_UNIT:g}, found {norm:.9g}; order is w, x, y, z")
    if abs(norm - 1.0) <= _NORMALISED:
        return value
    return w / norm, x / norm, y / norm, z / norm


def _direction(value: Vector3) -> Vector3:
    size = math.hypot(*value)
    if not abs(size - 1.0) <= _UNIT:
        raise reject(f"must have length 1 within {_UNIT:g}, found {size:.9g}")
    if abs(size - 1.0) <= _NORMALISED:
        return value
    return value[0] / size, value[1] / size, value[2] / size


Direction = Annotated[Vector3, AfterValidator(_direction)]
Mass = Annotated[float, Field(gt=0.0)]
Inertia = Annotated[Matrix3, Field(strict=False), AfterValidator(_inertia)]
ThinInertia = Annotated[Matrix3, Field(strict=False), AfterValidator(_thin_inertia)]
Quaternion = Annotated[
    tuple[float, float, float, float], Field(strict=False), AfterValidator(_unit_quaternion)
]
