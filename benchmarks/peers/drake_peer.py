"""The chain in Drake: continuous multibody plant, RK3 with a fixed step (Drake has no RK4)."""

from importlib.metadata import version

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    FixedOffsetFrame,
    RevoluteJoint,
    RotationalInertia,
    SpatialInertia,
)
from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator

from benchmarks.peers.model import Chain, State


def _inertia(mass: float, com: np.ndarray, inertia: np.ndarray) -> SpatialInertia:
    about_com = RotationalInertia(
        *(inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    )
    return SpatialInertia.MakeFromCentralInertia(mass, com, about_com)


class DrakePeer:
    """Steps the chain with Drake's simulator.  It keeps v and w in inertial axes."""

    name = "Drake RK3"
    version = version("drake")

    def __init__(self, chain: Chain, dt: float) -> None:
        plant = MultibodyPlant(time_step=0.0)
        base = plant.AddRigidBody(
            "base", _inertia(chain.base_mass, np.zeros(3), chain.base_inertia)
        )
        parent, self._joints = base, []
        for at, link in enumerate(chain.links):
            body = plant.AddRigidBody(f"link{at}", _inertia(link.mass, link.com, link.inertia))
            X_PJ = RigidTransform(RotationMatrix(link.R_PJ), link.p_PJ)
            joint = RevoluteJoint(
                f"joint{at}",
                plant.AddFrame(FixedOffsetFrame(f"root{at}", parent, X_PJ)),
                body.body_frame(),
                [0.0, 0.0, 1.0],
            )
            self._joints.append(plant.AddJoint(joint))
            parent = body
        plant.mutable_gravity_field().set_gravity_vector(np.zeros(3))
        plant.Finalize()
        self._plant, self._base, self._dt = plant, base, dt
        self._simulator = Simulator(plant)
        self._context = self._simulator.get_mutable_context()
        port = plant.get_applied_generalized_force_input_port()
        self._forces = port.FixValue(self._context, np.zeros(plant.num_velocities()))
        ResetIntegratorFromFlags(self._simulator, scheme="runge_kutta3", max_step_size=dt)
        self._simulator.get_mutable_integrator().set_fixed_step_mode(True)
        self._steps = 0

    def set_state(self, state: State) -> None:
        R = RotationMatrix(Quaternion(state.quat))
        X = RigidTransform(Quaternion(state.quat), state.p)
        self._plant.SetFreeBodyPose(self._context, self._base, X)
        V = SpatialVelocity(R.multiply(state.w), R.multiply(state.v))
        self._plant.SetFreeBodySpatialVelocity(self._context, self._base, V)
        for joint, q, qd in zip(self._joints, state.q, state.qd, strict=True):
            joint.set_angle(self._context, q)
            joint.set_angular_rate(self._context, qd)
        self._context.SetTime(0.0)
        self._steps = 0
        self._simulator.Initialize()

    def step(self, tau: np.ndarray) -> None:
        """One step with the joint torques held."""
        self.run(tau, 1)

    def run(self, tau: np.ndarray, steps: int) -> None:
        """Many steps with constant torques, in one call."""
        self._forces.GetMutableData().get_mutable_value().SetFromVector(
            np.concatenate([np.zeros(6), tau])
        )
        self._steps += steps
        self._simulator.AdvanceTo(self._steps * self._dt)

    def joints(self) -> tuple[np.ndarray, np.ndarray]:
        return (
            np.array([joint.get_angle(self._context) for joint in self._joints]),
            np.array([joint.get_angular_rate(self._context) for joint in self._joints]),
        )

    def state(self) -> State:
        X = self._plant.GetFreeBodyPose(self._context, self._base)
        V = self._base.EvalSpatialVelocityInWorld(self._context)
        R = X.rotation().inverse()
        return State(
            X.translation(),
            X.rotation().ToQuaternion().wxyz(),
            R.multiply(V.translational()),
            R.multiply(V.rotational()),
            *self.joints(),
        )
