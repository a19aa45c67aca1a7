"""What is on board of the chaser besides sensors and actuators: functions of one shape, and the
order in which they run."""
