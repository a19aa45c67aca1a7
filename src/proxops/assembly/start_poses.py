"""Where the two spacecraft are at the start, and how the grapple frame faces the chaser."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from proxops import plant
from proxops.arm_paths.arm import arm_of
from proxops.assembly.describe import describe
from proxops.assembly.kept import Alike
from proxops.core.description import CraftDescription, OrbitDescription
from proxops.core.frame import Frame, frame, quaternion_of, rotation_of
from proxops.core.kept import KEPT
from proxops.core.read_only import read_only
from proxops.physics.orbit.axes import hill_rotation
from proxops.plant import layout
from proxops.plant.build import start_state
from proxops.scenario.load import Scenario
from proxops.scenario.schema import Mission
from proxops.scenario.schema.base import Problem

_FLIES = ("fly-to", "fly-around", "avoid")  # legs that bring the chaser elsewhere
_FACES_DEG = 60.0  # z of G farther off the line to the chaser points elsewhere
# Rotations that bring x, y, -x, -y or -z of a frame to where its z is, by what is turned
_QUARTERS = {
    "x": np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]),
    "-x": np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]),
    "y": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
    "-y": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]),
    "-z": np.diag([1.0, -1.0, -1.0]),
}


@dataclass(frozen=True)
class Start:
    """Both spacecraft at the start."""

    X_HC: Frame
    X_HT: Frame
    v_HC: np.ndarray  # derivative in H [m/s]
    # The target's centre of mass is at the origin of H, at rest

    @property
    def R_HC(self) -> np.ndarray:
        return self.X_HC.R

    @property
    def R_HT(self) -> np.ndarray:
        return self.X_HT.R

    @property
    def X_CT(self) -> Frame:
        return self.X_HC.inverse() @ self.X_HT


def start_of(
    chaser: CraftDescription, target: CraftDescription, orbit: OrbitDescription | None
) -> Start:
    """The start of a mission: without an orbit H is N."""
    model = plant.build(chaser, target, orbit)
    hub = start_state(model, chaser, target)[layout.slices(model).target]
    R_NH = np.eye(3)
    if orbit is not None:
        R_NH, _ = hill_rotation(orbit.R, orbit.V)
    X_HC = Frame(R_NH.T @ rotation_of(chaser.q_N), chaser.p_H)
    p_HT = R_NH.T @ hub[layout.P : layout.P + 3]
    return Start(X_HC, Frame(R_NH.T @ rotation_of(target.q_N), p_HT), chaser.v_H)


def start_in(scenario: Scenario) -> Start:
    """That of a scenario; its arrays cannot be written to."""
    return _start_in(Alike(scenario))


@lru_cache(KEPT)
def _start_in(of: Alike) -> Start:
    return read_only(start_of(*describe(of.scenario)))


def grapple_in_chaser(mission: Mission, start: Start) -> Frame:
    """X_CG at the start."""
    grapple = mission.target.grapple
    return start.X_CT @ frame(grapple.p_TG_m, grapple.q_TG)


def grapple_off_axis_deg(X_CG: Frame) -> float:
    """Angle between z of the grapple frame and the line from it to the chaser's hub [deg]."""
    return angle_deg(X_CG.R[:, 2], -X_CG.p)


def grapple_note(scenario: Scenario) -> str:
    """What to do about a grapple frame whose z axis does not point at the chaser; empty if it does.

    The cure turns G by quarters, so that the axis which faces the chaser best becomes its z.
    """
    X_CG = grapple_in_chaser(scenario.mission, start_in(scenario))
    off = grapple_off_axis_deg(X_CG)
    if off <= _FACES_DEG:
        return ""
    turned = {name: X_CG.R @ R for name, R in _QUARTERS.items()}
    best = min(turned, key=lambda name: angle_deg(turned[name][:, 2], -X_CG.p))
    R_TG = rotation_of(scenario.mission.target.grapple.q_TG) @ _QUARTERS[best]
    q = ", ".join(f"{x:.9g}" for x in quaternion_of(R_TG) + 0.0)
    return (
        f"z of the grapple frame must point at the chaser, yours is {off:.3g} deg off: "
        f"--set 'target.grapple.q_TG=[{q}]' makes its {best} axis z"
    )


def turned_grapples(scenario: Scenario) -> list[Problem]:
    """Why a capture that begins beside the target cannot grasp it: its grapple frame faces away."""
    obsw = scenario.mission.obsw
    if obsw.capture is None or obsw.plan is not None:  # a plan may fly to where it faces
        return []
    note = grapple_note(scenario)
    return [(("target", "grapple", "q_TG"), note)] if note else []


def distant_grapples(scenario: Scenario) -> list[Problem]:
    """Why an arm cannot grapple from where the mission begins: the grasp point is beyond its reach,
    and no leg before flies nearer."""
    mission = scenario.mission
    berthing, plan = mission.obsw.berthing, mission.obsw.plan
    if berthing is None or plan is None:
        return []
    name: str | None = next(iter(plan.legs))
    while name is not None and plan.legs[name].does != "grapple":
        leg = plan.legs[name]
        if leg.does in _FLIES or getattr(leg, "p_H_m", None) is not None:
            return []
        name = leg.next
    if name is None:
        return []
    arm = arm_of(describe(scenario)[0], berthing.arm)
    X_CG = grapple_in_chaser(mission, start_in(scenario))
    distance, reach = float(np.linalg.norm(X_CG.p - arm.p_PJ[0])), arm.reach
    if distance <= reach:
        return []
    text = (
        f"begin {distance - reach:.3g} m nearer, or fly to the target before leg {name!r}: G is "
        f"{distance:.3g} m from the first joint of {berthing.arm}, whose reach is {reach:.3g} m"
    )
    return [(("chaser", "p_HC_m"), text)]


def angle_deg(a: Sequence[float] | np.ndarray, b: Sequence[float] | np.ndarray) -> float:
    """Angle between two vectors [deg], 0 where one has no length."""
    return math.degrees(math.atan2(float(np.linalg.norm(np.cross(a, b))), float(np.dot(a, b))))
