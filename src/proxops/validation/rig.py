"""A satellite on a robot, without a scenario around it: the modelled hub in the plant, its
appendages on the flange."""

import numpy as np

from proxops.core.description import AppendageDescription, CraftDescription
from proxops.core.errors import ProxopsError
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.facility.common.carrier import CARRIER_SIZE, P
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.rendered import mock_up, rendering
from proxops.facility.rendered.build import (
    RobotDescription,
    integer_steps,
    quiet_outputs,
    start,
    workspace_for,
)
from proxops.facility.rendered.build import build as build_rendering
from proxops.facility.rendered.probe import no_probe
from proxops.physics.flexible.table import start_of
from proxops.plant import layout
from proxops.plant.build import build as build_plant
from proxops.plant.build import start_state
from proxops.plant.model import DRIVE_FORCE
from proxops.plant.step import OK, STATUS_TEXT, step
from proxops.plant.workspace import quiet_drive, workspace

# Columns of a row of `Rig.go`, then the modes
CARRIER = 0  # pose of the flange in the lab
HUB = 7  # pose of the modelled hub
WRENCH_TRUE = 14  # on the flange
READING = 20  # that drives the model from here on
MODES = 26
POSE = 7

FAR = np.array([0.0, 9.0, 0.0])  # where the plant's other spacecraft stands [m]
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


class Rig:
    """A rigid hub rendered by a robot that carries real appendages."""

    def __init__(
        self,
        hub: CraftDescription,
        carried: tuple[AppendageDescription, ...],
        robot: RobotDescription,
        dt: float,
        seed: int = 0,
    ) -> None:
        other = CraftDescription(1.0, np.eye(3), FAR, np.zeros(3), UPRIGHT, np.zeros(3))
        self.model = build_rendering(mock_up.bolted(carried), no_probe(), robot, dt)
        self._dt = dt
        self._plant = build_plant(other, hub, None)
        self._work, self._drive = workspace(self._plant), quiet_drive(self._plant)
        self._y = start_state(self._plant, other, hub)
        self.hub = self._y[layout.slices(self._plant).target]
        self.state = start(
            self.model, self.hub[layout.P : layout.V], self._motion(), start_of(carried)
        )
        self._room, self.outputs = workspace_for(self.state), quiet_outputs()
        self._rng = np.random.default_rng(seed)
        rendering.begin(self.model, self.state, self._room, self._inputs(), self.outputs, self._dt)

    def go(self, duration: float) -> np.ndarray:
        """A row for every step from now on; the last one is a step before the end."""
        steps = integer_steps("duration", duration, self._dt)
        rows = np.zeros((steps, MODES + len(self.state.y) - rendering.MODES))
        for row in rows:
            row[CARRIER : CARRIER + POSE] = self.state.y[P : P + POSE]
            row[HUB : HUB + POSE] = self.hub[layout.P : layout.V]
            row[WRENCH_TRUE : WRENCH_TRUE + WRENCH] = self.outputs.wrench
            row[READING : READING + WRENCH] = self.outputs.reading
            row[MODES:] = self.state.y[CARRIER_SIZE + WRENCH :]
            self._step()
        return rows

    def _step(self) -> None:
        self._drive[-1, DRIVE_FORCE : DRIVE_FORCE + WRENCH] = self.outputs.reading
        t = self.state.clock[0] * self._dt
        status = step(self._plant, self._drive, self._work, self._y, t, self._dt)
        if status != OK:
            raise ProxopsError(f"the rendered hub: {STATUS_TEXT[status]}")
        rendering.step(self.model, self.state, self._room, self._inputs(), self.outputs, self._dt)

    def _inputs(self) -> rendering.Inputs:
        return rendering.Inputs(self._motion(), self._rng.standard_normal(WRENCH))

    def _motion(self) -> np.ndarray:
        """Velocity and angular velocity of the hub, lab axes."""
        R = np.array(quat_to_rotation.py_func(self.hub[layout.Q : layout.Q + 4])).reshape(3, 3)
        w = R @ self.hub[layout.W : layout.W + 3]
        return np.concatenate([self.hub[layout.V : layout.V + 3], w])
