"""Rows of whatever there are two of in a facility."""

# Motions, commands, robots
TARGET, CHASER = 0, 1

# Sensors and their readings
FLANGE, WRIST = 0, 1

PAIR = 2

# Random numbers of a step: of both sensors, then of the carriers' positions
CARRIERS = 2
DRAWS = 3
