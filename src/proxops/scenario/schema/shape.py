"""Shapes of the two hubs, as they are drawn: no motion depends on them."""

import os
import re
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from proxops.scenario.schema.base import Section, reject
from proxops.scenario.schema.body import IDENTITY, ZERO, Quaternion

SHORTEST_M, LONGEST_M = 1e-3, 1e4  # no spacecraft; a slip in a unit
MAX_SHAPES = 200
MESH_KINDS = (".stl", ".obj", ".glb", ".dae")
_THIN = 0.01  # of a panel's shorter edge: its thickness

_Length = Annotated[float, Field(ge=SHORTEST_M, le=LONGEST_M)]
_Coordinate = Annotated[float, Field(ge=-LONGEST_M, le=LONGEST_M)]
_Position = Annotated[tuple[_Coordinate, _Coordinate, _Coordinate], Field(strict=False)]
_Sizes = tuple[float, float, float]


def _colour(value: str) -> str:
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", value):
        raise reject(f"must be a colour such as '#c0ffee', found {value[:60]!r}")
    return value


def _mesh_file(value: str) -> str:
    if os.path.splitext(value)[1].lower() not in MESH_KINDS:
        raise reject(f"must end in {', '.join(MESH_KINDS)}, found {value[:60]!r}")
    return value


class _Shape(Section):
    """What all shapes have; `usual` is the colour of those that give none."""

    usual: ClassVar[str] = "#b9bec7"
    colour: Annotated[str, AfterValidator(_colour)] | None = Field(
        default=None, description="Colour #rrggbb; by kind if not given"
    )

    def rgb(self) -> tuple[int, int, int]:
        """Colour, sRGB, 0 to 255."""
        red, green, blue = bytes.fromhex((self.colour or self.usual)[1:])
        return red, green, blue


class _OnChaser(Section):
    """Where a shape is on the chaser: its frame B in C."""

    p_CB_m: _Position = Field(default=ZERO, description="Shape's frame B in C, its centre [m]")
    q_CB: Quaternion = Field(default=IDENTITY, description="Shape's frame B in C, wxyz [-]")

    def pose(self) -> tuple[_Position, Quaternion]:
        """Position [m] and attitude of B on the hub."""
        return self.p_CB_m, self.q_CB


class _OnTarget(Section):
    """Where a shape is on the target: its frame B in T."""

    p_TB_m: _Position = Field(default=ZERO, description="Shape's frame B in T, its centre [m]")
    q_TB: Quaternion = Field(default=IDENTITY, description="Shape's frame B in T, wxyz [-]")
    exclude_from_clearance: bool = Field(
        default=False, description="May be touched: not counted in relative.clearance"
    )

    def pose(self) -> tuple[_Position, Quaternion]:
        """Position [m] and attitude of B on the hub."""
        return self.p_TB_m, self.q_TB


class Box(_Shape):
    """A box: a bus, a plate, a bar."""

    kind: Literal["box"] = Field(description="A box")
    size_m: Annotated[tuple[_Length, _Length, _Length], Field(strict=False)] = Field(
        description="Lengths along B's x, y and z [m]"
    )

    def size(self) -> _Sizes:
        """Full lengths [m]."""
        return self.size_m


class Cylinder(_Shape):
    """A cylinder along B's z axis: a ring, a nozzle, a tank."""

    usual: ClassVar[str] = "#8a909c"
    kind: Literal["cylinder"] = Field(description="A cylinder along B's z axis")
    radius_m: _Length = Field(description="Radius [m]")
    length_m: _Length = Field(description="Length along B's z [m]")

    def size(self) -> _Sizes:
        """Radius, radius, length [m]."""
        return self.radius_m, self.radius_m, self.length_m


class Ring(_Shape):
    """A tube about B's z axis: a launch adapter, a docking ring."""

    usual: ClassVar[str] = "#8a909c"
    kind: Literal["ring"] = Field(description="A tube about B's z axis")
    radius_m: _Length = Field(description="Outer radius [m]")
    inner_radius_m: _Length = Field(description="Inner radius [m]")
    length_m: _Length = Field(description="Length along B's z [m]")

    @model_validator(mode="after")
    def _has_a_wall(self) -> "Ring":
        if not self.inner_radius_m < self.radius_m:
            text = f"must be smaller than radius_m = {self.radius_m:g}"
            raise reject(f"inner_radius_m {text}, found {self.inner_radius_m:g}")
        return self

    def size(self) -> _Sizes:
        """Outer radius, inner radius, length [m]."""
        return self.radius_m, self.inner_radius_m, self.length_m


class Cone(_Shape):
    """A truncated cone along B's z axis: an engine's nozzle, a dish."""

    usual: ClassVar[str] = "#5c626e"
    kind: Literal["cone"] = Field(description="A truncated cone along B's z axis")
    radius_m: _Length = Field(description="Radius at its end towards -z [m]")
    top_radius_m: _Length = Field(description="Radius at its end towards +z [m]")
    length_m: _Length = Field(description="Length along B's z [m]")

    def size(self) -> _Sizes:
        """Radius at -z, radius at +z, length [m]."""
        return self.radius_m, self.top_radius_m, self.length_m


class Panel(_Shape):
    """A thin rectangle perpendicular to B's z axis: a solar array."""

    usual: ClassVar[str] = "#2b4a8b"
    kind: Literal["panel"] = Field(description="A thin rectangle perpendicular to B's z axis")
    size_m: Annotated[tuple[_Length, _Length], Field(strict=False)] = Field(
        description="Lengths along B's x and y [m]"
    )

    def size(self) -> _Sizes:
        """Full lengths [m]; it is a hundredth of its shorter edge thick."""
        return (*self.size_m, _THIN * min(self.size_m))


class Sphere(_Shape):
    """A ball: a tank, a sensor's dome."""

    kind: Literal["sphere"] = Field(description="A ball")
    radius_m: _Length = Field(description="Radius [m]")

    def size(self) -> _Sizes:
        """Radius, thrice [m]."""
        return self.radius_m, self.radius_m, self.radius_m


class Mesh(_Shape):
    """A mesh from a file, whose origin and axes are B.  The file is not stored with a run."""

    kind: Literal["mesh"] = Field(description="A mesh from a file")
    file: Annotated[str, AfterValidator(_mesh_file)] = Field(
        max_length=4000,
        description=f"File ({', '.join(MESH_KINDS)}), its path from the scenario file's folder",
    )
    scale: float = Field(
        default=1.0, ge=1e-6, le=1e6, description="Metres per unit of the file [m]"
    )

    def size(self) -> _Sizes:
        """Factors along the axes [-]."""
        return self.scale, self.scale, self.scale


class ChaserBox(Box, _OnChaser):
    """A box on the chaser."""


class ChaserCylinder(Cylinder, _OnChaser):
    """A cylinder on the chaser, along its z axis."""


class ChaserRing(Ring, _OnChaser):
    """A tube on the chaser, about its z axis."""


class ChaserCone(Cone, _OnChaser):
    """A truncated cone on the chaser, along its z axis."""


class ChaserPanel(Panel, _OnChaser):
    """A thin rectangle on the chaser, such as a solar array."""


class ChaserSphere(Sphere, _OnChaser):
    """A ball on the chaser."""


class ChaserMesh(Mesh, _OnChaser):
    """A mesh on the chaser."""


class TargetBox(Box, _OnTarget):
    """A box on the target."""


class TargetCylinder(Cylinder, _OnTarget):
    """A cylinder on the target, along its z axis."""


class TargetRing(Ring, _OnTarget):
    """A tube on the target, about its z axis."""


class TargetCone(Cone, _OnTarget):
    """A truncated cone on the target, along its z axis."""


class TargetPanel(Panel, _OnTarget):
    """A thin rectangle on the target, such as a solar array."""


class TargetSphere(Sphere, _OnTarget):
    """A ball on the target."""


class TargetMesh(Mesh, _OnTarget):
    """A mesh on the target."""


ChaserShape = Annotated[
    ChaserBox | ChaserCylinder | ChaserRing | ChaserCone | ChaserPanel | ChaserSphere | ChaserMesh,
    Field(discriminator="kind"),
]
TargetShape = Annotated[
    TargetBox | TargetCylinder | TargetRing | TargetCone | TargetPanel | TargetSphere | TargetMesh,
    Field(discriminator="kind"),
]
