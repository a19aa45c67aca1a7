"""Straight-line forced motion along the target's orbit: out, a stop before the target, and back.

    proxops run examples/out_and_back.toml --extension examples/out_and_back.py

A guidance in Python says once a second where to be and how fast; a compiled tracking law, ten times
a second, commands the base to be there.
"""

import numpy as np

import proxops
from proxops import Field

FAR, NEAR = 200.0, 2.0  # behind the target [m]
TIMES = (100.0, 2700.0, 3300.0, 5900.0)  # leaves, stops, leaves again, is back [s]


class Guidance:
    """A place that moves along the orbit, in the target's axes."""

    name = "guidance"
    rate_hz = 1.0
    fields = (
        Field("p_ref", "m", "G", (3,), "Place to be at"),
        Field("v_ref", "m/s", "G", (3,), "Speed to have there"),
    )
    modes = ("waiting", "closing", "holding", "retreating", "returned")

    def run(self, measurements, estimates, commands):
        """Called once a second."""
        t = measurements.t
        estimates.guidance.p_ref = [0.0, place(t), 0.0]
        estimates.guidance.v_ref = [0.0, place(t + 0.5) - place(t - 0.5), 0.0]
        commands.mode = int(np.searchsorted(TIMES, t, side="right"))


def place(t):
    """Along the orbit, from the target [m]."""
    share = np.interp(t, TIMES, (0.0, 1.0, 1.0, 0.0))  # of the distance to go
    return share * share * (3.0 - 2.0 * share) * (FAR - NEAR) - FAR  # begins and ends at rest


# Entries of what the tracking remembers
PLACE = 0  # where the camera was in the target's axes (3)
SEEN = 3  # how many pictures there were
ORBIT = 4  # how the target's axes turn, as the gyro had it first (3)


def track(parameters, memory, measurements, estimates, commands):
    """Force and torque of the base; the camera is at the chaser's centre of mass, along its axes.

    f = m R (k (p_ref - p) + d (v_ref - v)),   R turns from the target's axes into ours
    """
    camera, guidance = measurements.camera, estimates.guidance
    if camera.count[0] == 0.0:
        return
    R = turned(camera.q)
    p = -(R.T @ camera.p)
    if memory[SEEN] == 0.0:
        memory[PLACE : PLACE + 3] = p
        memory[ORBIT : ORBIT + 3] = measurements.gyro.w
    v = (p - memory[PLACE : PLACE + 3]) / parameters.period_s
    memory[PLACE : PLACE + 3] = p
    memory[SEEN] = camera.count[0]
    k, d = parameters.stiffness_1_s2, parameters.damping_1_s
    wanted = k * (guidance.p_ref - p) + d * (guidance.v_ref - v)
    commands.force[:] = parameters.mass_kg * (R @ wanted)
    spin = measurements.gyro.w - memory[ORBIT : ORBIT + 3]
    commands.torque[:] = parameters.inertia_kg_m2 * (2.0 * k * camera.q[1:] - d * spin)


@proxops.compiled
def turned(q):
    """The rotation matrix of a quaternion, wxyz."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


tracking = proxops.Compiled(
    track,
    name="tracking",
    rate_hz=10.0,
    memory=7,
    parameters={
        "period_s": 0.1,
        "mass_kg": 300.0,
        "inertia_kg_m2": 40.0,
        "stiffness_1_s2": 0.01,
        "damping_1_s": 0.16,
    },
    writes=("base.force", "base.torque"),
)

EXTENSIONS = [Guidance, tracking]
