"""The chain in Pinocchio: its forward dynamics, called from Python inside an RK4 in NumPy."""

import numpy as np
import pinocchio as pin

from benchmarks.peers.model import Chain, State


def _model(chain: Chain) -> pin.Model:
    model = pin.Model()
    model.gravity = pin.Motion.Zero()
    joint = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "base")
    base = pin.Inertia(chain.base_mass, np.zeros(3), chain.base_inertia)
    model.appendBodyToJoint(joint, base, pin.SE3.Identity())
    for at, link in enumerate(chain.links):
        placement = pin.SE3(link.R_PJ, link.p_PJ)
        joint = model.addJoint(joint, pin.JointModelRZ(), placement, f"joint{at}")
        inertia = pin.Inertia(link.mass, link.com, link.inertia)
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    return model


class PinocchioPeer:
    """Steps the chain with `aba`.

    Positions live on a manifold, so the stages are increments in its tangent, moved by
    `integrate`; without the commutators of Munthe-Kaas' scheme the base would be of second order.
    """

    name = "Pinocchio from Python, RK4"
    version = pin.__version__

    def __init__(self, chain: Chain, dt: float) -> None:
        self._model = _model(chain)
        self._data = self._model.createData()
        self._dt = dt
        self._tau = np.zeros(self._model.nv)
        self._q = pin.neutral(self._model)
        self._v = np.zeros(self._model.nv)

    def set_state(self, state: State) -> None:
        xyzw = np.roll(state.quat, -1)
        self._q = np.concatenate([state.p, xyzw, state.q])
        self._v = np.concatenate([state.v, state.w, state.qd])

    def step(self, tau: np.ndarray) -> None:
        """One step with the joint torques held."""
        model, data, h, q, v = self._model, self._data, self._dt, self._q, self._v
        self._tau[6:] = tau
        tau = self._tau
        a1 = pin.aba(model, data, q, v, tau).copy()
        v2 = v + (h / 2) * a1
        a2 = pin.aba(model, data, pin.integrate(model, q, (h / 2) * v), v2, tau).copy()
        v3 = v + (h / 2) * a2
        move = (h / 2) * v2
        move[:6] -= (h * h / 8) * _bracket(v, v2)
        a3 = pin.aba(model, data, pin.integrate(model, q, move), v3, tau).copy()
        v4 = v + h * a3
        a4 = pin.aba(model, data, pin.integrate(model, q, h * v3), v4, tau)
        move = (h / 6) * (v + 2 * (v2 + v3) + v4)
        move[:6] += (h * h / 12) * _bracket(v, v4)
        self._q = pin.integrate(model, q, move)
        self._v = v + (h / 6) * (a1 + 2 * (a2 + a3) + a4)

    def run(self, tau: np.ndarray, steps: int) -> None:
        """Many steps with constant torques."""
        for _ in range(steps):
            self.step(tau)

    def joints(self) -> tuple[np.ndarray, np.ndarray]:
        return self._q[7:], self._v[6:]

    def state(self) -> State:
        q, v = self._q, self._v
        return State(q[:3], np.roll(q[3:7], 1), v[:3], v[3:6], q[7:], v[6:])


def _bracket(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """[a, b] of two base twists."""
    return (pin.Motion(a[:6]) ^ pin.Motion(b[:6])).vector
