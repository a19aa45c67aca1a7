"""Straight-line forced motion along the target's orbit: out, a stop before the target, and back.

proxops run examples/out_and_back.toml --controller examples/out_and_back.py:OutAndBack
"""

import numpy as np
from hold_place import rotation

FAR, NEAR = 200.0, 2.0  # behind the target [m]
TIMES = (100.0, 2700.0, 3300.0, 5900.0)  # leaves, stops, leaves again, is back [s]
STIFFNESS, DAMPING = 0.01, 0.16  # [1/s²], [1/s]


class OutAndBack:
    """Keeps a place that moves along the orbit, with the target's axes."""

    rate_hz = 1.0

    def start(self, briefing):
        """Called once before a run."""
        self.dt = briefing.period_s
        self.mass = briefing.mission["chaser"]["mass_kg"]
        self.inertia = np.array(briefing.mission["chaser"]["inertia_kg_m2"])
        self.last = None

    def control(self, measurements, commands):
        """Called at its rate: measurements in, commands out."""
        if measurements.camera.count == 0:
            return
        R_CG, t = rotation(measurements.camera.q), measurements.t
        p_GC = -R_CG.T @ measurements.camera.p  # the camera is at the chaser's centre of mass
        off = p_GC - self.place(t)
        rate = np.zeros(3) if self.last is None else (off - self.last) / self.dt
        self.last = off
        commands.force = -self.mass * R_CG @ (STIFFNESS * off + DAMPING * rate)
        turned = 0.5 * np.array([R_CG[2, 1], R_CG[0, 2], R_CG[1, 0]])  # of G, small
        turned -= 0.5 * np.array([R_CG[1, 2], R_CG[2, 0], R_CG[0, 1]])
        rate = measurements.gyro.w - self.orbit_rate(measurements)
        commands.torque = self.inertia @ (0.01 * turned - 0.16 * rate)

    def place(self, t):
        """Where it is to be in the target's axes [m]."""
        share = np.interp(t, TIMES, (0.0, 1.0, 1.0, 0.0))  # of the distance to go
        share = share * share * (3.0 - 2.0 * share)  # begins and ends at rest
        return np.array([0.0, share * (FAR - NEAR) - FAR, 0.0])

    def orbit_rate(self, measurements):
        """How the target's axes turn, as seen first [rad/s]."""
        if not hasattr(self, "turns"):
            self.turns = measurements.gyro.w.copy()
        return self.turns
