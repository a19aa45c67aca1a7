"""The touching pair in MuJoCo, its own RK4.

MuJoCo takes no stiffness in N/m.  `solref` gets -c/m and -d/m, c and d of all pads together and m
the reduced mass, and `solimp` is as hard as it may be: force and overlap then nearly keep to the
same law along the ring's axis.  Its solver starts from the last forces, as it does by default.
"""

import mujoco
import numpy as np

from benchmarks.peers import touching
from benchmarks.peers.mujoco_peer import add_chain
from benchmarks.peers.touching import Touch

_HARD = [0.9999, 0.9999, 0.001, 0.5, 2.0]
_BOX = np.array([0.5, 2.0, 2.0])  # half sizes; planes may not move [m]


def _model(touch: Touch, dt: float) -> mujoco.MjModel:
    mass = touch.reduced_mass()
    solref = [
        -touching.PADS * touch.stiffness / mass,
        -touching.PADS * touch.damping / mass,
    ]
    rubs = {"friction": [touching.MU, 0.0, 0.0], "condim": 3, "solref": solref, "solimp": _HARD}
    spec = mujoco.MjSpec()
    spec.option.timestep = dt
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.disableflags = int(mujoco.mjtDisableBit.mjDSBL_GRAVITY)
    base = add_chain(spec, touch.chain())
    for pad in touching.pads():
        base.add_geom(
            type=mujoco.mjtGeom.mjGEOM_SPHERE,
            size=[touching.PAD_RADIUS_M, 0.0, 0.0],
            pos=pad,
            contype=1,
            conaffinity=0,
            **rubs,
        )
    inertia = touching.TARGET_INERTIA
    other = spec.worldbody.add_body(
        mass=touching.TARGET_MASS,
        ipos=[0.0, 0.0, 0.0],
        fullinertia=[*np.diag(inertia), 0.0, 0.0, 0.0],
        explicitinertial=True,
    )
    other.add_freejoint()
    other.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=_BOX,
        pos=[touching.FACE_M + _BOX[0], 0.0, 0.0],
        contype=0,
        conaffinity=1,
        **rubs,
    )
    return spec.compile()


class MujocoTouch:
    """Steps the pair with MuJoCo."""

    name = "MuJoCo RK4"

    def __init__(self, touch: Touch, dt: float) -> None:
        self._model = _model(touch, dt)
        self._data = mujoco.MjData(self._model)
        start = touch.start()
        self._other = 6 + touch.joints  # first velocity of the target
        self._data.qpos[: 7 + touch.joints] = np.concatenate([start.p, start.quat, start.q])
        self._data.qvel[:3] = start.v
        self._data.qvel[6 : self._other] = start.qd
        # along the axes of the bodies, which hardly turn
        self._data.qfrc_applied[0] = touch.push
        self._data.qfrc_applied[self._other] = -touch.push

    def run(self, steps: int) -> None:
        """Many steps in one call."""
        mujoco.mj_step(self._model, self._data, nstep=steps)

    def touches(self) -> int:
        """Number of contacts."""
        return int(self._data.ncon)

    def closing_speed(self) -> float:
        """Of the chaser towards the target [m/s]."""
        return float(self._data.qvel[0] - self._data.qvel[self._other])
