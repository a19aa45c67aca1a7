"""One pair for both engines: a chaser on a ring of six pads against a face of a free target."""

from typing import NamedTuple

import numpy as np

from benchmarks.peers.model import Chain, State, space_arm

PADS = 6
RING_M, PAD_RADIUS_M = 0.8, 0.02
REACH_M = 0.5  # of the pads' centres ahead of the base
TARGET_MASS, TARGET_INERTIA = 8200.0, np.diag([1e4, 226e3, 228e3])
FACE_M = -5.0  # of the target, along its x
MU = 0.5


class Touch(NamedTuple):
    """Pads and their start."""

    stiffness: float  # of each pad [N/m]
    damping: float  # [N s/m]
    gap: float  # between pads and face at the start [m]
    speed: float  # of the chaser towards the target [m/s]
    push: float  # on the chaser, and back on the target [N]
    joints: int  # of the chaser's arm

    def chain(self) -> Chain:
        return space_arm(self.joints)

    def reduced_mass(self) -> float:
        """Of the two, for an impact along x of a chaser without an arm [kg]."""
        chaser = self.chain().base_mass
        return chaser * TARGET_MASS / (chaser + TARGET_MASS)

    def start(self) -> State:
        """Of the chaser, in axes along the target's."""
        at = np.arange(self.joints)
        return State(
            p=np.array([FACE_M - REACH_M - PAD_RADIUS_M - self.gap, 0.0, 0.0]),
            quat=np.array([1.0, 0.0, 0.0, 0.0]),
            v=np.array([self.speed, 0.0, 0.0]),
            w=np.zeros(3),
            q=np.where(at % 2 == 0, 0.3, 1.4) * np.where(at % 4 < 2, 1.0, -1.0),
            qd=0.02 * np.cos(1.3 * at),
        )


def pads() -> np.ndarray:
    """Centres of the pads in the chaser's frame [m]."""
    angles = np.arange(PADS) * 2.0 * np.pi / PADS
    return np.stack(
        [np.full(PADS, REACH_M), RING_M * np.cos(angles), RING_M * np.sin(angles)], axis=1
    )
