"""Where everything of a scene is at a row of the run, seen from the Hill frame."""

import math
from collections.abc import Callable

import numpy as np

from proxops.assembly.robot import probe_before
from proxops.core.description import MountedArm
from proxops.core.frame import z_onto
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.facility.rendered.probe import reach
from proxops.facility.robot_cell.industrial.forward import FRAMES, link_frames
from proxops.facility.robot_cell.industrial.robot import POSE_WIDTH
from proxops.facility.robot_cell.industrial.robot import P as AT
from proxops.facility.robot_cell.industrial.robot import Q as TURNED
from proxops.scenario import schema
from proxops.viewer.hardware import Flown, Hardware
from proxops.viewer.hill import hill_attitude
from proxops.viewer.pose import HERE, Pose, Vector, multiply, pose_of, quaternion, vector

WORLD = ""
CHASER = "chaser"
TARGET = "target"
GRAPPLE = "target/grapple"
MOCK_UP = "lab/mock-up"
PROBE = "lab/probe"
NOMINAL = "nominal"

# Of a rehearsal: these are seen from L
IN_CELL = "cell/"
CELL = "cell/L"
CELL_TARGET = "cell/target"
CELL_CHASER = "cell/chaser"
CRAFTS = ("target", "chaser")  # in the order of robots

Poses = dict[str, Pose]
Mover = Callable[[float, np.ndarray, Pose, Poses], None]


def joint_frame(arm: str, number: int, hub: str = CHASER) -> str:
    """Name of the frame that a joint moves, counted from 1; 0 is the arm's root."""
    return f"{hub}/arms/{arm}/{number}"


def effector_frame(arm: str, hub: str = CHASER) -> str:
    """Name of an arm's end effector frame E."""
    return f"{hub}/arms/{arm}/E"


def robot_frame(craft: str, number: int) -> str:
    """Name of a robot's base, 0, of a link or of its flange, as `industrial.forward` counts."""
    return f"{IN_CELL}robots/{craft}/{number}"


def vehicle_frame(craft: str) -> str:
    """Name of the body frame V of a vehicle in an arena."""
    return f"{IN_CELL}vehicles/{craft}"


class Kinematics:
    """Poses of all frames of a scenario; a mover adds those of one kind of hardware."""

    def __init__(self, hardware: Hardware, first: np.ndarray) -> None:
        """`first` is the first row of the run."""
        self._orbit = hardware.orbit
        self._movers: list[Mover] = [_hubs(hardware)]
        self._movers += [_arm(hardware, mounted) for mounted in hardware.chaser.arms]
        if hardware.scenario.mission.robot is not None:
            self._movers.append(_lab(hardware, first))
        if hardware.cell is not None:
            self._movers.append(_cell(hardware))
            self._movers += [_arm(hardware, each, CELL_CHASER) for each in hardware.chaser.arms]
        if hardware.arena is not None:
            self._movers.append(_arena(hardware, hardware.arena))

    def attitudes(self, t: np.ndarray) -> np.ndarray:
        """q_HN (n, 4) at the times t (n,) [s]."""
        return hill_attitude(self._orbit, t)

    def at(self, row: np.ndarray, q_HN: np.ndarray) -> Poses:
        """Every frame in H at a row, H having that attitude; what is in a cell, in L."""
        poses: Poses = {WORLD: HERE}
        X_HO = Pose(HERE.p, quaternion(q_HN))
        for move in self._movers:
            move(float(row[0]), row, X_HO, poses)
        return poses


def _hubs(hardware: Hardware) -> Mover:
    columns = hardware.columns
    p_HC, q_NC = columns["chaser.p_HC"], columns["chaser.q_NC"]
    p_HT, q_NT = columns["target.p_HT"], columns["target.q_NT"]
    given = hardware.scenario.mission.target.grapple
    X_TG = Pose(given.p_TG_m, given.q_TG)

    def move(t: float, row: np.ndarray, X_HO: Pose, poses: Poses) -> None:
        poses[CHASER] = Pose(vector(row[p_HC]), multiply(X_HO.q, quaternion(row[q_NC])))
        poses[TARGET] = Pose(vector(row[p_HT]), multiply(X_HO.q, quaternion(row[q_NT])))
        poses[GRAPPLE] = poses[TARGET] @ X_TG

    return move


def _arm(hardware: Hardware, mounted: MountedArm, hub: str = CHASER) -> Mover:
    """Forward kinematics: X_CJ = X_CP X_PJ X_z(q), joint by joint."""
    columns = hardware.columns[f"chaser.arms.{mounted.name}.q"]
    X_CA = pose_of(mounted.R_CA, mounted.p_CA)
    joints = [(pose_of(each.R_PJ, each.p_PJ), each.prismatic) for each in mounted.arm.joints]
    X_JE = pose_of(mounted.arm.R_JE, mounted.arm.p_JE)
    names = [joint_frame(mounted.name, number, hub) for number in range(len(joints) + 1)]
    effector = effector_frame(mounted.name, hub)
    carrier = effector_frame(mounted.mounted_on, hub) if mounted.mounted_on else hub

    def move(t: float, row: np.ndarray, X_HO: Pose, poses: Poses) -> None:
        X_HJ = poses[names[0]] = poses[carrier] @ X_CA
        q = row[columns].tolist()
        for name, (X_PJ, prismatic), value in zip(names[1:], joints, q, strict=True):
            X_HJ = poses[name] = X_HJ @ X_PJ @ _moved(prismatic, value)
        poses[effector] = X_HJ @ X_JE

    return move


def _moved(prismatic: bool, q: float) -> Pose:
    """A joint's own motion, along or about z."""
    if prismatic:
        return Pose((0.0, 0.0, q), HERE.q)
    return Pose(HERE.p, (math.cos(0.5 * q), 0.0, 0.0, math.sin(0.5 * q)))


def _lab(hardware: Hardware, first: np.ndarray) -> Mover:
    """The mock-up that a robot moves, and the tip of the probe; L is where O is."""
    robot = hardware.scenario.mission.robot
    assert robot is not None
    p_LT, q_LT = hardware.columns["lab.p_LTl"], hardware.columns["lab.q_LTl"]
    tip = None if robot.probe is None else _tip(robot.probe, vector(first[p_LT]), first[q_LT])

    def move(t: float, row: np.ndarray, X_HO: Pose, poses: Poses) -> None:
        poses[MOCK_UP] = X_HO @ Pose(vector(row[p_LT]), quaternion(row[q_LT]))
        if tip is not None:
            poses[PROBE] = X_HO @ tip(t)

    return move


def _cell(hardware: Hardware) -> Mover:
    """Nominal motion, both mock-ups and the links of both robots."""
    columns = hardware.columns
    p_HM, q_NM = columns["nominal.p_HN"], columns["nominal.q_NN"]
    hubs = (
        (CELL_TARGET, columns["lab.p_LTl"], columns["lab.q_LTl"]),
        (CELL_CHASER, columns["lab.p_LCl"], columns["lab.q_LCl"]),
    )
    robots = hardware.cell_robots
    carriers = [] if robots is None else list(zip(CRAFTS, robots, strict=True))
    table = np.zeros((FRAMES, POSE_WIDTH))

    def move(t: float, row: np.ndarray, X_HO: Pose, poses: Poses) -> None:
        poses[NOMINAL] = Pose(vector(row[p_HM]), multiply(X_HO.q, quaternion(row[q_NM])))
        poses[CELL] = HERE
        for frame, p, q in hubs:
            poses[frame] = Pose(vector(row[p]), quaternion(row[q]))
        for craft, robot in carriers:
            link_frames(robot, np.array(row[columns[f"lab.robots.{craft}.q"]]), table)
            for number, link in enumerate(table):
                placed = Pose(vector(link[AT:TURNED]), quaternion(link[TURNED:]))
                poses[robot_frame(craft, number)] = placed

    return move


def _arena(hardware: Hardware, flown: Flown) -> Mover:
    """Both mock-ups and the vehicles under them; what stands still in the arena is the Hill frame.

    q_LV = q_LB q_BV, as `facility.arena.command` has it.
    """
    from proxops.assembly.arena import mapping_of  # brings the autopilots with it

    q_BV = [quaternion(each) for each in mapping_of(flown.file, flown.shown).q_BV]
    columns = hardware.columns
    hubs = (
        (CELL_TARGET, columns["lab.p_LTl"], columns["lab.q_LTl"]),
        (CELL_CHASER, columns["lab.p_LCl"], columns["lab.q_LCl"]),
    )

    def move(t: float, row: np.ndarray, X_HO: Pose, poses: Poses) -> None:
        poses[NOMINAL] = poses[CELL] = HERE
        for craft, (frame, p, q), turned in zip(CRAFTS, hubs, q_BV, strict=True):
            poses[frame] = Pose(vector(row[p]), quaternion(row[q]))
            poses[vehicle_frame(craft)] = Pose(poses[frame].p, multiply(poses[frame].q, turned))

    return move


def _tip(given: schema.Probe, p_LT: Vector, q_LT: np.ndarray) -> Callable[[float], Pose]:
    """Pose in L of the probe's tip, z along its approach, at a time [s]; the mock-up has the given
    pose at the start."""
    X_LT = Pose(p_LT, quaternion(q_LT))
    R_LT = np.array(quat_to_rotation.py_func(X_LT.q)).reshape(3, 3)
    probe = probe_before(given, np.array(p_LT), R_LT)
    drawn_back = np.array(X_LT.act(vector(probe.point))) - given.gap_m * probe.along
    q = pose_of(z_onto(probe.along), np.zeros(3)).q

    def tip(t: float) -> Pose:
        out, _ = reach.py_func(probe, t)
        return Pose(vector(drawn_back + out * probe.along), q)

    return tip
