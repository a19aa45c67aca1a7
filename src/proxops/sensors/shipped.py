"""The sensors of a chaser, in the order in which they are sampled."""

from proxops.sensors import (
    bearing_camera,
    camera,
    encoders,
    gyro,
    latches,
    range_finder,
    relative_gnss,
    star_tracker,
    telemetry,
    wrist,
)

# Those that every chaser has
SHIPPED = (
    star_tracker.SENSOR,
    gyro.SENSOR,
    camera.SENSOR,
    wrist.SENSOR,
    encoders.SENSOR,
    telemetry.SENSOR,
)
# Those that it has where a mission gives their sections
OPTIONAL = (
    bearing_camera.SENSOR,
    range_finder.SENSOR,
    relative_gnss.SENSOR,
    latches.SENSOR,
)
# Those that look neither at centres of mass nor at the sky, see bus.truth
NEAR_SIGHTED = (*SHIPPED, latches.SENSOR)
