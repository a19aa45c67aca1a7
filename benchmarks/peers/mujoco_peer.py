"""The chain in MuJoCo, its own RK4."""

from collections.abc import Callable, Sequence

import mujoco
import numpy as np
from mujoco import rollout

from benchmarks.peers.model import Chain, State

# What the model does not have is not paid for.
_ABSENT = (
    mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    | mujoco.mjtDisableBit.mjDSBL_CONTACT
    | mujoco.mjtDisableBit.mjDSBL_LIMIT
    | mujoco.mjtDisableBit.mjDSBL_GRAVITY
    | mujoco.mjtDisableBit.mjDSBL_SENSOR
    | mujoco.mjtDisableBit.mjDSBL_ACTUATION
    | mujoco.mjtDisableBit.mjDSBL_SPRING
    | mujoco.mjtDisableBit.mjDSBL_DAMPER
)


def _six(inertia: np.ndarray) -> list[float]:
    return [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]


def _quaternion(R: np.ndarray) -> np.ndarray:
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, R.ravel())
    return quat


def _model(chain: Chain, dt: float, integrator: mujoco.mjtIntegrator) -> mujoco.MjModel:
    spec = mujoco.MjSpec()
    spec.option.timestep = dt
    spec.option.integrator = integrator
    spec.option.disableflags = int(_ABSENT)
    add_chain(spec, chain)
    return spec.compile()


def add_chain(spec: mujoco.MjSpec, chain: Chain) -> mujoco.MjsBody:
    """Puts base and arm into a model; returns the base."""
    base = body = spec.worldbody.add_body(
        mass=chain.base_mass,
        ipos=[0.0, 0.0, 0.0],  # left out, the compiler drops the principal axes of fullinertia
        fullinertia=_six(chain.base_inertia),
        explicitinertial=True,
    )
    body.add_freejoint()
    for link in chain.links:
        body = body.add_body(
            pos=link.p_PJ,
            quat=_quaternion(link.R_PJ),
            mass=link.mass,
            ipos=link.com,
            fullinertia=_six(link.inertia),
            explicitinertial=True,
        )
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0.0, 0.0, 1.0])
    return base


class MujocoPeer:
    """Steps the chain with MuJoCo.  It keeps v in inertial axes and w in base axes."""

    name = "MuJoCo RK4"
    version = mujoco.__version__

    def __init__(
        self,
        chain: Chain,
        dt: float,
        integrator: mujoco.mjtIntegrator = mujoco.mjtIntegrator.mjINT_RK4,
    ) -> None:
        self._model = _model(chain, dt, integrator)
        self._data = mujoco.MjData(self._model)

    def set_state(self, state: State) -> None:
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, state.quat)
        self._data.qpos[:] = np.concatenate([state.p, state.quat, state.q])
        self._data.qvel[:] = np.concatenate([R.reshape(3, 3) @ state.v, state.w, state.qd])

    def step(self, tau: np.ndarray) -> None:
        """One step with the joint torques held."""
        self._data.qfrc_applied[6:] = tau
        mujoco.mj_step(self._model, self._data)

    def run(self, tau: np.ndarray, steps: int) -> None:
        """Many steps with constant torques, in one call."""
        self._data.qfrc_applied[6:] = tau
        mujoco.mj_step(self._model, self._data, nstep=steps)

    def batch(self, starts: Sequence[State], steps: int, threads: int) -> Callable[[], object]:
        """Flies all starts with MuJoCo's own batches, which store each step's state."""
        rows = np.empty((len(starts), self._size()))
        for row, start in zip(rows, starts, strict=True):
            self.set_state(start)
            mujoco.mj_getState(self._model, self._data, row, mujoco.mjtState.mjSTATE_FULLPHYSICS)
        data = [mujoco.MjData(self._model) for _ in range(threads)]
        return lambda: rollout.rollout(self._model, data, rows, nstep=steps)

    def _size(self) -> int:
        return mujoco.mj_stateSize(self._model, mujoco.mjtState.mjSTATE_FULLPHYSICS)

    def joints(self) -> tuple[np.ndarray, np.ndarray]:
        return self._data.qpos[7:].copy(), self._data.qvel[6:].copy()

    def state(self) -> State:
        qpos, qvel = self._data.qpos.copy(), self._data.qvel.copy()
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, qpos[3:7])
        v = R.reshape(3, 3).T @ qvel[:3]
        return State(qpos[:3], qpos[3:7], v, qvel[3:6], qpos[7:], qvel[6:])


def euler_peer(chain: Chain, dt: float) -> MujocoPeer:
    """MuJoCo with its default integrator."""
    return MujocoPeer(chain, dt, mujoco.mjtIntegrator.mjINT_EULER)
