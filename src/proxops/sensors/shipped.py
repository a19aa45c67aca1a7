"""The sensors that every chaser has, in the order in which they are asked."""

from proxops.sensors import camera, encoders, gyro, star_tracker, telemetry, wrist

SHIPPED = (
    star_tracker.SENSOR,
    gyro.SENSOR,
    camera.SENSOR,
    wrist.SENSOR,
    encoders.SENSOR,
    telemetry.SENSOR,
)
