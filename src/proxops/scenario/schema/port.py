"""A hold's frame of its own on the chaser, and from where the hold can close."""

import math
from typing import Annotated

import numpy as np
from pydantic import Field

from proxops.core.frame import frame
from proxops.scenario.schema.base import Section, Vector3
from proxops.scenario.schema.body import IDENTITY, Quaternion
from proxops.scenario.schema.shape import ChaserShape, TargetShape

_Positive = Annotated[float, Field(gt=0.0, le=1e3)]
_Angle = Annotated[float, Field(gt=0.0, le=180.0)]


class Port(Section):
    """Frame A of a hold: the hold is at rest where A and the target's frame B coincide."""

    p_CA_m: Vector3 = Field(description="Frame A in C, in E with an arm, position [m]")
    q_CA: Quaternion = Field(default=IDENTITY, description="Frame A in C, in E, wxyz [-]")


class Envelope(Section):
    """The farthest and fastest that A may be against B when a hold closes; beyond, it misses."""

    offset_m: _Positive = Field(description="Distance of A's origin from B's [m]")
    angle_deg: _Angle = Field(description="Angle of the rotation from B to A [deg]")
    speed_m_s: _Positive | None = Field(
        default=None, description="Speed of A's origin relative to T, any if not given [m/s]"
    )
    rate_deg_s: _Positive | None = Field(
        default=None, description="Angular rate of A relative to T, any if not given [deg/s]"
    )


def depth_inside(shape: ChaserShape | TargetShape, p: Vector3) -> float:
    """How far a point of the hub is inside a shape [m], negative outside; a mesh is not looked
    at."""
    if shape.kind == "mesh":
        return -math.inf
    place = frame(*shape.pose())
    r = place.R.T @ (np.array(p) - place.p)
    x, y, z = np.abs(r)
    size = np.array(shape.size())
    if shape.kind == "sphere":
        return float(size[0] - np.linalg.norm(r))
    if shape.kind == "cylinder":
        return float(min(size[0] - np.hypot(x, y), 0.5 * size[2] - z))
    if shape.kind == "ring":
        rho = np.hypot(x, y)
        return float(min(size[0] - rho, rho - size[1], 0.5 * size[2] - z))
    if shape.kind == "cone":
        radius = size[0] + (size[1] - size[0]) * (r[2] / size[2] + 0.5)
        return float(min(radius - np.hypot(x, y), 0.5 * size[2] - z))
    return float((0.5 * size - (x, y, z)).min())
