"""A sensor and two functions on board of your own: templates to start from.

    proxops run examples/approach.toml --extension examples/approach.py

A laser measures the distance of the two spacecraft.  A guidance in Python, once a second,
says where to be; a compiled tracking law, ten times a second, commands the base to be there.
"""

import math

import numpy as np

import proxops
from proxops import Field

# --- a sensor: what it measures, from the truth --------------------------------------------------


def distance(parameters, memory, truth, draws, values):
    """Writes the distance of the hubs [m]; says nothing beyond its reach."""
    x = truth.p_OT[0] - truth.p_OC[0]
    y = truth.p_OT[1] - truth.p_OC[1]
    z = truth.p_OT[2] - truth.p_OC[2]
    true = math.sqrt(x * x + y * y + z * z)
    values[0] = true + parameters.sigma_m * draws[0]
    return true <= parameters.reach_m


laser = proxops.Sensor(
    name="laser",
    measure=distance,
    fields=(Field("range", "m", title="Distance, as the laser has it"),),
    parameters={"sigma_m": 0.0, "reach_m": 1000.0},
    draws=1,
)


# --- a function in Python ------------------------------------------------------------------------


class Guidance:
    """Moves a set point towards the hold point at an even speed, and waits there."""

    name = "guidance"
    rate_hz = 1.0
    fields = (Field("p_ref", "m", "G", (3,), "Place to be at"),)
    modes = ("approaching", "waiting")
    parameters = {"speed_m_s": 0.1, "hold_m": 5.0}  # noqa: RUF012

    def start(self, briefing):
        """Called before each run."""
        self.step = briefing.parameters["speed_m_s"] * briefing.period_s
        self.hold = briefing.parameters["hold_m"]
        self.place = None
        self.waits = False

    def run(self, measurements, estimates, commands):
        """Called once a second."""
        camera = measurements.camera
        if camera.count == 0:
            return
        if self.place is None:
            self.place = -rotation(camera.q).T @ camera.p  # of the camera, in axes of G
        left = np.linalg.norm(self.place)
        self.place *= max(self.hold, left - self.step) / left
        estimates.guidance.p_ref = self.place
        if measurements.laser.range < self.hold + 0.1:
            self.waits = True  # for good: one noisy distance does not begin the approach anew
        commands.mode = 1 if self.waits else 0


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


# --- a compiled function -------------------------------------------------------------------------


def track(parameters, memory, measurements, estimates, commands):
    """Commands force and torque of the base towards the set point and the target's attitude.

    The camera looks along the chaser's axes here.  `memory` holds where the camera was: its speed
    is the difference of two places.
    """
    if measurements.camera.count[0] == 0.0 or memory[4] == measurements.camera.count[0]:
        return
    q, p = measurements.camera.q, measurements.camera.p
    w = q[0]
    u = q[1:]
    # R(q)ᵀ a = a + 2 w a × u + 2 (a × u) × u
    place = -turn_back(w, u, p)
    dt = measurements.camera.t[0] - memory[3]
    if memory[4] > 0.0 and dt > 0.0:
        speed = (place - memory[0:3]) / dt
        wanted = estimates.guidance.p_ref - place
        push = parameters.mass_kg * (parameters.kp * wanted - parameters.kd * speed)
        commands.force[:] = turn_back(w, -u, push)
        # u is half the rotation from the target's axes back to ours, for small angles
        commands.torque[:] = parameters.inertia_kg_m2 * (
            parameters.kp * 2.0 * u - parameters.kd * measurements.gyro.w
        )
    memory[0:3] = place
    memory[3] = measurements.camera.t[0]
    memory[4] = measurements.camera.count[0]


@proxops.compiled
def turn_back(w, u, a):
    """R(q)ᵀ a of q = (w, u)."""
    b = np.cross(a, u)
    return a + 2.0 * w * b + 2.0 * np.cross(b, u)


tracking = proxops.Compiled(
    track,
    name="tracking",
    rate_hz=10.0,
    memory=5,
    parameters={"mass_kg": 400.0, "inertia_kg_m2": 60.0, "kp": 0.01, "kd": 0.2},
    writes=("base.force", "base.torque"),
)

EXTENSIONS = [laser, Guidance, tracking]
