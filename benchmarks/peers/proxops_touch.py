"""The touching pair in our own plant."""

import numpy as np

from benchmarks.peers import touching
from benchmarks.peers.proxops_peer import advance_many, describe
from benchmarks.peers.touching import Touch
from proxops.core.description import ContactDescription, CraftDescription
from proxops.physics.contact.normal import SPRING
from proxops.plant import layout
from proxops.plant.build import build, start_state
from proxops.plant.contact_array import LONGEST_STEP, MEMORY_WIDTH, MODE, OPEN
from proxops.plant.model import DRIVE_FORCE
from proxops.plant.step import begin
from proxops.plant.workspace import quiet_drive, workspace


class ProxopsTouch:
    """Steps the pair with our plant; where `fixed`, contacts take no shorter steps of their own."""

    name = "proxops RK4"

    def __init__(self, touch: Touch, dt: float, fixed: bool = False) -> None:
        chaser = describe(touch.chain(), touch.start())
        target = CraftDescription(
            touching.TARGET_MASS,
            touching.TARGET_INERTIA,
            np.zeros(3),
            np.zeros(3),
            np.array([1.0, 0.0, 0.0, 0.0]),
            np.zeros(3),
        )
        ring = ContactDescription(
            name="ring",
            arm="",
            pads_on_chaser=True,
            pads=touching.pads(),
            radius=touching.PAD_RADIUS_M,
            centre=np.array([touching.FACE_M, 0.0, 0.0]),
            normal=np.array([-1.0, 0.0, 0.0]),
            along=np.array([0.0, 1.0, 0.0]),
            half=(2.0, 2.0),
            ball_radius=0.0,
            law=SPRING,
            stiffness=touch.stiffness,
            damping=touch.damping,
            exponent=1.0,
            depth=1.0,
            bilateral=False,
            mu_static=touching.MU,
            mu_kinetic=touching.MU,
            grip_stiffness=touch.stiffness,
            grip_damping=touch.damping,
        )
        self._dt = dt
        self._plant = build(chaser, target, None, (ring,))
        if fixed:
            self._plant.contacts[:, LONGEST_STEP] = np.inf
        self._drive, self._work = quiet_drive(self._plant), workspace(self._plant)
        self._drive[0, DRIVE_FORCE] = touch.push
        self._drive[len(self._plant.chaser), DRIVE_FORCE] = -touch.push
        self._y = start_state(self._plant, chaser, target)
        begin(self._plant, self._work, self._y, 0.0)

    @property
    def longest_step(self) -> float:
        """That closed contacts take by themselves [s]."""
        return float(self._plant.contacts[:, LONGEST_STEP].min())

    def run(self, steps: int) -> None:
        """Many steps in one call."""
        advance_many(self._plant, self._drive, self._work, self._y, self._dt, steps)

    def touches(self) -> int:
        """Number of pads that touch."""
        memory = self._y[layout.slices(self._plant).contacts].reshape(-1, MEMORY_WIDTH)
        return int(np.count_nonzero(memory[:, MODE] != OPEN))

    def closing_speed(self) -> float:
        """Of the chaser towards the target [m/s]."""
        parts = layout.slices(self._plant)
        return float(self._y[parts.chaser][layout.V] - self._y[parts.target][layout.V])
