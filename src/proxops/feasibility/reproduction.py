"""A recorded mission and a facility: both mock-ups as the lab would have to move them."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from proxops.assembly.build import Built, build
from proxops.assembly.cell import refuse_unfit, represent, start_nominal
from proxops.assembly.facility import Lab, Robots, fit_out, start_pose
from proxops.assembly.nominal import UNFORCED, NominalChoice
from proxops.core.errors import InputError
from proxops.core.frame import Frame, frame
from proxops.facility.common.reproduction import (
    SHOWN_WIDTH,
    Flight,
    Ground,
    ground_torques,
    place_shown,
    show_flight,
)
from proxops.facility.robot_cell.industrial.robot import (
    ACCELERATION,
    COM,
    FLANGE_ON_MOCK_UP,
    LARGEST,
    POSE_WIDTH,
    SPEED,
    Robot,
)
from proxops.facility.robot_cell.industrial.track import Track
from proxops.facility.robot_cell.rows import PAIR, TARGET
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import SCRATCH_WIDTH, Tree
from proxops.physics.relative.ground_arm import LOAD_ROWS
from proxops.physics.relative.motion import MOTION_WIDTH, TWIST
from proxops.plant.frames import rows_from_hill
from proxops.results.run import Run
from proxops.scenario.load import Scenario

CRAFTS = ("target", "chaser")  # in the order of all that comes in pairs
STILL = 0.01  # how far the arm may move and still load its robot as it did at the start [rad or m]
ARM_SAMPLES = 32  # poses of a moving arm that are tried as the robot's load
FEWEST = 3  # samples that a motion takes


@dataclass(frozen=True)
class Case:
    """A flight to be shown on a facility."""

    scenario: Scenario
    lab: Lab
    built: Built
    flight: Flight
    torques: np.ndarray  # that the arms' joints are given in orbit (n, joints) [N m or N]
    robots: Robots | None  # None where nothing limits the carriers
    nominal: NominalChoice = UNFORCED
    felt: np.ndarray | None = None  # wrench on the target about To, in T (n, 6); None for nothing

    @property
    def X_LG(self) -> Frame:
        """Where the facility's file has the grapple frame at the start."""
        start = self.lab.facility.start
        return frame(start.p_LG_m, start.q_LG)

    @property
    def X_LM(self) -> Frame:
        """Where the facility's file has M, the target's pose at the start."""
        return start_pose(self.lab.facility, self.scenario)


class Shown(NamedTuple):
    """A flight in one representation, wherever in the lab."""

    name: str
    t: np.ndarray  # [s] (n,)
    course: np.ndarray  # M in O (n, MOTION_WIDTH)
    hubs: np.ndarray  # target and chaser relative to M (2, n, SHOWN_WIDTH)
    rates: np.ndarray  # of their twists (2, n, 6)


def case_of(run: Run, lab: Lab, nominal: NominalChoice = UNFORCED) -> Case:
    """What a recorded mission asks of a facility."""
    scenario = Scenario.from_dict(run.provenance["scenario"])
    built = build(scenario)
    refuse_unfit(built)
    t = run.rows[:, 0].copy()
    if len(t) < FEWEST:
        raise InputError(f"{run.name}: {len(t)} recorded rows; a check takes {FEWEST} or more")
    names = [f"chaser.arms.{mounted.name}" for mounted in built.chaser.arms]
    q, qd, torques = (
        np.hstack([np.empty((len(t), 0)), *(run[f"{name}.{what}"][1] for name in names)])
        for what in ("q", "qd", "tau")
    )
    flight = flight_of(t, (_hub(run, built, "target", "T"), _hub(run, built, "chaser", "C")), q, qd)
    robots = lowered(loaded(lab, scenario, q), lab) if lab.facility.robots else None
    return Case(scenario, lab, built, flight, torques, robots, nominal)


def flight_of(
    t: np.ndarray, hubs: tuple[np.ndarray, np.ndarray], q: np.ndarray, qd: np.ndarray
) -> Flight:
    """Both spacecraft, the target first, in samples of p, q, v in O, w in hub axes (n, 13)."""
    states = np.ascontiguousarray(hubs)
    rates = np.ascontiguousarray(np.gradient(states[TARGET], t, axis=0, edge_order=2))
    return Flight(t, states, rates, np.ascontiguousarray(q), np.ascontiguousarray(qd))


def _hub(run: Run, built: Built, craft: str, B: str) -> np.ndarray:
    """A hub's states in O (n, 13)."""
    names = (f"p_H{B}", f"q_N{B}", f"v_H{B}", f"w_N{B}_{B}")
    states = np.hstack([run[f"{craft}.{name}"][1] for name in names])
    rows_from_hill(built.plant.orbit, run.rows[:, 0].copy(), states)
    return states


def loaded(lab: Lab, scenario: Scenario, q: np.ndarray) -> Robots:
    """The robots, the chaser's with its arms held out as far as they ever are, joints being q
    (n, joints)."""
    robots = fit_out(lab.facility, scenario)
    if np.ptp(q, axis=0).max(initial=0.0) < STILL:
        return robots
    rows = np.unique(np.linspace(0, len(q) - 1, ARM_SAMPLES).astype(int))
    tried = [fit_out(lab.facility, scenario, q[row]).chaser for row in rows]
    load = max(tried, key=_lever).load.copy()
    load[LARGEST] = max(robot.load[LARGEST] for robot in tried)
    return robots._replace(chaser=robots.chaser._replace(load=load))


def lowered(robots: Robots, lab: Lab) -> Robots:
    """The robots, no faster than the facility's guard lets them be."""
    guard = lab.facility.guard

    def slower(robot: Robot) -> Robot:
        joints = robot.joints.copy()
        joints[:, SPEED] *= guard.speed_override
        joints[:, ACCELERATION] *= guard.acceleration_override
        return robot._replace(joints=joints)

    return Robots(*map(slower, robots))


def _lever(robot: Robot) -> float:
    """Of the load about the flange [m]."""
    away = robot.load[COM : COM + 3] - robot.poses[FLANGE_ON_MOCK_UP, :3]
    return float(np.linalg.norm(away))


def show(case: Case, name: str) -> Shown:
    """The flight in one of REPRESENTATIONS."""
    flight, count = case.flight, len(case.flight.t)
    course, hubs = np.empty((count, MOTION_WIDTH)), np.empty((PAIR, count, SHOWN_WIDTH))
    shows = represent(case.built, name, case.X_LM, case.nominal)
    show_flight(shows, start_nominal(case.built, shows.nominal), flight, course, hubs)
    rates = np.gradient(hubs[:, :, TWIST:], flight.t, axis=1, edge_order=2)
    return Shown(name, flight.t, course, hubs, rates)


def track_in_lab(shown: Shown, which: int, X_LM: Frame, every: int = 1) -> Track:
    """How the lab has to move the mock-up of TARGET or CHASER, in every so-manieth sample."""
    hub = np.ascontiguousarray(shown.hubs[which, ::every])
    poses = np.empty((len(hub), POSE_WIDTH))
    place_shown(X_LM.row(), hub, poses)
    return Track(
        np.ascontiguousarray(shown.t[::every]),
        poses,
        np.ascontiguousarray(hub[:, TWIST:]),
        np.ascontiguousarray(shown.rates[which, ::every]),
    )


def arm_torques(case: Case, shown: Shown, X_LM: Frame) -> np.ndarray:
    """What the motors of the real arms give (n, joints) [N m or N]: orbit, gravity and carrier."""
    model = case.built.plant
    joints = case.torques.shape[1]  # those of wheels, which come after them, are not in the lab
    bodies = 1 + joints
    ground = Ground(
        Tree(model.chaser[:bodies], model.chaser_topology[:joints]),
        model.orbit,
        X_LM.row(),
        np.zeros((LOAD_ROWS, BASE_DOF + joints)),
        np.zeros((bodies, SCRATCH_WIDTH)),
    )
    more = np.empty((len(shown.t), joints))
    ground_torques(ground, case.flight, shown.course, shown.hubs, more)
    return np.asarray(case.torques + more)
