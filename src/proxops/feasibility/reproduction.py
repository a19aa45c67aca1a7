"""A recorded mission on a facility: both mock-ups as the lab would have to move them."""

from typing import NamedTuple

import numpy as np

from proxops.assembly.representation import represent, start_nominal
from proxops.core.frame import Frame
from proxops.facility.common.rows import PAIR
from proxops.facility.robot_cell.industrial.robot import POSE_WIDTH
from proxops.facility.robot_cell.industrial.track import Track
from proxops.facility.robot_cell.reproduction import (
    REPRODUCED_WIDTH,
    Ground,
    ground_torques,
    place_reproduction,
    reproduce_flight,
)
from proxops.feasibility.case import Case
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import SCRATCH_WIDTH, Tree
from proxops.physics.relative.motion import MOTION_WIDTH, TWIST


class Reproduction(NamedTuple):
    """A flight in one representation, wherever in the lab."""

    name: str
    t: np.ndarray  # [s] (n,)
    course: np.ndarray  # M in O (n, MOTION_WIDTH)
    hubs: np.ndarray  # target and chaser relative to M (2, n, REPRODUCED_WIDTH)
    rates: np.ndarray  # of their twists (2, n, 6)


def reproduce(case: Case, name: str) -> Reproduction:
    """The flight in one of REPRESENTATIONS."""
    flight, count = case.flight, len(case.flight.t)
    course, hubs = np.empty((count, MOTION_WIDTH)), np.empty((PAIR, count, REPRODUCED_WIDTH))
    shows = represent(case.built, name, case.X_LM, case.nominal)
    reproduce_flight(shows, start_nominal(case.built, shows.nominal), flight, course, hubs)
    rates = np.gradient(hubs[:, :, TWIST:], flight.t, axis=1, edge_order=2)
    return Reproduction(name, flight.t, course, hubs, rates)


def track_in_lab(reproduced: Reproduction, which: int, X_LM: Frame, every: int = 1) -> Track:
    """How the lab has to move the mock-up of TARGET or CHASER, in every so-manieth sample."""
    hub = np.ascontiguousarray(reproduced.hubs[which, ::every])
    poses = np.empty((len(hub), POSE_WIDTH))
    place_reproduction(X_LM.row(), hub, poses)
    return Track(
        np.ascontiguousarray(reproduced.t[::every]),
        poses,
        np.ascontiguousarray(hub[:, TWIST:]),
        np.ascontiguousarray(reproduced.rates[which, ::every]),
    )


def arm_torques(case: Case, reproduced: Reproduction, X_LM: Frame) -> np.ndarray:
    """What the motors of the real arms give (n, joints) [N m or N]: orbit, gravity and carrier."""
    model = case.built.plant
    joints = case.torques.shape[1]  # those of wheels, which come after them, are not in the lab
    bodies = 1 + joints
    ground = Ground(
        Tree(model.chaser[:bodies], model.chaser_topology[:joints]),
        model.orbit,
        X_LM.row(),
        np.zeros(BASE_DOF + joints),
        np.zeros((bodies, SCRATCH_WIDTH)),
    )
    more = np.empty((len(reproduced.t), joints))
    ground_torques(ground, case.flight, reproduced.course, reproduced.hubs, more)
    return np.asarray(case.torques + more)
