"""All sensors of the chaser as a stage of the loop: truth in, seen out.

Called once a step, from the start on, with the truth at that instant and a row of standard normal
numbers that no other call gets.
"""

from proxops.bus.measurements import T
from proxops.core.clock import NS_PER_S
from proxops.core.jit import kernel, part
from proxops.sensors.camera import look_at_grapple
from proxops.sensors.encoders import feel_joints
from proxops.sensors.gyro import feel_rate
from proxops.sensors.model import SENSORS
from proxops.sensors.sampling import hand_over
from proxops.sensors.star_tracker import track_stars
from proxops.sensors.telemetry import report
from proxops.sensors.wrist import feel_wrench


@part
def advance(model, state, truth, draws, measurements):
    """Writes what the sensors say now, see bus.measurements."""
    measurements[T] = truth.now / NS_PER_S
    track_stars(model, state, truth, draws)
    feel_rate(model, state, truth, draws)
    look_at_grapple(model, state, truth, draws)
    feel_wrench(model, state, truth, draws)
    feel_joints(model, state, truth, draws)
    report(model, state, truth, draws)
    for sensor in range(SENSORS):
        hand_over(model, state, sensor, truth.now, measurements)


@kernel
def sense(model, state, truth, draws, measurements):
    """`advance`, callable from Python."""
    advance(model, state, truth, draws, measurements)
