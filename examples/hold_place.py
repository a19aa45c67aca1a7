"""A controller that keeps its place before the target: a template for your own.

It needs nothing but NumPy.  Fly it with

    proxops run examples/hold_place.toml --controller examples/hold_place.py:HoldPlace
"""

import numpy as np


class HoldPlace:
    """Keeps the pose that the camera sees first; the arms stay where they are."""

    rate_hz = 100.0  # divides the mission's control rate; without it: that rate
    modes = ("waiting", "holding")  # names of commands.mode, reported as events

    def start(self, briefing):
        """Called once before a run."""
        camera, chaser = briefing.mission["sensors"]["camera"], briefing.mission["chaser"]
        self.dt = briefing.period_s
        self.R_CK = rotation(np.array(camera["q_CK"]))
        self.mass = chaser["mass_kg"]
        self.inertia = np.array(chaser["inertia_kg_m2"])
        self.effort = 0.5 * briefing.limits
        self.pictures = 0

    def control(self, measurements, commands):
        """Called at its rate: measurements in, commands out.  What it does not write stays."""
        if measurements.encoders.count == 0 or measurements.camera.count == 0:
            return
        if self.pictures == 0:
            self.q_first = measurements.q.copy()
            self.R_first = rotation(measurements.camera.q)
            self.p_first = self.place = self.where(measurements)
            self.speed = np.zeros(3)
            self.force = np.zeros(3)
            commands.mode = 1
        commands.joints = self.joints(measurements)
        commands.torque = self.torque(measurements)
        commands.force = self.push(measurements)

    def joints(self, measurements):
        """Springs and dampers to where the joints were [N m]."""
        tau = 40.0 * (self.q_first - measurements.q) - 20.0 * measurements.qd
        return np.clip(tau, -self.effort, self.effort)

    def torque(self, measurements):
        """Turns back to the first attitude [N m]."""
        turned = self.R_first @ rotation(measurements.camera.q).T  # of K since then, small
        angle = 0.5 * np.array(
            [turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0], turned[1, 0] - turned[0, 1]]
        )
        return self.inertia @ (-0.09 * self.R_CK @ angle - 0.54 * measurements.gyro.w)

    def push(self, measurements):
        """Goes back to the first place [N]."""
        self.place = self.place + self.speed * self.dt
        self.speed = self.speed + self.force / self.mass * self.dt
        if measurements.camera.count != self.pictures:  # ten times a second
            self.pictures = measurements.camera.count
            error = self.where(measurements) - self.place
            self.place = self.place + 0.2 * error
            self.speed = self.speed + 0.2 * error
        self.force = self.mass * (0.04 * (self.p_first - self.place) - 0.36 * self.speed)
        return self.R_CK @ rotation(measurements.camera.q) @ self.force

    def where(self, measurements):
        """The camera's place in axes of the grapple point [m]."""
        return -rotation(measurements.camera.q).T @ measurements.camera.p


def rotation(q):
    """The rotation matrix of a quaternion, wxyz."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
