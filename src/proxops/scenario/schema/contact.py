"""Where the two spacecraft can touch and hold each other."""

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from proxops.core.text import nearest
from proxops.scenario.schema.base import Name, Problem, Section, Vector3, reject_all
from proxops.scenario.schema.body import IDENTITY, ZERO, Direction, Quaternion
from proxops.scenario.schema.port import Envelope, Port, depth_inside
from proxops.scenario.schema.shape import ChaserShape, TargetShape

_MAX = 1e15  # no structure is as stiff; a slip in a unit
_NotNegative = Annotated[float, Field(ge=0.0, le=_MAX)]
_Positive = Annotated[float, Field(gt=0.0, le=_MAX)]
_NotNegative3 = Annotated[tuple[_NotNegative, _NotNegative, _NotNegative], Field(strict=False)]
_MAX_PADS = 100
_RECESS_M = 0.05  # that a port may be inside a shape: recesses are not drawn
_STRAIGHT = 1e-6  # how exactly hand-typed directions must be at right angles

CHASER, TARGET = "chaser", "target"


class _Side(Section):
    """On which spacecraft a shape is."""

    on: Literal["chaser", "target"] = Field(description="Spacecraft that carries it")
    arm: Name | None = Field(
        default=None,
        description="Arm of the chaser whose end effector carries it; the hub if not given",
    )

    @model_validator(mode="after")
    def _arms_are_the_chasers(self) -> "_Side":
        if self.arm is not None and self.on != CHASER:
            reject_all([(("arm",), "only the chaser has arms")])
        return self


class Pads(_Side):
    """Small balls, or points, that touch; in C, E (with an arm) or T."""

    centres_m: Annotated[tuple[Vector3, ...], Field(strict=False)] = Field(
        min_length=1, max_length=_MAX_PADS, description="Centre of each [m]"
    )
    radius_m: _NotNegative = Field(default=0.0, description="Radius of each, 0 for a point [m]")


class Face(_Side):
    """A plane face that the pads touch; in C, E (with an arm) or T."""

    p_m: Vector3 = Field(description="Centre [m]")
    normal: Direction = Field(description="Normal, out of the body, unit [-]")
    along: Direction | None = Field(
        default=None, description="Direction of the first edge, unit; needed with half_sizes_m [-]"
    )
    half_sizes_m: Annotated[tuple[_Positive, _Positive], Field(strict=False)] | None = Field(
        default=None,
        description="Half lengths along it and across it; without edges if not given [m]",
    )

    @model_validator(mode="after")
    def _edges_fit(self) -> "Face":
        problems: list[Problem] = []
        if self.half_sizes_m is not None and self.along is None:
            problems.append((("along",), "missing; a face with half_sizes_m needs it"))
        if self.along is not None:
            slope = float(np.dot(self.along, self.normal))
            if abs(slope) > _STRAIGHT:
                text = f"must be at right angles to normal; their product is {slope:.3g}"
                problems.append((("along",), text))
        reject_all(problems)
        return self

    def edge(self) -> np.ndarray:
        """Unit vector along the first edge; any in the face where there is none."""
        normal = np.array(self.normal)
        given = np.eye(3)[np.argmin(np.abs(normal))] if self.along is None else np.array(self.along)
        flat = given - normal * (normal @ given)
        return np.asarray(flat / np.linalg.norm(flat))


class Ball(_Side):
    """A ball that the pads touch; in C, E (with an arm) or T."""

    p_m: Vector3 = Field(description="Centre [m]")
    radius_m: _Positive = Field(description="Radius [m]")


class Spring(Section):
    """f = c δ + d δ̇ at each pad, δ the overlap."""

    kind: Literal["spring"] = Field(description="A spring and a damper in parallel")
    stiffness_N_m: _Positive = Field(description="Stiffness c of each pad [N/m]")
    damping_N_s_m: _NotNegative = Field(description="Damping d of each pad [N s/m]")
    bilateral: bool = Field(default=False, description="Bonded: it pulls as well, and never opens")


class HuntCrossley(Section):
    """f = F (δ/δ₀)ⁿ (1 + χ δ̇) at each pad, δ the overlap."""

    kind: Literal["hunt-crossley"] = Field(description="Damping that grows with the overlap")
    force_N: _Positive = Field(description="Force F at rest at the overlap depth_m [N]")
    depth_m: _Positive = Field(
        description="Overlap δ₀; sub-steps are made for it, and shorten beyond it [m]"
    )
    exponent: float = Field(default=1.5, ge=1.0, le=5.0, description="Exponent n [-]")
    damping_s_m: _NotNegative = Field(default=0.0, description="Damping χ [s/m]")


class External(Section):
    """The user's own law, from a file beside the scenario."""

    kind: Literal["external"] = Field(description="The user's own law")
    name: Name = Field(description="Name of the law, as in its file")
    depth_m: _Positive = Field(
        description="Overlap; the law is checked up to twice of it, sub-steps are made for it, and "
        "shorten beyond it [m]"
    )
    parameters: dict[str, float] = Field(
        default_factory=dict, description="Its parameters, by name"
    )


class Friction(Section):
    """Coulomb friction that sticks: a tangential spring and damper, sliding at μN."""

    mu_static: _Positive = Field(description="Coefficient until it slides [-]")
    mu_kinetic: _Positive = Field(description="Coefficient while it slides [-]")
    stiffness_N_m: _Positive = Field(description="Tangential stiffness of each pad [N/m]")
    damping_N_s_m: _NotNegative = Field(description="Tangential damping of each pad [N s/m]")

    @model_validator(mode="after")
    def _slides_easier(self) -> "Friction":
        if self.mu_kinetic > self.mu_static:
            text = f"{self.mu_kinetic:g} is larger than mu_static, {self.mu_static:g}"
            reject_all([(("mu_kinetic",), text)])
        return self


class Contact(Section):
    """Pads of one spacecraft that can touch a face or a ball of the other."""

    pads: Pads = Field(description="What touches")
    face: Face | None = Field(default=None, description="The face that they touch")
    ball: Ball | None = Field(default=None, description="Or the ball that they touch")
    normal: Annotated[Spring | HuntCrossley | External, Field(discriminator="kind")] = Field(
        description="Law of the normal force"
    )
    friction: Friction | None = Field(default=None, description="Friction; none if not given")

    @model_validator(mode="after")
    def _two_sides(self) -> "Contact":
        problems: list[Problem] = []
        if (self.face is None) == (self.ball is None):
            text = "missing; give a face, or a ball" if self.face is None else "give one, not both"
            problems.append((("face",), f"{text}"))
        other = self.face or self.ball
        key = "face" if self.face else "ball"
        if other is not None and other.on == self.pads.on:
            problems.append(((key, "on"), f"the pads are on the {other.on} too; one must differ"))
        if self.ball is not None and not self.pads.radius_m > 0.0:
            problems.append((("pads", "radius_m"), "must be positive where the pads touch a ball"))
        reject_all(problems)
        return self

    @property
    def other(self) -> Face | Ball:
        """What the pads touch."""
        found = self.face or self.ball
        assert found is not None  # the validator saw to it
        return found

    @property
    def arm(self) -> str | None:
        """The arm that takes part."""
        return self.pads.arm if self.pads.on == CHASER else self.other.arm


class Hold(Section):
    """A six-degree-of-freedom hold: a latch, a closed gripper, a compliant arm, or a lock along
    some axes only.  It joins the chaser's point that covers the target's point B when it closes, so
    it begins without force; with a port, it draws the port's frame A onto B.  The force acts at B,
    axis by axis in axes of the chaser's body: A's, or those that are B's when it closes."""

    arm: Name | None = Field(
        default=None, description="Arm whose end effector is held; the chaser's hub if not given"
    )
    p_TB_m: Vector3 = Field(description="Point B in T [m]")
    q_TB: Quaternion = Field(default=IDENTITY, description="Axes when it closes, in T, wxyz [-]")
    stiffness_N_m: _NotNegative3 = Field(default=ZERO, description="Along the axes [N/m]")
    stiffness_N_m_rad: _NotNegative3 = Field(default=ZERO, description="About them [N m/rad]")
    damping_N_s_m: _NotNegative3 = Field(default=ZERO, description="Along them [N s/m]")
    damping_N_m_s_rad: _NotNegative3 = Field(default=ZERO, description="About them [N m s/rad]")
    pull_N: Vector3 = Field(
        default=ZERO, description="Additional constant force on the chaser, along them [N]"
    )
    limit_N: _Positive | None = Field(
        default=None, description="Largest force; no limit if not given [N]"
    )
    limit_N_m: _Positive | None = Field(
        default=None, description="Largest torque; no limit if not given [N m]"
    )
    reach_m: _Positive = Field(
        default=0.1,
        description="Farthest that B may be from the arm's end effector when it closes; beyond, it "
        "misses.  Not for a hold of the hub, nor for one with a port [m]",
    )
    port: Port | None = Field(
        default=None, description="Frame A of the chaser that is drawn onto B, none if not given"
    )
    envelope: Envelope | None = Field(
        default=None,
        description="Envelope within which it closes; required with a port, and only then",
    )
    from_s: _NotNegative = Field(default=0.0, description="When it closes [s]")
    until_s: _Positive | None = Field(default=None, description="When it opens again [s]")
    commanded: bool = Field(
        default=False,
        description="On-board software closes and opens it, whatever from_s and until_s say",
    )

    @model_validator(mode="after")
    def _opens_after_it_closes(self) -> "Hold":
        if self.until_s is not None and self.until_s <= self.from_s:
            reject_all(
                [(("until_s",), f"{self.until_s:g} s is not after from_s, {self.from_s:g} s")]
            )
        return self

    @model_validator(mode="after")
    def _closes_from_somewhere(self) -> "Hold":
        problems: list[Problem] = []
        if self.port is not None and self.envelope is None:
            text = "missing; give offset_m and angle_deg: a port closes only within them"
            problems.append((("envelope",), text))
        if self.port is None and self.envelope is not None:
            text = (
                "give port too, or remove this: an envelope limits a port's frame A relative to B"
            )
            problems.append((("envelope",), text))
        reject_all(problems)
        return self


def missing_arms(
    given: Mapping[str, Contact] | Mapping[str, Hold], arms: Collection[str]
) -> list[Problem]:
    """Contacts or holds on arms that the chaser does not have."""
    return [
        ((name,), f"the chaser has no arm {each.arm!r}{nearest(each.arm, arms)}")
        for name, each in given.items()
        if each.arm is not None and each.arm not in arms
    ]


def port_problems(
    holds: Mapping[str, Hold],
    chaser_shapes: Iterable[ChaserShape],
    target_shapes: Iterable[TargetShape],
) -> list[Problem]:
    """Frames of holds with a port that are inside a hub, where nothing can be joined to them."""
    own, others = list(chaser_shapes), list(target_shapes)
    problems: list[Problem] = []
    for name, hold in holds.items():
        if hold.port is None:
            continue
        depths = [depth_inside(each, hold.p_TB_m) for each in others]
        problems += _inside(depths, TARGET, (name, "p_TB_m"))
        if hold.arm is None:
            depths = [depth_inside(each, hold.port.p_CA_m) for each in own]
            problems += _inside(depths, CHASER, (name, "port", "p_CA_m"))
    return problems


def _inside(depths: list[float], craft: str, path: tuple[str, ...]) -> list[Problem]:
    """What is wrong with a point that is so far inside each shape of a spacecraft [m]."""
    deepest = max(depths, default=-math.inf)
    if deepest <= _RECESS_M:
        return []
    text = f"is {1e3 * deepest:.4g} mm inside a shape of the {craft}, more than "
    return [(path, text + f"{1e3 * _RECESS_M:g} mm; move it to the surface that is to be joined")]
