"""The chain in our own plant: the step that `simulate` takes, ledger and target included."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from benchmarks.peers.model import Chain, Slider, State, rotation
from proxops.core.description import (
    AppendageDescription,
    ArmDescription,
    CraftDescription,
    JointDescription,
    ModeDescription,
    MountedArm,
    RigidInertia,
    point_inertia,
)
from proxops.core.jit import kernel
from proxops.plant import layout, step
from proxops.plant.build import build, start_state
from proxops.plant.model import DRIVE_MOTOR
from proxops.plant.step import OK, advance
from proxops.plant.workspace import quiet_drive, workspace


def _arm(chain: Chain) -> ArmDescription:
    joints = tuple(
        JointDescription(
            name=f"joint{at}",
            prismatic=False,
            R_PJ=link.R_PJ,
            p_PJ=link.p_PJ,
            link=RigidInertia(
                link.mass, link.com, link.inertia + point_inertia(link.mass, link.com)
            ),
            lower=-np.inf,
            upper=np.inf,
            effort=np.inf,
            speed=np.inf,
            viscous=0.0,
            coulomb=0.0,
            rotor_inertia=0.0,
            stop_stiffness=0.0,
            stop_damping=0.0,
        )
        for at, link in enumerate(chain.links)
    )
    nothing = RigidInertia(0.0, np.zeros(3), np.zeros((3, 3)))
    return ArmDescription("arm", nothing, joints, np.eye(3), chain.p_JE)


def describe(chain: Chain, state: State) -> CraftDescription:
    """The chain in the words of a scenario."""
    arm = MountedArm("main", _arm(chain), np.eye(3), np.zeros(3), state.q, state.qd)
    return CraftDescription(
        mass=chain.base_mass,
        inertia=chain.base_inertia,
        p_H=state.p,
        v_H=rotation(state.quat) @ state.v,
        q_N=state.quat,
        w=state.w,
        arms=(arm,) if chain.links else (),
    )


def _slide(slider: Slider) -> AppendageDescription:
    """A mode whose shape is the same wherever there is mass: in one point."""
    root = math.sqrt(slider.mass)
    k = root * slider.place
    mode = ModeDescription(
        slider.omega, slider.zeta, root, slider.along, k, np.cross(k, slider.along),
        partner=-1, is_beam=True, per_eta=1.0 / root,
    )  # fmt: skip
    rigid = RigidInertia(slider.mass, slider.place, point_inertia(slider.mass, slider.place))
    return AppendageDescription(
        "slider", rigid, (mode,), "m", np.array([slider.start]), np.zeros(1)
    )


# The plant always has a target: its cost is part of what we are measured by.
TARGET = CraftDescription(
    mass=2000.0,
    inertia=np.diag([1500.0, 2100.0, 1800.0]),
    p_H=np.array([0.0, 30.0, 0.0]),
    v_H=np.zeros(3),
    q_N=np.array([1.0, 0.0, 0.0, 0.0]),
    w=np.radians([1.0, 0.5, -2.0]),
)


@kernel
def advance_many(plant, drive, work, y, h, steps):
    for _ in range(steps):
        status = advance(plant, drive, work, y, 0.0, h)
        if status != OK:
            return status
    return OK


class ProxopsPeer:
    """Steps the chain with our plant, in which no torque depends on time: there is no orbit."""

    name = "proxops RK4"
    version = "this source"

    def __init__(self, chain: Chain, dt: float, sliders: Sequence[Slider] = ()) -> None:
        self._chain, self._dt = chain, dt
        self._appendages = tuple(_slide(slider) for slider in sliders)

    def set_state(self, state: State) -> None:
        chaser = replace(describe(self._chain, state), appendages=self._appendages)
        self._plant = build(chaser, TARGET, None)
        self._drive = quiet_drive(self._plant)
        self._motors = self._drive[1 : 1 + len(state.q), DRIVE_MOTOR]
        self._work = workspace(self._plant)
        self._y = start_state(self._plant, chaser, TARGET)
        self._own = self._y[layout.slices(self._plant)[0]]

    def step(self, tau: np.ndarray) -> None:
        """One step with the joint torques held, in one call from Python."""
        self._motors[:] = tau
        step(self._plant, self._drive, self._work, self._y, 0.0, self._dt)

    def run(self, tau: np.ndarray, steps: int) -> None:
        """Many steps with constant torques, in a compiled loop."""
        self._motors[:] = tau
        advance_many(self._plant, self._drive, self._work, self._y, self._dt, steps)

    def joints(self) -> tuple[np.ndarray, np.ndarray]:
        joints, n = self._own[layout.JOINTS :], len(self._chain.links)
        return joints[:n].copy(), joints[n : 2 * n].copy()

    def state(self) -> State:
        y = self._own.copy()
        return State(
            y[layout.P : layout.P + 3],
            y[layout.Q : layout.Q + 4],
            rotation(y[layout.Q : layout.Q + 4]).T @ y[layout.V : layout.V + 3],
            y[layout.W : layout.W + 3],
            *self.joints(),
        )
