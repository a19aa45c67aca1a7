"""The chain in Basilisk: a spacecraft hub with an n-hinge state effector, its own RK4."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from Basilisk import __version__ as basilisk_version
from Basilisk.architecture import messaging
from Basilisk.simulation import spacecraft, spinningBodyNDOFStateEffector, svIntegrators
from Basilisk.utilities import RigidBodyKinematics, SimulationBaseClass, macros

from benchmarks.peers.model import Chain, State

_TASK = "dynamics"


def _column(a: np.ndarray) -> list[list[float]]:
    return [[float(x)] for x in a]


def _arm(chain: Chain) -> spinningBodyNDOFStateEffector.SpinningBodyNDOFStateEffector:
    arm = spinningBodyNDOFStateEffector.SpinningBodyNDOFStateEffector()
    for link in chain.links:
        body = spinningBodyNDOFStateEffector.SpinningBody()
        body.setMass(link.mass)
        body.setISPntSc_S(link.inertia.tolist())
        body.setDCM_S0P(link.R_PJ.T.tolist())  # a direction cosine matrix turns components
        body.setR_ScS_S(_column(link.com))
        body.setR_SP_P(_column(link.p_PJ))
        body.setSHat_S([[0.0], [0.0], [1.0]])
        arm.addSpinningBody(body)
    return arm


class BasiliskPeer:
    """Steps the chain with Basilisk.  It keeps modified Rodrigues parameters and v in inertial
    axes; a torque message is read before the step that it acts in."""

    name = "Basilisk RK4"
    version = basilisk_version

    def __init__(self, chain: Chain, dt: float, appendages: Sequence[Any] = ()) -> None:
        self._dt_ns = macros.sec2nano(dt)
        self._now_ns = 0
        self._sim = SimulationBaseClass.SimBaseClass()
        process = self._sim.CreateNewProcess("process")
        process.addTask(self._sim.CreateNewTask(_TASK, self._dt_ns))
        self._craft = spacecraft.Spacecraft()
        self._craft.ModelTag = "chaser"
        self._craft.hub.mHub = chain.base_mass
        self._craft.hub.r_BcB_B = _column(np.zeros(3))
        self._craft.hub.IHubPntBc_B = chain.base_inertia.tolist()
        self._integrator = svIntegrators.svIntegratorRK4(self._craft)
        self._craft.setIntegrator(self._integrator)
        self._payload = messaging.ArrayMotorTorqueMsgPayload()
        self._message = messaging.ArrayMotorTorqueMsg().write(self._payload)
        self._arm = _arm(chain) if chain.links else None
        if self._arm is not None:
            self._arm.motorTorqueInMsg.subscribeTo(self._message)
            self._craft.addStateEffector(self._arm)
            self._sim.AddModelToTask(_TASK, self._arm)
        self._appendages = appendages  # Basilisk does not keep them alive
        for appendage in appendages:
            self._craft.addStateEffector(appendage)
        self._sim.AddModelToTask(_TASK, self._craft)
        self._sim.InitializeSimulation()
        self._advance(0)

    def _write(self, name: str, value: np.ndarray) -> None:
        self._craft.dynManager.getStateObject(name).setState(_column(value))

    def set_state(self, state: State) -> None:
        """The start: Basilisk takes v of the base's origin, inertial axes."""
        R = RigidBodyKinematics.EP2C(state.quat).T
        hub = self._craft.hub
        self._write(hub.nameOfHubPosition, state.p)
        self._write(hub.nameOfHubVelocity, R @ state.v)
        self._write(hub.nameOfHubSigma, RigidBodyKinematics.EP2MRP(state.quat))
        self._write(hub.nameOfHubOmega, state.w)
        if self._arm is not None:
            self._write(self._arm.getNameOfThetaState(), state.q)
            self._write(self._arm.getNameOfThetaDotState(), state.qd)

    def _advance(self, steps: int) -> None:
        self._now_ns += steps * self._dt_ns
        self._sim.ConfigureStopTime(self._now_ns)
        self._sim.ExecuteSimulation()

    def step(self, tau: np.ndarray) -> None:
        """One step with the joint torques held."""
        self.run(tau, 1)

    def run(self, tau: np.ndarray, steps: int) -> None:
        """Many steps with constant torques, in one call."""
        self._payload.motorTorque = tau.tolist()
        self._message.write(self._payload, self._now_ns)
        self._advance(steps)

    def _read(self, name: str) -> np.ndarray:
        return np.array(self._craft.dynManager.getStateObject(name).getState()).ravel()

    def joints(self) -> tuple[np.ndarray, np.ndarray]:
        if self._arm is None:
            return np.zeros(0), np.zeros(0)
        return (
            self._read(self._arm.getNameOfThetaState()),
            self._read(self._arm.getNameOfThetaDotState()),
        )

    def state(self) -> State:
        hub = self._craft.hub
        quat = np.array(RigidBodyKinematics.MRP2EP(self._read(hub.nameOfHubSigma)))
        v = RigidBodyKinematics.EP2C(quat) @ self._read(hub.nameOfHubVelocity)
        p, w = self._read(hub.nameOfHubPosition), self._read(hub.nameOfHubOmega)
        return State(p, quat, v, w, *self.joints())
